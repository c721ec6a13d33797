"""Questions are asked apart: no answer knows of another question."""

import random

import pytest
import z3

from bezique.solver.proof.difference import Comparison
from bezique.solver.proof.doing import plain
from bezique.solver.proof.explore import Explorer, OpenNumber
from bezique.solver.proof.obligations import Table
from bezique.solver.proof.search import Limits, ask, preferred, smallest, solver
from tests.engine.table import rules_of


def test_a_solver_asks_in_a_context_of_its_own() -> None:
    """Terms go over into another context, and a model comes back that speaks of them."""
    home = z3.Context()
    one, two = z3.Ints("one two", home)

    found = solver(home, [one > two], Limits())
    found.add(two > 40)

    assert ask(found, one < 42) == "no"
    assert ask(found, one < 43) == "yes"
    model = found.model()
    assert model.ctx == home
    assert model.eval(one).as_long() == 42


def test_long_numbers_are_told_apart_by_their_last_part() -> None:
    """Z3 prints no more than the beginning of long sums: equal is what is one term."""
    home = z3.Context()
    parts = [z3.Int(f"part {number}", home) for number in range(141)]
    one, other = z3.Sum(parts[:140]), z3.Sum([*parts[:139], parts[140]])

    def number(value: z3.ArithRef) -> object:
        return plain(OpenNumber(Explorer(), value))

    assert repr(one) == repr(other)
    assert number(one) != number(other)
    assert number(one) == number(z3.Sum(parts[:140]))
    assert hash(number(one)) == hash(number(z3.Sum(parts[:140])))


def test_what_is_pushed_is_forgotten_again() -> None:
    """Wishes are granted one after the other, and leave nothing behind."""
    home = z3.Context()
    one, two = z3.Bools("one two", home)
    found = solver(home, [], Limits())

    granted = preferred(found, z3.Or(one, two), [z3.Not(one), z3.Not(two)])

    assert len(granted) == 1
    assert str(granted[0]) == "Not(one)"
    assert ask(found, z3.And(z3.Not(one), z3.Not(two))) == "yes"


def test_the_smallest_model_is_the_first_of_its_size() -> None:
    """Of two that are as small the one counts in which the first symbol is false."""
    home = z3.Context()
    one, two = z3.Bools("one two", home)
    found = solver(home, [], Limits())

    model = smallest(found, z3.Or(one, two), [[one, two]], [one, two])

    assert isinstance(model, z3.ModelRef)
    assert z3.is_false(model.eval(one))
    assert z3.is_true(model.eval(two))


def test_a_question_that_costs_too_much_is_undecided() -> None:
    """The limit is one of steps, so that it is the same on every machine."""
    home = z3.Context()
    holes = 9
    places = [
        [z3.Bool(f"{item} {hole}", home) for hole in range(holes)]
        for item in range(holes + 1)
    ]
    some = [z3.Or(row) for row in places]
    alone = [z3.AtMost(*column, 1) for column in zip(*places, strict=True)]

    found = solver(home, [*some, *alone], Limits(rlimit=2_000))

    assert ask(found) == "undecided"


@pytest.mark.parametrize(
    "part",
    [
        pytest.param("actions/seven", id="one action"),
        pytest.param("actions/", id="every action", marks=pytest.mark.long),
        pytest.param("duties/", id="duties", marks=pytest.mark.long),
    ],
)
def test_answers_do_not_depend_on_what_was_asked_before(part: str) -> None:
    """In any order each question has the same answer, situation and number of Z3's steps."""
    rules = rules_of("cady")
    names = [name for name, _ in Table(rules).questions() if name.startswith(part)]
    mixed = random.Random(5).sample(names, len(names))

    def answers(order: list[str]) -> dict[str, object]:
        asked = dict(Table(rules).questions())
        return {name: asked[name]() for name in order}

    orders = [names, names[::-1], mixed]
    found = [answers(order) for order in orders]

    assert len(names) > 4
    assert found[0] == found[1] == found[2]
    # A table that was asked everything else first says the same.
    table = dict(Table(rules).questions())
    for name in mixed:
        table[name]()
    assert {name: table[name]() for name in names} == found[0]


def test_a_ground_begins_each_question_afresh() -> None:
    """The same question takes as many steps on a ground that was asked others before."""
    ground = Comparison(rules_of("cady"), rules_of("streak")).ground("declare", 0)
    declare = rules_of("cady").profile.actions["declare"]

    def asked(number: int) -> tuple[str, int]:
        arguments = list(ground.arguments(declare))[number]
        found = ground.solver(arguments)
        return ask(found, ground.allowed(0, "declare", arguments)), found.spent()

    first = asked(0)
    asked(1)
    ground.afresh()
    again = asked(0)

    assert first == again
    assert first[0] == "yes"
