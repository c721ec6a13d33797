"""What the margin of an ending makes of the match."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bezique.engine.position import Position
from bezique.solver.stakes import Stakes, stakes
from bezique.solver.strict import BeyondTablesError, strict
from bezique.solver.tables import ending as in_tables
from tests.solver.scenes import (
    BOTH_AT_THE_TARGET,
    PROFILES,
    drawn,
    ending,
    rules_of,
    with_points,
)
from tests.tables import telling

OTHERS = [name for name in PROFILES if name != "boussac"]


def of(position: Position) -> Stakes:
    """Return the stakes of a position."""
    rules = strict(position)
    found = stakes(position, rules, in_tables(position, rules))
    assert found is not None
    return found


@pytest.mark.parametrize("profile", telling(OTHERS))
@settings(max_examples=12, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    points=st.tuples(st.integers(0, 160), st.integers(0, 160)),
    hand=st.sampled_from([1, 2]),
)
def test_the_margin_decides(
    profile: str, seed: int, points: tuple[int, int], hand: int
) -> None:
    """More margin is never worse, and who wins the last trick does not matter: any ending, any score."""
    chance = random.Random(seed)
    rules = rules_of(profile)
    position = drawn(rules, chance.randint(1, 8), chance)
    scores = dict(zip(rules.seats, (10 * value for value in points), strict=True))

    assert of(with_points(position, scores, hand)).margin_decides


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    points=st.tuples(st.integers(80, 110), st.integers(80, 110)),
)
def test_only_where_both_can_reach_the_target_it_may_not(
    seed: int, points: tuple[int, int]
) -> None:
    """At the table of D3.48-52 the last trick decides only if both players can stand at 1000."""
    chance = random.Random(seed)
    rules = rules_of("boussac")
    position = drawn(rules, chance.randint(1, 8), chance)
    scores = dict(zip(rules.seats, (10 * value for value in points), strict=True))

    found = of(with_points(position, scores))

    both_possible = any(
        scores["south"] + gained >= 1000
        and scores["north"] + found.points - gained >= 1000
        for gained in range(0, found.points + 1, found.step)
    )
    assert found.margin_decides == (not both_possible)


def test_boussac_near_the_target() -> None:
    """Three tricks pay 30: with 990 North needs the last trick at 10 to 20 points, or 30 points."""
    found = of(
        with_points(
            ending(BOTH_AT_THE_TARGET, "boussac", turn_up=False),
            {"south": 1010, "north": 990},
        )
    )

    # Margins of North: -30 (all to South), -10, 10, 30; South always stands at the target.
    assert (found.points, found.step) == (30, 10)
    assert found.with_last == (-1, 1, 1, 1)
    assert found.without_last == (-1, -1, -1, -1)
    assert not found.margin_decides


def test_the_last_trick_gets_the_worth_at_which_margin_decides() -> None:
    """A margin of -10 wins with the last trick, none without: it is worth 30 more at most."""
    found = of(
        with_points(
            ending(BOTH_AT_THE_TARGET, "boussac", turn_up=False),
            {"south": 1010, "north": 990},
        )
    )

    worth, needed = found.level(1)

    for last_trick, row in ((True, found.with_last), (False, found.without_last)):
        for margin, outcome in zip((-30, -10, 10, 30), row, strict=True):
            weighed = margin + (worth - 10) * (1 if last_trick else -1)
            assert (weighed >= needed) == (outcome >= 1)


def test_outcomes_that_come_and_go_are_refused() -> None:
    """No worth of the last trick makes them a matter of margin."""
    with pytest.raises(BeyondTablesError, match="more margin may be worse"):
        Stakes(20, 10, 10, (-1, 1, -1), (-1, -1, 1)).level(1)


def test_a_last_trick_that_does_harm_is_refused() -> None:
    """Its worth would have to be less than nothing."""
    with pytest.raises(BeyondTablesError, match="winning the last trick may be worse"):
        Stakes(40, 10, 10, (-1, -1, -1, -1, -1), (-1, 1, 1, 1, 1)).level(1)
