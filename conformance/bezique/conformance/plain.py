"""Plain cases: a check written out in the protocol's own JSON, so that any program can run it.

Nothing is left to fill in: positions are whole, cards have their full names.

Terms
    step     a request to send (`ask`) and what is expected of its reply (`expect`)
    pattern  an action with some members left out; an action fits it when those it has are equal
    part     a position with members left out; only those it has are compared

Source: `export` writes these down; its README tells how to judge by them.
"""

from typing import Any

from bezique.conformance import expand, words
from bezique.conformance.case import (
    Choices,
    CountCase,
    Facts,
    LegalCase,
    SolveCase,
    SpecCase,
    StepsCase,
    ViewCase,
)
from bezique.conformance.run_case import is_record
from bezique.conformance.suite import Check
from bezique.conformance.target import rules_of
from bezique.conformance.words import Step
from bezique.engine.rules import Rules

Json = dict[str, Any]


def plain(check: Check) -> Json:
    """Return a check written out."""
    case, rules = check.case, rules_of(check.case, check.profile)
    head: Json = {
        "id": case.id,
        "profile": check.profile,
        "options": dict(case.options),
        "level": case.level,
        "kind": case.kind,
        "origin": case.origin,
        "why": case.why,
        "obeys": list(case.obeys),
        "breaks": list(case.breaks),
    }
    if case.rules:
        head["rules"] = case.rules
    match case:
        case LegalCase():
            steps = [_legal(case, rules)]
        case StepsCase():
            steps = _record(case, rules) if is_record(case) else _actions(case, rules)
        case ViewCase():
            steps = [
                _seen(case, rules) if case.seen is not None else _view(case, rules)
            ]
        case CountCase():
            ask = {"op": "legal", "position": expand.position(case.given, rules)}
            expect = {"ways": {"depth": case.depth, "number": case.expected}}
            steps = [{"ask": ask, "expect": expect}]
        case SolveCase():
            steps = [_solve(case, rules)]
        case SpecCase():
            return {
                **head,
                "question": {"about": case.ask, "given": case.given},
                "answer": case.expected,
            }
    return {**head, "steps": steps}


def _legal(case: LegalCase, rules: Rules) -> Json:
    ask = {"op": "legal", "position": expand.position(case.given, rules)}
    return {"ask": ask, "expect": _choices(case.expected, rules)}


def _choices(expected: Choices, rules: Rules) -> Json:
    if expected.error:
        return {"error": expected.error}
    told = {
        name: [words.pattern(text, rules) for text in getattr(expected, name) or ()]
        for name in ("includes", "excludes", "exactly")
        if getattr(expected, name) is not None
    }
    return {
        "actions": {
            name: some for name, some in told.items() if some or name == "exactly"
        }
    }


def _actions(case: StepsCase, rules: Rules) -> list[Json]:
    steps: list[Json] = []
    lenient = {"lenient": True} if case.lenient else {}
    for step in words.steps(case.steps, rules):
        ask: Json = {"op": "apply", "action": step.action, **lenient}
        if not steps:
            ask["position"] = expand.position(case.given, rules, level=not case.lenient)
        expect = _refused(step) or {"points": _points(step)}
        steps.append({"ask": ask, "expect": expect})
    return _with_part(steps, case.expected)


def _record(case: StepsCase, rules: Rules) -> list[Json]:
    told = words.steps(case.steps, rules)
    ask = {
        "op": "play",
        "profile": rules.profile.name,
        "options": dict(rules.given),
        "dealer": case.given.dealer or "north",
        "actions": [step.action for step in told],
        **({"lenient": True} if case.lenient else {}),
    }
    refused = _refused(told[-1])
    if refused:
        return [{"ask": ask, "expect": {**refused, "step": len(told) - 1}}]
    expect = {"points_of_steps": [_points(step) for step in told]}
    return _with_part([{"ask": ask, "expect": expect}], case.expected)


def _refused(step: Step) -> Json:
    if step.error is not None:
        return {"error": step.error}
    return {} if step.refused is None else {"refused": step.refused}


def _points(step: Step) -> list[Json]:
    told = [text.split() for text in step.points]
    return [
        {"seat": seat, "points": int(number), "for": reason}
        for seat, number, reason in told
    ]


def _with_part(steps: list[Json], expected: Facts) -> list[Json]:
    part = _part(expected)
    if part:
        # A refused step leads nowhere: the position is then that of the step before.
        steps[-1]["expect"]["position"] = part
    return steps


def _part(expected: Facts) -> Json:
    part: Json = {}
    for name, value in expand.named(expected).items():
        if name == "stock.number":
            part["stock_size"] = value
            continue
        *path, last = name.split(".")
        place = part
        for step in path:
            place = place.setdefault(step, {})
        place[last] = value
    return part


def _view(case: ViewCase, rules: Rules) -> Json:
    position = expand.position(case.given, rules)
    ask = {"op": "view", "position": position, "seat": case.seat}
    return {"ask": ask, "expect": {"position": _part(case.expected)}}


def _seen(case: ViewCase, rules: Rules) -> Json:
    ask = {
        "op": "play",
        "profile": rules.profile.name,
        "options": dict(rules.given),
        "dealer": case.given.dealer or "north",
        "seat": case.seat,
        "actions": [step.action for step in words.steps(case.steps, rules)],
    }
    return {"ask": ask, "expect": {"seen_last": list(case.seen or ())}}


def _solve(case: SolveCase, rules: Rules) -> Json:
    ask = {"op": "solve", "position": expand.position(case.given, rules)}
    expected = case.expected
    if expected.error:
        return {"ask": ask, "expect": {"error": expected.error}}
    line = {} if expected.line is None else {"line": words.cards(expected.line)}
    return {"ask": ask, "expect": {"margin": expected.margin, **line}}
