"""Zones: whatever moves cards leaves each card in one place.

The effects of the language are run on a draft whose zones are open, by the code that plays,
path by path.  Moves look at no face, so that four cards, each anywhere, stand for all.
"""

from typing import Any

from bezique.engine.draft import Draft
from bezique.engine.moves import code_of
from bezique.engine.position import empty_value
from bezique.engine.rules import Rules
from bezique.solver.proof.answer import Answer
from bezique.solver.proof.explore import Explorer, OpenSet, explore
from bezique.solver.proof.opening import Levels, OpenTable
from bezique.solver.proof.search import Limits, ask, solver
from bezique.solver.proof.situation import Situation, counted
from bezique.solver.proof.values import Choice, Guard, SetOf, both, no, some

CARDS = 4
MOVES = (
    ("lead", "put"),
    ("follow", "put"),
    ("declare", "draw"),
    ("declare", "show"),
    ("declare", "swap"),
    ("declare", "gather"),
)
"""The effects that move cards, each in the phases it is done in."""


def one_zone(rules: Rules, limits: Limits) -> Answer:
    """Return whether every move leaves each card in one zone, whoever acts."""
    paths = 0
    for me in rules.seats:
        for phase, effect in MOVES:
            situation = Situation(
                rules, phase, me, slots=0, rulings=True, cards=rules.pack[:CARDS]
            )
            which = situation.space.choice("the card", situation.pack)
            broken: list[Guard] = []

            def run(
                explorer: Explorer,
                situation: Situation = situation,
                effect: str = effect,
                which: Any = which,
            ) -> Any:
                return _moved(situation, explorer, effect, which)

            for path, after in explore(run):
                paths += 1
                if after is not None:
                    kept = both(*(_once(after, card) for card in situation.pack))
                    broken.append(both(path, no(kept)))
            apart = solver(situation.space.ctx, situation.space.constraints, limits)
            answer = ask(apart, some(*broken))
            if answer != "no":
                verdict = "refuted" if answer == "yes" else "undecided"
                return Answer(verdict, f"{effect} in phase {phase}")
    return Answer("proved", f"{paths} paths of the moves of cards")


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

    def react(self, *_: Any) -> None:
        """Let nothing happen."""

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


class OpenStock:
    """A stock whose top card may be any of its cards."""

    def __init__(self, explorer: Explorer, cards: SetOf) -> None:
        self.explorer, self.cards = explorer, cards

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
        card = self.explorer.choose(Choice(tuple(self.cards.members.items())))
        self.explorer.decide(self.cards.has(card))
        self.cards = SetOf(
            {
                other: guard
                for other, guard in self.cards.members.items()
                if other != card
            }
        )
        return card


def _moved(
    situation: Situation, explorer: Explorer, effect: str, which: Any
) -> Draft | None:
    """Return a draft after one effect on an open card, or None where it does not apply."""
    table: Any = OpenTable(situation, explorer, Levels(situation))
    draft = Draft.__new__(Draft)
    rules, me = situation.rules, situation.me
    draft.rules, draft.code, draft.me, draft.events = (
        rules,
        Silent(rules, explorer, situation),
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
    draft.stock = OpenStock(explorer, SetOf(dict(situation.stock.items)))  # type: ignore[assignment]
    draft.turn_up = explorer.choose(situation.turn_up)
    draft.trick = tuple(explorer.choose(card) for card in situation.trick)
    draft.last_trick, draft.taker = (), me
    draft.state = {part.name: empty_value(part.type) for part in rules.profile.state}
    draft.hand_points, draft.match_points = (
        dict.fromkeys(rules.seats, 0),
        dict.fromkeys(rules.seats, 0),
    )
    draft.results, draft.winner, draft.partial = (), None, True
    card = None if effect in ("draw", "gather") else explorer.choose(which)
    if card is not None and not explorer.decide(situation.hands[me].has(card)):
        return None
    if card is None:
        getattr(draft, effect)()
    else:
        getattr(draft, effect)(frozenset({card}) if effect == "show" else card)
    return draft


def _once(draft: Draft, card: Any) -> Guard:
    """Return whether a card is in just one zone of a draft, or out of play."""
    zones = [
        zone
        for group in (draft.hidden, draft.table, draft.won)
        for zone in group.values()
    ]
    guards: list[Guard] = [_has(zone, card) for zone in (*zones, draft.stock)]
    guards += [card in draft.trick, draft.turn_up == card]
    return no(counted(guards).at_least(2))


def _has(zone: Any, card: Any) -> Guard:
    """Return whether a zone, open or not, has a card."""
    if isinstance(zone, OpenSet):
        return zone.value.has(card)
    return zone.cards.has(card) if isinstance(zone, OpenStock) else card in zone
