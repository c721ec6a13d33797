"""Access: no fault that axe-core finds on any page or state, and a page that is light."""

import gzip
import re
from importlib.resources import files
from typing import Any

import pytest
from playwright.sync_api import Page, Response

from bezique.engine.library import Library
from bezique.play.web.words import LANGUAGES, t
from bezique.spec.sentences import duty_sentence
from tests.play.web.browser.conftest import Open, Player

pytestmark = pytest.mark.long

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
LIGHT = 200 * 1024
SIZES = [False, True]


def faults(page: Page) -> list[str]:
    """Return what axe-core finds on a page."""
    page.evaluate(AXE)
    found: dict[str, Any] = page.evaluate(
        "(tags) => axe.run(document, {runOnly: tags})", TAGS
    )
    return [
        f"{item['id']}: {node['html'][:160]} {node.get('failureSummary', '')[:300]}"
        for item in found["violations"]
        for node in item["nodes"]
    ]


@pytest.mark.parametrize("phone", SIZES, ids=["desktop", "phone"])
def test_table_has_no_fault_in_any_state(sit: Open, phone: bool) -> None:  # noqa: FBT001
    """From the cut to the end of the match: each kind of state once."""
    me = sit(phone=phone)
    me.begin("cady", mode="practice", level="1")
    states: dict[str, list[str]] = {}

    def look(player: Player) -> bool:
        page = player.page
        marks = (
            ".felt.strict",
            "#hand .no",
            "#opts",
            ".hand .tb",
            "#laid-machine",
            ".risk",
            ".sheet",
            ".cuts",
        )
        name = " ".join([player.phase, *(m for m in marks if page.locator(m).count())])
        if name not in states:
            states[name] = faults(page)
        return player.phase == "deal" and page.locator(".sheet tfoot").count() > 0

    me.until(look)

    assert {name: found for name, found in states.items() if found} == {}
    assert len(states) > 5


@pytest.mark.parametrize("phone", SIZES, ids=["desktop", "phone"])
def test_end_of_a_match_has_no_fault(sit: Open, phone: bool) -> None:  # noqa: FBT001
    """The result, the review, the history and the start page with a game to go on with."""
    me = sit(phone=phone)
    me.begin("streak")
    address = me.page.url.removeprefix(me.server)
    me.until(lambda player: player.phase == "over")

    found = {"over": faults(me.page)}
    review = me.page.get_attribute("#side .actions a", "href") or ""
    for name, path in {
        "review": review,
        "history": "/es/history",
        "start": "/es/",
        "rules": f"{address}/rules",
    }.items():
        assert me.go(path) == 200
        found[name] = faults(me.page)

    assert {name: what for name, what in found.items() if what} == {}


@pytest.mark.parametrize("phone", SIZES, ids=["desktop", "phone"])
def test_pages_have_no_fault_by_day(sit: Open, phone: bool) -> None:  # noqa: FBT001
    """With the light colours: start, table, declarations, last tricks, review, history."""
    me = sit(phone=phone)
    me.page.emulate_media(color_scheme="light")
    me.go("/es/")
    found = {"start": faults(me.page)}
    me.begin("streak", mode="practice", level="1")
    address = me.page.url.removeprefix(me.server)
    found["deal"] = faults(me.page)
    me.step(0)
    found["lead"] = faults(me.page)
    me.until(lambda player: player.page.locator("#opts").count() > 0)
    found["declare"] = faults(me.page)
    me.until(lambda player: player.page.locator("#hand .no").count() > 0)
    found["strict"] = faults(me.page)
    me.until(lambda player: player.page.locator(".sheet tfoot").count() > 0)
    found["hand over"] = faults(me.page)
    review = me.page.get_attribute("#side .actions a", "href") or ""
    me.until(lambda player: player.phase == "over")
    found["over"] = faults(me.page)

    for name, path in {
        "review": review, "deal again": f"{review}?trick=0", "ending": f"{review}?trick=30",
        "history": "/es/history", "rules": f"{address}/rules", "settings": "/es/settings",
        "melds": f"{address}/melds", "error": "/es/games/none",
    }.items():  # fmt: skip
        me.go(path)
        found[name] = faults(me.page)

    assert {name: what for name, what in found.items() if what} == {}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_pages_have_no_fault_and_name_their_language(sit: Open, lang: str) -> None:
    """All pages around a table, in each language."""
    me = sit()
    me.begin("streak", lang=lang)
    address = me.page.url.removeprefix(me.server)
    seal = me.page.get_attribute(".sealed a", "href") or ""
    me.step(0)
    found = {}

    for place in (
        "/hint",
        "/why",
        "/why?meld=bezique",
        "/melds",
        "/rules",
        "/resign",
        "",
    ):
        assert me.go(address + place) == 200
        found[place] = faults(me.page)
        assert me.page.get_attribute("html", "lang") == lang
    for path in (
        seal,
        f"/{lang}/history",
        f"/{lang}/settings?back=/",
        f"/{lang}/games/{'0' * 32}",
    ):
        me.go(path)
        found[path] = faults(me.page)

    assert {name: what for name, what in found.items() if what} == {}


