"""`bezique prove`, and what the other commands do without Z3."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bezique.engine.codec import read_action, read_position
from bezique.engine.library import Library
from bezique.engine.moves import refusal
from bezique.play.cli import app
from bezique.solver.proof.answer import Answer
from bezique.solver.proof.field import Field
from bezique.solver.proof.obligations import Table, settings
from bezique.solver.proof.prove import jobs, prove
from bezique.solver.proof.search import Limits
from tests.engine.table import PROFILES, rules_of
from tests.solver.scenes import changed_rules

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


PAIR = """\
based_on: cady
source: a table at home
actions:
  pair:
    takes: {one: Card, two: Card}
    if:
      pair/when: phase == declare
      pair/held: one in held(me) and two in held(me)
      pair/two: one != two
    do: ["pay(me, 10, 'pair')"]
"""


def test_an_action_takes_two_cards_that_are_not_one(tmp_path: Path) -> None:
    """Each card that an action takes is open by itself; the situation shows both."""
    rules = changed_rules(tmp_path, PAIR)
    questions = dict(Table(rules).questions())

    possible = questions["actions/pair/possible"]()
    refuses = questions["actions/pair/two/refuses"]()

    assert (possible.verdict, refuses.verdict) == ("proved", "proved")
    assert possible.counterexample is not None
    assert refuses.counterexample is not None
    two, same = possible.counterexample["action"], refuses.counterexample["action"]
    assert two["one"] != two["two"]
    assert same["one"] == same["two"]


def test_a_situation_comes_with_what_is_done_in_it() -> None:
    """Played again from what is printed, the action is refused by the condition it is to show."""
    answer = dict(Table(rules_of("cady")).questions())["actions/play/held/refuses"]()

    assert answer.verdict == "proved"
    assert answer.counterexample is not None
    position = read_position(Library(), answer.counterexample)
    action = read_action(position, answer.counterexample["action"])
    refused = refusal(position, action)
    assert refused is not None
    assert refused.clause == "play/held"


@pytest.mark.parametrize(
    "ask",
    [
        pytest.param(lambda table: table._binds("strict/heads"), id="a duty"),
        pytest.param(lambda table: table._never_empty(), id="every duty"),
        pytest.param(lambda table: table._verdicts(), id="verdicts"),
        pytest.param(lambda table: table._told(), id="points"),
        pytest.param(lambda table: table._never_again(), id="reuse"),
        pytest.param(
            lambda table: table._possible(table.rules.profile.actions["play"]),
            id="an action",
            marks=pytest.mark.long,
        ),
    ],
)
def test_a_question_that_costs_too_much_refutes_nothing(
    ask: Callable[[Table], Answer],
) -> None:
    """Where Z3 gives up after ten steps, the answer is that nothing is decided."""
    table = Table(rules_of("cady"), Limits(rlimit=10))

    assert ask(table).verdict == "undecided"


def test_two_cards_that_beat_each_other_are_named(tmp_path: Path) -> None:
    """Where every other face beats a card, of two cards both would win."""
    rules = changed_rules(
        tmp_path,
        "based_on: cady\nsource: a table at home\nterms:\n"
        "  beats(c, d): suit(c) != suit(d) or rank(c) > rank(d)\n",
    )
    table = Table(rules)

    answer = table._one_winner()

    assert answer.verdict == "refuted"
    one, two = answer.detail.split(" beat ")[0].split(" and ")
    assert one[-1] != two[-1]
    assert table._identical().verdict == "proved"


@pytest.mark.long
def test_a_model_that_does_not_play_so_is_not_believed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where the proof lets be done what the interpreter refuses, nothing is said to be possible."""
    monkeypatch.setattr(Field, "allowed", lambda *_: True)
    table = Table(rules_of("cady"))
    seven = table.rules.profile.actions["seven"]

    answer = table._possible(seven)

    assert answer.verdict == "undecided"
    assert "interpreter" in answer.detail


@pytest.mark.parametrize("holds", [True, False])
def test_what_the_interpreter_denies_is_neither_proved_nor_refuted(
    holds: bool,  # noqa: FBT001 - what the interpreter says
) -> None:
    """A model counts for both kinds of question just where the interpreter agrees."""
    field = Table(rules_of("cady")).field("lead")

    first = field.situation.hand == 1

    once = field.once(first, lambda *_: holds)
    never = field.never(first, lambda *_: holds)

    assert once.verdict == ("proved" if holds else "undecided")
    assert never.verdict == ("refuted" if holds else "undecided")


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
