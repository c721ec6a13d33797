"""The meaning of expressions for symbolic values: the interpreter again, over guards.

One function a node kind, as in `bezique.engine.evaluate`, which says what each means; here
the same is said of values that are not known.  No node kind is left out.
"""

from collections.abc import Callable, Mapping
from typing import Any

import z3

from bezique.engine.cards import Card
from bezique.engine.melds import bindings
from bezique.engine.position import Melded
from bezique.engine.rules import Rules
from bezique.solver.proof.values import (
    Choice,
    Count,
    Guard,
    ListOf,
    MeldOf,
    SetOf,
    arithmetic,
    as_set,
    both,
    cases,
    choice,
    difference,
    equal,
    if_else,
    implied,
    mapped,
    members,
    no,
    number,
    parts,
    some,
    truth,
    union,
    within,
)
from bezique.spec import tree
from bezique.spec.core import Meld
from bezique.spec.tree import Expression

Names = Mapping[str, Any]
EMPTY: Names = {}


class Symbolic:
    """What expressions mean on a symbolic table for the seat that acts.

    Args:
        table: An object with the fields of a position, whose values may be symbolic.
        me: The acting seat, known, or None.
        rules: The rules to read it by; the table's own unless given.
    """

    def __init__(self, table: Any, me: Any, rules: Rules | None = None) -> None:
        self.table, self.me = table, me
        self.rules: Rules = rules or table.rules

    def value(self, node: Expression, names: Names = EMPTY) -> Any:
        """Return what an expression is worth here."""
        return _BY_KIND[node.kind](self, node, names)

    def guard(self, node: Expression, names: Names = EMPTY) -> Guard:
        """Return the guard under which a condition holds here."""
        return truth(self.value(node, names))

    def term(self, name: str, *arguments: object) -> Any:
        """Return what a term is worth for some arguments."""
        term = self.rules.profile.terms[name]
        return self.value(
            term.body,
            dict(zip((p.name for p in term.parameters), arguments, strict=True)),
        )

    # --- one function a node kind --------------------------------------------------------

    def _constant(self, node: tree.Constant, _: Names) -> object:
        return node.value

    def _name(self, node: tree.Name, names: Names) -> object:
        if node.where == "parameter":
            return names[node.name]
        if node.where == "state":
            return self.table.state[node.name]
        if node.where == "value":
            return self.rules.values[node.name]
        return _FACTS[node.name](self)

    def _apply(self, node: tree.Apply, names: Names) -> object:
        arguments = [self.value(argument, names) for argument in node.arguments]
        profile = self.rules.profile
        if node.where == "table":
            return mapped(profile.tables[node.name].get, arguments[0])
        if node.where == "term":
            term = profile.terms[node.name]
            return self.value(
                term.body,
                dict(zip((p.name for p in term.parameters), arguments, strict=True)),
            )
        picked = profile.choices[node.name]
        return self.value(
            self.rules.reading(node.name),
            dict(zip((p.name for p in picked.parameters), arguments, strict=True)),
        )

    def _call(self, node: tree.Call, names: Names) -> object:
        return _FUNCTIONS[node.function](
            self, *(self.value(argument, names) for argument in node.arguments)
        )

    def _part(self, node: tree.Part, names: Names) -> object:
        meld = parts(self.value(node.of, names))
        melds = self.rules.profile.melds
        match node.name:
            case "cards":
                return meld.cards
            case "seat":
                return meld.seat
            case "name":
                return meld.meld
            case "points":
                return mapped(self.rules.points.__getitem__, meld.meld)
        return mapped(lambda name: getattr(melds[name], node.name), meld.meld)

    def _not(self, node: tree.Not, names: Names) -> Guard:
        return no(self.guard(node.of, names))

    def _logic(self, node: tree.Logic, names: Names) -> Guard:
        found: list[Guard] = []
        for item in node.items:
            guard = self.guard(item, names)
            if guard is (node.word == "or"):
                return guard
            found.append(guard)
        return both(*found) if node.word == "and" else some(*found)

    def _compare(self, node: tree.Compare, names: Names) -> Guard:
        left, right = self.value(node.left, names), self.value(node.right, names)
        if node.sign in ("==", "!="):
            same = equal(left, right)
            return same if node.sign == "==" else no(same)
        if node.left.type.kind == "set":
            one, two = as_set(left), as_set(right)
            part, whole = (one, two) if node.sign in ("<", "<=") else (two, one)
            inside = within(part, whole)
            return inside if "=" in node.sign else both(inside, no(within(whole, part)))
        if node.left.type.kind == "Rank":
            strength = self.rules.strength
            return truth(
                mapped(
                    lambda a, b: (
                        a is not None
                        and b is not None
                        and _ORDER[node.sign](strength[a], strength[b])
                    ),
                    left,
                    right,
                )
            )
        return ordered(node.sign, left, right)

    def _member(self, node: tree.Member, names: Names) -> Guard:
        item, group = self.value(node.item, names), self.value(node.group, names)
        if isinstance(group, SetOf) and not isinstance(item, MeldOf):
            return some(*(both(guard, group.has(case)) for case, guard in cases(item)))
        return some(
            *(both(guard, equal(item, other)) for other, guard in members(group))
        )

    def _sum(self, node: tree.Sum, names: Names) -> object:
        left, right = self.value(node.left, names), self.value(node.right, names)
        if node.type.kind == "set":
            return (union if node.sign == "|" else difference)(
                as_set(left), as_set(right)
            )
        return arithmetic(node.sign, left, right)

    def _either(self, node: tree.Either, names: Names) -> object:
        test = self.guard(node.test, names)
        if isinstance(test, bool):
            return self.value(node.then if test else node.other, names)
        return if_else(
            test, self.value(node.then, names), self.value(node.other, names)
        )

    def _group(self, node: tree.Group, names: Names) -> object:
        items = [self.value(item, names) for item in node.items]
        if node.type.kind == "list":
            return ListOf(tuple((item, True) for item in items))
        return _collected((item, True) for item in items)

    def _each(self, node: tree.Each, names: Names) -> object:
        found: list[tuple[Any, Guard]] = []
        for item, there in members(self.value(node.group, names)):
            inner = {**names, node.variable: item}
            guard = (
                both(there, self.guard(node.test, inner))
                if node.test is not None
                else there
            )
            if guard is not False:
                found.append((self.value(node.body, inner), guard))
        match node.fold:
            case "all":
                return both(*(implied(guard, truth(body)) for body, guard in found))
            case "any":
                return some(*(both(guard, truth(body)) for body, guard in found))
            case "sum":
                return _total(found)
            case "set":
                return _collected(found)
            case "list":
                return ListOf(tuple(found))
        return _extreme(node.fold, found)

    # --- functions with a meaning of their own ----------------------------------------------

    def spent(self, card: Any, family: Any) -> Any:
        """Return the highest level at which a card has scored in a family."""
        known = getattr(self.table, "spent", None)
        if known is not None:
            return choice(
                (case, both(at, inside, guard))
                for name, at in cases(family)
                for one, inside in cases(card)
                for case, guard in cases(known(one, name) if one is not None else 0)
            )
        melds = self.rules.profile.melds
        reached: dict[int, list[Guard]] = {}
        for item, there in members(self.table.state["scored"]):
            meld = parts(item)
            inside = both(
                there,
                some(
                    *(both(guard, meld.cards.has(case)) for case, guard in cases(card))
                ),
            )
            for name, at in cases(meld.meld):
                fits = both(inside, at, equal(melds[name].family, family))
                if fits is not False:
                    reached.setdefault(melds[name].level, []).append(fits)
        found: list[tuple[int, Guard]] = []
        higher: Guard = False
        for level in sorted(reached, reverse=True):
            at_level = some(*reached[level])
            found.append((level, both(at_level, no(higher))))
            higher = some(higher, at_level)
        return choice([*found, (0, no(higher))])

    def binding(self) -> list[tuple[str, Guard, SetOf]]:
        """Return for every set of every duty the guard under which it binds, and its cards.

        Just one of the guards holds when the player holds a card.
        """
        hand = self.held(self.me)
        found: list[tuple[str, Guard, SetOf]] = []
        free: Guard = True
        for duty in self.rules.profile.duties:
            here = both(free, self.guard(duty.when))
            free = both(free, no(self.guard(duty.when)))
            for name in duty.sets:
                cards = SetOf(
                    {
                        card: both(guard, truth(self.term(name, card)))
                        for card, guard in hand.members.items()
                    }
                )
                filled = some(*cards.members.values())
                found.append((f"{duty.name}/{name}", both(here, filled), cards))
                here = both(here, no(filled))
        return found

    def obeys(self, card: Any) -> Guard:
        """Return whether a card is in the set that binds the player."""
        return some(
            *(
                both(binds, inside, cards.has(one))
                for _, binds, cards in self.binding()
                for one, inside in cases(card)
            )
        )

    def fits(self, value: Any) -> Guard:
        """Return whether cards are the meld they are said to be, and its conditions hold."""
        meld = parts(value)
        return some(
            *(
                both(at, self._fits(self.rules.profile.melds[name], meld))
                for name, at in cases(meld.meld)
                if name in self.rules.profile.melds
            )
        )

    def _fits(self, rule: Meld, value: MeldOf) -> Guard:
        sure = frozenset(
            card for card, guard in value.cards.members.items() if guard is True
        )
        if len(sure) == sum(
            guard is not False for guard in value.cards.members.values()
        ):
            named = list(bindings(self.rules, rule, sure))
            melded: Any = Melded(value.seat, rule.name, sure)
            return some(
                *(
                    both(
                        *(
                            self.guard(clause.test, {**names, "m": melded})
                            for clause in rule.conditions
                        )
                    )
                    for names in named
                )
            )
        return some(
            *(
                both(
                    self.shaped(rule, names, value.cards),
                    *(
                        self.guard(clause.test, {**names, "m": value})
                        for clause in rule.conditions
                    ),
                )
                for names in self.namings(rule)
            )
        )

    def namings(self, rule: Meld) -> list[dict[str, str]]:
        """Return every way to name a meld's open suits."""
        found: list[dict[str, str]] = [{}]
        for variable in rule.variables:
            found = [
                {**names, variable: suit}
                for names in found
                for suit in self.rules.profile.deck.suits
            ]
        return found

    def shaped(self, rule: Meld, names: Mapping[str, str], cards: SetOf) -> Guard:
        """Return whether open cards are just those of a meld's pattern, its suits being named."""
        wanted: dict[tuple[str, str | None], int] = {}
        for part in rule.cards:
            key = (part.rank, part.suit or names.get(part.variable or ""))
            wanted[key] = wanted.get(key, 0) + part.count
        tests: list[Guard] = []
        for (rank, suit), count in wanted.items():
            beside = sum(
                other
                for (r, s), other in wanted.items()
                if suit is None and s is not None and r == rank
            )
            fitting = [
                guard
                for card, guard in cards.members.items()
                if card.rank == rank and (suit is None or card.suit == suit)
            ]
            tests.append(_just(count + beside, fitting))
        ranks = {(rank, suit) for rank, suit in wanted if suit is not None} | {
            (rank, None) for rank, suit in wanted if suit is None
        }
        tests += [
            no(guard)
            for card, guard in cards.members.items()
            if (card.rank, card.suit) not in ranks and (card.rank, None) not in ranks
        ]
        return both(*tests)

    def held(self, seat: Any) -> SetOf:
        """Return a seat's hand."""
        return union(self.zone("hidden", seat), self.zone("table", seat))

    def zone(self, name: str, seat: Any) -> SetOf:
        """Return a seat's cards in a zone; nobody has none."""
        found = SetOf({})
        for case, guard in cases(seat):
            if case is not None:
                cards = as_set(getattr(self.table, name)[case])
                found = union(
                    found,
                    SetOf(
                        {
                            card: both(guard, inside)
                            for card, inside in cards.members.items()
                        }
                    ),
                )
        return found

    def lacks(self, seat: Any) -> Any:
        """Return how many cards a seat is short of its full hand."""
        table, rules = self.table, self.rules

        def played(one: str) -> bool:
            order = rules.from_seat(table.turn)
            return table.phase == "declare" or (
                table.phase == "follow"
                and one in order[len(order) - len(table.trick) :]
            )

        found: Any = None
        for case, guard in cases(seat):
            short = (
                None
                if case is None
                else rules.hand_size
                - played(case)
                - number(
                    _total([(1, inside) for inside in self.held(case).members.values()])
                )
            )
            found = short if found is None else if_else(guard, short, found)
        return found

    def leader(self) -> Any:
        """Return the seat with more points in the match than all others."""
        totals = self.table.match_points
        found = []
        for seat in self.rules.seats:
            ahead = both(
                *(
                    ordered(">", totals[seat], totals[other])
                    for other in self.rules.seats
                    if other != seat
                )
            )
            found.append((seat, ahead))
        return choice([*found, (None, no(some(*(guard for _, guard in found))))])


