"""Alike: which legal actions differ for a player, and which only in the copy of a card.

`legal` lists one action for every choice of physical cards.  A person, or an opponent,
does not care which of two identical cards is meant, so long as nothing can ever tell
them apart.

Terms
    marks       where a card lies and every part of the state that lists it
    alike       of two actions: equal but for the copies of cards with equal marks
"""

from collections.abc import Hashable, Iterable
from typing import Any

from bezique.engine.action import Action
from bezique.engine.cards import Card
from bezique.engine.position import Melded, Position


def marks(position: Position, card: Card) -> Hashable:
    """Return all that a position says of a card, but for its copy."""
    lies = tuple(seat for seat in position.rules.seats if card in position.table[seat])
    noted: list[Hashable] = []
    for name, value in position.state.items():
        if isinstance(value, frozenset):
            noted.append((name, card in value))
        elif isinstance(value, tuple):
            melds = [item for item in value if isinstance(item, Melded)]
            noted += [(name, n) for n, item in enumerate(melds) if card in item.cards]
    return card.face, lies, tuple(noted)


def likeness(position: Position, action: Action) -> Hashable:
    """Return a key that is equal for actions that are alike."""

    def key(value: Any) -> Hashable:  # noqa: ANN401
        if isinstance(value, Card):
            return marks(position, value)
        if isinstance(value, Melded):
            cards = sorted((marks(position, card) for card in value.cards), key=repr)
            return value.seat, value.meld, tuple(cards)
        return value  # type: ignore[no-any-return]

    arguments = ((name, key(value)) for name, value in action.arguments.items())
    return action.name, tuple(arguments)


def distinct(position: Position, actions: Iterable[Action]) -> tuple[Action, ...]:
    """Return the first of each kind of alike actions, in order."""
    found: dict[Hashable, Action] = {}
    for action in actions:
        found.setdefault(likeness(position, action), action)
    return tuple(found.values())


def melded_in(action: Action) -> Melded | None:
    """Return the meld that an action speaks of."""
    values = action.arguments.values()
    return next((value for value in values if isinstance(value, Melded)), None)


def card_of(action: Action) -> Card | None:
    """Return the single card that an action speaks of."""
    values = action.arguments.values()
    return next((value for value in values if isinstance(value, Card)), None)


def passes(action: Action) -> bool:
    """Return whether an action speaks of nothing: it only lets the game go on."""
    return not action.arguments
