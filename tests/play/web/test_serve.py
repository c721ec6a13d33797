"""Serving: the commands, and thinking that stands in nobody's way."""

import asyncio
import os
import signal
import socket
import threading
import urllib.request
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from subprocess import Popen
from typing import Any

import pytest
from click.testing import Result
from fastapi import FastAPI

from bezique.engine import Library, apply, deal, shuffled, start, view, witnessed
from bezique.engine.codec import event_json
from bezique.play.web import serve
from bezique.play.web.serve import kept_at
from bezique.play.web.thinking import Question, Thinkers, question
from tests.play.web.conftest import Browser
from tests.play.web.player import JSON, Player, offered

Run = Callable[..., Result]
Start = Callable[..., Popen[bytes]]


def asked() -> Question:
    """Return a question: the first lead of a hand."""
    rules = Library().rules("cady")
    position, events = apply(
        begun := start(rules, "north"), deal(begun, shuffled(rules, 1))
    )
    seat = str(position.turn)
    heard = [event_json(rules, event) for event in witnessed(position, events, seat)]
    return question(2, view(position, seat), heard)


def test_server_answers_and_ends_when_it_is_told(begin: Start) -> None:
    """It prints its address; Ctrl-C ends it, and its processes with it."""
    process = begin("serve", "--port", 0, "--workers", 1)
    assert process.stdout is not None
    address = process.stdout.readline().decode().strip()

    with urllib.request.urlopen(f"{address}healthz", timeout=20) as answer:  # noqa: S310
        said = answer.read()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)

    assert address.startswith("http://127.0.0.1:")
    assert said == b'{"ok":true}'
    assert process.returncode in (0, 130)


def test_port_that_is_taken_is_told(run: Run) -> None:
    """Exit code 2 and one line."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = run("serve", "--port", port)

    assert result.exit_code == 2
    assert f"--port {port}: expected a free port" in result.stderr


def test_play_serves_and_opens_the_browser(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without options of the terminal game; with them the terminal plays."""
    called: list[dict[str, Any]] = []
    monkeypatch.setattr(serve, "serve", lambda **given: called.append(given))

    run("play")
    run("play", "--plain", typed="q\n")

    assert called == [{"host": "127.0.0.1", "rules": (), "browser": True}]


def test_games_are_kept_among_the_users_data(data_home: Path) -> None:
    """Where the terminal keeps its own."""
    assert kept_at() == f"sqlite:///{data_home / 'bezique' / 'games.db'}"
    assert (data_home / "bezique").is_dir()


def test_worker_that_dies_is_replaced() -> None:
    """The question is asked again, and answered."""

    async def ask_twice() -> tuple[object, object]:
        thinkers = Thinkers(1)
        first = await thinkers.ask(asked())
        pool = thinkers._quick
        assert isinstance(pool, ProcessPoolExecutor)
        for pid in list(pool._processes):
            os.kill(pid, signal.SIGKILL)
        second = await thinkers.ask(asked())
        thinkers.close()
        return first, second

    first, second = asyncio.run(ask_twice())

    assert first == second
    assert isinstance(first, dict)
    assert first["do"] == "play"


def test_thinking_about_one_game_keeps_no_other_waiting(
    app: FastAPI, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While one opponent thinks, another game goes on."""
    slow, quick = (
        Player(browser(), "luso", level="5"),
        Player(browser(), "luso", level="1"),
    )
    for player in (slow, quick):
        player.until(lambda table: table["phase"] in ("lead", "follow"))
        while player.table["phase"] != "lead":
            player.step()
    thinkers = app.state.desk.thinkers
    plain, gate = thinkers.ask, threading.Event()

    async def ask(question: Question) -> object:
        if question.level == 5:
            await asyncio.to_thread(gate.wait)
        return await plain(question)

    monkeypatch.setattr(thinkers, "ask", ask)
    form = {"seq": slow.table["seq"], "move": offered(slow.table)[0]}
    answers: list[int] = []
    waiting = threading.Thread(
        target=lambda: answers.append(
            slow.client.post(f"{slow.url}/moves", data=form, headers=JSON).status_code
        )
    )
    waiting.start()
    before = quick.table["seq"]
    quick.step()
    still_thinking = not answers
    gate.set()
    waiting.join()

    assert quick.table["seq"] > before
    assert still_thinking
    assert answers == [200]
