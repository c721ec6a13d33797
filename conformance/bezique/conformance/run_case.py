"""Running a case against a target, and telling what differs.

A refusal counts by being a refusal; the clause it names is compared when it is one that the
rules of the case know, since another program may have names of its own.
"""

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from bezique.conformance import expand, words
from bezique.conformance.case import (
    Case,
    CountCase,
    LegalCase,
    SolveCase,
    SpecCase,
    StepsCase,
    ViewCase,
)
from bezique.conformance.spec_case import facts_asked
from bezique.conformance.target import BuiltIn, FaultError, Target, rules_of, table
from bezique.conformance.words import CaseError, Step
from bezique.engine.rules import Rules

Json = dict[str, Any]

NO_POINTS = "no points"
REFUSALS = ("illegal-action", "bad-request")
"""A meld that a table has not, or a third copy, may be unknown to it rather than illegal."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a case went under one profile; without problems it passed."""

    case: str
    profile: str
    problems: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Return whether nothing differed from what was expected."""
        return not self.problems


def run(case: Case, profile: str, target: Target | None = None) -> Outcome:
    """Return how a case goes under one of its profiles.

    Args:
        case: Any case.
        profile: One of its profiles.
        target: Who is asked; this project's own referee when left out.

    Raises:
        FaultError: The target gave no answer that can be judged.
    """
    rules = rules_of(case, profile)
    asked = target or BuiltIn(table(case, profile))
    try:
        problems = tuple(_problems(case, rules, asked))
    except CaseError:
        raise  # the case is at fault, no reply
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        # Replies are taken apart as the protocol writes them; one that is built otherwise
        # shows here, whatever part of it was looked for.
        detail = f"a reply of another shape: {error!r}"
        raise FaultError(kind="garbage", detail=detail) from error
    return Outcome(case.id, profile, problems)


def _problems(case: Case, rules: Rules, target: Target) -> Iterator[str]:
    match case:
        case LegalCase():
            yield from _legal(case, rules, target)
        case StepsCase():
            yield from _steps(case, rules, target)
        case ViewCase():
            yield from _view(case, rules, target)
        case CountCase():
            start = expand.position(case.given, rules)
            try:
                got = _count(target, start, case.depth)
            except _RefusedError as refused:
                yield f"number of ways: expected {case.expected}, got {refused}"
            else:
                yield from _differs("number of ways", case.expected, got)
        case SolveCase():
            yield from _solve(case, rules, target)
        case SpecCase():
            yield from _differs(case.ask, case.expected, facts_asked(case, rules))


def is_record(case: StepsCase) -> bool:
    """Return whether a case is sent as one record: it starts a match."""
    return case.given.phase == "deal" and not case.given.results


def _differs(what: str, expected: object, got: object) -> Iterator[str]:
    if expected != got:
        yield f"{what}: expected {expected}, got {got}"


def _facts_differ(facts: Json, got: Json) -> Iterator[str]:
    for name, value in expand.facts_of(got, facts).items():
        yield from _differs(name, facts[name], value)


def _legal(case: LegalCase, rules: Rules, target: Target) -> Iterator[str]:
    reply = target.ask({"op": "legal", "position": expand.position(case.given, rules)})
    expected = case.expected
    if expected.error or "error" in reply:
        yield from _differs("error", expected.error, reply.get("error", {}).get("code"))
        return
    actions: list[Json] = reply["ok"]["actions"]
    says = partial(words.fits, rules=rules)
    for text in expected.includes:
        if not any(says(action, text) for action in actions):
            yield f"legal: expected {text}, got none of it"
    for text in expected.excludes:
        yield from (
            f"legal: expected no {text}, got {words.said(action)}"
            for action in actions
            if says(action, text)
        )
    if expected.exactly is not None:
        for action in actions:
            if not any(says(action, text) for text in expected.exactly):
                yield f"legal: expected only {', '.join(expected.exactly)}, got {words.said(action)}"
        for text in expected.exactly:
            if not any(says(action, text) for action in actions):
                yield f"legal: expected {text}, got none of it"


def _steps(case: StepsCase, rules: Rules, target: Target) -> Iterator[str]:
    steps = words.steps(case.steps, rules)
    if is_record(case):
        after = yield from _record(case, steps, rules, target)
    else:
        after = yield from _one_by_one(case, steps, rules, target)
    if after is not None:
        yield from _facts_differ(expand.named(case.expected), after)


def _record(
    case: StepsCase, steps: tuple[Step, ...], rules: Rules, target: Target
) -> Generator[str, None, Json | None]:
    """Send a match from its start as one record; a refusal is expected at the end only."""
    request = {
        "op": "play",
        "profile": rules.profile.name,
        "options": dict(rules.given),
        "dealer": case.given.dealer or "north",
        "actions": [step.action for step in steps],
        **({"lenient": True} if case.lenient else {}),
    }
    reply = target.ask(request)
    last = steps[-1]
    if last.refused is not None or last.error is not None:
        if "error" not in reply:
            yield f"{last.text}: expected a refusal, got an answer"
            return None
        yield from _differs("step", len(steps) - 1, reply["error"].get("step"))
        yield from _refusal(last, reply["error"], rules)
        return None
    if "error" in reply:
        yield f"record: expected no refusal, got {_error(reply['error'])}"
        return None
    for step, told in zip(steps, reply["ok"]["steps"], strict=True):
        yield from _points(step, told["events"])
    after: Json = reply["ok"]["position"]
    return after


def _one_by_one(
    case: StepsCase, steps: tuple[Step, ...], rules: Rules, target: Target
) -> Generator[str, None, Json | None]:
    """Send each action with the position that the one before led to; a refused one leads nowhere."""
    position = expand.position(case.given, rules, level=not case.lenient)
    extra = {"lenient": True} if case.lenient else {}
    for step in steps:
        reply = target.ask(
            {"op": "apply", "position": position, "action": step.action, **extra}
        )
        if step.refused is not None or step.error is not None:
            if "error" not in reply:
                yield f"{step.text}: expected a refusal, got {_told(reply['ok']['events'])}"
                return None
            yield from _refusal(step, reply["error"], rules)
        elif "error" in reply:
            yield f"{step.text}: expected no refusal, got {_error(reply['error'])}"
            return None
        else:
            yield from _points(step, reply["ok"]["events"])
            position = reply["ok"]["position"]
    return position


def _told(events: list[Json]) -> str:
    """Return the points of events in the words of a step."""
    points = [event for event in events if event["event"] == "points"]
    told = (f"{event['seat']} {event['points']} {event['for']}" for event in points)
    return ", ".join(told) or NO_POINTS


def _error(error: Json) -> str:
    """Return an error in words: its code, and what it says."""
    said = error.get("clause") or error.get("message")
    return f"{error['code']} ({said})" if said else str(error["code"])


def _points(step: Step, events: list[Json]) -> Iterator[str]:
    got = _told(events)
    expected = ", ".join(step.points) or NO_POINTS
    if expected != got:
        yield f"{step.text}: expected {expected}, got {got}"


def _refusal(step: Step, error: Json, rules: Rules) -> Iterator[str]:
    if step.error is not None:
        yield from _differs(f"{step.text}: code", step.error, error["code"])
        return
    if error["code"] not in REFUSALS:
        yield f"{step.text}: expected a refusal, got {error['code']}"
    clause = error.get("clause")
    if clause in rules.profile.clause_ids or str(clause).startswith("deal/"):
        yield from _differs(f"{step.text}: clause", step.refused, clause)


def _view(case: ViewCase, rules: Rules, target: Target) -> Iterator[str]:
    if case.seen is not None:
        steps = words.steps(case.steps, rules)
        request = {
            "op": "play",
            "profile": rules.profile.name,
            "options": dict(rules.given),
            "dealer": case.given.dealer or "north",
            "seat": case.seat,
            "actions": [step.action for step in steps],
        }
        reply = target.ask(request)
        if "error" in reply:
            yield f"record: expected no refusal, got {_error(reply['error'])}"
            return
        told = reply["ok"]["steps"][-1]["seen"]
        for event in case.seen:
            if event not in told:
                yield f"seen by {case.seat}: expected {event}, got {told}"
        return
    position = expand.position(case.given, rules)
    reply = target.ask({"op": "view", "position": position, "seat": case.seat})
    if "error" in reply:
        yield f"view: expected no error, got {_error(reply['error'])}"
        return
    yield from _facts_differ(expand.named(case.expected), reply["ok"]["position"])


def _solve(case: SolveCase, rules: Rules, target: Target) -> Iterator[str]:
    position = expand.position(case.given, rules)
    reply = target.ask({"op": "solve", "position": position})
    expected = case.expected
    if expected.error or "error" in reply:
        yield from _differs("error", expected.error, reply.get("error", {}).get("code"))
        return
    yield from _differs("margin", expected.margin, reply["ok"]["margin"])
    if expected.line is not None:
        yield from _differs("line", words.cards(expected.line), reply["ok"]["line"])


class _RefusedError(Exception):
    """A request of which none is refused was."""


def _count(target: Target, position: Json, depth: int) -> int:
    """Return how many ways a position can be played on, to a depth in actions."""
    found = _granted(target, {"op": "legal", "position": position})
    actions: list[Json] = found["actions"]
    if depth == 1:
        return len(actions)
    after = (
        _granted(target, {"op": "apply", "position": position, "action": action})
        for action in actions
    )
    return sum(_count(target, reply["position"], depth - 1) for reply in after)


def _granted(target: Target, request: Json) -> Json:
    reply = target.ask(request)
    if "error" in reply:
        raise _RefusedError(_error(reply["error"]))
    answer: Json = reply["ok"]
    return answer
