"""The greatest totals: what given cards can declare, and what a hand can bring at most.

`greatest` finds, with Z3's optimiser, the order in which cards declare the most over a number
of won tricks; `bezique.solver.declaring` finds it by trying all orders.  Both ask the rules
for every step, so that whatever a table says of reuse, growth and hidden cards counts.

Source: D0.35-37, D2.61-66.
"""

from collections.abc import Iterable
from itertools import product
from types import SimpleNamespace
from typing import Any

import z3

from bezique.engine.cards import Card
from bezique.engine.melds import candidates
from bezique.engine.position import Melded
from bezique.engine.rules import Rules
from bezique.solver.declaring import Plan, scoring_action
from bezique.solver.proof.meaning import Symbolic
from bezique.solver.proof.search import Limits
from bezique.solver.proof.seats import told_apart
from bezique.solver.proof.values import Guard, ListOf, SetOf, both, no, some
from bezique.spec import core


def greatest(
    rules: Rules,
    cards: Iterable[Card],
    trump: str | None,
    tricks: int,
    limits: Limits | None = None,
) -> Plan:
    """Return the most that cards of one hand can declare over some won tricks.

    Args:
        rules: The table.
        cards: The hand, all hidden; it keeps them all.
        trump: The trump suit, or None where there is none yet.
        tricks: How many tricks are won, each with one declaration.
        limits: How much may be spent.
    """
    limits = limits or Limits()
    seat = rules.seats[0]
    hand = frozenset(cards)
    action = scoring_action(rules)
    parameter = action.takes[0].name
    melds = [Melded(seat, name, taken) for name, taken in candidates(rules, hand)]
    ctx = z3.Context()
    optimiser = z3.Optimize(ctx=ctx)
    optimiser.set("timeout", limits.backstop_ms)
    declared: list[list[z3.BoolRef]] = []
    for trick in range(tricks):
        now = [z3.Bool(f"{trick} {melded}", ctx) for melded in melds]
        here = Symbolic(_table(rules, hand, trump, melds, declared, seat), seat)
        for choice, melded in zip(now, melds, strict=True):
            allowed = both(
                *(
                    here.guard(clause.test, {parameter: melded})
                    for clause in action.conditions
                )
            )
            if allowed is not True:
                optimiser.add(
                    z3.Not(choice) if allowed is False else z3.Implies(choice, allowed)
                )
        if now:
            optimiser.add(z3.AtMost(*now, 1))
        declared.append(now)
    worth = z3.Sum(
        *(
            z3.If(choice, rules.points[melded.meld], 0)
            for now in declared
            for choice, melded in zip(now, melds, strict=True)
        ),
        z3.IntVal(0, ctx),
    )
    optimiser.maximize(worth)
    if optimiser.check() != z3.sat:
        message = "the optimiser found no order within its limits"
        raise TimeoutError(message)
    model = optimiser.model()
    order = tuple(
        melded for now in declared for choice, melded in zip(now, melds, strict=True) if z3.is_true(model.eval(choice, model_completion=True))
    )  # fmt: skip
    return Plan(sum(rules.points[melded.meld] for melded in order), order)


def _table(
    rules: Rules,
    hand: frozenset[Card],
    trump: str | None,
    melds: list[Melded],
    declared: list[list[z3.BoolRef]],
    seat: str,
) -> Any:
    """Return the table at a trick of a seat, by what has been declared before."""
    other = rules.after(seat)
    before: dict[Melded, Guard] = {
        melded: some(*(now[number] for now in declared))
        for number, melded in enumerate(melds)
    }
    shown = {
        card: some(*(guard for melded, guard in before.items() if card in melded.cards))
        for card in hand
    }
    state: dict[str, Any] = {part.name: _empty(part) for part in rules.profile.state}
    state |= {"trump": trump, "scored": ListOf(tuple(before.items()))}
    return SimpleNamespace(
        rules=rules, hand=1, phase="declare", turn=seat, dealer=other, stock=(), left=len(rules.seats), turn_up=None,
        hidden={seat: SetOf({card: no(guard) for card, guard in shown.items()}), other: SetOf({})},
        table={seat: SetOf(dict(shown)), other: SetOf({})}, won={seat: SetOf({}), other: SetOf({})},
        trick=(), last_trick=(), taker=seat, hand_points=dict.fromkeys(rules.seats, 0), match_points=dict.fromkeys(rules.seats, 0), state=state,
    )  # fmt: skip


