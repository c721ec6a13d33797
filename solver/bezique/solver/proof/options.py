"""Open options: rules in which an option that is a whole number may be each that it can be.

The number is a symbol of the situation, which the table's named values and what its melds score
are made of.  An option that the deck or the deal depends on is settled.
"""

import copy
from typing import Any

import z3

from bezique.engine.rules import Rules
from bezique.solver.proof.explore import Explorer, OpenNumber
from bezique.solver.proof.meaning import Symbolic


def opened(rules: Rules, symbols: dict[str, z3.ArithRef]) -> Rules:
    """Return rules whose named values are symbols, and what their melds score with them."""
    found = copy.copy(rules)
    found.values = {**rules.values, **symbols}
    here = Symbolic(None, None, found)
    points = {
        name: here.value(meld.points) for name, meld in rules.profile.melds.items()
    }
    vars(found)["points"] = points
    return found


def allowed(rules: Rules, symbols: dict[str, z3.ArithRef]) -> list[z3.BoolRef]:
    """Return that each symbol is a number that its option allows."""
    found = []
    for option in rules.profile.options:
        if option.name in symbols:
            symbol = symbols[option.name]
            if option.values is not None:
                found.append(z3.Or(*(symbol == value for value in option.values)))
                continue
            found.append(symbol >= (option.min or 0))
            if option.max is not None:
                found.append(symbol <= option.max)
    return found


def explored(rules: Rules, explorer: Explorer) -> Rules:
    """Return open rules as code sees them, whose numbers it can compare and reckon with."""
    found = copy.copy(rules)

    def seen(numbers: dict[str, Any]) -> dict[str, Any]:
        return {
            name: OpenNumber(explorer, value) if z3.is_expr(value) else value
            for name, value in numbers.items()
        }

    found.values = seen(rules.values)
    vars(found)["points"] = seen(rules.points)
    return found


def settled(rules: Rules, values: dict[str, int]) -> Rules:
    """Return the rules of a table where open options have these values."""
    return Rules(rules.profile, {**rules.given, **values})
