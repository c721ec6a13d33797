"""Levels: opponents from careless to exact, behind one function.

`choose` is a pure function of what a seat has seen, as all opponents are.  A level is one
small class; each takes more care than the one below.
"""

from collections.abc import Sequence

from bezique.engine.action import Action
from bezique.engine.record import Seen
from bezique.play import opponents


def choose(level: int, seen: Sequence[Seen], actions: Sequence[Action]) -> Action:
    """Return what an opponent of a level does."""
    del level
    return opponents.choose(seen, actions)


def searches(level: int) -> bool:
    """Return whether a level may think for long."""
    return level >= 4
