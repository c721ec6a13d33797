"""Symbolic values: what expressions are worth when a position is not known.

    guard     a truth value: Python's where it is known, a Z3 term where not
    Choice    one of finitely many values, each under its guard; exactly one guard holds
    SetOf     a set: each possible member with the guard under which it is in
    ListOf    a list: items with the guard under which they are there; the order is lost
    MeldOf    a meld whose cards are not known
    number    a whole number: Python's, a Z3 term, or a Choice of numbers

Everything known is worked out at once, so that terms hold only what is open.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import z3

from bezique.engine.position import Melded

Guard: TypeAlias = "bool | z3.BoolRef"


def _joined(make: Callable[..., Any], guards: list[z3.BoolRef]) -> z3.BoolRef:
    """Return guards joined by a word of Z3's.

    As `z3.And` and `z3.Or` do, but that guards are known to be truth values of one context and
    need no second look, which took most of the time of building a formula.
    """
    ctx = guards[0].ctx
    terms = (z3.Ast * len(guards))(*(guard.ast for guard in guards))
    return z3.BoolRef(make(ctx.ref(), len(guards), terms), ctx)


def both(*guards: Guard) -> Guard:
    """Return whether all guards hold."""
    kept: list[z3.BoolRef] = []
    for guard in guards:
        if guard is False:
            return False
        if guard is not True:
            kept.append(guard)
    return (
        True if not kept else kept[0] if len(kept) == 1 else _joined(z3.Z3_mk_and, kept)
    )


def some(*guards: Guard) -> Guard:
    """Return whether one of the guards holds."""
    kept: list[z3.BoolRef] = []
    for guard in guards:
        if guard is True:
            return True
        if guard is not False:
            kept.append(guard)
    return (
        False if not kept else kept[0] if len(kept) == 1 else _joined(z3.Z3_mk_or, kept)
    )


def no(guard: Guard) -> Guard:
    """Return the opposite of a guard."""
    return not guard if isinstance(guard, bool) else z3.Not(guard)


def implied(one: Guard, two: Guard) -> Guard:
    """Return whether the second guard holds where the first does."""
    return some(no(one), two)


def alike(one: Guard, two: Guard) -> Guard:
    """Return whether two guards hold together or not at all."""
    if isinstance(one, bool):
        return two if one else no(two)
    if isinstance(two, bool):
        return one if two else no(one)
    return one == two


@dataclass(frozen=True, eq=False)
class Choice:
    """One of finitely many values (None among them), each under its guard."""

    cases: tuple[tuple[Any, Guard], ...]

    def where(self, value: object) -> Guard:
        """Return the guard under which the choice is a value."""
        return some(
            *(
                guard
                for case, guard in self.cases
                if case == value and type(case) is type(value)
            )
        )


@dataclass(frozen=True, eq=False)
class SetOf:
    """A set by the guards of its possible members."""

    members: Mapping[Any, Guard]

    def has(self, item: object) -> Guard:
        """Return the guard under which a known item is in the set."""
        return self.members.get(item, False)


@dataclass(frozen=True, eq=False)
class ListOf:
    """A list by its possible items and their guards."""

    items: tuple[tuple[Any, Guard], ...]


@dataclass(frozen=True, eq=False)
class Count:
    """A number that counts: the weights of the guards that hold, and a number more.

    Compared with a known number it needs no arithmetic, only a count of truth values.
    """

    weights: tuple[tuple[z3.BoolRef, int], ...]
    more: int = 0

    def at_least(self, number: int) -> Guard:
        """Return whether it is a number or more."""
        least = self.more + sum(weight for _, weight in self.weights if weight < 0)
        most = self.more + sum(weight for _, weight in self.weights if weight > 0)
        if number <= least or number > most:
            return number <= least
        return z3.PbGe(list(self.weights), number - self.more)

    def just(self, number: int) -> Guard:
        """Return whether it is a number."""
        return both(self.at_least(number), no(self.at_least(number + 1)))

    def minus(self, other: "Count") -> "Count":
        """Return how much more it counts than another."""
        less = tuple((guard, -weight) for guard, weight in other.weights)
        return Count((*self.weights, *less), self.more - other.more)


@dataclass(frozen=True, eq=False)
class MeldOf:
    """A meld with its seat, name and cards, each of which may be open."""

    seat: Any
    meld: Any
    cards: SetOf


def cases(value: Any) -> tuple[tuple[Any, Guard], ...]:
    """Return the cases of a value; a known one has one."""
    return value.cases if isinstance(value, Choice) else ((value, True),)


def choice(found: Iterable[tuple[Any, Guard]]) -> Any:
    """Return the choice of some cases, equal values joined; a single sure one is the value itself."""
    joined: dict[tuple[type, Any], tuple[Any, list[Guard]]] = {}
    for value, guard in found:
        if guard is not False:
            joined.setdefault((type(value), value), (value, []))[1].append(guard)
    result = tuple((value, some(*guards)) for value, guards in joined.values())
    return result[0][0] if len(result) == 1 else Choice(result)


def mapped(function: Callable[..., Any], *arguments: Any) -> Any:
    """Return a function of finitely-valued arguments, case by case."""
    found: list[tuple[tuple[Any, ...], Guard]] = [((), True)]
    for argument in arguments:
        found = [
            ((*done, value), both(guard, more))
            for done, guard in found
            for value, more in cases(argument)
        ]
    return choice((function(*done), guard) for done, guard in found)


def truth(value: Any) -> Guard:
    """Return a truth value as a guard; a choice of truth values is where it is true."""
    if isinstance(value, Choice):
        return some(*(guard for case, guard in value.cases if case))
    return value if isinstance(value, z3.BoolRef) else bool(value)


def number(value: Any) -> Any:
    """Return a number as Python's or Z3's; a choice becomes a chain of ifs."""
    if isinstance(value, Count):
        return z3.Sum(
            *(z3.If(guard, weight, 0) for guard, weight in value.weights), value.more
        )
    if not isinstance(value, Choice):
        return value
    (result, _), *rest = value.cases
    for case, guard in rest:
        result = z3.If(guard, case, result)
    return result


def arithmetic(sign: str, left: Any, right: Any) -> Any:
    """Return a sum, difference, product, quotient or remainder; a division by nothing gives 0."""
    one, two = number(left), number(right)
    match sign:
        case "+":
            return one + two
        case "-":
            return one - two
        case "*":
            return one * two
    if isinstance(two, int) and two == 0:
        return 0
    if isinstance(one, int) and isinstance(two, int):
        return one // two if sign == "//" else one % two
    # To Z3 a remainder is never below zero; here it has the sign of the divisor.
    quotient = z3.If(two > 0, one / two, -one / -two)
    return z3.If(two == 0, 0, quotient if sign == "//" else one - two * quotient)


def members(value: Any) -> Iterator[tuple[Any, Guard]]:
    """Yield the possible items of a set or list with their guards."""
    if isinstance(value, SetOf):
        yield from value.members.items()
    elif isinstance(value, ListOf):
        yield from value.items
    else:
        for item in value:
            yield item, True


def as_set(value: Any) -> SetOf:
    """Return a set by membership."""
    return value if isinstance(value, SetOf) else SetOf(dict.fromkeys(value, True))


def union(one: SetOf, two: SetOf) -> SetOf:
    """Return what is in one set or the other."""
    return SetOf(
        {
            item: some(one.has(item), two.has(item))
            for item in {**one.members, **two.members}
        }
    )


def difference(one: SetOf, two: SetOf) -> SetOf:
    """Return what is in the first set and not in the second."""
    return SetOf(
        {item: both(guard, no(two.has(item))) for item, guard in one.members.items()}
    )


def within(one: SetOf, two: SetOf) -> Guard:
    """Return whether the first set is part of the second."""
    return both(*(implied(guard, two.has(item)) for item, guard in one.members.items()))


def parts(value: Any) -> MeldOf:
    """Return a meld, known or not, by its parts."""
    return (
        MeldOf(value.seat, value.meld, as_set(value.cards))
        if isinstance(value, Melded)
        else value
    )


def equal(one: Any, two: Any) -> Guard:
    """Return whether two values of one type are the same."""
    if isinstance(one, SetOf | frozenset) or isinstance(two, SetOf | frozenset):
        left, right = as_set(one), as_set(two)
        return both(
            *(
                alike(left.has(item), right.has(item))
                for item in {**left.members, **right.members}
            )
        )
    if isinstance(one, MeldOf | Melded) or isinstance(two, MeldOf | Melded):
        a, b = parts(one), parts(two)
        return both(
            equal(a.seat, b.seat), equal(a.meld, b.meld), equal(a.cards, b.cards)
        )
    if isinstance(one, z3.BoolRef) or isinstance(two, z3.BoolRef):
        return alike(truth(one), truth(two))
    if isinstance(one, Count) and isinstance(two, int):
        return one.just(two)
    if isinstance(two, Count) and isinstance(one, int):
        return two.just(one)
    if isinstance(one, z3.ArithRef | Count) or isinstance(two, z3.ArithRef | Count):
        a, b = number(one), number(two)
        return False if a is None or b is None else a == b
    if isinstance(one, Choice):
        return some(*(both(guard, equal(case, two)) for case, guard in one.cases))
    if isinstance(two, Choice):
        return two.where(one)
    return bool(one == two)


def if_else(test: Guard, one: Any, two: Any) -> Any:
    """Return one value where a guard holds and another where not."""
    if isinstance(test, bool):
        return one if test else two
    if isinstance(one, SetOf | frozenset) or isinstance(two, SetOf | frozenset):
        left, right = as_set(one), as_set(two)
        return SetOf(
            {
                item: some(both(test, left.has(item)), both(no(test), right.has(item)))
                for item in {**left.members, **right.members}
            }
        )
    if isinstance(one, ListOf | tuple) or isinstance(two, ListOf | tuple):
        here = [(item, both(test, guard)) for item, guard in members(one)]
        return ListOf(
            (*here, *((item, both(no(test), guard)) for item, guard in members(two)))
        )
    if isinstance(one, MeldOf | Melded):
        a, b = parts(one), parts(two)
        return MeldOf(
            if_else(test, a.seat, b.seat),
            if_else(test, a.meld, b.meld),
            if_else(test, a.cards, b.cards),
        )
    if isinstance(one, bool | z3.BoolRef) and isinstance(two, bool | z3.BoolRef):
        return some(both(test, one), both(no(test), two))
    if isinstance(one, z3.ArithRef | Count) or isinstance(two, z3.ArithRef | Count):
        return z3.If(test, number(one), number(two))
    return choice(
        [
            *((case, both(test, guard)) for case, guard in cases(one)),
            *((case, both(no(test), guard)) for case, guard in cases(two)),
        ]
    )
