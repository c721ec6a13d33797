"""What matches reach: every rare thing of the game happens in played matches.

Each table plays matches by number in the styles of `players`; what happens in them is
counted, and each table reaches all that its rules make possible.  `pytest -s` prints the
counts.  The seeds of the ties were found by playing on until one came.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

import pytest

from bezique.engine import Action, Position, legal
from tests.engine.players import Setting, Step, play
from tests.engine.table import PROFILES, rules_of
from tests.tables import telling

EVERYWHERE = ("double bezique", "identical cards", "tie at the target")
REACHED: dict[str, tuple[str, ...]] = {
    "boussac": (
        *EVERYWHERE, "single grown", "claim", "claim not made", "revoke", "too few cards",
        "no trumps",
    ),
    "cady": (
        *EVERYWHERE, "single grown", "both sevens", "seven played", "waiting scored",
        "waiting lost by a card", "waiting lost by the stock",
    ),
    "luso": (*EVERYWHERE, "both sevens"),
    "luso-blind": (*EVERYWHERE, "no trumps"),
    "luso-four-pack": (*EVERYWHERE, "no trumps", "triple bezique", "quadruple bezique"),
    "streak": (*EVERYWHERE, "single grown", "both sevens"),
}  # fmt: skip
"""What each table reaches; that no other table does follows from its rules."""


def reached(step: Step) -> Iterator[str]:
    """Yield what a step reaches, by name."""
    position, done, after, events = step
    reasons = [event.fields["for"] for event in events if event.name == "points"]
    for size in ("double", "triple", "quadruple"):
        if f"{size}-bezique" in reasons:
            yield f"{size} bezique"
    yield from _reached_by_melds(position, done, after)
    if done.name == "claim":
        yield "claim"
    if done.name == "draw" and any(item.name == "claim" for item in legal(position)):
        yield "claim not made"
    if done.name == "ruling":
        yield "too few cards"
    if after.state["revoked"] - position.state["revoked"]:
        yield "revoke"
    if done.name == "play" and "seven" in reasons:
        yield "seven played"
    if len(after.state["sevens"]) == 2 > len(position.state["sevens"]):
        yield "both sevens"
    for event in events:
        if (
            event.name == "trick"
            and len({card.face for card in event.fields["cards"]}) == 1
        ):
            yield "identical cards"
        if event.name == "hand" and position.state["trump"] is None:
            yield "no trumps"
    if any(event.name == "hand" for event in events):
        yield from _reached_by_totals(after)


def _reached_by_melds(
    position: Position, done: Action, after: Position
) -> Iterator[str]:
    pending = position.state["pending"]
    if done.name == "declare":
        melded = done.arguments["m"]
        singles = [
            item.cards for item in position.state["scored"] if item.meld == "bezique"
        ]
        if melded.meld == "double-bezique" and any(
            cards <= melded.cards for cards in singles
        ):
            yield "single grown"
        if melded in pending:
            yield "waiting scored"
    lost = [item for item in pending if item not in after.state["pending"]]
    if done.name == "play" and any(done.arguments["card"] in m.cards for m in lost):
        yield "waiting lost by a card"
    if lost and done.name == "draw" and after.left == 0:
        yield "waiting lost by the stock"


def _reached_by_totals(after: Position) -> Iterator[str]:
    """Yield a tie where a verdict was due: at the target, or after the last hand."""
    south, north = after.match_points.values()
    values = after.rules.values
    due = after.over if "hands" in values else south >= values["target"]
    if south == north and due:
        yield "tie at the target"


class Matches(NamedTuple):
    """Matches to play: how many in which style, with which options."""

    style: str
    seeds: Sequence[int]
    options: Mapping[str, Setting] = {}


LUCKY = (Matches("lucky", range(2)), Matches("growing", range(2)))
PLAN: dict[str, tuple[Matches, ...]] = {
    "boussac": (
        *LUCKY, Matches("eager", range(4)), Matches("people", range(2)),
        Matches("random", range(2), {"turn_up": False}), Matches("modest", (268,)),
    ),
    "cady": (*LUCKY, Matches("random", range(10)), Matches("eager", (100,))),
    "luso": (*LUCKY, Matches("random", range(2)), Matches("eager", (1,))),
    "luso-blind": (*LUCKY, Matches("random", (205,))),
    "luso-four-pack": (*LUCKY, Matches("lucky", (2, 3)), Matches("random", (161,))),
    "streak": (*LUCKY, Matches("growing", range(2, 6)), Matches("random", range(2)), Matches("eager", (15,))),
}  # fmt: skip


@cache
def counts(profile: str) -> Counter[str]:
    """Return how often the matches of the plan reach each thing."""
    return Counter(
        thing
        for matches in PLAN[profile]
        for seed in matches.seeds
        for step in play(rules_of(profile, **matches.options), seed, matches.style)
        for thing in reached(step)
    )


@pytest.mark.parametrize("profile", telling(PROFILES))
def test_table_reaches_all_that_its_rules_make_possible(profile: str) -> None:
    """Each thing at least once, and nothing that is not listed."""
    found = counts(profile)

    print(profile, *(f"{thing} {found[thing]}" for thing in sorted(found)), sep="; ")  # noqa: T201

    assert set(found) == set(REACHED[profile])


def test_everything_is_reached_somewhere() -> None:
    """The list is whole: what any table reaches, and no more."""
    assert {thing for things in REACHED.values() for thing in things} == {
        "double bezique", "triple bezique", "quadruple bezique", "single grown",
        "waiting scored", "waiting lost by a card", "waiting lost by the stock",
        "claim", "claim not made", "revoke", "too few cards", "both sevens",
        "seven played", "no trumps", "identical cards", "tie at the target",
    }  # fmt: skip


def end_of(profile: str, style: str, seed: int) -> list[Position]:
    """Return the positions at which a match had a tie, and the last of all."""
    steps = list(play(rules_of(profile), seed, style))
    ties = [step[2] for step in steps if "tie at the target" in reached(step)]
    return [*ties, steps[-1][2]]


@pytest.mark.parametrize(
    ("profile", "style", "seed"), [("cady", "eager", 100), ("streak", "eager", 15)]
)
def test_tie_is_a_draw(profile: str, style: str, seed: int) -> None:
    """Equal totals at the end draw the match (D0.29, D2.57)."""
    assert end_of(profile, style, seed)[0].winner == "draw"


@pytest.mark.parametrize(
    ("profile", "style", "seed"),
    [("luso", "eager", 1), ("luso-blind", "random", 205), ("luso-four-pack", "random", 161)],
)  # fmt: skip
def test_tie_deals_again(profile: str, style: str, seed: int) -> None:
    """Equal totals at the target are no end: the next hand decides (reading 20)."""
    tie, last = end_of(profile, style, seed)

    assert (tie.phase, tie.winner) == ("deal", None)
    assert last.hand > tie.hand - 1
    assert last.winner in last.rules.seats


def test_tie_goes_to_the_winner_of_the_last_trick() -> None:
    """Both at the target and level: who took the last trick has won (D3.52)."""
    tie, _ = end_of("boussac", "modest", 268)

    assert tie.winner == tie.taker
