"""The page about the rules language says what the language has, no more and no less."""

import re
from pathlib import Path
from typing import get_args

import pytest

from bezique.spec import RulesError, load_text
from bezique.spec.codes import Code
from bezique.spec.kinds import PHASES, SIMPLE
from bezique.spec.surface import ProfileText
from bezique.spec.vocabulary import (
    EFFECTS,
    FACTS,
    FUNCTIONS,
    MELD_PARTS,
    REACTION_PARAMETERS,
    SERIES_FACTS,
    SPECIAL_FUNCTIONS,
)

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/language.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    """Return a section of the page, with those below it."""
    start = re.search(rf"^(#+) {title}\n", PAGE, re.MULTILINE)
    assert start
    rest = PAGE[start.end() :]
    return re.split(rf"^#{{1,{len(start[1])}}} ", rest, flags=re.MULTILINE)[0]


def first_column(title: str) -> list[str]:
    """Return the words in the first column of a section's tables."""
    cells = re.findall(r"^\| ([^|]+) \|", section(title), re.MULTILINE)
    return [word for cell in cells for word in re.findall(r"`([^`]+)`", cell)]


def test_codes_on_the_page_are_those_of_the_source() -> None:
    """In the same order, each once."""
    assert first_column("Errors") == list(get_args(Code))


def test_every_code_is_used_in_the_source() -> None:
    """A code that nothing gives is no code."""
    source = "".join(
        file.read_text(encoding="utf-8")
        for file in (ROOT / "spec/bezique/spec").glob("*.py")
        if file.name != "codes.py"
    )

    assert [code for code in get_args(Code) if f'"{code}"' not in source] == []


def test_sections_on_the_page_are_those_of_rule_files() -> None:
    """All keys of a rule file but `based_on`, which has a section of its own."""
    sections = section("Sections").split("### Names")[0]
    cells = re.findall(r"^\| (`[^|]+) \|", sections, re.MULTILINE)
    words = [word for cell in cells for word in re.findall(r"`([^`]+)`", cell)]

    assert words == list(ProfileText.model_fields)


def test_facts_on_the_page_have_their_types() -> None:
    """Name and type of each fact."""
    rows = re.findall(r"^\| `(\w+)` \| `([^`]+)` \|", section("Facts"), re.MULTILINE)

    assert rows == [(name, str(kind)) for name, kind in FACTS.items()]
    assert all(f"`{name}`" in section("Facts") for name in SERIES_FACTS)


def test_functions_and_effects_on_the_page_take_that_many_arguments() -> None:
    """`pay(p, n, 'why')` takes three."""
    functions = calls("Functions")
    folds = {"any", "all", "sum", "max", "min"}

    assert functions.keys() == {*FUNCTIONS, *SPECIAL_FUNCTIONS} - folds
    assert all(functions[name] == len(kinds) for name, (kinds, _) in FUNCTIONS.items())
    assert calls("Statements") == {name: len(kinds) for name, kinds in EFFECTS.items()}


def calls(title: str) -> dict[str, int]:
    """Return the calls in a section's tables with their numbers of arguments."""
    found = [re.fullmatch(r"(\w+)\((.*)\)", word) for word in first_column(title)]
    return {m[1]: len(list(filter(None, m[2].split(", ")))) for m in found if m}


def test_moments_types_phases_and_parts_are_on_the_page() -> None:
    """The short lists of the language are complete."""
    moments = first_column("Actions, waivers and reactions")
    parts = [f"m.{name}" for name in MELD_PARTS]

    assert moments == list(REACTION_PARAMETERS)
    assert [kind for kind in SIMPLE if f"`{kind}`" not in section("Types")] == []
    assert ", ".join(f"`{phase}`" for phase in PHASES) in section("Types")
    assert ", ".join(f"`{part}`" for part in parts) in section("Expressions")


def test_example_on_the_page_loads() -> None:
    """The first rule file is a profile with thirty points for four tens."""
    [example] = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)

    profile = load_text(example)

    assert "four-jacks" not in profile.melds
    assert profile.melds["four-tens"].size == 4


def test_error_on_the_page_is_the_one_that_comes() -> None:
    """The example with a rank of X, the eighth line's fault."""
    [example] = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    [message] = re.findall(r"```text\n(.*?)\n```", PAGE, re.DOTALL)

    with pytest.raises(RulesError) as caught:
        load_text(example.replace("4 T", "4 X"), "house.yaml")

    assert str(caught.value) == message
