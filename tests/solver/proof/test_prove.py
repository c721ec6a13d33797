"""`bezique prove`, and what the other commands do without Z3."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bezique.engine.library import Library
from bezique.play.cli import app
from bezique.solver.proof.obligations import Table, settings
from bezique.solver.proof.prove import jobs, prove
from tests.engine.table import PROFILES, rules_of

NO_Z3 = """\
import sys
sys.modules["z3"] = None
import importlib.util
find_spec = importlib.util.find_spec
importlib.util.find_spec = lambda name, package=None: (
    None if name == "z3" else find_spec(name, package)
)
"""


def without_z3(code: str) -> subprocess.CompletedProcess[str]:
    """Run Python code where Z3 is not installed."""
    return subprocess.run(
        [sys.executable, "-c", NO_Z3 + code],
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": ":".join(sys.path)},
    )


def test_engine_solver_and_commands_need_no_z3() -> None:
    """Everything but the proofs is imported and plays where Z3 is missing."""
    done = without_z3(
        "import bezique.engine, bezique.solver, bezique.play.cli\n"
        "from bezique.engine import Library, start\n"
        "print(start(Library().rules('cady', {}), 'north').phase)\n"
    )

    assert (done.returncode, done.stdout.strip()) == (0, "deal"), done.stderr


@pytest.mark.parametrize("words", ["prove cady", "diff cady luso", "mutants cady"])
def test_a_command_without_z3_says_what_to_install(words: str) -> None:
    """It ends with code 2 and names the extra."""
    done = without_z3(
        f"import sys; sys.argv = ['bezique', *{words.split()!r}]\n"
        "from bezique.play.cli import main\nmain()\n"
    )

    assert done.returncode == 2, done.stderr
    assert "bezique[proofs]" in done.stderr


def test_every_setting_of_every_profile_is_a_job() -> None:
    """The default and each value of each option; equal code is proved once."""
    library = Library()
    found = jobs(library, PROFILES)

    assert len(found) == sum(
        len(list(settings(library.profile(name)))) for name in PROFILES
    )
    assert {job.profile for job in found if job.code} == set(PROFILES)


def test_duties_tricks_and_tables_of_streak_are_proved() -> None:
    """A part of the obligations, each with an answer that says what was shown."""
    table = Table(rules_of("streak"))
    wanted = (
        "duties/never",
        "tricks/",
        "tables/",
        "invariants/points",
        "invariants/most",
    )
    found = {
        name: question()
        for name, question in table.questions()
        if name.startswith(wanted)
    }

    assert len(found) == 6
    assert {name: a for name, a in found.items() if a.verdict != "proved"} == {}


def test_a_set_that_never_binds_is_refuted(tmp_path: Path) -> None:
    """A duty with the same set twice has one that is dead."""
    file = tmp_path / "mine.yaml"
    file.write_text(
        "profile: mine\nbased_on: cady\nsource: a table at home\nduties:\n"
        "  strict: {sets: [follows, heads, ruffs, any_card]}\n",
        encoding="utf-8",
    )
    rules = Library([file]).rules("mine")

    assert Table(rules)._binds("strict/heads").verdict == "refuted"
    assert Table(rules)._binds("strict/ruffs").verdict == "proved"


@pytest.mark.long
def test_all_obligations_of_streak_are_proved() -> None:
    """The command says so, as JSON, and ends well."""
    done = CliRunner().invoke(app, ["prove", "streak", "--json"])

    assert done.exit_code == 0, done.output
    found = json.loads(done.output)
    assert {item["verdict"] for item in found} == {"proved"}
    assert len({item["name"] for item in found}) >= 40


@pytest.mark.long
def test_all_obligations_of_all_profiles_are_proved() -> None:
    """Every profile under every setting of its options."""
    found = [item for _, _, some in prove((), PROFILES) for item in some]

    assert [
        (item.profile, item.options, item.name) for item in found if not item.holds
    ] == []
    assert {item.profile for item in found} == set(PROFILES)


def test_what_a_reading_rules_out_is_no_action_of_the_table() -> None:
    """Where sevens are worth nothing (D4.33) nobody is asked whether one can be shown."""
    rules = rules_of("luso-blind")

    asked = [name for name, _ in Table(rules).questions()]

    assert "actions/declare/possible" in asked
    assert [name for name in asked if name.startswith("actions/seven")] == []
