"""The operation `solve` of the referee protocol, and a solution in words and as JSON.

Referee(library, version, more={"solve": solve_request})
"""

from typing import Any

from bezique.engine.action import Action
from bezique.engine.codec import read_position
from bezique.engine.fields import field
from bezique.engine.frozen import FrozenDict
from bezique.engine.moves import apply
from bezique.engine.position import Position
from bezique.engine.referee import Referee
from bezique.engine.status import checked
from bezique.solver.endgame import Class, Solution, solve
from bezique.solver.notation import printed

Json = dict[str, Any]
OUTCOMES = {1: "won", 0: "open", -1: "lost", None: ""}


def solve_request(referee: Referee, request: Json) -> Json:
    """Answer `{"op":"solve","position":{…}}`: the margin, a best line, and every card's value.

    Raises:
        BadRequestError: The position cannot be read.
        BadPositionError: It cannot be.
        EndingError: It is no ending.
    """
    written = field(request, "position", dict, "a position")
    position = checked(read_position(referee.library, written))
    return solution_json(solve(position))


def solution_json(solution: Solution) -> Json:
    """Return a solution as JSON."""
    return {
        "margin": solution.margin,
        "line": [str(card) for card in solution.line],
        "cards": [_class_json(item) for item in solution.classes],
    }


def card_rows(solution: Solution) -> list[tuple[str, str, str]]:
    """Return a row for each class of cards: the cards, the margin, what it makes of the hand."""
    return [
        (
            " ".join(map(printed, item.cards)),
            f"{item.margin:+d}",
            OUTCOMES[item.outcome],
        )
        for item in solution.classes
    ]


def line_rows(position: Position, solution: Solution) -> list[tuple[str, ...]]:
    """Return a row for each trick of the best line: its number and each seat's card, the card led marked."""
    seats = position.rules.seats
    rows: list[tuple[str, ...]] = []
    cards = {str(seat): "" for seat in seats}
    if position.trick:
        cards[position.rules.after(str(position.turn))] = (
            printed(position.trick[0]) + " *"
        )
    at = position
    for card in solution.line:
        cards[str(at.turn)] = printed(card) + (" *" if at.phase == "lead" else "")
        at, _ = apply(at, Action("play", FrozenDict({"card": card})))
        if all(cards.values()):
            rows.append((str(len(rows) + 1), *(cards[seat] for seat in seats)))
            cards = dict.fromkeys(seats, "")
    return rows


def _class_json(item: Class) -> Json:
    written: Json = {"cards": [str(card) for card in item.cards], "margin": item.margin}
    return written if item.outcome is None else {**written, "outcome": item.outcome}
