"""What statements do to symbolic state: points paid, parts of the state changed.

Effects that move cards are the course of a hand, the same for all tables; they are noted, in
order, with the guard under which they happen and their arguments.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import z3

from bezique.engine.position import Melded
from bezique.engine.rules import Rules
from bezique.solver.proof.meaning import EMPTY, Names, Symbolic
from bezique.solver.proof.values import (
    Guard,
    ListOf,
    MeldOf,
    SetOf,
    alike,
    as_set,
    both,
    cases,
    equal,
    if_else,
    implied,
    members,
    no,
    number,
    some,
)
from bezique.spec import tree


@dataclass
class Effects:
    """What some statements did.

    `paid` holds each seat's points; `told` the payments one by one; `moves` the effects that
    move cards; `state` what the state has become.
    """

    state: dict[str, Any]
    paid: dict[str, Any]
    told: list[tuple[Guard, Any, Any, Any]] = field(default_factory=list)
    moves: list[tuple[Guard, str, tuple[Any, ...]]] = field(default_factory=list)


class Execution:
    """Carries out statements on a symbolic table.

    Args:
        table: A symbolic position; it is not changed.
        me: The seat that acts.
        rules: The rules to read it by.
    """

    def __init__(self, table: Any, me: Any, rules: Rules) -> None:
        self.table, self.me, self.rules = table, me, rules
        self.effects = Effects(dict(table.state), dict.fromkeys(rules.seats, 0))

    def _here(self) -> Symbolic:
        fields = {
            name: getattr(self.table, name)
            for name in _FIELDS
            if hasattr(self.table, name)
        }
        return Symbolic(
            SimpleNamespace(
                **{**fields, "state": self.effects.state, "rules": self.rules}
            ),
            self.me,
            self.rules,
        )

    def run(
        self,
        statements: Iterable[tree.Statement],
        names: Names = EMPTY,
        *,
        guard: Guard = True,
    ) -> Effects:
        """Carry out statements in order, under a guard, and return all effects so far."""
        for statement in statements:
            here = self._here()
            match statement:
                case tree.Assign(name=name, sign=sign, value=value):
                    self._assign(name, sign, here.value(value, names), guard)
                case tree.Do(effect=effect, arguments=arguments):
                    self._do(
                        effect,
                        tuple(here.value(argument, names) for argument in arguments),
                        guard,
                    )
                case tree.When(test=test, then=then, other=other):
                    holds = here.guard(test, names)
                    if both(guard, holds) is not False:
                        self.run(then, names, guard=both(guard, holds))
                    if both(guard, no(holds)) is not False:
                        self.run(other, names, guard=both(guard, no(holds)))
                case tree.ForEach(variable=variable, group=group, body=body):
                    for item, there in members(here.value(group, names)):
                        if both(guard, there) is not False:
                            self.run(
                                body,
                                {**names, variable: item},
                                guard=both(guard, there),
                            )
        return self.effects

    def react(
        self,
        upon: str,
        names: Names = EMPTY,
        *,
        guard: Guard = True,
        only: Callable[[str], bool] = lambda _: True,
    ) -> Effects:
        """Let happen what happens by itself upon something, or only some clauses of it."""
        for reaction in self.rules.profile.after:
            if reaction.upon == upon and only(reaction.id):
                holds = both(guard, self._here().guard(reaction.test, names))
                if holds is not False:
                    self.run(reaction.do, names, guard=holds)
        return self.effects

    def _assign(self, name: str, sign: str, value: Any, guard: Guard) -> None:
        before = self.effects.state[name]
        if sign == "=":
            after = value
        elif isinstance(before, SetOf | frozenset):
            old = as_set(before)
            change = {
                item: some(*(at for case, at in cases(value) if case == item))
                for item in {**old.members, **{case: True for case, _ in cases(value)}}
            }
            after = SetOf(
                {
                    item: some(old.has(item), at)
                    if sign == "+="
                    else both(old.has(item), no(at))
                    for item, at in change.items()
                }
            )
        elif sign == "+=":
            after = ListOf((*members(before), (value, True)))
        else:
            after = ListOf(
                tuple(
                    (item, both(there, no(equal(item, value))))
                    for item, there in members(before)
                )
            )
        self.effects.state[name] = if_else(guard, after, before)

    def _do(self, effect: str, arguments: tuple[Any, ...], guard: Guard) -> None:
        if effect == "pay":
            self._pay(*arguments, guard=guard)
        elif effect == "carry_out":
            self._carry_out(arguments[0], guard)
        elif effect == "gather":
            # It moves cards where some lie on a table.
            laid = (
                inside
                for cards in self.table.table.values()
                for inside in as_set(cards).members.values()
            )
            self.effects.moves.append((both(guard, some(*laid)), effect, arguments))
        else:
            self.effects.moves.append((guard, effect, arguments))

    def _pay(self, seat: Any, points: Any, reason: Any, *, guard: Guard) -> None:
        self.effects.told.append((guard, seat, points, reason))
        for case, at in cases(seat):
            if case is not None:
                amount = number(points)
                due = both(guard, at)
                paid = (
                    amount
                    if due is True
                    else z3.If(due, amount, 0)
                    if due is not False
                    else 0
                )
                self.effects.paid[case] = self.effects.paid[case] + paid

    def _carry_out(self, value: Any, guard: Guard) -> None:
        meld = (
            value
            if isinstance(value, MeldOf)
            else MeldOf(value.seat, value.meld, as_set(value.cards))
        )
        here = self._here()
        for name, at in cases(meld.meld):
            rule = self.rules.profile.melds.get(name)
            if rule is None or not rule.do:
                continue
            for naming in here.namings(rule):
                shaped = both(guard, at, here.shaped(rule, naming, meld.cards))
                if shaped is not False:
                    melded: Any = value if isinstance(value, Melded) else meld
                    self.run(rule.do, {**naming, "m": melded}, guard=shaped)


_FIELDS = (
    "hand", "phase", "turn", "dealer", "stock", "turn_up", "left", "hidden", "table", "won", "trick",
    "last_trick", "taker", "hand_points", "match_points", "held", "spent",
)  # fmt: skip


def apart(seats: tuple[str, ...], one: Effects, two: Effects) -> Iterator[Guard]:
    """Yield what makes two outcomes unlike: a seat's points, a part of the state."""
    for seat in seats:
        yield no(equal(one.paid[seat], two.paid[seat]))
    for name in one.state:
        if name in two.state:
            yield no(_same_value(one.state[name], two.state[name]))
    # Moves of cards: whether both make the same ones.
    moves: list[dict[str, list[Guard]]] = [{}, {}]
    for side, effects in zip(moves, (one, two), strict=True):
        for guard, move, _ in effects.moves:
            side.setdefault(move, []).append(guard)
    for move in dict.fromkeys((*moves[0], *moves[1])):
        first, second = (side.get(move, []) for side in moves)
        if len(first) == len(second):
            yield from (no(alike(*pair)) for pair in zip(first, second, strict=True))
        else:
            yield some(*first, *second)


def _same_value(one: Any, two: Any) -> Guard:
    if isinstance(one, ListOf | tuple) or isinstance(two, ListOf | tuple):
        left, right = list(members(one)), list(members(two))
        each = [
            implied(there, some(*(both(at, equal(item, other)) for other, at in right)))
            for item, there in left
        ]
        each += [
            implied(there, some(*(both(at, equal(item, other)) for other, at in left)))
            for item, there in right
        ]
        return both(*each)
    return equal(one, two)
