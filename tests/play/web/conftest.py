"""What the tests of the web table share: an application, and browsers at it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from bezique.play.web.app import create_app
from bezique.play.web.settings import Settings

MANY = 10**9

Browser = Callable[[], TestClient]


def settings(folder: Path, **changed: object) -> Settings:
    """Return settings for a test: repeatable, without a limit, thinking in a thread."""
    usual: dict[str, object] = {
        "database": f"sqlite:///{folder / 'games.db'}", "workers": 0, "seed": "test",
        "rate": MANY, "burst": MANY,
    }  # fmt: skip
    return Settings(**{**usual, **changed})  # type: ignore[arg-type]


@pytest.fixture
def app(tmp_path: Path) -> Iterator[FastAPI]:
    """Return an application that runs."""
    made = create_app(settings(tmp_path))
    with TestClient(made):
        yield made


@pytest.fixture
def browser(app: FastAPI) -> Browser:
    """Return a function that opens a browser with cookies of its own."""
    return lambda: TestClient(app, follow_redirects=False)


@pytest.fixture
def client(browser: Browser) -> TestClient:
    """Return a browser."""
    return browser()
