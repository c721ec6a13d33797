"""Notes: problems gathered while the texts of a rule file are read one by one.

A text with a fault gives a note and something that stands for nothing, so that the
reading goes on and one look shows every problem.
"""

import contextlib
from collections.abc import Iterator, Mapping, Sequence

from bezique.spec import core, surface, tree
from bezique.spec.codes import Code
from bezique.spec.grammar import read_expression, read_statement
from bezique.spec.kinds import BOOL, NONE, Type
from bezique.spec.problem import Problem, shortened
from bezique.spec.scope import Scope
from bezique.spec.source import Path, Text, path_text
from bezique.spec.static import is_static
from bezique.spec.syntax import BrokenError, FaultError, refuse
from bezique.spec.tree import Expression, Statement

__all__ = ["NOTHING", "Notes"]

NOTHING: Expression = tree.Constant(type=NONE, value=None)
"""What stands for an expression that could not be read."""


class Notes:
    """The problems of one file, noted while its texts are read."""

    def __init__(self, text: Text) -> None:
        self.text = text
        # An item that is not even sound YAML has no second fault.
        self.unsound = {problem.mark for problem in text.problems}

    def problem(
        self, path: Path, expected: str, got: str, code: Code, column: int = 0
    ) -> None:
        """Note a problem at an item of the file, `column` characters into its text."""
        mark = self.text.mark(path)
        if mark not in self.unsound:
            place = mark.shifted(column)
            problem = Problem(place, expected, shortened(got), path_text(path), code)
            self.text.problems.append(problem)

    def key_problem(self, path: Path, expected: str, got: str, code: Code) -> None:
        """Note a problem at the key of an item."""
        mark = self.text.key_mark(path)
        problem = Problem(mark, expected, shortened(got), path_text(path), code)
        self.text.problems.append(problem)

    def fault(self, path: Path, fault: FaultError) -> None:
        """Note a fault in a text of the file as a problem there."""
        if not isinstance(fault, BrokenError):
            self.problem(path, fault.expected, fault.got, fault.code, fault.column)

    @contextlib.contextmanager
    def at(self, path: Path) -> Iterator[None]:
        """Note a fault in the text at a path, if there is one, and go on."""
        try:
            yield
        except FaultError as fault:
            self.fault(path, fault)

    def expression(
        self, path: Path, text: str, scope: Scope, expected: Type | None = BOOL
    ) -> Expression:
        """Return a typed expression, or `NOTHING` after a problem."""
        with self.at(path):
            return read_expression(text, scope, expected)
        return NOTHING

    def static_expression(
        self, path: Path, text: str, scope: Scope, expected: Type
    ) -> Expression:
        """Return an expression that depends on the settings of a table alone."""
        found = self.expression(path, text, scope, expected)
        if found is not NOTHING and not is_static(found):
            wanted = "a value known before any card is dealt"
            self.problem(path, wanted, text, "not-static")
        return found

    def clauses(
        self, path: Path, tests: Mapping[str, str], scope: Scope
    ) -> tuple[core.Clause, ...]:
        """Return named conditions in order."""
        return tuple(
            core.Clause(id=name, test=self.expression((*path, name), text, scope))
            for name, text in tests.items()
        )

    def statements(
        self, path: Path, items: Sequence[surface.StatementText], scope: Scope
    ) -> tuple[Statement, ...]:
        """Return the statements of a list."""
        found: list[Statement] = []
        for index, item in enumerate(items):
            here = (*path, index)
            match item:
                case str():
                    with self.at(here):
                        found.append(read_statement(item, scope))
                case surface.WhenText():
                    test = self.expression((*here, "if"), item.if_, scope)
                    then = self.statements((*here, "do"), item.do, scope)
                    other = self.statements((*here, "else"), item.else_, scope)
                    found.append(tree.When(test=test, then=then, other=other))
                case surface.ForText():
                    found += self._loop(here, item, scope)
        return tuple(found)

    def _loop(
        self, path: Path, item: surface.ForText, scope: Scope
    ) -> Iterator[Statement]:
        here = (*path, "for")
        name, text = item.for_.split(" in ", 1)
        start = len(name) + len(" in ")
        try:
            group = read_expression(text, scope)
            if group.type.item is None:
                expected, got = "a set or list", f"{group.type} ({text})"
                refuse(expected, got, "type")
        except FaultError as fault:
            fault.column += start
            self.fault(here, fault)
            return
        with self.at(here):
            inner = scope.with_variable(name, group.type.item)
            body = self.statements((*path, "do"), item.do, inner)
            yield tree.ForEach(variable=name, group=group, body=body)
