"""Tabs: what happens to a game beside the straight way."""

import pytest

from tests.play.web.browser.conftest import CORNER, Open, Player

pytestmark = pytest.mark.long


def seen(me: Player) -> tuple[str, list[str | None]]:
    """Return where the game stands and which cards are in the hand."""
    cards = me.page.locator("#hand .card").all()
    return me.seq, [card.get_attribute("data-card") for card in cards]


def test_reload_shows_the_same_table(sit: Open) -> None:
    """Nothing of the game lives in the page only."""
    me = sit()
    me.begin("streak")
    for number in range(4):
        me.step(number)
    before = seen(me)

    me.page.reload()

    assert seen(me) == before


def test_game_goes_on_after_the_back_button(sit: Open) -> None:
    """Back leads to the start page, which has the game; forward to the table as it stands."""
    me = sit()
    me.begin("streak")
    for number in range(3):
        me.step(number)
    before = seen(me)

    me.page.go_back()
    me.page.reload()
    me.page.click(".games a")
    me.page.wait_for_selector("main.board")

    assert seen(me) == before


def test_second_tab_with_an_old_table_is_told_and_moves_nothing(sit: Open) -> None:
    """A click in a tab that is behind is answered with the table as it is."""
    me = sit()
    me.begin("streak")
    me.step(0)
    address = me.page.url.removeprefix(me.server)
    late = Player(me.context, me.server)
    late.go(address)
    me.until(lambda player: player.phase in ("lead", "follow"))
    me.step(1)
    stands = seen(me)

    late.page.locator("#hand button[name=move]").last.click(position=CORNER)
    late.page.wait_for_selector("#notice")

    assert seen(late) == stands


def test_double_click_plays_one_card(sit: Open) -> None:
    """The second click of a double click does nothing."""
    me = sit()
    me.begin("streak")
    me.step(0)
    seq = me.seq
    me.page.locator("#hand button[name=move]").first.dblclick(position=CORNER)
    me.settle(seq)
    me.page.wait_for_timeout(300)

    told = me.page.evaluate("JSON.parse(document.querySelector('#told').textContent)")
    mine = [
        item for item in told["items"] if item["code"] == "play" and item["by"] == "me"
    ]
    assert len(mine) == 1


def test_another_browser_cannot_see_the_game(sit: Open) -> None:
    """A game is there for the browser that began it only."""
    me, other = sit(), sit()
    me.begin("streak")

    status = other.go(me.page.url.removeprefix(me.server))

    assert status == 404
    assert other.page.locator("main.board").count() == 0


def test_broken_connection_is_told_and_loses_nothing(sit: Open) -> None:
    """A move that does not reach the server leaves the card in the hand."""
    me = sit()
    me.begin("streak")
    me.step(0)
    before = seen(me)
    me.context.set_offline(True)

    me.page.locator("#hand button[name=move]").first.click(position=CORNER)
    me.page.wait_for_function(
        "() => document.querySelector('#line').textContent.includes('servidor')"
    )

    me.context.set_offline(False)
    assert seen(me) == before
    me.wrong.clear()  # the browser has reported the lost connection
    me.step(1)
    assert me.seq != before[0]
