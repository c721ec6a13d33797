"""The engine against a twin that knows two tables by heart."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bezique.engine import Position, action_json, legal, position_json
from tests.engine.plain import Told, plain_actions
from tests.engine.table import rules_of, walk


def told(written: dict[str, Any]) -> Told:
    """Return an action as the twin tells it."""
    match written["do"]:
        case "seven":
            return ("seven", written["card"], str(written["exchange"]))
        case "play":
            return ("play", written["card"])
        case "declare" | "announce" as name:
            return (name, written["meld"], *sorted(written["cards"]))
    return (written["do"],)


def check(position: Position) -> None:
    """The same actions, each once."""
    actions = [told(action_json(position.rules, item)) for item in legal(position)]

    assert len(set(actions)) == len(actions)
    assert set(actions) == plain_actions(position_json(position))


@pytest.mark.parametrize("steered", [False, True])
@pytest.mark.parametrize("profile", ["cady", "streak"])
@given(seed=st.integers(0, 10**9))
@settings(max_examples=5, deadline=None)
def test_engine_and_twin_allow_the_same(
    profile: str, seed: int, *, steered: bool
) -> None:
    """At every step of a hand."""
    for position, *_ in walk(rules_of(profile), seed, steered=steered, hands=1):
        if position.phase != "deal":
            check(position)


@pytest.mark.long
@pytest.mark.parametrize("steered", [False, True])
@pytest.mark.parametrize("profile", ["cady", "streak"])
@given(seed=st.integers(0, 10**9))
@settings(max_examples=60, deadline=None)
def test_engine_and_twin_allow_the_same_in_whole_matches(
    profile: str, seed: int, *, steered: bool
) -> None:
    """Over many matches."""
    for position, *_ in walk(rules_of(profile), seed, steered=steered):
        if position.phase != "deal":
            check(position)
