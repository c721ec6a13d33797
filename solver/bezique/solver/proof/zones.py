"""Zones: whatever moves cards leaves each card in one place.

The effects of the language are run on a draft whose zones are open, by the code that plays,
path by path: a card that was in a zone is in one afterwards, and none is in two.  Moves look at
no face, so that three cards, each anywhere, stand for all: two that one move can put to different
places, and one besides.  A full hand has as many, so that a seat can lack some, one or none.
"""

import copy
from collections.abc import Iterator
from functools import partial
from itertools import product
from typing import Any

from bezique.engine.draft import Draft
from bezique.engine.moves import code_of
from bezique.engine.rules import Rules
from bezique.solver.proof.answer import Answer
from bezique.solver.proof.explore import Explorer, OpenSet, explore
from bezique.solver.proof.opening import Levels, OpenTable
from bezique.solver.proof.search import Limits, ask, solver
from bezique.solver.proof.situation import Situation, counted
from bezique.solver.proof.values import (
    Guard,
    SetOf,
    both,
    equal,
    implied,
    no,
    some,
)
from bezique.solver.proof.witness import PHASES
from bezique.spec import tree
from bezique.spec.kinds import CARD, CARDS, SEAT, Type
from bezique.spec.vocabulary import EFFECTS

FEW = 3
"""How many cards are in play."""
STILL = ("pay", "carry_out", "win")
"""The effects that move no card."""


def one_zone(rules: Rules, limits: Limits) -> Answer:
    """Return whether every move of a table leaves each card in one zone, whoever acts, in any phase."""
    paths = 0
    done = {
        node.effect for node in tree.nodes(rules.profile) if isinstance(node, tree.Do)
    }
    moves = [effect for effect in EFFECTS if effect in done and effect not in STILL]
    for me, phase, effect in product(rules.seats, PHASES, moves):
        asked = f"{effect} in phase {phase}"
        situation = Situation(
            rules, phase, me, slots=0, rulings=True, cards=rules.pack[:FEW]
        )
        given = _given(situation, EFFECTS[effect])
        if given is None:
            return Answer("undecided", f"{asked}: what it takes is not understood")
        broken: list[Guard] = []
        run = partial(_kept, situation, effect, given, Tops(situation))
        for explorer, kept in explore(run):
            paths += 1
            broken.append(both(explorer.path(), no(kept)))
        apart = solver(situation.space.ctx, situation.space.constraints, limits)
        answer = ask(apart, some(*broken))
        if answer != "no":
            return Answer("refuted" if answer == "yes" else "undecided", asked)
    return Answer("proved", f"{paths} paths of {', '.join(moves)}")


class Silent:
    """A table's code, for which nothing happens by itself and a situation says what is left."""

    def __init__(
        self,
        rules: Rules,
        explorer: Explorer | None = None,
        situation: Situation | None = None,
    ) -> None:
        self.rules, self.explorer, self.situation = rules, explorer, situation
        self._inner = code_of(rules)

    @property
    def upon(self) -> dict[str, Any]:
        """Return that nothing happens by itself."""
        return {}

    def stock_open(self, *_: Any) -> bool:
        """Return whether cards can still be drawn, either way in some run."""
        if self.explorer is None or self.situation is None:
            return False
        return self.explorer.decide(self.situation.left.at_least(len(self.rules.seats)))

    def verdict(self, *_: Any) -> tuple[bool, None, None]:
        """Return that the match ends: the cards then stay where they are."""
        return True, None, None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


class Tops:
    """Which card of a situation's stock is drawn first, which second, ...: any, each but once."""

    def __init__(self, situation: Situation) -> None:
        self.situation = situation
        self.found: list[Any] = []

    def __getitem__(self, number: int) -> Any:
        """Return the choice of a card; one of the stock, where that has as many."""
        stock, space = self.situation.stock.items, self.situation.space
        while len(self.found) <= number:
            top = space.choice(f"drawn {len(self.found)}", self.situation.pack)
            there = counted([guard for _, guard in stock]).at_least(len(self.found) + 1)
            inside = some(*(both(equal(top, card), guard) for card, guard in stock))
            again = some(*(equal(top, other) for other in self.found))
            space.require(implied(there, both(inside, no(again))))
            self.found.append(top)
        return self.found[number]


