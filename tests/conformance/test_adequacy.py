"""Adequacy: mutants are killed by cases, and survivors propose one."""

import pytest

from bezique.conformance.adequacy import (
    Fate,
    adequacy,
    killed_by,
    proposal,
    questions,
    tally,
)
from bezique.conformance.case import SpecCase
from bezique.conformance.files import all_cases
from bezique.conformance.target import library

mutants = pytest.importorskip("bezique.solver.proof.mutants").mutants


def test_mutant_is_killed_by_a_document_case() -> None:
    """Without `declare/reuse` a hand-written case about it fails."""
    mutant = next(
        item
        for item in mutants(library().rules("luso").profile)
        if item.name == "drop declare/reuse: the condition"
    )

    killer = killed_by(mutant, "luso", questions("luso", all_cases()))

    assert killer is not None
    assert killer.origin == "document"
    assert "declare/reuse" in (*killer.obeys, *killer.breaks)


def test_only_what_a_mutant_can_be_asked_is_asked() -> None:
    """Cases with rules of their own are left out; what is beside the protocol is asked too."""
    asked = questions("luso", all_cases())

    assert asked
    assert all("luso" in case.profiles and not case.rules for case in asked)
    assert any(isinstance(case, SpecCase) for case in asked)


def test_what_is_beside_the_protocol_kills_too() -> None:
    """A table that hides the number of cards left is found out by what the rules say of it."""
    mutant = next(
        item
        for item in mutants(library().rules("luso").profile)
        if item.name == "choice choice/counter: hidden for shown"
    )

    killer = killed_by(mutant, "luso", questions("luso", all_cases()))

    assert isinstance(killer, SpecCase)


def test_rates_count_what_differs() -> None:
    """Of four mutants one is equivalent: of three that differ one is killed by hand, two in all."""
    fates = [
        Fate("luso", "a", "killed", "x", by_document=True),
        Fate("luso", "b", "killed", "y"),
        Fate("luso", "c", "survives"),
        Fate("luso", "d", "equivalent"),
    ]

    told = str(tally(fates))

    assert told == (
        "of 3 mutants that differ, document cases kill 1 (33.3 %), all cases 2 (66.7 %)"
    )


@pytest.mark.long
def test_survivor_proposes_a_case() -> None:
    """Where no case is asked, a mutant that differs survives, and its witness would kill it."""
    fates = list(adequacy("luso", most=6, cases=()))
    proposed = [fate for fate in fates if fate.verdict == "survives"]

    assert proposed
    assert all("origin: mutant witness" in proposal(fate) for fate in proposed)
