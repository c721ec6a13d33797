"""Sources: the documents, what they state, and how they are read.

Terms
    document    a text that the rules of some profiles are taken from
    statement   one numbered sentence of a document, in our words: `D2.39`
    reading     how a question is answered that the documents leave open

Source: `spec/sources/`; docs/sources.md explains the files.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import Literal, NamedTuple, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bezique.spec.overlay import read_file
from bezique.spec.problem import Problem, RulesError, shortened
from bezique.spec.source import Path, Text, path_text

__all__ = [
    "BINDING",
    "Code",
    "Document",
    "Kind",
    "Other",
    "Part",
    "PickedChoice",
    "Place",
    "Reading",
    "Sources",
    "State",
    "Statement",
    "read_sources",
]

Kind: TypeAlias = Literal["rule", "claim", "example", "advice", "interface", "context"]
State: TypeAlias = Literal["realised", "not applicable", "open", "no rule"]
Code: TypeAlias = Literal[
    "document",
    "missing-statement",
    "unknown-statement",
    "statement-order",
    "reading-number",
    "name-twice",
    "unrealised",
    "not-applicable",
    "profile-source",
    "unknown-profile",
    "unknown-clause",
    "unknown-choice",
    "unknown-value",
    "unknown-option",
    "unknown-reading",
    "reading-drift",
    "other-same",
    "unsayable",
    "unread",
]
"""The faults that sources can have; docs/sources.md explains each."""

M = TypeVar("M", bound=BaseModel)

BINDING: tuple[Kind, ...] = ("rule", "claim", "example")
"""The kinds of statement that the rules must carry out."""


class _Item(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Part(_Item):
    """The statements of a document that give one profile, from `first` to `last`."""

    id: str
    first: str
    last: str
    keeps: str | None = None


class Document(_Item):
    """A text that rules are taken from; what is not known of it is None."""

    id: str
    title: str
    author: str | None
    year: int | None
    language: str
    original_language: str | None
    translator: str | None
    kind: str
    profiles: tuple[Part, ...]
    note: str


class Statement(_Item):
    """One statement of a document and the references that carry it out."""

    id: str
    kind: Kind
    says: str
    clauses: tuple[str, ...]
    replaces: tuple[str, ...] = ()
    not_applicable: str | None = None

    @property
    def state(self) -> State:
        """Return whether the rules carry the statement out; advice gives no rule."""
        if self.clauses:
            return "realised"
        if self.not_applicable:
            return "not applicable"
        return "open" if self.kind in BINDING else "no rule"


class PickedChoice(_Item):
    """A choice of the rules and the value that a reading picks in each profile."""

    name: str
    everywhere: str | None = None
    by_profile: dict[str, str] = Field(default_factory=dict)

    def value(self, profile: str) -> str | None:
        """Return the value that is read in a profile, or None when none is named."""
        return self.by_profile.get(profile, self.everywhere)


class Other(_Item):
    """Another reading, and how a rule file says it.

    Attributes:
        says: The reading, in words.
        profiles: Where it is another reading; empty means everywhere in its row.
        picks: Values of choices that say it.
        overlay: The text of a rule file that says it, where no choice does.
    """

    says: str
    profiles: tuple[str, ...] = ()
    picks: dict[str, str] = Field(default_factory=dict)
    overlay: str | None = None


class Reading(_Item):
    """A question that the documents leave open, and its answers."""

    number: int
    id: str
    question: str
    reading: dict[str, str]
    statements: tuple[str, ...]
    why: str
    others: tuple[Other, ...]
    option: tuple[str, ...] = ()
    choice: tuple[PickedChoice, ...]
    clauses: tuple[str, ...]

    def profiles_of(self, other: Other) -> tuple[str, ...]:
        """Return the profiles for which one of `others` is another reading."""
        return other.profiles or tuple(self.reading)


class _DocumentsFile(_Item):
    precedence: tuple[str, ...]
    documents: tuple[Document, ...]


class _StatementsFile(_Item):
    document: str
    statements: tuple[Statement, ...]


class _ReadingsFile(_Item):
    readings: tuple[Reading, ...]


class Place(NamedTuple):
    """The file that an item stands in and its path there."""

    text: Text
    path: Path

    def problem(self, below: Path, expected: str, got: str, code: Code) -> Problem:
        """Return a problem with a part of the item."""
        path = (*self.path, *below)
        return Problem(self.text.mark(path), expected, got, path_text(path), code)


@dataclass(frozen=True)
class Sources:
    """The documents, their statements, and the readings of what they leave open.

    Attributes:
        precedence: What goes before what when sources disagree, the strongest first.
        documents: The documents, in order.
        statements: The statements of all documents, in order.
        readings: The readings, in order.
        places: Where each file, statement and reading stands, by its name.
    """

    precedence: tuple[str, ...]
    documents: tuple[Document, ...]
    statements: tuple[Statement, ...]
    readings: tuple[Reading, ...]
    places: Mapping[str, Place] = field(repr=False, compare=False)

    def of_document(self, document: str) -> tuple[Statement, ...]:
        """Return the statements of a document."""
        start = f"{document}."
        return tuple(item for item in self.statements if item.id.startswith(start))


def read_sources(folder: FilePath) -> Sources:
    """Return the sources in a folder.

    Args:
        folder: With `documents.yaml`, `readings.yaml` and `statements/ID.yaml` for each
            document.

    Raises:
        RulesError: A file cannot be read or is not built as it must be.
    """
    problems: list[Problem] = []
    places: dict[str, Place] = {}

    def shaped(model: type[M], name: str) -> M | None:
        text = read_file(folder / name)
        places[name] = Place(text, ())
        found = None if text.problems else _shaped(model, text)
        problems.extend(text.problems)
        return found

    first = shaped(_DocumentsFile, "documents.yaml")
    readings = shaped(_ReadingsFile, "readings.yaml")
    statements: list[Statement] = []
    for document in first.documents if first else ():
        name = f"statements/{document.id}.yaml"
        found = shaped(_StatementsFile, name)
        if found:
            text = places[name].text
            if found.document != document.id:
                expected, got = repr(document.id), repr(found.document)
                place = Place(text, ("document",))
                problems.append(place.problem((), expected, got, "document"))
            for index, item in enumerate(found.statements):
                places.setdefault(item.id, Place(text, ("statements", index)))
            statements += found.statements
    if problems or first is None or readings is None:
        raise RulesError(problems)
    text = places["readings.yaml"].text
    for index, row in enumerate(readings.readings):
        places.setdefault(row.id, Place(text, ("readings", index)))
    return Sources(
        precedence=first.precedence,
        documents=first.documents,
        statements=tuple(statements),
        readings=readings.readings,
        places=places,
    )


def _shaped(model: type[M], text: Text) -> M | None:
    """Return a file as a model, or None after noting what is wrong with its shape."""
    try:
        return model.model_validate(text.value)
    except ValidationError as error:
        for found in error.errors(include_url=False):
            path, last = found["loc"], found["loc"][-1] if found["loc"] else ""
            if found["type"] == "missing":
                mark, code = text.mark(path), "missing-key"
                expected, got = f"the key {last!r}", "none"
            elif found["type"] == "extra_forbidden":
                mark, code = text.key_mark(path), "unknown-key"
                expected, got = "a key of the register", repr(last)
            else:
                mark, code = text.mark(path), "shape"
                expected = found["msg"].removeprefix("Input should be ")
                got = repr(found["input"])
            text.problems.append(
                Problem(mark, expected, shortened(got), path_text(path), code)
            )
        return None
