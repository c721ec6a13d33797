"""Wrong engines: each fails, for its own reason, and each case finds one of them out."""

from collections.abc import Iterator

import pytest

from bezique.conformance.case import Case, SpecCase
from bezique.conformance.examinee import greeted
from bezique.conformance.files import all_cases
from bezique.conformance.run_case import run
from bezique.conformance.spec_case import answer
from bezique.conformance.suite import (
    Check,
    Selection,
    checks,
    chosen,
    run_check,
    run_suite,
)
from bezique.conformance.target import FaultError, library, rules_of
from bezique.engine.rules import Rules
from bezique.spec.load import load_text
from tests.conformance.wrong_engines import WRONG_ENGINES, WrongEngine

CASES = {case.id: case for case in all_cases()}
EVERYWHERE = (
    "never-refuses",
    "refuses-all",
    "pays-nothing",
    "believes-all",
    "shows-all",
    "shows-nothing",
    "solves-nothing",
)
NO_TABLE_SAYS_OTHERWISE = {
    "cut-equal-cards-again": "equal cards decide nothing, whatever the ranks",
}
OTHER_TABLES = """
deck: {ranks: 7 8 9 T J Q K A}
deal: {packets: {8: 2 3 3, 9: 2 3 4, 10: 2 3 3 2}}
series: {dealer: {by: lot}}
views: {count: false}
"""
FREE_OPTIONS = {
    "boussac": "options: {target: {min: 0}, hand_size: {values: [8, 9, 10, 11]}}\n"
    "deal: {packets: {11: 3 3 3 2}}",
    "luso": "options: {target: {values: [1000, 1200, 1500]}}",
    "luso-blind": "options: {target: {values: [1000, 1200, 1500]}}",
    "luso-four-pack": "options: {target: {values: [1000, 1200, 1500]}, hand_size: {values: [7, 8, 9]}}\n"
    "deal: {packets: {7: 3 2 2}}",
}


def test_there_are_more_than_a_dozen() -> None:
    """The suite is held against many wrong engines, each with a fault of its own."""
    faults = {engine.says for engine in WRONG_ENGINES.values()}

    assert len(faults) == len(WRONG_ENGINES) > 12


@pytest.mark.parametrize("name", WRONG_ENGINES)
def test_wrong_engine_fails_for_its_own_reason(name: str) -> None:
    """The case about its fault fails, and says what was got instead."""
    engine = WRONG_ENGINES[name]
    examinee = greeted("cmd:wrong", engine.target())
    case = CASES[engine.case]

    result = run_check(Check(case, engine.profile), examinee)

    assert result.bad
    assert engine.told in "; ".join(result.problems)
    assert engine.clause in {*case.obeys, *case.breaks}


@pytest.mark.long
@pytest.mark.parametrize("name", WRONG_ENGINES)
def test_wrong_engine_fails_few_cases_beside_its_own(name: str) -> None:
    """What is wrong in one way fails the cases of that way: the others pass."""
    engine = WRONG_ENGINES[name]
    examinee = greeted("cmd:wrong", engine.target())
    selection = Selection(profiles=(engine.profile,))

    results = run_suite(chosen(CASES.values(), selection, examinee), examinee)

    bad = [result for result in results if result.bad]
    assert engine.case in {result.check.case.id for result in bad}
    most = 0.9 if name in EVERYWHERE else 0.2
    assert len(bad) < most * len(results), [item.check.case.id for item in bad]


@pytest.mark.long
def test_every_check_finds_a_wrong_engine_out() -> None:
    """No case, in any of its profiles, is passed by every wrong engine."""
    idle = [
        check.name
        for check in checks(CASES.values())
        if not isinstance(check.case, SpecCase)
        and all(_passed(check, engine) for engine in _engines_for(check))
    ]

    assert idle == []


@pytest.mark.long
def test_every_case_beside_the_protocol_finds_another_table_out() -> None:
    """What is asked of the engine itself is answered otherwise at some other table."""
    idle = [
        check.name
        for check in checks(CASES.values())
        if isinstance(check.case, SpecCase)
        and check.case.id not in NO_TABLE_SAYS_OTHERWISE
        and all(_answered(check.case, rules) for rules in _other_tables(check))
    ]

    assert idle == []


def _engines_for(check: Check) -> Iterator[WrongEngine]:
    """Yield the engines that can be wrong at any table, then those of the check's own."""
    for name in EVERYWHERE:
        yield WRONG_ENGINES[name]
    for engine in WRONG_ENGINES.values():
        if engine.profile == check.profile and not check.case.rules:
            yield engine


def _passed(check: Check, engine: WrongEngine) -> bool:
    target = (
        engine.target_of(check.case, check.profile) if engine.alter else engine.target()
    )
    try:
        return run(check.case, check.profile, target).passed
    except FaultError:
        return False


def _other_tables(check: Check) -> Iterator[Rules]:
    """Yield the rules of the other tables, and of one that is like none."""
    for name in library().names:
        if name != check.profile:
            yield library().rules(name)
    for more in (OTHER_TABLES, FREE_OPTIONS.get(check.profile, "")):
        text = f"profile: other\nbased_on: {check.profile}\n{more}"
        yield Rules(load_text(text), check.case.options)


def _answered(case: Case, rules: Rules) -> bool:
    """Return whether rules give a case the answer that it expects."""
    assert isinstance(case, SpecCase)
    try:
        told = answer(case, rules)
    except (LookupError, ValueError):
        return False
    return {name: told.get(name) for name in case.expected} == case.expected


def test_case_beside_the_protocol_is_asked_of_its_own_table() -> None:
    """The answer to such a case comes from the rules of the case."""
    case = CASES["counter-is-hidden"]
    assert isinstance(case, SpecCase)

    assert answer(case, rules_of(case, "boussac")) == case.expected
