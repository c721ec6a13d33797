"""Grounds: open situations of one phase, the same for two tables, on which witnesses are searched."""

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import z3

from bezique.engine.action import Action
from bezique.engine.cards import Card
from bezique.engine.frozen import FrozenDict
from bezique.engine.rules import Rules
from bezique.engine.status import status
from bezique.solver.proof.arguments import OpenArguments
from bezique.solver.proof.effects import Effects, Execution
from bezique.solver.proof.meaning import Symbolic
from bezique.solver.proof.search import (
    Apart,
    Limits,
    ask,
    preferred,
    smallest,
    solver,
)
from bezique.solver.proof.situation import Situation, found, holds
from bezique.solver.proof.values import (
    Guard,
    ListOf,
    MeldOf,
    SetOf,
    alike,
    both,
    cases,
    equal,
    if_else,
    implied,
    members,
    no,
    some,
    truth,
)
from bezique.solver.proof.witness import Witness
from bezique.spec import core

Key = tuple[str, int, bool]
"""Phase, number of melds each list may hold, whether a referee may have ruled."""


class Ground:
    """Situations of one phase, sensible under both tables, with a solver that knows them.

    A free ground is sensible under the first table alone: what holds of it holds of every
    position that both tables reach before they part, whatever the second takes for sensible.
    """

    def __init__(
        self,
        one: Rules,
        two: Rules,
        pack: tuple[Card, ...],
        limits: Limits,
        key: Key,
        me: str,
        *,
        free: bool = False,
    ) -> None:
        phase, slots, rulings = key
        self.tables, self.rulings = (one, two), rulings
        self.me = me
        self.situation = Situation(
            one, phase, self.me, slots=slots, rulings=rulings, cards=pack, also=(two,)
        )  # fmt: skip
        space = self.situation.space
        space.require(*self.situation.sensible())
        second = Symbolic(self.situation, self.me, two)
        if not free:
            space.require(
                *(second.guard(clause.test) for clause in two.profile.invariants)
            )
        for part in one.profile.state:
            if part.type.kind == "list" and not free:
                for meld, there in members(self.situation.state[part.name]):
                    space.require(
                        *(
                            implied(both(there, at), name in two.profile.melds)
                            for name, at in cases(meld.meld)
                        )
                    )
        self.here = (Symbolic(self.situation, self.me, one), second)
        self.limits = limits
        self.undecided = False
        self.open = OpenArguments(self.situation, (one, two))
        self._apart: Apart | None = None
        self._known: set[int] = set()

    def over(self, two: Rules) -> "Ground":
        """Return the same ground with another second table over the same state."""
        self.tables = (self.tables[0], two)
        self.here = (self.here[0], Symbolic(self.situation, self.me, two))
        self.open = OpenArguments(self.situation, self.tables)
        self.afresh()
        return self

    def afresh(self) -> None:
        """Forget what was asked: the next question is asked in a context of its own."""
        self._apart = None

    def solver(self, arguments: dict[str, Any]) -> Apart:
        """Return the solver of the question at hand, which knows what the arguments need."""
        if self._apart is None:
            space = self.situation.space
            self._apart = solver(space.ctx, space.constraints, self.limits)
            self._known = set()
        needs = [g for g in self.open.needs(arguments) if g.get_id() not in self._known]
        self._known |= {guard.get_id() for guard in needs}
        self._apart.add(*needs)
        return self._apart

    def arguments(self, rule: core.Action) -> Iterator[dict[str, Any]]:
        """Yield arguments for an action: open cards, each meld, each of what can be listed."""
        return self.open.of(rule)

    def allowed(self, side: int, name: str, arguments: dict[str, Any]) -> Guard:
        """Return whether an action is legal at one of the tables."""
        rule = self.tables[side].profile.actions.get(name)
        if rule is None or not self.knows(side, arguments):
            return False
        return both(
            *(
                self.here[side].guard(clause.test, arguments)
                for clause in rule.conditions
            )
        )

    def knows(self, side: int, arguments: dict[str, Any]) -> bool:
        """Return whether one of the tables has the meld among some arguments, if any."""
        melds = self.tables[side].profile.melds
        return all(
            value.meld in melds
            for value in arguments.values()
            if isinstance(value, MeldOf)
        )

    def reacted(
        self,
        side: int,
        upon: str,
        name: str,
        arguments: dict[str, Any],
        only: Callable[[str], bool],
    ) -> Effects | None:
        """Return what happens by itself upon something that an action here brings about.

        A card put on a trick is followed through: the trick is taken, and where it was the last
        of the hand, the hand ends.
        """
        rules, here = self.tables[side], self.situation
        execution = Execution(here, self.me, rules)
        execution.run(rules.profile.actions[name].do, arguments)
        put = next(
            (moved for _, effect, moved in execution.effects.moves if effect == "put"),
            None,
        )
        paid = execution.effects.paid
        execution.effects.paid = dict.fromkeys(rules.seats, 0)
        if put is None and upon == "change":
            return self._changed(side, paid, execution.effects.state, only)
        if put is None:
            return (
                execution.react(upon, only=only) if upon in ("draw", "closed") else None
            )
        card = put[0]
        if upon == "play" or here.phase == "lead":
            return (
                execution.react("play", {"card": card}, only=only)
                if upon == "play"
                else None
            )
        first = self.here[side].term("beats", card, here.trick[0])
        leader = next(seat for seat in rules.seats if seat != self.me)
        taker = if_else(truth(first), self.me, leader)
        trick = (here.trick[0], card)
        taken = {
            seat: SetOf(
                {
                    one: some(
                        inside,
                        both(
                            equal(taker, seat),
                            some(*(equal(one, other) for other in trick)),
                        ),
                    )
                    for one, inside in here.won[seat].members.items()
                }
            )
            for seat in rules.seats
        }
        zones = {
            zone: {
                seat: SetOf(
                    {
                        one: both(inside, no(equal(one, card)))
                        for one, inside in getattr(here, zone)[seat].members.items()
                    }
                )
                for seat in rules.seats
            }
            for zone in ("hidden", "table")
        }
        after = SimpleNamespace(
            rules=rules, hand=here.hand, phase=here.phase, turn=here.turn, dealer=here.dealer, stock=here.stock, left=here.left,
            turn_up=here.turn_up, hidden=zones["hidden"], table=zones["table"], won=taken, trick=(), last_trick=trick, taker=taker,
            hand_points=here.hand_points, match_points=here.match_points, state=execution.effects.state,
        )  # fmt: skip
        execution = Execution(after, self.me, rules)
        if upon == "hand":
            last = both(
                *(
                    no(inside)
                    for zone in zones.values()
                    for cards in zone.values()
                    for inside in cards.members.values()
                ),
                here.left.just(0),
            )
            return execution.react("hand", guard=last, only=only)
        return execution.react(upon, only=only)

    def _changed(
        self,
        side: int,
        paid: dict[str, Any],
        state: dict[str, Any],
        only: Callable[[str], bool],
    ) -> Effects:
        """Return what happens by itself once an action has paid."""
        here = self.situation
        totals = {seat: here.match_points[seat] + paid[seat] for seat in paid}
        after = SimpleNamespace(
            **{**vars(here), "hand_points": here.hand_points, "match_points": totals,
               "state": state, "left": here.left, "rules": self.tables[side]}
        )  # fmt: skip
        return Execution(after, self.me, self.tables[side]).react("change", only=only)

    def ending(self, side: int) -> tuple[Guard, Any]:
        """Return whether the match ends here with the hand, and who has won."""
        here, rules = self.here[side], self.tables[side]
        result: Any = None
        ends: Guard = False
        for verdict in reversed(rules.profile.verdict):
            test, winner = here.guard(verdict.test), here.value(verdict.winner)
            result = if_else(test, winner, result) if ends is not False else winner
            ends = some(test, ends)
        return ends, result

    def witness(
        self, goal: Guard, arguments: dict[str, Any], name: str | None, tell: Any
    ) -> Witness | None:
        """Return the smallest situation that the interpreter, too, treats differently; or None."""
        self.undecided = False
        if goal is False:
            return None
        found_ = self.solver(arguments)
        here = self.situation
        if ask(found_, goal) == "no":
            return None
        goal = both(goal, *preferred(found_, goal, self._wishes()))
        held = here.held(self.me).members
        slots = [
            guard
            for part in here.state.values()
            if isinstance(part, ListOf)
            for _, guard in part.items
        ]
        refused = False
        for _ in range(6):
            model = smallest(
                found_, goal, [slots, list(held.values())], self.symbols(arguments)
            )
            if not isinstance(model, z3.ModelRef):
                # What was refused is left out of the rest of the search, and more with it.
                self.undecided = refused or model == "undecided"
                return None
            positions = [here.position(model, rules) for rules in self.tables]
            action = (
                None
                if name is None
                else Action(
                    name,
                    FrozenDict(
                        {key: found(model, value) for key, value in arguments.items()}
                    ),
                )
            )
            if here.phase == "over" or not any(
                status(position, lenient=self.rulings) for position in positions
            ):
                words = {"lenient": True} if self.rulings else {}
                said = [tell(position, action, **words) for position in positions]
                if said[0] != said[1]:
                    one, two = positions
                    return Witness(one, two, action, said[0], said[1], self.rulings)
            # The interpreter does not agree that this is a difference: look further.
            refused = True
            goal = both(
                goal,
                no(
                    both(
                        *(alike(guard, holds(model, guard)) for guard in held.values())
                    )
                ),
            )
        self.undecided = True
        return None

    def symbols(self, arguments: dict[str, Any]) -> tuple[z3.ExprRef, ...]:
        """Return what tells one situation and action from another, the situation first."""
        return (*self.situation.symbols, *self.open.symbols(arguments))

    def _wishes(self) -> Iterator[Guard]:
        """Yield what makes a situation plainer, each granted if the ones before let it."""
        here = self.situation
        yield here.hand == 1
        if here.phase != "over":
            yield from (points == 0 for points in here.match_points.values())
        yield equal(here.dealer, here.rules.seats[-1])
        for seat in here.rules.seats:
            yield both(*(no(guard) for guard in here.won[seat].members.values()))
        for seat in here.rules.seats:
            yield both(*(no(guard) for guard in here.table[seat].members.values()))
        yield here.left.just(len(here.rules.seats))
        for part in here.state.values():
            if isinstance(part, SetOf):
                yield both(*(no(guard) for guard in part.members.values()))
