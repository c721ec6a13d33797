"""Neighbours: beside a situation in which an action is refused, the nearest in which it is not.

Things may differ: a card lies elsewhere, a meld is not on record, another card is played.  In the
nearest none of what differs could have stayed as it was, unless something else gave way.  The
witness of a clause and its neighbour together show what the clause decides.
"""

from collections.abc import Iterator
from typing import Any

import z3

from bezique.engine.action import Action
from bezique.engine.cards import Card
from bezique.engine.frozen import FrozenDict
from bezique.engine.moves import refusal
from bezique.engine.position import Melded, Position
from bezique.engine.status import status
from bezique.solver.proof.difference import Comparison
from bezique.solver.proof.ground import Ground
from bezique.solver.proof.search import smallest
from bezique.solver.proof.situation import Situation, found
from bezique.solver.proof.values import Guard, ListOf, SetOf, alike, both, equal, no
from bezique.solver.proof.witness import PHASES


def neighbour(
    comparison: Comparison, position: Position, action: Action
) -> tuple[Position, Action] | None:
    """Return the nearest situation in which an action of the same name and meld is legal.

    Args:
        comparison: Two tables, of which the first decides what is legal.
        position: Where the action is refused there.
        action: The refused action.

    Returns:
        None where none is found within the limits.
    """
    melds = sum(
        isinstance(item, Melded)
        for part in position.state.values()
        if isinstance(part, tuple)
        for item in part
    )
    others = [phase for phase in PHASES if phase != position.phase]
    for phase in (position.phase, *others):
        for slots in dict.fromkeys((melds, 0, 1)):
            nearest = _on(comparison.ground(phase, slots), position, action)
            if nearest is not None:
                return nearest
    return None


def _on(
    ground: Ground, position: Position, action: Action
) -> tuple[Position, Action] | None:
    rule = ground.tables[0].profile.actions[action.name]
    for arguments in ground.arguments(rule):
        if not all(_alike(arguments[key], value) for key, value in action.arguments.items()):  # fmt: skip
            continue
        apart = [
            *_apart(ground.situation, position),
            *_other_arguments(arguments, action),
        ]
        model = smallest(
            ground.solver(arguments),
            ground.allowed(0, action.name, arguments),
            [],
            (*filter(z3.is_expr, apart), *ground.symbols(arguments)),
        )
        if model is None or isinstance(model, str):
            continue
        near = ground.situation.position(model, ground.tables[0])
        given = {key: found(model, value) for key, value in arguments.items()}
        done = Action(action.name, FrozenDict(given))
        if not status(near) and refusal(near, done) is None:
            return near, done
    return None


def _alike(open_value: Any, value: Any) -> bool:
    """Return whether an open argument may come near a value: the same meld, the same word."""
    if isinstance(value, Melded):
        return bool(open_value.meld == value.meld)
    return isinstance(value, Card) or open_value == value


def _other_arguments(arguments: dict[str, Any], action: Action) -> Iterator[Guard]:
    for key, value in action.arguments.items():
        if isinstance(value, Melded):
            for card, inside in arguments[key].cards.members.items():
                yield no(alike(inside, card in value.cards))
        elif isinstance(value, Card):
            yield no(equal(arguments[key], value))


def _apart(here: Situation, position: Position) -> Iterator[Guard]:
    """Yield for each thing of a position that it is otherwise in an open situation."""
    zones = (
        (here.hidden, position.hidden),
        (here.table, position.table),
        (here.won, position.won),
    )
    for open_zone, zone in zones:
        for seat, cards in open_zone.items():
            for card, inside in cards.members.items():
                yield no(alike(inside, card in zone[seat]))
    for card, inside in here.stock.items:
        yield no(alike(inside, card in position.stock))
    yield no(equal(here.turn_up, position.turn_up))
    yield no(equal(here.dealer, position.dealer))
    yield here.hand > 1
    for seat in here.rules.seats:
        yield no(equal(here.hand_points[seat], position.hand_points[seat]))
        yield no(equal(here.match_points[seat], position.match_points[seat]))
    if len(here.trick) == len(position.trick):
        for open_card, card in zip(here.trick, position.trick, strict=True):
            yield no(equal(open_card, card))
    for name, part in here.state.items():
        value = position.state[name]
        if isinstance(part, ListOf):
            for number, (item, there) in enumerate(part.items):
                kept = number < len(value) and equal(item, value[number])
                yield no(both(there, kept)) if number < len(value) else there
        elif isinstance(part, SetOf):
            for item, inside in part.members.items():
                yield no(alike(inside, item in value))
        else:
            yield no(equal(part, value))
