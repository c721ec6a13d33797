"""Known failures: checks that a program is known not to pass, in a file that cannot go stale.

A line names a case and a profile, then perhaps why; the rest of a line after `#` is a remark:

    strict-beat-the-card-led luso    # see our ticket 12

A listed check that passes fails the run, and so does one that the suite no longer has: the
list says what is, or it is mended (`fix`).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bezique.conformance.suite import Check, Result
from bezique.engine.errors import BadRequestError

WORDS = 2
HEAD = "# Checks that fail, and are known to: case, profile, # why\n"

Name = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A run beside a list of known failures.

    Attributes:
        new: Bad results that are not listed.
        known: Bad results that are.
        passing: Listed checks that pass.
        gone: Listed checks that the suite has not.
    """

    new: tuple[Result, ...]
    known: tuple[Result, ...]
    passing: tuple[Name, ...]
    gone: tuple[Name, ...]

    @property
    def clean(self) -> bool:
        """Return whether the list says just what is."""
        return not (self.new or self.passing or self.gone)


def read_known(path: Path) -> dict[Name, str]:
    """Return the listed checks, each with its remark.

    Raises:
        BadRequestError: A line names no case and profile, or one twice.
    """
    found: dict[Name, str] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        said, _, remark = line.partition("#")
        words = said.split()
        if not words:
            continue
        if len(words) != WORDS or (words[0], words[1]) in found:
            where = f"{path}:{number}"
            raise BadRequestError(
                where=where, expected="a case and a profile, once", got=line.strip()
            )
        found[words[0], words[1]] = remark.strip()
    return found


def compare(
    listed: Iterable[Name], results: Sequence[Result], suite: Iterable[Check]
) -> Comparison:
    """Return a run beside a list; what is listed and was not run is left alone."""
    names = frozenset(listed)
    bad = [result for result in results if result.bad]
    passed = {_name(result.check) for result in results if result.verdict == "passed"}
    all_names = {_name(check) for check in suite}
    return Comparison(
        new=tuple(item for item in bad if _name(item.check) not in names),
        known=tuple(item for item in bad if _name(item.check) in names),
        passing=tuple(sorted(names & passed)),
        gone=tuple(sorted(names - all_names)),
    )


def fixed(listed: dict[Name, str], found: Comparison) -> str:
    """Return the text of a list that says what is; remarks stay with their checks."""
    stay = {
        name: remark
        for name, remark in listed.items()
        if name not in found.passing and name not in found.gone
    }
    lines = stay | {_name(result.check): "" for result in found.new}
    return HEAD + "".join(
        f"{case} {profile}" + (f"  # {remark}" if remark else "") + "\n"
        for (case, profile), remark in sorted(lines.items())
    )


def _name(check: Check) -> Name:
    return check.case.id, check.profile
