"""Compiled cases: made from the rules themselves, never by hand.

For each other reading in the register, the smallest situation that tells it from the reading of
a table, as two cases: what happens as the table reads it, and what happens otherwise.  For each
condition of an action or a meld, each set of a duty and each thing that happens by itself, the
smallest situation in which it alone decides; where it refuses something, the nearest situation
in which it does not stands beside it.

The cases are checked in, in `cases/compiled/`; made again they come out the same.  They are no
source of truth: the document cases are, and where the two part, the rules are wrong.

Source: docs/cases.md.
"""

import json
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from bezique.conformance.case import Case, CaseFile
from bezique.conformance.expand import RARE
from bezique.conformance.files import canonical, cases_folder
from bezique.conformance.hypotheses import Deviation, deviations, library_of
from bezique.conformance.target import library
from bezique.conformance.witness_case import (
    UnwritableError,
    case_of,
    confirm,
    references,
    situation,
)
from bezique.engine.frozen import FrozenDict
from bezique.engine.library import Library
from bezique.engine.position import Position
from bezique.engine.rules import Rules
from bezique.spec.load import names
from bezique.spec.problem import RulesError

if TYPE_CHECKING:
    from bezique.solver.proof.difference import Comparison
    from bezique.solver.proof.mutants import Mutant
    from bezique.solver.proof.search import Limits
    from bezique.solver.proof.witness import Difference, Witness

Json = dict[str, Any]
Seen = Callable[[int, int], None]

TOPICS = {
    "readings": "the smallest situations that tell another reading",
    "clauses": "the smallest situations in which one clause alone decides",
}
FAULTS = {"faults": "the smallest situations that tell a fault no other case finds"}


PROVED = "proved to change nothing"
SEARCHED = "no situation within the bound turns on it"


class Lack(Exception):  # noqa: N818  (it is told, and ends nothing)
    """What no case could be made of, and why."""


# --- one profile -------------------------------------------------------------------------------


def _limits() -> "Limits":
    """Return how much a question may cost: as many as there are, each has to be cheap."""
    from bezique.solver.proof.search import Limits  # noqa: PLC0415

    return Limits(rlimit=30_000_000)


def reading_pair(profile: str, deviation: Deviation) -> tuple[Json, Json]:
    """Return the two cases of another reading of a profile: as it is read, and otherwise.

    Raises:
        Lack: Nothing tells the reading, or no case can say it.
    """
    from bezique.solver.proof.difference import Comparison  # noqa: PLC0415
    from bezique.solver.proof.show import settled  # noqa: PLC0415

    try:
        other = library_of(profile, (deviation,))
        other.rules(profile)
    except RulesError as error:
        message = "it does not go with the rest of the profile"
        raise Lack(message) from error
    why = PROVED
    for rules in tables(profile):
        two = other.rules(profile, rules.given)
        comparison = Comparison(rules, two, _limits(), slots=1)
        plain = [
            line for line in settled(rules, two) if not line.startswith("reading ")
        ]
        if why == PROVED and plain:
            why = f"it is in what the table is, {plain[0]}"
        for difference in comparison.differences():
            if difference.witness is None:
                why = _weaker(why, difference)
                continue
            try:
                return _pair(profile, deviation, difference, other)
            except UnwritableError as error:
                why = str(error)
    raise Lack(why)


def _weaker(why: str, difference: "Difference") -> str:
    """Return what is known where nothing has told two tables apart so far."""
    proved = difference.verdict == "equivalent"
    return why if proved or why != PROVED else SEARCHED


def tables(profile: str) -> Iterator[Rules]:
    """Yield the tables of a profile: as it stands, then under each other value of each option."""
    from bezique.solver.proof.obligations import settings  # noqa: PLC0415

    for given in settings(library().rules(profile).profile):
        yield library().rules(profile, given)


def _options(rules: Rules) -> Json:
    return {"options": dict(rules.given)} if rules.given else {}


_HEADS = {"the condition": "only", "the set": "set", "the reaction": "does"}


def _pair(
    profile: str, deviation: Deviation, difference: "Difference", other: Library
) -> tuple[Json, Json]:
    witness = difference.witness
    assert witness is not None  # noqa: S101  (those without are left out)
    places = (witness.one_position, witness.two_position)
    row = deviation.name.partition("/")[0]
    words = (
        f"{row} as the table reads it",
        f"{row} read otherwise, {deviation.says.partition(';')[0]}",
    )
    rules: tuple[Json, Json] = ({}, {"rules": json.loads(deviation.rules)})
    libraries = (other, library())
    found: list[Json] = []
    for at, (place, against) in enumerate(zip(places, reversed(places), strict=True)):
        written = _plainer(place, against, witness)
        about = references(place.rules, difference.clause, written)
        if not about and witness.action is not None:
            about = (f"actions/{witness.action.name}",)
        side = "breaks" if _refused(written) else "obeys"
        case = {
            "id": f"{deviation.name.lower().replace('/', '-')}-{('as-read', 'otherwise')[at]}-{profile}",
            "why": f"{words[at]}: {_decides(about, written)}",
            "profiles": [profile],
            "origin": "reading witness",
            side: [*about, (row, deviation.name)[at]],
            **_options(place.rules),
            **rules[at],
            **written,
        }
        # Under the other reading the case is the other table's: the built-in one is told from it.
        confirm(case_of(case), profile, libraries[at])
        found.append(case)
    return found[0], found[1]


