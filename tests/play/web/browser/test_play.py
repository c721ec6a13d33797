"""Play: matches and hands in a real browser, by mouse, by keyboard and without a script."""

import re
from datetime import datetime, timedelta

import pytest
from playwright.sync_api import Browser

from tests.play.web.browser.conftest import CORNER, PHONE, Open, Player

pytestmark = pytest.mark.long

OTHERS = ["cady", "boussac", "luso", "luso-blind", "luso-four-pack"]
HANDS_MOST = 2


def test_whole_match_of_the_streak_is_played_by_mouse(sit: Open) -> None:
    """Cards are played by a tap (D0.07); a match ends with a winner, and another begins (D0.27-31)."""
    me = sit()
    me.begin("streak")
    assert me.page.locator("#stats").inner_text().split() == [
        "Racha",
        "0",
        "Mejor",
        "–",  # noqa: RUF001
        "Nivel",
    ]

    me.until(lambda player: player.phase == "over")

    won = me.page.get_attribute(".result", "data-winner") == "me"
    score = me.page.locator(".result dl").inner_text()
    assert re.search(r"1\.\d{4}" if won else r"0\.0000", score)
    assert int(me.page.locator(".sheet caption").inner_text().split()[-1]) <= HANDS_MOST
    best = me.page.locator(".result dd").last.inner_text()
    assert me.page.locator("#stats dd").nth(1).inner_text() == best
    assert me.page.locator(".trophy .card").count() >= 2  # a meld, or the last trick
    me.step(0)
    assert me.phase == "deal"


@pytest.mark.parametrize("profile", OTHERS)
def test_hand_of_each_other_table_is_played_on_a_phone(sit: Open, profile: str) -> None:
    """A hand ends with its sheet, and nothing is wider than the phone."""
    me = sit(phone=True)
    me.begin(profile)
    widths = set()

    def over(player: object) -> bool:
        del player
        widths.add(me.page.evaluate("document.documentElement.scrollWidth"))
        return me.page.locator(".sheet tfoot").count() > 0

    me.until(over)

    assert widths == {390}
    assert me.page.locator(".sheet tbody tr").count() > 0


def test_hand_is_played_by_keyboard_alone(sit: Open) -> None:
    """Tab reaches the table; digits, arrows, Enter and D play a hand, and focus stays in it."""
    me = sit()
    me.go("/es/")
    me.page.focus("#new-streak button.main")
    me.page.keyboard.press("Enter")
    me.page.wait_for_selector("main.board")
    keys = me.page.keyboard

    for number in range(200):
        if me.page.locator(".sheet tfoot").count():
            break
        seq = me.seq
        if (
            me.phase in ("deal", "declare")
            and not me.page.locator("#opts button").count()
        ):
            keys.press("d")
        elif me.phase == "declare":
            keys.press("1")
        elif number % 2:
            allowed = me.page.evaluate(
                """() => [...document.querySelectorAll("#hand button.card")].findIndex((card) => card.name)"""
            )
            keys.press(str((allowed + 1) % 10))
        else:
            keys.press("ArrowRight")
            while me.page.evaluate("document.activeElement.name") != "move":
                keys.press("ArrowRight")
            keys.press("Enter")
        me.settle(seq)
        where = "document.activeElement.closest('main.board') !== null"
        assert number == 0 or me.page.evaluate(where), (
            f"focus is lost in phase {me.phase}"
        )

    assert me.page.locator(".sheet tfoot").count()


def test_hand_is_played_without_a_script(sit: Open) -> None:
    """Every action is a form: the page is painted by the server after each."""
    me = sit(script=False)
    me.begin("streak")
    page = me.page

    for number in range(200):
        if page.locator(".sheet tfoot").count():
            break
        if me.phase == "deal":
            page.click("#between [data-default]")
        elif me.phase == "declare":
            page.locator("#side button[name=move]").first.click()
        else:
            cards = page.locator("#hand button[name=move]")
            cards.nth(number % cards.count()).click(position=CORNER)

    assert page.locator(".sheet tfoot").count()
    assert (
        page.locator("[data-open]:visible").count() == 0
    )  # nothing that needs the script


def test_card_that_may_not_be_played_is_dark_lower_and_says_why(sit: Open) -> None:
    """In the last tricks a click on such a card tells the reason and plays nothing (D0.09)."""
    me = sit()
    me.begin("streak")
    me.until(lambda player: player.page.locator("#hand .no").count() > 0)
    page, seq = me.page, me.seq
    dark, light = (
        page.locator("#hand .no").first,
        page.locator("#hand button[name=move]").first,
    )
    dark_box, light_box = dark.bounding_box(), light.bounding_box()

    dark.click(position={"x": 8, "y": 30}, force=True)

    assert dark_box
    assert light_box
    assert dark_box["y"] > light_box["y"]
    assert page.locator("#line").inner_text() == dark.get_attribute("data-reason")
    assert me.seq == seq


