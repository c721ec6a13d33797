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
from bezique.spec.elaborate import Elaboration
from bezique.spec.notes import Notes
from bezique.spec.overlay import flatten, read_file
from bezique.spec.problem import RulesError
from bezique.spec.shape import shaped
from bezique.spec.source import Text, read_text
from bezique.spec.wording import check_literals, check_profile_sentences

__all__ = ["built_in", "load", "load_file", "load_text", "names"]


def built_in() -> dict[str, Path]:
    """Return the built-in rule files by name, the common base included."""
    return {file.stem: file for file in sorted(rules_folder().glob("*.yaml"))}


def names() -> tuple[str, ...]:
    """Return the names of the built-in profiles, in alphabetical order.

    >>> "base" in names()
    False
    """
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
    beside = {path.stem: path for path in sorted(file.parent.glob("*.yaml"))}
    known = {**beside, **built_in(), **{path.stem: path for path in others}}
    return _profile(flatten(file, known))


def load_text(text: str, file: str = "rules.yaml", base: Path | None = None) -> Profile:
    """Return the profile that a text describes, as if it stood in a file of that name.

    Args:
        text: The text of a rule file.
        file: The name that problems give.
        base: A rule file that `based_on` may name besides the built-in ones.

    Raises:
        RulesError: With every problem of the text and its bases.
    """
    here = Path(file)

    def read(path: Path) -> Text:
        return read_text(text, file) if path == here else read_file(path)

    known = {here.stem: here, **built_in(), **({base.stem: base} if base else {})}
    return _profile(flatten(here, known, read))


def _profile(text: Text) -> Profile:
    form = shaped(text) if isinstance(text.value, dict) else None
    if form is not None:
        try:
            profile = Elaboration(form, text).profile()
            if not text.problems:
                check(profile, text)
            if not text.problems:
                text.problems += check_profile_sentences(profile, text)
        except RecursionError:
            expected = "terms that Python can follow"
            Notes(text).problem((), expected, "a deeper nest", "term-depth")
        if not text.problems:
            return profile
        check_literals(form.sentences, text)
    raise RulesError(text.problems)
