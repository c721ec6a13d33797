"""The commands: exit codes, reports and the line that repeats a failure."""

import json
import shlex
import sys
from pathlib import Path

from typer.testing import CliRunner, Result

from bezique.conformance.report import read_report
from bezique.play.cli import app

HERE = Path(__file__).parent
CASE = ("--profile", "luso", "--case", "strict-beat-the-card-led")


def bezique(*arguments: str) -> Result:
    """Return how `bezique conformance` went."""
    return CliRunner().invoke(app, ["conformance", *arguments])


WRONG = f"cmd:{shlex.join([sys.executable, str(HERE / 'programs.py'), 'nothing'])}"
"""A program that finds nothing legal."""


def test_good_run_exits_with_0() -> None:
    """What is as expected is counted."""
    done = bezique("run", *CASE)

    assert (done.exit_code, done.stdout) == (0, "1 passed\n")


def test_difference_exits_with_1_and_repeats_by_one_line() -> None:
    """A failure tells the fact, what differs, and the command that shows it again."""
    done = bezique("run", "--target", WRONG, *CASE)

    again = next(line for line in done.stdout.splitlines() if "again: " in line)
    arguments = shlex.split(again.partition("again: ")[2])
    assert done.exit_code == 1
    assert "who can beat the card led in its suit has to" in done.stdout
    assert arguments[:2] == ["bezique", "conformance"]
    repeated = bezique(*arguments[2:])
    assert repeated.exit_code == 1
    assert '> {"op": "legal"' in repeated.stdout


def test_nonsense_exits_with_2() -> None:
    """A case, a profile, a target or a report that is none is refused before anything runs."""
    for arguments in (
        ["--case", "no-such-case"],
        ["--profile", "palace"],
        ["--target", "file:referee"],
        ["--report", "run.pdf"],
        ["--fix"],
    ):
        assert bezique("run", *arguments).exit_code == 2, arguments


def test_program_that_cannot_be_asked_exits_with_3() -> None:
    """A program that does not start is told on one line."""
    done = bezique("run", "--target", "cmd:no-such-program-here")

    assert done.exit_code == 3
    assert done.stderr.startswith(
        "bezique: cmd:no-such-program-here: the program could"
    )


def test_known_failures_are_no_news_and_cannot_go_stale(tmp_path: Path) -> None:
    """`--fix` writes the list; with it the run is good, and another engine's is not."""
    known = str(tmp_path / "known.txt")

    fixed = bezique("run", "--target", WRONG, *CASE, "--known-failures", known, "--fix")
    again = bezique("run", "--target", WRONG, *CASE, "--known-failures", known)
    stale = bezique("run", *CASE, "--known-failures", known)

    assert (fixed.exit_code, again.exit_code, stale.exit_code) == (0, 0, 1)
    assert "(1 of them known)" in again.stdout
    assert "passes now, and is listed as failing: strict-beat" in stale.stdout


def test_reports_are_written_and_made_anew(tmp_path: Path) -> None:
    """Every form comes from the run, and again from its lines."""
    forms = ("html", "xml", "md", "json")
    lines = tmp_path / "run.jsonl"
    names = [tmp_path / f"run.{form}" for form in forms]
    more = [tmp_path / f"again.{form}" for form in forms]

    bezique(
        "run",
        *CASE,
        *(part for name in (lines, *names) for part in ("--report", str(name))),
    )
    done = bezique("report", str(lines), *map(str, more))

    assert done.exit_code == 0, done.output
    assert read_report(lines).good
    assert [name.read_text("utf-8") for name in names] == [
        name.read_text("utf-8") for name in more
    ]
    assert json.loads(names[3].read_text("utf-8"))["message"] == "1/1"


def test_coverage_tells_what_no_case_shows() -> None:
    """Each statement without a case on both sides is told with the reason."""
    done = bezique("coverage")

    assert done.exit_code == 0
    assert (
        "D4.13: kept by 0 cases, broken by 0 (the statement breaks off" in done.stdout
    )


def test_coverage_counts_proofs_and_screens() -> None:
    """Who leads what in the last tricks is proved; so are 290 points (D0.36)."""
    done = bezique("coverage", "--every")

    lines = {line.split(":")[0].strip(): line for line in done.stdout.splitlines()}
    assert ", with proofs " in lines["clauses"]
    assert ", with screens " in lines["statements"]
    assert lines["D0.26"].endswith("screens 1")
    assert lines["D0.36"].endswith("proofs 2")
    assert lines["strict/heads"].endswith("proofs 2")
