"""Each card stays in one zone; an effect that loses or doubles one is found."""

from collections.abc import Callable

import pytest

from bezique.engine.cards import Card
from bezique.engine.draft import Draft
from bezique.engine.frozen import FrozenDict
from bezique.solver.proof import zones
from bezique.solver.proof.search import Limits
from bezique.solver.proof.zones import one_zone
from bezique.spec.kinds import RANK
from bezique.spec.vocabulary import EFFECTS
from tests.engine.table import rules_of


def _losing(self: Draft, cards: frozenset[Card]) -> None:
    """Take shown cards from the hand and lay them nowhere."""
    seat = str(self.me)
    self.hidden = FrozenDict({**self.hidden, seat: self.hidden[seat] - cards})


def _doubling(self: Draft, cards: frozenset[Card]) -> None:
    """Lay shown cards on the table and leave them in the hand."""
    seat = str(self.me)
    new = cards & self.hidden[seat]
    self.table = FrozenDict({**self.table, seat: self.table[seat] | new})


def _filling_nobody(self: Draft, seat: str) -> None:
    """Take the turned-up card away, and give it to no seat."""
    _ = seat
    self.turn_up = None


def _swapping_away(self: Draft, card: Card) -> None:
    """Turn a card of the hand up, and lose the one that was."""
    self._leave_hand(str(self.me), card)
    self.turn_up = card


@pytest.mark.parametrize(
    ("profile", "moves"),
    [
        pytest.param("cady", "put, show, swap, draw, gather", id="no rulings"),
        pytest.param(
            "boussac",
            "put, show, swap, draw, fill, gather",
            id="what only a ruling does",
            marks=pytest.mark.long,
        ),
    ],
)
def test_every_move_of_a_table_leaves_each_card_in_one_zone(
    profile: str, moves: str
) -> None:
    """All effects of its rules that move cards are asked."""
    answer = one_zone(rules_of(profile), Limits())

    assert answer.verdict == "proved"
    assert answer.detail.endswith(f" paths of {moves}")


@pytest.mark.parametrize(
    ("profile", "effect", "wrong"),
    [
        pytest.param("cady", "show", _losing, id="a card shown is lost"),
        pytest.param("cady", "show", _doubling, id="a card shown is there twice"),
        pytest.param("cady", "swap", _swapping_away, id="the turn-up is lost"),
        pytest.param("boussac", "fill", _filling_nobody, id="a card drawn is lost"),
    ],
)
def test_a_move_that_loses_or_doubles_a_card_is_found(
    monkeypatch: pytest.MonkeyPatch,
    profile: str,
    effect: str,
    wrong: Callable[..., None],
) -> None:
    """The effect is named, and the phase that it goes wrong in."""
    monkeypatch.setattr(Draft, effect, wrong)

    answer = one_zone(rules_of(profile), Limits())

    assert answer.verdict == "refuted"
    assert answer.detail == f"{effect} in phase declare"


def test_an_effect_that_takes_something_new_is_not_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where nothing is known of what it is given, it is left undecided."""
    monkeypatch.setattr(zones, "EFFECTS", {**EFFECTS, "swap": (RANK,)})

    answer = one_zone(rules_of("cady"), Limits())

    assert answer.verdict == "undecided"
    assert answer.detail.startswith("swap in phase declare")
