"""Problems: what is wrong in a rule file, where, and what was expected there.

A reader of rules never stops at the first fault: it collects `Problem`s and raises
them together as a `RulesError`.

Terms
    mark    a place in a file: its name, line and column, both from 1
    path    the way from the top of the file to the faulty item: `melds.sequence.points`
"""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Mark:
    """A place in a text: file name, line and column, both counted from 1."""

    file: str
    line: int
    column: int

    def shifted(self, columns: int) -> "Mark":
        """Return the place `columns` further right on the same line."""
        return Mark(self.file, self.line, self.column + columns)

    def __str__(self) -> str:
        """Return `file:line:column`."""
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, order=True)
class Problem:
    """One fault in a rule file.

    Its text is `file:line:col: expected …, got … @ path [code]`.
    """

    mark: Mark
    expected: str
    got: str
    path: str
    code: str

    def __str__(self) -> str:
        """Return the problem in one line."""
        return f"{self.mark}: expected {self.expected}, got {self.got} @ {self.path} [{self.code}]"


class RulesError(ValueError):
    """A rule file cannot be used; `problems` holds every reason, in file order."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(set(problems)))
        super().__init__("\n".join(str(problem) for problem in self.problems))
