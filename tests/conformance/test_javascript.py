"""The referee in JavaScript: judged like anybody's, and by a judge that shares no code with ours."""

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from bezique.conformance.against import against
from bezique.conformance.examinee import meet
from bezique.conformance.export import export
from bezique.conformance.files import all_cases
from bezique.conformance.identify import identify
from bezique.conformance.suite import Selection, chosen, run_suite

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "conformance" / "examples" / "javascript"
NODE = f"cmd:node {shlex.quote(str(FOLDER / 'referee.mjs'))}"


def test_referee_uses_no_packages() -> None:
    """Only its own files and what Node brings are imported."""
    for file in FOLDER.glob("*.mjs"):
        names = re.findall(r"from \"([^\"]+)\"", file.read_text("utf-8"))
        assert all(name.startswith(("./", "node:")) for name in names), file


@pytest.mark.long
def test_referee_passes_levels_1_and_2() -> None:
    """Every check of `luso` that the protocol's first two levels carry passes."""
    examinee = meet(NODE)
    try:
        asked = chosen(all_cases(), Selection(level=2), examinee)
        results = run_suite(asked, examinee)
    finally:
        examinee.close()

    assert len(results) > 150
    assert [item for item in results if item.verdict != "passed"] == []


@pytest.mark.long
def test_referee_agrees_with_ours_on_generated_deals() -> None:
    """Legal actions, positions and refusals are the same through whole hands."""
    examinee = meet(NODE)
    try:
        (line,) = against(examinee, meet("builtin:"), ["luso"], 5, "1")
    finally:
        examinee.close()

    assert not line.differs, str(line)


@pytest.mark.long
def test_referee_is_identified() -> None:
    """It is said to play what it plays."""
    examinee = meet(NODE)
    try:
        told = identify(examinee, "luso")
    finally:
        examinee.close()

    assert next(told.lines()).startswith("`luso` (")


def judged(referee: Path, suite: Path) -> "subprocess.CompletedProcess[str]":
    """Return what the judge in JavaScript says of a referee."""
    judge = str(FOLDER / "judge.mjs")
    return subprocess.run(
        ["node", judge, str(suite), "luso", "2", "node", str(referee)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.long
def test_exported_suite_judges_without_python(tmp_path: Path) -> None:
    """The judge in JavaScript passes what is right and fails what is wrong, by the export alone."""
    suite, wrong = tmp_path / "suite", tmp_path / "wrong"
    export(all_cases(), suite)
    shutil.copytree(FOLDER, wrong)
    moves = wrong / "moves.mjs"
    text = moves.read_text("utf-8")
    moves.write_text(text.replace("LAST_TRICK = 10", "LAST_TRICK = 20"), "utf-8")

    good = judged(FOLDER / "referee.mjs", suite)
    bad = judged(wrong / "referee.mjs", suite)

    assert (good.returncode, bad.returncode) == (0, 1), good.stdout + good.stderr
    assert good.stdout.splitlines()[-1].endswith(" passed, 0 failed")
    assert "target-reached-wins: " in bad.stdout
