"""Solver: exact answers, built on the engine.

Once the stock is closed, `solve` plays the last tricks perfectly and says what every card is
worth; `solve_many` does it for arrays of endings.  `warm` loads the compiled kernel in the
background; until it is `ready` the plain twin answers.
"""

from bezique.solver.batch import Variants, every_trump, solve_many
from bezique.solver.compiled import ready, warm
from bezique.solver.endgame import Class, Solution, margin, solve
from bezique.solver.errors import (
    BadEndingError,
    EndingError,
    StockOpenError,
    TooManyCardsError,
)
from bezique.solver.fits import kernel_fits, tables_fit
from bezique.solver.strict import BeyondTablesError

__all__ = [
    "BadEndingError",
    "BeyondTablesError",
    "Class",
    "EndingError",
    "Solution",
    "StockOpenError",
    "TooManyCardsError",
    "Variants",
    "every_trump",
    "kernel_fits",
    "margin",
    "ready",
    "solve",
    "solve_many",
    "tables_fit",
    "warm",
]
