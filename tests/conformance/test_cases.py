"""The cases: each holds for this project's own referee, and each is well made."""

import json
from collections import Counter
from pathlib import Path

import pytest
import yaml

from bezique.conformance import coverage
from bezique.conformance.files import (
    all_cases,
    canonical,
    case_files,
    cases_folder,
    excuses,
    read,
    schema,
)
from bezique.conformance.run_case import run
from bezique.conformance.target import BuiltIn, Told, table
from bezique.spec.load import load, names
from bezique.spec.register import register
from bezique.spec.subjects import subjects

CASES = all_cases()
REQUEST = {
    "op", "position", "action", "profile", "options", "dealer", "actions", "seat", "lenient",
}  # fmt: skip


# Tables with other readings or values are compiled one by one: they take longest.
SLOW = ("first-marriage", "melds", "readings", "reuse", "seven")


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(
            path, id=path.stem, marks=[pytest.mark.long] if path.stem in SLOW else []
        )
        for path in case_files()
    ],
)
def test_cases_hold(path: Path) -> None:
    """The built-in referee does what the documents say, and is never told what is expected."""
    wrong = {}
    for case in read(path).cases:
        for profile in case.profiles:
            target = Told(BuiltIn(table(case, profile)))
            outcome = run(case, profile, target)
            if outcome.problems:
                wrong[f"{case.id}@{profile}"] = outcome.problems
            assert all(set(request) <= REQUEST for request, _ in target.exchanges)

    assert wrong == {}


def test_there_are_enough_cases() -> None:
    """The suite holds no fewer cases than it once did."""
    assert len(CASES) >= 480


def test_ids_are_unique() -> None:
    """No two cases share an id."""
    twice = [
        name for name, count in Counter(case.id for case in CASES).items() if count > 1
    ]

    assert twice == []


@pytest.mark.parametrize("path", case_files(), ids=lambda path: path.stem)
def test_file_is_in_its_one_form(path) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001
    """A case file reads as `python -m bezique.conformance.files` writes it."""
    assert path.read_text(encoding="utf-8") == canonical(read(path))


def test_schema_is_that_of_the_files() -> None:
    """The JSON Schema beside the cases is made from their models."""
    written = json.loads(
        (cases_folder() / "case-file.schema.json").read_text(encoding="utf-8")
    )

    assert written == schema()


def test_descriptions_are_facts() -> None:
    """What a case is for is said once, as a fact, without ado."""
    says = [case.why for case in CASES]

    assert [
        why for why in says if "should" in why or why.endswith(".") or not why.strip()
    ] == []


def test_profiles_are_known_and_named_once() -> None:
    """A case names built-in profiles, each once."""
    wrong = [
        case.id
        for case in CASES
        if not set(case.profiles) <= set(names())
        or len(set(case.profiles)) != len(case.profiles)
    ]

    assert wrong == []


def test_every_case_names_a_clause() -> None:
    """Each case says which clause or other part of the rules it is about."""
    assert [
        case.id
        for case in CASES
        if not any(_is_clause(name) for name in (*case.obeys, *case.breaks))
    ] == []


def test_references_are_known() -> None:
    """What a case obeys or breaks is in the register or in the rules."""
    known = {statement.id for statement in register().statements}
    known |= {f"R{row.number}" for row in register().readings}
    known |= {
        f"R{row.number}/{at}"
        for row in register().readings
        for at in range(1, len(row.others) + 1)
    }
    for profile in map(load, names()):
        known |= {*profile.clause_ids, *subjects(profile)}

    assert (
        sorted({name for case in CASES for name in (*case.obeys, *case.breaks)} - known)
        == []
    )


def test_statements_are_of_the_documents_of_the_profiles() -> None:
    """A case names a document only if it runs a profile that the document gives."""
    gives = {
        document.id: {part.id for part in document.profiles}
        for document in register().documents
    }
    wrong = [
        (case.id, name)
        for case in CASES
        for name in (*case.obeys, *case.breaks)
        if name.startswith("D") and not gives[name[:2]] & set(case.profiles)
    ]  # fmt: skip

    assert wrong == []


def test_other_readings_are_played_as_the_register_says_them() -> None:
    """A case that obeys another reading lays just that reading over its profiles."""
    wrong = []
    for case in CASES:
        for name in case.obeys:
            if not name.startswith("R") or "/" not in name:
                continue
            number, _, at = name[1:].partition("/")
            row = register().readings[int(number) - 1]
            other = row.others[int(at) - 1]
            rules = (
                yaml.safe_load(other.overlay)
                if other.overlay
                else {"readings": other.picks}
            )
            laid = {
                part: {**case.rules.get(part, {}), **values}
                for part, values in rules.items()
            }
            if {**case.rules, **laid} != case.rules or not set(case.profiles) <= set(
                row.profiles_of(other)
            ):
                wrong.append((case.id, name))

    assert wrong == []


def test_everything_that_binds_is_shown_kept_and_broken() -> None:
    """Statements, readings and clauses have a case on each side, or a reason why not."""
    assert [str(want) for want in coverage.missing(CASES, excuses())] == []


def test_no_excuse_is_stale() -> None:
    """What `without.yaml` excuses has no case and would want one."""
    assert [str(want) for want in coverage.stale(CASES, excuses())] == []


def _is_clause(name: str) -> bool:
    return name[0].islower()
