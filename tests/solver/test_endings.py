"""Endings as data: the same for everybody, certified, and refused when they are not."""

import json

import pytest

from bezique.engine.codec import read_position
from bezique.solver import minimax
from bezique.solver.endings import EndingsError, Plan, build, check, dealt
from tests.solver.scenes import LIBRARY, PROFILES, cards, paid, rules_of

SMALL = Plan("streak", 7, 3)


def test_the_first_line_says_what_the_file_is() -> None:
    """Format, version, rules and seed, so that a reader knows what it reads."""
    head = json.loads(next(build(2, SMALL, jobs=1)))

    rules = rules_of("streak").profile
    assert head == {
        "format": "bezique-endings",
        "version": 1,
        "profile": "streak",
        "rules": {"version": rules.version, "digest": rules.digest},
        "seed": 7,
        "cards": 3,
        "endings": 2,
    }


@pytest.mark.parametrize("profile", PROFILES)
def test_endings_are_exact_and_certified(profile: str) -> None:
    """Margin, values and line are minimax's; every certificate is accepted."""
    lines = list(build(6, Plan(profile, 1, 2), jobs=1))

    assert check(lines) == 6
    for line in lines[1:]:
        written = json.loads(line)
        position = read_position(LIBRARY, written["position"])
        truth = {
            str(a.arguments["card"]): v for a, v in minimax.margins(position).items()
        }
        assert {
            card: row["margin"] for row in written["cards"] for card in row["cards"]
        } == truth
        assert written["margin"] == max(truth.values())
        assert (
            paid(position, cards(position, " ".join(written["line"])))
            == written["margin"]
        )


def test_processes_change_nothing() -> None:
    """The same seed makes the same file, however many share the work."""
    plan = Plan("luso", 3, 3)

    assert list(build(60, plan, jobs=2)) == list(build(60, plan, jobs=1))


def test_a_longer_file_begins_like_a_shorter_one() -> None:
    """An ending hangs on seed and number alone."""
    assert list(build(5, SMALL, jobs=1))[1:4] == list(build(3, SMALL, jobs=1))[1:]


def test_seats_take_turns_and_hands_are_whole() -> None:
    """Without a number of cards, a hand is as the rules deal it; no card is in both hands."""
    rules = rules_of("luso-four-pack")
    first, second = (dealt(rules, 1, number) for number in (0, 1))

    assert [first.turn, second.turn] == list(rules.seats)
    assert {len(hand) for hand in first.hidden.values()} == {9}
    assert not first.hidden["south"] & first.hidden["north"]


def test_there_are_endings_without_trumps_only_where_none_is_turned_up() -> None:
    """A table that turns a card up always has trumps."""
    suits = {
        profile: {
            dealt(rules_of(profile), 1, number, 2).state["trump"]
            for number in range(60)
        }
        for profile in ("luso", "luso-blind")
    }

    assert suits == {"luso": set("SHCD"), "luso-blind": {*"SHCD", None}}


def test_more_cards_than_the_pack_has_are_refused() -> None:
    """The most is told."""
    with pytest.raises(ValueError, match="cards: expected 1 to 31, got 32"):
        dealt(rules_of("streak"), 1, 0, 32)


def planted(lines: list[str], **fields: object) -> list[str]:
    """Return a data set with one field of its second ending changed."""
    written = json.loads(lines[2]) | fields
    return [*lines[:2], json.dumps(written), *lines[3:]]


def test_planted_margins_are_refused() -> None:
    """The line and the claim are told."""
    lines = list(build(3, SMALL, jobs=1))
    margin = json.loads(lines[2])["margin"]

    with pytest.raises(EndingsError, match="line 3: RefusedError: at least"):
        check(planted(lines, margin=margin + 10))
    with pytest.raises(EndingsError, match="line 3: RefusedError: at most"):
        check(planted(lines, margin=margin - 10))
    with pytest.raises(
        EndingsError, match="line 3: RefusedError: a strategy with digits left over"
    ):
        check(planted(lines, at_least="00000000000000"))


def test_some_of_a_long_file_can_be_checked() -> None:
    """Each third ending, from the first."""
    assert check(build(7, SMALL, jobs=1), every=3) == 3


BAD = {
    "line 1: expected JSON": ["nonsense"],
    "line 1: expected an object": ["[]"],
    "line 1: expected bezique-endings version 1, got other version 1": [
        '{"format":"other","version":1}'
    ],
    "expected 2 endings, got 1": [*list(build(2, SMALL, jobs=1))[:2]],
    "line 2: KeyError: 'position'": [
        '{"format":"bezique-endings","version":1,"endings":1}',
        "{}",
    ],
}


@pytest.mark.parametrize(("text", "lines"), BAD.items())
def test_what_is_no_data_set_is_refused(text: str, lines: list[str]) -> None:
    """Where and why."""
    with pytest.raises(EndingsError, match=text):
        check(lines)
