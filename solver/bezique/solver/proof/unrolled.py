"""Unrolled minimax: the last tricks of all endings at once, as one formula.

The cards of both hands are open: any faces, as far as the pack has so many copies.  The game
tree of up to three cards a side is written out as a Z3 term, with who beats whom, the duty
and what is paid read from the strict tricks (`bezique.solver.strict`).  A statement about the
term's value is a statement about every ending; a model of it is an ending.

Terms
    ending    hands of one size, the stock closed, the first hand about to lead
    margin    what the leader gains over the other from there on, with best play of both
    paid      whether a card has already paid what it pays when it is played
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any

import z3

from bezique.engine.cards import Card
from bezique.engine.frozen import FrozenDict
from bezique.engine.position import Position, start
from bezique.engine.rules import Rules
from bezique.solver.proof.search import Answer, Limits, ask, solver
from bezique.solver.strict import strict

WIDTH = 12  # bits of a margin: far more than three tricks can pay
MOST = 3


@dataclass(frozen=True)
class Bounds:
    """The least and the greatest margin over all endings, each with an ending that has it."""

    least: int
    greatest: int
    poorest: Position
    richest: Position


class UndecidedError(RuntimeError):
    """A bound was not found within the limits."""


class Unrolled:
    """The margin of all endings of a size, under one trump suit.

    Args:
        rules: The table.
        trump: The trump suit, or None.
        size: How many cards each hand has.

    Raises:
        BeyondTablesError: The strict tricks of the rules are no matter of tables.
    """

    def __init__(self, rules: Rules, trump: str | None, size: int) -> None:
        self.rules, self.trump, self.size = rules, trump, size
        self.ctx = z3.Context()
        self.constraints: list[Any] = []
        first = [card for card in rules.pack if card.copy == 1]
        self.read = strict(self.ending(first[:1], first[1:2]))
        names = [face.rank + face.suit for face in self.read.faces]
        self.samples = [rules.cards[f"{name}1"] for name in names]
        bits = max(1, (len(names) - 1).bit_length())
        self.faces = [
            z3.BitVec(f"face {place}", bits, self.ctx) for place in range(2 * size)
        ]
        self.paid = [z3.Bool(f"paid {place}", self.ctx) for place in range(2 * size)]
        if len(names) < 1 << bits:
            self.constraints += [z3.ULT(face, len(names)) for face in self.faces]
        copies = max(card.copy for card in rules.pack)
        for group in combinations(self.faces, copies + 1):
            like = [one == two for one, two in pairwise(group)]
            self.constraints.append(z3.Not(z3.And(like)))
        worths = [self.read.worth(card) for card in self.samples]
        bonus = [self.read.bonus(card, self.read.position.state) for card in self.samples]  # fmt: skip
        self._worth = [self._looked(worths, face) for face in self.faces]
        self._bonus = [
            z3.If(paid, self._number(0), self._looked(bonus, face))
            for paid, face in zip(self.paid, self.faces, strict=True)
        ]
        self._beats: dict[tuple[int, int], Any] = {}
        self._inside: dict[tuple[str, int, int], Any] = {}
        self._known: dict[tuple[tuple[int, ...], tuple[int, ...]], Any] = {}
        places = tuple(range(2 * size))
        self.margin = self._value(places[:size], places[size:])

    def ending(self, mine: Sequence[Card], theirs: Sequence[Card]) -> Position:
        """Return the ending of two hands, the first about to lead."""
        seats = self.rules.seats
        fresh = start(self.rules, seats[0])
        hands = {seats[0]: frozenset(mine), seats[1]: frozenset(theirs)}
        return fresh.changed(
            phase="lead",
            turn=seats[0],
            taker=seats[0],
            hidden=FrozenDict(hands),
            state=FrozenDict({**fresh.state, "trump": self.trump}),
            partial=True,
        )

    def pinned(self, position: Position) -> list[Any]:
        """Return what makes the open hands those of an ending whose leader is on turn."""
        leader = str(position.turn)
        hands = [position.held(leader), position.held(self.rules.after(leader))]
        cards = [card for hand in hands for card in self.rules.sort(hand)]
        pins = [
            face == self.read.index[card.face]
            for face, card in zip(self.faces, cards, strict=True)
        ]
        return pins + [
            paid == (self.read.bonus(card, position.state) == 0)
            for paid, card in zip(self.paid, cards, strict=True)
        ]

    def value(self, position: Position) -> int:
        """Return the margin of an ending, by the formula."""
        found = solver(self.ctx, self.constraints, Limits())
        if ask(found, *self.pinned(position)) != "yes":
            message = f"no ending of {self.size} cards a side: {position}"
            raise UndecidedError(message)
        return self._read(found.model())

    def bounds(self, limits: Limits | None = None) -> Bounds:
        """Return the bounds that hold for all endings, and endings that reach them.

        Raises:
            UndecidedError: They were not found within the limits.
        """
        limits = limits or Limits()
        greatest, richest = self._outmost(limits, upward=True)
        least, poorest = self._outmost(limits, upward=False)
        return Bounds(least, greatest, poorest, richest)

    def _outmost(self, limits: Limits, *, upward: bool) -> tuple[int, Position]:
        found = solver(self.ctx, self.constraints, limits)
        best: tuple[int, Position] | None = None
        answer: Answer = "yes"
        while answer == "yes":
            answer = ask(found)
            if answer == "yes":
                model = found.model()
                margin = self._read(model)
                best = margin, self._position(model)
                found.add(self.margin > margin if upward else self.margin < margin)
        if answer == "undecided" or best is None:
            message = f"trumps {self.trump}, {self.size} cards a side"
            raise UndecidedError(message)
        return best

    def _read(self, model: z3.ModelRef) -> int:
        return int(model.eval(self.margin, model_completion=True).as_signed_long())

    def _position(self, model: z3.ModelRef) -> Position:
        """Return the ending of a model; cards that have paid are marked where the state has marks."""
        copies: dict[str, int] = {}
        cards: list[Card] = []
        for face in self.faces:
            number = model.eval(face, model_completion=True).as_long()
            name = self.samples[number].face
            copies[name] = copies.get(name, 0) + 1
            cards.append(self.rules.cards[f"{name}{copies[name]}"])
        made = self.ending(cards[: self.size], cards[self.size :])
        paid = frozenset(
            card
            for card, flag in zip(cards, self.paid, strict=True)
            if z3.is_true(model.eval(flag, model_completion=True))
            and self.read.bonus(card, made.state)
        )
        marks = {
            part.name: paid
            for part in self.rules.profile.state
            if part.type.kind == "set" and isinstance(made.state[part.name], frozenset)
        }
        return made.changed(state=FrozenDict({**made.state, **marks})) if paid else made

    # --- the tree -----------------------------------------------------------------------

    def _value(self, lead: tuple[int, ...], other: tuple[int, ...]) -> Any:
        """Return the margin of the side that leads, by the places of the cards still held."""
        if (lead, other) not in self._known:
            value: Any = None
            for card in lead:
                reply = self._after(card, lead, other)
                value = reply if value is None else _larger(value, reply)
            value = self._number(0) if value is None else value
            self._known[lead, other] = value
        return self._known[lead, other]

    def _after(self, card: int, lead: tuple[int, ...], other: tuple[int, ...]) -> Any:
        """Return the leader's margin after a lead, the other side answering as well as it can."""
        value: Any = None
        rest = tuple(place for place in lead if place != card)
        for answer in reversed(other):
            left = tuple(place for place in other if place != answer)
            gain = self._worth[card] + self._worth[answer]
            if not left:
                gain = gain + self.read.last
            lost = self._beaten(card, answer)
            here = z3.If(lost, -gain - self._value(left, rest), gain + self._value(rest, left))  # fmt: skip
            here = here + self._bonus[card] - self._bonus[answer]
            allowed = self._obeys(card, answer, other)
            if value is None:
                # Allowed or not: where it is not, another answer is, and replaces it below.
                value, sure = here, allowed
            else:
                better = z3.Or(z3.Not(sure), here < value)
                value = z3.If(z3.And(allowed, better), here, value)
                sure = z3.Or(sure, allowed)
        return value

    def _obeys(self, led: int, card: int, hand: tuple[int, ...]) -> Any:
        """Return whether a card is in the first set of the duty that is not empty."""
        found: list[Any] = []
        free: Any = z3.BoolVal(val=True, ctx=self.ctx)
        for name in self.read.duty:
            found.append(z3.And(free, self._in(name, led, card)))
            empty = [z3.Not(self._in(name, led, held)) for held in hand]
            free = z3.And(free, *empty)
        return z3.Or(found)

    def _beaten(self, led: int, card: int) -> Any:
        if (led, card) not in self._beats:
            rows = [self._bits(row, card) for row in self.read.beats]
            self._beats[led, card] = self._tree(rows, self.faces[led])
        return self._beats[led, card]

    def _in(self, name: str, led: int, card: int) -> Any:
        key = (name, led, card)
        if key not in self._inside:
            table = self.read.sets[self.read.duty.index(name)]
            rows = [self._bits(row, card) for row in table]
            self._inside[key] = self._tree(rows, self.faces[led])
        return self._inside[key]

    def _bits(self, row: Sequence[bool], card: int) -> Any:
        values = [z3.BoolVal(val=value, ctx=self.ctx) for value in row]
        return self._tree(values, self.faces[card])

    def _number(self, value: int) -> Any:
        return z3.BitVecVal(value, WIDTH, self.ctx)

    def _looked(self, values: Sequence[int], face: Any) -> Any:
        return self._tree([self._number(value) for value in values], face)

    def _tree(self, values: list[Any], place: Any) -> Any:
        """Return one of some values by its place: a tree of ifs over the place's bits."""
        width = place.size()
        level = [*values, *([values[-1]] * ((1 << width) - len(values)))]
        for bit in range(width):
            test = z3.Extract(bit, bit, place) == 1
            level = [
                one if one.eq(two) else z3.If(test, two, one)
                for one, two in zip(level[::2], level[1::2], strict=True)
            ]
        return level[0]


