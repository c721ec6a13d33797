"""Positions: everything there is to know about a match at one moment.

A `Position` is frozen and hashable.  Every card is in exactly one zone.  What a table
remembers besides (trumps, what has scored, what waits) is `state`, whose parts the rule
file declares.

Terms
    hidden, table   the two halves of a hand; `table` are the cards shown in melds
    trick           the cards played to the trick that is not finished
    last_trick      the cards of the last finished trick, in order, until the next is led
    taker           the seat that won it
    left            cards still to be drawn: the stock and the turned-up card
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeAlias

from bezique.engine.cards import Card
from bezique.engine.frozen import FrozenDict
from bezique.engine.rules import Rules

TWO = 2
"""At a table of two the card led is the whole unfinished trick."""
CHANCE = "chance"
DRAW = "draw"


class Melded(NamedTuple):
    """A meld that a seat has declared or announced, with its cards."""

    seat: str
    meld: str
    cards: frozenset[Card]

    def __str__(self) -> str:
        """Return the meld and its cards, sorted by name."""
        return f"{self.meld} {' '.join(sorted(map(str, self.cards)))}"


Value: TypeAlias = (
    bool | int | str | Card | Melded | frozenset[Any] | tuple[Any, ...] | None
)
Score: TypeAlias = FrozenDict[str, int]


class Making:
    """Room for what a draft needs besides its fields; in a position it is empty.

    A draft that is done becomes the position: for that the two need the same slots.
    """

    __slots__ = ("code", "events", "me")


@dataclass(frozen=True, slots=True)
class Position(Making):
    """A match at one moment, as a referee sees it (or, from `view`, as a seat does)."""

    rules: Rules
    hand: int
    phase: str
    turn: str | None
    dealer: str
    stock: tuple[Card, ...]
    turn_up: Card | None
    hidden: FrozenDict[str, frozenset[Card]]
    table: FrozenDict[str, frozenset[Card]]
    trick: tuple[Card, ...]
    won: FrozenDict[str, frozenset[Card]]
    last_trick: tuple[Card, ...]
    taker: str | None
    hand_points: Score
    match_points: Score
    results: tuple[Score, ...]
    winner: str | None
    state: FrozenDict[str, Any]  # of each part a Value of its type
    partial: bool = False

    @property
    def left(self) -> int:
        """Return how many cards are still to be drawn."""
        return len(self.stock) + (self.turn_up is not None)

    @property
    def over(self) -> bool:
        """Return whether the match has ended."""
        return self.phase == "over"

    def held(self, seat: str) -> frozenset[Card]:
        """Return a seat's hand: its hidden cards and those it has on the table."""
        return self.hidden[seat] | self.table[seat]

    def changed(self, **fields: Any) -> "Position":  # noqa: ANN401
        """Return the position with some fields replaced."""
        return replace(self, **fields)


def in_order(rules: Rules, items: Iterable[Any]) -> list[Any]:
    """Return a list as it is, and a set in an order that its members' names do not change.

    Cards come in card order; seats, ranks, suits and melds as the rules list them.
    """
    if not isinstance(items, frozenset):
        return list(items)
    order = rules.name_place

    def key(item: Any) -> Any:  # noqa: ANN401
        if isinstance(item, Card):
            return rules.place.get(item, len(rules.pack)), -item.copy
        if isinstance(item, Melded):
            cards = sorted(map(key, item.cards))
            return order.get(item.seat, 0), order.get(item.meld, 0), cards
        return order.get(item, len(order)), str(item)

    return sorted(items, key=key)


def start(rules: Rules, dealer: str) -> Position:
    """Return a match before its first deal.

    Raises:
        KeyError: `dealer` is no seat.
    """
    if dealer not in rules.seats:
        raise KeyError(dealer)
    nothing: FrozenDict[str, frozenset[Card]] = FrozenDict(
        {seat: frozenset() for seat in rules.seats}
    )
    zero: Score = FrozenDict(dict.fromkeys(rules.seats, 0))
    return Position(
        rules=rules, hand=1, phase="deal", turn=CHANCE, dealer=dealer, stock=(), turn_up=None,
        hidden=nothing, table=nothing, trick=(), won=nothing, last_trick=(), taker=None,
        hand_points=zero, match_points=zero, results=(), winner=None,
        state=FrozenDict({part.name: part.type.empty for part in rules.profile.state}),
    )  # fmt: skip
