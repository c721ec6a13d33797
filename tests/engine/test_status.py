"""What is wrong with a hand-made position: all of it, each at its place."""

from typing import Any

import pytest

from bezique.engine import (
    BadPositionError,
    Position,
    checked,
    position_json,
    read_position,
    status,
    view,
)
from tests.engine.table import (
    LIBRARY,
    PROFILES,
    new_hand,
    rules_of,
    scene,
    scored,
    walk,
)


def faults(
    changes: dict[str, Any], profile: str = "cady", *, partial: bool = False
) -> list[str]:
    """Return where a dealt hand has problems after some changes, in order."""
    written = position_json(new_hand(rules_of(profile)))
    if partial:
        written["partial"] = True
    position = read_position(LIBRARY, {**written, **changes})
    return [problem.partition(":")[0] for problem in status(position)]


def dealt() -> dict[str, Any]:
    """Return the dealt hand that is changed."""
    return position_json(new_hand(rules_of("cady")))


HAND = dealt()
SOUTH, NORTH, STOCK = HAND["hidden"]["south"], HAND["hidden"]["north"], HAND["stock"]


def held(south: list[str], north: list[str]) -> dict[str, Any]:
    """Return two hands as a change."""
    return {"hidden": {"south": south, "north": north}}


def scores(hand: int, match: int) -> dict[str, Any]:
    """Return points of south as a change."""
    zero = {"hand": 0, "match": 0}
    return {"points": {"south": {"hand": hand, "match": match}, "north": zero}}


@pytest.mark.parametrize(
    ("changes", "places"),
    [
        ({}, []),
        ({"stock": STOCK[1:]}, ["cards", "stock"]),
        ({"stock": [STOCK[1], *STOCK[1:]]}, ["cards", "cards"]),
        ({"stock": ["??", *STOCK[1:]]}, ["cards"]),
        (held(SOUTH[1:], NORTH), ["cards", "hands"]),
        (held(SOUTH[1:], NORTH[1:]), ["cards", "hands"]),
        ({"turn": "chance"}, ["turn"]),
        ({"turn": None}, ["turn"]),
        ({"turn": "north"}, ["turn"]),
        ({"phase": "deal"}, ["cards", "turn", "trump"]),
        ({"phase": "over"}, ["turn", "winner"]),
        ({"winner": "south"}, ["winner"]),
        ({"phase": "follow"}, ["led"]),
        ({"phase": "declare"}, ["winner_of_last_trick", "last_trick", "hands"]),
        ({"winner_of_last_trick": "south"}, ["winner_of_last_trick"]),
        ({"last_trick": SOUTH[:2]}, ["winner_of_last_trick"]),
        ({"led": SOUTH[0]}, ["cards", "led"]),
        ({"hand": 0}, ["hand", "results"]),
        ({"hand": 2}, ["results"]),
        ({"results": [{"south": 1, "north": 0}]}, ["results"]),
        (scores(10, 0), ["points.south.match"]),
        (scores(-10, -10), ["points.south.hand"]),
        ({"declared": True}, ["position/declared"]),
        ({"trump": "S" if HAND["trump"] != "S" else "H"}, ["position/trump-turned"]),
        ({"sevens": ["8S1"]}, ["position/sevens"]),
    ],
)
def test_each_problem_is_told_at_its_place(
    changes: dict[str, Any], places: list[str]
) -> None:
    """One change, and every place that it breaks."""
    assert faults(changes) == places


def test_all_problems_are_told_and_not_the_first() -> None:
    """Five things are wrong with one position."""
    changes = {
        "stock": STOCK[1:],
        "winner": "draw",
        "hand": 3,
        "sevens": ["8S1"],
        **scores(5, 0),
    }

    assert set(faults(changes)) == {
        "cards",
        "stock",
        "winner",
        "results",
        "points.south.match",
        "position/sevens",
    }


def test_problems_name_what_was_expected_and_what_was_got() -> None:
    """A person mends a position from the text alone."""
    position = read_position(LIBRARY, {**HAND, "turn": "north"})

    with pytest.raises(
        BadPositionError, match="turn: expected south, as south leads, got north"
    ):
        checked(position)


