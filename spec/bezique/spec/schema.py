"""Schema: rule files as a JSON Schema, for editors.

`bezique.spec.surface` describes a whole file; most files are overlays.  So wherever
files are merged, every key can be left out and `null` takes an item of the base away.
A list, and what is in it, is never merged, so it keeps its needs.

Source: JSON Schema, draft 2020-12.
"""

from collections.abc import Mapping
from typing import Any, TypeAlias

from bezique.spec.surface import ProfileText
from bezique.spec.vocabulary import (
    EFFECTS,
    FACTS,
    FUNCTIONS,
    MELD_PARTS,
    SPECIAL_FUNCTIONS,
)

__all__ = ["rule_file_schema"]

Schema: TypeAlias = dict[str, Any]

_WHOLE = ("WhenText", "ForText")
"""Definitions that stand in lists alone."""


def rule_file_schema() -> Schema:
    """Return the JSON Schema of a single rule file, with or without a base.

    >>> rule_file_schema()["properties"]["based_on"]["type"]
    'string'
    """
    schema = ProfileText.model_json_schema(by_alias=True)
    definitions = schema.pop("$defs")
    expression = {
        "description": _expressions(),
        "type": ["string", "integer", "boolean", "null"],
    }
    statement = {
        "description": _statements(),
        "anyOf": [
            {"type": "string"},
            {"$ref": "#/$defs/WhenText"},
            {"$ref": "#/$defs/ForText"},
        ],
    }
    top = _merged(_referring(schema))
    top["properties"] = {
        "based_on": {
            "type": "string",
            "description": "the rule file below this one, which names only differences",
        },
        **top["properties"],
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **top,
        "title": "A rule file",
        "$defs": {
            "Expression": expression,
            "Statement": statement,
            **{
                name: _referring(item) if name in _WHOLE else _merged(_referring(item))
                for name, item in definitions.items()
            },
        },
    }


def _referring(schema: Any) -> Any:  # noqa: ANN401  (a schema holds anything)
    """Return a schema with expressions and statements named, not repeated."""
    if isinstance(schema, list):
        return [_referring(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    description = str(schema.get("description", ""))
    for start, name in (("an expression", "Expression"), ("a statement", "Statement")):
        if description.startswith(start):
            return {"$ref": f"#/$defs/{name}"}
    return {
        key: _referring(item)
        for key, item in schema.items()
        if not (key == "title" and isinstance(item, str))
    }


def _merged(schema: Schema) -> Schema:
    """Return the schema of a mapping of which a file may give a part."""
    found = {key: item for key, item in schema.items() if key != "required"}
    for group in ("properties", "patternProperties"):
        if group in found:
            found[group] = {
                name: _removable(_part(item)) for name, item in found[group].items()
            }
    if isinstance(found.get("additionalProperties"), dict):
        found["additionalProperties"] = _removable(_part(found["additionalProperties"]))
    elif "patternProperties" in found:
        found["additionalProperties"] = False
    return found


def _part(schema: Schema) -> Schema:
    """Return the schema of an item: mappings and their unions can be given in part."""
    if "oneOf" in schema:
        # A part of a mapping may be a part of several forms.
        rest = {k: v for k, v in schema.items() if k not in ("oneOf", "discriminator")}
        return {**rest, "anyOf": schema["oneOf"]}
    return _merged(schema) if schema.get("type") == "object" else schema


def _removable(schema: Schema) -> Schema:
    """Return a schema that also lets null take an item away."""
    described = (
        {"description": schema["description"]} if "description" in schema else {}
    )
    return {**described, "anyOf": [schema, {"type": "null"}]}


def _expressions() -> str:
    names = (
        ("facts", FACTS),
        ("functions", (*FUNCTIONS, *SPECIAL_FUNCTIONS, "any", "all", "sum")),
        ("parts of a meld", MELD_PARTS),
    )
    listed = "; ".join(f"{what}: {', '.join(group)}" for what, group in names)
    return f"an expression of the rules language, such as `suit(c) == trump`; {listed}"


def _statements() -> str:
    return (
        "a statement: `trump = s`, `sevens += card`, `{if: …, do: […], else: […]}`, "
        f"`{{for: p in seats, do: […]}}`, or an effect: {_calls(EFFECTS)}"
    )


def _calls(effects: Mapping[str, tuple[object, ...]]) -> str:
    return ", ".join(
        f"`{name}({', '.join(map(str, kinds))})`" for name, kinds in effects.items()
    )
