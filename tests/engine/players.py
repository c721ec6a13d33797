"""Players for tests: whole matches by number, in several styles, also as people play.

A *style* narrows the legal actions; which of the rest is taken only seed and step decide.

Terms
    eager       declares what can be declared and keeps good cards
    patient     announces all it can and scores only what has waited
    modest      eager, but never claims
    lucky       dealt pairs of a bezique and an ace when to lead; keeps the pairs and waits
                until nothing larger can come of them
    growing     dealt as lucky; declares every bezique as soon as it can
    people      random, and in the strict tricks now and then against the rules; some
                hands are dealt a card short, which is mended by a ruling
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import product

from bezique.engine import (
    Action,
    Event,
    Position,
    Rules,
    apply,
    deal,
    legal,
    refusal,
    shuffled,
    start,
)
from bezique.engine.code import Code
from bezique.engine.frozen import FrozenDict
from tests.engine.table import LIBRARY, LONGEST_MATCH, PROFILES, card_of, chosen
from tests.engine.table import _steered as eager

Setting = bool | int | str
Step = tuple[Position, Action, Position, tuple[Event, ...]]
Style = Callable[[tuple[Action, ...], Position], tuple[Action, ...]]
BEZIQUE = ("QS", "JD")
TARGETS = {"target": (1000, 300)}
"""What to try of an option that may be any number."""


def anything(choices: tuple[Action, ...], _: Position) -> tuple[Action, ...]:
    """Return all actions."""
    return choices


def patient(choices: tuple[Action, ...], position: Position) -> tuple[Action, ...]:
    """Return announcements first, then what has waited for a trick; all else is random."""
    waiting = position.state.get("pending", ())
    scoring = tuple(
        item
        for item in choices
        if item.name == "declare" and item.arguments["m"] in waiting
    )
    announcing = tuple(item for item in choices if item.name == "announce")
    others = tuple(item for item in choices if item.name != "declare")
    return announcing or scoring or others or choices


def modest(choices: tuple[Action, ...], position: Position) -> tuple[Action, ...]:
    """Return what an eager player does who never claims."""
    return eager(tuple(c for c in choices if c.name != "claim"), position)


def growing(choices: tuple[Action, ...], position: Position) -> tuple[Action, ...]:
    """Return what declares a bezique, else what keeps the cards of one."""
    declaring = tuple(
        item
        for item in choices
        if item.name == "declare" and item.arguments["m"].meld.endswith("bezique")
    )
    keeping = tuple(
        item
        for item in choices
        if item.name == "draw"
        or (item.name == "play" and card_of(item).face not in BEZIQUE)
    )
    # The best card takes the trick, after which can be declared.
    strength = position.rules.strength
    best = max(
        (strength[card_of(c).rank] for c in keeping if c.name == "play"), default=0
    )
    leading = tuple(
        c for c in keeping if c.name == "play" and strength[card_of(c).rank] == best
    )
    return declaring or leading or keeping or choices


def lucky(choices: tuple[Action, ...], position: Position) -> tuple[Action, ...]:
    """Return what a growing player does who holds out for the largest bezique."""
    kept = [card for card in position.held(position.turn or "") if card.face in BEZIQUE]
    whole = tuple(
        item
        for item in choices
        if item.name != "declare" or len(item.arguments["m"].cards) == len(kept)
    )
    return growing(whole, position)


STYLES: Mapping[str, Style] = {
    "random": anything,
    "eager": eager,
    "patient": patient,
    "modest": modest,
    "people": anything,
    "growing": growing,
    "lucky": lucky,
}


def option_sets(profile: str) -> Iterator[dict[str, Setting]]:
    """Yield every set of a table's options; of free numbers a few stand for all."""
    options = LIBRARY.profile(profile).options
    values = [option.values or TARGETS[option.name] for option in options]
    for picked in product(*values):
        yield dict(zip((option.name for option in options), picked, strict=True))


TABLES = [
    (profile, options) for profile in PROFILES for options in option_sets(profile)
]
"""Every profile with every set of its options."""


def play(
    rules: Rules,
    seed: object,
    style: str = "random",
    *,
    hands: int = 99,
    code: Code | None = None,
) -> Iterator[Step]:
    """Yield every step of a match that a seed and a style decide.

    Args:
        rules: The table.
        seed: Decides deals and choices.
        style: One of `STYLES`.
        hands: How many hands at most.
        code: Who carries out the rules; compiled code unless given.
    """
    position = start(rules, rules.seats[chosen(seed, 0, len(rules.seats))])
    lenient = style == "people"
    step = 0
    while not position.over and (position.phase != "deal" or position.hand <= hands):
        step += 1
        assert step < LONGEST_MATCH, "the match does not end"
        if position.phase == "deal":
            done = deal(position, shuffled(rules, f"{seed}/{position.hand}"))
            if lenient and chosen(seed, step, 3) == 0:
                done = _a_card_short(rules, done)
            if style in ("growing", "lucky"):
                pairs = 2 + chosen(
                    seed, step, max(card.copy for card in rules.pack) - 1
                )
                done = _stacked(position, done, pairs)
        else:
            choices = STYLES[style](legal(position, code=code), position)
            if lenient and chosen(seed, -step, 8) == 0:
                choices = _irregular(position) or choices
            done = choices[chosen(seed, step, len(choices))]
        after, events = apply(position, done, lenient=lenient, code=code)
        yield position, done, after, events
        position = after


def _a_card_short(rules: Rules, done: Action) -> Action:
    """Return the deal with one card of the first seat left on the stock."""
    seat = rules.seats[0]
    *kept, last = done.arguments[seat]
    stock = (*done.arguments["stock"], last)
    given = {**done.arguments, seat: tuple(kept), "stock": stock}
    return Action(done.name, FrozenDict(given))


def _stacked(position: Position, done: Action, pairs: int) -> Action:
    """Return the deal with pairs of a bezique and an ace in the leader's hand."""
    rules = position.rules
    leader = rules.after(position.dealer)
    hands = {seat: list(done.arguments[seat]) for seat in rules.seats}
    stock, turned = list(done.arguments["stock"]), done.arguments["turn_up"]
    wanted = [
        c for c in rules.pack if c.face in BEZIQUE and c.copy <= pairs and c != turned
    ]
    wanted += [c for c in rules.pack if c.rank == "A" and c != turned]
    for place, card in enumerate(wanted[: len(hands[leader])]):
        zone = next(z for z in (*hands.values(), stock) if card in z)
        other = hands[leader][place]
        zone[zone.index(card)], hands[leader][place] = other, card
    given = {seat: tuple(hand) for seat, hand in hands.items()}
    return Action(
        done.name, FrozenDict({**given, "turn_up": turned, "stock": tuple(stock)})
    )


def _irregular(position: Position) -> tuple[Action, ...]:
    """Return what people do at a recorded table that no legal action is."""
    rules = position.rules
    mending = [
        Action("ruling", FrozenDict({"irregularity": "too-few-cards", "seat": seat}))
        for seat in rules.seats
    ]
    found = [item for item in mending if refusal(position, item, lenient=True) is None]
    if position.phase == "follow" and position.left == 0:
        tried = [
            Action("play", FrozenDict({"card": card}))
            for card in rules.sort(position.held(position.turn or ""))
        ]
        found += [item for item in tried if refusal(position, item) is not None]
    return tuple(found)