def _empty(part: core.State) -> Any:
    if part.type.item:
        return SetOf({}) if part.type.kind == "set" else ListOf(())
    return part.type.empty


def most_in_a_hand(rules: Rules, limits: Limits) -> tuple[int | None, str]:
    """Return a bound on what one seat can declare in a hand, and the melds that make it.

    Asked of each seat where rules tell them apart.  Counts only: of each face there are so
    many copies, a copy serves once a level of a family, and there is one declaration a trick
    while the stock lasts.
    """
    best: tuple[int | None, str] = (None, "")
    stocked = (len(rules.pack) - rules.hand_size * len(rules.seats)) // len(rules.seats)
    trumps = (
        rules.profile.deck.suits
        if rules.turns_up
        else (None, *rules.profile.deck.suits)
    )
    seats = rules.seats if told_apart(rules) else rules.seats[:1]
    for trump, seat in product(trumps, seats):
        found = _most(rules, trump, stocked, limits, seat)
        if found[0] is not None and (best[0] is None or found[0] > best[0]):
            best = found
    return best


def _most(
    rules: Rules, trump: str | None, tricks: int, limits: Limits, seat: str
) -> tuple[int | None, str]:
    ctx = z3.Context()
    optimiser = z3.Optimize(ctx=ctx)
    optimiser.set("timeout", limits.backstop_ms)
    copies = len(rules.pack) // (
        len(rules.profile.deck.ranks) * len(rules.profile.deck.suits)
    )
    suits = len(rules.profile.deck.suits)
    counts: list[tuple[str, z3.ArithRef]] = []
    used: dict[tuple[str, int, str, str | None], list[Any]] = {}
    here = Symbolic(_table(rules, frozenset(rules.pack), trump, [], [], seat), seat)
    for name, meld in rules.profile.melds.items():
        for naming in here.namings(meld):
            cards = _some_cards(rules, meld, naming)
            if cards is None or any(
                here.guard(clause.test, {**naming, "m": Melded(seat, name, cards)})
                is False
                for clause in meld.conditions
            ):
                continue
            count = z3.Int(f"{name} {naming}", ctx)
            optimiser.add(count >= 0)
            counts.append((name, count))
            for part in meld.cards:
                suit = part.suit or naming.get(part.variable or "")
                used.setdefault((meld.family, meld.level, part.rank, suit), []).append(
                    count * part.count
                )
    for (family, level, rank, suit), sums in used.items():
        free = used.get((family, level, rank, None), []) if suit is not None else []
        optimiser.add(
            z3.Sum(*sums, z3.IntVal(0, ctx))
            <= (copies if suit is not None else copies * suits)
        )
        if free:
            optimiser.add(z3.Sum(*sums, *free, z3.IntVal(0, ctx)) <= copies * suits)
    total = z3.Sum(*(count for _, count in counts), z3.IntVal(0, ctx))
    optimiser.add(total <= tricks)
    worth = z3.Sum(
        *(count * rules.points[name] for name, count in counts), z3.IntVal(0, ctx)
    )
    optimiser.maximize(worth)
    if optimiser.check() != z3.sat:
        return None, ""
    model = optimiser.model()
    told = [
        f"{model.eval(count, model_completion=True)} {name}"
        for name, count in counts
        if model.eval(count, model_completion=True).as_long()
    ]
    return int(model.eval(worth).as_long()), ", ".join(told)


def _some_cards(
    rules: Rules, meld: core.Meld, naming: dict[str, str]
) -> frozenset[Card] | None:
    """Return cards that make a meld with its suits named, from the whole pack, or None."""
    taken: set[Card] = set()
    for part in meld.cards:
        suit = part.suit or naming.get(part.variable or "")
        fitting = [
            card
            for card in rules.pack
            if card.rank == part.rank
            and suit in (None, card.suit)
            and card not in taken
        ]
        # Spread over the suits where any will do: some readings ask for unlike ones.
        fitting.sort(key=lambda card: (card.copy, card.suit))
        if len(fitting) < part.count:
            return None
        taken.update(fitting[: part.count])
    return frozenset(taken)
