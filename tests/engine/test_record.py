"""Records: replaying, stopping where the rules refuse, and what a seat has seen."""

import pytest

from bezique.engine import (
    Record,
    ReplayError,
    deal,
    final,
    replay,
    seen_by,
    shuffled,
    start,
)
from tests.engine.table import action, new_hand, rules_of, walk


def whole_hand() -> Record:
    """Return a hand of the streak game."""
    rules = rules_of("streak")
    steps = list(walk(rules, 2, steered=True, hands=1))
    return Record(rules, steps[0][0].dealer, tuple(done for _, done, _, _ in steps))


def test_final_is_the_last_step() -> None:
    """One place, two ways to it."""
    record = whole_hand()

    assert final(record) == replay(record)[-1].position


def test_record_stops_at_what_the_rules_refuse() -> None:
    """The error names the step and the clause."""
    rules = rules_of("cady")
    position = new_hand(rules, seed=0)
    record = Record(rules, "north", (deal(start(rules, "north"), shuffled(rules, 0)),))
    record = record.then(action(position, "draw"))

    for asked in (replay, final):
        with pytest.raises(ReplayError) as caught:
            asked(record)
        assert (caught.value.step, caught.value.clause) == (1, "draw/when")
        assert str(caught.value).startswith("step 1: illegal draw: ")


def test_seen_by_ends_with_the_view_of_the_end() -> None:
    """A step of memory for every action."""
    record = whole_hand()

    memory = seen_by(record, "south")

    assert len(memory) == len(record.actions)
    assert memory[-1].view.hand == 2


def test_memory_holds_all_cards_by_the_end_of_a_hand() -> None:
    """D0.43: an attentive player has seen every card when the last trick is played."""
    record = whole_hand()
    for seat in ("south", "north"):
        cards = {
            card
            for seen in seen_by(record, seat)
            for event in seen.events
            if event.name == "play"
            for card in [event.fields["card"]]
        }

        assert cards == set(record.rules.pack)
