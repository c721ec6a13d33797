"""Counts of sequences of actions from fixed deals: two engines that differ differ here."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from bezique.engine import Position, Rules, apply, legal, position_json, start
from bezique.engine.code import Interpreted
from bezique.engine.record import Record
from bezique.engine.series import new_series
from bezique.play.perft import dealt, divide, perft
from bezique.play.saved import Saved
from tests.engine.plain import plain_actions
from tests.engine.table import LIBRARY, PROFILES

COUNTED: list[dict[str, Any]] = yaml.safe_load(
    Path(__file__).with_name("perft.yaml").read_text(encoding="utf-8")
)


def name(item: dict[str, Any]) -> str:
    """Return a name for a deal."""
    return "-".join(
        [item["profile"], *map(str, item["options"].values()), item["seed"]]
    )


def begun(item: dict[str, Any]) -> tuple[Rules, Position, Saved]:
    """Return the match before its first deal, and the game whose seed deals."""
    rules = LIBRARY.rules(item["profile"], item["options"])
    dealer = rules.seats[0]
    game = Saved(Record(rules, dealer), item["seed"], new_series(rules))
    return rules, start(rules, dealer), game


def test_every_profile_is_counted() -> None:
    """At three deals at least."""
    counted = [item["profile"] for item in COUNTED]

    assert [profile for profile in PROFILES if counted.count(profile) < 3] == []


@pytest.mark.parametrize("item", COUNTED, ids=name)
def test_counts_are_those_of_compiled_code(item: dict[str, Any]) -> None:
    """To four actions: a trick, declarations, a draw and a lead."""
    _, position, game = begun(item)

    found = [perft(position, depth, game) for depth in range(1, 5)]

    assert found == item["counts"][:4]


@pytest.mark.parametrize("item", COUNTED[::3], ids=name)
def test_counts_are_those_of_the_interpreter(item: dict[str, Any]) -> None:
    """To three actions, at the first deal of each table; the long test asks the rest."""
    rules, position, game = begun(item)

    assert perft(position, 3, game, code=Interpreted(rules)) == item["counts"][2]


@pytest.mark.long
@pytest.mark.parametrize("item", COUNTED, ids=name)
def test_counts_go_on_to_five_actions(item: dict[str, Any]) -> None:
    """The same from compiled code and the interpreter."""
    rules, position, game = begun(item)

    assert perft(position, 5, game) == item["counts"][4]
    assert perft(position, 5, game, code=Interpreted(rules)) == item["counts"][4]


@pytest.mark.parametrize("item", COUNTED, ids=name)
def test_first_counts_follow_from_the_size_of_a_hand(item: dict[str, Any]) -> None:
    """While stock is left any card may be led and any card may follow."""
    rules, _, _ = begun(item)
    size = rules.hand_size

    assert item["counts"][:2] == [size, size * size]


@pytest.mark.parametrize(
    "item", [c for c in COUNTED if c["profile"] in ("cady", "streak")], ids=name
)
def test_counts_are_those_of_the_plain_twin(item: dict[str, Any]) -> None:
    """Four actions, counted by rules written out by hand."""
    _, position, game = begun(item)

    assert plainly(dealt(position, game), 4) == item["counts"][3]


def plainly(position: Position, depth: int) -> int:
    """Return the number of sequences, the last action of each counted by the plain twin."""
    if depth == 1:
        return len(plain_actions(position_json(position)))
    return sum(
        plainly(apply(position, action)[0], depth - 1) for action in legal(position)
    )


def test_divided_counts_sum_to_the_count() -> None:
    """One number for each first action."""
    item = COUNTED[0]
    rules, position, game = begun(item)

    parts = divide(position, 3, game)

    assert len(parts) == rules.hand_size
    assert sum(parts.values()) == item["counts"][2]