def ordered(sign: str, left: Any, right: Any) -> Guard:
    """Return whether two numbers are in order; None is in no order."""
    if isinstance(left, Choice) or isinstance(right, Choice):
        return some(
            *(
                both(a, b, ordered(sign, one, two))
                for one, a in cases(left)
                for two, b in cases(right)
            )
        )
    if left is None or right is None:
        return False
    if isinstance(right, Count) and isinstance(left, int):
        return ordered(_TURNED[sign], right, left)
    if isinstance(left, Count) and isinstance(right, int):
        at_least = left.at_least(right + (sign in (">", "<=")))
        return at_least if sign in (">", ">=") else no(at_least)
    result: Guard = _ORDER[sign](number(left), number(right))
    return result


def _total(found: list[tuple[Any, Guard]]) -> Any:
    """Return the sum of the numbers whose guards hold."""
    sure = 0
    weights: list[tuple[z3.BoolRef, int]] = []
    terms: list[Any] = []
    for body, guard in found:
        for value, at in cases(body) if isinstance(body, Choice) else ((body, True),):
            here = both(guard, at)
            if isinstance(value, int):
                if here is True:
                    sure += value
                elif here is not False and value:
                    weights.append((here, value))
            else:
                exact = number(value)
                terms.append(exact if here is True else z3.If(here, exact, 0))
    count = Count(tuple(weights), sure) if weights else sure
    return z3.Sum(*terms, number(count)) if terms else count


