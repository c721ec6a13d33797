"""What a seat may know."""

import pytest

from bezique.engine import Event, apply, position_json, view, witnessed
from bezique.engine.action import PRIVATE
from bezique.engine.frozen import FrozenDict
from tests.engine.table import PROFILES, action, do, new_hand, rules_of, scene


@pytest.mark.parametrize("profile", PROFILES)
def test_view_shows_own_hand_and_counts(profile: str) -> None:
    """The other's hidden cards and the stock are face down, each counted."""
    position = new_hand(rules_of(profile))

    seen = view(position, "north")

    assert seen.hidden["north"] == position.hidden["north"]
    assert len(seen.hidden["south"]) == len(position.hidden["south"])
    assert not any(card.known for card in (*seen.hidden["south"], *seen.stock))
    assert len(seen.stock) == len(position.stock)
    assert seen.turn_up == position.turn_up


def test_exchanged_card_is_hidden_from_a_view_but_was_witnessed() -> None:
    """The other remembers it; a snapshot forgets."""
    position = scene(trump="S", turn_up="KS1", south="7S1", north="8H1")
    after, events = apply(position, action(position, "seven 7S1 exchange"))

    seen = position_json(view(after, "north"))
    told = [
        event for event in witnessed(after, events, "north") if event.name == "swap"
    ]

    assert seen["hidden"]["south"] == ["??"]
    assert seen["turn_up"] == "7S1"
    assert str(told[0].fields["taken"]) == "KS1"


def test_won_tricks_are_hidden_where_looking_is_forbidden() -> None:
    """Row 28, D3.36: of either seat, while the last trick lies open until the next lead."""
    position = do(
        scene(
            "boussac",
            phase="lead",
            trump="S",
            south="AH1",
            north="8H1",
            stock="8D1 8D2",
        ),
        "play AH1",
        "play 8H1",
    )

    for seat in ("south", "north"):
        seen = position_json(view(position, seat))
        assert seen["won"] == {"south": ["??", "??"], "north": []}
        assert seen["last_trick"] == ["AH1", "8H1"]


def test_tabled_cards_and_waiting_melds_are_seen() -> None:
    """What is shown is seen by both."""
    position = do(
        scene(trump="S", south="KH1 QH1 KC1 QC1"), "announce marriage KH1 QH1"
    )

    seen = view(position, "north")

    assert seen.table == position.table
    assert seen.state == position.state


def test_drawn_cards_are_witnessed_by_their_own_seat() -> None:
    """The other sees that a card was drawn."""
    position = scene(trump="S", south="AH1", north="8H1", stock="8D1 8D2")
    after, events = apply(position, action(position, "draw"))

    drawn = {
        seat: [str(event.fields["card"]) for event in witnessed(after, events, seat)]
        for seat in ("south", "north")
    }

    assert drawn == {"south": ["8D1", "??"], "north": ["??", "8D2"]}


def test_private_events_have_an_owner() -> None:
    """Others are for all to see."""
    fields = FrozenDict({"seat": "south"})

    assert {
        name: Event(name, fields).owner for name in ("deal", "draw", "play", "show")
    } == {
        "deal": "south",
        "draw": "south",
        "play": None,
        "show": None,
    }
    assert frozenset({"deal", "draw"}) == PRIVATE


def test_view_of_nobody_is_refused() -> None:
    """Only seats see."""
    with pytest.raises(KeyError):
        view(new_hand(rules_of("cady")), "east")
