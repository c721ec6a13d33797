"""The register: every statement and reading is tied to the rules, and drift is seen."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest

from bezique.spec.data import sources_folder
from bezique.spec.load import load, load_text, names
from bezique.spec.problem import Problem, RulesError
from bezique.spec.register import Register, matrix_lines, read_register, register
from bezique.spec.sources import Code

Edit = Callable[[str, str, str], Register]

# Counted by hand in the numbered documents: statements of each, the last number.
STATEMENTS = {"D0": 45, "D2": 75, "D3": 61, "D4": 53}


@pytest.fixture
def edited(tmp_path: Path) -> Edit:
    """Return a function that reads the register with one text replaced in a file."""

    def edit(name: str, old: str, new: str) -> Register:
        folder = tmp_path / "sources"
        shutil.copytree(sources_folder(), folder)
        file = folder / name
        text = file.read_text(encoding="utf-8")
        assert text.count(old) == 1
        file.write_text(text.replace(old, new), encoding="utf-8")
        return read_register(folder)

    return edit


def codes(found: Register) -> list[str]:
    """Return the codes of a register's problems."""
    return [problem.code for problem in found.problems()]


def only(found: Register) -> Problem:
    """Return the one problem of a register."""
    (problem,) = found.problems()
    return problem


def line_of(name: str, text: str) -> int:
    """Return the number of the line of a built-in file that has a text."""
    lines = (sources_folder() / name).read_text(encoding="utf-8").split("\n")
    (number,) = (n for n, line in enumerate(lines, 1) if text in line)
    return number


def test_register_has_no_problems() -> None:
    """The sources and the six profiles say the same."""
    assert register().problems() == ()


@pytest.mark.parametrize(("document", "number"), STATEMENTS.items())
def test_document_is_complete(document: str, number: int) -> None:
    """Each document's statements are there, from .01 to the last."""
    ids = [item.id for item in register().of_document(document)]

    assert ids == [f"{document}.{n:02}" for n in range(1, number + 1)]


def test_every_question_has_a_reading() -> None:
    """The readings are 39, numbered through, each answered for some profile."""
    rows = register().readings

    assert [row.number for row in rows] == list(range(1, 40))
    assert all(row.reading for row in rows)


def test_statements_that_no_rule_can_carry_out_are_two() -> None:
    """D3.07 points to a text that is not there, and D4.13 breaks off."""
    states = {item.id: item.state for item in register().statements}

    missing = [name for name, state in states.items() if state == "not applicable"]
    assert missing == ["D3.07", "D4.13"]
    assert "open" not in states.values()


@pytest.mark.parametrize(
    ("profile", "reference", "statements"),
    [
        # The last eight tricks: D0.26 and D2.20 say all of it, D3 says it in three.
        ("streak", "strict/ruffs", ["D0.26"]),
        ("cady", "strict/ruffs", ["D2.20"]),
        ("boussac", "strict/ruffs", ["D3.39"]),
        ("luso", "strict/ruffs", ["D4.30"]),
        # The blind table keeps what the turned one says of the last tricks ...
        ("luso-blind", "strict/ruffs", ["D4.30"]),
        ("luso-four-pack", "strict/ruffs", ["D4.30"]),
        # ... but not the seven, which D4.33 and D4.37 make worthless.
        ("luso", "seven/way", ["D4.15", "D4.16"]),
        ("luso-blind", "seven/way", ["D4.33"]),
        ("luso-four-pack", "seven/way", ["D4.33", "D4.37"]),
        ("boussac", "match/both", ["D3.52"]),
        ("cady", "choice:tie", ["D2.57"]),
    ],
)
def test_rule_names_its_statements(
    profile: str, reference: str, statements: list[str]
) -> None:
    """A rule can be traced to the statements that it carries out."""
    found = register().statements_of(profile, reference)

    assert [item.id for item in found] == statements


def test_statements_set_aside_are_not_in_force() -> None:
    """Four packs set aside the ten points of the last trick; fifty take their place."""
    luso = {item.id for item in register().in_force("luso")}
    four = {item.id for item in register().in_force("luso-four-pack")}

    assert "D4.31" in luso
    assert "D4.53" not in luso
    assert "D4.31" not in four
    assert {"D4.20", "D4.53"} < four


def test_matrix_has_every_statement_of_the_table() -> None:
    """The matrix of boussac is D3, each rule with what carries it out."""
    rows = register().matrix("boussac")

    assert [row.statement.id for row in rows] == [f"D3.{n:02}" for n in range(1, 62)]
    assert rows[51].references == ("match/both",)
    assert rows[6].state == "not applicable"


@pytest.mark.parametrize(
    ("profile", "name", "numbers"),
    [
        ("cady", "growth", [4]),
        ("cady", "declare/reuse", [5, 7, 8]),
        ("boussac", "bezique_pair", [23]),
        ("luso", "bezique_pair", []),
        ("boussac", "target", [20, 21]),
        ("luso-four-pack", "doubled", [35]),
    ],
)
def test_rule_names_its_readings(profile: str, name: str, numbers: list[int]) -> None:
    """A clause, choice or option can be traced to the questions that it answers."""
    found = register().readings_of(profile, name)

    assert [row.number for row in found] == numbers


