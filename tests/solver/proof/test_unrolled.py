"""The unrolled game tree agrees with the search, and its bounds hold for all endings."""

import random

import pytest

from bezique.engine.frozen import FrozenDict
from bezique.solver import solve
from bezique.solver.proof.obligations import Table
from bezique.solver.proof.unrolled import Unrolled, bounds, extended
from tests.engine.table import PROFILES
from tests.solver.scenes import drawn, rules_of


@pytest.mark.parametrize(("name", "size"), [("cady", 1), ("luso", 2)])
def test_the_formula_agrees_with_the_search(name: str, size: int) -> None:
    """On drawn endings, hearts being trumps, both give one margin."""
    rules, chance = rules_of(name), random.Random(size)
    tree = Unrolled(rules, "H", size)

    for _ in range(6):
        ending = drawn(rules, size, chance)
        state = FrozenDict({**ending.state, "trump": "H"})
        ending = ending.changed(state=state)
        assert tree.value(ending) == solve(ending).margin


@pytest.mark.long
@pytest.mark.parametrize("name", PROFILES)
def test_the_formula_of_three_cards_agrees_with_the_search(name: str) -> None:
    """The same with three cards a side, for every profile."""
    rules, chance = rules_of(name), random.Random(3)
    tree = Unrolled(rules, "S", 3)

    for _ in range(25):
        ending = drawn(rules, 3, chance)
        state = FrozenDict({**ending.state, "trump": "S"})
        ending = ending.changed(state=state)
        assert tree.value(ending) == solve(ending).margin


def test_bounds_of_one_card_are_reached() -> None:
    """Two brisques and the last trick are 30, won or lost; nothing gains more (D2.52)."""
    rules = rules_of("cady")

    found = bounds(rules, 1)

    assert (found.least, found.greatest) == (-30, 30)
    assert solve(found.richest).margin == 30
    assert solve(found.poorest).margin == -30


@pytest.mark.long
def test_the_bound_of_three_cards_is_reached() -> None:
    """Three high trumps take three aces: six brisques and the last trick, 70 and no more."""
    rules = rules_of("cady")
    hands = ("AH1 AH2 TH1", "AS1 AS2 AC1")
    tree = Unrolled(rules, "H", 2)
    mine, theirs = (tuple(rules.cards[c] for c in hand.split()) for hand in hands)

    bound = extended(rules, tree.bounds(), 3)

    assert bound == 70
    assert solve(tree.ending(mine, theirs)).margin == bound


@pytest.mark.long
@pytest.mark.parametrize("name", PROFILES)
def test_every_profile_has_a_bound_of_three(name: str) -> None:
    """The obligation is met, and drawn endings keep within what it says."""
    answer = Table(rules_of(name))._endings()

    assert answer.verdict == "proved", answer.detail
    bound = int(answer.detail.split("more than ")[1].split(";")[0])
    chance = random.Random(name)
    for _ in range(40):
        assert abs(solve(drawn(rules_of(name), 3, chance)).margin) <= bound
