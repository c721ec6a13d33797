"""Reports: a run as JSON lines, the source that every other form is made from.

    header    what was examined, by which suite and rules, what was selected
    result    a check and how it went; one line each
    footer    how many there were of each verdict, and the digest of the lines before it

The footer is mandatory: a report that was cut short is refused, never shown as a good run.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bezique.conformance.case import Case
from bezique.conformance.examinee import Examinee
from bezique.conformance.export import digest, rules_json
from bezique.conformance.plain import plain
from bezique.conformance.suite import (
    VERDICTS,
    Result,
    Selection,
    repeat_command,
)
from bezique.engine.errors import BadRequestError

Json = dict[str, Any]
FORMAT = 1


@dataclass(frozen=True, slots=True)
class Report:
    """A run, as its report tells it."""

    header: Json
    results: tuple[Json, ...]
    footer: Json

    @property
    def counts(self) -> dict[str, int]:
        """Return how many results there are of each verdict."""
        return {name: int(self.footer[name]) for name in VERDICTS}

    @property
    def good(self) -> bool:
        """Return whether every check that was asked passed."""
        return not self.counts["failed"] + self.counts["fault"]


@dataclass(frozen=True, slots=True)
class Run:
    """What a report is made from.

    Attributes:
        cases: The whole suite, for its digest.
        date: When it was, as people write it; '' where that does not matter.
        known: Names of checks that were known to fail.
    """

    examinee: Examinee
    selection: Selection
    results: Sequence[Result]
    cases: Sequence[Case]
    date: str = ""
    known: frozenset[tuple[str, str]] = frozenset()


def report(run: Run) -> Report:
    """Return the report of a run."""
    profiles = sorted({result.check.profile for result in run.results})
    hello = run.examinee.hello
    header = {
        "line": "header",
        "format": FORMAT,
        "suite": {"digest": digest(run.cases), "cases": len(run.cases)},
        "rules": {name: rules_json(name) for name in profiles},
        "target": {
            "name": run.examinee.name,
            "implementation": hello.get("implementation"),
            "version": hello.get("version"),
            "capabilities": list(run.examinee.capabilities),
        },
        "selection": {
            "level": run.selection.level,
            "profiles": list(run.selection.profiles),
            "cases": list(run.selection.cases),
        },
        "date": run.date,
    }
    results = tuple(_result(result, run) for result in run.results)
    count: Counter[str] = Counter(result.verdict for result in run.results)
    lines = [_line(header), *map(_line, results)]
    footer = {
        "line": "footer",
        "results": len(results),
        **{name: count[name] for name in VERDICTS},
        "digest": _digest(lines),
    }
    return Report(header, results, footer)


def lines_of(told: Report) -> str:
    """Return a report as JSON lines."""
    return "".join(
        _line(item) + "\n" for item in (told.header, *told.results, told.footer)
    )


def read_report(path: Path) -> Report:
    """Return the report in a file.

    Raises:
        BadRequestError: It is no report, or was cut short or changed.
    """
    return read_lines(path.read_text(encoding="utf-8"), str(path))


def read_lines(text: str, where: str = "report") -> Report:
    """Return the report that JSON lines tell.

    Raises:
        BadRequestError: They are no report, or were cut short or changed.
    """
    lines = text.splitlines()
    items: list[Json] = []
    for number, line in enumerate(lines, 1):
        try:
            item = json.loads(line)
        except json.JSONDecodeError:
            raise _refused(
                where=f"{where}:{number}", expected="JSON", got=line
            ) from None
        if not isinstance(item, dict):
            raise _refused(where=f"{where}:{number}", expected="an object", got=line)
        items.append(item)
    if not items or items[0].get("line") != "header":
        raise _refused(
            where=f"{where}:1",
            expected="a header",
            got=lines[0] if lines else "nothing",
        )
    if items[0].get("format") != FORMAT:
        raise _refused(
            where=f"{where}:1", expected=f"format {FORMAT}", got=items[0].get("format")
        )
    header, *results, footer = items if len(items) > 1 else [*items, {}]
    if footer.get("line") != "footer":
        raise _refused(
            where=f"{where}:{len(lines)}",
            expected="a footer: it was cut short",
            got=lines[-1],
        )
    if footer["results"] != len(results):
        raise _refused(
            where=where, expected=f"{footer['results']} results", got=len(results)
        )
    if footer["digest"] != _digest(lines[:-1]):
        raise _refused(
            where=where, expected=f"lines of digest {footer['digest']}", got="others"
        )
    return Report(header, tuple(results), footer)


def _refused(*, where: str, expected: str, got: object) -> BadRequestError:
    return BadRequestError(where, expected, got)


def _line(item: Json) -> str:
    return json.dumps(item, ensure_ascii=False, separators=(",", ":"))


def _digest(lines: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def _result(result: Result, run: Run) -> Json:
    check = result.check
    told = plain(check)
    name = (check.case.id, check.profile)
    return {
        "line": "result",
        "case": check.case.id,
        **{key: value for key, value in told.items() if key not in ("id", "steps")},
        "said": _said(check.case),
        "given": _given(told),
        "verdict": result.verdict,
        **({"known": True} if result.bad and name in run.known else {}),
        **({"fault": result.fault} if result.fault else {}),
        "problems": list(result.problems),
        "seconds": round(result.seconds, 4),
        **(
            {
                "repeat": repeat_command(result, run.examinee.name),
                "exchanges": [
                    {"asked": asked, "answered": answered}
                    for asked, answered in result.exchanges
                ],
            }
            if result.bad
            else {}
        ),
    }


def _said(case: Case) -> Json:
    """Return what is done and expected, in the short words of the case."""
    written = case.model_dump(mode="json", exclude_unset=True)
    kept = ("seat", "lenient", "steps", "depth", "seen", "expected", "ask")
    return {name: written[name] for name in kept if name in written}


def _given(told: Json) -> Json | None:
    """Return the position that a check begins with; None where a match does."""
    if "steps" not in told:
        return None
    position: Json | None = told["steps"][0]["ask"].get("position")
    return position