def test_table_of_declarations_opens_at_any_time(sit: Open) -> None:
    """★ shows all declarations with their points, and Escape leads back (D0.10, D0.21)."""
    me = sit()
    me.begin("streak")

    me.page.click(".top a[data-dialog]")
    me.page.wait_for_selector("#dlg .meld-list")

    points = me.page.locator("#dlg .meld-list .p").all_inner_texts()
    assert sorted(map(int, points)) == [20, 40, 40, 40, 60, 80, 100, 250, 500]
    me.page.keyboard.press("Escape")
    assert not me.page.locator("#dlg[open]").count()


def test_finished_trick_stays_until_the_player_goes_on(sit: Open) -> None:
    """At the slow speed nothing hides a finished trick but the player's tap."""
    me = sit(speed="slow")
    me.begin("streak")
    page = me.page
    page.click("#between [data-default]")
    page.wait_for_selector("#hand")
    for _ in range(60):
        seq = me.seq
        if me.phase == "declare":
            page.click(".skip")
            me.settle(seq)
            continue
        page.locator("#hand button[name=move]").first.click(position={"x": 8, "y": 20})
        page.wait_for_selector(".go-on, [data-phase=declare]:not([data-busy])")
        if page.locator(".go-on").count():
            break

    page.wait_for_timeout(1200)

    assert page.locator("#oval .card").count() == 2
    assert page.locator("#oval .win").count() == 1
    page.click("#oval")
    me.settle(seq)
    assert page.locator(".go-on").count() == 0


def test_hand_is_sorted_as_the_player_likes(sit: Open) -> None:
    """By suit, by rank, and in an own order that Shift and an arrow change."""
    me = sit()
    me.begin("streak")
    me.step(0)
    page = me.page

    def ids() -> list[str]:
        cards = page.locator("#hand button.card").all()
        return [card.get_attribute("data-card") or "" for card in cards]

    by_suit = ids()
    suits = [card[1] for card in by_suit]
    page.click(".sorts [value=rank]")
    page.wait_for_selector("#hand[data-sort=rank]")
    ranks = [card[0] for card in ids()]
    page.keyboard.press("s")
    page.wait_for_selector("#hand[data-sort=own]")
    before = ids()
    page.locator("#hand button.card").first.focus()
    page.keyboard.press("Shift+ArrowRight")

    assert [suit for n, suit in enumerate(suits) if suits.index(suit) == n] == sorted(
        set(suits), key="SHCD".index
    )
    assert ranks == sorted(ranks, key="ATKQJ987".index)
    assert ids() == [before[1], before[0], *before[2:]]
    page.reload()
    assert ids() == [before[1], before[0], *before[2:]]


def test_card_is_pulled_to_its_place_in_the_own_order(sit: Open) -> None:
    """With the mouse; it is not played by that, and a plain click still plays it."""
    me = sit()
    me.begin("streak", mode="practice", level="1")
    me.step(0)
    page, mouse, seq = me.page, me.page.mouse, me.seq
    page.click(".sorts [value=own]")
    page.wait_for_selector("#hand[data-sort=own]")
    cards = page.locator("#hand button.card")
    before = [card.get_attribute("data-card") for card in cards.all()]
    boxes = [card.bounding_box() for card in cards.all()]
    first, third = boxes[0], boxes[2]
    assert first
    assert third

    mouse.move(first["x"] + 9, first["y"] + 30)
    mouse.down()
    mouse.move(third["x"] + 14, first["y"] + 24, steps=4)
    mouse.up()
    after = [card.get_attribute("data-card") for card in cards.all()]

    assert after == [before[1], before[2], before[0], *before[3:]]
    assert me.seq == seq
    cards.first.click(position=CORNER)
    me.settle(seq)
    assert before[1] not in [card.get_attribute("data-card") for card in cards.all()]


def test_card_is_pulled_by_a_finger_and_a_key_then_plays(
    chromium: Browser, server: str
) -> None:
    """No click follows that finger, so that the next one is a play; a second finger moves nothing."""
    context = chromium.new_context(
        viewport=PHONE,  # type: ignore[arg-type]
        has_touch=True,
        reduced_motion="reduce",
    )
    me = Player(context, server)
    me.begin("streak", mode="practice", level="1")
    me.step(0)
    page, seq, fingers = me.page, me.seq, context.new_cdp_session(me.page)
    page.click(".sorts [value=own]")
    page.wait_for_selector("#hand[data-sort=own]")
    cards = page.locator("#hand button.card")
    before = [card.get_attribute("data-card") for card in cards.all()]
    first, third, sixth = (
        cards.nth(n).evaluate("(card) => card.getBoundingClientRect().toJSON()")
        for n in (0, 2, 5)
    )

    def touch(kind: str, *places: float) -> None:
        points = [
            {"x": x + 9, "y": first["y"] + 30, "id": n} for n, x in enumerate(places)
        ]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", first["x"])
    touch("touchMove", first["x"] + 20)
    touch("touchStart", first["x"] + 20, sixth["x"])
    touch("touchMove", first["x"] + 40, sixth["x"] + 60)
    touch("touchMove", third["x"] + 5, sixth["x"] + 60)
    touch("touchEnd")
    after = [card.get_attribute("data-card") for card in cards.all()]

    assert after == [before[1], before[2], before[0], *before[3:]]
    assert page.locator("#hand .pulled").count() == 0
    assert me.seq == seq
    page.keyboard.press("Enter")
    me.settle(seq)
    assert before[0] not in [card.get_attribute("data-card") for card in cards.all()]
    assert me.wrong == []
    context.close()


