"""Killing: a server that is ended at any moment has lost nothing that it acknowledged."""

import http.client
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest

from bezique.engine.library import Library
from bezique.play.web.sitting import Sitting
from bezique.play.web.store import Store
from tests.play.web.player import Table, offered

ROOT = Path(__file__).parents[3]
PARTS = ("spec", "engine", "solver", "conformance", "play")
KILLS = 100
SERVE = """
import os, sys, threading
from bezique.engine.library import Library
from bezique.play.web import app, serve
app.warm(Library(), threading.Event())
for line in sys.stdin:
    pid = os.fork()
    if pid == 0:
        print(os.getpid(), end=" ")  # the server's address follows on the line
        serve.serve(host="127.0.0.1", port=0, database=sys.argv[1], workers=0, rate=1e6)
        os._exit(0)
    os.waitpid(pid, 0)
"""


class Servers:
    """Servers one after the other, each a process that is killed; they start at once."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    def start(self) -> tuple[int, int]:
        """Return the process and the port of the next server."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        pid, address = self.process.stdout.readline().split()
        return int(pid), int(address.rsplit(":", 1)[1].strip("/"))


class Client:
    """A player who goes on until the server is gone, and knows what was acknowledged."""

    def __init__(self) -> None:
        self.cookie = ""
        self.url = ""
        self.chance = random.Random(7)
        self.acknowledged = -1
        self.playing = threading.Event()
        self.moves: list[tuple[int, str]] = []

    def ask(self, port: int, method: str, path: str, **form: object) -> Table:
        """Return the table that the server answers with."""
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        try:
            headers = {"Accept": "application/json", "Cookie": self.cookie}
            if method == "POST":
                headers["Content-Type"] = "application/x-www-form-urlencoded"
            line.request(method, path, urlencode(form), headers)
            answer = line.getresponse()
            body = json.loads(answer.read())
            assert answer.status == 200, body
            cookie = answer.getheader("Set-Cookie")
            if cookie and not self.cookie:
                self.cookie = cookie.partition(";")[0]
            return dict(body)
        finally:
            line.close()

    def play(self, port: int) -> None:
        """Go on until the connection breaks."""
        try:
            if not self.url:
                table = self.ask(port, "POST", "/es/games", profile="cady", level=1)
                self.url = str(table["url"])
            table = self.ask(port, "GET", self.url)
            while True:
                place, form = self.next(table)
                seq = int(table["seq"])
                table = self.ask(port, "POST", f"{self.url}/{place}", seq=seq, **form)
                self.acknowledged = int(table["seq"])
                self.playing.set()
                if place == "moves":
                    self.moves.append((seq, str(form["move"])))
        except (OSError, http.client.HTTPException):
            return

    def next(self, table: Table) -> tuple[str, dict[str, object]]:
        """Return what to do next."""
        match table["phase"]:
            case "dealer":
                return "cut", {"depth": 9}
            case "deal":
                return "deal", {"depth": ""}
            case "over":
                return "next", {}
        return "moves", {"move": self.chance.choice(offered(table))}


@pytest.fixture
def database(tmp_path: Path) -> str:
    """Return where the games of a test are kept."""
    return f"sqlite:///{tmp_path / 'games.db'}"


@pytest.fixture
def servers(database: str) -> Iterator[Servers]:
    """Yield what starts the servers of a test; nothing of it outlives the test."""
    path = os.pathsep.join(str(ROOT / part) for part in PARTS)
    with subprocess.Popen(
        [sys.executable, "-c", SERVE, database], text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": path},
        start_new_session=True,
    ) as process:  # fmt: skip
        yield Servers(process)
        # After a failure a server still runs, and the process would wait for it for ever.
        os.killpg(process.pid, signal.SIGKILL)


@pytest.mark.long
def test_no_acknowledged_move_is_lost_by_killing(
    database: str, servers: Servers
) -> None:
    """A hundred times, at random moments; the log only grows, and replays."""
    client, chance = Client(), random.Random(1)
    before: tuple[object, ...] = ()
    for _ in range(KILLS):
        pid, port = servers.start()
        client.playing.clear()
        player = threading.Thread(target=client.play, args=(port,))
        player.start()
        assert client.playing.wait(30)
        time.sleep(chance.uniform(0, 0.3))
        os.kill(pid, signal.SIGKILL)
        player.join()
        store = Store(database)
        game = client.url.rsplit("/", 1)[1]
        entries = store.entries(game)
        store.close()
        sitting = Sitting(game, Library(), entries)

        assert entries[: len(before)] == before
        assert sitting.seq >= client.acknowledged
        for seq, move in client.moves:
            data = entries[seq].data
            assert entries[seq].kind == "act"
            assert data["seat"] == sitting.me
            assert data["action"]["do"] == move.split(":")[0]
        before = entries
    assert len(client.moves) > KILLS