def test_many_problems_are_counted_beyond_the_eighth() -> None:
    """The text stays short; the error holds them all."""
    error = BadPositionError(tuple(f"fault {n}" for n in range(11)))

    assert str(error).endswith("fault 7; and 3 more")
    assert len(error.problems) == 11


def test_partial_position_may_leave_cards_out() -> None:
    """Short hands of equal length, and an even stock."""
    assert faults({"stock": STOCK[:3]}, partial=True) == []
    assert faults({"stock": STOCK[:4]}, partial=True) == ["stock"]
    assert faults(held(SOUTH[:3], NORTH[:3]), partial=True) == []
    assert faults(held(SOUTH[:3], NORTH[:2]), partial=True) == ["hands"]
    assert faults(
        held([*SOUTH, STOCK[0]], [*NORTH, STOCK[1]]) | {"stock": STOCK[2:]},
        partial=True,
    ) == ["hands"]
    assert faults(held([], []), partial=True) == ["hands"]


def test_turned_card_at_a_table_without_one() -> None:
    """It has no place there, in a partial position neither."""
    found = position_json(scene("luso-blind", south="AS1"))
    bad = {**found, "turn_up": "KS1", "trump": "S", "stock": found["stock"][1:]}

    problems = status(read_position(LIBRARY, bad))

    assert problems == ("turn_up: expected null at this table, got KS1",)


def test_melds_of_the_state_are_melds_of_shown_cards() -> None:
    """Cards that make none, and cards that lie in the stock or in the other's hand."""
    wrong = position_json(scene(trump="S", south="KH1", stock="QH1 8D1"))
    wrong["scored"] = [
        *scored("marriage KH1 KH2"),
        *scored("marriage KH1 QH1"),
        *scored("marriage KH1 QH1", seat="north"),
    ]

    problems = status(read_position(LIBRARY, wrong))

    assert problems == (
        "scored: expected the cards of a marriage, got KH1 KH2",
        "scored: expected cards of south out of the stock and the other's hand, got QH1",
        "scored: expected cards of north out of the stock and the other's hand, got KH1 QH1",
    )


def test_waiting_cards_lie_on_the_table() -> None:
    """An announcement whose cards are hidden cannot be."""
    position = position_json(scene(trump="S", south="KH1 QH1"))
    position["pending"] = scored("marriage KH1 QH1")

    (problem,) = status(read_position(LIBRARY, position))

    assert problem.startswith("position/pending: ")


def test_recorded_table_may_have_unlike_hands() -> None:
    """Where the rules have rulings, and nowhere else."""
    for profile, count in (("boussac", 0), ("cady", 1)):
        position = position_json(new_hand(rules_of(profile)))
        position["hidden"]["south"].append(position["stock"].pop())
        position["hidden"]["south"].append(position["stock"].pop())

        found = status(read_position(LIBRARY, position), lenient=True)

        assert len(found) == count


@pytest.mark.parametrize("profile", PROFILES)
def test_views_are_no_sound_positions_but_for_their_faces(profile: str) -> None:
    """A referee that gets a view as a position says so."""
    seen = view(new_hand(rules_of(profile)), "south")

    (problem,) = status(seen)

    assert problem.startswith("cards: expected faces, got ")


def test_changed_positions_of_a_match_are_found_out() -> None:
    """Moving any one card of any position to another zone breaks it."""
    for position, *_ in walk(rules_of("cady"), 3, hands=1):
        for broken in misplaced(position):
            assert status(broken), position_json(broken)


def misplaced(position: Position) -> list[Position]:
    """Return positions in which one card lies where it does not belong."""
    found = []
    if position.phase == "lead" and position.left:
        card = position.stock[0]
        found.append(position.changed(stock=position.stock[1:]))
        found.append(position.changed(stock=(card, *position.stock)))
        found.append(position.changed(trick=(card,), stock=position.stock[1:]))
    return found
