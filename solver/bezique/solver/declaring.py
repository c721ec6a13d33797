"""Declaring: the order in which the cards of a hand declare the most over some won tricks.

`best_order` tries every order with the rules themselves, so that whatever a table says of
reuse, growth and hidden cards counts.  `bezique.solver.proof.greatest` finds the same with
Z3's optimiser; tests hold the two together.

Source: D0.35-37, D2.61-66.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from bezique.engine.action import Action
from bezique.engine.cards import Card
from bezique.engine.frozen import FrozenDict
from bezique.engine.moves import apply, legal
from bezique.engine.position import Melded, Position, start
from bezique.engine.rules import Rules
from bezique.spec import core, tree

Ways: TypeAlias = Callable[[Position], Iterable[Action]]


@dataclass(frozen=True)
class Plan:
    """Declarations in order, one a won trick, and the points they bring."""

    points: int
    melds: tuple[Melded, ...]


def scoring_action(rules: Rules) -> core.Action:
    """Return the action that scores a meld.

    Raises:
        LookupError: The table has none.
    """
    for action in rules.profile.actions.values():
        takes = [parameter.type.kind for parameter in action.takes]
        if takes == ["Meld"] and any(
            isinstance(item, tree.Do) and item.effect == "pay" for item in action.do
        ):
            return action
    message = f"no action of {rules.profile.name} scores a meld"
    raise LookupError(message)


def hand_alone(rules: Rules, cards: Iterable[Card], trump: str | None) -> Position:
    """Return a position of which only a hand and the trumps are known: its seat has won a trick.

    Args:
        rules: The table.
        cards: The hand, all hidden.
        trump: What the parts of the state that are suits hold: the trumps, or None yet.
    """
    seat, hand = rules.seats[0], frozenset(cards)
    position = start(rules, rules.seats[-1])
    suits = [part.name for part in rules.profile.state if part.type.kind == "Suit"]
    rest = tuple(card for card in rules.pack if card not in hand)
    return position.changed(
        phase="declare",
        turn=seat,
        taker=seat,
        hidden=FrozenDict({**position.hidden, seat: hand}),
        state=FrozenDict({**position.state, **dict.fromkeys(suits, trump)}),
        stock=rest[: len(rules.seats)],
        partial=True,
    )


def best_order(position: Position, tricks: int, ways: Ways = legal) -> Plan:
    """Return the most that a hand can declare over the next tricks it wins, and the order.

    The hand keeps its cards and gets no others: what it would have to play and what it
    would draw is left out.

    Args:
        position: A position or a view; the seat on turn declares.
        tricks: How many tricks are won, each with one declaration.
        ways: What may be done in a position; fewer ways, such as only those that differ,
            are tried faster.
    """
    rules, seat = position.rules, position.turn
    begun = _trick_won(position.changed(phase="declare", taker=seat, trick=()))
    return _best(begun, scoring_action(rules).name, tricks, ways)


def _best(position: Position, name: str, tricks: int, ways: Ways) -> Plan:
    best = Plan(0, ())
    for step in ways(position) if tricks else ():
        if step.name != name:
            continue
        after, events = apply(position, step)
        points = sum(
            event.fields["points"] for event in events if event.name == "points"
        )
        rest = _best(_trick_won(after), name, tricks - 1, ways)
        if points + rest.points > best.points:
            (melded,) = step.arguments.values()
            best = Plan(points + rest.points, (melded, *rest.melds))
    return best


def _trick_won(position: Position) -> Position:
    """Return the position with another trick won: what lasts for a trick is over."""
    fresh = dict(position.rules.emptied["trick"])
    return position.changed(state=FrozenDict({**position.state, **fresh}))
