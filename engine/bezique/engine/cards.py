"""Cards: physical cards, as texts and in order.

A `Card` is one physical card: rank, suit and copy, written `QS1`.  Cards that differ
only in their copy are identical to the rules, but each is in exactly one place.

Terms
    pack    every card of the table, in card order: suit by suit, strongest rank first
    face    rank and suit without the copy
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache, total_ordering
from typing import Any

UNKNOWN = "??"
"""How a card whose face is not known is written."""
_made: "dict[tuple[str, str, int], Card]" = {}


@total_ordering
@dataclass(frozen=True, init=False, eq=False, slots=True)
class Card:
    """A physical card, made but once. `str(card)` is its name in the referee protocol.

    Cards are looked up more often than anything else: that each is one object makes it quick.

    >>> Card("K", "S", 1) is Card("K", "S", 1)
    True
    """

    rank: str
    suit: str
    copy: int

    def __new__(cls, rank: str, suit: str, copy: int) -> "Card":  # noqa: PYI034 - there is no other kind
        """Return the card, the one there is if it has been made before."""
        key = rank, suit, copy
        card = _made.get(key)
        if card is None:
            card = object.__new__(cls)
            for name, part in zip(cls.__slots__, key, strict=True):
                object.__setattr__(card, name, part)
            card = _made.setdefault(key, card)
        return card

    def __lt__(self, other: object) -> bool:
        """Return whether a card comes before another by its parts, whatever the card order."""
        return self.parts < other.parts if isinstance(other, Card) else NotImplemented

    def __reduce__(self) -> tuple[Any, ...]:
        """Let copies and pickles be the card itself."""
        return type(self), self.parts

    def __str__(self) -> str:
        """Return rank, suit and copy, or `??` for a card whose face is not known."""
        return f"{self.rank}{self.suit}{self.copy}" if self.known else UNKNOWN

    @property
    def parts(self) -> tuple[str, str, int]:
        """Return rank, suit and copy."""
        return self.rank, self.suit, self.copy

    @property
    def face(self) -> str:
        """Return rank and suit, which identical cards share."""
        return self.rank + self.suit

    @property
    def known(self) -> bool:
        """Return whether the card shows its face (a view holds cards that do not)."""
        return self.copy > 0


@lru_cache(maxsize=256)  # as many as a pack has cards, made anew for every view
def unknown(number: int) -> Card:
    """Return a face-down card; unlike numbers keep the cards of a view apart."""
    return Card("?", "?", -number)


def pack(ranks: Iterable[str], suits: Iterable[str], packs: int) -> tuple[Card, ...]:
    """Return every card once, in card order.

    >>> [str(card) for card in pack("AK", "SH", 1)]
    ['AS1', 'KS1', 'AH1', 'KH1']
    """
    strong_first = tuple(ranks)
    return tuple(
        Card(rank, suit, copy)
        for suit in suits
        for rank in strong_first
        for copy in range(1, packs + 1)
    )
