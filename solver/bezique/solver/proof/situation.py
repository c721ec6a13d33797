"""Situations: positions of which little is fixed, and the concrete ones behind a model.

Each card has one place, a Z3 number; zones are the guards "its place is here", so that every
card is in one zone by construction.  What a rule file's state declares becomes symbolic by its
type alone.  Lists of melds have a few slots, each empty or holding any meld in its shape.

A model of Z3 becomes a `Position` (`position`), which the reference interpreter then judges;
nothing is believed of a model that it does not confirm.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import z3

from bezique.engine.cards import Card
from bezique.engine.compiler.expressions import Folding
from bezique.engine.frozen import FrozenDict
from bezique.engine.position import CHANCE, Melded, Position
from bezique.engine.rules import Rules
from bezique.solver.proof import options
from bezique.solver.proof.meaning import Symbolic
from bezique.solver.proof.values import (
    Choice,
    Count,
    Guard,
    ListOf,
    MeldOf,
    SetOf,
    both,
    cases,
    equal,
    implied,
    members,
    no,
    some,
    truth,
)
from bezique.spec import tree
from bezique.spec.kinds import PHASES, Type

OUT = "out"
PAIR = 2  # seats that draw in turn leave an even stock


@dataclass
class Space:
    """A fresh Z3 context and the constraints that make its symbols sensible."""

    ctx: z3.Context = field(default_factory=z3.Context)
    constraints: list[z3.BoolRef] = field(default_factory=list)
    symbols: list[z3.ExprRef] = field(default_factory=list)

    def bool(self, name: str) -> z3.BoolRef:
        """Return a new truth value."""
        self.symbols.append(symbol := z3.Bool(name, self.ctx))
        return symbol

    def int(self, name: str) -> z3.ArithRef:
        """Return a new whole number."""
        self.symbols.append(symbol := z3.Int(name, self.ctx))
        return symbol

    def require(self, *guards: Guard) -> None:
        """Add constraints; a false one makes everything impossible."""
        for guard in guards:
            if guard is not True:
                self.constraints.append(
                    z3.BoolVal(val=False, ctx=self.ctx) if guard is False else guard
                )

    def choice(self, name: str, values: Iterable[Any]) -> Any:
        """Return a new choice of some values."""
        options = tuple(values)
        if len(options) == 1:
            return options[0]
        width = max(1, (len(options) - 1).bit_length())
        self.symbols.append(term := z3.BitVec(name, width, self.ctx))
        if len(options) < 1 << width:
            self.require(z3.ULT(term, len(options)))
        return Choice(
            tuple((value, term == number) for number, value in enumerate(options))
        )


class Situation:
    """A symbolic position with the fields of a `Position`.

    Args:
        rules: The rules whose zones and state it has.
        phase: The phase, known.
        me: The seat on turn, known.
        slots: How many melds each list of the state may hold.
        rulings: Whether a referee may have ruled, as at a recorded table.
        cards: The cards in play; the whole pack unless given.
        also: Other rules whose state it shall have too.
        any_option: Whether an option that takes any number is left open, not settled.
    """

    def __init__(
        self, rules: Rules, phase: str, me: str, *, slots: int = 2,
        rulings: bool = False, cards: Iterable[Card] | None = None, also: Iterable[Rules] = (),
        any_option: bool = False,
    ) -> None:  # fmt: skip
        self.space = Space()
        numbers = sorted(rules.numbers) if any_option else ()
        self.options = {name: self.space.int(f"option {name}") for name in numbers}
        if self.options:
            self.space.require(*options.allowed(rules, self.options))
            rules = options.opened(rules, self.options)
        self.tables, self.rulings = (rules, *also), rulings
        self.rules, self.phase, self.turn = (
            rules,
            phase,
            me
            if phase in ("lead", "follow", "declare")
            else (CHANCE if phase == "deal" else None),
        )
        self.me = me
        self.slots = slots
        self.pack = tuple(cards) if cards is not None else rules.pack
        seats = rules.seats
        zones = [
            OUT,
            "stock",
            "turn_up",
            *(
                f"{zone}.{seat}"
                for zone in ("hidden", "table", "won")
                for seat in seats
            ),
        ]
        before = len(seats) - 1 if phase == "follow" else 0
        zones += [f"trick.{number}" for number in range(before)]
        self.zones = tuple(zones)
        # The first symbols are the first to be spared: of cards that do alike, the first copy stays.
        self._places = {
            card: self.space.choice(f"place {card}", zones)
            for card in sorted(self.pack, key=lambda card: -card.copy)
        }
        self.hidden = {seat: self._zone(f"hidden.{seat}") for seat in seats}
        self.table = {seat: self._zone(f"table.{seat}") for seat in seats}
        self.won = {seat: self._zone(f"won.{seat}") for seat in seats}
        self.stock = ListOf(tuple(self._zone("stock").members.items()))
        self.turn_up = self._single("turn_up", may_be_none=True)
        self.trick = tuple(
            self._single(f"trick.{number}", may_be_none=False)
            for number in range(before)
        )
        self.dealer = self.space.choice("dealer", seats)
        self.taker = (
            me if phase == "declare" else self.space.choice("taker", (None, *seats))
        )
        self.last_trick: Any = ()
        self.hand: Any = self.space.int("hand")
        self.hand_points = {seat: self.space.int(f"points {seat}") for seat in seats}
        self.match_points = {seat: self.space.int(f"total {seat}") for seat in seats}
        parts_of = {
            part.name: part for table in self.tables for part in table.profile.state
        }
        self.state = {
            name: self.symbol(part.type, name) for name, part in parts_of.items()
        }
        self.symbols = tuple(self.space.symbols)

    @cached_property
    def hands(self) -> dict[str, SetOf]:
        """Return every seat's hand."""
        return {seat: self.held(seat) for seat in self.rules.seats}

    @cached_property
    def left(self) -> Any:
        """Return the number of cards still to be drawn."""
        turned = both(no(equal(self.turn_up, None)))
        guards = [*(guard for _, guard in self.stock.items), turned]
        return counted(guards)

    def held(self, seat: str) -> SetOf:
        """Return a seat's hand."""
        return SetOf(
            {
                card: some(self.hidden[seat].has(card), self.table[seat].has(card))
                for card in self.pack
            }
        )

    def _zone(self, name: str) -> SetOf:
        return SetOf({card: self._places[card].where(name) for card in self.pack})

    def _single(self, name: str, *, may_be_none: bool) -> Any:
        guards = self._zone(name).members
        weights = [(guard, 1) for guard in guards.values()]
        self.space.require(z3.PbLe(weights, 1) if may_be_none else z3.PbEq(weights, 1))
        nobody = [(None, no(some(*guards.values())))] if may_be_none else []
        return Choice((*guards.items(), *nobody))

    def symbol(self, kind: Type, name: str) -> Any:
        """Return a new symbol of a type."""
        space, rules = self.space, self.rules
        if kind.kind == "set" and kind.item:
            return SetOf(
                {item: space.bool(f"{name} {item}") for item in self._values(kind.item)}
            )
        if kind.kind == "list" and kind.item and kind.item.kind == "Meld":
            return ListOf(
                tuple(
                    (self.meld(f"{name} {slot}"), space.bool(f"{name} {slot}"))
                    for slot in range(self.slots)
                )
            )
        if kind.kind == "Bool":
            return space.bool(name)
        if kind.kind == "Int":
            return space.int(name)
        values = self._values(kind)
        if kind.kind not in ("Card", "Suit", "Rank", "Seat", "Phase", "Word"):
            message = (
                f"expected a type with symbols, got {kind} of {rules.profile.name}"
            )
            raise TypeError(message)
        return space.choice(name, (None, *values) if kind.optional else values)

    def _values(self, kind: Type) -> tuple[Any, ...]:
        deck = self.rules.profile.deck
        return {
            "Card": self.pack,
            "Suit": deck.suits,
            "Rank": deck.ranks,
            "Seat": self.rules.seats,
            "Phase": PHASES,
        }.get(kind.kind, kind.words)

    def meld(self, name: str) -> MeldOf:
        """Return a new meld of any seat, name and cards, in its shape."""
        space = self.space
        melds = self.rules.profile.melds
        which = space.choice(f"{name} meld", melds)
        cards = SetOf(
            {
                card: space.bool(f"{name} {card}")
                for card in self.pack
                if any(
                    part.rank == card.rank
                    for meld in melds.values()
                    for part in meld.cards
                )
            }
        )
        here = Symbolic(self, None)
        for case, guard in cases(which):
            shapes = some(
                *(
                    here.shaped(melds[case], naming, cards)
                    for naming in here.namings(melds[case])
                )
            )
            space.require(implied(guard, shapes))
        return MeldOf(space.choice(f"{name} seat", self.rules.seats), which, cards)

    # --- what is true of positions --------------------------------------------------------------

    def sensible(self) -> list[Guard]:
        """Return what holds of every position that `status` lets pass, and a little more.

        Hands of one size (the card led counted), an even stock, points that add up, the rule
        file's invariants; and of lists of melds what their making leaves behind: no meld twice
        in a list, cards that scored and are still held lie on the table while it is laid out.
        """
        rules = self.rules
        here = Symbolic(self, self.me)
        guards: list[Guard] = [
            here.guard(clause.test) for clause in rules.profile.invariants
        ]
        guards += [
            self.hand >= 1,
            *(points >= 0 for points in self.hand_points.values()),
        ]
        guards += [
            self.match_points[seat] >= self.hand_points[seat] for seat in rules.seats
        ]
        guards += [
            implied(self.hand == 1, self.match_points[seat] == self.hand_points[seat])
            for seat in rules.seats
        ]
        sizes = {
            seat: counted(self.held(seat).members.values()) for seat in rules.seats
        }
        most = rules.hand_size - (self.phase == "declare")
        for seat in rules.seats:
            played = int(self.phase == "follow" and seat != self.me)
            guards.append(sizes[seat].minus(sizes[self.me]).just(-played))
            guards.append(no(sizes[seat].at_least(most + 1)))
        if self.phase != "over":
            guards.append(sizes[self.me].at_least(1))
        if len(rules.seats) == PAIR:
            guards.append(no(_odd([guard for guard, _ in self.left.weights])))
        if not rules.turns_up:
            guards.append(equal(self.turn_up, None))
        if self.phase == "declare":
            guards.append(self.left.at_least(len(rules.seats)))
        stock_open = truth(here.term("stock_open"))
        if rules.turns_up:
            guards.append(implied(stock_open, no(equal(self.turn_up, None))))
        guards.append(
            implied(
                equal(self.taker, None),
                both(
                    *(
                        no(guard)
                        for zone in self.won.values()
                        for guard in zone.members.values()
                    )
                ),
            )
        )
        grown = {
            name for table in self.tables for name in grows(table, rulings=self.rulings)
        }
        for part in rules.profile.state:
            if part.name not in grown:
                guards += (
                    [equal(self.state[part.name], part.type.empty)]
                    if not part.type.item
                    else [no(guard) for _, guard in members(self.state[part.name])]
                )
            elif part.type.kind == "list":
                items = list(members(self.state[part.name]))
                guards += [self._laid(meld, there, stock_open) for meld, there in items]
                guards += [
                    no(both(one_there, two_there, equal(one, two)))
                    for n, (one, one_there) in enumerate(items)
                    for two, two_there in items[:n]
                ]
        return guards

    def _laid(self, meld: MeldOf, there: Guard, stock_open: Guard) -> Guard:
        """Return that a listed meld's cards are not hidden while melds are laid out, nor in the stock."""
        tests: list[Guard] = []
        for card, inside in meld.cards.members.items():
            place = self._places[card]
            elsewhere = some(
                place.where(OUT), place.where("stock"), place.where("turn_up")
            )
            hidden = some(*(place.where(f"hidden.{seat}") for seat in self.rules.seats))
            tests.append(implied(both(there, inside), no(elsewhere)))
            tests.append(implied(both(there, inside, stock_open), no(hidden)))
            for seat, guard in cases(meld.seat):
                others = some(
                    *(
                        place.where(f"{zone}.{other}")
                        for zone in ("hidden", "table")
                        for other in self.rules.seats
                        if other != seat
                    )
                )
                tests.append(implied(both(there, inside, guard), no(others)))
        return both(*tests)

    # --- from models ------------------------------------------------------------------------------

    def position(self, model: z3.ModelRef, rules: Rules | None = None) -> Position:
        """Return the position that a model describes, cards left out where their place is out."""
        if rules is None:
            rules = self.rules
            if self.options:
                given = {
                    name: number_in(model, value)
                    for name, value in self.options.items()
                }
                rules = options.settled(rules, given)

        def zone(cards: SetOf) -> frozenset[Card]:
            return frozenset(
                card for card, guard in cards.members.items() if holds(model, guard)
            )

        earlier = {
            seat: number_in(model, self.match_points[seat])
            - number_in(model, self.hand_points[seat])
            for seat in rules.seats
        }
        hand = number_in(model, self.hand)
        nothing = FrozenDict(dict.fromkeys(rules.seats, 0))
        stock = rules.sort(zone(SetOf(dict(self.stock.items))))
        turned = found(model, self.turn_up)
        if turned is not None and not rules.turns_up:
            stock, turned = [*stock, turned], None
        results = (
            ()
            if hand <= 1
            else (FrozenDict(earlier), *([nothing] * (min(hand, 9) - 2)))
        )
        return Position(
            rules=rules, hand=len(results) + 1, phase=self.phase, turn=self.turn, dealer=found(model, self.dealer),
            stock=tuple(stock),
            turn_up=turned,
            hidden=FrozenDict({seat: zone(cards) for seat, cards in self.hidden.items()}),
            table=FrozenDict({seat: zone(cards) for seat, cards in self.table.items()}),
            trick=tuple(found(model, card) for card in self.trick),
            won=FrozenDict({seat: zone(cards) for seat, cards in self.won.items()}),
            last_trick=(), taker=found(model, self.taker),
            hand_points=FrozenDict({seat: number_in(model, points) for seat, points in self.hand_points.items()}),
            match_points=FrozenDict({seat: number_in(model, points) for seat, points in self.match_points.items()}),
            results=results, winner=None,
            state=FrozenDict({part.name: found(model, self.state[part.name]) for part in rules.profile.state}),
            partial=True,
        )  # fmt: skip


