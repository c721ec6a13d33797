"""Look: nothing is cut off, covered or out of sight; cards move from where they lay."""

import pytest
from playwright.sync_api import Page, ViewportSize

from bezique.play.web.words import LANGUAGES, t
from tests.play.web.browser.conftest import CORNER, DESKTOP, PHONE, Open, Player

pytestmark = pytest.mark.long

SIDEWAYS = {"width": 844, "height": 390}
SHORT = {"width": 360, "height": 640}
SIZES = {"desktop": DESKTOP, "phone": PHONE, "short": SHORT, "sideways": SIDEWAYS}
MANY_CHOICES = 4
WHOLE = """() => {
  const top = (name) => document.querySelector(name).getBoundingClientRect().top;
  const end = Math.min(innerHeight, top(".skip"), top("#dock"));
  return [...document.querySelectorAll("#opts li")].map((one) => one.getBoundingClientRect())
    .filter((box) => box.top >= top("#side") && box.bottom <= end + 1).length;
}"""
"""How many choices are seen whole, above the way on."""
SLOW = 0.05
WATCHED = 3
"""How many cards are watched on their way, before the rest is gone through at once."""
LOOKED = """() => {
  const found = [];
  const seen = (node) => node.checkVisibility() && node.getBoundingClientRect().width > 0;
  const called = (node) => `${node.tagName} ${node.className} ${node.textContent.trim().slice(0, 40)}`;
  const wide = document.documentElement.scrollWidth;
  if (wide > innerWidth) found.push(`the page is ${wide} wide`);
  for (const node of document.querySelectorAll("body *")) {
    if (!seen(node) || node.closest(".sr, .skip-link, .scroll, svg")) continue;
    const box = node.getBoundingClientRect();
    if (box.width < 2) continue; // only heard
    const pressed = node.matches("a, button, select, summary");
    if (pressed && (box.left < -1 || box.right > innerWidth + 1)) found.push(`out of the page: ${called(node)}`);
    const written = [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim());
    const tight = written && getComputedStyle(node).display !== "inline" && !node.matches("select");
    if (tight && node.scrollWidth > node.clientWidth + 1) found.push(`wider than its place: ${called(node)}`);
  }
  const felt = document.querySelector(".felt");
  const cloth = felt?.getBoundingClientRect();
  const parts = [".opp .who", ".fan", ".laid", ".pile", ".oval", ".last .trick", ".bar .who", ".line", ".sorts", ".hand"]
    .flatMap((name) => [...(felt?.querySelectorAll(name) ?? [])]).filter(seen);
  for (const [n, part] of parts.entries()) {
    const a = part.getBoundingClientRect();
    if (a.top < cloth.top - 1 || a.bottom > cloth.bottom + 1 || a.right > cloth.right + 1) found.push(`off the cloth: ${called(part)}`);
    for (const other of parts.slice(n + 1)) {
      const b = other.getBoundingClientRect();
      const over = Math.min(Math.min(a.right, b.right) - Math.max(a.left, b.left), Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));
      if (over > 3) found.push(`${called(part)} covers ${called(other)}`);
    }
  }
  for (const card of document.querySelectorAll(".card")) {
    const [wide, high] = [card.offsetWidth, card.offsetHeight];
    if (seen(card) && Math.abs(high / wide - 1.4) > 0.09) found.push(`a card of ${wide} to ${high}: ${called(card)}`);
  }
  return found;
}"""
"""What is wrong on a page, as far as boxes tell."""


def faults(page: Page, path: str) -> dict[str, list[str]]:
    """Return what is wrong with a page in each size and language."""
    found = {}
    for name, size in SIZES.items():
        page.set_viewport_size(ViewportSize(**size))  # type: ignore[typeddict-item]
        for lang in LANGUAGES:
            page.goto(f"{path.format(lang=lang)}")
            wrong = page.evaluate(LOOKED)
            if wrong:
                found[f"{name} {lang}"] = wrong
    page.set_viewport_size(ViewportSize(**DESKTOP))  # type: ignore[typeddict-item]
    page.goto(path.format(lang="es"))
    return found


