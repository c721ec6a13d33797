"""The register: which rules carry out what the documents say.

Terms
    reference   what of a profile carries a statement out: any rule that has a sentence
                (`strict/heads`, `deck/cards`), or `choice:NAME`, `value:NAME`, `option:NAME`
    in force    a profile that its document tells as a change of another one *keeps* the
                statements of that one, except those that a later statement *replaces*
    matrix      every statement in force at a table, with its references

Source: `spec/sources/`; docs/sources.md.

>>> [item.id for item in register().statements_of("luso-blind", "seven/way")]
['D4.33']
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import NamedTuple

from bezique.spec import register_check
from bezique.spec.data import sources_folder
from bezique.spec.load import load, names
from bezique.spec.problem import Problem
from bezique.spec.sources import (
    BINDING,
    Document,
    Other,
    Part,
    PickedChoice,
    Reading,
    Sources,
    State,
    Statement,
    read_sources,
)

__all__ = [
    "Document",
    "Other",
    "Part",
    "PickedChoice",
    "Reading",
    "Register",
    "Row",
    "Statement",
    "matrix_lines",
    "read_register",
    "register",
]


class Row(NamedTuple):
    """A row of the matrix."""

    statement: Statement
    references: tuple[str, ...]
    state: State


class Register(Sources):
    """The sources, asked from the side of the rules."""

    def in_force(self, profile: str) -> tuple[Statement, ...]:
        """Return the statements that hold in a profile, those it keeps included.

        Raises:
            KeyError: No document gives that profile.
        """
        parts = {part.id: part for doc in self.documents for part in doc.profiles}
        order = [statement.id for statement in self.statements]
        found: list[Statement] = []
        name: str | None = profile
        while name is not None:
            part = parts.pop(name)
            first, last = order.index(part.first), order.index(part.last)
            found = [*self.statements[first : last + 1], *found]
            name = part.keeps
        replaced = {item for statement in found for item in statement.replaces}
        return tuple(item for item in found if item.id not in replaced)

    def matrix(self, profile: str) -> tuple[Row, ...]:
        """Return every statement in force in a profile with what carries it out.

        Raises:
            KeyError: No document gives that profile.
        """
        return tuple(
            Row(item, item.clauses, item.state) for item in self.in_force(profile)
        )

    def statements_of(self, profile: str, reference: str) -> tuple[Statement, ...]:
        """Return the statements that a clause or other rule of a profile carries out.

        Raises:
            KeyError: No document gives that profile.
        """
        return tuple(
            item for item in self.in_force(profile) if reference in item.clauses
        )

    def readings_of(self, profile: str, name: str) -> tuple[Reading, ...]:
        """Return the readings of a profile that a clause, choice or option carries."""
        return tuple(
            row
            for row in self.readings
            if profile in row.reading
            and (
                name in row.clauses
                or name in row.option
                or any(name == item.name for item in row.choice)
            )
        )

    def problems(self) -> tuple[Problem, ...]:
        """Return what is wrong in the register, and between it and the profiles."""
        return register_check.problems(self, {name: load(name) for name in names()})


@cache
def register() -> Register:
    """Return the register of the built-in profiles.

    Raises:
        RulesError: A file of it cannot be read.
    """
    return read_register(sources_folder())


def read_register(folder: Path) -> Register:
    """Return the register in a folder built like `spec/sources`.

    Raises:
        RulesError: A file cannot be read or is not built as it must be.
    """
    found = read_sources(folder)
    return Register(**{item.name: getattr(found, item.name) for item in fields(found)})


def matrix_lines(found: Register) -> list[str]:
    """Return the matrix as text: each document's statements and totals, then readings.

    >>> matrix_lines(register())[-1].startswith("readings: ")
    True
    """
    lines: list[str] = []
    for document in found.documents:
        rows = found.of_document(document.id)
        lines += [f"{document.id}  {document.title}", ""]
        for item in rows:
            shown = ", ".join(item.clauses) or item.not_applicable or item.state
            lines.append(f"{item.id}  {item.kind:<9}  {shown}")
        lines += ["", *_totals(document.id, rows), ""]
    lines.append(f"readings: {len(found.readings)}")
    return lines


def _totals(name: str, rows: Iterable[Statement]) -> Iterator[str]:
    count = Counter((item.kind, item.state) for item in rows)
    for kind in BINDING:
        parts = [
            f"{count[kind, state]} {state}"
            for state in ("realised", "not applicable", "open")
        ]
        yield f"{name}  {kind:<9}  {', '.join(parts)}"
