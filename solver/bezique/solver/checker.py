"""The checker: replays a certificate through the reference interpreter.

It shares no code with the search: `legal` and `apply` say what can be played and what it
pays.  Where points for tricks are paid at the end of the hand, the rest is played out twice,
with and without a trick among the cards won, to see what the trick will pay.

Source: the form of a strategy is told in `bezique.solver.certificate`.
"""

from bezique.engine.action import Action
from bezique.engine.frozen import FrozenDict
from bezique.engine.moves import apply, legal
from bezique.engine.position import Position


class RefusedError(ValueError):
    """A certificate that proves nothing; the text says why."""


def check(position: Position, margin: int, at_least: str, at_most: str) -> None:
    """Accept a certificate.

    Raises:
        RefusedError: A strategy is no strategy, or does not reach what is claimed.
    """
    mover = str(position.turn)
    other = position.rules.after(mover)
    sure = _Walk(mover, at_least).whole(position)
    if sure < margin:
        message = f"at least: expected {margin} for {mover}, got {sure}"
        raise RefusedError(message)
    let = -_Walk(other, at_most).whole(position)
    if let > margin:
        message = f"at most: expected {margin} for {mover}, got {let}"
        raise RefusedError(message)


class _Walk:
    """Walks through everything that can happen while the strategist follows the digits."""

    def __init__(self, strategist: str, digits: str) -> None:
        self.strategist, self.digits = strategist, iter(digits)
        self.met: dict[object, int] = {}
        self.later: dict[object, int] = {}

    def whole(self, position: Position) -> int:
        """Return the margin that the strategy is sure of; every digit must be used."""
        margin = self.sure(_nothing_won(position))
        if next(self.digits, None) is not None:
            message = "a strategy with digits left over"
            raise RefusedError(message)
        return margin

    def sure(self, position: Position) -> int:
        """Return the margin that the strategist is sure of from here on."""
        situation = (position.hidden, position.trick, position.turn)
        if situation not in self.met:
            tried = self.tries(position)
            self.met[situation] = min(self.after(position, one) for one in tried)
        return self.met[situation]

    def tries(self, position: Position) -> tuple[Action, ...]:
        """Return what is to be tried: the strategist's choice, or everything."""
        actions = legal(position)
        if position.turn == self.strategist and len(actions) > 1:
            digit = next(self.digits, "none")
            if digit not in "0123456789"[: len(actions)]:
                message = f"a choice among {len(actions)} cards: expected a digit below, got {digit}"
                raise RefusedError(message)
            return (actions[int(digit)],)
        return actions

    def after(self, position: Position, action: Action) -> int:
        """Return the margin that the strategist is sure of after an action, its points included."""
        then, _ = apply(position, action)
        gained = self.lead(then) - self.lead(position)
        if then.phase not in ("lead", "follow"):
            return gained
        trick = (then.last_trick, then.taker)
        if trick not in self.later:
            self.later[trick] = self.end(then) - self.end(_nothing_won(then))
        return gained + self.later[trick] + self.sure(_nothing_won(then))

    def end(self, position: Position) -> int:
        """Return by how much the strategist is ahead if the rest is played anyhow."""
        while position.phase in ("lead", "follow"):
            position, _ = apply(position, legal(position)[0])
        return self.lead(position)

    def lead(self, position: Position) -> int:
        """Return by how much the strategist is ahead."""
        other = position.rules.after(self.strategist)
        return position.match_points[self.strategist] - position.match_points[other]


def _nothing_won(position: Position) -> Position:
    nothing = FrozenDict(dict.fromkeys(position.rules.seats, frozenset[object]()))
    return position.changed(won=nothing, partial=True)