def _larger(one: Any, two: Any) -> Any:
    return z3.If(one < two, two, one)


def bounds(rules: Rules, size: int, limits: Limits | None = None) -> Bounds:
    """Return the bounds over all endings of one or two cards a side, whatever is trumps.

    Raises:
        UndecidedError: They were not found within the limits.
        BeyondTablesError: The strict tricks of the rules are no matter of tables.
    """
    found = [
        Unrolled(rules, trump, size).bounds(limits)
        for trump in (None, *rules.profile.deck.suits)
    ]
    low = min(found, key=lambda item: item.least)
    high = max(found, key=lambda item: item.greatest)
    return Bounds(low.least, high.greatest, low.poorest, high.richest)


def extended(
    rules: Rules, known: Bounds, size: int, limits: Limits | None = None
) -> int:
    """Return a bound on the margin of all endings with a card a side more than is known of.

    The first trick is put in outline: any card may win it, any answer may be allowed (one is),
    cards pay anything up to the most that one pays, and what follows has any margin within the
    known bounds.  Every ending is one of these, and Z3 proves the bound of them all.

    Raises:
        UndecidedError: It was not proved within the limits.
    """
    ctx = z3.Context()
    plain = Unrolled(rules, None, 1).read
    cards = rules.pack
    worth = max(plain.worth(card) for card in cards)
    bonus = max(plain.bonus(card, plain.position.state) for card in cards)
    after = max(known.greatest, -known.least)
    bound = 2 * worth + bonus + after
    found = solver(ctx, (), limits or Limits())

    def number(name: str, least: int, most: int) -> Any:
        value = z3.Int(name, ctx)
        found.add(value >= least, value <= most)
        return value

    margin: Any = None
    for lead in range(size):
        reply, sure = None, z3.BoolVal(val=False, ctx=ctx)
        for answer in range(size):
            name = f"{lead} {answer}"
            gain = number(f"gain {name}", 0, 2 * worth)
            paid = number(f"lead pays {name}", 0, bonus)
            paid = paid - number(f"answer pays {name}", 0, bonus)
            rest = number(f"rest {name}", known.least, known.greatest)
            lost, allowed = (z3.Bool(f"{word} {name}", ctx) for word in ("lost", "ok"))
            here = z3.If(lost, -gain - rest, gain + rest) + paid
            better = (
                allowed
                if reply is None
                else z3.And(allowed, z3.Or(z3.Not(sure), here < reply))
            )
            reply = here if reply is None else z3.If(better, here, reply)
            sure = z3.Or(sure, allowed)
        found.add(sure)
        margin = reply if margin is None else _larger(margin, reply)
    if ask(found, z3.Or(margin > bound, margin < -bound)) != "no":
        message = f"a bound of {size} cards a side"
        raise UndecidedError(message)
    return bound
