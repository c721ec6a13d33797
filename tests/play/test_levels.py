"""Levels: five opponents, each with more care, from what a seat has seen."""

from collections import Counter
from collections.abc import Callable, Sequence

import pytest

from bezique.engine.action import Action, Event
from bezique.engine.dealing import deal, shuffled
from bezique.engine.library import Library
from bezique.engine.moves import apply, legal
from bezique.engine.position import Position, start
from bezique.engine.record import Seen
from bezique.engine.rules import Rules
from bezique.engine.views import view, witnessed
from bezique.play.alike import card_of
from bezique.play.levels import LEVELS, choose, searches
from bezique.solver import solve
from bezique.solver.remembered import remembered

Place = Callable[..., Position]
Watch = Callable[[int, Sequence[Seen], Action], None]


def seen(position: Position) -> list[Seen]:
    """Return what the player to move sees of a position, without a past."""
    return [Seen((), view(position, position.turn or ""))]


def chosen(level: int, position: Position) -> str:
    """Return what a level does in a position."""
    return str(choose(level, seen(position), legal(position)))


def play(
    rules: Rules, levels: dict[str, int], seed: str, watch: Watch | None = None
) -> Position:
    """Return the end of a match between levels."""
    position = start(rules, rules.seats[0])
    heard: dict[str, list[Event]] = {}
    while not position.over:
        if position.turn == "chance":
            action = deal(position, shuffled(rules, f"{seed}/{position.hand}"))
            heard = {seat: [] for seat in rules.seats}
        else:
            seat = str(position.turn)
            what = [Seen(tuple(heard[seat]), view(position, seat))]
            action = choose(levels[seat], what, legal(what[-1].view))
            if watch is not None:
                watch(levels[seat], what, action)
        position, events = apply(position, action)
        for seat in rules.seats:
            heard[seat].extend(witnessed(position, events, seat))
    return position


def test_careless_plays_its_lowest_card(place: Place) -> None:
    """Whatever it is good for: the seven goes, the trick with it."""
    hidden = {"south": ["7H1", "AS1", "TS1"], "north": ["8H1", "9H1", "9D1"]}
    position = place("cady", hidden=hidden, turn="south")

    assert chosen(1, position) == "play 7H1"


def test_every_level_declares_the_dearest(place: Place) -> None:
    """Four kings are 80, a marriage 20 (D2.31)."""
    hand = ["KS1", "KH1", "KC1", "KD1", "QH1", "7D1", "8D1"]
    hidden = {"south": hand, "north": ["8H1", "8H2", "9H1", "9D1", "9D2", "8C1", "8C2"]}
    position = place(
        "streak", hidden=hidden, phase="declare", turn="south", trump="C", turn_up="9C1",
        stock=["7C1"], won={"south": ["9S1", "7S1"], "north": []},
        last_trick=["9S1", "7S1"], winner_of_last_trick="south",
    )  # fmt: skip

    assert {chosen(level, position).split()[1] for level in (1, 2)} == {"four-kings"}


def test_thrifty_takes_a_brisque_with_the_cheapest_card(place: Place) -> None:
    """An ace led is worth ten; of two trumps the lower is enough (D2.16-18)."""
    hidden = {"south": [], "north": ["7S1", "KS1", "8D1"]}
    position = place(
        "streak", hidden=hidden | {"south": ["9D1", "9D2"]}, led="AH1", phase="follow",
        turn="north", trump="S", turn_up="9S1", stock=["7C1", "8C1", "9C1"],
    )  # fmt: skip

    assert chosen(2, position) == "play 7S1"


def test_thrifty_leaves_a_trick_that_pays_nothing(place: Place) -> None:
    """A nine is not worth a trump."""
    position = place(
        "streak", hidden={"south": ["9D1", "9D2"], "north": ["7S1", "KS1", "8D1"]},
        led="9H1", phase="follow", turn="north", trump="S", turn_up="9S1",
        stock=["7C1", "8C1", "9C1"],
    )  # fmt: skip

    assert chosen(2, position) == "play 8D1"


@pytest.mark.long
def test_last_tricks_are_played_exactly_by_the_upper_levels() -> None:
    """Level 4 in the last four tricks, level 5 in all eight (D0.43)."""
    rules = Library().rules("streak")
    given: Counter[tuple[int, int]] = Counter()

    def watch(level: int, what: Sequence[Seen], action: Action) -> None:
        known = remembered(what)
        if known is None or len(legal(known)) == 1:
            return
        found = solve(known)
        card = card_of(action)
        mine = next(k.outcome for k in found.classes if card in k.cards)
        given[level, len(known.held(str(known.turn)))] += mine != found.best.outcome

    for number in range(3):
        play(rules, {"south": 4, "north": 5}, f"exact {number}", watch)

    assert given
    assert sum(count for (level, left), count in given.items() if level == 5) == 0
    assert sum(n for (level, left), n in given.items() if level == 4 and left <= 4) == 0


@pytest.mark.long
@pytest.mark.parametrize(("lower", "higher"), [(1, 2), (2, 3)])
def test_higher_level_wins_more(lower: int, higher: int) -> None:
    """Of forty matches, the same deals from both seats, at least twenty-three."""
    rules = Library().rules("streak")
    won = 0
    for number in range(20):
        for seat in rules.seats:
            levels = {seat: higher, rules.after(seat): lower}
            won += play(rules, levels, f"level {number}").winner == seat

    assert won >= 23


@pytest.mark.parametrize("profile", Library().names)
@pytest.mark.parametrize("level", [1, 2])
def test_every_table_is_played_to_its_end(profile: str, level: int) -> None:
    """By every quick level; the others are the careful one of the terminal."""
    rules = Library().rules(profile)

    end = play(rules, dict.fromkeys(rules.seats, level), "end")

    assert end.winner is not None


def test_level_outside_is_the_nearest(place: Place) -> None:
    """0 is 1, 9 is 5."""
    hidden = {"south": ["7H1", "AS1"], "north": ["8H1", "9H1"]}
    position = place("cady", hidden=hidden, turn="south")

    assert chosen(0, position) == chosen(1, position)
    assert chosen(9, position) == chosen(5, position)
    assert [searches(level) for level in range(1, 6)] == [False] * 3 + [True] * 2
    assert len(LEVELS) == 5
