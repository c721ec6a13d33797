"""Batches: many endings at once, as arrays of faces.

For searches that need a hundred thousand endings a second.  An ending is two rows of faces
(`bezique.solver.tables`); which suit rules, and whatever else the strict tricks hang on, is a
*variant*, one for each state that was asked for.

    rules = Library().rules("streak")
    variants = every_trump(rules)
    margins = solve_many(variants, hands, which)     # shapes (n, 2, cards) and (n,)

numpy is needed (the extra `solver`).  Where numba is missing the twin answers, one by one.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

from bezique.engine.cards import Card
from bezique.engine.frozen import FrozenDict
from bezique.engine.position import Position, start
from bezique.engine.rules import Rules
from bezique.solver import compiled
from bezique.solver.fits import kernel_fits
from bezique.solver.strict import strict
from bezique.solver.tables import MOST_CARDS, Ending, Tables, tables
from bezique.solver.twin import Twin

Array = Any  # of whole numbers; numpy is imported only when it is used
NOBODY = -1  # no card led


@dataclass(frozen=True, eq=False)
class Variants:
    """The tables of some rules under several states.

    Attributes:
        rules: The rules.
        suits: What each variant has as its ruling suit, in order; None for no trumps.
        tables: The tables of each.
    """

    rules: Rules
    suits: tuple[str | None, ...]
    tables: tuple[Tables, ...]

    def face(self, card: Card) -> int:
        """Return the number of a card's face."""
        return self.tables[0].names.index(card.face)

    @cached_property
    def arrays(self) -> tuple[Array, Array]:
        """Return the codes and the rows of all variants, as the kernel takes them."""
        import numpy as np  # noqa: PLC0415

        pairs = [compiled.arrays(made) for made in self.tables]
        return np.stack([codes for codes, _ in pairs]), np.stack(
            [rows for _, rows in pairs]
        )


def suit_parts(rules: Rules) -> tuple[str, ...]:
    """Return the parts of the state that hold a suit, such as the trumps of a hand."""
    return tuple(part.name for part in rules.profile.state if part.type.kind == "Suit")


def with_suit(position: Position, suit: str | None) -> Position:
    """Return a position whose state holds this suit wherever it holds one."""
    settled = dict.fromkeys(suit_parts(position.rules), suit)
    return position.changed(state=FrozenDict({**position.state, **settled}))


def every_trump(rules: Rules) -> Variants:
    """Return the variants of some rules: one for each suit as trumps, and one for none.

    Raises:
        BeyondTablesError: The strict tricks are no matter of tables.
    """
    suits = (*rules.profile.deck.suits, None)
    begun = start(rules, rules.seats[0])
    made = tuple(tables(strict(with_suit(begun, suit))) for suit in suits)
    return Variants(rules, suits, made)


def solve_many(
    variants: Variants,
    hands: Array,
    which: Array,
    *,
    led: Array | None = None,
    threads: int = 1,
    nodes: Array | None = None,
) -> Array:
    """Return the margin of the player to move in each of many endings.

    What cards pay for being played (`Strict.bonus`) is a constant of each ending and not
    counted here.

    Args:
        variants: The rules' tables.
        hands: Faces, of shape (endings, 2, cards); the leader of the trick first, the card
            led among its cards.
        which: The variant of each ending.
        led: The face led in each ending, or -1 where the leader is to move.
        threads: How many threads share the work.
        nodes: Takes the number of nodes of each ending, if given.

    Raises:
        ValueError: The shapes do not fit each other, or hold what is no face or variant.
    """
    import numpy as np  # noqa: PLC0415

    hands = np.ascontiguousarray(hands, np.int64)
    which = np.ascontiguousarray(which, np.int64)
    led = np.full(len(hands), NOBODY) if led is None else led
    led = np.ascontiguousarray(led, np.int64)
    _see_to_shapes(variants, hands, which, led)
    out = np.zeros(len(hands), np.int64)
    count = np.zeros(len(hands), np.int64) if nodes is None else nodes
    if kernel_fits(variants.rules) is not None or compiled.kernel() is None:
        for number in range(len(hands)):
            out[number], count[number] = _by_twin(
                variants, hands[number], which[number], led[number]
            )
        return out
    codes, rows = variants.arrays
    last = variants.tables[0].last

    def share(part: slice) -> None:
        compiled.forget()
        compiled.kernel().margins(
            compiled.workspace(),
            hands[part],
            which[part],
            led[part],
            codes,
            rows,
            last,
            out[part],
            count[part],
        )

    bounds = [len(hands) * k // threads for k in range(threads + 1)]
    parts = [slice(first, end) for first, end in pairwise(bounds)]
    if threads == 1:
        share(parts[0])
    else:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(share, parts))
    return out


def _see_to_shapes(variants: Variants, hands: Array, which: Array, led: Array) -> None:
    """Refuse what the kernel, which checks nothing, would read beyond its tables."""
    faces = len(variants.tables[0].names)
    most = MOST_CARDS
    problem = ""
    if hands.ndim != 3 or hands.shape[1] != 2 or not 1 <= hands.shape[2] <= most:  # noqa: PLR2004
        problem = (
            f"hands: expected the shape (endings, 2, 1 to {most}), got {hands.shape}"
        )
    elif which.shape != (len(hands),) or led.shape != (len(hands),):
        problem = f"which, led: expected the shape ({len(hands)},), got {which.shape}, {led.shape}"
    elif len(hands) and (hands.min() < 0 or hands.max() >= faces):
        problem = f"hands: expected faces from 0 to {faces - 1}, got {hands.min()} to {hands.max()}"
    elif len(hands) and (which.min() < 0 or which.max() >= len(variants.tables)):
        problem = f"which: expected variants from 0 to {len(variants.tables) - 1}"
    elif ((led != NOBODY) & (hands[:, 0, :] != led[:, None]).all(axis=1)).any():
        problem = f"led: expected a card of the leader, or {NOBODY}"
    if problem:
        raise ValueError(problem)


def _by_twin(variants: Variants, hands: Array, which: int, led: int) -> tuple[int, int]:
    made = variants.tables[which]
    one, two = (
        tuple(sorted(map(int, row), key=made.place.__getitem__)) for row in hands
    )
    twin = Twin(Ending(made, (one, two), None if led == NOBODY else one.index(led)))
    return twin.margin(), twin.nodes
