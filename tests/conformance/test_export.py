"""Exports: plain JSON that needs neither this program nor Python."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from bezique.conformance.export import export
from bezique.conformance.files import all_cases
from bezique.conformance.suite import checks

CASES = all_cases()
SOME = tuple(CASES[::9])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an export of each ninth case."""
    place = tmp_path_factory.mktemp("suite")
    export(SOME, place)
    return place


def read(folder: Path) -> list[dict[str, Any]]:
    """Return every check of an export."""
    return [
        item
        for file in sorted(folder.glob("*/*.json"))
        for item in json.loads(file.read_text("utf-8"))
    ]


def test_every_check_is_written_once(folder: Path) -> None:
    """Each case in each of its profiles stands in one file."""
    written = [f"{item['id']}@{item['profile']}" for item in read(folder)]

    assert sorted(written) == sorted(check.name for check in checks(SOME))


def test_checks_fit_their_schema(folder: Path) -> None:
    """The schema beside the cases describes each of them."""
    schema = json.loads((folder / "case.schema.json").read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)

    assert [
        error.message for item in read(folder) for error in validator.iter_errors(item)
    ] == []


def test_export_tells_what_it_is(folder: Path) -> None:
    """The digest of the suite, the rules and the numbers of checks are told."""
    suite = json.loads((folder / "suite.json").read_text("utf-8"))

    counts = [number for part in suite["checks"].values() for number in part.values()]
    assert sum(counts) == len(checks(SOME))
    assert {"version", "digest"} == set(suite["rules"]["luso"])


def test_readme_names_every_expectation(folder: Path) -> None:
    """Whatever an `expect` may hold is explained."""
    readme = (folder / "README.md").read_text("utf-8")
    schema = json.loads((folder / "case.schema.json").read_text("utf-8"))

    for name in schema["$defs"]["expect"]["properties"]:
        assert f"`{name}" in readme


def test_requests_carry_no_expectation(folder: Path) -> None:
    """What is sent and what is expected are apart."""
    for item in read(folder):
        for step in item.get("steps", ()):
            assert "expect" not in json.dumps(step["ask"])
