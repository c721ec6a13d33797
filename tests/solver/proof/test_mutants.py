"""Mutants: wrong rules are told from right ones, and those that are no wrong rules are not."""

from collections import Counter
from functools import cache
from typing import Any

import pytest

from bezique.engine.moves import refusal
from bezique.engine.rules import Rules
from bezique.solver.proof.difference import Comparison
from bezique.solver.proof.hunt import LIMITS, decided_json, tally
from bezique.solver.proof.mutants import Decided, Mutant, decided, mutants
from tests.engine.table import PROFILES, rules_of

CADY = rules_of("cady")


@cache
def named(name: str) -> Mutant:
    """Return a mutant of cady by its name."""
    return next(item for item in mutants(CADY.profile) if item.name == name)


def judged(name: str) -> Decided:
    """Return what becomes of a mutant of cady."""
    return decided(CADY, named(name), {}, LIMITS)


@pytest.mark.parametrize("profile", PROFILES)
def test_names_of_mutants_are_unique(profile: str) -> None:
    """A report can name every mutant; each profile has many, of many kinds."""
    found = [item.name for item in mutants(rules_of(profile).profile)]

    assert [name for name, times in Counter(found).items() if times > 1] == []
    assert len(found) >= 100


@pytest.mark.parametrize(
    ("name", "clause"),
    [
        ("points meld/marriage: +10 points", "meld/marriage"),
        ("drop declare/one-a-trick: the condition", "declare/one-a-trick"),
        pytest.param(
            "drop strict/heads: the set", "strict/heads", marks=pytest.mark.long
        ),
    ],
)
def test_a_mutant_that_plays_otherwise_is_told(name: str, clause: str) -> None:
    """It differs in the clause that was changed, and the interpreter plays its witness so."""
    found = judged(name)

    assert found.verdict == "differs"
    assert found.difference is not None
    assert found.difference.clause == clause
    witness = found.difference.witness
    assert witness is not None
    assert witness.one != witness.two
    assert witness.action is not None
    legal = [
        refusal(position, witness.action) is None
        for position in (witness.one_position, witness.two_position)
    ]
    assert any(legal)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(
            "drop play/held: the condition",
            marks=pytest.mark.long,
            id="what obeys the duty is held",
        ),
        pytest.param(
            "drop declare/bring: the condition",
            id="cady asks for no hidden card",
        ),
    ],
)
def test_a_mutant_that_plays_the_same_game_is_equivalent(name: str) -> None:
    """Where the condition dropped never decides anything, Z3 proves that nothing changes."""
    found = judged(name)

    assert found.verdict == "equivalent"
    assert found.difference is None


def test_who_draws_first_is_told() -> None:
    """D2.16: the winner of the trick draws first; where he does not, the cards come otherwise."""
    found = judged("choice choice/draw_order: fixed for winner")

    assert found.difference is not None
    assert found.difference.witness is not None
    assert found.difference.witness.one != found.difference.witness.two


@pytest.mark.long
def test_what_was_asked_before_changes_no_verdict() -> None:
    """A mutant is decided in a used pool as in an empty one, with the same witness.

    The first one takes no table for sensible that has a card laid out with the last cards
    of the stock; the second is told by just that.
    """
    pool: dict[Any, Any] = {}
    first = Rules(named("sign terms/stock_open: > for >=").profile)
    for slots in (0, 1):
        Comparison(CADY, first, LIMITS, pool).ground("declare", slots)

    mutant = named("drop stock/end: the reaction")
    used, fresh = (decided(CADY, mutant, some, LIMITS) for some in (pool, {}))

    assert used.verdict == fresh.verdict == "differs"
    assert used.difference == fresh.difference


def test_verdicts_are_counted_by_profile() -> None:
    """A tally says how many came to which verdict."""
    found = [
        decided_json(judged("points meld/marriage: +10 points")),
        decided_json(judged("drop declare/bring: the condition")),
    ]

    assert tally(found) == {"cady": Counter({"differs": 1, "equivalent": 1})}
    assert found[0]["difference"]["witness"]["cards"] >= 2
    assert "difference" not in found[1]
