"""The screens on record: each is looked at by a test that names what it shows."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from bezique.conformance.evidence import screens
from bezique.spec.register import register

ROOT = Path(__file__).parents[3]


def named(text: str) -> Iterator[str]:
    """Yield the statements that a text names, ranges such as D0.27-29 written out."""
    for document, first, last in re.findall(
        r"(D\d)\.(\d\d)(?:-(?:D\d\.)?(\d\d))?", text
    ):
        for number in range(int(first), int(last or first) + 1):
            yield f"{document}.{number:02d}"


def test_each_screen_is_looked_at() -> None:
    """The test is there, and its docstring names the statement."""
    for screen in screens():
        file, _, name = screen.test.partition("::")
        tests = {
            node.name: ast.get_docstring(node) or ""
            for node in ast.parse((ROOT / file).read_text(encoding="utf-8")).body
            if isinstance(node, ast.FunctionDef)
        }

        assert screen.statement in named(tests[name]), screen


def test_all_that_the_page_of_the_game_shows_has_a_screen() -> None:
    """Statements of D0 about how the game is shown."""
    shown = {screen.statement for screen in screens()}
    wanted = {
        statement.id
        for statement in register().statements
        if statement.kind == "interface" and statement.id.startswith("D0.")
    }

    assert wanted <= shown
