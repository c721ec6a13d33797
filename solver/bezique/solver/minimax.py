"""Minimax: the last tricks played out in every way, over the reference interpreter.

Slow and without a thought in it: every legal action, applied as the rules say, to the end of
the hand.  It is what the fast search is compared with, and what answers for rules whose
strict tricks are no matter of tables.

Source: `legal` and `apply` of the engine.
"""

from collections.abc import Callable, Hashable

from bezique.engine.action import Action
from bezique.engine.cards import Card
from bezique.engine.frozen import FrozenDict
from bezique.engine.moves import apply, legal
from bezique.engine.position import Position
from bezique.solver.tables import closed

Outcome = int
"""1 for a match won, -1 for one lost, 0 for a draw or another hand."""


def margin(
    position: Position,
    seen: dict[Hashable, int] | None = None,
    *,
    forget_won: bool = False,
) -> int:
    """Return the margin still to come for the player to move.

    Args:
        position: An ending (`bezique.solver.tables.closed`).
        seen: Values found so far, to be used and added to; None works out everything anew.
        forget_won: Whether positions that differ only in the cards already won are one in
            `seen`: right where tricks are paid as they are won, wrong where they are paid at
            the end of the hand.

    Raises:
        EndingError: The position is no ending.
    """
    return _to_come(without_past(closed(position)), seen, forget_won=forget_won)


def margins(position: Position) -> dict[Action, int]:
    """Return the margin still to come after each legal action, for the player to move now."""
    start = without_past(closed(position))
    found = {}
    for action in legal(start):
        after, _ = apply(start, action)
        found[action] = _gain(start, after) + _relative(start, after) * _to_come(
            after, None, forget_won=False
        )
    return found


def outcome(position: Position) -> Outcome:
    """Return the best outcome of this hand for the player to move, whatever the margin.

    Raises:
        EndingError: The position is no ending.
    """
    seat = closed(position).turn

    def judged(end: Position) -> Outcome:
        return (
            0 if end.winner not in end.rules.seats else 1 if end.winner == seat else -1
        )

    return _best(position, seat, judged)


def without_past(position: Position) -> Position:
    """Return the position with no cards won yet, so that only what is to come is counted."""
    nothing = FrozenDict(dict.fromkeys(position.rules.seats, frozenset[Card]()))
    return position.changed(won=nothing, last_trick=(), partial=True)


def _best(
    position: Position, seat: str | None, judged: Callable[[Position], int]
) -> int:
    if position.phase not in ("lead", "follow"):
        return judged(position)
    values = (
        _best(apply(position, action)[0], seat, judged) for action in legal(position)
    )
    return max(values) if position.turn == seat else min(values)


def _to_come(
    position: Position, seen: dict[Hashable, int] | None, *, forget_won: bool
) -> int:
    """Return what is to come for the player to move; nothing when the hand is over."""
    if position.phase not in ("lead", "follow"):
        return 0
    key: Hashable = None
    if seen is not None:
        won = None if forget_won else position.won
        key = (position.hidden, position.trick, position.turn, position.state, won)
        if key in seen:
            return seen[key]
    best: int | None = None
    for action in legal(position):
        after, _ = apply(position, action)
        value = _gain(position, after) + _relative(position, after) * _to_come(
            after, seen, forget_won=forget_won
        )
        best = value if best is None else max(best, value)
    if best is None:
        message = "a player to move without a legal action"
        raise RuntimeError(message)
    if seen is not None:
        seen[key] = best
    return best


def _gain(before: Position, after: Position) -> int:
    """Return what the player to move before has gained on the other."""
    me = str(before.turn)
    other = before.rules.after(me)
    mine, theirs = (
        after.match_points[seat] - before.match_points[seat] for seat in (me, other)
    )
    return mine - theirs


def _relative(before: Position, after: Position) -> int:
    """Return whether the same player moves after: 1, or -1 for the other."""
    return 1 if after.turn == before.turn else -1