def grows(rules: Rules, *, rulings: bool = False) -> set[str]:
    """Return the parts of the state that play, with or without rulings, can make more than empty.

    What a reading rules out, an action or what it does, makes nothing.
    """
    profile, folding = rules.profile, Folding(rules)

    def is_false(test: tree.Expression) -> bool:
        folded = folding.folded(test)
        return isinstance(folded, tree.Constant) and not folded.value

    waived = {waiver.waives for waiver in profile.waivers if rulings}
    groups = [
        rule.do
        for rule in profile.actions.values()
        if (rulings or not rule.ruling)
        and not any(
            is_false(clause.test)
            for clause in rule.conditions
            if clause.id not in waived
        )
    ]
    groups += [waiver.do for waiver in profile.waivers if rulings]
    groups += [meld.do for meld in profile.melds.values()]
    groups += [rule.do for rule in profile.after if not is_false(rule.test)]
    found: set[str] = set()
    open_ = [statement for group in groups for statement in group]
    while open_:
        match open_.pop():
            case tree.Assign(name=name, sign=sign, value=value):
                empty = isinstance(value, tree.Group) and not value.items
                if sign != "-=" and not empty:
                    found.add(name)
            case tree.When(test=test, then=then, other=other):
                open_ += other if is_false(test) else [*then, *other]
            case tree.ForEach(body=body):
                open_ += body
    return found


