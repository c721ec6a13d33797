"""Telling questions: for each profile the fewest cases that tell every other reading from it.

    $ python -m bezique.conformance.telling    # choose them anew, into data/telling.json

Chosen greedily: the question that tells most of what is not told yet, and so on.  That is
within a factor of the logarithm of the best, and in practice a dozen or so.
"""

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bezique.conformance.case import Case
from bezique.conformance.files import all_cases
from bezique.conformance.hypotheses import Hypothesis, deviations, library_of
from bezique.conformance.questions import Answer, answer, asked
from bezique.conformance.suite import Check, checks
from bezique.conformance.target import BuiltIn
from bezique.spec.load import names
from bezique.spec.problem import RulesError

Json = dict[str, Any]

FILE = Path(__file__).parent / "data" / "telling.json"
KINDS = ("legal", "apply", "play", "view")


def questions_of(profile: str, cases: Iterable[Case]) -> tuple[Check, ...]:
    """Return the checks of a profile that can be asked of a program that plays anything."""
    return tuple(
        check
        for check in checks(cases)
        if check.profile == profile and check.case.kind in KINDS
    )


class Oracle:
    """What the built-in engine answers under any hypothesis, each answer found once."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str, str, Hypothesis], Answer | None] = {}

    def answer(
        self, check: Check, profile: str, hypothesis: Hypothesis
    ) -> Answer | None:
        """Return what is answered to a check where a profile is played with deviations.

        The requests are those of the check's own profile; only who answers differs.  None:
        the deviations do not go together.
        """
        key = (check.case.id, check.profile, profile, hypothesis)
        if key not in self._found:
            self._found[key] = _answered(check, profile, hypothesis)
        return self._found[key]


def _answered(check: Check, profile: str, hypothesis: Hypothesis) -> Answer | None:
    try:
        library = library_of(profile, hypothesis)
    except RulesError:
        return None
    return answer(renamed(asked(check), profile), BuiltIn(library))


def renamed(requests: Iterable[Json], profile: str) -> tuple[Json, ...]:
    """Return requests with another name for their profile."""

    def named(request: Json) -> Json:
        place = request.get("position", request)
        if "profile" not in place:
            return request
        over = {**place, "profile": profile}
        return {**request, "position": over} if "position" in request else over

    return tuple(map(named, requests))


def telling(profile: str) -> tuple[str, ...]:
    """Return the ids of the telling cases of a profile, the most telling first."""
    return tuple(json.loads(FILE.read_text(encoding="utf-8"))[profile])


def choose(profile: str, cases: Iterable[Case]) -> tuple[str, ...]:
    """Return the ids of the telling cases of a profile, chosen anew."""
    pool, oracle = questions_of(profile, cases), Oracle()
    told: dict[str, frozenset[str]] = {}
    for check in pool:
        plain = oracle.answer(check, profile, ())
        told[check.case.id] = frozenset(
            item.name
            for item in deviations(profile)
            if oracle.answer(check, profile, (item,)) not in (plain, None)
        )
    left = set().union(*told.values())
    found: list[str] = []
    while left:
        # What needs no capability goes first; of equals the first by name.
        best = min(told, key=lambda name: (-len(told[name] & left), name))
        found.append(best)
        left -= told[best]
    return tuple(found)


def main() -> None:
    """Choose the telling cases of every profile anew."""
    cases = all_cases()
    chosen = {}
    for profile in names():
        chosen[profile] = choose(profile, cases)
        sys.stdout.write(f"{profile}: {len(chosen[profile])}\n")
    FILE.write_text(json.dumps(chosen, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
