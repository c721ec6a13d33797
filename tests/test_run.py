"""run.py: sets itself up once, again when it has to, and says what it cannot do."""

import re
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

import run

PYPROJECT = """
[dependency-groups]
test = ["pytest>=9"]
docs = ["sphinx"]
dev = [{ include-group = "test" }, { include-group = "docs" }, "mypy"]
"""


@dataclass
class Terminal:
    """A stand-in for the tools that run.py starts.

    Attributes:
        commands: What was started, in order.
        refuses: Whether a command fails.
        modules: What the Python that runs run.py has.
    """

    commands: list[list[str]] = field(default_factory=list)
    refuses: Callable[[list[str]], bool] = lambda _: False
    modules: set[str] = field(default_factory=lambda: {"venv", "ensurepip", "pip"})

    def run(self, command: list[str]) -> int:
        """Record a command; a venv that is made has a Python in it."""
        self.commands.append(command)
        if self.refuses(command):
            return 1
        if "venv" in command:
            venv = run.Venv(Path(command[-1]))
            if "--without-pip" in command:
                venv = run.Venv(Path(command[-2]))
            tools = ["python"] if "--without-pip" in command else ["python", "pip"]
            for tool in tools:
                venv.tool(tool).parent.mkdir(parents=True, exist_ok=True)
                venv.tool(tool).touch()
        return 0

    def count(self, word: str) -> int:
        """Return how many of the commands have a word among their arguments."""
        return sum(word in command for command in self.commands)


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Return a terminal without uv, whose Python has all it needs."""
    fake = Terminal()
    monkeypatch.setattr(run, "run", fake.run)
    monkeypatch.setattr(run, "has_module", lambda name: name in fake.modules)
    monkeypatch.setattr(shutil, "which", lambda _: None)
    return fake


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a folder with a pyproject.toml and nothing else."""
    (tmp_path / "pyproject.toml").write_text(PYPROJECT, encoding="utf-8")
    return tmp_path


def test_stamp_changes_when_pyproject_changes(checkout: Path) -> None:
    """One more character in pyproject.toml makes another stamp."""
    before = run.wanted_stamp(checkout, ("dev",))
    with (checkout / "pyproject.toml").open("a", encoding="utf-8") as file:
        file.write("#")
    after = run.wanted_stamp(checkout, ("dev",))

    assert before.pyproject != after.pyproject
    assert not before.covers(after)
    assert before.covers(before)


def test_stamp_covers_fewer_groups_but_not_more(checkout: Path) -> None:
    """A venv with the developers' tools can also play; the reverse is false."""
    play = run.wanted_stamp(checkout, ())
    test = run.wanted_stamp(checkout, ("dev",))

    assert test.covers(play)
    assert not play.covers(test)


def test_groups_include_other_groups() -> None:
    """An included group stands for what it requires, in place."""
    project = {
        "dependency-groups": {
            "a": ["x", {"include-group": "b"}, "z"],
            "b": ["y"],
            "c": ["never"],
        }
    }

    assert run.requirements(project, ("a",)) == ["x", "y", "z"]


def test_play_installs_the_runtime_only(terminal: Terminal, checkout: Path) -> None:
    """To play, a venv is made and the checkout installed, without any group."""
    run.prepare("play", checkout)

    make, install = terminal.commands
    assert make == [sys.executable, "-m", "venv", str(checkout / ".venv")]
    assert install[-2:] == ["--editable", str(checkout)]


def test_test_installs_the_developers_tools(terminal: Terminal, checkout: Path) -> None:
    """To test, everything in the group `dev` is installed as well."""
    run.prepare("test", checkout)

    assert terminal.commands[-1][-3:] == ["pytest>=9", "sphinx", "mypy"]


def test_second_call_starts_nothing(terminal: Terminal, checkout: Path) -> None:
    """A finished venv is used as it is."""
    run.prepare("test", checkout)
    terminal.commands.clear()

    run.prepare("test", checkout)
    run.prepare("play", checkout)

    assert terminal.commands == []


def test_changed_pyproject_installs_again(terminal: Terminal, checkout: Path) -> None:
    """The venv stays, the install is repeated once."""
    run.prepare("play", checkout)
    (checkout / "pyproject.toml").write_text(PYPROJECT + "# new", encoding="utf-8")

    run.prepare("play", checkout)
    run.prepare("play", checkout)

    assert terminal.count("venv") == 1
    assert terminal.count("install") == 2


def test_groups_add_up(terminal: Terminal, checkout: Path) -> None:
    """After docs and test in turn, both are there: neither forgets the other."""
    run.prepare("docs", checkout)
    run.prepare("test", checkout)
    terminal.commands.clear()

    run.prepare("docs", checkout)

    assert terminal.commands == []


def test_interrupted_venv_is_made_again(terminal: Terminal, checkout: Path) -> None:
    """A venv without a stamp is thrown away, with all that is in it."""
    half_made = run.Venv(checkout / ".venv")
    half_made.tool("python").parent.mkdir(parents=True)
    half_made.tool("python").touch()
    (half_made.folder / "left-over").touch()

    run.prepare("play", checkout)

    assert terminal.count("venv") == 1
    assert not (half_made.folder / "left-over").exists()