def counted(guards: Iterable[Guard]) -> Count:
    """Return how many of the guards hold."""
    found = list(guards)
    open_ = tuple((guard, 1) for guard in found if not isinstance(guard, bool))
    return Count(open_, sum(guard is True for guard in found))


def _odd(guards: list[z3.BoolRef]) -> Guard:
    """Return whether an odd number of the guards holds."""
    odd: Guard = False
    for guard in guards:
        odd = (
            no(guard) if odd is True else guard if odd is False else z3.Xor(odd, guard)
        )
    return odd


def holds(model: z3.ModelRef, guard: Guard) -> bool:
    """Return whether a guard holds in a model."""
    return (
        guard
        if isinstance(guard, bool)
        else z3.is_true(model.eval(guard, model_completion=True))
    )


def number_in(model: z3.ModelRef, value: Any) -> int:
    """Return what a number is in a model."""
    return (
        value
        if isinstance(value, int)
        else int(model.eval(value, model_completion=True).as_long())
    )


def found(model: z3.ModelRef, value: Any) -> Any:
    """Return what a symbolic value is in a model."""
    if isinstance(value, Choice):
        return next(case for case, guard in value.cases if holds(model, guard))
    if isinstance(value, SetOf):
        return frozenset(
            item for item, guard in value.members.items() if holds(model, guard)
        )
    if isinstance(value, ListOf):
        return tuple(
            found(model, item) for item, guard in value.items if holds(model, guard)
        )
    if isinstance(value, MeldOf):
        return Melded(
            found(model, value.seat),
            found(model, value.meld),
            found(model, value.cards),
        )
    if isinstance(value, z3.BoolRef):
        return holds(model, value)
    if isinstance(value, z3.ArithRef):
        return number_in(model, value)
    return value