def _plainer(place: Position, against: Position, witness: "Witness") -> Json:
    """Return what a case gives and expects, without what hardly a table remembers if that tells as much."""

    def forgot(position: Position) -> Position:
        nothing = {name: frozenset[Any]() for name in RARE if name in position.state}
        return position.changed(state=FrozenDict({**position.state, **nothing}))

    def written(one: Position, two: Position) -> Json:
        return situation(one, witness.action, two, lenient=witness.lenient)

    try:
        return written(forgot(place), forgot(against))
    except UnwritableError:
        return written(place, against)


def clause_cases(
    rules: Rules, mutant: "Mutant", pool: dict[Any, Any]
) -> tuple[Json, ...]:
    """Return the cases of a clause that is left out in a mutant: it decides, and it is kept.

    Raises:
        Lack: Nothing tells that it is left out, or no case can say it.
    """
    from bezique.solver.proof.difference import Comparison  # noqa: PLC0415

    comparison = Comparison(rules, Rules(mutant.profile, rules.given), _limits(), pool, slots=1)  # fmt: skip
    why = PROVED
    for difference in comparison.differences():
        if difference.witness is None:
            why = _weaker(why, difference)
            continue
        try:
            return tuple(_deciding(comparison, mutant, difference))
        except UnwritableError as error:
            why = str(error)
    raise Lack(why)


def _deciding(
    comparison: "Comparison", mutant: "Mutant", difference: "Difference"
) -> Iterator[Json]:
    from bezique.solver.proof.neighbour import neighbour  # noqa: PLC0415

    witness = difference.witness
    assert witness is not None  # noqa: S101  (those without are left out)
    profile = comparison.one.profile.name
    written = situation(
        witness.one_position,
        witness.action,
        witness.two_position,
        lenient=witness.lenient,
    )
    about = references(comparison.one, mutant.clause, written)
    refused = _refused(written)
    broken = refused or mutant.what == "the condition"
    head = "-".join(mutant.clause.replace("/", " ").replace("_", "-").split())
    case = {
        "id": f"{_HEADS.get(mutant.what, 'ends')}-{head}-{profile}",
        "why": f"{_left_out(mutant)} this would come out otherwise: {_comes(about, written, broken=broken)}",
        "profiles": [profile],
        "origin": "mutant witness",
        "breaks" if broken else "obeys": list(about),
        **_options(comparison.one),
        **written,
    }
    confirm(case_of(case), profile, Library(profiles=[mutant.profile]))
    yield case
    if not refused or witness.action is None or witness.lenient:
        return
    near = neighbour(comparison, witness.one_position, witness.action)
    if near is None:
        return
    try:
        kept = {
            "id": f"kept-{head}-{profile}",
            "why": f"the nearest situation in which {about[0]} is kept and the action legal",
            "profiles": [profile],
            "origin": "mutant witness",
            "obeys": list(about),
            **_options(comparison.one),
            **situation(*near),
        }
        confirm(case_of(kept), profile)
    except UnwritableError:
        return
    yield kept


def _left_out(mutant: "Mutant") -> str:
    *place, clause = mutant.clause.split()
    where = f" in {place[0]}" if place else ""
    part = "" if mutant.what == "the condition" else f"{mutant.what} "
    return f"were {part}{clause}{where} left out"


def _comes(about: tuple[str, ...], written: Json, *, broken: bool) -> str:
    """Return what comes of a witness, in words."""
    if broken and not _refused(written):
        return f"the condition of {about[0]} is not met"
    return _decides(about, written)


def _refused(written: Json) -> bool:
    return any("=> refused" in step for step in written.get("steps", ()))


def _decides(about: tuple[str, ...], written: Json) -> str:
    clause = about[0] if about else "the rule"
    if written["kind"] == "view":
        return f"{clause} says what is seen"
    if _refused(written):
        return f"{written['steps'][-1].partition('=> refused ')[2]} refuses"
    return f"what {clause} says follows"


# --- all profiles --------------------------------------------------------------------------------


