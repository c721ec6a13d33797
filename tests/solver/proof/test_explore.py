"""Exploring: every path once, none that can't be, and on each what the function gives there."""

from itertools import combinations, product
from typing import Any

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from bezique.engine.cards import Card
from bezique.solver.proof.explore import (
    Explorer,
    OpenCard,
    TooManyPathsError,
    explore,
    opened,
)
from bezique.solver.proof.situation import Space
from bezique.solver.proof.values import Choice

CARDS = tuple(Card(rank, suit, copy) for rank, suit, copy in product("AK7", "SH", (1, 2)))  # fmt: skip


def holds(explorer: Explorer, space: Space, **values: int) -> bool:
    """Return whether the path of a run is the one that some values of symbols take."""
    found = z3.Solver(ctx=space.ctx)
    for symbol in space.symbols:
        found.add(symbol == values[str(symbol)])
    path = explorer.path()
    found.add(*([] if path is True else [path]))
    return bool(found.check() == z3.sat)


def asked(explorer: Explorer, card: OpenCard, questions: list[str]) -> list[Any]:
    """Return what is answered to questions about a card."""
    answers: dict[str, Any] = {
        "rank": lambda: card.rank,
        "suit": lambda: card.suit,
        "card": lambda: explorer.choose(card.value),
        "same": lambda: card == CARDS[5],
        "again": lambda: card == OpenCard(explorer, card.value),
    }
    return [answers[question]() for question in questions]


@settings(max_examples=30)
@given(
    st.lists(st.sampled_from(["rank", "suit", "card", "same", "again"]), max_size=5),
    st.integers(0, len(CARDS) - 1),
)
def test_one_path_is_that_of_a_card_and_tells_of_it(
    questions: list[str], place: int
) -> None:
    """Whatever is asked of an open card, in whatever order."""
    space, card = Space(), CARDS[place]
    choice = space.choice("card", CARDS)
    told = {"rank": card.rank, "suit": card.suit, "card": card, "same": card == CARDS[5], "again": True}  # fmt: skip

    taken = [
        answers
        for explorer, answers in explore(
            lambda explorer: asked(explorer, OpenCard(explorer, choice), questions)
        )
        if holds(explorer, space, card=place)
    ]

    assert taken == [[told[question] for question in questions]]


def test_a_card_told_by_rank_and_suit_is_one_of_its_copies() -> None:
    """Three ranks, two suits, two copies: 12 paths, not one for each rank, suit and card."""
    choice = Space().choice("card", CARDS)

    def run(explorer: Explorer) -> tuple[str, str, Card]:
        card = OpenCard(explorer, choice)
        return card.rank, card.suit, explorer.choose(choice)

    found = [result for _, result in explore(run)]

    assert sorted(found) == sorted((c.rank, c.suit, c) for c in CARDS)


def test_a_term_with_one_value_has_no_other() -> None:
    """Asked for each of three values, one after the other, it gives four paths, not eight."""
    space = Space()
    term = z3.BitVec("term", 2, space.ctx)

    found = [
        result
        for _, result in explore(
            lambda explorer: [explorer.decide(term == value) for value in range(3)]
        )
    ]

    assert found == [
        [True, False, False],
        [False, True, False],
        [False, False, True],
        [False, False, False],
    ]


def test_a_guard_is_not_taken_for_one_that_is_gone() -> None:
    """Z3 gives a number again when its term is gone: what was read of that says nothing of this."""
    space = Space()
    long, *truths = [space.bool(str(number)) for number in range(5)]

    def run(explorer: Explorer) -> list[bool]:
        if explorer.decide(long):
            return [explorer.decide(z3.Or(*two)) for two in combinations(truths, 2)]
        # A term not met before: its guards get the numbers of those that are gone.
        term = z3.BitVec("term", 2, space.ctx)
        return [explorer.decide(term == value) for value in range(3)]

    found = [result for _, result in explore(run)]

    assert len(found) == 2**6 + 4
    assert found[-4:] == [[value == other for value in range(3)] for other in range(4)]


def test_a_run_that_asks_less_the_second_time_is_told() -> None:
    """What is answered to one question is never taken for the answer to another."""
    space = Space()
    guards = iter([space.bool("a"), space.bool("b"), True, True])

    def run(explorer: Explorer) -> list[bool]:
        return [explorer.decide(next(guards)), explorer.decide(next(guards))]

    with pytest.raises(RuntimeError, match="asks less"):
        list(explore(run))


def test_nothing_is_there_in_one_run_and_a_card_in_the_others() -> None:
    """A place that may be empty is opened as None, or as one of the cards."""
    choice = Space().choice("place", (None, *CARDS[:2]))
    assert isinstance(choice, Choice)

    def run(explorer: Explorer) -> Card | None:
        card = opened(explorer, choice)
        return None if card is None else explorer.choose(card.value)

    assert {result for _, result in explore(run)} == {None, *CARDS[:2]}


def test_too_many_paths_are_told() -> None:
    """Fifteen open truth values are more than can be walked."""
    space = Space()
    guards = [space.bool(str(number)) for number in range(15)]

    with pytest.raises(TooManyPathsError, match="more than 20000 paths"):
        for _ in explore(lambda explorer: [explorer.decide(guard) for guard in guards]):
            pass
