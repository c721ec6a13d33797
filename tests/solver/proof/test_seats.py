"""Seats are alike where no clause tells them apart; where one does, each is proved by itself."""

from pathlib import Path

import pytest

from bezique.engine.codec import read_position
from bezique.engine.library import Library
from bezique.engine.rules import Rules
from bezique.solver.proof.difference import Comparison
from bezique.solver.proof.equivalence import Equivalence
from bezique.solver.proof.obligations import Table
from bezique.solver.proof.seats import told_apart
from tests.engine.table import PROFILES, rules_of
from tests.solver.proof.test_equivalence import compiled_wrongly
from tests.solver.scenes import changed_rules

HOME = "based_on: cady\nsource: a table at home\n"


def changed(folder: Path, text: str) -> Rules:
    """Return cady's rules with some lines changed."""
    return changed_rules(folder, HOME + text)


@pytest.mark.parametrize("profile", PROFILES)
def test_no_table_of_the_documents_tells_seats_apart(profile: str) -> None:
    """Who deals the first hand may be settled by name (D1), nothing within a match."""
    rules = rules_of(profile)

    assert told_apart(rules) == []
    assert not [name for name, _ in Table(rules).questions() if " by " in name]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param(
            "draw: {first: south}\n", "the seat south is named", id="a seat named"
        ),
        pytest.param(
            "actions:\n  draw: {if: {draw/when: phase == declare and me != north}}\n",
            "the seat north is named",
            id="in a condition",
        ),
        pytest.param(
            "after:\n  brisques/hand: {do: [{for: p in seats, do: "
            "[\"pay(p, 10 if leader is None else 0, 'brisques')\"]}]}\n",
            "what is done for one seat after another depends on their order",
            id="paid in an order",
        ),
        pytest.param(
            "after:\n  brisques/hand: {do: [{for: p in seats, do: [barred += p]}]}\n",
            "",
            id="noted in any order",
        ),
    ],
)
def test_a_rule_that_tells_seats_apart_is_seen(
    tmp_path: Path, text: str, told: str
) -> None:
    """A name, or what is done in the order of the seats; not what comes to the same in any."""
    assert told_apart(changed(tmp_path, text)) == ([told] if told else [])


def test_where_a_seat_is_named_the_other_is_proved_too(tmp_path: Path) -> None:
    """An action that only south can do is possible for south, and refuted for north."""
    rules = changed(
        tmp_path,
        "actions:\n  draw: {if: {draw/when: phase == declare and me != north}}\n",
    )
    questions = dict(Table(rules).questions())

    alike = questions["invariants/seats-alike"]()
    ours = questions["actions/draw/possible"]()
    theirs = questions["actions/draw/possible by north"]()

    assert alike.verdict == "proved"
    assert "the seat north is named" in alike.detail
    assert (ours.verdict, theirs.verdict) == ("proved", "refuted")


def test_a_situation_of_another_seat_is_its_own(tmp_path: Path) -> None:
    """What shows that north can be refused is a position with north on turn."""
    rules = changed(tmp_path, "draw: {first: south}\n")
    questions = dict(Table(rules).questions())

    answer = questions["actions/play/held/refuses by north"]()

    assert answer.verdict == "proved"
    shown = read_position(Library([tmp_path / "mine.yaml"]), answer.counterexample)
    assert shown.turn == "north"


def test_a_fault_in_code_for_one_seat_only_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Code that lets north declare again, and north alone, is refuted with north on turn."""
    right = "(not at.state['declared'])"
    code = compiled_wrongly(monkeypatch, right, f"({right} or me == 'north')")
    rules = rules_of("cady")

    found = {
        me: next(Equivalence(rules, code, me=me).conditions(), None)
        for me in rules.seats
    }

    assert found["south"] is None
    mismatch = found["north"]
    assert mismatch is not None
    assert mismatch.what == "declare/one-a-trick"
    assert mismatch.position is not None
    assert mismatch.position.turn == "north"


def test_tables_that_tell_seats_apart_are_never_called_equivalent(
    tmp_path: Path,
) -> None:
    """A difference that only north meets is found with north on turn."""
    one = rules_of("cady")
    two = changed(
        tmp_path,
        "actions:\n  draw: {if: {draw/when: phase == declare and me != north}}\n",
    )

    found = next(
        item for item in Comparison(one, two).legal() if item.clause == "draw/when"
    )

    assert found.verdict == "differs"
    assert found.witness is not None
    assert found.witness.one_position.turn == "north"
