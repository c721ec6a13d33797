"""What a comparison of two tables comes to: differences, and the situations that show them."""

from dataclasses import dataclass

from bezique.engine.action import Action
from bezique.engine.position import Position

PHASES = ("declare", "follow", "lead")


@dataclass(frozen=True)
class Witness:
    """A situation that tells two tables apart.

    `one` and `two` say in words what each does there; `cards` is its size.  `lenient` is a table
    that a referee records.
    """

    one_position: Position
    two_position: Position
    action: Action | None
    one: str
    two: str
    lenient: bool = False

    @property
    def cards(self) -> int:
        """Return how many cards are in play in it."""
        position = self.one_position
        zones = (
            *position.hidden.values(),
            *position.table.values(),
            *position.won.values(),
        )
        return (
            sum(map(len, zones))
            + len(position.stock)
            + len(position.trick)
            + (position.turn_up is not None)
        )


@dataclass(frozen=True)
class Difference:
    """A clause that differs, and whether it can be told.

    `verdict` is `differs` (with a witness), `equivalent` (proved), `not distinguished within the
    bound` (no witness with a few melds on record) or `undecided` (a question cost too much).
    """

    matter: str
    clause: str
    verdict: str
    witness: Witness | None = None
    note: str = ""


def verdict_on(witness: Witness | None, undecided: bool, otherwise: str) -> str:  # noqa: FBT001
    """Return the verdict on a search: what was found, or what its failure comes to."""
    return "differs" if witness else "undecided" if undecided else otherwise
