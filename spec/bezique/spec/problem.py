"""Problems: what is wrong in a rule file, where, and what was expected there.

A reader of rules never stops at the first fault: it collects `Problem`s and raises
them together as a `RulesError`.

Terms
    mark    a place in a file: its name, line and column, both from 1
    path    the way from the top of the file to the faulty item: `melds.sequence.points`
    code    the fault's short name, explained in docs/language.md
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

_LONGEST = 80


@dataclass(frozen=True, order=True)
class Mark:
    """A place in a text: file name, line and column, both counted from 1.

    Attributes:
        inside: How many columns further right the words of a text begin: 0, or 1 after
            a quotation mark; None where lines are folded and columns cannot be told.
    """

    file: str
    line: int
    column: int
    inside: int | None = field(default=0, compare=False, repr=False)

    def shifted(self, columns: int) -> "Mark":
        """Return the place `columns` characters into the text that stands here."""
        if self.inside is None:
            return self
        return Mark(self.file, self.line, self.column + self.inside + columns)

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
        return (
            f"{self.mark}: expected {self.expected}, got {self.got}"
            f" @ {self.path} [{self.code}]"
        )


class RulesError(ValueError):
    """A rule file cannot be used; `problems` holds every reason, in file order."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(set(problems)))
        super().__init__("\n".join(str(problem) for problem in self.problems))


def shortened(text: str) -> str:
    """Return a text for a message: on one line, a long one cut.

    >>> shortened("one  two ")
    'one two'
    >>> len(shortened("a" * 1000))
    80
    """
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
