"""The page about the protocol names what the referee does, no more and no less."""

import re
from pathlib import Path

from bezique.engine import Library, Referee, errors
from tests.engine.players import play
from tests.engine.table import PROFILES, rules_of

PAGE = (Path(__file__).parents[2] / "docs/protocol.md").read_text(encoding="utf-8")


def first_column(title: str) -> list[str]:
    """Return the words that open the cells of a section's first column."""
    section = PAGE.split(f"## {title}\n")[1].split("\n## ")[0]
    return re.findall(r"^\| `([^`]+)`", section, re.MULTILINE)


def test_operations_are_the_referees() -> None:
    """Its own, `solve`, which the solver brings, and `quit`."""
    operations = Referee(Library(), "1").operations

    assert set(first_column("Operations")) == {*operations, "solve", "quit"}


def test_codes_are_those_of_the_errors() -> None:
    """One for each class of error."""
    classes = [value for value in vars(errors).values() if isinstance(value, type)]
    codes = {value.code for value in classes if issubclass(value, errors.BeziqueError)}

    assert set(first_column("Errors")) == codes


def test_events_and_actions_that_happen_are_named() -> None:
    """Whatever a hand of any table tells or takes stands on the page."""
    for profile in PROFILES:
        for _, done, _, events in play(rules_of(profile), 1, "eager", hands=1):
            assert f'{{"do": "{done.name}"' in PAGE
            assert [e.name for e in events if f"`{e.name}`" not in PAGE] == []
