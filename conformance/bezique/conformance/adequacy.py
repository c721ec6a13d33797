"""Adequacy: do the cases find out rules with a fault?

The mutants of the proofs, wrong rules made from right ones by one small change, are put to the
suite: a mutant is *killed* by a case that fails where it is played.  Of one that survives it is
asked whether it plays another game at all; if it provably does, a case is missing, and the
smallest situation that tells it is proposed as that case.

Terms
    killed      a case fails under the mutant's rules; the document cases are asked first
    survives    every case passes, and a situation tells it from the right rules
    equivalent  proved to play the same game
    undecided   not distinguished within the bound

Only cases without rules of their own are asked: others lay theirs over the right profile.  What
is beside the protocol is asked of the mutant's rules themselves.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bezique.conformance.case import Case, CaseFile, CountCase, SolveCase, SpecCase
from bezique.conformance.compile import checked_in, merged, write
from bezique.conformance.files import all_cases, canonical
from bezique.conformance.run_case import run
from bezique.conformance.spec_case import facts_asked
from bezique.conformance.target import BuiltIn, FaultError, library
from bezique.conformance.witness_case import (
    UnwritableError,
    case_of,
    confirm,
    references,
    situation,
)
from bezique.engine.library import Library
from bezique.engine.rules import Rules

if TYPE_CHECKING:
    from bezique.solver.proof.mutants import Mutant

FAULTS = "faults"
PARTS = 4
"""In so many parts the mutants of a profile are judged, side by side."""
ANCHORS = ("document", "reading", "regression")
"""Origins of the cases that are written by hand, from the documents and the register."""


@dataclass(frozen=True)
class Fate:
    """What became of a mutant.

    Attributes:
        profile: The profile it is a mutant of.
        mutant: Its name.
        verdict: `killed`, `survives`, `equivalent` or `undecided`.
        case: The id of the case that killed it, a hand-written one where there is one.
        by_document: Whether a hand-written case kills it.
        proposed: Of a survivor: a case that would kill it, or why none can be written.
    """

    profile: str
    mutant: str
    verdict: str
    case: str = ""
    by_document: bool = False
    proposed: Case | str | None = None


@dataclass(frozen=True)
class Tally:
    """How many of the mutants that differ are killed, by hand-written cases alone and by all."""

    differ: int
    by_document: int
    by_all: int

    def __str__(self) -> str:
        """Return it in words."""
        return (
            f"of {self.differ} mutants that differ, document cases kill {self.by_document} "
            f"({_percent(self.by_document, self.differ)}), all cases {self.by_all} "
            f"({_percent(self.by_all, self.differ)})"
        )


def adequacy(
    profile: str,
    most: int | None = None,
    cases: Sequence[Case] | None = None,
    part: int = 0,
    parts: int = 1,
) -> Iterator[Fate]:
    """Yield what becomes of the mutants of a profile.

    Args:
        profile: A built-in profile.
        most: How many mutants, taken evenly from all; all when left out.
        cases: The suite; the checked-in one when left out.
        part: Which of some parts of the mutants, from 0.
        parts: How many parts there are.
    """
    from bezique.solver.proof.mutants import mutants  # noqa: PLC0415

    rules = library().rules(profile)
    every = list(mutants(rules.profile))
    if most is not None:
        every = every[:: max(1, -(-len(every) // most))]
    asked = questions(profile, all_cases() if cases is None else cases)
    pool: dict[Any, Any] = {}
    for mutant in every[part::parts]:
        killer = killed_by(mutant, profile, asked)
        if killer is None:
            yield _surviving(rules, mutant, pool)
            continue
        yield Fate(profile, mutant.name, "killed", killer.id, killer.origin in ANCHORS)


def all_adequacy(
    profiles: Sequence[str], most: int | None = None
) -> Iterator[tuple[int, int, list[Fate]]]:
    """Yield the fates part by part, with how many parts of how many are done.

    Args:
        profiles: Built-in profiles, judged side by side.
        most: How many mutants in all, the same number for each profile; all when left out.
    """
    each = None if most is None else max(1, most // len(profiles))
    with ProcessPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        running = [
            pool.submit(_listed, profile, each, part)
            for profile in profiles
            for part in range(PARTS)
        ]
        for done, future in enumerate(as_completed(running), start=1):
            yield done, len(running), future.result()


def _listed(profile: str, most: int | None, part: int) -> list[Fate]:
    return list(adequacy(profile, most, part=part, parts=PARTS))


def tally(fates: Iterable[Fate]) -> Tally:
    """Return the kill rates."""
    found = [fate for fate in fates if fate.verdict in ("killed", "survives")]
    return Tally(
        len(found),
        sum(fate.by_document for fate in found),
        sum(fate.verdict == "killed" for fate in found),
    )


def proposal(fate: Fate) -> str:
    """Return the case that a survivor proposes as it would stand in a file, or why there is none."""
    if not isinstance(fate.proposed, str | None):
        file = CaseFile(topic="proposed", cases=(fate.proposed,))
        return canonical(file).partition("cases:\n")[2]
    return f"  no case: {fate.proposed}\n"


def add_proposed(fates: Iterable[Fate]) -> int:
    """Add the cases that survivors propose to the compiled ones, and return how many are new.

    What kills several mutants, or is the same at several tables, is added once.
    """
    known = checked_in(FAULTS)
    proposed = [
        fate.proposed.model_dump(mode="json", exclude_unset=True)
        for fate in fates
        if not isinstance(fate.proposed, str | None)
    ]
    old = [case.model_dump(mode="json", exclude_unset=True) for case in known]
    file = merged(FAULTS, [*old, *proposed])
    write({FAULTS: file})
    return len(file.cases) - len(known)


def questions(profile: str, cases: Iterable[Case]) -> tuple[Case, ...]:
    """Return the cases that can be put to a mutant of a profile."""
    return tuple(
        case
        for case in cases
        if profile in case.profiles
        and not case.rules
        and not isinstance(case, SolveCase)
    )


def killed_by(mutant: "Mutant", profile: str, cases: Iterable[Case]) -> Case | None:
    """Return the first case that fails under a mutant's rules, hand-written ones first.

    Of those, and of the others, the cases that name the mutant's clause are asked first.
    """
    mutated = Library(profiles=[mutant.profile])
    target = BuiltIn(mutated)
    places = set(mutant.clause.split())

    def order(case: Case) -> tuple[bool, bool, bool]:
        named = places & {*case.obeys, *case.breaks}
        # Counting takes longest, and rarely tells what nothing else does.
        return case.origin not in ANCHORS, isinstance(case, CountCase), not named

    for case in sorted(cases, key=order):
        try:
            if isinstance(case, SpecCase):
                rules = mutated.rules(profile, case.options)
                passed = facts_asked(case, rules) == case.expected
            else:
                passed = run(case, profile, target).passed
        except FaultError:
            passed = False
        if not passed:
            return case
    return None


def _surviving(rules: Rules, mutant: "Mutant", pool: dict[Any, Any]) -> Fate:
    from bezique.solver.proof.hunt import LIMITS  # noqa: PLC0415
    from bezique.solver.proof.mutants import decided  # noqa: PLC0415

    name = rules.profile.name
    found = decided(rules, mutant, pool, LIMITS)
    if found.difference is None:
        verdict = "equivalent" if found.verdict == "equivalent" else "undecided"
        return Fate(name, mutant.name, verdict)
    proposed: Case | str
    witness = found.difference.witness
    try:
        if witness is None:
            proposed = "no situation was found that shows it"
        else:
            written = situation(
                witness.one_position,
                witness.action,
                witness.two_position,
                lenient=witness.lenient,
            )
            about = references(rules, f"{mutant.clause} {found.difference.clause}", written)  # fmt: skip
            refused = any("=> refused" in step for step in written.get("steps", ()))
            proposed = case_of(
                {
                    "id": slug(mutant, name),
                    "why": f"with a fault in {mutant.clause} ({mutant.what}) this would come out otherwise",
                    "profiles": [name],
                    "origin": "mutant witness",
                    "breaks" if refused else "obeys": list(about),
                    **written,
                }
            )
            confirm(proposed, name, Library(profiles=[mutant.profile]))
    except UnwritableError as error:
        proposed = str(error)
    return Fate(name, mutant.name, "survives", proposed=proposed)


def slug(mutant: "Mutant", profile: str) -> str:
    """Return the id of the case that a mutant's witness makes."""
    words = "".join(
        char if char.isalnum() else " " for char in f"{mutant.clause} {mutant.what}"
    )
    short = "-".join(words.lower().split())[: 59 - len(profile) - len("fault-")]
    return f"fault-{short.strip('-')}-{profile}"


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "none"
