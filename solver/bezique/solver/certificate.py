"""Certificates: a margin with the play that proves it.

A margin is exact when the player to move can make sure of no less and the other can make
sure that it is no more.  A certificate holds both strategies, each against every reply, so
that somebody who trusts no search can replay them (`bezique.solver.checker`).

    A strategy is a row of digits.  Walk through everything that can happen from the position
    on: where the strategist is to play and has a choice, the next digit counts, from 0, which
    of the legal cards is played, in card order; where the other is to play, every legal card
    is tried, in card order, each to the end before the next.  A situation (both hands, the
    card led, who is to play) that has been walked through is not walked through again.

Terms
    strategist    the seat whose strategy it is
    at least      the strategy of the player to move
    at most       the strategy of the other
"""

from dataclasses import dataclass

from bezique.engine.position import Position
from bezique.solver.endgame import Method, Searcher, Solution, searcher_of, solve
from bezique.solver.strict import strict
from bezique.solver.tables import Ending, closed, ending


@dataclass(frozen=True, slots=True)
class Certificate:
    """A margin for the player to move, and the strategies of both that prove it."""

    margin: int
    at_least: str
    at_most: str


def certificate(
    position: Position, solution: Solution | None = None, method: Method | None = None
) -> Certificate:
    """Return the certificate of an ending.

    Args:
        position: An ending.
        solution: Its solution, if it has been worked out already.
        method: What is to search.

    Raises:
        EndingError: The position is no ending.
        BeyondTablesError: Its rules are beyond kernel and twin.
    """
    closed(position)
    margin = (solution or solve(position, method)).margin
    found = ending(position, strict(position))
    mover = 0 if found.led is None else 1
    _, searcher = searcher_of(found, method)
    # The hands by card order, which the digits count in.
    place = position.rules.place
    order = [
        sorted(range(len(hand)), key=lambda i: place[hand[i]]) for hand in found.hands
    ]
    walks = (_Walk(found, searcher, side, order) for side in (mover, 1 - mover))
    at_least, at_most = (walk.digits() for walk in walks)
    return Certificate(margin, at_least, at_most)


class _Walk:
    """Walks through an ending for one strategist and notes the choices."""

    def __init__(
        self, found: Ending, searcher: Searcher, strategist: int, order: list[list[int]]
    ) -> None:
        self.found, self.searcher, self.strategist = found, searcher, strategist
        self.order = order
        self.chosen: list[int] = []
        self.seen: set[tuple[int, int, int, int | None]] = set()

    def digits(self) -> str:
        """Return the digits of the strategy."""
        full = (1 << len(self.found.hands[0])) - 1
        if self.found.led is None:
            self._lead(0, full, full)
        else:
            self._follow(0, full, full, self.found.led)
        return "".join(map(str, self.chosen))

    def _lead(self, p: int, a: int, b: int) -> None:
        if not a or self._met(p, a, b, None):
            return
        cards = self._in_order(p, a)
        if p == self.strategist and len(cards) > 1:
            margins = self.searcher.lead_margins(p, a, b)
            best = max(margins, key=margins.__getitem__)
            self.chosen.append(cards.index(best))
            cards = [best]
        for i in cards:
            self._follow(p, a, b, i)

    def _follow(self, p: int, a: int, b: int, i: int) -> None:
        if self._met(p, a, b, i):
            return
        q = 1 - p
        cards = self._in_order(q, self.searcher.replies(p, b, i))
        if q == self.strategist and len(cards) > 1:
            margins = self.searcher.reply_margins(p, a, b, i)
            best = min(margins, key=margins.__getitem__)
            self.chosen.append(cards.index(best))
            cards = [best]
        left_a = a & ~(1 << i)
        for j in cards:
            left_b = b & ~(1 << j)
            if self.searcher.beaten(p, i, j):
                self._lead(q, left_b, left_a)
            else:
                self._lead(p, left_a, left_b)

    def _in_order(self, p: int, cards: int) -> list[int]:
        return [i for i in self.order[p] if cards >> i & 1]

    def _met(self, p: int, a: int, b: int, led: int | None) -> bool:
        situation = (p, a, b, led)
        if situation in self.seen:
            return True
        self.seen.add(situation)
        return False