def left_out(profile: str) -> "Iterator[Mutant]":
    """Yield the mutants of a profile in which one clause is left out."""
    from bezique.solver.proof.mutants import mutants  # noqa: PLC0415

    for mutant in mutants(library().rules(profile).profile):
        if mutant.kind == "drop" and mutant.what.startswith("the "):
            yield mutant


def made(part: str, profile: str) -> tuple[list[Json], list[str]]:
    """Return the compiled cases of a profile, and what could not be made and why.

    Args:
        part: `readings` or `clauses`.
        profile: A built-in profile.
    """
    found: list[Json] = []
    lacks: list[str] = []
    if part == "readings":
        for deviation in deviations(profile):
            try:
                found += reading_pair(profile, deviation)
            except Lack as lack:
                lacks.append(f"{deviation.name} in {profile}: {lack}")
        return found, lacks
    every = [(rules, dict[Any, Any]()) for rules in tables(profile)]
    for mutant in left_out(profile):
        why = PROVED
        for rules, pool in every:
            try:
                found += clause_cases(rules, mutant, pool)
                break
            except Lack as lack:
                why = str(lack) if why == PROVED else why
        else:
            lacks.append(f"{mutant.clause} in {profile}: {why}")
    return found, lacks


def compiled_cases(
    profiles: Iterable[str] = (), seen: Seen | None = None
) -> tuple[dict[str, CaseFile], list[str]]:
    """Return the compiled cases, a file of them for each topic, and what could not be made.

    Args:
        profiles: Only of these; all when empty.
        seen: Called with how many parts of how many are done.
    """
    chosen = tuple(profiles) or names()
    parts = [(topic, profile) for topic in TOPICS for profile in chosen]
    found: dict[tuple[str, str], list[Json]] = {}
    lacks: dict[tuple[str, str], list[str]] = {}
    with ProcessPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        running = {pool.submit(made, *part): part for part in parts}
        for done, future in enumerate(as_completed(running), start=1):
            found[running[future]], lacks[running[future]] = future.result()
            if seen is not None:
                seen(done, len(parts))
    files = {
        topic: merged(topic, [case for part in parts if part[0] == topic for case in found[part]])
        for topic in TOPICS
    }  # fmt: skip
    return files, [line for part in parts for line in lacks[part]]


def merged(topic: str, cases: Iterable[Json]) -> CaseFile:
    """Return a file of cases, in which the same situation at several tables is one case.

    It is named after the first.
    """
    found: dict[str, Json] = {}
    for case in cases:
        # A fault may be found out by what finds out another: there the references do not count.
        parts = _SAME if topic in FAULTS else (*_SAME, "obeys", "breaks")
        told = {name: value for name, value in case.items() if name in parts}
        key = json.dumps(told, sort_keys=True)
        if key in found:
            mine = found[key]["profiles"]
            mine += [name for name in case["profiles"] if name not in mine]
        else:
            found[key] = {**case, "profiles": list(case["profiles"])}
    titles = {**TOPICS, **FAULTS}
    return CaseFile.model_validate(
        {"topic": titles[topic], "cases": list(found.values())}
    )


_SAME = ("rules", "options", "kind", "given", "steps", "expected", "seat")


def compiled_folder() -> Path:
    """Return the folder of the compiled cases."""
    return cases_folder() / "compiled"


def write(files: dict[str, CaseFile], lacks: Iterable[str] | None = None) -> None:
    """Write the compiled cases into their folder.

    Args:
        files: For each topic its cases.
        lacks: What could not be made, for `without.yaml`; left out, that stays as it is.
    """
    compiled_folder().mkdir(exist_ok=True)
    if lacks is not None:
        head = "# What no case could be compiled for, and why.\n"
        text = yaml.safe_dump(list(dict.fromkeys(lacks)), width=110, allow_unicode=True)
        (compiled_folder() / "without.yaml").write_text(head + text, encoding="utf-8")
    for topic, file in files.items():
        (compiled_folder() / f"{topic}.yaml").write_text(canonical(file), encoding="utf-8")  # fmt: skip


def stale(files: dict[str, CaseFile]) -> tuple[str, ...]:
    """Return the ids of cases that are not checked in as they come out now."""
    return tuple(
        name
        for topic, file in files.items()
        for name in _unlike(file.cases, checked_in(topic))
    )


def checked_in(topic: str) -> tuple[Case, ...]:
    """Return the compiled cases of a topic that are checked in."""
    from bezique.conformance.files import read  # noqa: PLC0415

    path = compiled_folder() / f"{topic}.yaml"
    return read(path).cases if path.exists() else ()


def _unlike(one: Iterable[Case], two: Iterable[Case]) -> Iterator[str]:
    first, second = ({case.id: case for case in side} for side in (one, two))
    for name in dict.fromkeys((*first, *second)):
        if first.get(name) != second.get(name):
            yield name
