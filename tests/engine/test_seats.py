"""Three and four seats: nothing in the language forbids them.

Facts of the tables: a pack a player, eight cards each, each card of a trick compared with
the best so far, a hand of eight tricks less than the pack has for each (Encyclopædia
Britannica, ninth edition).
"""

import json

import pytest

from bezique.engine import (
    Library,
    Rules,
    position_json,
    read_position,
    status,
    view,
)
from bezique.engine.code import Interpreted
from bezique.engine.frozen import FrozenDict
from bezique.spec.load import load_text
from tests.engine.players import play
from tests.engine.table import do, new_hand

THREE = """\
profile: three
based_on: cady
source: Encyclopaedia Britannica, ninth edition
seats: south west north
values: {packs: 3, target: 2000}
melds:
  triple-bezique:
    {family: bezique, level: 3, cards: 3 Q(q) 3 J(j), points: 1500, if: {bezique/pair: 'bezique_pair(q, j)', bezique/growth: growth(m)}}
"""
FOUR = THREE.replace("three", "four").replace("south west north", "south west north east").replace("packs: 3", "packs: 4")  # fmt: skip


def table(text: str) -> Rules:
    """Return the rules that a text describes."""
    return Rules(load_text(text))


@pytest.mark.parametrize(("text", "seats"), [(THREE, 3), (FOUR, 4)])
def test_hand_is_dealt_and_played_to_its_end(text: str, seats: int) -> None:
    """Thirty-two tricks of a card from everyone, ten points for each brisque."""
    rules = table(text)
    steps = list(play(rules, 4, hands=1))
    events = [event for *_, told in steps for event in told]

    tricks = [event.fields["cards"] for event in events if event.name == "trick"]
    brisques = [e.fields["points"] for e in events if e.name == "points" and e.fields["for"] == "brisques"]  # fmt: skip

    assert [len(cards) for cards in tricks] == [seats] * 32
    assert sum(brisques) == 80 * seats
    assert all(status(after) == () for _, _, after, _ in steps)
    assert (steps[-1][2].hand, steps[-1][2].phase) == (2, "deal")


@pytest.mark.parametrize("text", [THREE, FOUR])
def test_compiled_code_answers_as_the_interpreter_does_for_more_seats(
    text: str,
) -> None:
    """The same steps, events and legal actions."""
    rules = table(text)

    assert list(play(rules, 6, hands=1)) == list(
        play(rules, 6, hands=1, code=Interpreted(rules))
    )


@pytest.mark.parametrize(
    ("cards", "taker"),
    [
        ("9H1 KH1 AH1", "north"),  # the highest of the suit led
        ("9H1 KH1 TC1", "west"),  # a card of another plain suit never takes
        ("AH1 AH2 AH3", "south"),  # of identical cards the first
        ("AH1 7S1 8S1", "north"),  # the higher of two trumps
    ],
)
def test_best_card_of_three_takes_the_trick_and_draws_first(
    cards: str, taker: str
) -> None:
    """Each card is measured by the best before it; draws go round from the winner."""
    dealt = new_hand(table(THREE), dealer="north")
    names = cards.split()
    hands = {
        seat: frozenset({dealt.rules.cards[name]})
        for seat, name in zip(dealt.rules.seats, names, strict=True)
    }
    state = FrozenDict({**dealt.state, "trump": "S"})
    before = dealt.changed(hidden=FrozenDict(hands), state=state, partial=True)

    taken = do(before, *(f"play {name}" for name in names))
    drawn = do(taken, "draw")

    assert (before.turn, taken.phase, taken.taker) == ("south", "declare", taker)
    assert drawn.turn == taker
    first, second, third, *_ = dealt.stock
    order = dealt.rules.from_seat(taker)
    assert [set(drawn.hidden[seat]) for seat in order] == [{first}, {second}, {third}]


@pytest.mark.parametrize("text", [THREE, FOUR])
def test_positions_read_back_from_json(text: str) -> None:
    """Also in the middle of a trick, with more than the card led on the table."""
    library = Library(profiles=[load_text(text)])
    name = library.names[-1]

    for _, _, after, _ in play(library.rules(name), 2, hands=1):
        written = json.loads(json.dumps(position_json(after)))
        assert read_position(library, written) == after


def test_no_seat_sees_the_hands_of_the_others() -> None:
    """Two hands are face down in each view."""
    before = new_hand(table(THREE))

    for seat in before.rules.seats:
        seen = view(before, seat)
        assert [
            other
            for other in before.rules.seats
            if any(card.known for card in seen.hidden[other])
        ] == [seat]