def many_choices(me: Player) -> bool:
    """Play low cards and declare nothing, until there is much to declare."""
    url, asked = me.page.url, {"accept": "application/json"}
    table = me.context.request.get(url, headers=asked).json()
    while table["phase"] != "over" and not table["finished"]:
        choices = [item["move"] for item in table["menu"] if not item["pass"]]
        if len(choices) >= MANY_CHOICES and table["other"]["table"]:
            return True
        on = [item["move"] for item in table["menu"] if item["pass"]] or choices
        cards = [card for card in table["mine"]["cards"] if card["move"]]
        cards.sort(key=lambda card: "789JTAQK".index(card["rank"]))
        place = {"dealer": "cut", "deal": "deal"}.get(table["phase"], "moves")
        form = {"seq": str(table["seq"]), "depth": "9"}
        if place == "moves":
            form["move"] = on[0] if on else cards[0]["move"]
        answer = me.context.request.post(f"{url}/{place}", form={**form}, headers=asked)
        assert answer.ok, answer.text()
        table = answer.json()
    return False


@pytest.mark.parametrize(
    ("profile", "mode"), [("streak", "practice"), ("luso-four-pack", "series")]
)
def test_table_is_whole_in_each_size_and_language(
    sit: Open, profile: str, mode: str
) -> None:
    """Each kind of state of a hand once, with the longest words and the most cards."""
    me = sit()
    me.begin(profile, mode=mode, level="1")
    path = me.page.url.replace("/es/", "/{lang}/")
    states: dict[str, dict[str, list[str]]] = {}

    def look(player: Player) -> bool:
        marks = (
            ".felt.strict",
            "#hand .no",
            "#opts",
            ".hand .tb",
            "#laid-machine",
            "#last .card",
            ".sheet",
        )
        name = " ".join(
            [player.phase, *(m for m in marks if player.page.locator(m).count())]
        )
        if name not in states:
            states[name] = faults(player.page, path)
        return player.page.locator(".sheet tfoot").count() > 0

    me.until(look)

    assert {name: found for name, found in states.items() if found} == {}
    assert len(states) > 5


@pytest.mark.parametrize("place", ["", "history", "settings", "games/none"])
def test_pages_are_whole_in_each_size_and_language(sit: Open, place: str) -> None:
    """Start, history, settings, and what is said of a game that is not there."""
    me = sit()

    found = faults(me.page, f"{me.server}/{{lang}}/{place}")

    assert found == {}
    me.wrong.clear()  # the browser has reported the 404


def test_four_choices_are_seen_whole_on_a_phone(sit: Open) -> None:
    """With the machine's melds on the table too, in each language; the hand is not covered."""
    me = sit(phone=True)
    page = me.page
    me.begin("luso-four-pack", mode="practice", level="3")
    for _ in range(5):
        if many_choices(me):
            break
        me.begin("luso-four-pack", mode="practice", level="3")
    page.reload()
    path = page.url.replace("/es/", "/{lang}/")

    seen, covered = [], []
    for size in (PHONE, SHORT):
        page.set_viewport_size(ViewportSize(**size))  # type: ignore[typeddict-item]
        for lang in LANGUAGES:
            page.goto(path.format(lang=lang))
            seen.append(page.evaluate(WHOLE))
            covered.append(
                page.evaluate(
                    "document.querySelector('#hand').getBoundingClientRect().bottom > "
                    "document.querySelector('#side').getBoundingClientRect().top"
                )
            )

    assert min(seen) >= MANY_CHOICES
    assert not any(covered)
    assert faults(page, path) == {}


def test_hand_stays_where_it_is_while_tricks_are_played(sit: Open) -> None:
    """On a phone the first lines of the log push nothing."""
    me = sit(phone=True)
    me.begin("streak")
    me.step(0)
    places = set()

    def look(player: Player) -> bool:
        if player.phase in ("lead", "follow") and not player.strict:
            places.add(
                player.page.evaluate(
                    "document.querySelector('#hand').getBoundingClientRect().top"
                )
            )
        return player.strict

    me.until(look)

    assert len(places) == 1


