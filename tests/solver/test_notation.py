"""Endings as people write them."""

import json

import pytest

from bezique.engine.codec import position_json
from bezique.engine.errors import BadPositionError, BadRequestError, UnknownProfileError
from bezique.solver.notation import printed, read_ending
from tests.solver.scenes import PRINTED, ending, rules_of

GOOD = "profile: luso-blind\nsouth: A♠ 10♠\nnorth: 7♦ 7♦"


def test_cards_are_read_as_printed_or_as_letters() -> None:
    """10♠, T♠, TS and TS1 are the same card."""
    hands = [
        ending(f"trump: ♣\nsouth: {word}\nnorth: 7♦").hidden["south"]
        for word in ("10♠", "T♠", "TS", "ts", "TS1")
    ]

    assert len(set(hands)) == 1
    assert [str(card) for card in hands[0]] == ["TS1"]


def test_copies_are_given_out_in_order() -> None:
    """Two sevens of diamonds are the first and the second."""
    position = ending(GOOD)

    assert sorted(map(str, position.hidden["north"])) == ["7D1", "7D2"]


def test_the_seat_named_first_is_to_move() -> None:
    """And the profile, trumps and the card led are read by their names."""
    position = ending(
        "# remark\n\nprofile: luso\ntrump: hearts\n".replace("hearts", "♥")
        + "north: K♠ 8♠\nled: Q♠\nsouth: 9♣"
    )

    assert (position.turn, position.phase, str(position.trick[0])) == (
        "north",
        "follow",
        "QS1",
    )
    assert position.rules == rules_of("luso")
    assert position.state["trump"] == "H"


def test_no_trumps_can_be_said() -> None:
    """By a word, or by saying nothing, where a hand may be without (D4.32)."""
    assert ending(f"trump: none\n{GOOD}") == ending(GOOD)
    assert ending(GOOD).state["trump"] is None


def test_json_is_read_too() -> None:
    """A position of the referee protocol."""
    position = ending(PRINTED)

    assert read_ending(json.dumps(position_json(position))) == position


def test_cards_are_printed_as_the_language_prints_them() -> None:
    """Rank and suit, without the copy."""
    assert [printed(card) for card in rules_of("streak").pack[:3:2]] == ["A♠", "10♠"]


BAD = {
    f"{GOOD}\ntrumps: ♥": "trumps: expected one of profile, led, trump, south, north",
    f"{GOOD}\ntrump: X": "trump: expected a suit .* or none, got 'X'",
    "south: A♠": "north: expected the cards of this seat",
    "south: 1♠\nnorth: 7♦": "south: expected a card such as A♠ 10♠, got '1",
    "south: 7♦ 7♦ 7♦\nnorth: A♠ A♠ 8♠": "south: expected at most 2 cards 7♦",
    "south: AS1 AS1\nnorth: 7♦ 8♦": "south: expected each card once",
    "south A♠": "line 1: expected `name: value`",
    f"{GOOD}\nsouth: 8♠": "line 4: expected each name once, south came before",
    '{"profile": ': "position: expected JSON",
}


@pytest.mark.parametrize(("text", "message"), BAD.items())
def test_what_cannot_be_read_is_told(text: str, message: str) -> None:
    """The line or the seat, what was expected, what was got."""
    with pytest.raises(BadRequestError, match=message):
        ending(text)


def test_positions_that_cannot_be_are_refused() -> None:
    """Hands of unlike sizes, and tables that are not known."""
    with pytest.raises(BadPositionError, match="equal sizes"):
        ending("south: A♠ K♠\nnorth: 7♦")
    with pytest.raises(UnknownProfileError):
        ending("profile: whist\nsouth: A♠\nnorth: 7♦")