def test_failed_install_leaves_no_stamp(terminal: Terminal, checkout: Path) -> None:
    """An install that fails is said so, and the next call begins anew."""
    terminal.refuses = lambda command: "install" in command
    with pytest.raises(run.SetUpError, match="could not install"):
        run.prepare("play", checkout)
    terminal.refuses = lambda _: False

    run.prepare("play", checkout)

    assert terminal.count("venv") == 2


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"groups": 3}', '{"groups": []}'])
def test_unreadable_stamp_counts_as_none(
    terminal: Terminal, checkout: Path, text: str
) -> None:
    """A stamp that was cut short or is not ours means a half-made venv."""
    venv = run.prepare("play", checkout)
    venv.stamp_file.write_text(text, encoding="utf-8")

    assert venv.stamp() is None
    run.prepare("play", checkout)
    assert terminal.count("venv") == 2


@pytest.mark.parametrize("name", ["root", "python"])
def test_venv_of_another_place_or_python_is_made_again(
    terminal: Terminal, checkout: Path, name: str
) -> None:
    """A moved checkout, or a newer Python, gets a venv of its own."""
    venv = run.prepare("play", checkout)
    text = venv.stamp_file.read_text(encoding="utf-8")
    other = re.sub(rf'"{name}": "[^"]*"', f'"{name}": "other"', text)
    venv.stamp_file.write_text(other, encoding="utf-8")

    run.prepare("play", checkout)

    assert terminal.count("venv") == 2


def test_missing_ensurepip_uses_the_pip_that_is_there(
    terminal: Terminal, checkout: Path
) -> None:
    """Without ensurepip, the venv has no pip; the outer one installs into it."""
    terminal.modules = {"venv", "pip"}

    venv = run.prepare("play", checkout)

    make, install = terminal.commands
    assert make[-1] == "--without-pip"
    outer_pip = [sys.executable, "-m", "pip", "--python", str(venv.tool("python"))]
    assert install[:6] == [*outer_pip, "install"]


@pytest.mark.parametrize("modules", [{"venv"}, set(), {"pip"}])
def test_missing_ensurepip_and_pip_names_one_command(
    terminal: Terminal, checkout: Path, modules: set[str]
) -> None:
    """With no means to make a venv, nothing is started and the way out is named."""
    terminal.modules = modules

    with pytest.raises(run.SetUpError, match="apt install python3-venv"):
        run.prepare("play", checkout)

    assert terminal.commands == []


def test_uv_is_used_when_it_is_there(
    terminal: Terminal, checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With uv on the path neither ensurepip nor pip is needed."""
    terminal.modules = set()
    monkeypatch.setattr(shutil, "which", lambda name: f"/bin/{name}")

    run.prepare("play", checkout)

    make, install = terminal.commands
    assert make[:2] == ["/bin/uv", "venv"]
    assert install[:3] == ["/bin/uv", "pip", "install"]


@pytest.mark.parametrize("version", [(2, 7, 18), (3, 10, 14)])
def test_old_python_is_refused(version: tuple[int, ...]) -> None:
    """The message says which Python is needed and which one was used."""
    got = f"{version[0]}.{version[1]}"

    with pytest.raises(run.SetUpError) as caught:
        run.check(version, ["play"])

    assert str(caught.value) == f"bezique needs Python 3.11 or newer, got {got}"


def test_old_python_message_reaches_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An old Python ends with exit code 1 and one line, not a traceback."""
    monkeypatch.setattr(sys, "version_info", (3, 9, 2))

    code = run.main(["play"])

    assert code == 1
    assert capsys.readouterr().err == (
        "run.py: bezique needs Python 3.11 or newer, got 3.9\n"
    )


@pytest.mark.parametrize("version", [(3, 11, 0), (3, 14, 1), (4, 0, 0)])
def test_new_python_is_taken(version: tuple[int, ...]) -> None:
    """3.11 is enough, and versions are compared as numbers, not as text."""
    run.check(version, ["play"])


def test_unknown_argument_of_test_is_refused() -> None:
    """A mistyped --long does not quietly run the quick tests."""
    with pytest.raises(run.SetUpError, match="test takes --long and nothing else"):
        run.check((3, 11, 0), ["test", "--lnog"])


def test_all_gates_run_though_one_fails(
    terminal: Terminal, checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The gates after a failed one still run, and the summary names it alone."""
    terminal.refuses = lambda command: Path(command[0]).stem == "mypy"

    code = run.run_gates(run.Venv(checkout / ".venv"), run.GATES)

    assert code == 1
    assert len(terminal.commands) == len(run.GATES)
    summary = capsys.readouterr().out.splitlines()[-2:]
    assert summary == [
        f"{len(run.GATES) - 1} of {len(run.GATES)} gates passed",
        "failed: mypy",
    ]


def test_passed_gates_exit_with_zero(terminal: Terminal, checkout: Path) -> None:
    """When no gate fails, neither does the command."""
    code = run.run_gates(run.Venv(checkout / ".venv"), run.GATES)

    assert code == 0
    assert len(terminal.commands) == len(run.GATES)


def test_gate_tools_come_from_the_venv(terminal: Terminal, checkout: Path) -> None:
    """A gate never uses a tool that happens to be on the path."""
    venv = run.Venv(checkout / ".venv")

    run.run_gates(venv, {**run.GATES, **run.LONG_GATES})

    folder = venv.tool("python").parent
    assert {Path(command[0]).parent for command in terminal.commands} == {folder}


def test_no_arguments_print_the_usage(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a command the ways to call are shown and the exit code is 2."""
    code = run.main([])

    assert code == 2
    assert "python3 run.py play" in capsys.readouterr().out
