"""What comes of an action at a table, in words; two tables differ where the words do.

Asked of the interpreter's position, never of a model.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

from bezique.engine.action import Action, Event
from bezique.engine.errors import IllegalActionError
from bezique.engine.evaluate import Meaning
from bezique.engine.moves import apply, refusal
from bezique.engine.position import Position

NOTHING = "nothing"

Events: TypeAlias = tuple[Event, ...]


def legality(
    position: Position, action: Action | None, *, lenient: bool = False
) -> str:
    """Return whether an action is legal, or what refuses it."""
    if action is None:
        return NOTHING
    refused = refusal(position, action, lenient=lenient)
    return "legal" if refused is None else f"refused by {refused.clause}"


def paid(position: Position, action: Action | None, *, lenient: bool = False) -> str:
    """Return the points that an action pays, in words."""
    return _done(position, action, _points, lenient=lenient)


def outcome(position: Position, action: Action | None, *, lenient: bool = False) -> str:
    """Return points and state after an action, in words."""

    def words(after: Position, events: Events) -> str:
        changed = [
            f"{name} {_said(value)}"
            for name, value in after.state.items()
            if value != position.state.get(name)
        ]
        shown = [
            f"{seat} shows {_said(cards)}"
            for seat, cards in after.table.items()
            if cards != position.table[seat]
        ]
        hands = " and ".join(str(len(cards)) for cards in after.hidden.values())
        course = f"then {after.phase}, {hands} cards hidden"
        return "; ".join([_points(after, events), *changed, *shown, course])

    return _done(position, action, words, lenient=lenient)


def told(position: Position, action: Action | None, *, lenient: bool = False) -> str:
    """Return what is told of an action, event by event."""

    def words(_: Position, events: Events) -> str:
        return "; ".join(
            " ".join([event.name, *(f"{name} {_said(value)}" for name, value in event.fields.items())])
            for event in events
        )  # fmt: skip

    return _done(position, action, words, lenient=lenient)


def taker(position: Position, action: Action | None) -> str:
    """Return who takes the trick that a card completes."""

    def words(_: Position, events: Events) -> str:
        # Of the events: after the last trick of a hand nobody is its taker any more.
        took = (event.fields["seat"] for event in events if event.name == "trick")
        return f"{next(took, 'nobody')} takes the trick"

    return _done(position, action, words)


def _done(
    position: Position,
    action: Action | None,
    words: Callable[[Position, Events], str],
    *,
    lenient: bool = False,
) -> str:
    """Return the words for what an action leads to, or what refuses it."""
    if action is None:
        return NOTHING
    try:
        return words(*apply(position, action, lenient=lenient))
    except IllegalActionError as error:
        return f"refused by {error.clause}"


def _points(_: Position, events: Events) -> str:
    paid = [
        f"{event.fields['points']} to {event.fields['seat']} for {event.fields['for']}"
        for event in events
        if event.name == "points"
    ]
    return ", ".join(paid) or "no points"


def _said(value: Any) -> str:
    return (
        " ".join(sorted(map(str, value)))
        if isinstance(value, frozenset | tuple)
        else str(value)
    )


def verdict(position: Position, seat: str) -> str:
    """Return whether the match ends with the hand, and for whom, where a seat acted last."""
    here = Meaning(position, seat)
    for rule in position.rules.profile.verdict:
        if here.holds(rule.test):
            winner = here.value(rule.winner)
            return f"the match ends: {winner or 'a draw'}"
    return "another hand"


def seen(position: Position, zone: str, seat: str) -> str:
    """Return whose cards of a zone a seat sees."""
    here = Meaning(position, seat)
    shown = [
        owner
        for owner in position.rules.seats
        if here.holds(position.rules.profile.views[zone], {"p": seat, "owner": owner})
    ]
    return f"{seat} sees {zone} of {', '.join(shown) or 'nobody'}"
