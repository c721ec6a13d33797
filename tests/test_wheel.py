"""The wheel: what is built from this checkout works without it."""

import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
DATA = PYPROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder like site-packages with the wheel in it."""
    built = tmp_path_factory.mktemp("built")
    folder = tmp_path_factory.mktemp("site-packages")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel"]
    subprocess.run([*command, "-d", built], cwd=ROOT, check=True)
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


@pytest.mark.parametrize(("source", "target"), DATA.items())
def test_wheel_has_every_data_file(unpacked: Path, source: str, target: str) -> None:
    """The data in the wheel is, byte for byte, the data that git tracks."""
    tracked = subprocess.run(
        ["git", "ls-files", "-z", source],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split("\0")[:-1]

    assert tracked
    for name in tracked:
        inside = unpacked / target / Path(name).relative_to(source)
        assert inside.read_bytes() == (ROOT / name).read_bytes(), name


def test_wheel_finds_its_own_data(unpacked: Path) -> None:
    """Code that runs from the wheel uses the wheel's data, not the checkout's."""
    program = "from bezique.spec.data import rules_folder; print(rules_folder())"

    # -I keeps the current folder, and so the checkout, off the path.
    found = subprocess.run(
        [
            *(sys.executable, "-I", "-c"),
            f"import sys; sys.path.insert(0, {str(unpacked)!r}); {program}",
        ],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()

    assert Path(found) == unpacked.resolve() / "bezique/spec/rules"
