"""The pytest plugin: the suite as tests of another program."""

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

PLUGIN = "bezique.conformance.pytest_plugin"
TESTS = Path(__file__).parent


def run(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Return how pytest went in an empty folder with the plugin."""
    paths = [entry for entry in sys.path if entry]
    code = (
        f"import sys; sys.path[:0] = {paths!r}; import pytest; sys.exit(pytest.main())"
    )
    return subprocess.run(
        [
            sys.executable,
            "-c",
            code,
            "-p",
            PLUGIN,
            "-p",
            "no:cacheprovider",
            *arguments,
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.long
def test_each_check_is_a_test(tmp_path: Path) -> None:
    """What the program passes passes; what it does not offer is skipped."""
    done = run(
        tmp_path, "-q", "--bezique-target", "builtin:", "--bezique-level", "1", "--bezique-profile", "luso",
    )  # fmt: skip

    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout


@pytest.mark.long
def test_failure_is_told_in_words(tmp_path: Path) -> None:
    """A check that fails says why it exists, and what was expected and got."""
    program = [sys.executable, str(TESTS / "wrong_engines.py"), "need-not-beat"]
    paths = ":".join(entry for entry in sys.path if entry)
    command = f"env PYTHONPATH={shlex.quote(paths)} {shlex.join(program)}"

    done = run(
        tmp_path, "-q", "--bezique-target", f"cmd:{command}", "--bezique-profile", "luso",
        "-k", "strict-beat-the-card-led",
    )  # fmt: skip

    assert done.returncode == 1, done.stdout + done.stderr
    assert "legal: expected only play AS, got play 8S" in done.stdout


@pytest.mark.long
def test_target_that_is_none_is_a_usage_error(tmp_path: Path) -> None:
    """A program that cannot be asked ends the session, with one clear line."""
    done = run(tmp_path, "--bezique-target", "cmd:no-such-program-here")

    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "could not be started" in done.stdout + done.stderr


def test_plugin_imports_nothing_of_the_suite() -> None:
    """Whoever has the package installed pays nothing for the plugin until it is used."""
    paths = [entry for entry in sys.path if entry]
    code = (
        f"import sys; sys.path[:0] = {paths!r}; import {PLUGIN}; "
        "print(sorted(name for name in sys.modules if name.startswith('bezique.')))"
    )

    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )

    assert "suite" not in done.stdout
    assert "engine" not in done.stdout
