"""What the tests of the web table share: an application, and browsers at it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from bezique.play.web.app import create_app
from bezique.play.web.honest import Chance
from bezique.play.web.settings import Settings

MANY = 10**9

Browser = Callable[[], TestClient]


def settings(folder: Path, **changed: object) -> Settings:
    """Return settings for a test: repeatable, without a limit, thinking in a thread."""
    usual: dict[str, object] = {
        "database": f"sqlite:///{folder / 'games.db'}", "workers": 0, "seed": "test",
        "rate": MANY, "burst": MANY, "hosts": ("testserver", "127.0.0.1"),
    }  # fmt: skip
    return Settings(**{**usual, **changed})  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """Return a browser at an application that runs as long as a module's tests.

    Tests do not meet in it: each has browsers, and so games, of its own.
    """
    made = create_app(settings(tmp_path_factory.mktemp("web")))
    with TestClient(made) as running:
        yield running


@pytest.fixture
def app(served: TestClient, request: pytest.FixtureRequest) -> FastAPI:
    """Return the application, with packs that depend on nothing but the test's name."""
    assert isinstance(served.app, FastAPI)
    served.app.state.desk.chance = Chance(request.node.name)
    return served.app


@pytest.fixture
def browser(served: TestClient, app: FastAPI) -> Browser:
    """Return a function that opens a browser with cookies of its own."""

    def opened() -> TestClient:
        new = TestClient(app, follow_redirects=False)
        new.portal = served.portal  # one event loop serves all, as in earnest
        return new

    return opened


@pytest.fixture
def client(browser: Browser) -> TestClient:
    """Return a browser."""
    return browser()
