"""Data folders: found on the surface of a checkout and inside a wheel's package."""

from collections.abc import Callable
from pathlib import Path

import pytest

from bezique.spec import data

ROOT = Path(__file__).parent.parent.parent


def make_module(folder: Path) -> Path:
    """Return the path of a new, empty module in `folder`."""
    folder.mkdir(parents=True)
    module = folder / "data.py"
    module.touch()
    return module


@pytest.mark.parametrize(
    ("find", "place"),
    [
        (data.rules_folder, "spec/rules"),
        (data.sentences_folder, "spec/sentences"),
        (data.sources_folder, "spec/sources"),
    ],
)
def test_checkout_has_its_data_in_the_source_root(
    find: Callable[[], Path], place: str
) -> None:
    """Each folder of this checkout is found where people look for it."""
    assert find() == ROOT / place


def test_wheel_has_its_data_inside_the_package(tmp_path: Path) -> None:
    """In site-packages the folder lies next to the module."""
    module = make_module(tmp_path / "site-packages/bezique/spec")
    inside = module.parent / "rules"
    inside.mkdir()

    assert data.data_folder(module, "rules") == inside


def test_other_parts_have_data_of_their_own(tmp_path: Path) -> None:
    """The part comes from the module asked for, not from the spec."""
    module = make_module(tmp_path / "conformance/bezique/conformance")
    cases = tmp_path / "conformance/cases"
    cases.mkdir()

    assert data.data_folder(module, "cases") == cases


def test_stranger_in_site_packages_is_not_taken_for_data(tmp_path: Path) -> None:
    """A package `rules` installed beside `bezique` is not our rules folder."""
    module = make_module(tmp_path / "site-packages/bezique/spec")
    (tmp_path / "site-packages/rules").mkdir()

    with pytest.raises(data.MissingDataError):
        data.data_folder(module, "rules")


def test_file_is_not_taken_for_a_folder(tmp_path: Path) -> None:
    """A file with the folder's name does not count."""
    module = make_module(tmp_path / "spec/bezique/spec")
    (tmp_path / "spec/rules").touch()

    with pytest.raises(data.MissingDataError):
        data.data_folder(module, "rules")


def test_missing_folder_error_says_what_and_where(tmp_path: Path) -> None:
    """The error names the part, the folder, both places and its code."""
    module = make_module(tmp_path / "spec/bezique/spec")
    inside = tmp_path / "spec/bezique/spec/rules"
    surface = tmp_path / "spec/rules"

    with pytest.raises(data.MissingDataError) as caught:
        data.data_folder(module, "rules")

    error = caught.value
    assert (error.part, error.name, error.tried) == ("spec", "rules", (inside, surface))
    assert str(error) == (
        f"spec/rules: expected a folder at {inside} or {surface}, "
        "got none [missing-data]"
    )
