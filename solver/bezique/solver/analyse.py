"""Analysis: what each card of the strict tricks gave away.

For every card played once the stock was closed: what the best card would have led to, what
the one played led to, and the difference.  Where the margin does not decide the match, a
card may give points away and still be the right one; the outcomes tell.

Terms
    given away    the margin of the best card less that of the card played; never negative
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from bezique.engine.cards import Card
from bezique.engine.position import Position, start
from bezique.engine.record import Record, replay
from bezique.engine.rules import Rules
from bezique.solver.endgame import Class, Method, solve
from bezique.solver.errors import EndingError
from bezique.solver.notation import printed

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What one card of the strict tricks did.

    Attributes:
        step: The number of the action in the record, from 0.
        hand: The number of the hand.
        trick: The number of the strict trick in its hand, from 1.
        seat: Who played.
        card: What was played.
        played: The class of the card played; its margin is what it led to.
        best: The class that is best for the match, then for the margin.
        most: The greatest margin that any card led to.
    """

    step: int
    hand: int
    trick: int
    seat: str
    card: Card
    played: Class
    best: Class
    most: int

    @property
    def given_away(self) -> int:
        """Return how much margin the card gave away."""
        return self.most - self.played.margin

    @property
    def worse_outcome(self) -> bool:
        """Return whether the card made the hand worse for the match."""
        if self.played.outcome is None or self.best.outcome is None:
            return False
        return self.played.outcome < self.best.outcome


def analyse(record: Record, method: Method | None = None) -> tuple[Judgement, ...]:
    """Return what each card of the strict tricks of a record gave away.

    Args:
        record: A whole or unfinished match.
        method: What is to search.

    Raises:
        ReplayError: At the first action that the rules refuse.
        EndingError: A position that cannot be solved, with the step.
    """
    return tuple(_judgements(record, method))


def given_away(judgements: tuple[Judgement, ...], rules: Rules) -> dict[str, int]:
    """Return how much each seat gave away in all."""
    return {
        seat: sum(item.given_away for item in judgements if item.seat == seat)
        for seat in rules.seats
    }


def _judgements(record: Record, method: Method | None) -> Iterator[Judgement]:
    at = start(record.rules, record.dealer)
    for number, step in enumerate(replay(record)):
        card = step.action.arguments.get("card")
        if _strict(at) and isinstance(card, Card) and step.action.name == "play":
            yield _judged(number, at, card, method)
        at = step.position


def _strict(position: Position) -> bool:
    return position.phase in ("lead", "follow") and position.left < len(
        position.rules.seats
    )


def _judged(step: int, at: Position, card: Card, method: Method | None) -> Judgement:
    try:
        solution = solve(at, method)
    except EndingError as error:
        error.step = step
        raise
    played = next((item for item in solution.classes if card in item.cards), None)
    if (
        played is None
    ):  # let pass in a recorded table: a revoke, after which nothing is exact
        problem = f"step {step}: {card} is played against the duty"
        raise EndingError(problem)
    leader_hand = len(at.held(str(at.turn)))
    return Judgement(
        step=step,
        hand=at.hand,
        trick=at.rules.hand_size - leader_hand + 1,
        seat=str(at.turn),
        card=card,
        played=played,
        best=solution.best,
        most=max(item.margin for item in solution.classes),
    )


def judgement_json(item: Judgement) -> Json:
    """Return a judgement as JSON."""
    return {
        "step": item.step,
        "hand": item.hand,
        "trick": item.trick,
        "seat": item.seat,
        "card": str(item.card),
        "margin": item.played.margin,
        "best": [str(card) for card in item.best.cards],
        "most": item.most,
        "given_away": item.given_away,
        "outcome": item.played.outcome,
        "best_outcome": item.best.outcome,
    }


def judgement_row(item: Judgement) -> tuple[str, ...]:
    """Return a judgement as a row of words: hand, trick, seat, card, margin, given away, better."""
    better = (
        " ".join(map(printed, item.best.cards))
        if item.given_away or item.worse_outcome
        else ""
    )
    return (
        str(item.hand),
        str(item.trick),
        item.seat,
        printed(item.card),
        f"{item.played.margin:+d}",
        str(item.given_away or ""),
        better,
    )
