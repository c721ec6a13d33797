"""Fields: open situations of one phase, and questions about all of them.

The situation is built once; each question about it is asked in a context of its own, which
knows what makes situations sensible and what the question itself brings along.
"""

from typing import Any

from bezique.engine.codec import position_json
from bezique.engine.rules import Rules
from bezique.engine.status import status
from bezique.solver.proof.answer import Answer
from bezique.solver.proof.arguments import OpenArguments
from bezique.solver.proof.meaning import Symbolic
from bezique.solver.proof.search import Apart, Limits, ask, solver
from bezique.solver.proof.situation import Situation
from bezique.solver.proof.values import Guard, both
from bezique.spec import core

Arguments = dict[str, Any]


class Field:
    """The sensible situations of one phase.

    Args:
        rules: The table.
        phase: The phase, known.
        me: The seat that acts, known.
        slots: How many melds each list of the state may hold.
        limits: How much each question may cost.
    """

    def __init__(
        self, rules: Rules, phase: str, me: str, slots: int, limits: Limits
    ) -> None:
        self.rules, self.limits = rules, limits
        self.situation = Situation(
            rules,
            phase,
            me,
            slots=slots,
            rulings=rules.has_rulings,
            any_option=True,
        )
        self.situation.space.require(*self.situation.sensible())
        self.here = Symbolic(self.situation, me)
        self.open = OpenArguments(self.situation, (rules,))

    def allowed(self, action: core.Action, arguments: Arguments) -> Guard:
        """Return whether an action is legal."""
        return both(
            *(self.here.guard(clause.test, arguments) for clause in action.conditions)
        )

    def never(self, guard: Guard, arguments: Arguments | None = None) -> Answer:
        """Return whether something never holds; a counterexample is a position."""
        return self._asked(guard, arguments, found="refuted", none=Answer("proved"))

    def once(self, guard: Guard, arguments: Arguments | None = None) -> Answer:
        """Return whether something holds in some situation, which the interpreter finds sound."""
        none = Answer("refuted", "no such situation")
        return self._asked(guard, arguments, found="proved", none=none)

    def _asked(
        self, guard: Guard, arguments: Arguments | None, *, found: str, none: Answer
    ) -> Answer:
        if guard is False:
            return none
        space = self.situation.space
        apart = solver(space.ctx, space.constraints, self.limits)
        apart.add(*self.open.needs(arguments or {}))
        if not isinstance(guard, bool):
            apart.add(guard)
        match ask(apart):
            case "no":
                return Answer(none.verdict, none.detail, steps=apart.spent())
            case "undecided":
                return Answer("undecided", steps=apart.spent())
        return self._shown(found, apart)

    def _shown(self, verdict: str, apart: Apart) -> Answer:
        position = self.situation.position(apart.model())
        problems = (
            status(position, lenient=self.rules.has_rulings)
            if self.situation.phase != "over"
            else ()
        )
        if problems:
            detail = f"the interpreter refuses the situation: {problems[0]}"
            return Answer("undecided", detail, steps=apart.spent())
        shown = position_json(position)
        return Answer(verdict, "a situation shows it", shown, apart.spent())
