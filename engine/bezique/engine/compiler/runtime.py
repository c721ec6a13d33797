"""What compiled code calls: small functions with the meaning the interpreter gives them.

Some need a table's rules; `bezique.engine.compiler.compiled` binds those.
"""

from collections.abc import Iterable, Iterator
from itertools import chain, combinations, product
from typing import Any, TypeAlias

from bezique.engine.cards import Card
from bezique.engine.melds import bindings
from bezique.engine.position import Melded
from bezique.engine.rules import Rules
from bezique.spec.core import Meld

Cards: TypeAlias = Iterable[Card]
Suits: TypeAlias = tuple[str, ...]
Needs: TypeAlias = tuple[tuple[tuple[str, str | None], int], ...]
Faces: TypeAlias = tuple[str, tuple[tuple[str, str], ...]]


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


class Forms:
    """The melds of a table by the faces of their cards.

    Worked out once: for every meld, each way its open suits can be named, with the faces
    (rank and suit; where suits are free, rank and None) it then needs, how many of each.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.ways = {
            name: (meld.size, tuple(self._ways(meld)))
            for name, meld in rules.profile.melds.items()
        }
        self._suits: dict[Faces, tuple[Suits, ...]] = {}

    def _ways(self, meld: Meld) -> Iterator[Needs]:
        for suits in product(self.rules.profile.deck.suits, repeat=len(meld.variables)):
            named = dict(zip(meld.variables, suits, strict=True))
            yield tuple(
                ((part.rank, part.suit or named.get(part.variable or "")), part.count)
                for part in meld.cards
            )

    def among(self, me: str, cards: Cards) -> Iterator[Melded]:
        """Yield every meld that some of the cards make up by their faces, each set once."""
        groups: dict[tuple[str, str | None], list[Card]] = {}
        for card in self.rules.sort(frozenset(cards)):
            rank, suit, _ = card
            groups.setdefault((rank, suit), []).append(card)
            groups.setdefault((rank, None), []).append(card)
        held = {face: len(group) for face, group in groups.items()}
        for name, (size, ways) in self.ways.items():
            seen: set[frozenset[Card]] = set()
            for needs in ways:
                for face, count in needs:
                    if held.get(face, 0) < count:
                        break
                else:
                    parts = [combinations(groups[face], count) for face, count in needs]
                    for chosen in product(*parts):
                        taken = frozenset(chain.from_iterable(chosen))
                        if len(taken) == size and taken not in seen:
                            seen.add(taken)
                            yield Melded(me, name, taken)

    def suits(self, melded: Melded) -> tuple[Suits, ...]:
        """Return the ways to name a meld's open suits so that it takes just these cards."""
        faces = sorted((card.rank, card.suit) for card in melded.cards)
        key: Faces = (melded.meld, tuple(faces))
        if key not in self._suits:
            meld = self.rules.profile.melds[melded.meld]
            found = bindings(self.rules, meld, melded.cards)
            self._suits[key] = tuple(tuple(binding.values()) for binding in found)
        return self._suits[key]
