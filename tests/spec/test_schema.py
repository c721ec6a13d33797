"""The JSON Schema of rule files: what it accepts, refuses and explains."""

import pytest
from jsonschema import Draft202012Validator

from bezique.spec import built_in, load, names, rule_file_schema, show_profile
from bezique.spec.source import read_text
from bezique.spec.vocabulary import EFFECTS, FACTS, FUNCTIONS

SCHEMA = rule_file_schema()


def faults(text: str) -> list[str]:
    """Return where a rule file breaks the schema, as JSON paths."""
    value = read_text(text, "rules.yaml").value
    found = Draft202012Validator(SCHEMA).iter_errors(value)
    return sorted(fault.json_path for fault in found)


def test_schema_is_a_schema_of_draft_2020_12() -> None:
    """The draft's own schema says so."""
    assert SCHEMA["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("name", built_in())
def test_built_in_file_fits(name: str) -> None:
    """Overlays leave keys out, and the base has no name."""
    assert faults(built_in()[name].read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("name", names())
def test_flattened_profile_fits(name: str) -> None:
    """A file without a base has every key."""
    assert faults(show_profile(load(name))) == []


@pytest.mark.parametrize(
    "text",
    [
        "values: {target: null}",
        "melds: {bezique: null}",
        "melds: {bezique: {points: 50}}",
        "terms: {best: null, spare: 7}",
        "series: {dealer: {seat: north}}",
        "after: {stock/end: {do: [gather()]}}",
        "deal: {packets: {8: 8}}",
    ],
)
def test_part_of_a_mapping_and_null_fit(text: str) -> None:
    """Mappings are merged, and null takes an item away."""
    assert faults(f"based_on: base\n{text}\n") == []


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("colour: red", "$"),
        ("deck: {backs: blue}", "$.deck"),
        ("melds: {bezique: {worth: 50}}", "$.melds.bezique"),
        ("melds: {Bezique: {points: 50}}", "$.melds"),
        ("actions: {draw: {undo: []}}", "$.actions.draw"),
        ("actions: {draw: {do: [{when: true, do: []}]}}", "$.actions.draw"),
        ("actions: {draw: {do: [{if: true}]}}", "$.actions.draw"),
        ("series: {dealer: {by: vote}}", "$.series"),
        ("values: {target: many}", "$.values.target"),
        ("readings: [growth]", "$.readings"),
        ("version: 1.0", "$.version"),
    ],
)
def test_what_no_rule_file_has_is_refused(text: str, path: str) -> None:
    """Unknown keys, names of another form, other kinds of values."""
    found = faults(f"based_on: base\n{text}\n")

    assert found
    assert all(path.startswith(place) for place in found)


def test_descriptions_name_what_an_editor_can_complete() -> None:
    """Every fact and function of expressions, every effect of statements."""
    expression = SCHEMA["$defs"]["Expression"]["description"]
    statement = SCHEMA["$defs"]["Statement"]["description"]

    assert [name for name in (*FACTS, *FUNCTIONS) if name not in expression] == []
    assert [name for name in EFFECTS if f"`{name}(" not in statement] == []
