"""Connections: every way to give no answer is told apart, and the run goes on."""

import shlex
import sys
from pathlib import Path

import pytest

from bezique.conformance.connection import Connection
from bezique.conformance.examinee import Examinee, meet
from bezique.conformance.files import all_cases
from bezique.conformance.suite import (
    MOST_FAULTS,
    Selection,
    chosen,
    repeat_command,
    run_suite,
)
from bezique.conformance.target import FaultError
from bezique.engine.errors import BadRequestError
from tests.conformance.stubs import Silent

PROGRAMS = Path(__file__).parent / "programs.py"
CASES = [case for case in all_cases() if case.kind == "legal" and not case.rules]
PATIENCE = 0.3


def command(way: str) -> str:
    """Return the command of a program that answers badly in a way."""
    return shlex.join([sys.executable, str(PROGRAMS), way])


@pytest.mark.parametrize(
    ("way", "kind", "detail"),
    [
        ("timeout", "timeout", "allowed are 0.3 s"),
        ("hang", "hang", "nothing in 0.6 s"),
        ("crash", "crash", "exit code 3: out of cards"),
        ("signal", "crash", "signal 6"),
        ("garbage", "garbage", "debug: dealing"),
        ("list", "garbage", "expected an object"),
        ("neither", "garbage", "expected ok or error"),
        ("wrong-id", "wrong-id", "expected 2"),
    ],
)
def test_fault_is_told_apart(way: str, kind: str, detail: str) -> None:
    """Each way of giving no answer has its own name, and the program is started again."""
    connection = Connection(command(way), PATIENCE)
    try:
        connection.ask({"op": "hello"})

        with pytest.raises(FaultError, match=detail) as caught:
            connection.ask({"op": "legal"})

        assert caught.value.kind == kind
        assert connection.ask({"op": "hello"})["ok"]["implementation"] == "bad"
        assert connection.starts == 2
    finally:
        connection.close()


@pytest.mark.parametrize(
    ("way", "kind"),
    [
        ("unknown-profile", "unknown-profile"),
        ("unknown-operation", "unknown-operation"),
        ("another-shape", "garbage"),
    ],
)
def test_refusal_to_be_asked_is_a_fault(way: str, kind: str) -> None:
    """What a program does not know is told as that, and not as a wrong answer."""
    examinee = meet(f"cmd:{command(way)}")
    try:
        asked = chosen(CASES, Selection(profiles=("luso",)), examinee)[:3]
        results = run_suite(asked, examinee)
    finally:
        examinee.close()

    assert [result.fault for result in results] == [kind] * 3


def test_run_goes_on_after_a_crash() -> None:
    """A program that crashes at every question is asked every question all the same."""
    examinee = meet(f"cmd:{command('crash')}")
    try:
        asked = chosen(CASES, Selection(), examinee)[:3]
        results = run_suite(asked, examinee)
    finally:
        examinee.close()

    assert [(item.verdict, item.fault) for item in results] == [("fault", "crash")] * 3


def test_run_gives_up_on_a_program_that_never_answers() -> None:
    """After many faults in a row what is left is skipped, and says so."""
    examinee = Examinee("cmd:silent", {"profiles": {"luso": {}}}, Silent())
    asked = chosen(all_cases(), Selection(level=1), examinee)

    results = run_suite(asked, examinee)

    verdicts = [result.verdict for result in results]
    assert verdicts == ["fault"] * MOST_FAULTS + ["skipped"] * (
        len(asked) - MOST_FAULTS
    )


def test_program_that_does_not_start_is_told() -> None:
    """A command that is none is a fault of its own."""
    with pytest.raises(FaultError) as caught:
        meet("cmd:no-such-program-here")

    assert caught.value.kind == "cannot-start"


@pytest.mark.parametrize("name", ["", "cmd:", "file:referee", "builtin"])
def test_target_is_builtin_or_a_command(name: str) -> None:
    """Any other word names no target."""
    with pytest.raises(BadRequestError, match="expected builtin: or cmd:COMMAND"):
        meet(name)


def test_failure_is_repeated_by_one_line() -> None:
    """The command names target, profile and case, quoted for a shell."""
    examinee = meet("builtin:")
    (result,) = run_suite(
        [next(c for c in chosen(CASES, Selection(profiles=("luso",)), examinee))],
        examinee,
    )

    line = repeat_command(result, "cmd:node my referee.js")

    assert shlex.split(line)[:5] == [
        "bezique",
        "conformance",
        "run",
        "--target",
        "cmd:node my referee.js",
    ]
    assert result.check.case.id in shlex.split(line)
    assert "\n" not in line
