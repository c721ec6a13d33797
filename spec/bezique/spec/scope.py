"""Scope: what a name can mean at the place where it stands.

Terms
    layer       names of one origin: parameters, facts, the state, values
    definition  what a use of a term, choice or table must know
    constant    a name that stands for itself: a rank, a suit, a seat, a phase
"""

import keyword
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from bezique.spec.kinds import PHASE, PHASES, RANK, SEAT, SUIT, Type
from bezique.spec.syntax import refuse
from bezique.spec.vocabulary import EFFECTS, FACTS, FUNCTIONS, SPECIAL_FUNCTIONS

__all__ = ["RESERVED", "Definition", "Scope", "constants"]

RESERVED: dict[str, str] = {
    **dict.fromkeys(keyword.kwlist, "a word of the language"),
    **dict.fromkeys(("any", "all", "sum"), "a function"),
    **dict.fromkeys((*FUNCTIONS, *SPECIAL_FUNCTIONS), "a function"),
    **dict.fromkeys(EFFECTS, "an effect"),
    **dict.fromkeys(FACTS, "a fact"),
    **dict.fromkeys(PHASES, "a phase"),
}
"""Names that no rule file can give to anything else, with what they are."""


@dataclass(frozen=True)
class Definition:
    """What a use of a term, choice or table must know: its parameters and its type."""

    where: Literal["term", "choice", "table"]
    parameters: tuple[Type, ...]
    type: Callable[[], Type]


@dataclass(frozen=True)
class Scope:
    """What names can mean: the layers, nearest first."""

    parameters: Mapping[str, Type] = field(default_factory=dict)
    facts: Mapping[str, Type] = field(default_factory=dict)
    state: Mapping[str, Type] = field(default_factory=dict)
    values: Mapping[str, Type] = field(default_factory=dict)
    definitions: Mapping[str, Definition] = field(default_factory=dict)
    constants: Mapping[str, Type] = field(default_factory=dict)
    families: tuple[str, ...] = ()
    readings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def with_parameters(self, parameters: Mapping[str, Type]) -> "Scope":
        """Return the scope with more parameters, nearer than all others."""
        return replace(self, parameters={**self.parameters, **parameters})

    def with_variable(self, name: str, kind: Type, column: int = 0) -> "Scope":
        """Return the scope with the variable of a loop.

        Raises:
            FaultError: The name means something else already.
        """
        meaning = self.meaning(name)
        if meaning:
            got = f"{name}, which is {meaning}"
            refuse("a new name for the variable", got, "shadow", column)
        return self.with_parameters({name: kind})

    def meaning(self, name: str) -> str | None:
        """Return what a name is here in a few words, or None when it is free."""
        layers: tuple[tuple[Mapping[str, object], str], ...] = (
            (self.parameters, "a parameter"),
            (RESERVED, RESERVED.get(name, "")),
            (self.state, "a part of the state"),
            (self.values, "a value"),
            (self.definitions, "a term, choice or table"),
            (self.constants, "a rank, suit, seat or phase"),
        )
        return next((words for layer, words in layers if name in layer), None)


def constants(
    ranks: tuple[str, ...], suits: tuple[str, ...], seats: tuple[str, ...]
) -> dict[str, Type]:
    """Return the names that stand for themselves: ranks, suits, seats, phases."""
    named = dict.fromkeys(PHASES, PHASE)
    for names, kind in ((seats, SEAT), (suits, SUIT), (ranks, RANK)):
        named.update(dict.fromkeys(names, kind))
    return named
