"""Fields: open situations of one phase, and questions about all of them.

The situation is built once; each question about it is asked in a context of its own, which
knows what makes situations sensible and what the question itself brings along.

A model is believed when the interpreter, asked again in the position it describes and with the
arguments it gives, says the same; one it does not confirm leaves the question undecided.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

from bezique.engine.action import Action
from bezique.engine.codec import action_json, position_json
from bezique.engine.frozen import FrozenDict
from bezique.engine.position import Position
from bezique.engine.rules import Rules
from bezique.engine.status import status
from bezique.solver.proof.answer import Answer
from bezique.solver.proof.arguments import OpenArguments
from bezique.solver.proof.meaning import Symbolic
from bezique.solver.proof.search import Apart, Limits, ask, solver
from bezique.solver.proof.situation import Situation, found
from bezique.solver.proof.values import Guard, both
from bezique.spec import core

Arguments = dict[str, Any]

Again: TypeAlias = Callable[[Position, Action], bool]
"""Whether the interpreter finds what was asked in a position, with the action of a model."""


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

    def never(
        self,
        guard: Guard,
        again: Again,
        name: str = "",
        arguments: Arguments | None = None,
    ) -> Answer:
        """Return whether something never holds; a counterexample is a position.

        Args:
            guard: What shall never hold.
            again: Asks the interpreter whether it holds in a position.
            name: The action it is about, if any.
            arguments: What the action is given, open.
        """
        about = name, arguments or {}
        return self._asked(guard, about, again, verdict="refuted", none=Answer("proved"))  # fmt: skip

    def once(
        self,
        guard: Guard,
        again: Again,
        name: str = "",
        arguments: Arguments | None = None,
    ) -> Answer:
        """Return whether something holds in some situation, which the interpreter confirms.

        Args:
            guard: What shall hold somewhere.
            again: As for `never`.
            name: As for `never`.
            arguments: As for `never`.
        """
        about = name, arguments or {}
        none = Answer("refuted", "no such situation")
        return self._asked(guard, about, again, verdict="proved", none=none)

    def _asked(
        self,
        guard: Guard,
        about: tuple[str, Arguments],
        again: Again,
        *,
        verdict: str,
        none: Answer,
    ) -> Answer:
        if guard is False:
            return none
        space = self.situation.space
        apart = solver(space.ctx, space.constraints, self.limits)
        apart.add(*self.open.needs(about[1]))
        if not isinstance(guard, bool):
            apart.add(guard)
        match ask(apart):
            case "no":
                return Answer(none.verdict, none.detail, steps=apart.spent())
            case "undecided":
                detail = "not answered within the limit"
                return Answer("undecided", detail, steps=apart.spent())
        return self._shown(verdict, apart, about, again)

    def _shown(
        self,
        verdict: str,
        apart: Apart,
        about: tuple[str, Arguments],
        again: Again,
    ) -> Answer:
        model = apart.model()
        position = self.situation.position(model)
        name, arguments = about
        given = {key: found(model, value) for key, value in arguments.items()}
        action = Action(name, FrozenDict(given))
        problems = (
            status(position, lenient=self.rules.has_rulings)
            if self.situation.phase != "over"
            else ()
        )
        if problems:
            detail = f"the interpreter refuses the situation: {problems[0]}"
            return Answer("undecided", detail, steps=apart.spent())
        if not again(position, action):
            detail = "the interpreter does not find so in the situation"
            return Answer("undecided", detail, steps=apart.spent())
        shown = position_json(position)
        if name:
            shown["action"] = action_json(position.rules, action)
        return Answer(verdict, "a situation shows it", shown, apart.spent())