def _collected(found: Any) -> SetOf:
    """Return the set of the values whose guards hold."""
    guards: dict[Any, list[Guard]] = {}
    for body, guard in found:
        for case, at in cases(body):
            guards.setdefault(case, []).append(both(guard, at))
    return SetOf({item: some(*each) for item, each in guards.items()})


def _extreme(fold: str, found: list[tuple[Any, Guard]]) -> Any:
    """Return the greatest or least number whose guard holds; 0 of none."""
    result: Any = 0
    there: Guard = False
    for body, guard in found:
        value = number(body)
        better = both(
            guard,
            some(no(there), ordered(">" if fold == "max" else "<", value, result)),
        )
        result = if_else(better, value, result)
        there = some(there, guard)
    return result


def _just(count: int, guards: list[Guard]) -> Guard:
    """Return whether exactly `count` of the guards hold."""
    sure = sum(guard is True for guard in guards)
    open_ = [guard for guard in guards if not isinstance(guard, bool)]
    if not open_:
        return sure == count
    return (
        z3.PbEq([(guard, 1) for guard in open_], count - sure)
        if 0 <= count - sure <= len(open_)
        else False
    )


def _by_seat(field: str) -> Callable[[Symbolic, Any], Any]:
    def points(here: Symbolic, seat: Any) -> Any:
        scores = getattr(here.table, field)
        found: Any = None
        for case, guard in cases(seat):
            value = None if case is None else scores[case]
            found = (
                value
                if guard is True
                else choice([(value, guard)])
                if found is None
                else found
            )
        if isinstance(seat, Choice):
            # None stands where nobody is asked about: an order with it does not hold.
            return Choice(
                tuple(
                    (None if case is None else scores[case], guard)
                    for case, guard in seat.cases
                )
            )
        return found

    return points


