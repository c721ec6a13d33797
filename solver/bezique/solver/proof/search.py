"""Search: is there such a situation, and which is the smallest?

Every question gets a fresh context and a resource limit (`Apart`), so that an answer is the same
on every machine, whatever was asked before; the clock is only a backstop.  "Not decided" is an
answer of its own.
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


class Apart:
    """A solver in a context of its own, asked about terms of another.

    What it is told and asked is carried over, and models are carried back, so that it knows
    only what this very question told it: neither an answer nor its cost depends on what was
    asked elsewhere before.

    Args:
        home: The context of the terms.
        limits: How much each check may cost.
    """

    def __init__(self, home: z3.Context, limits: Limits) -> None:
        self._home, self._ctx = home, z3.Context()
        # Most questions are asked once and soon answered: preparing them costs more than it saves.
        self._solver = z3.SimpleSolver(ctx=self._ctx)
        self._solver.set("rlimit", limits.rlimit)
        self._solver.set("timeout", limits.backstop_ms)
        self._solver.set("random_seed", 0)

    def add(self, *guards: z3.BoolRef) -> None:
        """Take it that guards hold."""
        self._solver.add(*self._carried(guards))

    def check(self, *guards: z3.BoolRef) -> z3.CheckSatResult:
        """Return whether guards can hold, this once, together with what is known."""
        return self._solver.check(*self._carried(guards))

    def model(self) -> z3.ModelRef:
        """Return a model after a check that found one, of the terms as they were asked."""
        return self._solver.model().translate(self._home)

    def push(self) -> None:
        """Begin what `pop` forgets."""
        self._solver.push()

    def pop(self) -> None:
        """Forget what was added since the last `push`."""
        self._solver.pop()

    def spent(self) -> int:
        """Return how many of Z3's steps the last check has come to."""
        return int(self._solver.statistics().get_key_value("rlimit count"))

    def _carried(self, guards: tuple[z3.BoolRef, ...]) -> list[z3.BoolRef]:
        if not guards:
            return []
        # All at once: what the guards share is carried over once.
        terms = z3.AstVector(ctx=self._home)
        for guard in guards:
            terms.push(guard)
        return list(terms.translate(self._ctx))


def solver(ctx: z3.Context, constraints: Iterable[z3.BoolRef], limits: Limits) -> Apart:
    """Return a solver for one question, in a fresh context, that knows some constraints.

    Args:
        ctx: The context of the constraints and of what is asked.
        constraints: What holds.
        limits: How much each check may cost.
    """
    found = Apart(ctx, limits)
    found.add(*constraints)
    return found


def ask(found: Apart, *guards: Guard) -> Answer:
    """Return whether the guards can hold together with what the solver knows."""
    if any(guard is False for guard in guards):
        return "no"
    result = found.check(*(guard for guard in guards if not isinstance(guard, bool)))
    return "yes" if result == z3.sat else "no" if result == z3.unsat else "undecided"


def smallest(
    found: Apart,
    goal: Guard,
    sizes: Iterable[list[Guard]],
    symbols: Iterable[z3.ExprRef] = (),
) -> z3.ModelRef | Answer | None:
    """Return a model of a goal in which as few guards of each list hold as can be.

    Of all that are as small it is the first in the order of the symbols: whatever the solver
    was asked before, the model is the same.  A check that the limits leave undecided counts as
    a no, so that the model is then only one of the small ones.

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
    found: Apart, model: z3.ModelRef, symbols: Iterable[z3.ExprRef]
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


def _least(found: Apart, model: z3.ModelRef, symbol: z3.ExprRef) -> z3.ModelRef:
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


def preferred(found: Apart, goal: Guard, wishes: Iterable[Guard]) -> list[Guard]:
    """Return the wishes that can be granted one after the other beside a goal."""
    granted: list[Guard] = []
    found.push()
    found.add(*([] if isinstance(goal, bool) else [goal]))
    for wish in wishes:
        if ask(found, wish) == "yes":
            granted.append(wish)
            found.add(*([] if isinstance(wish, bool) else [wish]))
    found.pop()
    return granted