@pytest.mark.parametrize(
    ("steps", "cards"), [(0, ".spread button"), (1, "#hand button.card")]
)
def test_pointer_below_a_card_does_not_make_it_jump(
    sit: Open, steps: int, cards: str
) -> None:
    """A card rises under the pointer and stays up; from below it nothing rises and falls."""
    me = sit()
    me.begin("streak")
    for number in range(steps):
        me.step(number)
    card = me.page.locator(cards).first
    mouse = me.page.mouse
    mouse.move(5, 5)
    low = card.bounding_box()
    assert low
    x, bottom = low["x"] + 12, low["y"] + low["height"]

    mouse.move(x, bottom - 4)
    raised = card.bounding_box()
    still = card.evaluate("card => card.matches(':hover')")
    mouse.move(5, 5)
    mouse.move(x, bottom + 8)

    assert raised
    assert raised["y"] < low["y"]
    assert still
    assert card.bounding_box() == low


def slowly(me: Player) -> None:
    """Let cards move, so slowly that a test can look at them on their way."""
    me.page.emulate_media(reduced_motion="no-preference")
    session = me.context.new_cdp_session(me.page)
    session.send("Animation.enable")
    session.send("Animation.setPlaybackRate", {"playbackRate": SLOW})


def test_drawn_cards_show_their_backs_until_they_turn_over(sit: Open) -> None:
    """Each card of the deal leaves the stock face down; when all lie, no back is left."""
    me = sit()
    me.begin("streak")
    slowly(me)

    me.page.click("#between [data-default]")
    me.page.wait_for_selector("#hand .cover")

    cards = me.page.locator("#hand button.card").count()
    assert me.page.locator("#hand .cover").count() == cards
    started = me.page.evaluate(
        """() => [...document.querySelectorAll("#hand .cover")].map((back) => {
          const [card, pile] = [back, document.querySelector("#pile .stock")].map((node) => node.getBoundingClientRect());
          return Math.hypot(card.x - pile.x, card.y - pile.y) < pile.width;
        })"""
    )
    assert started[-1]
    me.page.evaluate(
        "document.getAnimations().forEach((one) => one.effect.getComputedTiming().iterations < Infinity && one.finish())"
    )
    me.page.wait_for_function("document.querySelectorAll('.cover').length === 0")


def test_won_trick_is_told_when_both_cards_lie_and_then_slides_away(sit: Open) -> None:
    """The word comes after the second card; the trick moves to the last trick's place."""
    me = sit(speed="slow")
    me.begin("streak")
    me.step(0)
    me.until(lambda player: player.phase == "follow")
    slowly(me)
    seq = me.seq

    me.page.locator("#hand button[name=move]").first.click(position=CORNER)
    me.page.wait_for_function("document.querySelectorAll('#oval .card').length === 2")
    early = me.page.locator("#oval .toast").count()
    above = me.page.evaluate(
        "getComputedStyle([...document.querySelectorAll('#oval .card')].at(-1)).zIndex"
    )
    me.page.evaluate(
        "document.getAnimations().forEach((one) => one.effect.target.closest('#oval, #hand') && one.finish())"
    )
    me.page.wait_for_selector("#oval .toast")
    if me.phase == "follow":
        me.page.click("#oval")
        me.page.wait_for_function(
            "seq => document.querySelector('main.board').dataset.seq !== seq", arg=seq
        )

    assert early == 0
    assert above == "4"
    assert me.page.locator("#last .card").count() in (0, 2)


def test_hand_stays_on_the_cloth_when_its_last_card_is_played(sit: Open) -> None:
    """While the finished trick is held, the card that is then the last is not cut off."""
    me = sit(phone=True, speed="slow")
    me.begin("luso-four-pack")
    page = me.page
    me.until(lambda player: player.phase == "follow")

    page.locator("#hand button[name=move]").last.click(position=CORNER)
    page.wait_for_selector("#oval .toast")

    right = page.evaluate(
        "Math.max(...[...document.querySelectorAll('#hand li .card')].map((card) => card.getBoundingClientRect().right))"
    )
    assert right <= PHONE["width"]