_FACTS: dict[str, Callable[[Symbolic], Any]] = {
    "hand": lambda here: here.table.hand,
    "phase": lambda here: here.table.phase,
    "me": lambda here: here.me,
    "dealer": lambda here: here.table.dealer,
    "seats": lambda here: here.rules.seats,
    "leader": Symbolic.leader,
    "led": lambda here: here.table.trick[0] if here.table.trick else None,
    "trick": lambda here: here.table.last_trick,
    "taker": lambda here: here.table.taker,
    "turned": lambda here: here.table.turn_up,
    "stock": lambda here: here.table.stock,
    "left": lambda here: here.table.left,
}


def _length(_: Symbolic, group: Any) -> Any:
    return _total([(1, guard) for _, guard in members(group)])


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "rank": lambda _, card: mapped(
        lambda one: one.rank if isinstance(one, Card) else None, card
    ),
    "suit": lambda _, card: mapped(
        lambda one: one.suit if isinstance(one, Card) else None, card
    ),
    "held": Symbolic.held,
    "hidden": lambda here, seat: here.zone("hidden", seat),
    "table": lambda here, seat: here.zone("table", seat),
    "won": lambda here, seat: here.zone("won", seat),
    "total": _by_seat("match_points"),
    "points": _by_seat("hand_points"),
    "other": lambda here, seat: mapped(
        lambda one: None if one is None else here.rules.after(one), seat
    ),
    "spent": Symbolic.spent,
    "lacks": Symbolic.lacks,
    "obeys": Symbolic.obeys,
    "fits": Symbolic.fits,
    "reading": lambda here, name: here.rules.picked[name],
    "len": _length,
    "max": lambda _, one, two: if_else(
        ordered(">=", number(one), number(two)), one, two
    ),
    "min": lambda _, one, two: if_else(
        ordered("<=", number(one), number(two)), one, two
    ),
}

_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_ORDER: dict[str, Callable[[Any, Any], Any]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}

# ruff: noqa: SLF001 - this table names the methods of the class above
_BY_KIND: dict[str, Callable[[Symbolic, Any, Names], Any]] = {
    "literal": Symbolic._constant,
    "name": Symbolic._name,
    "apply": Symbolic._apply,
    "call": Symbolic._call,
    "part": Symbolic._part,
    "not": Symbolic._not,
    "logic": Symbolic._logic,
    "compare": Symbolic._compare,
    "member": Symbolic._member,
    "sum": Symbolic._sum,
    "either": Symbolic._either,
    "group": Symbolic._group,
    "each": Symbolic._each,
}
