"""Cards: each is one object, wherever it was made, and none changes."""

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor
from dataclasses import FrozenInstanceError

import pytest

from bezique.engine.cards import Card, pack

CARD = Card("K", "S", 1)


@pytest.mark.parametrize(
    "again",
    [
        lambda card: Card(card.rank, card.suit, card.copy),
        copy.copy,
        copy.deepcopy,
        lambda card: pickle.loads(pickle.dumps(card)),  # noqa: S301 - our own
    ],
    ids=["made", "copied", "deeply copied", "pickled"],
)
def test_a_card_made_again_is_the_card(again: object) -> None:
    """However a card is made, it is the one there is, with its parts."""
    assert callable(again)
    found = again(CARD)

    assert found is CARD
    assert (found.rank, found.suit, found.copy) == ("K", "S", 1)


def test_cards_that_differ_in_a_part_are_unlike() -> None:
    """Rank, suit and copy each make another card; identical cards are two."""
    others = [Card("Q", "S", 1), Card("K", "H", 1), Card("K", "S", 2)]

    assert len({CARD, *others}) == 4
    assert all(other != CARD for other in others)


def test_a_card_does_not_change() -> None:
    """No part of a card can be set."""
    with pytest.raises(FrozenInstanceError):
        CARD.rank = "Q"  # type: ignore[misc]


def test_threads_that_make_a_card_at_once_get_one() -> None:
    """A card that several threads ask for first is the same for all."""
    with ThreadPoolExecutor(8) as threads:
        made = list(threads.map(lambda n: Card("new", "suit", n // 8), range(8000)))

    assert len({id(card) for card in made}) == len(set(made)) == 1000


def test_cards_sort_by_their_parts() -> None:
    """Whatever the card order of a table, sorting without one is by rank, suit and copy."""
    cards = pack("AK", "SH", 2)

    assert list(map(str, sorted(cards))) == (
        ["AH1", "AH2", "AS1", "AS2", "KH1", "KH2", "KS1", "KS2"]
    )
