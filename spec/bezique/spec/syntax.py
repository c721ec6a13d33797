"""Syntax: the texts of rule files as Python's syntax trees, within limits.

The rules language is a small part of Python's expression syntax, so Python's own
parser reads it.  What that parser takes differently from version to version, and what
a reader of rules could stumble over, is refused before: comments, escapes, numbers
such as `1_000` or `0x10`.

Terms
    fault   what is wrong in one text; the reader of the file adds where that text is
    depth   how many operators, calls and lists lie around the innermost word
"""

import ast
import re
from typing import Literal, NoReturn

from bezique.spec.codes import Code
from bezique.spec.problem import shortened

__all__ = ["BrokenError", "FaultError", "parsed", "refuse", "written"]

LONGEST = 2000
DEEPEST = 40
LARGEST_NUMBER = 10**15

# Words in quotes are let through whole; of the rest, the first thing refused.
_REFUSED = re.compile(
    r"""'[^'\\#]*' | "[^"\\#]*" | [A-Za-z_][A-Za-z0-9_]*
      | (?P<number>[0-9]+[A-Za-z_.][A-Za-z0-9_.]*) | [0-9]+
      | (?P<character>[^\x20-\x7e\s] | [#\\;`$?!](?!=) | \x00)""",
    re.VERBOSE,
)


class FaultError(Exception):
    """A text that is not of the language: what was expected, what stands there, where.

    Attributes:
        expected: What could stand there.
        got: What does.
        code: The fault's short name.
        column: How many characters of the text come before it.
    """

    def __init__(self, expected: str, got: str, code: Code, column: int = 0) -> None:
        super().__init__(f"expected {expected}, got {got} [{code}]")
        self.expected, self.got, self.code, self.column = expected, got, code, column


class BrokenError(FaultError):
    """A text uses a term or choice whose own fault is told where it stands."""

    def __init__(self, name: str) -> None:
        super().__init__("a sound term or choice", name, "syntax")


def refuse(expected: str, got: str, code: Code, column: int = 0) -> NoReturn:
    """Raise a `FaultError`, without the error that led to it."""
    raise FaultError(expected, got, code, column) from None


def parsed(text: str, mode: Literal["eval", "exec"]) -> ast.AST:
    """Return Python's tree of a text, with columns that count its characters.

    Raises:
        FaultError: The text is too long, too deep, or not Python.
    """
    what = "an expression" if mode == "eval" else "a statement"
    if len(text) > LONGEST:
        got = f"{len(text)} characters"
        refuse(f"at most {LONGEST} characters", got, "expression-size")
    # Line breaks count as blanks; one character stays one character.
    line = re.sub(r"\s", " ", text)
    start = len(line) - len(line.lstrip())
    for match in _REFUSED.finditer(line):
        if match["number"]:
            refuse("a whole number", match[0], "syntax", match.start())
        if match["character"]:
            got = f"the character {match[0]!a}"
            refuse("signs of the language", got, "syntax", match.start())
    if not line.strip():
        refuse(what, "nothing", "syntax")
    try:
        node = ast.parse(line.strip(), mode=mode)
    except SyntaxError as error:
        # Python's own words change with its versions, so they are not repeated.
        at = min(start + max((error.offset or 1) - 1, 0), len(line.rstrip()))
        rest = line[at:].strip()
        got = shortened(repr(rest)) if rest else "its end"
        refuse(what, got, "syntax", at)
    except (ValueError, RecursionError, MemoryError):
        got = "a deeper text"
        refuse(f"at most {DEEPEST} levels", got, "expression-depth")
    _check_depth(node)
    for child in ast.walk(node):
        if isinstance(child, ast.expr | ast.stmt):
            child.col_offset += start
    return node


def written(node: ast.AST) -> str:
    """Return a part of a text as messages show it."""
    return shortened(ast.unparse(node))


def _check_depth(node: ast.AST) -> None:
    level, depth = [node], 0
    while level:
        # The first two levels are the text itself.
        if depth > DEEPEST + 2:
            got = "a deeper text"
            refuse(f"at most {DEEPEST} levels", got, "expression-depth")
        level = [child for item in level for child in ast.iter_child_nodes(item)]
        depth += 1
