"""The layout: five source roots, one namespace, and tools that agree on them."""

import importlib
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PARTS = ["spec", "engine", "solver", "conformance", "play"]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
TOOL = PYPROJECT["tool"]


@pytest.mark.parametrize("part", PARTS)
def test_namespace_has_no_init_file(part: str) -> None:
    """An __init__.py in a source root would hide the other four parts."""
    assert not (ROOT / part / "bezique" / "__init__.py").exists()
    assert (ROOT / part / "bezique" / part / "__init__.py").exists()


@pytest.mark.parametrize("part", PARTS)
def test_part_says_that_it_is_typed(part: str) -> None:
    """Each part has the marker that type checkers of library users look for."""
    assert (ROOT / part / "bezique" / part / "py.typed").exists()


@pytest.mark.parametrize("part", PARTS)
def test_code_under_test_is_this_checkout(part: str) -> None:
    """The tests run against this tree, not an older install."""
    module = importlib.import_module(f"bezique.{part}")

    assert module.__file__ == str(ROOT / part / "bezique" / part / "__init__.py")


def test_every_tool_is_told_the_same_roots() -> None:
    """Build, checkout, tests, types and imports agree on the source roots."""
    with_checkout = [*PARTS, "."]  # for run.py, which belongs to no part

    assert TOOL["hatch"]["build"]["dev-mode-dirs"] == PARTS
    assert TOOL["hatch"]["build"]["targets"]["wheel"]["packages"] == [
        f"{part}/bezique" for part in PARTS
    ]
    assert TOOL["mypy"]["mypy_path"] == PARTS
    assert TOOL["mypy"]["files"] == ["run.py", *PARTS, "tests"]
    assert TOOL["pyright"]["extraPaths"] == PARTS
    assert TOOL["pytest"]["pythonpath"] == with_checkout
    assert TOOL["pytest"]["testpaths"] == ["tests", *PARTS]
    assert TOOL["ruff"]["src"] == with_checkout


def test_layers_are_the_parts_from_the_top_down() -> None:
    """The import contract names every part, each above what it may import."""
    packages = [f"bezique.{part}" for part in PARTS]
    (layers,) = (
        contract
        for contract in TOOL["importlinter"]["contracts"]
        if contract["id"] == "layers"
    )

    assert TOOL["importlinter"]["root_packages"] == packages
    assert layers["layers"] == packages[::-1]


def test_data_lies_in_the_part_that_ships_it() -> None:
    """A data folder keeps its part and its name on the way into the wheel."""
    shipped = TOOL["hatch"]["build"]["targets"]["wheel"]["force-include"]

    assert {
        source: f"bezique/{source}" for source in shipped if (ROOT / source).is_dir()
    } == shipped
