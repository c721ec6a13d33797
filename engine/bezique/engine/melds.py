"""Melds: which cards make one up by their faces.

Conditions (trumps, reuse, whose turn it is) are another matter; they stand in the rule
file and `bezique.engine.evaluate` asks them.

Terms
    binding     what a meld's open suits stand for: in `K(s) Q(s)`, which suit s is
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations, product

from bezique.engine.cards import Card
from bezique.engine.rules import Rules
from bezique.spec.core import CardPattern, Meld

Binding = Mapping[str, str]


def bindings(
    rules: Rules, meld: Meld, cards: frozenset[Card]
) -> Iterator[dict[str, str]]:
    """Yield every binding under which a meld takes exactly these cards."""
    if len(cards) == meld.size:
        for binding in _all_bindings(rules, meld):
            if _takes(meld, binding, cards):
                yield binding


def candidates(
    rules: Rules, cards: Iterable[Card]
) -> Iterator[tuple[str, frozenset[Card]]]:
    """Yield every meld by name with some of the cards that make it up, each set once."""
    held = rules.sort(frozenset(cards))
    for meld in rules.profile.melds.values():
        seen: set[frozenset[Card]] = set()
        for binding in _all_bindings(rules, meld):
            parts = [
                combinations(
                    [card for card in held if _fits(part, binding, card)], part.count
                )
                for part in meld.cards
            ]
            for chosen in product(*parts):
                taken = frozenset(card for part in chosen for card in part)
                if len(taken) == meld.size and taken not in seen:
                    seen.add(taken)
                    yield meld.name, taken


def _all_bindings(rules: Rules, meld: Meld) -> Iterator[dict[str, str]]:
    for suits in product(rules.profile.deck.suits, repeat=len(meld.variables)):
        yield dict(zip(meld.variables, suits, strict=True))


def _fits(part: CardPattern, binding: Binding, card: Card) -> bool:
    suit = part.suit or binding.get(part.variable or "")
    return card.rank == part.rank and suit in (None, card.suit)


def _takes(meld: Meld, binding: Binding, cards: frozenset[Card]) -> bool:
    """Return whether the cards are exactly those of the pattern, its suits being bound."""
    rest = set(cards)
    # Parts with a suit first: what they leave must fill the parts of any suits.
    for part in sorted(meld.cards, key=_of_any_suit):
        fitting = [card for card in rest if _fits(part, binding, card)]
        if len(fitting) < part.count:
            return False
        rest.difference_update(fitting[: part.count])
    return not rest


def _of_any_suit(part: CardPattern) -> bool:
    return part.suit is None and part.variable is None
