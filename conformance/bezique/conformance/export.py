"""Exports: the suite as plain JSON files that need neither this program nor Python.

README.md             how to judge a program by them
suite.json            what the suite is: its digest, the rules, how many checks where
case.schema.json      the JSON Schema of a check
cases/luso.json       the checks of a profile
readings/luso.json    checks of other readings of it, each with the rules it lays over
beside/luso.json      questions that the protocol does not carry: packets, the cut, the series
"""

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bezique.conformance.case import Case, SpecCase
from bezique.conformance.plain import plain
from bezique.conformance.suite import Check, checks
from bezique.spec.load import load

Json = dict[str, Any]
HERE = Path(__file__).parent
FORMAT = 1
PARTS = {
    "cases": "asked at the table as it is",
    "readings": "asked of a program that plays another reading",
    "beside": "beside the protocol",
}


def export(cases: Iterable[Case], folder: Path) -> Json:
    """Write the suite into a folder, and return what `suite.json` says.

    Args:
        cases: What is written.
        folder: Where to; made if it is not there.
    """
    found = tuple(cases)
    counts: dict[str, dict[str, int]] = {part: {} for part in PARTS}
    written: dict[tuple[str, str], list[Json]] = {}
    for check in checks(found):
        written.setdefault((part_of(check), check.profile), []).append(plain(check))
    folder.mkdir(parents=True, exist_ok=True)
    for (part, profile), items in sorted(written.items()):
        counts[part][profile] = len(items)
        place = folder / part / f"{profile}.json"
        place.parent.mkdir(exist_ok=True)
        place.write_text(_list_text(items), encoding="utf-8")
    suite = {
        "format": FORMAT,
        "suite": digest(found),
        "rules": {name: rules_json(name) for name in sorted(_profiles(found))},
        "checks": counts,
    }
    (folder / "suite.json").write_text(
        json.dumps(suite, indent=2) + "\n", encoding="utf-8"
    )
    for name, source in (
        ("case.schema.json", "plain-case.schema.json"),
        ("README.md", "export-readme.md"),
    ):
        text = (HERE / "data" / source).read_text(encoding="utf-8")
        (folder / name).write_text(text, encoding="utf-8")
    return suite


def part_of(check: Check) -> str:
    """Return the part of an export that a check stands in."""
    if isinstance(check.case, SpecCase):
        return "beside"
    return "readings" if check.case.rules else "cases"


def digest(cases: Iterable[Case]) -> str:
    """Return a short digest of cases, the same for the same cases whatever their files."""
    texts = sorted(case.model_dump_json(exclude_unset=True) for case in cases)
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:12]


def rules_json(name: str) -> Json:
    """Return the version and digest of a profile's rules."""
    profile = load(name)
    return {"version": profile.version, "digest": profile.digest}


def _profiles(cases: Iterable[Case]) -> set[str]:
    return {profile for case in cases for profile in case.profiles}


def _list_text(items: Iterable[Json]) -> str:
    # A line a check: a difference between two exports shows which checks changed.
    lines = ",\n".join(json.dumps(item, ensure_ascii=False) for item in items)
    return f"[\n{lines}\n]\n"
