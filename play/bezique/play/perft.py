"""Perft: how many sequences of actions there are from a position, to a depth.

The number says at once whether two engines know the same moves.  Every choice of physical
cards counts, as in `legal`.  Chance deals the hands that a seed gives it, and its deals count
as no action.
"""

from bezique.engine.action import Action
from bezique.engine.code import Code
from bezique.engine.moves import apply, legal
from bezique.engine.position import CHANCE, Position
from bezique.play.saved import Saved


def perft(
    position: Position, depth: int, game: Saved, *, code: Code | None = None
) -> int:
    """Return the number of sequences of `depth` actions; those that end early do not count.

    Args:
        position: Where they begin.
        depth: How many actions, 0 or more.
        game: Whose seed deals later hands.
        code: Who carries out the rules; compiled code unless given.
    """
    position = dealt(position, game)
    actions = legal(position, code=code)
    if depth <= 1:
        return len(actions) if depth == 1 else 1
    return sum(
        perft(apply(position, action, code=code)[0], depth - 1, game, code=code)
        for action in actions
    )


def divide(position: Position, depth: int, game: Saved) -> dict[Action, int]:
    """Return the number of sequences that begin with each action."""
    position = dealt(position, game)
    return {
        action: perft(apply(position, action)[0], depth - 1, game)
        for action in legal(position)
    }


def dealt(position: Position, game: Saved) -> Position:
    """Return the position itself, or, where chance is to deal, after its deal."""
    while position.turn == CHANCE:
        position, _ = apply(position, game.dealt(position))
    return position
