"""Records: a match as its start and its actions, and what replaying them gives.

A position is what replaying gives; a record is all that need be kept of a match.
"""

from dataclasses import dataclass

from bezique.engine.action import Action, Event
from bezique.engine.errors import IllegalActionError
from bezique.engine.moves import apply, legal
from bezique.engine.position import Position, start
from bezique.engine.rules import Rules
from bezique.engine.views import view, witnessed


@dataclass(frozen=True, slots=True)
class Record:
    """The start of a match and what was done, in order.

    `lenient` says that a referee wrote down a table played by people.
    """

    rules: Rules
    dealer: str
    actions: tuple[Action, ...] = ()
    lenient: bool = False

    def then(self, action: Action) -> "Record":
        """Return the record with one more action."""
        return Record(self.rules, self.dealer, (*self.actions, action), self.lenient)


@dataclass(frozen=True, slots=True)
class Step:
    """One action of a record, where it led and what happened.

    `legal` is how many actions were legal before it.
    """

    action: Action
    legal: int
    position: Position
    events: tuple[Event, ...]


class ReplayError(IllegalActionError):
    """An action of a record that the rules refuse; `step` counts from 0."""

    def __init__(self, step: int, error: IllegalActionError) -> None:
        super().__init__(error.action, error.clause, error.why)
        self.step = step
        self.args = (f"step {step}: {error}",)


def replay(record: Record) -> tuple[Step, ...]:
    """Return the steps of a record.

    Raises:
        ReplayError: At the first action that the rules refuse.
    """
    position = start(record.rules, record.dealer)
    steps: list[Step] = []
    for action in record.actions:
        count = len(legal(position))
        position, events = _next(record, position, action, len(steps))
        steps.append(Step(action, count, position, events))
    return tuple(steps)


def final(record: Record) -> Position:
    """Return the position after a record's last action.

    Raises:
        ReplayError: As for `replay`.
    """
    position = start(record.rules, record.dealer)
    for number, action in enumerate(record.actions):
        position, _ = _next(record, position, action, number)
    return position


def _next(
    record: Record, position: Position, action: Action, number: int
) -> tuple[Position, tuple[Event, ...]]:
    try:
        return apply(position, action, lenient=record.lenient)
    except IllegalActionError as error:
        raise ReplayError(number, error) from None


@dataclass(frozen=True, slots=True)
class Seen:
    """What a seat saw of one step: the events it could witness, and its view after them."""

    events: tuple[Event, ...]
    view: Position


def seen_by(record: Record, seat: str) -> tuple[Seen, ...]:
    """Return what a seat has seen, step by step; the whole memory it can have.

    Raises:
        KeyError: `seat` is no seat.
        ReplayError: As for `replay`.
    """
    return tuple(
        Seen(witnessed(step.position, step.events, seat), view(step.position, seat))
        for step in replay(record)
    )
