"""The store: entries are only ever added, and what was acknowledged is there."""

from collections.abc import Iterator
from concurrent.futures import wait
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from fastapi import FastAPI
from starlette.testclient import TestClient

from bezique.engine.library import Library
from bezique.play.web.app import create_app
from bezique.play.web.sitting import Entry, Sitting
from bezique.play.web.store import (
    Batch,
    Game,
    StaleError,
    Store,
    connect,
    events,
    games,
    metadata,
    migrate,
)
from tests.play.web.conftest import Browser, settings
from tests.play.web.player import JSON, Player, at_random

GAME = Game("a" * 32, "owner", "table", "cady", "2026-01-01T00:00:00+00:00")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Return a store with a game in it."""
    made = Store(f"sqlite:///{tmp_path / 'games.db'}")
    made.append(Batch(GAME.game, 0, (Entry("begin", {"n": 0}),), GAME)).result()
    yield made
    made.close()


def batch(seq: int, *numbers: int) -> Batch:
    """Return a batch of entries from a number on."""
    return Batch(GAME.game, seq, tuple(Entry("act", {"n": n}) for n in numbers))


def test_entries_come_back_in_order(store: Store) -> None:
    """Kind and data, as they were given."""
    store.append(batch(1, 1, 2)).result()
    store.append(batch(3, 3)).result()

    assert [entry.data["n"] for entry in store.entries(GAME.game)] == [0, 1, 2, 3]
    assert store.game(GAME.game) == GAME
    assert store.game("b" * 32) is None


def test_number_that_is_taken_is_refused_whole(store: Store) -> None:
    """Nothing of the late batch is written, not even what would fit."""
    store.append(batch(1, 1, 2)).result()

    with pytest.raises(StaleError):
        store.append(batch(2, 7, 8)).result()

    assert [entry.data["n"] for entry in store.entries(GAME.game)] == [0, 1, 2]


def test_one_refused_batch_keeps_no_other_from_being_written(store: Store) -> None:
    """Those that came together are then written each by itself."""
    futures = [store.append(batch(seq, seq)) for seq in (1, 2, 2, 3, 1, 4)]
    wait(futures)

    assert [f.exception() is None for f in futures] == [
        True,
        True,
        False,
        True,
        False,
        True,
    ]
    assert [entry.data["n"] for entry in store.entries(GAME.game)] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    "change",
    [events.update().values(kind="x"), events.delete(), games.update().values(owner="x"), games.delete()],
)  # fmt: skip
def test_database_refuses_every_change(store: Store, change: sa.Executable) -> None:
    """Whoever tries it, with whatever program."""
    with (
        pytest.raises(sa.exc.DatabaseError, match="only added to"),
        store.engine.begin() as c,
    ):
        c.execute(change)


def test_commits_are_on_the_disk(store: Store) -> None:
    """Write-ahead log, full synchronisation (2)."""
    with store.engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2


def test_migrations_make_the_tables_of_the_code(store: Store) -> None:
    """And leave a database alone that has them."""
    migrate(store.engine)
    with store.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_plain_postgresql_url_takes_the_driver_at_hand() -> None:
    """People write postgresql://."""
    engine = connect("postgresql://someone@localhost/games")

    assert engine.dialect.driver == "psycopg"


def test_position_is_what_replaying_gives(app: FastAPI, browser: Browser) -> None:
    """A reader of the log alone comes to the table that the server shows."""
    client = browser()
    player = Player(client, "cady", level="1")
    player.until(lambda table: table["hand"] == 2, at_random(3))
    game = player.url.rsplit("/", 1)[1]
    reader = Store(app.state.settings.database)

    again = Sitting(game, Library(), reader.entries(game))
    held = app.state.desk._held[game].sitting
    reader.close()

    assert again.now.position == held.now.position
    assert again.now.items == held.now.items
    assert again.seq == held.seq == player.table["seq"]


def test_log_holds_codes_and_no_prose(app: FastAPI, browser: Browser) -> None:
    """Two languages write the same log."""
    client = browser()
    player = Player(client, "luso", level="1")
    player.until(lambda table: table["phase"] == "deal" and table["hand"] == 2)
    reader = Store(app.state.settings.database)

    entries = reader.entries(player.url.rsplit("/", 1)[1])
    reader.close()

    assert {entry.kind for entry in entries} <= {
        "begin",
        "lots",
        "cut",
        "dealer",
        "pack",
        "deal",
        "act",
    }
    words = {
        word
        for e in entries
        if e.kind == "act"
        for word in e.data["action"].values()
        if isinstance(word, str)
    }
    assert all(word.isascii() and " " not in word for word in words)


def test_second_server_on_the_same_games_loses_nothing(
    app: FastAPI, browser: Browser, tmp_path: Path
) -> None:
    """Who comes second is told to look again, and then sees what the first has done."""
    client = browser()
    player = Player(client)
    second = create_app(settings(tmp_path, database=app.state.settings.database))
    with TestClient(second, cookies=dict(client.cookies)) as other:
        there = other.get(player.url, headers=JSON).json()
        player.step()

        late = other.post(
            f"{player.url}/deal", data={"seq": there["seq"], "depth": "9"}, headers=JSON
        )
        again = other.get(player.url, headers=JSON).json()

    assert late.status_code == 409
    assert again["seq"] == player.table["seq"]
    assert again["mine"]["cards"] == player.table["mine"]["cards"]
