"""Review: a finished hand trick by trick, by mouse, by keys and without a script; files."""

import json
from pathlib import Path

import pytest

from tests.play.web.browser.conftest import Open, Player

pytestmark = pytest.mark.long


def hand_over(player: Player) -> bool:
    """Return whether a hand has ended."""
    return player.page.locator(".sheet tfoot").count() > 0


def review_of(player: Player) -> str:
    """Play a hand, and return the address of its review."""
    player.begin("streak", mode="practice", level="1")
    player.until(hand_over)
    return player.page.get_attribute("#side .actions a", "href") or ""


def shown(player: Player) -> str:
    """Return which trick is shown."""
    return player.page.locator("#trick-title").inner_text()


def turned(player: Player, number: int) -> None:
    """Wait until a trick is shown."""
    player.page.wait_for_function(
        "number => location.search === `?trick=${number}`", arg=number
    )


def test_tricks_are_turned_by_mouse_and_by_keys(sit: Open) -> None:
    """Thirty-two tricks (D0.14, D0.26); the address follows, and a reload shows the same."""
    me = sit()
    me.go(review_of(me))
    page = me.page
    page.click("[data-go=next]")
    turned(me, 2)
    assert shown(me) == "Baza 2 de 32"

    page.keyboard.press("ArrowRight")
    turned(me, 3)
    page.keyboard.press("End")
    turned(me, 32)
    assert page.locator("#trick .exact").count() == 2
    page.keyboard.press("ArrowRight")  # there is none
    page.keyboard.press("ArrowLeft")
    turned(me, 31)
    page.reload()
    assert shown(me) == "Baza 31 de 32"
    page.keyboard.press("Home")
    turned(me, 0)
    assert page.locator("#trick .two").count() == 0
    page.locator("#strip a").nth(9).click()
    turned(me, 10)
    assert page.locator("#strip [aria-current]").inner_text().split()[0] == "10"


def test_focus_stays_on_the_link_that_turns_tricks(sit: Open) -> None:
    """Enter on the same link goes on; a screen reader is told the trick."""
    me = sit()
    me.go(review_of(me))
    me.page.focus("[data-go=next]")

    for number in (2, 3, 4):
        me.page.keyboard.press("Enter")
        turned(me, number)

    assert me.page.evaluate("document.activeElement.dataset.go") == "next"
    assert me.page.locator("#said").inner_text().startswith("Baza 4 de 32")


def test_tricks_are_turned_without_a_script(sit: Open) -> None:
    """Plain links."""
    with_script, without = sit(), sit(script=False)
    address = review_of(with_script)
    without.context.add_cookies(with_script.context.cookies())  # type: ignore[arg-type]

    without.go(address)
    for _ in range(3):
        without.page.click("[data-go=next]")

    assert shown(without) == "Baza 4 de 32"
    without.page.click("[data-go=end]")
    assert shown(without) == "Baza 32 de 32"
    assert without.page.locator("#trick .exact").count() == 2


def test_saved_file_is_loaded_and_reviewed(sit: Open, tmp_path: Path) -> None:
    """The record of a game, saved from its menu, chosen on the start page of another browser."""
    me, other = sit(), sit()
    review_of(me)
    me.page.click("#menu > summary")
    with me.page.expect_download() as saving:
        me.page.click("#menu a[download]")
    file = tmp_path / "match.json"
    saving.value.save_as(file)
    assert json.loads(file.read_text("utf-8"))["profile"] == "streak"

    other.go("/es/")
    other.page.set_input_files("#record", str(file))
    other.page.click("form:has(#record) button")
    other.page.wait_for_selector("#trick")

    assert shown(other) == "Baza 1 de 32"
    assert other.page.locator("#strip a").count() == 32
    other.page.click("[data-go=end]")
    turned(other, 32)
    assert other.page.locator("#trick .exact").count() == 2


def test_file_that_is_no_record_is_refused_on_a_page(sit: Open, tmp_path: Path) -> None:
    """With what was expected, and a way back."""
    me = sit()
    file = tmp_path / "notes.json"
    file.write_text("[]", "utf-8")
    me.go("/es/")
    me.page.set_input_files("#record", str(file))

    me.page.click("form:has(#record) button")
    me.page.wait_for_selector("h1:has-text('No se ha podido leer')")

    me.page.click("main a.btn")
    me.page.wait_for_selector("#record")
    me.wrong.clear()  # the browser has reported the 422
