"""Dealing: shuffles that anybody can make again, cuts, and the deals of a table."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bezique.engine import cut, deal, shuffled, start
from bezique.engine.moves import refusal
from tests.engine.table import PROFILES, rules_of


def test_shuffle_is_the_order_of_digests() -> None:
    """The cards sorted by the SHA-256 of seed, space and name."""
    rules = rules_of("cady")

    names = [str(card) for card in shuffled(rules, 7)]

    expected = sorted(
        map(str, rules.pack),
        key=lambda name: hashlib.sha256(f"7 {name}".encode()).hexdigest(),
    )
    assert names == expected


@given(seed=st.one_of(st.integers(), st.text()))
def test_shuffle_keeps_the_pack(seed: int | str) -> None:
    """Each card once, and a seed is a text: 7 and "7" are one."""
    rules = rules_of("streak")

    assert sorted(shuffled(rules, seed)) == sorted(rules.pack)
    assert shuffled(rules, seed) == shuffled(rules, str(seed))


@given(depth=st.integers(1, 63))
def test_cut_turns_the_pack(depth: int) -> None:
    """The upper part goes below."""
    pack = rules_of("cady").pack

    after = cut(pack, depth)

    assert after[0] == pack[depth]
    assert after[-1] == pack[depth - 1]
    assert sorted(after) == sorted(pack)


@pytest.mark.parametrize("depth", [-1, 0, 64, 99])
def test_cut_leaves_cards_on_each_side(depth: int) -> None:
    """Anything else is no cut."""
    with pytest.raises(ValueError, match=f"expected 1 to 63, got {depth}"):
        cut(rules_of("cady").pack, depth)


@pytest.mark.parametrize("profile", PROFILES)
@given(seed=st.integers(0, 10**6))
def test_deals_are_legal(profile: str, seed: int) -> None:
    """Whatever the shuffle, for either dealer."""
    rules = rules_of(profile)
    position = start(rules, rules.seats[seed % 2])

    assert refusal(position, deal(position, shuffled(rules, seed))) is None


def test_dealer_must_be_a_seat() -> None:
    """A match starts with one of the seats."""
    with pytest.raises(KeyError):
        start(rules_of("cady"), "chance")
