"""A table for tests: scenes set up by hand, actions in short, matches played by number.

Cards are named as the protocol names them, several in one text: `"KS1 QS1"`.  A scene is
a partial position; low cards that nobody named fill the hands and the stock.
"""

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any

from bezique.engine import (
    Action,
    Card,
    Event,
    Library,
    Position,
    Rules,
    apply,
    checked,
    deal,
    legal,
    read_action,
    read_position,
    refusal,
    shuffled,
    start,
)

LIBRARY = Library()
LONGEST_MATCH = 9000
PROFILES = ("boussac", "cady", "luso", "luso-blind", "luso-four-pack", "streak")


def rules_of(profile: str, **options: bool | int | str) -> Rules:
    """Return the rules of a table."""
    return LIBRARY.rules(profile, options)


def new_hand(rules: Rules, seed: object = 0, dealer: str = "north") -> Position:
    """Return the first hand of a match, dealt."""
    position = start(rules, dealer)
    return apply(position, deal(position, shuffled(rules, seed)))[0]


def scene(
    profile: str = "cady", library: Library = LIBRARY, /, **fields: object
) -> Position:
    """Return a partial position, by default before a declaration of south.

    Args:
        profile: The table.
        library: Where the table's rules are.
        fields: Fields of the protocol's position; `south`, `north`, `south_table`,
            `north_table`, `south_won`, `north_won`, `stock` and `last_trick` are texts
            of cards; `points` and `earlier` are the points of south and north in this
            hand and in earlier ones.
    """
    given: dict[str, Any] = dict(fields)
    names = ("south", "north", "south_table", "north_table", "south_won", "north_won")
    cards = {name: given.pop(name, "").split() for name in (*names, "stock")}
    last = given.pop("last_trick", "").split()
    here, before = given.pop("points", (0, 0)), given.pop("earlier", ())
    phase, turn = given.get("phase", "declare"), given.get("turn", "south")
    led = [given["led"]] if given.get("led") else []
    named = {*(card for group in cards.values() for card in group), *last, *led}
    named.add(given.get("turn_up") or "")
    rules = library.rules(profile, given.get("options", {}))
    low = [str(card) for card in rules.pack if card.rank in "987"]
    spare = iter([name for name in low if name not in named])
    sizes = {seat: len(cards[seat] + cards[f"{seat}_table"]) for seat in rules.seats}
    leader = rules.after(turn) if turn else ""
    for seat in rules.seats if phase in ("lead", "follow", "declare") else ():
        played = int(phase == "follow" and seat == leader)
        cards[seat] += [
            next(spare) for _ in range(max(sizes.values()) - sizes[seat] - played)
        ]
    left = len(cards["stock"]) + (given.get("turn_up") is not None)
    if phase == "declare" or left % 2:
        cards["stock"] += [
            next(spare) for _ in range(2 - left % 2 if left < 2 else left % 2)
        ]
    totals = [sum(result[i] for result in before) + here[i] for i in range(2)]
    written = {
        "profile": profile,
        "options": {},
        "hand": len(before) + 1,
        "phase": phase,
        "turn": turn,
        "dealer": "north",
        "trump": None,
        "turn_up": None,
        "stock": cards["stock"],
        "hidden": {seat: cards[seat] for seat in rules.seats},
        "table": {seat: cards[f"{seat}_table"] for seat in rules.seats},
        "led": None,
        "won": {seat: cards[f"{seat}_won"] for seat in rules.seats},
        "scored": [],
        "pending": [],
        "declared": False,
        "sevens": [],
        "winner_of_last_trick": "south",
        "last_trick": last or None,
        "points": {
            seat: {"hand": here[i], "match": totals[i]}
            for i, seat in enumerate(rules.seats)
        },
        "results": [dict(zip(rules.seats, result, strict=True)) for result in before],
        "revoked": [],
        "barred": [],
        "winner": None,
        "partial": True,
        **given,
    }
    return checked(read_position(library, written))


