#!/usr/bin/env python3
"""Run: one command that makes what it needs and then does what was asked.

    python3 run.py play             play bezique in the browser
    python3 run.py test [--long]    run every gate, and the long tests too
    python3 run.py docs             build the documentation
    python3 run.py COMMAND ...      run any other command of `bezique`

The first call makes `.venv` in this folder and installs what its command needs;
later calls start at once, until pyproject.toml changes.

Terms
    venv    the folder `.venv`, a Python of its own for this checkout
    stamp   a file in the venv, written last, that says what was installed
    group   a dependency group of pyproject.toml
    gate    a check that a change has to pass

Only the standard library is used here, and nothing that a Python older than the
project's own cannot parse, so that such a Python gets a message it can print.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent
OLDEST = (3, 11)
GROUPS = {"test": ("dev",), "docs": ("docs",)}  # any other command: none
DOCS = ("sphinx-build", "-W", "-q", "-b", "html", "docs", "docs/_build/html")
GATES = {
    "ruff check": ("ruff", "check", "."),
    "ruff format": ("ruff", "format", "--check", "."),
    "mypy": ("mypy",),
    "lint-imports": ("lint-imports",),
    "codespell": ("codespell",),
    "sphinx-build": DOCS,
    "pytest": ("pytest", "-n", "2"),
}
LONG_GATES = {"pytest, long tests": ("pytest", "-n", "2", "-m", "long")}


class SetUpError(Exception):
    """The set-up cannot go on; the text says what the reader can do."""


@dataclass(frozen=True)
class Stamp:
    """What a finished venv was made from."""

    root: str  # the checkout: scripts in a venv break when it is moved
    python: str  # major and minor version
    pyproject: str  # the digest of pyproject.toml
    groups: tuple[str, ...]  # sorted

    def covers(self, other: Stamp) -> bool:
        """Return whether a venv with this stamp has all that `other` asks for."""
        same_files = replace(self, groups=()) == replace(other, groups=())
        return same_files and set(other.groups) <= set(self.groups)


@dataclass(frozen=True)
class Venv:
    """The venv of a checkout, finished or not."""

    folder: Path

    @property
    def stamp_file(self) -> Path:
        """Where its stamp lies."""
        return self.folder / "bezique-stamp.json"

    def tool(self, name: str) -> Path:
        """Return the path of a command installed in the venv."""
        place = f"Scripts/{name}.exe" if os.name == "nt" else f"bin/{name}"
        return self.folder / place

    def stamp(self) -> Stamp | None:
        """Return the stamp, or None when the venv is missing or half made."""
        if not self.tool("python").exists():
            return None
        try:
            fields = json.loads(self.stamp_file.read_text(encoding="utf-8"))
            return Stamp(**{**fields, "groups": tuple(fields["groups"])})
        except (OSError, ValueError, TypeError, KeyError):
            return None


def say(text: str) -> None:
    """Print a line of progress at once, also into a pipe."""
    print(text, flush=True)


def wanted_stamp(root: Path, groups: tuple[str, ...]) -> Stamp:
    """Return the stamp of a venv that has these groups and nothing stale."""
    digest = hashlib.sha256((root / "pyproject.toml").read_bytes()).hexdigest()
    python = "{}.{}".format(*sys.version_info)
    return Stamp(str(root), python, digest, tuple(sorted(groups)))


def requirements(project: dict[str, Any], groups: tuple[str, ...]) -> list[str]:
    """Return what some groups require: a fresh venv's pip may not know `--group`."""
    found: list[str] = []
    for group in groups:
        for entry in project["dependency-groups"][group]:
            if isinstance(entry, dict):
                found += requirements(project, (entry["include-group"],))
            else:
                found.append(entry)
    return found


def run(command: list[str]) -> int:
    """Run a command in the checkout, let it print, and return its exit code."""
    return subprocess.call(command, cwd=ROOT)


def has_module(name: str) -> bool:
    """Return whether the Python that runs this file has a module."""
    return importlib.util.find_spec(name) is not None


def make_venv(venv: Venv) -> None:
    """Make an empty venv in place of whatever is there."""
    make = [sys.executable, "-m", "venv", str(venv.folder)]
    uv = shutil.which("uv")
    if uv:
        make = [uv, "venv", "--quiet", "--python", sys.executable, str(venv.folder)]
    elif not has_module("venv") or not (has_module("ensurepip") or has_module("pip")):
        msg = (
            f"{sys.executable} cannot make a venv: it has no ensurepip and no pip\n"
            "    on Debian and Ubuntu: apt install python3-venv"
        )
        raise SetUpError(msg)
    elif not has_module("ensurepip"):
        make.append("--without-pip")
    shutil.rmtree(venv.folder, ignore_errors=True)
    say("making .venv, once")
    if run(make) != 0:
        msg = f"could not make {venv.folder}: `{' '.join(make)}` failed"
        raise SetUpError(msg)


