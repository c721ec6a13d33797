"""Mismatches: worlds in which compiled code and the rules say different things."""

from dataclasses import dataclass

from bezique.engine.position import Position

UNDECIDED = "undecided"


@dataclass(frozen=True)
class Mismatch:
    """A world in which compiled code and the rules say different things.

    `position` is one in which both, asked again, still do; without one, what they say is
    `undecided`, except where every case was asked by itself.
    """

    what: str
    arguments: str
    compiled: str
    rules: str
    position: Position | None = None


def undecided(what: str, arguments: str) -> Mismatch:
    """Return that something is not decided."""
    return Mismatch(what, arguments, UNDECIDED, UNDECIDED)