class OpenStock:
    """A stock whose top card may be any of its cards."""

    def __init__(self, explorer: Explorer, cards: SetOf, tops: Tops) -> None:
        self.explorer, self.cards, self.tops = explorer, cards, tops
        self.drawn = 0

    def __len__(self) -> int:
        # Enough for all or none: how many more there are does not matter to a move.
        return 2 if self.explorer.decide(some(*self.cards.members.values())) else 0

    def __getitem__(self, taken: slice) -> Any:
        """Return the first cards, drawn there and then, or the stock that is left behind them.

        A draft asks for each just once.
        """
        if taken.stop is None:
            return self
        return tuple(self._drawn() for _ in range(taken.stop) if len(self))

    def _drawn(self) -> Any:
        """Return a card, any of them in some run."""
        card = self.explorer.choose(self.tops[self.drawn])
        self.drawn += 1
        self.cards = SetOf(
            {
                other: guard
                for other, guard in self.cards.members.items()
                if other != card
            }
        )
        return card


def _given(
    situation: Situation, takes: tuple[Type, ...]
) -> tuple[tuple[Type, Any], ...] | None:
    """Return what an effect is given, each any of its type; None where a type is not known."""
    values = {CARD: situation.pack, CARDS: situation.pack, SEAT: situation.rules.seats}
    if not all(kind in values for kind in takes):
        return None
    return tuple(
        (kind, situation.space.choice(f"given {number}", values[kind]))
        for number, kind in enumerate(takes)
    )


def _kept(
    situation: Situation, effect: str, given: tuple[Any, ...], tops: Tops, explorer: Explorer
) -> Guard:  # fmt: skip
    """Return whether an effect leaves each card in one zone, if it is done with cards of the hand."""
    draft = _draft(situation, tops, explorer)
    arguments: list[Any] = []
    for kind, choice in given:
        value = explorer.choose(choice)
        if kind != SEAT and not explorer.decide(
            situation.hands[situation.me].has(value)
        ):
            return True
        arguments.append(frozenset({value}) if kind == CARDS else value)
    before = {card: some(*_places(draft, card)) for card in situation.pack}
    getattr(draft, effect)(*arguments)
    kept: list[Guard] = []
    for card, was in before.items():
        places = list(_places(draft, card))
        kept += [implied(was, some(*places)), no(counted(places).at_least(2))]
    return both(*kept)


def _draft(situation: Situation, tops: Tops, explorer: Explorer) -> Draft:
    """Return a draft whose zones are those of a situation."""
    table: Any = OpenTable(situation, explorer, Levels(situation))
    draft = Draft.__new__(Draft)
    rules, me = copy.copy(situation.rules), situation.me
    vars(rules)["hand_size"] = FEW
    draft.rules, draft.code, draft.me, draft.events = (
        rules,
        Silent(situation.rules, explorer, situation),
        me,
        [],
    )
    draft.hand, draft.phase, draft.turn, draft.dealer = (
        1,
        situation.phase,
        me,
        rules.seats[0],
    )
    draft.hidden, draft.table, draft.won = (
        dict(table.hidden),
        dict(table.table),
        dict(table.won),
    )
    stock: Any = OpenStock(explorer, SetOf(dict(situation.stock.items)), tops)
    draft.stock = stock
    draft.turn_up = explorer.choose(situation.turn_up)
    draft.trick = tuple(explorer.choose(card) for card in situation.trick)
    draft.last_trick, draft.taker = (), me
    draft.state = {part.name: part.type.empty for part in rules.profile.state}
    draft.hand_points, draft.match_points = (
        dict.fromkeys(rules.seats, 0),
        dict.fromkeys(rules.seats, 0),
    )
    draft.results, draft.winner, draft.partial = (), None, True
    return draft


def _places(draft: Draft, card: Any) -> Iterator[Guard]:
    """Yield of each zone of a draft whether a card is in it."""
    for group in (draft.hidden, draft.table, draft.won):
        yield from (_has(zone, card) for zone in group.values())
    yield _has(draft.stock, card)
    yield from (card == played for played in draft.trick)
    yield draft.turn_up == card


def _has(zone: Any, card: Any) -> Guard:
    """Return whether a zone, open or not, has a card."""
    if isinstance(zone, OpenSet):
        return zone.value.has(card)
    return zone.cards.has(card) if isinstance(zone, OpenStock) else card in zone
