"""Checks of the register: do the sources and the rules still say the same?

A statement that no rule carries out, a reference to a rule that is gone, a reading that
a profile no longer picks, a choice that no reading accounts for: each is a problem with
its place.

Source: docs/sources.md.
"""

from collections import Counter
from collections.abc import Iterator, Mapping

from bezique.spec.core import Profile
from bezique.spec.problem import Problem
from bezique.spec.source import Path
from bezique.spec.sources import (
    Code,
    Document,
    Other,
    PickedChoice,
    Place,
    Reading,
    Sources,
)
from bezique.spec.subjects import subjects

__all__ = ["problems"]


def problems(found: Sources, profiles: Mapping[str, Profile]) -> tuple[Problem, ...]:
    """Return what is wrong within sources, and between them and profiles by name."""
    return tuple(sorted(set(_Check(found, profiles).problems())))


class _Check:
    """The checks of sources against profiles."""

    def __init__(self, found: Sources, profiles: Mapping[str, Profile]) -> None:
        self.sources = found
        self.profiles = profiles
        self.known = {name: _references(item) for name, item in profiles.items()}

    def problems(self) -> Iterator[Problem]:
        yield from self._documents()
        yield from self._statements()
        for row in self.sources.readings:
            yield from self._reading(row)
            for index, other in enumerate(row.others):
                yield from self._other(row, other, index)
        yield from self._reading_ids()
        yield from self._unread()

    def _documents(self) -> Iterator[Problem]:
        """Yield profiles without a document and statements that are not there."""
        place = self.sources.places["documents.yaml"]
        given = [part.id for doc in self.sources.documents for part in doc.profiles]
        for name in self.profiles:
            if name not in given:
                expected = f"a document that gives {name}"
                yield place.problem(("documents",), expected, "none", "profile-source")
        for at, document in enumerate(self.sources.documents):
            for index, part in enumerate(document.profiles):
                here: Path = ("documents", at, "profiles", index)
                for name in filter(None, (part.id, part.keeps)):
                    if name not in self.profiles:
                        expected = f"a profile ({', '.join(self.profiles)})"
                        yield place.problem(here, expected, name, "unknown-profile")
            yield from self._numbers(document)

    def _numbers(self, document: Document) -> Iterator[Problem]:
        """Yield where a document's statements are not numbered through."""
        place = self.sources.places[f"statements/{document.id}.yaml"]
        ids = [item.id for item in self.sources.of_document(document.id)]
        wanted = [
            f"{document.id}.{number:02}"
            for part in document.profiles
            for number in range(_number(part.first), _number(part.last) + 1)
        ]
        for name, times in Counter(ids).items():
            if times > 1:
                expected, got = "each statement once", f"{name} {times} times"
                yield place.problem(("statements",), expected, got, "name-twice")
        for name in wanted:
            if name not in ids:
                expected = f"the statement {name}"
                yield place.problem(
                    ("statements",), expected, "none", "missing-statement"
                )
        for name in ids:
            if name not in wanted:
                at = self.sources.places[name]
                expected = "a statement of a profile in documents.yaml"
                yield at.problem(("id",), expected, name, "unknown-statement")
        if list(dict.fromkeys(ids)) != sorted(set(ids)):
            expected, got = "statements in the order of their numbers", "another order"
            yield place.problem(("statements",), expected, got, "statement-order")

    def _statements(self) -> Iterator[Problem]:
        """Yield statements that nothing carries out, and unknown references."""
        ids = {item.id for item in self.sources.statements}
        for item in self.sources.statements:
            place = self.sources.places[item.id]
            if item.state == "open":
                expected = f"what carries out {item.id} ({item.kind})"
                yield place.problem(("clauses",), expected, "nothing", "unrealised")
            if item.clauses and item.not_applicable:
                expected = "clauses or a reason why there are none"
                yield place.problem(
                    ("not_applicable",), expected, "both", "not-applicable"
                )
            owner = self._owner(item.id)
            known = self.known.get(owner or "", frozenset())
            yield from self._unknown(
                place, "clauses", item.clauses, known, owner or item.id
            )
            for index, name in enumerate(item.replaces):
                if name not in ids:
                    yield place.problem(
                        ("replaces", index), "a statement", name, "unknown-statement"
                    )

    def _reading_ids(self) -> Iterator[Problem]:
        """Yield readings that share a name or are not numbered through."""
        place = self.sources.places["readings.yaml"]
        for name, times in Counter(row.id for row in self.sources.readings).items():
            if times > 1:
                expected, got = "each reading once", f"{name} {times} times"
                yield place.problem(("readings",), expected, got, "name-twice")
        for index, row in enumerate(self.sources.readings):
            if row.number != index + 1:
                expected, got = str(index + 1), str(row.number)
                here: Path = ("readings", index, "number")
                yield place.problem(here, expected, got, "reading-number")

    def _reading(self, row: Reading) -> Iterator[Problem]:
        """Yield where a reading does not fit the rules."""
        place = self.sources.places[row.id]
        ids = {item.id for item in self.sources.statements}
        for index, name in enumerate(row.statements):
            if name not in ids:
                here: Path = ("statements", index)
                yield place.problem(here, "a statement", name, "unknown-statement")
        for name in row.reading:
            if name not in self.profiles:
                expected = f"a profile ({', '.join(self.profiles)})"
                yield place.problem(
                    ("reading", name), expected, name, "unknown-profile"
                )
        mine = [name for name in row.reading if name in self.profiles]
        known = frozenset[str]().union(*(self.known[name] for name in mine))
        yield from self._unknown(place, "clauses", row.clauses, known, ", ".join(mine))
        options = {o.name for name in mine for o in self.profiles[name].options}
        yield from self._unknown(
            place, "option", row.option, frozenset(options), ", ".join(mine)
        )
        for index, item in enumerate(row.choice):
            yield from self._picks(row, item, ("choice", index))
        for name in mine:
            carried = self.known[name].intersection(row.clauses)
            if not carried and all(item.value(name) is None for item in row.choice):
                expected = f"a clause or choice that carries it in {name}"
                yield place.problem(("clauses",), expected, "none", "unrealised")

    def _picks(self, row: Reading, item: PickedChoice, here: Path) -> Iterator[Problem]:
        """Yield where the rules pick something else than a reading says they do."""
        place = self.sources.places[row.id]
        if not any(item.name in profile.choices for profile in self.profiles.values()):
            yield place.problem(here, "a choice", item.name, "unknown-choice")
            return
        for name in item.by_profile:
            if name not in self.profiles:
                expected = f"a profile ({', '.join(self.profiles)})"
                yield place.problem(
                    (*here, "by_profile", name), expected, name, "unknown-profile"
                )
        for name, profile in self.profiles.items():
            value = item.value(name)
            choice = profile.choices.get(item.name)
            if choice is None:
                if name in item.by_profile:
                    expected = f"a choice of {name}"
                    yield place.problem(here, expected, item.name, "unknown-choice")
            elif value is None:
                if name in row.reading:
                    expected = f"what {name} picks ({choice.picked})"
                    yield place.problem(here, expected, "nothing", "reading-drift")
            elif value not in choice.values:
                expected = f"one of {', '.join(choice.values)}"
                yield place.problem(here, expected, value, "unknown-reading")
            elif value != choice.picked:
                expected = f"what {name} picks, {choice.picked}"
                yield place.problem(here, expected, value, "reading-drift")

    def _other(self, row: Reading, other: Other, index: int) -> Iterator[Problem]:
        """Yield where another reading cannot be said as it is written."""
        place = self.sources.places[row.id]
        here: Path = ("others", index)
        if not other.picks and other.overlay is None:
            expected = "picks or an overlay that says it"
            yield place.problem(here, expected, "neither", "unsayable")
        for name in row.profiles_of(other):
            profile = self.profiles.get(name)
            if profile is None or name not in row.reading:
                expected = f"a profile of the reading ({', '.join(row.reading)})"
                yield place.problem(
                    (*here, "profiles"), expected, name, "unknown-profile"
                )
                continue
            differs = other.overlay is not None
            for choice, value in other.picks.items():
                at: Path = (*here, "picks", choice)
                if choice not in profile.choices:
                    expected = f"a choice of {name}"
                    yield place.problem(at, expected, choice, "unknown-choice")
                elif value not in profile.choices[choice].values:
                    expected = f"one of {', '.join(profile.choices[choice].values)}"
                    yield place.problem(at, expected, value, "unknown-reading")
                else:
                    differs = differs or profile.choices[choice].picked != value
            if other.picks and not differs:
                expected = f"another reading than {name} has"
                yield place.problem(
                    (*here, "picks"), expected, "the same", "other-same"
                )

    def _unread(self) -> Iterator[Problem]:
        """Yield choices, their values and options that no reading accounts for."""
        place = self.sources.places["readings.yaml"]
        rows = self.sources.readings
        for name, profile in self.profiles.items():
            options = {option for row in rows for option in row.option}
            for option in profile.options:
                if option.name not in options:
                    expected = f"a reading with the option {option.name} of {name}"
                    yield place.problem(("readings",), expected, "none", "unread")
            for choice in profile.choices.values():
                items = [i for r in rows for i in r.choice if i.name == choice.name]
                if all(item.value(name) is None for item in items):
                    expected = f"a reading with the choice {choice.name} of {name}"
                    yield place.problem(("readings",), expected, "none", "unread")
                said = {
                    v for i in items for v in (i.everywhere, *i.by_profile.values())
                }
                said |= {
                    o.picks[choice.name]
                    for r in rows
                    for o in r.others
                    if choice.name in o.picks
                }
                if choice.name in options:
                    continue
                for value in choice.values:
                    if value not in said:
                        expected = f"a reading with the value {choice.name}: {value}"
                        yield place.problem(("readings",), expected, "none", "unread")

    def _unknown(
        self,
        place: Place,
        key: str,
        items: tuple[str, ...],
        known: frozenset[str],
        where: str,
    ) -> Iterator[Problem]:
        """Yield the items of a list that a profile does not have, or that come twice."""
        what = "option" if key == "option" else "clause"
        for index, name in enumerate(items):
            if name not in known:
                kind, colon, _ = name.partition(":")
                code = _UNKNOWN.get(kind if colon else what, "unknown-clause")
                expected = f"{_ARTICLE[what]} {what} of {where}"
                yield place.problem((key, index), expected, name, code)
            elif name in items[:index]:
                expected = f"each {what} once"
                yield place.problem((key, index), expected, name, "name-twice")

    def _owner(self, statement: str) -> str | None:
        """Return the profile whose range a statement is in."""
        head, _, _ = statement.partition(".")
        for document in self.sources.documents:
            for part in document.profiles:
                inside = part.first <= statement <= part.last
                if document.id == head and inside:
                    return part.id
        return None


_UNKNOWN: dict[str, Code] = {
    "choice": "unknown-choice",
    "value": "unknown-value",
    "option": "unknown-option",
}
_ARTICLE = {"clause": "a", "option": "an"}


def _references(profile: Profile) -> frozenset[str]:
    """Return everything in a profile that can carry a statement out."""
    found = set(subjects(profile))
    found |= {f"choice:{name}" for name in profile.choices}
    found |= {f"value:{name}" for name in profile.values}
    found |= {f"option:{option.name}" for option in profile.options}
    return frozenset(found)


def _number(statement: str) -> int:
    return int(statement.rpartition(".")[2])
