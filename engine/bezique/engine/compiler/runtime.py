"""What compiled code calls: small functions with the meaning the interpreter gives them.

Some need a table's rules; `bezique.engine.compiler.compiled` binds those.
"""

from typing import Any

from bezique.engine.action import Action
from bezique.engine.cards import Card
from bezique.engine.frozen import FrozenDict


def rank_of(card: Card | None) -> str | None:
    """Return a card's rank, or None for no card."""
    return None if card is None else card.rank


def suit_of(card: Card | None) -> str | None:
    """Return a card's suit, or None for no card."""
    return None if card is None else card.suit


def ordered(one: Any, sign: str, two: Any) -> bool:  # noqa: ANN401
    """Return whether an order holds; it does not where a side is absent."""
    if one is None or two is None:
        return False
    return bool(
        one < two
        if sign == "<"
        else one <= two
        if sign == "<="
        else one > two
        if sign == ">"
        else one >= two
    )


def divided(one: int, two: int) -> int:
    """Return the whole quotient; a division by nothing gives nothing."""
    return one // two if two else 0


def remainder(one: int, two: int) -> int:
    """Return the remainder; a division by nothing gives nothing."""
    return one % two if two else 0


def zone(at: Any, name: str, seat: str | None) -> frozenset[Card]:  # noqa: ANN401
    """Return a seat's cards in a zone; nobody has none."""
    if seat is None:
        return frozenset()
    cards: frozenset[Card] = (
        at.held(seat) if name == "held" else getattr(at, name)[seat]
    )
    return cards


def leader(at: Any) -> str | None:  # noqa: ANN401
    """Return the seat with more points than all others in the match."""
    most = max(at.match_points.values())
    ahead = [seat for seat, points in at.match_points.items() if points == most]
    return ahead[0] if len(ahead) == 1 else None


def face_of(card: Card | None) -> str | None:
    """Return a card's face, or None for no card."""
    return None if card is None else card.rank + card.suit


class Ways(dict[Any, Action]):
    """The actions of one name by what they are done with, each made once.

    >>> ways = Ways("play", ("card",))
    >>> str(ways[Card("K", "S", 1)])
    'play KS1'

    Args:
        name: The name of the actions.
        takes: The names of their parameters; the key is a value for each, alone if one.
    """

    MOST = 1 << 13
    """How many are kept before they are forgotten; a match needs few."""

    def __init__(self, name: str, takes: tuple[str, ...]) -> None:
        super().__init__()
        self.name, self.takes = name, takes

    def __missing__(self, key: Any) -> Action:  # noqa: ANN401
        """Make the action of a key."""
        if len(self) > self.MOST:
            self.clear()
        values = (key,) if len(self.takes) == 1 else key
        arguments = FrozenDict(zip(self.takes, values, strict=True))
        action = self[key] = Action(self.name, arguments)
        return action
