"""Actions and events: what is done, and what is seen to happen.

Which actions there are, and what each takes, stands in the rule file; only `deal` is the
language's own, since chance plays it.  Both are frozen and hashable.
"""

from dataclasses import dataclass, field
from typing import Any

from bezique.engine.cards import Card
from bezique.engine.frozen import FrozenDict
from bezique.engine.position import Melded, Value


@dataclass(frozen=True, slots=True)
class Action:
    """Something done: its name and its arguments by the names the rules give them.

    >>> str(Action("play", FrozenDict({"card": Card("K", "S", 1)})))
    'play KS1'
    """

    name: str
    arguments: FrozenDict[str, Value] = field(default_factory=FrozenDict)

    def __str__(self) -> str:
        """Return the name and the arguments in words."""
        return " ".join([self.name, *(text for text in map(_word, self.arguments.items()) if text)])


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened: its name and what a witness could tell of it.

    `owner` is the seat whose hidden cards it speaks of; others see those as unknown.
    """

    name: str
    fields: FrozenDict[str, Any] = field(default_factory=FrozenDict)
    owner: str | None = None


def _word(item: tuple[str, Value]) -> str:
    name, value = item
    if isinstance(value, bool):
        return name if value else ""
    if isinstance(value, Card | Melded | str):
        return str(value)
    if isinstance(value, tuple | frozenset):
        return f"{name} of {len(value)}"
    return f"{name} {value}" if value is not None else ""
