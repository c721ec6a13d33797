"""Opponents: legal, not silly, and blind to what their seat cannot see."""

import ast
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from bezique.engine.action import Action
from bezique.engine.dealing import deal, shuffled
from bezique.engine.library import Library
from bezique.engine.moves import apply, legal
from bezique.engine.position import Position, start
from bezique.engine.record import Seen
from bezique.engine.views import view, witnessed
from bezique.play.opponents import choose, worth
from tests.tables import telling

Place = Callable[..., Position]
PROFILES = Library().names


def decided(position: Position) -> str:
    """Return what the seat to move does, given its view alone."""
    seen = [Seen((), view(position, position.turn or ""))]
    return str(choose(seen, legal(position)))


def margin(profile: str, seed: int, hands: int = 99) -> int:
    """Return the margin of the opponent over a random player in a match or some hands."""
    rules = Library().rules(profile)
    wise = rules.seats[0]
    position, chance = start(rules, rules.seats[seed % 2]), random.Random(seed)
    seen: list[Seen] = []
    while not position.over and position.hand <= hands:
        actions = legal(position)
        if position.phase == "deal":
            action = deal(position, shuffled(rules, f"{seed}/1/{position.hand}"))
        elif position.turn == wise:
            action = choose(seen, actions)
            assert action in actions
        else:
            action = chance.choice(actions)
        position, events = apply(position, action)
        seen.append(Seen(witnessed(position, events, wise), view(position, wise)))
    points = position.match_points
    return points[wise] - points[rules.after(wise)]


@pytest.mark.parametrize("profile", telling(PROFILES, ("boussac", "luso", "streak")))
def test_hand_is_played_to_its_end_by_legal_actions(profile: str) -> None:
    """At every table the opponent finds a legal action, and a random player scores less."""
    assert margin(profile, seed=1, hands=1) > 0


def test_two_matches_against_chance_are_won() -> None:
    """A player who plays anything at all hardly ever wins."""
    assert [margin("streak", seed) > 0 for seed in range(2)] == [True] * 2


@pytest.mark.long
def test_nine_of_ten_matches_against_chance_are_won() -> None:
    """Over forty fixed seeds."""
    assert sum(margin("streak", seed) > 0 for seed in range(100, 140)) >= 36


def test_worth_of_a_pack_is_its_brisques() -> None:
    """Two packs hold 160 points of brisques, 10 each (D0.13)."""
    rules = Library().rules("streak")

    assert sum(worth(rules, card) for card in rules.pack) == 160
    assert {worth(rules, card) for card in rules.pack} == {0, 10}


def test_marriage_goes_before_the_sequence(place: Place) -> None:
    """The royal marriage first and the sequence later score 40 more (D0.36)."""
    position = place(
        "streak",
        phase="declare",
        hidden={
            "south": ["AS1", "TS1", "KS1", "QS1", "JS1", "7H1", "8H1"],
            "north": ["7C1", "8C1", "9C1", "7D1", "8D1", "9D1", "9H1"],
        },
        won={"south": ["7C2", "8C2"], "north": []},
        winner_of_last_trick="south",
        last_trick=["7C2", "8C2"],
        stock=["9C2", "9D2", "7D2", "8D2", "JC1", "JC2", "JH1", "JH2", "TD1"],
        turn_up="9S1",
    )

    assert decided(position) == "declare royal-marriage KS1 QS1"


def test_seven_is_exchanged_before_the_draw(place: Place) -> None:
    """The seven of trumps scores 10 and takes the turned-up ace (D0.20)."""
    position = place(
        "streak",
        phase="declare",
        hidden={"south": ["7S1", "8H1"], "north": ["7C1", "8C1"]},
        won={"south": ["7C2", "8C2"], "north": []},
        winner_of_last_trick="south",
        last_trick=["7C2", "8C2"],
        stock=["9C2", "9D2", "7D2"],
        turn_up="AS1",
    )

    assert decided(position) == "seven 7S1 exchange"


STOCK = ["9C2", "9D2", "7D2", "8D2", "JC1", "JC2", "JH1", "8S1", "TD1"]


def test_led_ten_is_taken_by_the_ace(place: Place) -> None:
    """A brisque that a card of its own suit can take is taken (D0.33)."""
    position = place(
        "streak",
        phase="follow",
        turn="north",
        led="TH1",
        hidden={"south": ["7C1"], "north": ["AH1", "7D1"]},
        stock=STOCK,
        turn_up="9S1",
    )

    assert decided(position) == "play AH1"


def test_low_lead_is_left_to_the_other(place: Place) -> None:
    """With nothing to declare a trick of low cards is let pass, trumps kept (D0.34)."""
    position = place(
        "streak",
        phase="follow",
        turn="north",
        led="8H1",
        hidden={"south": ["7C1", "9H1"], "north": ["KS1", "JS1", "7D1"]},
        stock=STOCK,
        turn_up="9S1",
    )

    assert decided(position) == "play 7D1"


def test_last_tricks_are_taken_with_what_can_take_them(place: Place) -> None:
    """In the last trick but one the sure trump is led before the loser."""
    position = place(
        "streak",
        hidden={"south": ["AS1", "7H1"], "north": ["TH1", "7S1"]},
    )

    assert decided(position) == "play AS1"


def test_choice_does_not_change_with_cards_out_of_sight() -> None:
    """Two deals that look the same to a seat get the same action from it."""
    rules = Library().rules("cady")
    begun = start(rules, "north")
    one, _ = apply(begun, deal(begun, shuffled(rules, 3)))
    stock, other = list(one.stock), rules.sort(one.hidden["north"])
    swapped = one.changed(
        stock=(*other, *stock[len(other) :]),
        hidden=type(one.hidden)(
            {"south": one.hidden["south"], "north": frozenset(stock[: len(other)])}
        ),
    )

    assert swapped != one
    assert view(swapped, "south").hidden["south"] == one.hidden["south"]
    assert decided(swapped) == decided(one)


def test_play_names_no_card_meld_or_table() -> None:
    """Whatever play knows of a game it asks of the rules; no text in it names a part."""
    named: set[str] = set(PROFILES)
    cards: set[str] = set()
    for name in PROFILES:
        profile = Library().profile(name)
        named |= set(profile.melds)
        cards |= {
            rank + suit for rank in profile.deck.ranks for suit in profile.deck.suits
        }
    folder = Path(__file__).parents[2] / "play" / "bezique" / "play"
    found: list[str] = []
    for file in sorted(folder.rglob("*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        texts = [n.value for n in ast.walk(tree) if isinstance(n, ast.Constant)]
        docs = {
            ast.get_docstring(n, clean=False)
            for n in ast.walk(tree)
            if isinstance(n, ast.Module | ast.ClassDef | ast.FunctionDef)
        }
        for text in texts:
            if isinstance(text, str) and text not in docs:
                # The game and the command have the name of one of its melds.
                words = set(re.findall(r"[\w-]+", text)) - {"bezique"}
                if (
                    words & named
                    or text in cards
                    or (text[:2] in cards and text[2:].isdigit())
                ):
                    found.append(f"{file.name}: {text}")

    assert found == []


def test_single_option_is_taken(place: Place) -> None:
    """Where only one thing can be done, it is done."""
    position = place("cady", hidden={"south": ["KH1"], "north": ["7C1"]})

    assert isinstance(
        choose([Seen((), view(position, "south"))], legal(position)), Action
    )
    assert decided(position) == "play KH1"