def installer(venv: Venv) -> list[str]:
    """Return the start of a command that installs into the venv."""
    python = str(venv.tool("python"))
    uv = shutil.which("uv")
    if uv:
        return [uv, "pip", "install", "--python", python]
    quiet = ["--disable-pip-version-check", "--no-input", "--progress-bar", "off"]
    if venv.tool("pip").exists():
        return [python, "-m", "pip", "install", *quiet]
    return [sys.executable, "-m", "pip", "--python", python, "install", *quiet]


def prepare(command: str, root: Path = ROOT) -> Venv:
    """Return a venv that has what a command needs, made or renewed if necessary.

    A venv without a stamp was interrupted while it was made, and one of another
    Python or place does not work: both are made again.  With the right stamp
    nothing is done; otherwise the install is repeated over what is there.
    """
    venv = Venv(root / ".venv")
    need = wanted_stamp(root, GROUPS.get(command, ()))
    have = venv.stamp()
    if have and have.covers(need):
        return venv
    if have is None or (have.root, have.python) != (need.root, need.python):
        make_venv(venv)
    elif have.pyproject == need.pyproject:
        need = replace(need, groups=tuple(sorted({*have.groups, *need.groups})))
    tomllib = importlib.import_module("tomllib")  # an older Python has none
    text = (root / "pyproject.toml").read_text(encoding="utf-8")
    extra = requirements(tomllib.loads(text), need.groups)
    say(f"installing what `{command}` needs; the first time takes a minute")
    if run([*installer(venv), "--editable", str(root), *extra]) != 0:
        msg = "could not install: see above; is there a network?"
        raise SetUpError(msg)
    venv.stamp_file.write_text(json.dumps(asdict(need), indent=2), encoding="utf-8")
    say("ready")
    return venv


def run_gates(venv: Venv, gates: dict[str, tuple[str, ...]]) -> int:
    """Run all gates, also after one failed, and return 1 if any failed."""
    failed: list[str] = []
    for name, (tool, *arguments) in gates.items():
        say(f"\n=== {name}: {' '.join([tool, *arguments])}")
        start = time.monotonic()
        if run([str(venv.tool(tool)), *arguments]) != 0:
            failed.append(name)
        say(f"--- {name} took {time.monotonic() - start:.1f} s")
    say(f"\n{len(gates) - len(failed)} of {len(gates)} gates passed")
    if failed:
        say(f"failed: {'; '.join(failed)}")
    return 1 if failed else 0


def hand_over(command: list[str]) -> int:
    """Become another command, so that it alone answers the keyboard."""
    os.environ["BEZIQUE_COMMAND"] = "python3 run.py"  # how to be called again
    if os.name != "nt":  # where execv does not wait for the command to end
        os.execv(command[0], command)  # noqa: S606 - no shell is wanted
    return subprocess.call(command)


def check(version: tuple[int, ...], arguments: list[str]) -> None:
    """Refuse a Python that is too old, and arguments that mean nothing."""
    if version < OLDEST:
        text = "bezique needs Python {}.{} or newer, got {}.{}"
        raise SetUpError(text.format(*OLDEST, *version))
    if arguments[0] == "test" and arguments[1:] not in ([], ["--long"]):
        msg = f"test takes --long and nothing else, got {arguments[1:]}"
        raise SetUpError(msg)


def main(arguments: list[str]) -> int:
    """Do what the command line asks, and return the exit code."""
    if not arguments or arguments[0] in {"-h", "--help", "help"}:
        say((__doc__ or "").partition("\n\n")[2].partition("\n\nTerms")[0])
        return 0 if arguments else 2
    try:
        check(sys.version_info[:3], arguments)
        venv = prepare(arguments[0])
    except SetUpError as error:
        print(f"run.py: {error}", file=sys.stderr)
        return 1
    if arguments[0] == "test":
        return run_gates(venv, {**GATES, **LONG_GATES} if arguments[1:] else GATES)
    if arguments[0] == "docs":
        return run([str(venv.tool(DOCS[0])), *DOCS[1:]])
    return hand_over([str(venv.tool("bezique")), *arguments])


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        say("\ninterrupted")
        sys.exit(130)  # what a shell reports for a command ended by Ctrl-C