def test_turned_up_card_lies_still_and_is_taken_from_where_it_lies(sit: Open) -> None:
    """It moves with the stock, never of itself; the last draw takes it from there, turning."""
    me = sit(phone=True)
    me.begin("streak")
    me.step(0)
    moved = """() => document.getAnimations().map((one) => one.effect.target)
        .filter((node) => node.matches?.(".tu")).length"""
    slowly(me)
    page = me.page
    done = "document.getAnimations().forEach((one) => one.effect.getComputedTiming().iterations < Infinity && one.finish())"
    turned = None
    for number in range(80):
        count = page.locator("#pile .stock .n")
        if count.count() and count.inner_text() == "2" and me.phase != "declare":
            turned = page.get_attribute("#pile .tu", "data-turned")
        if me.strict:
            break
        assert page.evaluate(moved) == 0
        page.evaluate(done)
        moves = number < WATCHED or turned
        page.emulate_media(reduced_motion="no-preference" if moves else "reduce")
        me.step(number)

    start = page.evaluate(
        """(turned) => document.getAnimations().filter((one) => one.effect.getKeyframes()[0].transform?.includes("rotate(90deg)"))
          .map((one) => one.effect.target.dataset.card ?? one.effect.target.closest("#fan")?.id).filter((name) => [turned, "fan"].includes(name))""",
        turned,
    )

    assert turned
    assert len(start) == 1


def test_no_card_of_the_last_trick_is_blank_on_its_way(sit: Open) -> None:
    """Its faces, larger in the corners than those of the hand, are there before it moves."""
    me = sit()
    me.begin("streak")
    me.step(0)
    me.page.evaluate(
        """() => {
          window.blank = [];
          new MutationObserver(() => {
            for (const image of document.querySelectorAll("#last img")) if (!image.complete) blank.push(image.src);
          }).observe(document.querySelector("main.board"), {childList: true, subtree: true, attributes: true});
        }"""
    )

    for number in range(8):
        me.step(number)

    assert me.page.evaluate("blank") == []


def test_nothing_moves_where_that_is_asked(sit: Open) -> None:
    """With reduced motion a deal and a trick start no animation."""
    me = sit()
    me.begin("streak")
    for number in range(3):
        me.step(number)

        assert me.page.evaluate("document.getAnimations().length") == 0
        assert me.page.locator(".cover").count() == 0


def test_light_and_dark_are_chosen_at_the_table(sit: Open) -> None:
    """The choice holds at once and on the next page; the cloth is dark by day too."""
    me = sit()
    me.page.emulate_media(color_scheme="dark")
    me.begin("streak")
    page = me.page
    ground = "getComputedStyle(document.querySelector('#side')).backgroundImage"
    dark = page.evaluate(ground)
    felt = "getComputedStyle(document.querySelector('.felt')).backgroundImage"
    cloth = page.evaluate(felt)

    page.click("#menu > summary")
    page.click("#menu a[href*=settings]")
    page.check("#dlg [name=scheme][value=light]")
    page.click("#dlg .btn.main")
    page.wait_for_selector("html[data-scheme=light]")

    light = page.evaluate(ground)
    assert light != dark
    assert page.evaluate(felt) == cloth
    page.reload()
    assert page.evaluate(ground) == light


@pytest.mark.parametrize("script", [True, False], ids=["script", "plain"])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_file_is_chosen_in_the_language_of_the_page(
    sit: Open,
    lang: str,
    script: bool,  # noqa: FBT001
) -> None:
    """The browser's own words are not seen; that a file is chosen is, and focus."""
    me = sit(script=script)
    me.go(f"/{lang}/")
    page, pick = me.page, me.page.locator(".pick")
    button, none = t(lang, "Choose a file"), t(lang, "none chosen yet")

    page.focus("#record")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    outline = page.evaluate(
        "parseFloat(getComputedStyle(document.querySelector('.pick .btn')).outlineWidth)"
    )
    before = pick.inner_text().split("\n")
    page.set_input_files(
        "#record",
        {"name": "match.json", "mimeType": "application/json", "buffer": b"{}"},
    )
    after = pick.inner_text().split("\n")

    told = "match.json" if script else f"✓ {t(lang, 'a file is chosen')}"
    assert before == [button, none]
    assert after == [button, told]
    assert outline >= 2
    seen = "getComputedStyle(document.querySelector('#record')).opacity"
    assert page.evaluate(seen) == "0"