def test_every_table_has_statements_and_readings() -> None:
    """No profile is without a source."""
    for name in names():
        assert register().in_force(name)
        assert any(name in row.reading for row in register().readings)


# --- what is wrong is seen, and where -------------------------------------------------


@pytest.mark.parametrize(
    ("name", "old", "new", "code"),
    [
        ("statements/D3.yaml", "[match/both]", "[match/all]", "unknown-clause"),
        ("statements/D2.yaml", "choice:tie", "choice:draw", "unknown-choice"),
        ("statements/D2.yaml", "value:target", "value:goal", "unknown-value"),
        ("statements/D0.yaml", "value:early", "option:target", "unknown-option"),
        ("statements/D3.yaml", "[match/both]", "[]", "unrealised"),
        ("statements/D3.yaml", "[match/both]", "[match/both, match/both]", "name-twice"),
        ("statements/D4.yaml", "replaces: [D4.01]", "replaces: [D4.99]", "unknown-statement"),
        ("readings.yaml", "statements: [D4.15, D4.17]", "statements: [D4.15, D5.17]", "unknown-statement"),
        ("readings.yaml", "{seven_when: own-turn}", "{seven_when: always}", "unknown-reading"),
        ("readings.yaml", "{seven_when: own-turn}", "{seven_hour: own-turn}", "unknown-choice"),
        ("readings.yaml", "{name: taken_use, everywhere: at-once}", "{name: taken_use, everywhere: next-trick}", "reading-drift"),
        ("readings.yaml", "by_profile: {luso-four-pack: suits-repeat}", "by_profile: {luso-four-pack: eight-double}", "reading-drift"),
        ("readings.yaml", "by_profile: {luso-four-pack: suits-repeat}", "by_profile: {luso: suits-repeat, luso-four-pack: suits-repeat}", "unknown-choice"),
        ("readings.yaml", "clauses: [seven/exchange, seven/way]", "clauses: []", "unrealised"),
        ("readings.yaml", "option: [bezique_pair]", "option: [pair]", "unknown-option"),
        ("readings.yaml", "number: 39", "number: 40", "reading-number"),
        ("readings.yaml", "id: boussac-gaps", "id: no-bonus", "name-twice"),
        ("documents.yaml", "id: streak, first", "id: sreak, first", "unknown-profile"),
        ("documents.yaml", "last: D2.75", "last: D2.76", "missing-statement"),
        ("documents.yaml", "last: D2.75", "last: D2.74", "unknown-statement"),
        ("documents.yaml", "id: streak, first", "id: cady, first", "profile-source"),
        ("documents.yaml", "keeps: luso-blind", "keeps: luso-deaf", "unknown-profile"),
        ("statements/D3.yaml", "clauses: []\n    not_applicable: ", "clauses: [deck/cards]\n    not_applicable: ", "not-applicable"),
        ("statements/D0.yaml", "id: D0.44", "id: D0.45", "name-twice"),
        ("statements/D2.yaml", "id: D2.02", "id: D2.75", "statement-order"),
    ],
)  # fmt: skip
def test_fault_is_a_problem(
    edited: Edit, name: str, old: str, new: str, code: str
) -> None:
    """Each kind of drift has its code."""
    found = edited(name, old, new)

    assert code in codes(found)


def test_problem_tells_where(edited: Edit) -> None:
    """An unknown clause is marked where it stands, with the table that lacks it."""
    found = edited("statements/D3.yaml", "[match/both]", "[match/all]")

    problem = only(found)

    assert str(problem).startswith(
        f"D3.yaml:{line_of('statements/D3.yaml', '[match/both]')}:15: "
    )
    assert (problem.expected, problem.got) == ("a clause of boussac", "match/all")
    assert problem.path == "statements[51].clauses[0]"


def test_reading_that_a_profile_does_not_pick_is_marked(edited: Edit) -> None:
    """When a rule file picks another value, the register tells both."""
    old = "{name: taken_use, everywhere: at-once}"
    found = edited("readings.yaml", old, old.replace("at-once", "next-trick"))

    drift = [item for item in found.problems() if item.code == "reading-drift"]

    assert {item.expected for item in drift} == {
        f"what {name} picks, at-once" for name in names()
    }
    assert {item.mark.line for item in drift} == {line_of("readings.yaml", old)}


def test_choice_without_a_reading_is_a_problem(edited: Edit) -> None:
    """A point where tables differ is accounted for, with each of its values."""
    old = """    choice:
      - name: counter
        by_profile: {streak: shown, cady: shown, boussac: hidden, luso: shown, luso-blind: shown, luso-four-pack: shown}
"""
    found = edited("readings.yaml", old, "    choice: []\n")

    unread = {item.expected for item in found.problems() if item.code == "unread"}

    assert unread == {
        f"a reading with the choice counter of {name}" for name in names()
    }


