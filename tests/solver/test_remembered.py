"""What an attentive seat knows once the stock is closed."""

import pytest

from bezique.engine.moves import legal
from bezique.engine.position import Position
from bezique.engine.record import Record, Seen, replay, seen_by
from bezique.play.opponents import choose
from bezique.solver import solve
from bezique.solver.endgame import best
from bezique.solver.remembered import remembered
from tests.solver.scenes import PROFILES, rules_of
from tests.solver.test_analyse import played
from tests.tables import telling


def endings(record: Record) -> list[tuple[Position, list[Seen]]]:
    """Return each true ending of a record with what the seat to move has seen by then."""
    steps = replay(record)
    seen = {seat: seen_by(record, seat) for seat in record.rules.seats}
    return [
        (step.position, list(seen[str(step.position.turn)][: number + 1]))
        for number, step in enumerate(steps)
        if step.position.phase in ("lead", "follow") and step.position.left == 0
    ]


@pytest.mark.parametrize("profile", telling(PROFILES))
def test_the_whole_position_is_remembered(profile: str) -> None:
    """Both hands and the tricks won, even where tricks may not be looked at (D3.36)."""
    record = played(profile, 4)

    for truth, seen in endings(record):
        found = remembered(seen)

        assert found is not None
        assert found.hidden == truth.hidden
        assert found.won == truth.won
        assert solve(found, "twin") == solve(truth, "twin")
        assert best(found) == solve(truth).best


@pytest.mark.parametrize("profile", ["boussac", "cady", "streak"])
def test_the_opponent_plays_the_last_tricks_exactly(profile: str) -> None:
    """From what its seat has seen alone, the opponent at the terminal picks a best card."""
    for truth, seen in endings(played(profile, 6)):
        action = choose(seen, legal(truth))

        assert action.arguments["card"] in solve(truth, "twin").best.cards


def test_nothing_is_certain_while_the_stock_is_open() -> None:
    """Cards not seen may still be in the stock."""
    record = played("streak", 4)

    assert remembered(seen_by(record, "south")[:3]) is None


def test_a_seat_that_came_late_is_not_certain() -> None:
    """Where tricks are hidden and were not watched, the other hand is one of many."""
    record = played("boussac", 4)
    _, seen = endings(record)[0]

    assert remembered(seen[-1:]) is None
    assert rules_of("boussac") == record.rules
