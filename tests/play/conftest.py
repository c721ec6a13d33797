"""What the tests of play share: the command, in this process and in one of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from bezique.engine.codec import read_position
from bezique.engine.library import Library
from bezique.engine.position import Position
from bezique.play.cli import app

ROOT = Path(__file__).parents[2]
PARTS = ("spec", "engine", "solver", "conformance", "play")

Run = Callable[..., Result]
Start = Callable[..., "subprocess.Popen[bytes]"]
Place = Callable[..., Position]


@pytest.fixture(autouse=True)
def data_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep games in a folder of the test, speak English to it, wait for no disk."""
    home = tmp_path / "data"
    monkeypatch.setenv("XDG_DATA_HOME", str(home))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr("os.fsync", lambda _: None)
    return home


@pytest.fixture
def run() -> Run:
    """Return a function that runs a command line in this process."""

    def run(*words: object, typed: str = "") -> Result:
        return CliRunner().invoke(app, list(map(str, words)), input=typed)

    return run


@pytest.fixture
def begin(data_home: Path) -> Start:
    """Return a function that starts a command line as a process with pipes."""

    def begin(*words: object) -> "subprocess.Popen[bytes]":
        path = os.pathsep.join(str(ROOT / part) for part in PARTS)
        return subprocess.Popen(
            [sys.executable, "-m", "bezique.play", *map(str, words)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": path, "XDG_DATA_HOME": str(data_home)},
        )

    return begin


@pytest.fixture
def place() -> Place:
    """Return a function that makes a position of a few cards, north having dealt."""

    def place(profile: str, **fields: Any) -> Position:  # noqa: ANN401
        return read_position(Library(), small(profile, **fields))

    return place


def small(profile: str, **fields: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return a partial position as JSON; south leads unless fields say otherwise."""
    nobody: dict[str, list[str]] = {"south": [], "north": []}
    zero = {"hand": 0, "match": 0}
    written = {
        "profile": profile,
        "options": {},
        "hand": 1,
        "phase": "lead",
        "turn": "south",
        "dealer": "north",
        "turn_up": None,
        "stock": [],
        "hidden": nobody,
        "table": nobody,
        "led": None,
        "won": nobody,
        "winner_of_last_trick": None,
        "last_trick": None,
        "points": {"south": zero, "north": zero},
        "results": [],
        "winner": None,
        "trump": "S",
        "scored": [],
        "pending": [],
        "declared": False,
        "sevens": [],
        "revoked": [],
        "barred": [],
        "partial": True,
    }
    return json.loads(json.dumps(written | fields))  # type: ignore[no-any-return]
