"""Shape: is a flattened rule file built as the surface says?

Pydantic finds the faults; here they get the words of rule files and a place in them.

Source: `bezique.spec.surface`.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from pydantic import ValidationError

from bezique.spec.codes import Code
from bezique.spec.problem import Mark, Problem, shortened
from bezique.spec.source import Path, Text, path_text
from bezique.spec.surface import PATTERNS, ProfileText

_EXPECTED = {
    "string_type": "a text",
    "int_type": "a whole number",
    "bool_type": "true or false",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "list_type": "a list",
    "too_short": "a list of at least {min_length}",
    "greater_than_equal": "a number from {ge} up",
    "less_than_equal": "a number up to {le}",
    "literal_error": "{expected}",
    "union_tag_invalid": "{expected_tags}",
}


class _Fault(NamedTuple):
    """A fault without what was expected: kinds of one value fail together."""

    mark: Mark
    got: str
    path: str
    code: Code


def shaped(text: Text) -> ProfileText | None:
    """Return the surface of a file, or None after noting what is wrong with its shape."""
    try:
        return ProfileText.model_validate(text.value)
    except ValidationError as error:
        # An item that is not even sound YAML has no second fault.
        unsound = {problem.mark for problem in text.problems}
        expected: dict[_Fault, list[str]] = {}
        for found in error.errors(include_url=False):
            fault, wanted = _fault(found, text)
            expected.setdefault(fault, []).append(wanted)
        text.problems += [
            Problem(
                fault.mark,
                " or ".join(dict.fromkeys(wanted)),
                fault.got,
                fault.path,
                fault.code,
            )
            for fault, wanted in expected.items()
            if fault.mark not in unsound
        ]
        return None


def _fault(found: Mapping[str, Any], text: Text) -> tuple[_Fault, str]:
    """Return one of Pydantic's faults in our words, and what was expected."""
    location, kind, value = found["loc"], found["type"], found["input"]
    path = _known_path(location, text)
    last = location[-1]
    if kind == "missing":
        at = path_text((*path, last))
        return _Fault(text.mark(path), "none", at, "missing-key"), f"the key {last!r}"
    if kind == "union_tag_not_found":
        at = path_text((*path, "by"))
        return _Fault(text.mark(path), "none", at, "missing-key"), "the key 'by'"
    got = _got(value)
    if kind == "extra_forbidden":
        fault = _Fault(text.key_mark(path), _got(last), path_text(path), "unknown-key")
        return fault, "a key of the language"
    context = found.get("ctx", {})
    if kind == "union_tag_invalid":
        path, got = (*path, "by"), repr(context["tag"])
    if kind == "string_pattern_mismatch":
        wanted = PATTERNS[context["pattern"]]
    else:
        wanted = _EXPECTED[kind].format(**context)
    mark = text.key_mark(path) if last == "[key]" else text.mark(path)
    return _Fault(mark, got, path_text(path), "shape"), wanted


def _got(value: object) -> str:
    """Return a value as messages show it."""
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list" if value else "an empty list"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return shortened(repr(value))


def _known_path(location: tuple[str | int, ...], text: Text) -> Path:
    """Return the part of a location that the file has; tags of unions are left out."""
    path: Path = ()
    for step in location:
        if (*path, step) in text.marks:
            path = (*path, step)
    return path
