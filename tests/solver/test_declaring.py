"""In which order cards declare the most: the documents' examples, and what holds of any hand."""

import json
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from bezique.engine.moves import legal
from bezique.play.alike import distinct
from bezique.play.cli import app
from bezique.solver.declaring import best_order, hand_alone
from bezique.solver.notation import read_hand
from tests.engine.table import PROFILES, rules_of

Run = Callable[..., str]


@pytest.fixture
def run() -> Run:
    """Return what a command prints; its exit code must be the one expected."""

    def printed(*arguments: str, code: int = 0) -> str:
        done = CliRunner().invoke(app, list(arguments))
        assert done.exit_code == code, done.output
        return done.output

    return printed


def order(profile: str, cards: str, trump: str, tricks: int) -> tuple[int, list[str]]:
    """Return the points and the melds of the best order."""
    rules = rules_of(profile)
    found = best_order(hand_alone(rules, read_hand(rules, cards), trump), tricks)
    return found.points, [melded.meld for melded in found.melds]


@pytest.mark.parametrize(
    ("tricks", "told"),
    [(2, (290, ["royal-marriage", "sequence"])), (1, (250, ["sequence"]))],
)
def test_marriage_before_the_sequence(tricks: int, told: tuple[int, list[str]]) -> None:
    """40 and then 250; who has but one trick declares the sequence (D0.35, D0.36)."""
    assert order("streak", "K♥ Q♥ A♥ 10♥ J♥", "H", tricks) == told


@pytest.mark.parametrize(
    ("profile", "points"), [("streak", 540), ("cady", 580), ("luso", 500)]
)
def test_beziques_grow(profile: str, points: int) -> None:
    """One and then the double, 540 (D0.37); after both singles, 580 (D2.42); at once, 500 (D4.25)."""
    assert order(profile, "Q♠ Q♠ J♦ J♦", "H", 3)[0] == points


@settings(max_examples=30)
@given(data=st.data(), profile=st.sampled_from(PROFILES), trump=st.sampled_from("SHCD"))
def test_ways_that_differ_are_enough(
    data: st.DataObject, profile: str, trump: str
) -> None:
    """Trying one of several actions that are alike finds the same points."""
    rules = rules_of(profile)
    honours = [card for card in rules.pack if card.rank in "KQJ"]
    hand = data.draw(st.sets(st.sampled_from(honours), min_size=4, max_size=7))
    position = hand_alone(rules, hand, trump)

    few = best_order(position, 2, lambda at: distinct(at, legal(at)))

    assert few.points == best_order(position, 2).points


@pytest.mark.parametrize("profile", PROFILES)
def test_an_order_pays_what_its_melds_score(profile: str) -> None:
    """The points are those of its melds, never more than one a trick."""
    rules = rules_of(profile)
    hand = read_hand(rules, "K♥ Q♥ A♥ 10♥ J♥ K♠ Q♠ J♦")

    found = best_order(hand_alone(rules, hand, "H"), 3)

    assert found.points == sum(rules.points[melded.meld] for melded in found.melds)
    assert len(found.melds) == 3
    assert all(melded.cards <= hand for melded in found.melds)


# --- the command -----------------------------------------------------------------------------


def test_plan_is_printed(run: Run) -> None:
    """The points, then the declarations in order with their cards."""
    shown = run("plan", "streak", "K♥", "Q♥", "A♥", "10♥", "J♥", "--trump", "H")

    assert shown.splitlines() == [
        "290 points",
        "1. royal-marriage K♥ Q♥: 40",
        "2. sequence A♥ 10♥ K♥ Q♥ J♥: 250",
    ]


def test_plan_as_json(run: Run) -> None:
    """Points, and of each meld its name, points and cards as the protocol writes them."""
    told = json.loads(run("plan", "luso-blind", "KH", "QH", "--json"))

    assert told == {
        "points": 40,
        "melds": [{"meld": "royal-marriage", "points": 40, "cards": ["KH1", "QH1"]}],
    }


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["streak", "7S"], "--trump: expected a suit"),
        (["streak", "XX", "--trump", "H"], "cards: expected a card such as"),
        (["streak", *["7S 8S 9S 7H 8H 9H 7C 8C 9C"], "--trump", "H"], "at most 8"),
        (["nowhere", "7S"], "nowhere"),
    ],
)
def test_plan_refuses(run: Run, arguments: list[str], why: str) -> None:
    """Exit code 2 and what was expected."""
    assert why in run("plan", *arguments, code=2)
