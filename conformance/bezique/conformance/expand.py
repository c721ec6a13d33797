"""Expanding: from the facts that a case gives to a full position of the protocol.

What a case leaves out is filled in:

    phase                  `follow` when a card is led, else `lead`
    turn                   south
    dealer                 north
    stock                  as a number, so many low cards; left out, two in phase `declare` (one
                           and the turned-up card), none in the others
    hands                  a hand that is shorter than the other gets low cards; where a referee
                           records a table, only one that is not given at all
    winner_of_last_trick   the seat that leads or declares
    hand                   one more than the results
    points                 0; the match's are those of the results and the hand together

The position is partial: cards that are nowhere are out of play.
"""

from typing import Any

from bezique.conformance.case import Facts, Seat
from bezique.conformance.words import CaseError, Json, card, cards, fillers, melded
from bezique.engine.rules import Rules

SEATS: tuple[Seat, ...] = ("south", "north")
OTHER = {"south": "north", "north": "south"}
RARE = ("taken", "late")
"""Sets of cards that only a table with another reading remembers."""


def position(facts: Facts, rules: Rules, *, level: bool = True) -> Json:
    """Return the position that a case gives.

    Args:
        facts: What the case gives.
        rules: The rules it is played under.
        level: Whether a named hand that is the shorter gets cards too.

    Raises:
        CaseError: It cannot be read.
    """
    phase = facts.phase or ("follow" if facts.led else "lead")
    turn = facts.turn or "south"
    results = [dict(result) for result in facts.results or ()]
    points = {seat: (facts.points or {}).get(seat, 0) for seat in SEATS}
    before = {seat: sum(result[seat] for result in results) for seat in SEATS}
    leader = OTHER[turn] if phase == "follow" else turn if turn in SEATS else None
    written: Json = {
        "profile": rules.profile.name,
        "options": dict(rules.given),
        "hand": facts.hand or len(results) + 1,
        "phase": phase,
        "turn": None if phase == "over" else "chance" if phase == "deal" else turn,
        "dealer": facts.dealer or "north",
        "trump": facts.trump,
        "turn_up": card(facts.turn_up) if facts.turn_up else None,
        "led": card(facts.led) if facts.led else None,
        "won": {seat: cards((facts.won or {}).get(seat, "")) for seat in SEATS},
        "scored": [melded(text) for text in facts.scored or ()],
        "pending": [melded(text) for text in facts.pending or ()],
        "declared": bool(facts.declared),
        "sevens": cards(facts.sevens or ""),
        "winner_of_last_trick": None
        if phase == "deal"
        else facts.winner_of_last_trick or leader,
        "last_trick": cards(facts.last_trick) if facts.last_trick else None,
        "points": {
            seat: {"hand": points[seat], "match": before[seat] + points[seat]}
            for seat in SEATS
        },
        "results": results,
        "revoked": list(facts.revoked or ()),
        "barred": list(facts.barred or ()),
        "winner": facts.winner,
        "partial": phase != "deal",
    }
    # What only some tables remember is written where there is something to remember.
    written |= {name: cards(text) for name in RARE if (text := getattr(facts, name))}
    return written | _hands(facts, rules, written, level=level)


def named(facts: Facts) -> Json:
    """Return the facts that a case expects, in the protocol's words, sets sorted."""
    given: dict[str, Any] = {
        name: getattr(facts, name) for name in facts.model_fields_set
    }
    expected: Json = {}
    for name, value in given.items():
        if name in SEATS:
            hidden, table = _halves(value)
            expected[f"hidden.{name}"], expected[f"table.{name}"] = (
                sorted(hidden),
                sorted(table),
            )
        elif name in ("turn_up", "led"):
            expected[name] = card(value) if value else None
        elif name == "won":
            expected |= {
                f"won.{seat}": sorted(cards(text)) for seat, text in value.items()
            }
        elif name in ("scored", "pending"):
            expected[name] = [_sorted(melded(text)) for text in value]
        elif name in ("sevens", *RARE):
            expected[name] = sorted(cards(value))
        elif name == "last_trick":
            expected[name] = cards(value) if value is not None else None
        elif name == "points":
            expected |= {
                f"points.{seat}.hand": number for seat, number in value.items()
            }
        elif name == "results":
            expected[name] = [dict(result) for result in value]
        elif name == "stock":
            expected |= (
                {"stock": cards(value)}
                if isinstance(value, str)
                else {"stock.number": value}
            )
        else:
            expected[name] = sorted(value) if isinstance(value, tuple) else value
    return expected


def facts_of(written: Json, names: Json) -> Json:
    """Return the like-named facts of a position that a target gave, sets sorted."""
    found: Json = {}
    for name in names:
        if name == "stock.number":
            found[name] = len(written["stock"])
            continue
        value: Any = written
        for part in name.split("."):
            value = value.get(part) if isinstance(value, dict) else None
        if name.startswith(("hidden", "table", "won")) or name in (
            "sevens",
            *RARE,
            "revoked",
            "barred",
        ):
            value = sorted(value or [])
        elif name in ("scored", "pending"):
            value = [_sorted(item) for item in value]
        found[name] = value
    return found


def _sorted(item: Json) -> Json:
    return {**item, "cards": sorted(item["cards"])}


def _halves(text: str | None) -> tuple[list[str], list[str]]:
    hidden, _, table = (text or "").partition("|")
    return cards(hidden), cards(table)


def _hands(facts: Facts, rules: Rules, written: Json, *, level: bool) -> Json:
    hidden: dict[str, list[str]] = {}
    table: dict[str, list[str]] = {}
    for seat in SEATS:
        hidden[seat], table[seat] = _halves(getattr(facts, seat))
    phase, turn = written["phase"], written["turn"]
    stock = facts.stock
    if stock is None:
        stock = (1 if written["turn_up"] else 2) if phase == "declare" else 0
    listed = cards(stock) if isinstance(stock, str) else []
    won = written["won"]
    everywhere = [
        *listed, *hidden["south"], *hidden["north"], *table["south"], *table["north"],
        *won["south"], *won["north"], *filter(None, (written["turn_up"], written["led"])),
    ]  # fmt: skip
    for text in everywhere:
        if text not in rules.cards:
            raise CaseError(text, expected=f"a card of {rules.profile.name}")
    # Melds that are remembered keep their cards out of the fillers too.
    remembered = [
        text
        for item in (*written["scored"], *written["pending"])
        for text in item["cards"]
    ]
    used = {
        *everywhere,
        *remembered,
        *written["sevens"],
        *(written["last_trick"] or []),
    }
    rest = [text for text in fillers(rules, written["trump"]) if text not in used]
    if phase in ("lead", "follow", "declare"):
        sizes: dict[str, int] = {
            seat: len(hidden[seat]) + len(table[seat]) for seat in SEATS
        }
        if phase == "follow":
            sizes[OTHER[turn]] += 1
        for seat in SEATS:
            if not level and getattr(facts, seat) is not None:
                continue
            for _ in range(max(sizes.values()) - sizes[seat]):
                hidden[seat].append(rest.pop(0))
    if isinstance(stock, int):
        listed = [rest.pop(0) for _ in range(stock)]
    return {"hidden": hidden, "table": table, "stock": listed}
