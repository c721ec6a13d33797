"""Fits: whether the kernel has room for the strict tricks of some rules, and why not.

Two things can stand in the way.  The rules may say something that is no matter of tables
(what a card pays hangs on who is ahead, a lead is not free): then only `minimax` answers.
Or the tables may be too large for the kernel's numbers: then the plain twin answers.
"""

from bezique.engine.position import start
from bezique.engine.rules import Rules
from bezique.solver.strict import BeyondTablesError, strict
from bezique.solver.tables import MOST_CARDS, Tables, tables

MOST_POINTS = 1023  # as the kernel's: its bounds have 11 bits
MOST_SETS = 4  # as the kernel's: it holds three masks a card beside the whole hand


def tables_fit(rules: Rules) -> str | None:
    """Return why the strict tricks of some rules are no matter of tables, or None when they are."""
    try:
        tables(strict(start(rules, rules.seats[0])))
    except BeyondTablesError as error:
        return str(error)
    return None


def kernel_fits(rules: Rules) -> str | None:
    """Return why the kernel cannot solve endings under some rules, or None when it can."""
    reason = tables_fit(rules)
    if reason is not None:
        return reason
    made = tables(strict(start(rules, rules.seats[0])))
    if rules.hand_size > MOST_CARDS:
        return f"hands of {rules.hand_size} cards; the kernel takes {MOST_CARDS}"
    # No ending pays more than the two strongest hands that the pack can deal.
    richest = sorted((made.worth[face] for face in _pack(rules, made)), reverse=True)
    return too_much(made, sum(richest[: 2 * rules.hand_size]) + made.last)


def too_much(made: Tables, points: int) -> str | None:
    """Return why the kernel has no room for these tables, or None when it has.

    Args:
        made: The tables.
        points: What an ending pays in all.
    """
    if made.sets > MOST_SETS:
        return f"a duty of {made.sets} sets; the kernel takes {MOST_SETS}"
    if points > MOST_POINTS:
        return f"an ending may pay {points} points; the kernel counts to {MOST_POINTS}"
    return None


def _pack(rules: Rules, made: Tables) -> list[int]:
    at = {name: face for face, name in enumerate(made.names)}
    return [at[card.face] for card in rules.pack]
