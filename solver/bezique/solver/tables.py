"""Tables: what the strict tricks come to, in small whole numbers.

From here on nothing of the game is left but numbers: a face is its place in card order, and
for every two faces there is a code that says all the rules say about them.

Terms
    code      of a face `d` against a led face `c`: bit 0, `d` beats `c`; bit k, `d` is in the
              k-th set of the follower's duty (the last set, which holds every card, has none)
    place     the order of a hand: faces of ruling suits last, otherwise as in card order
    ruling    of a suit that beats another suit
    ending    two hands of as many cards, the leader's first, and perhaps the card led
    margin    what the player to move gains from now on less what the other gains
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from bezique.engine.cards import Card
from bezique.engine.position import Position
from bezique.solver.errors import BadEndingError, StockOpenError, TooManyCardsError
from bezique.solver.strict import BeyondTablesError, Strict

MOST_CARDS = 10


@dataclass(frozen=True, eq=False)
class Tables:
    """What the strict tricks of some rules come to, by face.

    Attributes:
        names: The faces, in card order; a face is its place here.
        codes: `codes[c][d]` is the code of `d` against a led `c`.
        sets: How many sets the duty has, the last included.
        place: The order of each face in a hand.
        worth: What each face pays to the seat that takes its trick.
        ruling: Whether each face is of a ruling suit.
        last: Points for the last trick.
    """

    names: tuple[str, ...]
    codes: tuple[tuple[int, ...], ...]
    sets: int
    place: tuple[int, ...]
    worth: tuple[int, ...]
    ruling: tuple[bool, ...]
    last: int


@lru_cache(maxsize=64)
def tables(strict: Strict) -> Tables:
    """Return the tables of some strict tricks.

    Raises:
        BeyondTablesError: Identical cards are worth unlike amounts, or less than nothing.
    """
    if strict.last < 0:
        message = "the last trick is worth less than nothing"
        raise BeyondTablesError(message)
    names = tuple(strict.index)
    worths: dict[str, set[int]] = {name: set() for name in names}
    for card in strict.rules.pack:
        worths[card.face].add(strict.worth(card))
    for name, amounts in worths.items():
        if min(amounts) < 0:
            message = f"a card {name} is worth less than nothing"
            raise BeyondTablesError(message)
        if len(amounts) != 1:
            message = f"the cards {name} are worth unlike amounts"
            raise BeyondTablesError(message)
    everything = range(len(names))
    codes = tuple(
        tuple(
            strict.beats[led][face] | sum(rows[led][face] << (1 + number) for number, rows in enumerate(strict.sets[:-1]))
            for face in everything
        )
        for led in everything
    )  # fmt: skip
    ordered = sorted(everything, key=lambda face: (strict.ruling[face], face))
    return Tables(
        names=names,
        codes=codes,
        sets=len(strict.sets),
        place=tuple(ordered.index(face) for face in everything),
        worth=tuple(worths[name].pop() for name in names),
        ruling=strict.ruling,
        last=strict.last,
    )


class Ending(NamedTuple):
    """Two hands in the order of the tables, the leader's first.

    Attributes:
        tables: What the rules say of their faces.
        faces: The faces of the leader (the card led among them) and of the other seat.
        led: The place in the leader's hand of the card led, or None.
        hands: The cards, where it matters which of identical ones they are.
    """

    tables: Tables
    faces: tuple[tuple[int, ...], tuple[int, ...]]
    led: int | None
    hands: tuple[tuple[Card, ...], ...] = ()

    @property
    def points(self) -> int:
        """Return everything that the tricks of this ending pay."""
        worth = self.tables.worth
        return (
            sum(worth[face] for hand in self.faces for face in hand) + self.tables.last
        )


def closed(position: Position) -> Position:
    """Return the position itself when it is an ending.

    Raises:
        StockOpenError: Cards are still to be drawn.
        BadEndingError: Nobody is to play a card, or the hands are not of one size.
        TooManyCardsError: The hands are larger than can be searched.
    """
    if position.phase not in ("lead", "follow"):
        raise BadEndingError(
            where="phase", expected="lead or follow", got=position.phase
        )
    if position.left >= len(position.rules.seats):
        raise StockOpenError(position.left)
    for seat in position.rules.seats:
        unknown = sum(not card.known for card in position.held(seat))
        if unknown:
            raise BadEndingError(
                where=f"hand of {seat}",
                expected="cards with known faces",
                got=f"{unknown} unknown",
            )
    leader, other = sides(position)
    sizes = {
        seat: len(position.held(seat)) + (seat == leader) * len(position.trick)
        for seat in (leader, other)
    }
    if sizes[leader] != sizes[other]:
        raise BadEndingError(
            where="hands",
            expected="equal sizes (the card led counted)",
            got=", ".join(f"{seat} {size}" for seat, size in sizes.items()),
        )
    if sizes[leader] == 0:
        raise BadEndingError(where="hands", expected="cards", got="none")
    if sizes[leader] > MOST_CARDS:
        raise TooManyCardsError(sizes[leader], MOST_CARDS)
    return position


def sides(position: Position) -> tuple[str, str]:
    """Return the seat that leads this trick and the other one."""
    turn = str(position.turn)
    other = position.rules.after(turn)
    return (turn, other) if position.phase == "lead" else (other, turn)


def ending(position: Position, strict: Strict) -> Ending:
    """Return the hands of a position in the order of the tables.

    Args:
        position: One that `closed` lets pass.
        strict: The strict tricks under its rules and state.
    """
    made = tables(strict)

    def in_order(cards: frozenset[Card]) -> tuple[Card, ...]:
        return tuple(
            sorted(
                cards, key=lambda card: (made.place[strict.index[card.face]], card.copy)
            )
        )

    leader, other = sides(position)
    all_of_leader = position.held(leader) | frozenset(position.trick)
    hands = in_order(all_of_leader), in_order(position.held(other))
    one, two = (tuple(strict.index[card.face] for card in hand) for hand in hands)
    led = hands[0].index(position.trick[0]) if position.trick else None
    return Ending(made, (one, two), led, hands)
