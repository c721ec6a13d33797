"""What happens by itself: where two tables' reactions upon the same thing come out unlike."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from bezique.engine.dealing import deal
from bezique.engine.position import start
from bezique.solver.proof import beyond, said
from bezique.solver.proof.effects import apart
from bezique.solver.proof.ground import Ground
from bezique.solver.proof.search import ask
from bezique.solver.proof.values import (
    Guard,
    both,
    no,
    some,
)
from bezique.solver.proof.witness import Difference, Witness, verdict_on
from bezique.spec import core

if TYPE_CHECKING:
    from bezique.solver.proof.difference import Comparison


UPON_A_PLAY = ("play", "trick", "hand")


class ReactionSearch:
    """Looks for something done after which what happens by itself differs.

    Both tables' reactions upon the same thing are carried out on open situations; where points
    or state can come out unlike, an action that brings it about is the witness.
    """

    def __init__(
        self, comparison: "Comparison", clause: str, sides: list[core.Reaction | None]
    ) -> None:
        self.comparison, self.clause = comparison, clause
        self.upon = next(side.upon for side in sides if side is not None)
        self.undecided = False

    def difference(self) -> Difference:
        """Return whether the reaction differs, and where."""
        witness = self._dealt() if self.upon == "deal" else self._played()
        if witness is not None:
            return Difference("points", self.clause, "differs", witness)
        verdict = verdict_on(None, self.undecided, beyond.BOUND)
        return Difference("points", self.clause, verdict)

    def _dealt(self) -> Witness | None:
        """Return a deal that differs: all that matters then is who deals and what is turned up."""
        tables = (self.comparison.one, self.comparison.two)
        for dealer in tables[0].seats:
            positions = [start(rules, dealer) for rules in tables]
            for number_ in range(len(tables[0].pack)):
                told: list[str] = []
                for rules, position in zip(tables, positions, strict=True):
                    pack = (*rules.pack[number_:], *rules.pack[:number_])
                    action = deal(position, pack)
                    told.append(said.outcome(position, action))
                if told[0] != told[1]:
                    return Witness(positions[0], positions[1], action, told[0], told[1])
        return None

    def _played(self) -> Witness | None:
        comparison = self.comparison
        tries = {
            "draw": ("declare",),
            "closed": ("declare",),
        }.get(self.upon, ("follow", "lead", "declare"))
        for ground in comparison.grounds(tries, (0, 1)):
            for name, rule in comparison.one.profile.actions.items():
                if rule.ruling or name not in comparison.two.profile.actions:
                    continue
                for arguments in ground.arguments(rule):
                    witness = self._tried(ground, name, arguments)
                    if witness is not None:
                        return witness
                    self.undecided |= ground.undecided
        return None

    def _tried(
        self, ground: Ground, name: str, arguments: dict[str, Any]
    ) -> Witness | None:
        allowed = both(*(ground.allowed(side, name, arguments) for side in (0, 1)))
        if self.upon == "closed":
            # The last cards are drawn.
            here = ground.situation
            allowed = both(allowed, here.left.just(len(here.rules.seats)))
        if ask(ground.solver(arguments), allowed) == "no":
            ground.undecided = False
            return None
        alone = self._apart(
            ground, self.upon, name, arguments, lambda clause: clause == self.clause
        )
        if alone is not False:
            # First a witness in which this clause is all that differs: there it is seen best.
            others = [
                self._apart(
                    ground, upon, name, arguments, lambda clause: clause != self.clause
                )
                for upon in UPON_A_PLAY
            ]
            goal = both(allowed, alone, *(no(other) for other in others))
            witness = ground.witness(goal, arguments, name, said.outcome)
            if witness is not None:
                return witness
        apart = self._apart(ground, self.upon, name, arguments, lambda _: True)
        return ground.witness(both(allowed, apart), arguments, name, said.outcome)

    def _apart(
        self,
        ground: Ground,
        upon: str,
        name: str,
        arguments: dict[str, Any],
        only: Callable[[str], bool],
    ) -> Guard:
        """Return whether some clauses upon something come to different things."""
        one = ground.reacted(0, upon, name, arguments, only)
        two = ground.reacted(1, upon, name, arguments, only)
        if one is None or two is None:
            return False
        return some(*apart(self.comparison.one.seats, one, two))
