"""Seats are alike where no clause tells them apart; where one does, each is proved by itself."""

from pathlib import Path

import pytest

from bezique.engine.codec import read_position
from bezique.engine.library import Library
from bezique.engine.rules import Rules
from bezique.solver.proof.difference import Comparison
from bezique.solver.proof.equivalence import Equivalence
from bezique.solver.proof.greatest import most_in_a_hand
from bezique.solver.proof.obligations import Table
from bezique.solver.proof.search import Limits
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


@pytest.mark.long
def test_where_a_seat_is_named_the_other_is_proved_too(tmp_path: Path) -> None:
    """An action that only south can do is possible for south, and refuted for north."""
    rules = changed(
        tmp_path,
        "actions:\n  draw: {if: {draw/when: phase == declare and me != north}}\n",
    )
    questions = dict(Table(rules).questions())

    alike = questions["invariants/seats-alike-or-each"]()
    ours = questions["actions/draw/possible"]()
    theirs = questions["actions/draw/possible by north"]()

    assert alike.verdict == "proved"
    assert "the seat north is named" in alike.detail
    assert (ours.verdict, theirs.verdict) == ("proved", "refuted")


def test_a_seat_that_is_not_asked_for_itself_is_missed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where rules name north, and only south is asked, that is refuted."""
    rules = changed(tmp_path, "draw: {first: north}\n")
    monkeypatch.setattr(Table, "_acting", Table._of_one)

    answer = Table(rules)._alike()

    assert answer.verdict == "refuted"
    assert answer.detail.endswith("is not asked of north")


def test_a_situation_of_another_seat_is_its_own(tmp_path: Path) -> None:
    """What shows that north can be refused is a position with north on turn."""
    rules = changed(tmp_path, "draw: {first: south}\n")
    questions = dict(Table(rules).questions())

    answer = questions["actions/play/held/refuses by north"]()

    assert answer.verdict == "proved"
    shown = read_position(Library([tmp_path / "mine.yaml"]), answer.counterexample)
    assert shown.turn == "north"


@pytest.mark.long
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


BEATS = (
    "suit(c) == suit(d) and rank(c) > rank(d) or suit(c) == trump and suit(d) != trump"
)


@pytest.mark.parametrize(
    ("matter", "clause", "text"),
    [
        pytest.param(
            "legal",
            "meld/marriage",
            "melds:\n  marriage: {if: {marriage/plain-suit: s != trump and m.seat != north}}\n",
            id="a meld",
        ),
        pytest.param(
            "legal",
            "strict/heads",
            "terms:\n  heads(c): beating and follows(c) and rank(c) > rank(led) and me != north\n",
            id="a duty",
            marks=pytest.mark.long,
        ),
        pytest.param(
            "tricks",
            "beats",
            f"terms:\n  beats(c, d): ({BEATS}) and me != north\n",
            id="a trick",
            marks=pytest.mark.long,
        ),
        pytest.param(
            "points",
            "meld/marriage",
            "melds:\n  marriage: {points: 30}\n"
            "actions:\n  declare: {if: {declare/seat: me == north}}\n",
            id="points",
        ),
        pytest.param("course", "draw/first", "draw: {first: south}\n", id="a draw"),
    ],
)
def test_what_only_north_meets_is_found_with_north_on_turn(
    tmp_path: Path, matter: str, clause: str, text: str
) -> None:
    """Every search asks each seat where a table tells them apart."""
    comparison = Comparison(rules_of("cady"), changed(tmp_path, text))

    differences = getattr(comparison, matter)()

    found = next(item for item in differences if item.clause == clause)
    assert found.verdict == "differs"
    assert found.witness is not None
    assert found.witness.one_position.turn == "north"
    assert found.witness.one != found.witness.two


def test_what_only_north_sees_is_found(tmp_path: Path) -> None:
    """A view that opens to north alone is shown from where north sits."""
    two = changed(tmp_path, "views:\n  hidden: p == owner or p == north\n")

    found = next(iter(Comparison(rules_of("cady"), two).views()))

    assert found.verdict == "differs"
    assert found.witness is not None
    assert found.witness.two == "north sees hidden of south, north"


def test_an_end_that_only_north_brings_about_is_found(tmp_path: Path) -> None:
    """A verdict may ask who acted last: where that is north, the match does not end."""
    two = changed(
        tmp_path,
        "verdict:\n  match/target: {if: best >= target and tie and me != north, winner: leader}\n",
    )

    found = next(iter(Comparison(rules_of("cady"), two).results()))

    assert found.verdict == "differs"
    assert found.witness is not None
    assert found.witness.two == "another hand"


def test_a_trick_that_hangs_on_more_than_cards_is_searched(tmp_path: Path) -> None:
    """Who beats whom while cards are left to draw is asked in situations, not of cards alone."""
    two = changed(tmp_path, f"terms:\n  beats(c, d): ({BEATS}) and left > 0\n")

    found = next(iter(Comparison(rules_of("cady"), two).tricks()))

    assert found.verdict == "differs"
    assert found.witness is not None
    assert not found.witness.one_position.stock


def test_tricks_are_not_called_equivalent_where_seats_are_told_apart(
    tmp_path: Path,
) -> None:
    """The same winners by another text are equivalent only where all seats are alike."""
    text = (
        "terms:\n  beats(c, d): suit(c) == trump and suit(d) != trump"
        " or suit(c) == suit(d) and rank(c) > rank(d)\n"
    )
    one = rules_of("cady")

    plain = next(iter(Comparison(one, changed(tmp_path, text)).tricks()))
    told = changed(tmp_path, "draw: {first: south}\n" + text)
    apart = next(iter(Comparison(one, told).tricks()))

    assert plain.verdict == "equivalent"
    assert apart.verdict == "not distinguished within the bound"


def test_the_bound_of_a_hand_is_that_of_every_seat(tmp_path: Path) -> None:
    """What north alone can declare counts for the most that a seat declares in a hand."""
    rules = changed(
        tmp_path,
        "melds:\n  double-bezique: {points: 5000, if: {bezique/seat: m.seat == north}}\n",
    )

    bound, parts = most_in_a_hand(rules, Limits())

    assert bound is not None
    assert bound >= 5000
    assert "double-bezique" in parts


def test_each_seat_is_asked_who_beats_whom(tmp_path: Path) -> None:
    """That a card of north beats its like is refuted for north, and for nobody else."""
    rules = changed(
        tmp_path, f"terms:\n  beats(c, d): ({BEATS}) or me == north and c == d\n"
    )
    questions = dict(Table(rules).questions())

    ours = questions["tricks/identical-first"]()
    theirs = questions["tricks/identical-first by north"]()

    assert (ours.verdict, theirs.verdict) == ("proved", "refuted")
