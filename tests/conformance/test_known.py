"""Known failures: a list says what is, or the run fails."""

from pathlib import Path

import pytest

from bezique.conformance.examinee import greeted
from bezique.conformance.files import all_cases
from bezique.conformance.known import compare, fixed, read_known
from bezique.conformance.suite import Result, Selection, checks, chosen, run_suite
from bezique.engine.errors import BadRequestError
from tests.conformance.wrong_engines import WRONG_ENGINES

CASES = all_cases()
PAIR = ("new-king-renews-no-marriage", "new-queen-renews-no-marriage")
FOUND_OUT = (PAIR[0], "luso"), (PAIR[1], "luso")
SOUND = ("royal-marriage-scores-40", "luso")


@pytest.fixture(scope="module")
def results() -> tuple[Result, ...]:
    """Return a run in which two checks fail and one passes."""
    examinee = greeted("cmd:wrong", WRONG_ENGINES["cross-marriages"].target())
    selection = Selection(profiles=("luso",), cases=(*PAIR, SOUND[0]))
    return run_suite(chosen(CASES, selection, examinee), examinee)


def test_listed_failures_are_no_news(results: tuple[Result, ...]) -> None:
    """A list of just what fails makes a clean run."""
    found = compare(FOUND_OUT, results, checks(CASES))

    assert found.clean
    assert len(found.known) == 2


def test_failure_not_listed_is_new(results: tuple[Result, ...]) -> None:
    """What fails and is not listed fails the run."""
    found = compare(FOUND_OUT[:1], results, checks(CASES))

    assert [result.check.case.id for result in found.new] == [PAIR[1]]
    assert not found.clean


def test_listed_check_that_passes_fails_the_run(results: tuple[Result, ...]) -> None:
    """A list cannot go stale: what passes now is told, and so is what is no check."""
    gone = ("no-such-case", "luso")

    found = compare((*FOUND_OUT, SOUND, gone), results, checks(CASES))

    assert found.passing == (SOUND,)
    assert found.gone == (gone,)
    assert not found.clean


def test_listed_check_that_was_not_run_is_left_alone(
    results: tuple[Result, ...],
) -> None:
    """A run of a part says nothing of the rest."""
    found = compare(
        (*FOUND_OUT, ("sequence-scores-250", "luso")), results, checks(CASES)
    )

    assert found.clean


def test_fixed_list_says_what_is(results: tuple[Result, ...], tmp_path: Path) -> None:
    """Mending adds what fails, takes out what passes, and keeps remarks."""
    listed = {FOUND_OUT[0]: "ticket 12", SOUND: "old"}
    file = tmp_path / "known.txt"

    file.write_text(fixed(listed, compare(listed, results, checks(CASES))), "utf-8")

    assert read_known(file) == {FOUND_OUT[0]: "ticket 12", FOUND_OUT[1]: ""}
    assert compare(read_known(file), results, checks(CASES)).clean


@pytest.mark.parametrize("line", ["just-a-case", "a b c", "a luso\na luso"])
def test_line_that_names_no_check_is_refused(line: str, tmp_path: Path) -> None:
    """A line is a case and a profile, and stands there once."""
    file = tmp_path / "known.txt"
    file.write_text(line, "utf-8")

    with pytest.raises(BadRequestError, match="expected a case and a profile, once"):
        read_known(file)
