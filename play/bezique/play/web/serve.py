"""Serving: from the options of the command to a running server."""

import socket
import threading
import time
import webbrowser
from pathlib import Path

import uvicorn

from bezique.engine.errors import BeziqueError
from bezique.play.saved import home
from bezique.play.web.app import create_app
from bezique.play.web.settings import LOCAL, Settings

PATIENCE = 20.0
USUAL = 8000


class ServeError(BeziqueError):
    """The server cannot be started; `code` is `serve`."""

    code = "serve"


def kept_at() -> str:
    """Return the database where games are kept that were given none."""
    home().mkdir(parents=True, exist_ok=True)
    return f"sqlite:///{home() / 'games.db'}"


def serve(
    *,
    host: str,
    port: int | None = None,
    names: tuple[str, ...] = (),
    database: str | None = None,
    rules: tuple[Path, ...] = (),
    workers: int = 2,
    rate: float | None = None,
    browser: bool = False,
) -> None:
    """Serve until interrupted.

    Args:
        host: The address to listen at.
        port: The port; 0 takes a free one, None the usual one or else a free one.
        names: Names beside the address under which the server answers.
        database: A URL; None keeps games among the user's data.
        rules: Rule files beside the built-in ones.
        workers: Processes that think.
        rate: Requests a second that one client may make; None as usual.
        browser: Whether to open the start page in the browser.

    Raises:
        ServeError: The port is taken, or the address is none of this machine.
        RulesError: A rule file has problems.
    """
    usual = Settings(database or kept_at())
    limit = usual.rate if rate is None else rate
    settings = Settings(
        database=usual.database, rules=rules, hosts=(*LOCAL, host, *names), workers=workers,
        rate=limit, burst=int(max(usual.burst, limit * 4)),
    )  # fmt: skip
    with _listening(host, port) as listening:
        name = "127.0.0.1" if host == "0.0.0.0" else host  # noqa: S104 - said, not chosen
        shown = f"[{name}]" if ":" in name else name
        address = f"http://{shown}:{listening.getsockname()[1]}/"
        config = uvicorn.Config(
            create_app(settings), log_level="warning", access_log=False,
            server_header=False, proxy_headers=False,
        )  # fmt: skip
        server = uvicorn.Server(config)
        print(address, flush=True)
        if browser:
            opener = threading.Thread(target=_open, args=(server, address), daemon=True)
            opener.start()
        server.run(sockets=[listening])


def _listening(host: str, port: int | None) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server(
            (host, USUAL if port is None else port), family=family
        )
    except OSError as error:
        if port is None:
            return _listening(host, 0)
        message = f"--host {host} --port {port}: expected a free port of this machine, got: {error.strerror}"
        raise ServeError(message) from None


def _open(server: uvicorn.Server, address: str) -> None:
    """Open the browser once the server answers."""
    until = time.monotonic() + PATIENCE
    while not server.started and time.monotonic() < until:
        time.sleep(0.05)
    if server.started:
        webbrowser.open(address)
