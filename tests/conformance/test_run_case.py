"""Running: a target that errs is found out."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from bezique.conformance.case import Case
from bezique.conformance.files import all_cases
from bezique.conformance.run_case import run
from bezique.conformance.target import BuiltIn, table

Json = dict[str, Any]
CASES = {case.id: case for case in all_cases()}


class Altered:
    """The built-in referee with its replies altered."""

    def __init__(self, case: Case, profile: str, alter: Callable[[Json], Json]) -> None:
        self.inner, self.alter = BuiltIn(table(case, profile)), alter

    def ask(self, request: Json) -> Json:
        """Return the altered reply."""
        return self.alter(self.inner.ask(request))


def problems(name: str, alter: Callable[[Json], Json]) -> tuple[str, ...]:
    """Return what is found when replies to a case are altered."""
    case = CASES[name]
    return run(case, case.profiles[0], Altered(case, case.profiles[0], alter)).problems


def replaced(reply: Json, old: str, new: str) -> Json:
    """Return a reply with a piece of its JSON replaced."""
    altered: Json = json.loads(json.dumps(reply).replace(old, new))
    return altered


def no_points(reply: Json) -> Json:
    """Leave out the points."""
    return replaced(reply, '"event": "points"', '"event": "none"')


def twice_the_points(reply: Json) -> Json:
    """Score twice as much for the meld."""
    return replaced(reply, '"points": 40, "for"', '"points": 80, "for"')


def everything_legal(_: Json) -> Json:
    """Let anything pass."""
    return {"ok": {"actions": [], "events": [], "position": {}}}


def nothing_legal(_: Json) -> Json:
    """Refuse anything."""
    return {
        "error": {"code": "illegal-action", "clause": "declare/when", "message": "no"}
    }


def other_clause(reply: Json) -> Json:
    """Refuse for another reason."""
    return (
        {"error": {**reply["error"], "clause": "draw/when"}}
        if "error" in reply
        else reply
    )


def clause_of_its_own(reply: Json) -> Json:
    """Refuse by a clause that is not ours."""
    return (
        {"error": {**reply["error"], "clause": "my-rule-7"}}
        if "error" in reply
        else reply
    )


def no_actions(reply: Json) -> Json:
    """Find nothing legal."""
    return {"ok": {**reply["ok"], "actions": []}}


@pytest.mark.parametrize(
    ("name", "alter", "told"),
    [
        (
            "royal-marriage-scores-40",
            no_points,
            "expected south 40 royal-marriage, got no points",
        ),
        (
            "royal-marriage-scores-40",
            twice_the_points,
            "got south 80 royal-marriage",
        ),
        ("royal-marriage-scores-40", nothing_legal, "expected no refusal"),
        (
            "new-queen-renews-no-marriage",
            everything_legal,
            "expected a refusal, got no points",
        ),
        (
            "new-queen-renews-no-marriage",
            other_clause,
            "clause: expected declare/reuse, got draw/when",
        ),
        (
            "strict-beat-the-card-led",
            no_actions,
            "legal: expected play AS, got none of it",
        ),
        (
            "strict-beat-the-card-led",
            nothing_legal,
            "error: expected None, got illegal-action",
        ),
        ("view-hides-the-other-hand", nothing_legal, "view: expected no error"),
        (
            "position-shown-after-the-stock",
            everything_legal,
            "error: expected bad-position, got None",
        ),
        ("turned-seven-pays-the-dealer", nothing_legal, "record: expected no refusal"),
        ("count-two-leads", no_actions, "number of ways: expected 2, got 0"),
    ],
)
def test_wrong_reply_is_told(
    name: str, alter: Callable[[Json], Json], told: str
) -> None:
    """Each wrong reply fails its case, for its own reason."""
    assert any(told in problem for problem in problems(name, alter)), problems(
        name, alter
    )


def test_refusal_by_a_clause_of_its_own_counts() -> None:
    """A refusal counts by being one; a name that is not ours is not compared."""
    assert problems("new-queen-renews-no-marriage", clause_of_its_own) == ()


def test_wrong_position_is_told() -> None:
    """A fact of the position after the last step that differs is told by its name."""

    def shifted(reply: Json) -> Json:
        reply["ok"]["position"]["trump"] = "S"
        return reply

    assert problems("first-marriage-makes-trumps", shifted) == (
        "trump: expected H, got S",
    )
