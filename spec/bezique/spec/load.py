"""Loading: from the name of a profile, or a rule file, to its checked rules.

>>> load("cady").name
'cady'
"""

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from bezique.spec.check import check
from bezique.spec.core import Profile
from bezique.spec.data import rules_folder
from bezique.spec.elaborate import Elaboration, shaped
from bezique.spec.overlay import flatten, read_file
from bezique.spec.problem import Mark, Problem, RulesError
from bezique.spec.source import Text


def built_in() -> dict[str, Path]:
    """Return the built-in rule files by name, the common base included."""
    return {file.stem: file for file in sorted(rules_folder().glob("*.yaml"))}


def names() -> tuple[str, ...]:
    """Return the names of the built-in profiles, in alphabetical order."""
    return tuple(name for name in built_in() if name != "base")


@cache
def load(name: str) -> Profile:
    """Return a built-in profile.

    Raises:
        KeyError: No built-in profile has that name.
        RulesError: The file has problems.
    """
    if name not in names():
        raise KeyError(name)
    return load_file(built_in()[name])


def load_file(file: Path, others: Iterable[Path] = ()) -> Profile:
    """Return the profile of a rule file.

    Args:
        file: A rule file; `based_on` in it names a built-in file, one of `others` or a
            file beside it, without `.yaml`.
        others: More rule files that can be bases.

    Raises:
        RulesError: With every problem of the file and its bases.
    """
    beside = {path.stem: path for path in sorted(file.parent.glob("*.yaml")) if path.parent != rules_folder()}
    known = {**beside, **built_in(), **{path.stem: path for path in others}}
    return _profile(flatten(file, known))


def load_text(text: str, file: str = "rules.yaml", base: Path | None = None) -> Profile:
    """Return the profile that a text describes, as if it stood in a file of that name.

    Raises:
        RulesError: With every problem of the text and its bases.
    """
    here = Path(file)

    def read(path: Path) -> Text:
        from bezique.spec.source import read_text

        return read_text(text, file) if path == here else read_file(path)

    known = built_in() | ({base.stem: base} if base else {})
    return _profile(flatten(here, {**known, here.stem: here}, read))


def _profile(text: Text) -> Profile:
    if isinstance(text.value, dict):
        form = shaped(text)
        if form is not None:
            profile = Elaboration(form, text).profile()
            if not text.problems:
                text.problems += check(profile, text)
            if not text.problems:
                return profile
    if not text.problems:
        text.problems.append(Problem(Mark("(rules)", 1, 1), "a rule file", "something else", "(file)", "shape"))
    raise RulesError(text.problems)
