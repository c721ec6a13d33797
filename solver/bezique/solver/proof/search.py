"""Search: is there such a situation, and which is the smallest?

Every question gets a fresh context and a resource limit, so that an answer is the same on
every machine; the clock is only a backstop.  "Not decided" is an answer of its own.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import z3

from bezique.solver.proof.values import Guard

Answer: TypeAlias = Literal["yes", "no", "undecided"]

RLIMIT = 60_000_000
BACKSTOP_MS = 60_000


@dataclass(frozen=True)
class Limits:
    """How much may be spent on one question."""

    rlimit: int = RLIMIT
    backstop_ms: int = BACKSTOP_MS


def solver(
    ctx: z3.Context, constraints: Iterable[z3.BoolRef], limits: Limits
) -> z3.Solver:
    """Return a solver with limits and constraints."""
    found = z3.Solver(ctx=ctx)
    found.set("rlimit", limits.rlimit)
    found.set("timeout", limits.backstop_ms)
    found.set("random_seed", 0)
    found.add(*constraints)
    return found


def ask(found: z3.Solver, *guards: Guard) -> Answer:
    """Return whether the guards can hold together with what the solver knows."""
    if any(guard is False for guard in guards):
        return "no"
    result = found.check(*(guard for guard in guards if guard is not True))
    return "yes" if result == z3.sat else "no" if result == z3.unsat else "undecided"


def smallest(
    found: z3.Solver,
    goal: Guard,
    sizes: Iterable[list[Guard]],
    symbols: Iterable[z3.ExprRef] = (),
) -> z3.ModelRef | Answer | None:
    """Return a model of a goal in which as few guards of each list hold as can be.

    Of all that are as small it is the first in the order of the symbols: whatever the solver
    was asked before, the model is the same.

    Args:
        found: A solver with the constraints.
        goal: What the model must make true.
        sizes: Lists of guards, the most important first; each is made as small as the ones
            before it allow.
        symbols: What decides between models of the same size, the most important first.

    Returns:
        A model, or None where there is none, or "undecided".
    """
    answer = ask(found, goal)
    if answer != "yes":
        return None if answer == "no" else answer
    model = found.model()
    found.push()
    found.add(*([goal] if not isinstance(goal, bool) else []))
    for guards in sizes:
        open_ = [guard for guard in guards if not isinstance(guard, bool)]
        weights = [(guard, 1) for guard in open_]
        # From below: where hardly anything may be there, the answer comes at once.
        for count in range(len(open_)):
            at_most = z3.PbLe(weights, count)
            if found.check(at_most) == z3.sat:
                model = found.model()
                found.add(at_most)
                break
    model = first(found, model, symbols)
    found.pop()
    return model


def first(
    found: z3.Solver, model: z3.ModelRef, symbols: Iterable[z3.ExprRef]
) -> z3.ModelRef:
    """Return the first model in the order of some symbols, and leave them fixed.

    A truth value is rather false, a number rather small; numbers are not below zero.

    Args:
        found: A solver that has a model.
        model: Any model of it, from which the search begins.
        symbols: Truth values, bit vectors and whole numbers, the most important first.
    """
    for symbol in symbols:
        value = model.eval(symbol, model_completion=True)
        if z3.is_bool(symbol):
            if z3.is_true(value) and found.check(z3.Not(symbol)) == z3.sat:
                model = found.model()
        else:
            model = _least(found, model, symbol)
        found.add(symbol == model.eval(symbol, model_completion=True))
    return model


def _least(found: z3.Solver, model: z3.ModelRef, symbol: z3.ExprRef) -> z3.ModelRef:
    """Return a model in which a number is as small as can be."""
    below = z3.ULT if z3.is_bv(symbol) else lambda one, two: one < two
    low, high = 0, model.eval(symbol, model_completion=True).as_long()
    while low < high:
        middle = (low + high) // 2
        if found.check(below(symbol, middle + 1)) == z3.sat:
            model = found.model()
            high = model.eval(symbol, model_completion=True).as_long()
        else:
            low = middle + 1
    return model


def preferred(found: z3.Solver, goal: Guard, wishes: Iterable[Guard]) -> list[Guard]:
    """Return the wishes that can be granted one after the other beside a goal."""
    granted: list[Guard] = []
    for wish in wishes:
        if ask(found, goal, *granted, wish) == "yes":
            granted.append(wish)
    return granted