def scored(*melds: str, seat: str = "south") -> list[dict[str, Any]]:
    """Return melds as a position lists them: `"bezique QS1 JD1"`."""
    parts = [meld.split() for meld in melds]
    return [{"seat": seat, "meld": part[0], "cards": part[1:]} for part in parts]


def action(position: Position, text: str) -> Action:
    """Return an action from words: `"play KS1"`, `"declare bezique QS1 JD1"`, `"draw"`."""
    name, *words = text.split()
    more: dict[str, Any] = {}
    match name:
        case "play":
            more["card"] = words[0]
        case "seven":
            more |= {"card": words[0], "exchange": words[1:] == ["exchange"]}
        case "declare" | "announce":
            more |= {"meld": words[0], "cards": words[1:]}
        case "ruling":
            more |= {"irregularity": words[0], "seat": words[1]}
    return read_action(position, {"do": name, **more})


def do(position: Position, *texts: str, lenient: bool = False) -> Position:
    """Return the position after some actions."""
    for text in texts:
        position, _ = apply(position, action(position, text), lenient=lenient)
    return position


def take(position: Position, lead: str, reply: str) -> Position:
    """Return the position after a draw and a trick: its winner's turn to declare."""
    return do(position, "draw", f"play {lead}", f"play {reply}")


def told(position: Position, text: str, *, lenient: bool = False) -> list[str]:
    """Return what an action pays, in order: `"south 40 bezique"`."""
    _, events = apply(position, action(position, text), lenient=lenient)
    return paid(events)


def paid(events: Iterable[Event]) -> list[str]:
    """Return the points that events tell of, in words."""
    return [
        f"{event.fields['seat']} {event.fields['points']} {event.fields['for']}"
        for event in events
        if event.name == "points"
    ]


def refused(position: Position, text: str, *, lenient: bool = False) -> str | None:
    """Return the clause that refuses an action, or None."""
    found = refusal(position, action(position, text), lenient=lenient)
    return None if found is None else found.clause


def menu(position: Position, of: str = "declare") -> set[str]:
    """Return the legal actions of one name, in words."""
    return {str(item) for item in legal(position) if item.name == of}


def points(position: Position) -> tuple[int, ...]:
    """Return the points of this hand, south's first."""
    return tuple(position.hand_points[seat] for seat in position.rules.seats)


def chosen(seed: object, step: int, number: int) -> int:
    """Return a number below `number` that only seed and step decide."""
    digest = hashlib.sha256(f"{seed} {step}".encode()).digest()
    return int.from_bytes(digest[:6], "big") % number


def walk(
    rules: Rules, seed: int, *, steered: bool = False, hands: int = 99
) -> Iterator[tuple[Position, Action, Position, tuple[Event, ...]]]:
    """Yield every step of a match that a seed decides.

    Args:
        rules: The table.
        seed: Decides deals and choices.
        steered: Whether players declare what they can and keep their good cards.
        hands: How many hands at most.
    """
    position = start(rules, rules.seats[chosen(seed, 0, len(rules.seats))])
    step = 0
    while not position.over and (position.phase != "deal" or position.hand <= hands):
        step += 1
        assert step < LONGEST_MATCH, "the match does not end"
        if position.phase == "deal":
            done = deal(position, shuffled(rules, f"{seed}/{position.hand}"))
        else:
            choices = legal(position)
            if steered:
                choices = _steered(choices, position)
            done = choices[chosen(seed, step, len(choices))]
        after, events = apply(position, done)
        yield position, done, after, events
        position = after


def _steered(choices: tuple[Action, ...], position: Position) -> tuple[Action, ...]:
    """Return the actions of a player who wants points: to show, or to play low cards."""
    last = {action.name for action in choices} - {"draw"}
    showing = tuple(item for item in choices if item.name not in ("draw", "play"))
    if showing:
        return showing
    if "play" in last:
        strength = position.rules.strength
        by_worth = sorted(choices, key=lambda item: strength[card_of(item).rank])
        return tuple(by_worth[: max(2, len(by_worth) // 3)])
    return choices


def card_of(done: Action) -> Card:
    """Return the card that an action plays."""
    card = done.arguments["card"]
    assert isinstance(card, Card)
    return card