def test_dialogs_have_no_fault(sit: Open) -> None:
    """Each dialog of the table, as it opens over it, and the menu."""
    me = sit()
    me.begin("streak")
    for number in range(3):
        me.step(number)
    found = {}

    for key in ("h", "w", "c", "t", "r", "?"):
        me.page.keyboard.press(key)
        me.page.wait_for_selector("dialog[open]")
        found[key] = faults(me.page)
        me.page.keyboard.press("Escape")
    me.page.click("#menu > summary")
    found["menu"] = faults(me.page)

    assert {name: what for name, what in found.items() if what} == {}


def test_four_colours_and_large_corners_are_a_choice(sit: Open) -> None:
    """The settings change the pictures without leaving the table."""
    me = sit()
    me.begin("streak")
    me.step(0)
    page = me.page
    page.click("#menu > summary")
    page.click("#menu a[href*=settings]")
    page.check("#dlg [name=deck][value=four]")
    page.check("#dlg [name=index][value=large]")
    page.click("#dlg .btn.main")

    page.wait_for_function(
        "() => document.querySelector('#hand img').src.includes('/big4/')"
    )

    assert page.locator("#hand img").first.evaluate(
        "image => image.decode().then(() => image.naturalWidth > 0)"
    )


def test_screen_reader_is_told_once_a_trick(sit: Open) -> None:
    """The live region changes once for a move, and names cards with pauses by their names."""
    me = sit()
    me.begin("streak")
    me.step(0)
    me.page.evaluate(
        """() => {
          window.heard = [];
          const said = document.querySelector("#said");
          new MutationObserver(() => said.textContent && heard.push(said.textContent))
            .observe(said, {childList: true, characterData: true, subtree: true});
        }"""
    )

    me.step(1)
    heard = me.page.evaluate("heard")

    assert len(heard) == 1
    assert re.search(r"\w+ de \w+, \w+ de \w+\.", heard[0])


def test_page_is_light_and_painted_soon(sit: Open) -> None:
    """Beside the faces at most 200 KB, packed; the first paint within a second."""
    me = sit()
    bodies: dict[str, bytes] = {}

    def keep(answer: Response) -> None:
        if answer.status == 200 and "/static/faces/" not in answer.url:
            bodies[answer.url] = answer.body()

    me.begin("streak")
    me.step(0)
    me.page.on("response", keep)
    me.page.reload(wait_until="networkidle")

    painted = me.page.evaluate(
        "performance.getEntriesByName('first-contentful-paint')[0].startTime"
    )
    assert sum(len(gzip.compress(body)) for body in bodies.values()) <= LIGHT
    assert len(bodies) >= 3
    assert painted <= 1000


@pytest.mark.parametrize("scheme", ["active", "none"])
def test_targets_are_large_enough_and_focus_is_seen(sit: Open, scheme: str) -> None:
    """What can be pressed is at least 24 pixels; focus has an outline, also in forced colours."""
    me = sit(phone=True)
    me.begin("streak")
    me.step(0)
    me.page.emulate_media(forced_colors=scheme)  # type: ignore[arg-type]

    small = me.page.evaluate(
        """() => [...document.querySelectorAll("a, button, summary, input:not([type=hidden])")]
          .filter((node) => node.checkVisibility() && !node.matches(".skip-link"))
          .map((node) => [node.outerHTML.slice(0, 80), node.getBoundingClientRect()])
          .filter(([, box]) => box.width < 24 || box.height < 24).map(([text]) => text)"""
    )
    me.page.keyboard.press("ArrowRight")
    width = me.page.evaluate(
        "parseFloat(getComputedStyle(document.activeElement).outlineWidth)"
    )

    assert small == []
    assert width >= 2


@pytest.mark.parametrize("lang", LANGUAGES)
def test_line_above_the_hand_does_not_wrap_on_a_phone(sit: Open, lang: str) -> None:
    """What must be played is one line at 390 pixels, whatever it says at the streak's table."""
    profile = Library().rules("streak").profile
    lines = [
        duty_sentence(profile, lang, clause, reason=False, card=f"T{suit}", trump=suit)
        for clause in (
            "free/any_card",
            "strict/heads",
            "strict/follows",
            "strict/ruffs",
        )
        for suit in profile.deck.suits
    ]
    lines += [
        t(lang, "You took the trick: declare, or draw."),
        t(lang, "Your lead: {rule}", rule=lines[0]),
        t(lang, "Cut the pack, or deal it as it is."),
    ]
    me = sit(phone=True)
    me.begin("streak", lang=lang)
    me.step(0)
    line = me.page.locator("#line")
    one = line.evaluate("line => (line.textContent = 'X', line.offsetHeight)")

    tall = [
        text for text in lines
        if line.evaluate("(line, text) => (line.textContent = text, line.offsetHeight)", text) > one
    ]  # fmt: skip

    assert tall == []
