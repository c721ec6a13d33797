"""The store: entries in a database, only ever added.

An entry is acknowledged once it is on the disk (SQLite in WAL mode with full
synchronisation, or PostgreSQL).  Nothing is changed or deleted, and the database itself
refuses to (`migrations`).  Entries of several games are written together when they come
together; each game's are written whole or not at all.

Terms
    owner    the SHA-256 of a client's cookie: who reads the database cannot play as anybody
"""

import json
import queue
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.resources import files
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from bezique.play.web.sitting import Entry

metadata = sa.MetaData()
games = sa.Table(
    "games", metadata,
    sa.Column("game", sa.String(32), primary_key=True),
    sa.Column("owner", sa.String(64), nullable=False, index=True),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("place", sa.String(255), nullable=False),
    sa.Column("at", sa.String(32), nullable=False),
)  # fmt: skip
events = sa.Table(
    "events", metadata,
    sa.Column("game", sa.String(32), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("data", sa.Text, nullable=False),
    sa.Column("at", sa.String(32), nullable=False),
)  # fmt: skip


class StaleError(Exception):
    """Somebody else has written an entry of that number."""


@dataclass(frozen=True)
class Game:
    """A line of the list of games."""

    game: str
    owner: str
    kind: str
    place: str
    at: str


@dataclass(frozen=True)
class Batch:
    """Entries of one game, to be written whole or not at all; its first opens the game."""

    game: str
    seq: int
    entries: tuple[Entry, ...]
    opens: Game | None = None


def now_text() -> str:
    """Return the time in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


class Store:
    """Entries in a database, and the thread that writes them.

    Args:
        url: A database that SQLAlchemy knows.
    """

    def __init__(self, url: str) -> None:
        self.engine = connect(url)
        migrate(self.engine)
        self._queue: queue.SimpleQueue[tuple[Batch, Future[None]] | None]
        self._queue = queue.SimpleQueue()
        self._writer = threading.Thread(
            target=self._write_all, name="store", daemon=True
        )
        self._writer.start()

    def close(self) -> None:
        """Write what is waiting, and let go of the database."""
        self._queue.put(None)
        self._writer.join()
        self.engine.dispose()

    # --- writing --------------------------------------------------------------------------------

    def append(self, batch: Batch) -> "Future[None]":
        """Write entries; the future is done when they are on the disk.

        Its exception is a `StaleError` where one of these numbers is taken.
        """
        future: Future[None] = Future()
        self._queue.put((batch, future))
        return future

    def _write_all(self) -> None:
        going = True
        while going:
            waiting = [self._queue.get()]
            while not self._queue.empty():
                waiting.append(self._queue.get())
            going = None not in waiting
            self._write([item for item in waiting if item is not None])

    def _write(self, batches: list[tuple[Batch, "Future[None]"]]) -> None:
        """Write batches together; where that fails, each by itself."""
        if not batches:
            return
        try:
            with self.engine.begin() as connection:
                for batch, _ in batches:
                    _insert(connection, batch)
        except SQLAlchemyError as error:
            if len(batches) > 1:
                for item in batches:
                    self._write([item])
                return
            stale = isinstance(error, IntegrityError)
            batches[0][1].set_exception(StaleError() if stale else error)
        else:
            for _, future in batches:
                future.set_result(None)

    # --- reading --------------------------------------------------------------------------------

    def game(self, game: str) -> Game | None:
        """Return a game's line."""
        with self.engine.connect() as connection:
            query = sa.select(games).where(games.c.game == game)
            row = connection.execute(query).one_or_none()
        return None if row is None else Game(*row)

    def entries(self, game: str, first: int = 0) -> tuple[Entry, ...]:
        """Return a game's entries in order, from a number on."""
        query = (
            sa.select(events.c.kind, events.c.data)
            .where(events.c.game == game, events.c.seq >= first)
            .order_by(events.c.seq)
        )
        with self.engine.connect() as connection:
            rows = connection.execute(query).all()
        return tuple(Entry(kind, json.loads(data)) for kind, data in rows)

    def times(self, game: str, seqs: Sequence[int]) -> dict[int, str]:
        """Return when some entries were written, by their numbers."""
        query = sa.select(events.c.seq, events.c.at).where(
            events.c.game == game, events.c.seq.in_(seqs)
        )
        with self.engine.connect() as connection:
            return {int(seq): str(at) for seq, at in connection.execute(query)}

    def games_of(self, owner: str, kind: str = "table") -> tuple[Game, ...]:
        """Return a client's games, the latest first."""
        query = (
            sa.select(games)
            .where(games.c.owner == owner, games.c.kind == kind)
            .order_by(games.c.at.desc(), games.c.game)
        )
        with self.engine.connect() as connection:
            return tuple(Game(*row) for row in connection.execute(query))


def _insert(connection: Connection, batch: Batch) -> None:
    at = now_text()
    if batch.opens is not None:
        connection.execute(games.insert(), vars(batch.opens))
    rows: list[dict[str, Any]] = [
        {
            "game": batch.game,
            "seq": batch.seq + n,
            "kind": entry.kind,
            "data": json.dumps(entry.data, separators=(",", ":"), ensure_ascii=False),
            "at": at,
        }
        for n, entry in enumerate(batch.entries)
    ]
    connection.execute(events.insert(), rows)


def connect(url: str) -> Engine:
    """Return an engine whose commits are on the disk when they return."""
    parsed = sa.make_url(url)
    if parsed.drivername == "postgresql":  # the driver that this project installs
        parsed = parsed.set(drivername="postgresql+psycopg")
    engine = sa.create_engine(parsed, pool_pre_ping=True)
    if engine.dialect.name == "sqlite":

        @sa.event.listens_for(engine, "connect")
        def _careful(connection: Any, _: object) -> None:  # noqa: ANN401
            cursor = connection.cursor()
            cursor.execute("PRAGMA journal_mode=WAL")
            cursor.execute("PRAGMA synchronous=FULL")
            cursor.execute("PRAGMA busy_timeout=10000")
            cursor.close()

    return engine


def migrate(engine: Engine) -> None:
    """Bring a database to the tables of this version."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    place = files("bezique.play.web").joinpath("migrations")
    config.set_main_option("script_location", str(place))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
