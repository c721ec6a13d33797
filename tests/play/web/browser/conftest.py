"""What the tests in a real browser share: a server, Debian's Chromium, a hand that plays."""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import uvicorn
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Page,
    Position,
    sync_playwright,
)

from bezique.play.web.app import create_app
from bezique.play.web.settings import Settings

CHROMIUM = "/usr/bin/chromium"
DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
MANY = 10**9
CORNER: Position = {"x": 8, "y": 20}
"""Where a card is clicked: cards overlap, and its corner is what is seen of it."""
PATIENCE = 30_000
SETTLED = """([seq]) => {
  document.querySelector(".go-on button")?.click();  // this player has seen the trick
  const board = document.querySelector("main.board");
  return board && board.dataset.seq !== seq && !("busy" in board.dataset);
}"""

Open = Callable[..., "Player"]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of a server that runs for all tests."""
    folder = tmp_path_factory.mktemp("games")
    settings = Settings(
        f"sqlite:///{folder / 'games.db'}", workers=0, seed="browser", rate=MANY, burst=MANY,
    )  # fmt: skip
    config = uvicorn.Config(create_app(settings), port=0, log_level="error", ws="none")
    running = uvicorn.Server(config)
    thread = threading.Thread(target=running.run, daemon=True)
    thread.start()
    while not running.started:
        assert thread.is_alive(), "the server did not start"
        time.sleep(0.02)
    port = running.servers[0].sockets[0].getsockname()[1]
    yield f"http://127.0.0.1:{port}"
    running.should_exit = True
    thread.join(10)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Return Debian's own browser, without a window."""
    assert Path(CHROMIUM).exists(), (
        f"the browser tests need {CHROMIUM}: apt-get install chromium"
    )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        yield browser
        browser.close()


class Player:
    """A person at a page: what can be clicked, and what went wrong meanwhile.

    Attributes:
        page: The page.
        wrong: Messages of the console, errors of the script, requests to other hosts.
    """

    def __init__(self, context: BrowserContext, server: str) -> None:
        self.context, self.server = context, server
        self.page: Page = context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.wrong: list[str] = []
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("request", self._asked)

    def _heard(self, message: object) -> None:
        kind, text = getattr(message, "type", ""), getattr(message, "text", "")
        # A stale click is answered 409, another's game 404: that is told, and meant.
        if kind in ("error", "warning") and "40" not in text:
            self.wrong.append(text)

    def _asked(self, request: object) -> None:
        url = str(getattr(request, "url", ""))
        if not url.startswith((self.server, "data:", "blob:", "about:")):
            self.wrong.append(f"a request to {url}")

    def go(self, path: str) -> int:
        """Go to an address of the server and return its status."""
        answer = self.page.goto(self.server + path)
        assert answer is not None
        return answer.status

    def begin(self, profile: str, lang: str = "es", **form: str) -> None:
        """Begin a game from the start page."""
        self.go(f"/{lang}/")
        for name, value in form.items():
            self.page.select_option(f"#new-{profile} [name={name}]", value)
        self.page.click(f"#new-{profile} button.main")
        self.page.wait_for_selector("main.board")

    @property
    def phase(self) -> str:
        """Return what the table waits for."""
        return self.page.get_attribute("main.board", "data-phase") or ""

    @property
    def seq(self) -> str:
        """Return the number of the table."""
        return self.page.get_attribute("main.board", "data-seq") or ""

    @property
    def strict(self) -> bool:
        """Return whether the last tricks have begun."""
        return self.page.locator(".felt.strict").count() > 0

    def step(self, number: int) -> None:
        """Do the next thing with the mouse, whatever it is."""
        page, seq = self.page, self.seq
        match self.phase:
            case "dealer" | "deal":
                page.locator(".spread button").nth(number % 9).click(position=CORNER)
            case "declare" if page.locator("#opts button").count():
                page.locator("#opts button").first.click()
                if page.locator("#sure[open]").count():
                    page.click("#sure [value=yes]")
            case "declare":
                page.click(".skip")
            case "over":
                page.click("#between .btn.main")
            case _:
                cards = page.locator("#hand button[name=move]")
                cards.nth(number * 5 % cards.count()).click(position=CORNER)
                if page.locator("#sure[open]").count():
                    page.click("#sure [value=yes]")
        self.settle(seq)

    def settle(self, seq: str) -> None:
        """Wait until the table has gone on from a number."""
        self.page.wait_for_function(SETTLED, arg=[seq])

    def until(self, wanted: Callable[["Player"], bool], most: int = 250) -> None:
        """Play until something holds."""
        for number in range(most):
            if wanted(self):
                return
            self.step(number)
        pytest.fail(f"still {self.phase} after {most} steps")


@pytest.fixture
def sit(chromium: Browser, server: str) -> Iterator[Open]:
    """Return a function that opens a browser of one's own."""
    opened: list[tuple[BrowserContext, Player]] = []

    def open_(
        *, phone: bool = False, script: bool = True, speed: str = "fast"
    ) -> Player:
        context = chromium.new_context(
            viewport=PHONE if phone else DESKTOP,  # type: ignore[arg-type]
            java_script_enabled=script, reduced_motion="reduce", locale="es",
        )  # fmt: skip
        likes = {"name": "bezique-likes", "value": f"speed={speed}", "url": server}
        context.add_cookies([likes])  # type: ignore[list-item]
        player = Player(context, server)
        opened.append((context, player))
        return player

    yield open_
    wrong = [text for _, player in opened for text in player.wrong]
    for context, _ in opened:
        context.close()
    assert wrong == []
