"""Scenes for tests: endings drawn by number, small rule files, what playing a line pays.

A scene is drawn by a seeded generator, so that a failure can be seen again.
"""

import random
from collections.abc import Iterable
from pathlib import Path

from bezique.engine.action import Action
from bezique.engine.cards import Card
from bezique.engine.frozen import FrozenDict
from bezique.engine.library import Library
from bezique.engine.moves import apply, legal
from bezique.engine.position import Position, start
from bezique.engine.rules import Rules, Setting
from bezique.solver.notation import read_ending

LIBRARY = Library()
PROFILES = ("boussac", "cady", "luso", "luso-blind", "luso-four-pack", "streak")

PRINTED = """
    trump: ♣
    north: K♥ K♥ Q♥ K♦ 7♦ K♠ K♠ 8♣
    south: A♥ 10♥ A♦ A♦ K♦ A♠ 10♠ 7♣
"""
"""The printed deal: in the profiles that rank the ten below the ace South ends 70 ahead."""

BOTH_AT_THE_TARGET = """
    trump: none
    north: Q♣ A♠ Q♥
    south: K♣ A♦ J♥
"""
"""With 990 to 1010 of 1000: North must lose points to win the last trick and the match.

Q♣ K♣; South's A♦ takes A♠ along (or J♥ loses to Q♥ and A♠ is high): J♥ Q♥ is North's.
North has 990 + 10 for the last trick, South 1010 + 20: both at the target, and the winner
of the last trick wins the match (D3.52).  Led first, A♠ wins 10 and South keeps A♦ and K♣.
"""


def rules_of(profile: str, **options: bool | int | str) -> Rules:
    """Return the rules of a table."""
    return LIBRARY.rules(profile, options)


def drawn(rules: Rules, cards: int, chance: random.Random) -> Position:
    """Return an ending with so many cards, trumps and the player to move drawn too."""
    pack = chance.sample(rules.pack, 2 * cards)
    suits = (*rules.profile.deck.suits, None)
    state = {**start(rules, "south").state, "trump": chance.choice(suits)}
    hands = {"south": frozenset(pack[:cards]), "north": frozenset(pack[cards:])}
    return start(rules, chance.choice(rules.seats)).changed(
        phase="lead",
        turn=chance.choice(rules.seats),
        hidden=FrozenDict(hands),
        state=FrozenDict(state),
        partial=True,
    )


def half_played(position: Position, chance: random.Random) -> Position:
    """Return an ending after a card led to it, or as it is."""
    return apply(position, chance.choice(legal(position)))[0]


def with_points(position: Position, points: dict[str, int], hand: int = 1) -> Position:
    """Return a position with other totals; in a second hand half of them are older."""
    old = {seat: points[seat] // 2 if hand > 1 else 0 for seat in points}
    return position.changed(
        hand=hand,
        match_points=FrozenDict(points),
        hand_points=FrozenDict({seat: points[seat] - old[seat] for seat in points}),
        results=(FrozenDict(old),) * (hand - 1),
    )


def ending(text: str, profile: str = "streak", **options: Setting) -> Position:
    """Return the ending that a text describes."""
    return read_ending(text, profile, options)


def cards(position: Position, text: str) -> tuple[Card, ...]:
    """Return cards by their names in the protocol."""
    return tuple(position.rules.cards[name] for name in text.split())


def play(card: Card) -> Action:
    """Return the action that plays a card."""
    return Action("play", FrozenDict({"card": card}))


def paid(position: Position, line: Iterable[Card]) -> int:
    """Return what a line pays the player to move more than the other, by the reference interpreter."""
    me = str(position.turn)
    other = position.rules.after(me)
    nothing = dict.fromkeys(position.rules.seats, frozenset[Card]())
    at = position.changed(won=FrozenDict(nothing))
    for card in line:
        at, _ = apply(at, play(card))
    assert at.phase not in ("lead", "follow")
    mine, theirs = (
        at.match_points[seat] - position.match_points[seat] for seat in (me, other)
    )
    return mine - theirs


def changed_rules(folder: Path, text: str) -> Rules:
    """Return the rules of a file that changes a few lines of a profile."""
    file = folder / "mine.yaml"
    file.write_text("profile: mine\n" + text, encoding="utf-8")
    return Library([file]).rules("mine")