def test_value_that_nobody_reads_is_a_problem(edited: Edit) -> None:
    """A value of a choice is some table's reading or another one."""
    old = """      - says: "never the same cards"
        picks: {plain_grows: never}
"""
    found = edited("readings.yaml", f"    others:\n{old}", "    others: []\n")

    assert only(found).expected == "a reading with the value plain_grows: never"


def test_other_reading_is_another_one(edited: Edit) -> None:
    """What a profile does already is no other reading of it."""
    found = edited(
        "readings.yaml",
        "profiles: [boussac]\n        picks: {counter: shown}",
        "profiles: [cady]\n        picks: {counter: shown}",
    )

    assert (only(found).code, only(found).expected) == (
        "other-same",
        "another reading than cady has",
    )


def test_other_reading_can_be_said(edited: Edit) -> None:
    """Words alone are not enough: a rule file must be able to say it."""
    found = edited("readings.yaml", "        picks: {reuse: the-pair}\n", "")

    assert "unsayable" in codes(found)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("    year: 1896\n", "", r"the key 'year', got none .*\[missing-key\]"),
        ("    year: 1896\n", "    year: 1896\n    place: Paris\n", r"got 'place' .*\[unknown-key\]"),
        ("    year: 1896\n", "    year: long ago\n", r"valid integer.*got 'long ago' .*\[shape\]"),
        ("    year: 1896\n", "    year: 1896\n    year: 1897\n", r"\[yaml-duplicate\]"),
    ],
)  # fmt: skip
def test_misshapen_file_is_refused(
    edited: Edit, old: str, new: str, message: str
) -> None:
    """A file that is not built as it must be cannot be read, and it says why."""
    with pytest.raises(RulesError, match=message):
        edited("documents.yaml", old, new)


def test_statements_of_another_document_are_refused(edited: Edit) -> None:
    """The file of a document says which one it is, and rightly so."""
    with pytest.raises(
        RulesError, match=r"expected 'D4', got 'D5' @ document \[document\]"
    ):
        edited("statements/D4.yaml", "document: D4", "document: D5")


def test_missing_file_is_refused(tmp_path: Path) -> None:
    """A document without its statements cannot be read."""
    shutil.copytree(sources_folder(), tmp_path / "sources")
    (tmp_path / "sources/statements/D3.yaml").unlink()

    with pytest.raises(RulesError, match=r"D3\.yaml.*\[file\]"):
        read_register(tmp_path / "sources")


def test_every_code_is_explained() -> None:
    """The page of the sources has each code in its table, and no others."""
    page = Path(__file__).parent.parent.parent / "docs/sources.md"
    table = page.read_text(encoding="utf-8").rpartition("## Problems")[2]

    assert re.findall(r"^\| `([a-z-]+)` \|", table, re.MULTILINE) == list(
        get_args(Code)
    )


# --- other readings are sayable -------------------------------------------------------

OVERLAYS = [
    (row.number, index, profile)
    for row in register().readings
    for index, other in enumerate(row.others)
    if other.overlay
    for profile in row.profiles_of(other)[:1]
]
PICKS = [
    (row.number, index, profile)
    for row in register().readings
    for index, other in enumerate(row.others)
    for profile in row.profiles_of(other)
]


def assert_sayable(number: int, index: int, profile: str) -> None:
    """Assert that a rule file based on a profile says another reading."""
    other = register().readings[number - 1].others[index]
    text = f"profile: other\nbased_on: {profile}\nsource: reading {number}\n"
    text += (
        other.overlay
        or f"readings: {{{', '.join(f'{k}: {v}' for k, v in other.picks.items())}}}\n"
    )

    found = load_text(text)

    assert found.model_copy(update={"name": profile}).digest != load(profile).digest


@pytest.mark.parametrize(("number", "index", "profile"), OVERLAYS)
def test_overlay_says_the_other_reading(number: int, index: int, profile: str) -> None:
    """Where no choice says another reading, a rule file does."""
    assert_sayable(number, index, profile)


@pytest.mark.long
@pytest.mark.parametrize(("number", "index", "profile"), PICKS)
def test_every_other_reading_makes_a_profile(
    number: int, index: int, profile: str
) -> None:
    """Each other reading makes a sound profile of each table that it is said of."""
    assert_sayable(number, index, profile)


# --- what is printed ------------------------------------------------------------------


def test_printed_matrix_has_rows_and_totals() -> None:
    """Each statement has a line with its rules, each document its totals."""
    lines = matrix_lines(register())

    assert "D3.52  rule       match/both" in lines
    assert (
        "D4.13  rule       The statement breaks off before it says anything." in lines
    )
    assert "D0.01  interface  no rule" in lines
    # Counted by hand: D3 has 48 rules, of which D3.07 can have no clause, and one example.
    assert "D3  rule       47 realised, 1 not applicable, 0 open" in lines
    assert "D3  example    1 realised, 0 not applicable, 0 open" in lines
    assert lines[-1] == "readings: 39"
