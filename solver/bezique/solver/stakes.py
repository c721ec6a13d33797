"""Stakes: what the margin of an ending makes of the match.

The points of the last tricks are a constant sum, so the final totals follow from the margin.
The verdicts of the rule file are asked for every margin, with either seat as the winner of
the last trick.  Where they rise with the margin and do not ask who won the last trick, the
best margin is the best result: the margin decides.

Where the last trick's winner takes a match that both could claim, a result needs one margin
when one side wins the last trick and another when the other does.  But winning the last
trick then works like points: if it takes margin `x` with it and `y` without, giving the last
trick `(y - x) / 2` more makes both the same margin, `(x + y) / 2`.  The search stays as it
is; only the worth of the last trick changes.

Source: `verdict` of the rule file.
"""

from dataclasses import dataclass
from math import gcd

from bezique.engine.position import Position
from bezique.solver.strict import BeyondTablesError, ClosedTable, Glimpse, State, Strict
from bezique.solver.tables import Ending


@dataclass(frozen=True, slots=True)
class Stakes:
    """The outcomes of an ending for the player to move, by the margin of its tricks.

    Attributes:
        points: What the tricks pay in all.
        step: What all payments are multiples of; margins go from -points to points by twice that.
        last: Points for the last trick.
        with_last: The outcome of each margin when the player to move wins the last trick.
        without_last: And when the other does.
    """

    points: int
    step: int
    last: int
    with_last: tuple[int, ...]
    without_last: tuple[int, ...]

    @property
    def margin_decides(self) -> bool:
        """Return whether more margin is never worse, whoever wins the last trick."""
        return self.with_last == self.without_last and list(self.with_last) == sorted(
            self.with_last
        )

    def outcome(self, margin: int, *, last_trick: bool = True) -> int:
        """Return the outcome of a margin: 1 won, -1 lost, 0 a draw or another hand."""
        row = self.with_last if last_trick else self.without_last
        return row[(margin + self.points) // (2 * self.step)]

    def level(self, outcome: int) -> tuple[int, int]:
        """Return the worth of the last trick at which a margin decides whether an outcome is reached.

        Returns:
            That worth, and the margin needed with it.

        Raises:
            BeyondTablesError: An outcome comes and goes with more margin, or winning the last
                trick does harm.
        """
        needed = []
        for row in (self.with_last, self.without_last):
            if list(row) != sorted(row):
                message = "verdict: more margin may be worse"
                raise BeyondTablesError(message)
            reached = sum(
                found < outcome for found in row
            )  # how many margins fall short
            needed.append(2 * self.step * reached - self.points)
        more = (needed[1] - needed[0]) // 2
        if self.last + more < 0:
            message = "verdict: winning the last trick may be worse"
            raise BeyondTablesError(message)
        return self.last + more, needed[0] + more


def stakes(position: Position, rules: Strict, found: Ending) -> Stakes | None:
    """Return the stakes of an ending; None where the verdicts ask for more than totals.

    Args:
        position: The ending.
        rules: Its strict tricks.
        found: Its hands.
    """
    points = found.points
    step = (
        gcd(
            rules.last,
            *(found.tables.worth[face] for hand in found.faces for face in hand),
        )
        or 1
    )
    me = str(position.turn)
    other = position.rules.after(me)
    settled = {seat: _settled(position, rules, seat) for seat in position.rules.seats}
    try:
        rows = [
            tuple(
                _verdict(position, rules, {me: settled[me] + gained, other: settled[other] + points - gained}, taker, me)
                for gained in range(0, points + 1, step)
            )
            for taker in (me, other)
        ]  # fmt: skip
    except LookupError:
        return None
    return Stakes(points, step, rules.last, *rows)


def _settled(position: Position, rules: Strict, seat: str) -> int:
    """Return what a seat will have at the end of the hand without the tricks to come."""
    won = sum(rules.closing(card) for card in position.won[seat])
    return (
        position.match_points[seat]
        + won
        + sum(rules.bonus(card, position.state) for card in position.held(seat))
    )


def _verdict(
    position: Position, rules: Strict, totals: dict[str, int], taker: str, me: str
) -> int:
    """Return what the rules make of some final totals, for `me`."""
    hand = {
        seat: position.hand_points[seat] + totals[seat] - position.match_points[seat]
        for seat in totals
    }
    state = State(position.state, rules.state.changing)
    here = Glimpse(
        ClosedTable(
            position, state, match_points=totals, hand_points=hand, taker=taker
        ),
        taker,
    )
    for verdict in position.rules.profile.verdict:
        if here.holds(verdict.test):
            winner = here.value(verdict.winner)
            return 0 if winner is None else 1 if winner == me else -1
    return 0
