"""Speed: a suite that answers in a minute gets asked."""

import shlex
import sys
import time
from collections.abc import Callable

import pytest

from bezique.conformance.examinee import meet
from bezique.conformance.files import all_cases
from bezique.conformance.suite import Selection, chosen, run_suite

pytestmark = pytest.mark.long


def test_suite_is_large_and_every_case_is_about_something() -> None:
    """There are hundreds of cases, each with a clause or statement and an origin."""
    cases = all_cases()

    assert len(cases) >= 300
    assert [case.id for case in cases if not (case.obeys or case.breaks)] == []


def test_built_in_engine_answers_in_15_seconds(
    record_property: Callable[[str, object], None],
) -> None:
    """The whole suite, in this process; its own time, since others may be working too."""
    examinee = meet("builtin:")
    begun = time.process_time()

    results = run_suite(chosen(all_cases(), Selection(), examinee), examinee)

    spent = time.process_time() - begun
    record_property("seconds", spent)
    print(f"{len(results)} checks on builtin: in {spent:.1f} s")  # noqa: T201
    assert spent <= 15


def test_program_is_asked_in_45_seconds(
    monkeypatch: pytest.MonkeyPatch, record_property: Callable[[str, object], None]
) -> None:
    """The whole suite, asked of our own referee as a program."""
    monkeypatch.setenv("PYTHONPATH", ":".join(entry for entry in sys.path if entry))
    examinee = meet(
        f"cmd:{shlex.join([sys.executable, '-m', 'bezique.play', 'referee'])}"
    )
    begun = time.perf_counter()
    try:
        results = run_suite(chosen(all_cases(), Selection(), examinee), examinee)
    finally:
        examinee.close()

    spent = time.perf_counter() - begun
    record_property("seconds", spent)
    print(f"{len(results)} checks on cmd: in {spent:.1f} s")  # noqa: T201
    assert [item for item in results if item.verdict != "passed"] == []
    assert spent <= 45