def test_cards_are_put_in_order_by_taps(sit: Open) -> None:
    """The button says that a tap moves: first which card, then where to; none is played."""
    me = sit(phone=True)
    me.begin("streak", mode="practice", level="1")
    me.step(0)
    page, seq = me.page, me.seq
    page.click(".sorts [value=own]")
    page.wait_for_selector("#hand[data-sort=own]")
    cards = page.locator("#hand button.card")
    before = [card.get_attribute("data-card") for card in cards.all()]

    page.click("#arrange")
    cards.nth(3).click(position=CORNER)
    cards.nth(0).click(position=CORNER)
    page.click("#arrange")

    after = [card.get_attribute("data-card") for card in cards.all()]
    assert after == [before[3], *before[:3], *before[4:]]
    assert me.seq == seq


def test_time_of_a_match_is_told_where_the_player_is(
    chromium: Browser, server: str
) -> None:
    """In the player's own time with a script, with the name of the time it is without."""
    told = {}
    for script in (True, False):
        context = chromium.new_context(
            timezone_id="Asia/Kolkata", java_script_enabled=script
        )
        me = Player(context, server)
        me.begin("streak", mode="practice", level="1")
        me.step(0)
        me.page.goto(f"{me.page.url}/resign")
        me.page.click("main .danger")
        me.page.wait_for_selector(".result")
        me.go("/es/history")
        stamp = me.page.get_attribute("time", "datetime") or ""
        told[script] = (stamp, me.page.locator("time").inner_text())
        context.close()

    stamp, text = told[True]
    there = datetime.fromisoformat(stamp) + timedelta(hours=5, minutes=30)
    assert text.endswith(f"{there.hour}:{there.minute:02}")
    assert told[False][1] == f"{told[False][0][:16].replace('T', ' ')} UTC"


def test_commitment_is_checked_in_the_browser(sit: Open) -> None:
    """After the hand the pack is opened, and its fingerprint is found to be the one shown."""
    me = sit()
    me.begin("streak")
    shown = me.page.locator(".sealed code").inner_text().rstrip("…")
    address = me.page.get_attribute(".sealed a", "href") or ""
    me.until(lambda player: player.page.locator(".sheet tfoot").count() > 0)

    me.go(address)
    me.page.click("[data-check]")
    me.page.wait_for_selector("#checked.good")

    assert (me.page.locator("#hash").inner_text()).startswith(shown)


def test_choice_is_taken_back_in_practice_only(sit: Open) -> None:
    """Practice has the button and gives the card back; a streak has none."""
    earnest, practice = sit(), sit()
    earnest.begin("streak")
    practice.begin("streak", mode="practice", level="1")
    practice.step(0)
    hand = practice.page.locator("#hand").inner_html()
    cards = [
        c.get_attribute("data-card") for c in practice.page.locator("#hand .card").all()
    ]

    practice.step(0)
    seq = practice.seq
    practice.page.keyboard.press("u")
    practice.settle(seq)

    assert hand
    assert [
        c.get_attribute("data-card") for c in practice.page.locator("#hand .card").all()
    ] == cards
    assert earnest.page.locator("[data-letter=u]").count() == 0


def test_match_is_claimed_by_mouse(sit: Open) -> None:
    """With a target of one point, after a trick won (D3.48-50)."""
    me = sit()
    me.go("/es/")
    me.page.click("#new-boussac summary")
    me.page.fill("#new-boussac [name='option.target']", "1")
    me.page.click("#new-boussac button.main")
    me.page.wait_for_selector("main.board")
    claim = me.page.locator("#opts button[value=claim]")
    me.until(lambda _: claim.count() > 0)
    seq = me.seq

    claim.click()
    me.settle(seq)

    assert me.phase == "over"
    assert me.page.get_attribute(".result", "data-winner") == "me"


@pytest.mark.parametrize("script", [True, False], ids=["script", "plain"])
def test_match_is_given_up_after_a_question(sit: Open, script: bool) -> None:  # noqa: FBT001
    """The first button asks, the second ends the match; the other leads back."""
    me = sit(script=script)
    me.begin("streak")
    page = me.page
    page.click("#between [data-default]")
    page.wait_for_selector("#hand .card")
    ask = "#menu a[href$='/resign']"
    place = "dialog[open]" if script else "main"

    page.click("#menu > summary")
    page.click(ask)
    page.click(f"{place} a.btn")  # play on
    page.wait_for_selector("#hand .card")
    assert page.locator("dialog[open]").count() == 0
    page.click("#menu > summary")
    page.click(ask)
    page.click(f"{place} .danger")
    page.wait_for_selector(".result")

    assert page.get_attribute(".result", "data-winner") == "machine"
    assert page.locator(".result h2").inner_text() == "Has abandonado la partida."
    assert page.locator(ask).count() == 0
