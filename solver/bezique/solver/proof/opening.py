"""Open tables: a situation as code sees it, with what cards have scored left open altogether."""

from typing import Any

from bezique.engine.cards import Card
from bezique.engine.evaluate import Meaning
from bezique.solver.proof.explore import Explorer, OpenNumber, OpenSet, opened
from bezique.solver.proof.meaning import Symbolic
from bezique.solver.proof.options import explored
from bezique.solver.proof.situation import Situation


class OpenTable:
    """A situation as code sees it, its questions answered by an explorer."""

    def __init__(
        self, situation: Situation, explorer: Explorer, spent: "Levels"
    ) -> None:
        self.rules = situation.rules
        if situation.options:
            self.rules = explored(self.rules, explorer)
        self.phase, self.turn = situation.phase, situation.turn
        self.situation, self.explorer, self.levels = situation, explorer, spent
        self.trick = tuple(opened(explorer, card) for card in situation.trick)
        self.last_trick: tuple[Card, ...] = ()
        self.hidden = {
            seat: OpenSet(explorer, cards) for seat, cards in situation.hidden.items()
        }
        self.table = {
            seat: OpenSet(explorer, cards) for seat, cards in situation.table.items()
        }
        self.won = {
            seat: OpenSet(explorer, cards) for seat, cards in situation.won.items()
        }
        self.hand = OpenNumber(explorer, situation.hand)
        self.match_points, self.hand_points = (
            {seat: OpenNumber(explorer, number) for seat, number in points.items()}
            for points in (situation.match_points, situation.hand_points)
        )
        self.state = _Opening(situation.state, explorer)

    @property
    def turn_up(self) -> Card | None:
        """Return the turned-up card, one in each run."""
        found: Card | None = opened(self.explorer, self.situation.turn_up)
        return found

    @property
    def dealer(self) -> str:
        """Return the dealer, one in each run."""
        return str(self.explorer.choose(self.situation.dealer))

    @property
    def taker(self) -> str | None:
        """Return the winner of the last trick, one in each run."""
        found: str | None = self.explorer.choose(self.situation.taker)
        return found

    @property
    def left(self) -> OpenNumber:
        """Return the cards left, a number that can be compared."""
        return OpenNumber(self.explorer, self.situation.left)

    def held(self, seat: str) -> OpenSet:
        """Return a seat's hand."""
        return OpenSet(self.explorer, self.situation.hands[seat])


class _Opening(dict[str, Any]):
    """The state, whose parts open when read."""

    def __init__(self, state: dict[str, Any], explorer: Explorer) -> None:
        super().__init__(state)
        self.explorer = explorer

    def __getitem__(self, name: str) -> Any:
        return opened(self.explorer, super().__getitem__(name))


class Levels:
    """At which level each card has scored in each family: anything at all."""

    def __init__(self, situation: Situation) -> None:
        self.situation = situation
        self.found: dict[tuple[Card, str], Any] = {}

    def __call__(self, card: Card, family: str) -> Any:
        """Return the open level of a card in a family."""
        if (card, family) not in self.found:
            melds = self.situation.rules.profile.melds.values()
            levels = sorted(
                {0, *(meld.level for meld in melds if meld.family == family)}
            )
            self.found[card, family] = self.situation.space.choice(
                f"spent {card} {family}", levels
            )
        return self.found[card, family]


class AnyHistory(Meaning):
    """The interpreter, with what cards have scored and what hands lack left open."""

    def lacks(self, seat: str | None) -> Any:
        """Return the open number of cards a seat is short of."""
        return open_lacks(self.table, seat)

    def spent(self, card: Card | None, family: str) -> Any:
        """Return the open level of a card in a family."""
        table: OpenTable = self.table
        return (
            0
            if card is None
            else OpenNumber(table.explorer, table.levels(card, family))
        )


def open_lacks(at: OpenTable, seat: str | None) -> Any:
    """Return the open number of cards that a seat is short of."""
    return OpenNumber(at.explorer, Symbolic(at.situation, at.turn).lacks(seat))


def open_spent(at: OpenTable, card: Card | None, family: str) -> Any:
    """Return the open level that a card has reached in a family."""
    return 0 if card is None else OpenNumber(at.explorer, at.levels(card, family))
