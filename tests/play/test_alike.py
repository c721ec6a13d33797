"""Alike: actions that differ in copies only, and those that differ in more."""

from typing import TYPE_CHECKING

from bezique.engine.moves import legal
from bezique.play.alike import card_of, distinct

if TYPE_CHECKING:
    from collections.abc import Callable

    from bezique.engine.position import Position

    Place = Callable[..., Position]


def test_two_hidden_copies_are_one_choice(place: "Place") -> None:
    """Nobody can tell two identical hidden cards apart."""
    position = place("cady", hidden={"south": ["KH1", "KH2"], "north": ["7C1", "8C1"]})

    assert len(legal(position)) == 2
    assert [str(a) for a in distinct(position, legal(position))] == ["play KH1"]


def test_a_copy_on_the_table_is_another_choice(place: "Place") -> None:
    """A card shown in a meld is not the same as its hidden twin."""
    position = place(
        "cady",
        hidden={"south": ["KH1"], "north": ["7C1", "8C1"]},
        table={"south": ["KH2"], "north": []},
        stock=["9C1", "9C2"],
    )

    assert len(distinct(position, legal(position))) == 2


def test_copies_that_scored_in_different_melds_are_different(place: "Place") -> None:
    """What a card has scored in decides what it can still score in."""
    position = place(
        "cady",
        hidden={"south": [], "north": ["7C1", "8C1", "9D1"]},
        table={"south": ["KH1", "KH2", "QH1"], "north": []},
        stock=["9C1", "9C2"],
        scored=[{"seat": "south", "meld": "marriage", "cards": ["KH1", "QH1"]}],
    )

    chosen = [card_of(action) for action in distinct(position, legal(position))]

    assert [str(card) for card in chosen] == ["KH1", "KH2", "QH1"]


def test_marriages_of_alike_cards_are_one_choice(place: "Place") -> None:
    """Four ways to take one of two kings and one of two queens are one marriage."""
    position = place(
        "cady",
        phase="declare",
        hidden={
            "south": ["KH1", "KH2", "QH1", "QH2"],
            "north": ["7C1", "8C1", "9D1", "9D2"],
        },
        won={"south": ["7D1", "8D1"], "north": []},
        winner_of_last_trick="south",
        last_trick=["7D1", "8D1"],
        stock=["9C1", "9C2"],
    )

    declared = [action for action in legal(position) if action.name == "declare"]

    assert len(declared) == 4
    assert len(distinct(position, declared)) == 1
