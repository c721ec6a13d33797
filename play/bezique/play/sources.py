"""Sources: the statements of the documents, and which clauses carry them out.

The statements and the register of readings lie in `spec/sources`; this reads them for the
commands that show where a rule comes from.
"""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache

import yaml

from bezique.engine.rules import Rules
from bezique.spec import tree
from bezique.spec.core import Profile
from bezique.spec.data import sources_folder
from bezique.spec.subjects import walk
from bezique.spec.tree import Node


@dataclass(frozen=True)
class Statement:
    """What a document says, in one line, and the clauses that carry it out."""

    id: str
    kind: str
    says: str
    clauses: tuple[str, ...]
    not_applicable: str | None

    @property
    def open(self) -> bool:
        """Return whether it is a rule that nothing carries out, with no reason why."""
        return self.kind == "rule" and not self.clauses and not self.not_applicable


@dataclass(frozen=True)
class Reading:
    """An entry of the register: a question, and what each profile does."""

    number: int
    question: str
    reading: dict[str, str]
    choices: tuple[str, ...]
    clauses: tuple[str, ...]


@cache
def statements() -> tuple[Statement, ...]:
    """Return every statement of every document, in order."""
    found: list[Statement] = []
    for file in sorted((sources_folder() / "statements").glob("*.yaml")):
        written = yaml.safe_load(file.read_text(encoding="utf-8"))
        found += [
            Statement(
                item["id"], item["kind"], item["says"],
                tuple(item.get("clauses") or ()), item.get("not_applicable"),
            )
            for item in written["statements"]
        ]  # fmt: skip
    return tuple(found)


@cache
def readings() -> tuple[Reading, ...]:
    """Return the register of readings."""
    written = yaml.safe_load((sources_folder() / "readings.yaml").read_text(encoding="utf-8"))
    return tuple(
        Reading(
            item["number"], item["question"], item["reading"],
            tuple(choice["name"] for choice in item["choice"]), tuple(item["clauses"]),
        )
        for item in written["readings"]
    )  # fmt: skip


@cache
def _parts() -> tuple[tuple[str, str, str], ...]:
    """Return each profile's document and the last statement that belongs to it."""
    written = yaml.safe_load((sources_folder() / "documents.yaml").read_text(encoding="utf-8"))
    return tuple(
        (part["id"], document["id"], part["last"])
        for document in written["documents"]
        for part in document["profiles"]
    )


def statements_of(profile: Profile, clause: str) -> tuple[Statement, ...]:
    """Return the statements behind a clause, of the document that gives the profile.

    A document that goes on to describe changes gives them to later profiles only.  For a
    profile that no document gives, such as a user's own, it is the statements of all.
    """
    last = next((last for name, _, last in _parts() if name == profile.name), None)
    return tuple(
        statement
        for statement in statements()
        if clause in statement.clauses
        and (last is None or _within(statement.id, last))
    )


def readings_of(clause: str, choices: Collection[str]) -> tuple[Reading, ...]:
    """Return the entries of the register behind a clause or the choices it turns on."""
    return tuple(
        item
        for item in readings()
        if clause in item.clauses or any(name in choices for name in item.choices)
    )


def _within(statement: str, last: str) -> bool:
    document, _, number = statement.partition(".")
    whole, _, end = last.partition(".")
    return document == whole and int(number) <= int(end)


def choices_behind(rules: Rules, *nodes: Node) -> tuple[str, ...]:
    """Return the choices that expressions turn on, terms and readings looked through."""
    profile = rules.profile
    found: dict[str, None] = {}
    terms: set[str] = set()

    def look(node: Node) -> None:
        for part in walk(node):
            if isinstance(part, tree.Apply) and part.where == "term" and part.name not in terms:
                terms.add(part.name)
                look(profile.terms[part.name].body)
            elif isinstance(part, tree.Apply) and part.where == "choice" and part.name not in found:
                found[part.name] = None
                look(rules.reading(part.name))

    for node in nodes:
        look(node)
    return tuple(found)
