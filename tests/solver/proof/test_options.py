"""What is proved holds whatever number an option is, and a model says which it was."""

from pathlib import Path

import pytest
import z3
from hypothesis import given
from hypothesis import strategies as st

from bezique.engine.codec import read_position
from bezique.engine.compiler.compiled import Compiled
from bezique.engine.library import Library
from bezique.engine.rules import Rules
from bezique.solver.proof.equivalence import Equivalence
from bezique.solver.proof.obligations import Table
from bezique.solver.proof.situation import Situation
from bezique.solver.proof.values import arithmetic
from tests.engine.table import rules_of
from tests.solver.proof.test_equivalence import compiled_wrongly
from tests.solver.scenes import changed_rules

DEFAULT_FOR_TARGET = "at.rules.values['target']", "1000"


def odd_target(folder: Path) -> Rules:
    """Return boussac's rules with a second end of the match, played to 777 points only."""
    return changed_rules(
        folder,
        "based_on: boussac\nsource: a slip of the pen\nverdict:\n"
        "  match/odd: {if: target == 777 and best >= 5, winner: leader}\n",
    )


def test_a_fault_at_one_number_is_found(tmp_path: Path) -> None:
    """Two ends of a match that hold together at one target are refuted with that target."""
    rules = odd_target(tmp_path)

    answer = Table(rules)._verdicts()

    assert rules.options["target"] == 1000
    assert answer.verdict == "refuted"
    assert answer.counterexample is not None
    assert answer.counterexample["options"]["target"] == 777


def test_a_situation_is_one_of_its_own_option() -> None:
    """What asks for a total is refused in a position with the target that it falls short of."""
    questions = dict(Table(rules_of("boussac")).questions())

    answer = questions["actions/claim/target/refuses"]()

    assert answer.verdict == "proved"
    assert answer.counterexample is not None
    target = answer.counterexample["options"]["target"]
    shown = read_position(Library(), answer.counterexample)
    assert shown.match_points[str(shown.turn)] < target


def test_numbers_are_within_what_the_option_allows() -> None:
    """A target is at least 1 (boussac's rule file); nothing else is known of it."""
    space = Situation(rules_of("boussac"), "lead", "south", any_option=True).space
    target = z3.Int("option target", space.ctx)
    found = z3.SimpleSolver(ctx=space.ctx)
    found.add(*space.constraints)

    assert found.check(target < 1) == z3.unsat
    assert found.check(target == 1) == z3.sat
    assert found.check(target == 123_456) == z3.sat


def test_code_is_the_same_for_every_number() -> None:
    """Nothing but the docstrings of boussac's code says what is played to."""

    def code(target: int) -> list[str]:
        lines = Compiled(rules_of("boussac", target=target)).source.splitlines()
        return [line for line in lines if '"""' not in line]

    assert code(1000) == code(350)


def test_code_that_knows_one_number_only_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Code that takes the default for the target is right at the default, and refuted."""
    rules = rules_of("boussac")
    code = compiled_wrongly(monkeypatch, *DEFAULT_FOR_TARGET, rules)

    found = next(Equivalence(rules, code).ends())

    assert found.what == "verdict"
    assert found.position is not None
    assert found.position.rules.options["target"] != 1000
    position = found.position
    assert code.verdict(position, "south") != Compiled(position.rules).verdict(
        position, "south"
    )


def test_points_that_hang_on_a_number_are_open(tmp_path: Path) -> None:
    """A meld that scores four times an option does so for every number it may be."""
    rules = changed_rules(
        tmp_path,
        "based_on: boussac\nsource: a table at home\nvalues: {worthy: 5}\n"
        "options:\n  worthy: {min: 2, max: 30}\n"
        "melds:\n  marriage: {points: worthy * 4}\n",
    )
    here = Situation(rules, "declare", "south", any_option=True)

    points = here.rules.points

    worthy = here.options["worthy"]
    found = z3.SimpleSolver(ctx=here.space.ctx)
    found.add(points["marriage"] != 4 * worthy)
    assert rules.points["marriage"] == 20
    assert found.check() == z3.unsat
    assert points["four-aces"] == 100


def test_a_duty_without_masks_is_left_undecided(tmp_path: Path) -> None:
    """Masks are made beforehand, which no number is: such a duty is not said to be proved."""
    rules = changed_rules(
        tmp_path,
        "based_on: boussac\nsource: a table at home\nterms:\n"
        "  heads(c): follows(c) and rank(c) > rank(led) and target > 500\n",
    )

    answer = dict(Table(rules).questions())["compiled/duties"]()

    assert answer.verdict == "undecided"
    assert "target" in answer.detail


TAKEN = """\
based_on: boussac
source: a table at home
terms:
  beats(c, d): >-
    (suit(c) == suit(d) and rank(c) > rank(d) or suit(c) == trump and suit(d) != trump)
    and target > 500
"""


def test_who_takes_a_trick_is_compared_for_every_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Code that takes the default for the target is found out in who beats whom, too."""
    rules = changed_rules(tmp_path, TAKEN)
    code = compiled_wrongly(monkeypatch, *DEFAULT_FOR_TARGET, rules)

    found = next(Equivalence(rules, code).tricks())

    assert found.what == "beats"
    assert found.position is not None
    assert found.position.rules.options["target"] in range(1, 501)
    assert list(Equivalence(rules).tricks()) == []


def test_tables_that_hang_on_a_number_are_undecided(tmp_path: Path) -> None:
    """The endgame's tables are made for one number: they are not said to equal the rules."""
    rules = changed_rules(tmp_path, TAKEN)

    answer = dict(Table(rules).questions())["tables/equal-the-rules"]()

    assert answer.verdict == "undecided"
    assert "target" in answer.detail


@given(
    st.sampled_from(["+", "-", "*", "//", "%"]),
    st.integers(-30, 30),
    st.integers(-7, 7),
)
def test_symbols_reckon_as_numbers_do(sign: str, one: int, two: int) -> None:
    """Quotients and remainders too are those of the interpreter, below zero as above."""
    ctx = z3.Context()

    found = arithmetic(sign, z3.IntVal(one, ctx), z3.IntVal(two, ctx))

    if two == 0 and sign in ("//", "%"):
        wanted = 0
    else:
        wanted = {
            "+": one + two,
            "-": one - two,
            "*": one * two,
            "//": one // (two or 1),
            "%": one % (two or 1),
        }[sign]
    assert z3.simplify(found).as_long() == wanted
