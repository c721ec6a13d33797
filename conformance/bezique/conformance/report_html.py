"""The HTML report: one file that needs no network, made from a report alone.

    head      what was examined, and how it went, table by table
    matrix    clauses by profiles: how many checks of each clause passed where
    cases     each case once, those that differ first: cards as given, what was expected,
              what was got, the statements and clauses it is about

The page is `data/report.html.jinja`; here is what it shows.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from bezique.conformance.report import Json, Report
from bezique.conformance.report_forms import summary
from bezique.conformance.suite import LEVELS, VERDICTS
from bezique.spec.load import load
from bezique.spec.register import register
from bezique.spec.sentences import sentence
from bezique.spec.words import rank_name, suit_name

DATA = Path(__file__).parent / "data"
CARD = re.compile(r"\b([AKQJT9876])([SHCD])([1-8])?\b")
FACE_DOWN = "??"
RED = "HD"
ZONES = ("hidden", "table")
WORST = ("fault", "failed", "skipped", "passed")


class Cell(NamedTuple):
    """A cell of the matrix: how many checks of a clause in a profile, and how many of them passed."""

    profile: str
    checks: int
    passed: int
    bad: int


class Reference(NamedTuple):
    """What a case is about, in words."""

    name: str
    side: str
    says: str


def html(told: Report) -> str:
    """Return a report as one HTML page."""
    page = _environment().get_template("report.html.jinja")
    profiles = list(told.header["rules"])
    return page.render(
        header=told.header,
        counts=told.counts,
        good=told.good,
        summary=summary(told.counts),
        profiles=profiles,
        tables=[_table(profile, told) for profile in profiles],
        matrix=list(_matrix(told, profiles)),
        cases=_cases(told),
        verdicts=VERDICTS,
        levels=LEVELS,
    )


def drawn(text: object) -> Markup:
    """Return a text with its cards drawn small: `play KS2` shows K♠."""
    parts: list[Markup] = []
    at = 0
    written = str(text)
    for match in CARD.finditer(written):
        parts.append(Markup.escape(written[at : match.start()]))
        rank, suit, copy = match.groups()
        parts.append(
            Markup('<span class="c {}">{}{}{}</span>').format(
                "red" if suit in RED else "black",
                rank_name("en", rank, "short"),
                suit_name("en", suit, "short"),
                _copy(copy or ""),
            )
        )
        at = match.end()
    parts.append(Markup.escape(written[at:]))
    return Markup().join(parts)


@cache
def _environment() -> Environment:
    found = Environment(
        loader=FileSystemLoader(DATA),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters |= {"drawn": drawn, "card": _card, "compact": _compact}
    return found


def _table(profile: str, told: Report) -> Json:
    results = [item for item in told.results if item["profile"] == profile]
    count = {
        name: sum(item["verdict"] == name for item in results) for name in VERDICTS
    }
    return {
        "profile": profile,
        "rules": told.header["rules"][profile],
        "checks": len(results),
        **count,
    }


def _matrix(told: Report, profiles: list[str]) -> Iterator[tuple[str, list[Cell]]]:
    """Yield a row for each clause that a case is about, those that differ somewhere first."""
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for result in told.results:
        for name in {*result["obeys"], *result["breaks"]}:
            if name[0].islower():
                found[name, result["profile"]].append(result["verdict"])
    clauses = {name: False for name, _ in found}
    for (name, _), verdicts in found.items():
        clauses[name] |= any(item in ("failed", "fault") for item in verdicts)
    for clause in sorted(clauses, key=lambda name: (not clauses[name], name)):
        row = []
        for profile in profiles:
            verdicts = found.get((clause, profile), [])
            bad = sum(item in ("failed", "fault") for item in verdicts)
            row.append(Cell(profile, len(verdicts), verdicts.count("passed"), bad))
        yield clause, row


def _cases(told: Report) -> list[Json]:
    groups: dict[str, list[Json]] = defaultdict(list)
    for result in told.results:
        groups[result["case"]].append(result)
    cases = [_case(results) for results in groups.values()]
    return sorted(cases, key=lambda case: WORST.index(case["verdict"]))


def _case(results: list[Json]) -> Json:
    shown = min(results, key=lambda item: WORST.index(item["verdict"]))
    return {
        "id": shown["case"],
        "why": shown["why"],
        "kind": shown["kind"],
        "level": shown["level"],
        "origin": shown["origin"],
        "rules": shown.get("rules"),
        "options": shown["options"],
        "verdict": shown["verdict"],
        "profile": shown["profile"],
        "position": _position(shown["given"]),
        "said": shown["said"],
        "expected": list(_expected(shown["said"].get("expected"))),
        "results": results,
        "references": list(_references(shown)),
        "clauses": sorted({*shown["obeys"], *shown["breaks"]}),
    }


def _position(given: Json | None) -> Json | None:
    """Return a position as it is drawn: what lies where, empty places left out."""
    if given is None or given["phase"] == "deal":
        return None
    return {
        "phase": given["phase"],
        "turn": given["turn"],
        "trump": given["trump"],
        "led": given["led"],
        "turn_up": given["turn_up"],
        "stock": len(given["stock"]),
        "seats": [
            {
                "seat": seat,
                "points": given["points"][seat],
                "hidden": given["hidden"][seat],
                "table": given["table"][seat],
                "won": given["won"][seat],
                "scored": [item for item in given["scored"] if item["seat"] == seat],
                "pending": [item for item in given["pending"] if item["seat"] == seat],
            }
            for seat in given["hidden"]
        ],
        "sevens": given["sevens"],
        "declared": given["declared"],
    }


def _expected(expected: Any) -> Iterator[tuple[str, str]]:  # noqa: ANN401
    """Yield what is expected, name by name, in words."""
    if not isinstance(expected, dict):
        if expected is not None:
            yield "", str(expected)
        return
    for name, value in expected.items():
        yield name.replace("_", " "), _words(value)


def _words(value: Any) -> str:  # noqa: ANN401
    if isinstance(value, dict):
        return ", ".join(f"{name} {_words(inner)}" for name, inner in value.items())
    if isinstance(value, list):
        return "; ".join(map(_words, value)) or "none"
    if value is None or value == "":
        return "none"
    return (
        {True: "yes", False: "no"}.get(value, str(value))
        if isinstance(value, bool)
        else str(value)
    )


def _references(result: Json) -> Iterator[Reference]:
    for side in ("obeys", "breaks"):
        for name in result[side]:
            yield Reference(name, side, _says(name, result["profile"]))


@cache
def _says(name: str, profile: str) -> str:
    """Return what a statement, a row of the readings or a clause says; '' where it has no words."""
    if name[0] == "D":
        return next(
            (item.says for item in register().statements if item.id == name), ""
        )
    if name[0] == "R":
        number, _, other = name[1:].partition("/")
        row = register().readings[int(number) - 1]
        reading = (
            row.others[int(other) - 1].says if other else row.reading.get(profile, "")
        )
        return f"{row.question} {reading}"
    try:
        return sentence(load(profile), "en", name)
    except (LookupError, ValueError):
        return ""


def _card(text: str) -> Markup:
    """Return a card as it is drawn large."""
    if text == FACE_DOWN:
        return Markup(
            '<span class="card back" role="img" aria-label="a hidden card"></span>'
        )
    rank, suit = text[0], text[1]
    return Markup(
        '<span class="card {}" role="img" aria-label="{}"><b>{}</b><i>{}</i>{}</span>'
    ).format(
        "red" if suit in RED else "black",
        f"{rank_name('en', rank)} of {suit_name('en', suit)}",
        rank_name("en", rank, "short"),
        suit_name("en", suit, "short"),
        _copy(text[2:]),
    )


def _copy(copy: str) -> Markup:
    """Return the mark of a second copy: which of two like cards it is may be the point."""
    return Markup("") if copy in ("", "1") else Markup("<sub>{}</sub>").format(copy)


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
