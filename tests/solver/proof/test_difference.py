"""Where tables part: what the documents say differs is found, each with a witness that plays so."""

from functools import cache
from pathlib import Path

import pytest

from bezique.engine.library import Library
from bezique.engine.moves import refusal
from bezique.solver.proof.difference import Comparison
from bezique.solver.proof.show import difference_json, difference_text, page, settled
from bezique.solver.proof.witness import Difference
from tests.engine.table import rules_of

STREAK_AND_CADY = (
    ("legal", "meld/four-kings"),
    ("legal", "meld/double-bezique"),
    ("legal", "declare/bring"),
    ("legal", "seven/way"),
    ("legal", "announce"),
    ("points", "seven/played"),
    ("points", "brisques/trick"),
    ("points", "brisques/hand"),
    ("result", "match/first-hand, match/last-hand, match/target"),
)


@cache
def found(one: str, two: str) -> dict[tuple[str, str], Difference]:
    """Return the differences of two tables by matter and clause."""
    comparison = Comparison(rules_of(one), rules_of(two))
    return {(item.matter, item.clause): item for item in comparison.differences()}


def test_a_table_does_not_differ_from_itself() -> None:
    """Nothing is shown where there is nothing to show."""
    assert found("cady", "cady") == {}
    assert settled(rules_of("cady"), rules_of("cady")) == []


def test_king_takes_ten_at_one_table_only() -> None:
    """Cady ranks the ten below the ace, the Portuguese table the king (D2.05, D4.07)."""
    difference = next(Comparison(rules_of("cady"), rules_of("luso")).tricks())

    assert difference.verdict == "differs"
    witness = difference.witness
    assert witness is not None
    assert witness.action is not None
    card, led = (
        str(witness.action.arguments["card"]),
        str(witness.one_position.trick[0]),
    )
    assert {card[0], led[0]} == {"K", "T"}
    assert card[1] == led[1]
    assert witness.one != witness.two


@pytest.mark.long
def test_what_happens_upon_a_draw_is_no_proof(tmp_path: Path) -> None:
    """A reaction whose moment no situation shows is never called equivalent."""
    file = tmp_path / "mine.yaml"
    file.write_text(
        "profile: mine\nbased_on: luso\nsource: a table at home\n"
        "after:\n  last/drawn: {upon: draw, if: left == 0, do: [\"pay(me, 5, 'last-card')\"]}\n",
        encoding="utf-8",
    )

    differences = Comparison(rules_of("luso"), Library([file]).rules("mine")).points()

    verdicts = {item.clause: item.verdict for item in differences}
    assert verdicts["last/drawn"] != "equivalent"


@pytest.mark.long
def test_streak_and_cady_part_where_the_documents_do() -> None:
    """Fours, doubles, hidden card, sevens, announcements, brisques and the end all differ."""
    differences = found("streak", "cady")

    for key in STREAK_AND_CADY:
        assert differences[key].verdict == "differs", key
        assert differences[key].witness is not None
    assert [d for d in differences.values() if d.verdict == "undecided"] == []


@pytest.mark.long
@pytest.mark.parametrize("pair", [("streak", "cady"), ("cady", "luso")])
def test_the_interpreter_confirms_every_witness(pair: tuple[str, str]) -> None:
    """What is legal at one table of a witness is refused at the other, by the clause it names."""
    tables = rules_of(pair[0]), rules_of(pair[1])
    confirmed = 0
    for difference in found(*pair).values():
        witness = difference.witness
        if witness is None:
            continue
        assert witness.one != witness.two
        assert (witness.one_position.rules, witness.two_position.rules) == tables
        if difference.matter == "legal":
            assert witness.action is not None
            said = [
                refusal(position, witness.action)
                for position in (witness.one_position, witness.two_position)
            ]
            assert said[0] is None or said[1] is None or said[0] != said[1]
            assert said[0] != said[1]
        confirmed += 1
    assert confirmed >= 5


def test_a_meld_that_scores_otherwise_is_shown() -> None:
    """Four of one rank in two suits is a meld of one table only, with four cards held."""
    comparison = Comparison(rules_of("streak"), rules_of("cady"))
    action = rules_of("streak").profile.actions["declare"]

    difference = comparison._meld("declare", action, "four-kings")

    witness = difference.witness
    assert witness is not None
    assert witness.action is not None
    kings = witness.action.arguments["m"].cards
    assert {card.rank for card in kings} == {"K"}
    assert len(kings) == 4
    assert "legal" in (witness.one, witness.two)
    assert witness.one_position.held("south") >= kings


def test_differences_are_written_as_text_json_and_page() -> None:
    """A witness shows its cards in words, as positions, and drawn."""
    tables = rules_of("cady"), rules_of("luso")
    difference = next(Comparison(*tables).tricks())

    text = difference_text(difference, "cady", "luso")
    written = difference_json(difference)
    drawn = page(*tables, settled(*tables), [difference])

    assert "south takes the trick" in text
    assert written["verdict"] == "differs"
    assert written["witness"]["one"]["position"]["profile"] == "cady"
    assert "class=card" in drawn.replace("'", "")
    assert "<script" not in drawn
