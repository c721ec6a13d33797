"""Endings as data: exact answers with their certificates, one JSON object a line.

The first line says what the file is: format and version, rules, seed.  Every other line is
an ending: a position of the referee protocol, its margin, the value of every card, a best
line and the certificate (`bezique.solver.certificate`).  The same seed makes the same file,
whatever made it and with however many processes.

    endings come from a shuffle of the whole pack: the shuffle of "seed/number" deals the
    hands card by card in turn; the suit of the next card is trumps (where no card is turned
    up and its rank is the lowest, there are none); the seats take turns to lead
"""

import json
import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import repeat
from typing import Any

from bezique.engine.cards import Card
from bezique.engine.codec import position_json, read_position
from bezique.engine.dealing import shuffled
from bezique.engine.errors import BeziqueError
from bezique.engine.frozen import FrozenDict
from bezique.engine.library import Library
from bezique.engine.position import Position, start
from bezique.engine.rules import Rules
from bezique.solver import checker, compiled
from bezique.solver.batch import with_suit
from bezique.solver.certificate import certificate
from bezique.solver.endgame import solve

FORMAT = "bezique-endings"
VERSION = 1
CHUNK = 50
Json = dict[str, Any]


class EndingsError(BeziqueError):
    """A data set that cannot be read or does not hold what it says."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a data set is made of.

    Attributes:
        profile: The table.
        seed: What the shuffles come from.
        cards: How many cards each hand has; None: as many as the rules deal.
    """

    profile: str
    seed: int = 0
    cards: int | None = None


def dealt(
    rules: Rules, seed: object, number: int, cards: int | None = None
) -> Position:
    """Return the ending of a seed and a number.

    Raises:
        ValueError: So many cards are not in the pack.
    """
    size = rules.hand_size if cards is None else cards
    seats = rules.seats
    pack = shuffled(rules, f"{seed}/{number}")
    if not 1 <= size * len(seats) < len(pack):
        message = f"cards: expected 1 to {(len(pack) - 1) // len(seats)}, got {size}"
        raise ValueError(message)
    next_card = pack[size * len(seats)]
    none = not rules.turns_up and next_card.rank == rules.profile.deck.ranks[-1]
    hands = {
        seat: frozenset(pack[at : size * len(seats) : len(seats)])
        for at, seat in enumerate(seats)
    }
    bare = start(rules, seats[0]).changed(
        phase="lead",
        turn=seats[number % len(seats)],
        hidden=FrozenDict(hands),
        partial=True,
    )
    return with_suit(bare, None if none else next_card.suit)


def build(number: int, plan: Plan, jobs: int | None = None) -> Iterator[str]:
    """Yield the lines of a data set: the head, then each ending.

    Args:
        number: How many endings.
        plan: What it is made of.
        jobs: How many processes share the work; None: one a core.
    """
    rules = Library().rules(plan.profile)
    head = {
        "format": FORMAT,
        "version": VERSION,
        "profile": plan.profile,
        "rules": {"version": rules.profile.version, "digest": rules.profile.digest},
        "seed": plan.seed,
        "cards": rules.hand_size if plan.cards is None else plan.cards,
        "endings": number,
    }
    yield _line(head)
    chunks = [range(at, min(at + CHUNK, number)) for at in range(0, number, CHUNK)]
    jobs = jobs or os.cpu_count() or 1
    if jobs == 1 or len(chunks) == 1:
        yield from (line for chunk in chunks for line in _lines_of(plan, chunk))
        return
    with ProcessPoolExecutor(jobs) as pool:
        for lines in pool.map(_lines_of, repeat(plan), chunks):
            yield from lines


def check(lines: Iterable[str], every: int = 1) -> int:
    """Replay the certificates of a data set through the reference interpreter.

    Args:
        lines: The lines of a data set.
        every: Check only each so-manieth ending.

    Returns:
        How many were checked.

    Raises:
        EndingsError: A line cannot be read or a certificate is refused; says which and why.
    """
    rows = iter(lines)
    head = _read(next(rows, ""), 1)
    if head.get("format") != FORMAT or head.get("version") != VERSION:
        message = f"line 1: expected {FORMAT} version {VERSION}, got {head.get('format')} version {head.get('version')}"
        raise EndingsError(message)
    library, count, checked = Library(), 0, 0
    for number, row in enumerate(rows, 2):
        count += 1
        if (number - 2) % every:
            continue
        ending = _read(row, number)
        try:
            position = read_position(library, ending["position"])
            checker.check(
                position, ending["margin"], ending["at_least"], ending["at_most"]
            )
        except (KeyError, TypeError, ValueError) as error:
            message = f"line {number}: {type(error).__name__}: {error}"
            raise EndingsError(message) from error
        checked += 1
    if count != head["endings"]:
        message = f"expected {head['endings']} endings, got {count}"
        raise EndingsError(message)
    return checked


def ending_json(position: Position) -> Json:
    """Return an ending with everything that is known of it."""
    solution = solve(position)
    proof = certificate(position, solution)
    return {
        "position": position_json(position),
        "margin": solution.margin,
        "line": _names(solution.line),
        "cards": [
            {"cards": _names(item.cards), "margin": item.margin}
            for item in solution.classes
        ],
        "at_least": proof.at_least,
        "at_most": proof.at_most,
    }


def _lines_of(plan: Plan, numbers: range) -> list[str]:
    compiled.kernel()
    rules = Library().rules(plan.profile)
    made = partial(dealt, rules, plan.seed, cards=plan.cards)
    return [_line(ending_json(made(number=number))) for number in numbers]


def _names(cards: tuple[Card, ...]) -> list[str]:
    return [str(card) for card in cards]


def _line(value: Json) -> str:
    return json.dumps(value, separators=(",", ":"))


def _read(line: str, number: int) -> Json:
    try:
        value = json.loads(line)
    except ValueError as error:
        message = f"line {number}: expected JSON: {error}"
        raise EndingsError(message) from None
    if not isinstance(value, dict):
        message = f"line {number}: expected an object"
        raise EndingsError(message)
    return value
