"""Actions and events: what is done, and what is seen to happen.

Which actions there are, and what each takes, stands in the rule file; only `deal` is
the language's own, since chance plays it.  Both are frozen and hashable.

Terms
    private     an event that tells of cards which its own seat alone sees
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bezique.engine.cards import Card
from bezique.engine.frozen import FrozenDict
from bezique.engine.position import Melded, Value

PRIVATE = frozenset({"deal", "draw"})
"""The names of the private events."""


@dataclass(frozen=True, slots=True)
class Action:
    """Something done: its name and its arguments by the names the rules give them.

    >>> str(Action("play", FrozenDict({"card": Card("K", "S", 1)})))
    'play KS1'
    """

    name: str
    arguments: FrozenDict[str, Any] = field(default_factory=FrozenDict)

    def __str__(self) -> str:
        """Return the name and the arguments in words."""
        words = [_word(name, value) for name, value in self.arguments.items()]
        return " ".join([self.name, *filter(None, words)])


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened: its name and what a witness could tell of it.

    >>> Event("draw", FrozenDict({"seat": "south", "card": Card("K", "S", 1)})).owner
    'south'
    """

    name: str
    fields: FrozenDict[str, Any] = field(default_factory=FrozenDict)

    @property
    def owner(self) -> str | None:
        """Return the one seat that sees the event's cards; None where all do."""
        return self.fields["seat"] if self.name in PRIVATE else None


class _Untold:
    """The slots of an event while they can still be set."""

    __slots__ = Event.__slots__


def told(name: str, fields: Mapping[str, Any]) -> Event:
    """Return an event, as `Event` does, past the guards of the frozen class, which takes less time."""
    made: Any = _Untold()
    made.name, made.fields = name, FrozenDict(fields)
    made.__class__ = Event
    event: Event = made
    return event


def _word(name: str, value: Value) -> str:
    """Return an argument in words; what says nothing is empty."""
    if isinstance(value, bool):
        return name if value else ""
    if isinstance(value, Card | Melded | str):
        return str(value)
    if isinstance(value, tuple | frozenset):
        return f"{name} of {len(value)}"
    return f"{name} {value}" if value is not None else ""
