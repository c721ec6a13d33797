"""PostgreSQL: the same store on a real server, which the test starts for itself."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from bezique.engine.library import Library
from bezique.play.web.app import create_app
from bezique.play.web.sitting import Entry, Sitting
from bezique.play.web.store import Batch, Game, StaleError, Store, events
from tests.play.web.conftest import settings
from tests.play.web.player import Player

GAME = Game("a" * 32, "owner", "table", "cady", "2026-01-01T00:00:00+00:00")


def programs() -> Path:
    """Return the folder of Debian's newest PostgreSQL, else of the one on the path."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    place = str(found[-1]) if found else shutil.which("initdb")
    assert place, "initdb is missing: on Debian, apt install postgresql"
    return Path(place).parent


def as_somebody(folder: Path) -> dict[str, object]:
    """Return how to start a program that refuses to run as root."""
    if os.geteuid() != 0:
        return {}
    user = pwd.getpwnam("postgres")
    os.chown(folder, user.pw_uid, user.pw_gid)
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """Return the URL of a cluster that lives as long as this module's tests."""
    # Not among pytest's folders, which nobody but their owner may enter.
    with tempfile.TemporaryDirectory(prefix="bezique-") as name:
        yield from cluster(Path(name))


def cluster(folder: Path) -> Iterator[str]:
    """Run a cluster in a folder."""
    who = as_somebody(folder)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    data = str(folder / "data")

    def run(name: str, *words: str) -> None:
        done = subprocess.run(
            [str(programs() / name), *words],
            capture_output=True,
            text=True,
            check=False,
            cwd=folder,
            **who,
        )  # type: ignore[call-overload]
        assert done.returncode == 0, done.stderr

    run(
        "initdb", "-D", data, "-U", "bezique", "-A", "trust", "-E", "UTF8", "--locale=C"
    )
    told = (
        f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder}"
    )
    run("pg_ctl", "-D", data, "-l", str(folder / "log"), "-o", told, "-w", "start")
    try:
        yield f"postgresql://bezique@127.0.0.1:{port}/postgres"
    finally:
        run("pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")


@pytest.mark.long
def test_match_is_played_and_kept_in_postgresql(server: str, tmp_path: Path) -> None:
    """A whole match, and what is replayed is what was shown."""
    with TestClient(create_app(settings(tmp_path, database=server))) as client:
        player = Player(client)
        table = player.finish()
    store = Store(server)

    game = player.url.rsplit("/", 1)[1]
    again = Sitting(game, Library(), store.entries(game))
    store.close()

    assert again.seq == table["seq"]
    assert again.now.over is not None
    assert again.now.over.points["south"] == table["scores"]["me"]["match"]


@pytest.mark.long
def test_postgresql_refuses_stale_entries_and_every_change(server: str) -> None:
    """As SQLite does."""
    store = Store(server)
    store.append(Batch(GAME.game, 0, (Entry("begin"),), GAME)).result()

    with pytest.raises(StaleError):
        store.append(Batch(GAME.game, 0, (Entry("act"),))).result()
    for change in (events.update().values(kind="x"), events.delete()):
        with (
            pytest.raises(sa.exc.DatabaseError, match="only added to"),
            store.engine.begin() as connection,
        ):
            connection.execute(change)

    assert [entry.kind for entry in store.entries(GAME.game)] == ["begin"]
    store.close()
