r"""The endgame: the last tricks, played exactly.

Once the stock is closed both hands are known to anybody who remembers.  `solve` says what
the rest is worth with best play on both sides, and what every card is worth.

    >>> from bezique.solver.notation import read_ending
    >>> position = read_ending("profile: luso\ntrump: ♥\nsouth: A♠ 8♥\nnorth: K♠ 7♥")
    >>> found = solve(position)
    >>> found.margin, [str(card) for card in found.line]
    (20, ['AS1', 'KS1', '8H1', '7H1'])

Terms
    margin    points that the player to move still gains over the other: for tricks from now
              on, for the last trick, and for cards paid when played; not for cards won before
    class     legal cards that lead to the same play whatever follows; one value for all
    outcome   what best play for the match makes of this hand: 1 won, -1 lost, 0 neither

Source: `solve` in the referee protocol.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, Protocol

from bezique.engine.cards import Card
from bezique.engine.moves import apply
from bezique.engine.position import Position
from bezique.solver import compiled, minimax
from bezique.solver.errors import TooManyCardsError
from bezique.solver.fits import too_much
from bezique.solver.stakes import stakes
from bezique.solver.strict import BeyondTablesError, Strict, strict
from bezique.solver.tables import Ending, closed, ending, sides
from bezique.solver.twin import Twin

Method = Literal["kernel", "twin", "interpreter"]
MOST_INTERPRETED = 5  # cards that the interpreter plays out in about a second


class Searcher(Protocol):
    """What kernel and twin have in common: the search of one ending."""

    last: int

    @property
    def nodes(self) -> int:
        """Return how many nodes have been searched."""

    def margin(self) -> int:
        """Return the margin of the player to move."""

    def lead_margins(self, p: int, a: int, b: int) -> dict[int, int]:
        """Return the margin of `p` after each lead worth trying."""

    def reply_margins(self, p: int, a: int, b: int, i: int) -> dict[int, int]:
        """Return the margin of `p`, who has led `i`, after each answer worth trying."""

    def replies(self, p: int, b: int, i: int) -> int:
        """Return the cards of `b` that may answer card `i` of side `p`."""

    def beaten(self, p: int, i: int, j: int) -> bool:
        """Return whether card `j` of the other side beats a led card `i` of side `p`."""

    def links(self, p: int, others: int) -> int:
        """Return which cards of `p` are as good as the next while the other side holds `others`."""


@dataclass(frozen=True, slots=True)
class Class:
    """Legal cards that are as good as each other.

    Attributes:
        cards: The cards, strongest first.
        margin: The margin that playing one of them leads to.
        outcome: What it makes of the hand; None where that cannot be told.
    """

    cards: tuple[Card, ...]
    margin: int
    outcome: int | None


@dataclass(frozen=True, slots=True)
class Solution:
    """The exact answer to an ending.

    Attributes:
        margin: The margin still to come for the player to move.
        line: One best line, to the end of the hand.
        classes: Every legal card, the best for the match first, then by margin.
        margin_decides: Whether more margin is never worse for the match here; None where
            that cannot be told.
        nodes: How many nodes were searched.
        method: What answered.
    """

    margin: int
    line: tuple[Card, ...]
    classes: tuple[Class, ...]
    margin_decides: bool | None
    nodes: int
    method: Method

    @property
    def best(self) -> Class:
        """Return the cards to play: best for the match, then for the margin."""
        return self.classes[0]


def solve(position: Position, method: Method | None = None) -> Solution:
    """Return the exact answer to an ending.

    Args:
        position: A position with a closed stock in which a card is to be played; the one to
            follow may be in the middle of a trick.
        method: What is to answer; by default the kernel if it is ready and has room, else
            the twin, else the interpreter.  Whoever asks often has the kernel loaded in
            the background (`compiled.warm` does it at once).

    Raises:
        StockOpenError: Cards are still to be drawn.
        BadEndingError: No card is to be played, or the hands do not match.
        TooManyCardsError: The hands are too large for the method.
        BeyondTablesError: A method was asked for that these rules are beyond.
    """
    closed(position)
    try:
        if method == "interpreter":
            return _interpreted(position, None)
        rules = strict(position)
        found = ending(position, rules)
    except BeyondTablesError as error:
        if method is not None:
            raise
        return _interpreted(position, str(error))
    return _Solver(position, rules, found, method).solution()


def margin(position: Position) -> int:
    """Return only the margin of an ending; faster than `solve`.

    Raises:
        EndingError: As for `solve`.
    """
    closed(position)
    try:
        rules = strict(position)
        found = ending(position, rules)
    except BeyondTablesError as error:
        return _interpreted(position, str(error)).margin
    _, searcher = searcher_of(found, None)
    return searcher.margin() + _to_be_paid(position, rules)


def best(position: Position, method: Method | None = None) -> Class:
    """Return only the cards to play: best for the match, then for the margin.

    Raises:
        EndingError, BeyondTablesError: As for `solve`.
    """
    closed(position)
    try:
        rules = strict(position)
        found = ending(position, rules)
    except BeyondTablesError as error:
        if method is not None:
            raise
        return _interpreted(position, str(error)).best
    return _Solver(position, rules, found, method).judged()[0]


class _Solver:
    """Solves one position: all its cards, a best line, and what the match makes of it."""

    def __init__(
        self, position: Position, rules: Strict, found: Ending, method: Method | None
    ) -> None:
        self.position, self.found = position, found
        self.method, self.searcher = searcher_of(found, method)
        self.paid = _to_be_paid(position, rules)
        self.stakes = stakes(position, rules, found)
        self.searchers = [self.searcher]

    def solution(self) -> Solution:
        """Return the answer."""
        classes = self.judged()
        return Solution(
            margin=max(item.margin for item in classes),
            line=tuple(self.line()),
            classes=classes,
            margin_decides=None if self.stakes is None else self.stakes.margin_decides,
            nodes=sum(searcher.nodes for searcher in self.searchers),
            method=self.method,
        )

    def judged(self) -> tuple[Class, ...]:
        """Return every class of legal cards, the best for the match first, then by margin."""
        margins = self.margins(self.searcher)
        pairs = zip(self.classes(margins), self.outcomes(margins), strict=True)
        classes = [
            Class(cards, value + self.paid, outcome)
            for (cards, value), outcome in pairs
        ]
        return tuple(
            sorted(classes, key=lambda item: (-(item.outcome or 0), -item.margin))
        )

    def margins(self, searcher: Searcher) -> dict[int, int]:
        """Return what each card worth trying leads to, for the player to move, tricks alone."""
        full = (1 << len(self.found.hands[0])) - 1
        if self.found.led is None:
            return searcher.lead_margins(0, full, full)
        return {
            j: -value
            for j, value in searcher.reply_margins(
                0, full, full, self.found.led
            ).items()
        }

    def classes(
        self, margins: dict[int, int]
    ) -> Iterator[tuple[tuple[Card, ...], int]]:
        """Yield each card tried together with the legal cards linked to it."""
        searcher, led = self.searcher, self.found.led
        full = (1 << len(self.found.hands[0])) - 1
        side = 0 if led is None else 1
        allowed = full if led is None else searcher.replies(0, full, led)
        links = searcher.links(side, full)
        for first, value in margins.items():
            last = first
            while links >> last & 1:
                last += 1
            hand = self.found.hands[side]
            yield (
                tuple(hand[i] for i in range(first, last + 1) if allowed >> i & 1),
                value,
            )

    def outcomes(self, margins: dict[int, int]) -> list[int | None]:
        """Return what each card tried makes of the hand.

        Where the margin does not decide, the last trick is given the worth at which it does
        (`bezique.solver.stakes`).
        """
        if self.stakes is None:
            return [None] * len(margins)
        if self.stakes.margin_decides:
            return [self.stakes.outcome(value) for value in margins.values()]
        try:
            levels = [self.stakes.level(outcome) for outcome in (1, 0)]
        except BeyondTablesError:
            return [None] * len(margins)
        reached = []
        for worth, needed in levels:
            _, searcher = searcher_of(self.found, self.method, worth)
            self.searchers.append(searcher)
            reached.append(
                [value >= needed for value in self.margins(searcher).values()]
            )
        return [
            1 if wins else 0 if holds else -1
            for wins, holds in zip(*reached, strict=True)
        ]

    def line(self) -> Iterator[Card]:
        """Yield the cards of a best line, of equal ones the first."""
        p, led = 0, self.found.led
        masks = [(1 << len(self.found.hands[0])) - 1] * 2
        while masks[0]:
            if led is None:
                leads = self.searcher.lead_margins(p, masks[p], masks[1 - p])
                led = max(leads, key=leads.__getitem__)
                yield self.found.hands[p][led]
            answers = self.searcher.reply_margins(p, masks[p], masks[1 - p], led)
            answer = min(answers, key=answers.__getitem__)
            yield self.found.hands[1 - p][answer]
            masks[p] &= ~(1 << led)
            masks[1 - p] &= ~(1 << answer)
            p = 1 - p if self.searcher.beaten(p, led, answer) else p
            led = None


def searcher_of(
    found: Ending, method: Method | None, last: int | None = None
) -> tuple[Method, Searcher]:
    """Return what is to search an ending, and its name.

    Args:
        found: The two hands.
        method: `kernel`, `twin`, or None: the kernel if it is ready and has room.
        last: Points for the last trick, where they are not those of the tables.

    Raises:
        BeyondTablesError: The kernel was asked for and has no room, or cannot be loaded.
    """
    reason = too_much(
        found.tables,
        found.points
        - found.tables.last
        + (found.tables.last if last is None else last),
    )
    if method == "kernel":
        if reason is not None:
            raise BeyondTablesError(reason)
        if compiled.kernel() is None:
            message = f"no kernel: {compiled.failure()}"
            raise BeyondTablesError(message)
        return "kernel", compiled.Compiled(found, last)
    if method is None and reason is None:
        if compiled.ready():
            return "kernel", compiled.Compiled(found, last)
        compiled.wanted()
    return "twin", Twin(found, last)


def _to_be_paid(position: Position, rules: Strict) -> int:
    """Return what cards still held pay for being played, the mover's less the other's.

    Every card is played before the hand ends: a constant, whatever the play.
    """
    turn = str(position.turn)
    other = position.rules.after(turn)
    mine, theirs = (
        sum(rules.bonus(card, position.state) for card in position.held(seat))
        for seat in (turn, other)
    )
    return mine - theirs


def _interpreted(position: Position, reason: str | None) -> Solution:
    """Return the answer that playing out every line gives, if the hands are small."""
    leader, _ = sides(position)
    size = len(position.held(leader)) + len(position.trick)
    if size > MOST_INTERPRETED:
        raise TooManyCardsError(
            size,
            MOST_INTERPRETED,
            f"only the interpreter answers ({reason or 'asked for'})",
        )
    margins = minimax.margins(position)
    classes = sorted(
        (
            Class((_card(action.arguments["card"]),), value, None)
            for action, value in margins.items()
        ),
        key=lambda item: -item.margin,
    )
    return Solution(
        margin=classes[0].margin,
        line=tuple(_interpreted_line(position)),
        classes=tuple(classes),
        margin_decides=None,
        nodes=0,
        method="interpreter",
    )


def _interpreted_line(position: Position) -> Iterator[Card]:
    at = minimax.without_past(position)
    while at.phase in ("lead", "follow"):
        margins = minimax.margins(at)
        best = max(margins, key=margins.__getitem__)
        yield _card(best.arguments["card"])
        at, _ = apply(at, best)


def _card(value: object) -> Card:
    if not isinstance(value, Card):
        message = f"an action other than playing a card: {value!r}"
        raise TypeError(message)
    return value
