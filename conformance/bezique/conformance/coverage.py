"""Coverage: which statements, readings and clauses the cases show kept and broken.

Everything that binds wants two cases: one that obeys it and one that breaks it.  Where
there can be none, `cases/without.yaml` says why.  Beside the cases stand the proofs that are
about a thing, and the screens where a player meets it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from bezique.conformance.case import Case, Excuse
from bezique.spec.load import load, names
from bezique.spec.register import register
from bezique.spec.sources import BINDING

SIDES = ("obeys", "breaks")

Evidence = Mapping[str, tuple[str, ...]]


class Want(NamedTuple):
    """A reference that wants a case: which side of it, and in which profile; '' is any."""

    of: str
    side: str
    profile: str = ""

    def __str__(self) -> str:
        """Return the want in words."""
        return f"{self.side} {self.of}" + (
            f" in {self.profile}" if self.profile else ""
        )


def shown(cases: Iterable[Case]) -> frozenset[Want]:
    """Return what the cases show, for each of their profiles and for any."""
    return frozenset(
        Want(reference, side, profile)
        for case in cases
        for side in SIDES
        for reference in getattr(case, side)
        for profile in ("", *case.profiles)
    )


def wanted() -> Iterator[Want]:
    """Yield everything that wants a case.

    Statements that bind and readings want one anywhere, clauses in every profile.
    """
    found = register()
    for statement in found.statements:
        if statement.kind in BINDING:
            yield from (Want(statement.id, side) for side in SIDES)
    for row in found.readings:
        for name in (
            f"R{row.number}",
            *(f"R{row.number}/{at}" for at in range(1, len(row.others) + 1)),
        ):
            yield from (Want(name, side) for side in SIDES)
    for profile in names():
        for clause in load(profile).clause_ids:
            yield from (Want(clause, side, profile) for side in SIDES)


def excused(excuses: Iterable[Excuse]) -> frozenset[Want]:
    """Return the wants that cannot be met."""
    return frozenset(
        Want(item.of, item.side, profile)
        for item in excuses
        for profile in item.profiles or ("",)
    )


def missing(cases: Iterable[Case], excuses: Iterable[Excuse]) -> tuple[Want, ...]:
    """Return the wants that no case meets and no reason excuses."""
    met = shown(cases) | excused(excuses)
    return tuple(
        want
        for want in wanted()
        if want not in met and want._replace(profile="") not in excused(excuses)
    )


def stale(cases: Iterable[Case], excuses: Iterable[Excuse]) -> tuple[Want, ...]:
    """Return the excuses that are none: a case shows it, or nothing wants it."""
    met, wants = shown(cases), frozenset(wanted())
    return tuple(
        sorted(
            want for want in excused(excuses) if want in met or not _wants(want, wants)
        )
    )


def _wants(want: Want, wants: frozenset[Want]) -> bool:
    return want in wants or any(want == item._replace(profile="") for item in wants)


def table(
    cases: Iterable[Case],
    excuses: Iterable[Excuse],
    *,
    every: bool = False,
    proofs: Evidence | None = None,
    screens: Evidence | None = None,
) -> Iterator[str]:
    """Yield a line for each kind of thing that wants cases, and for each thing.

    Args:
        cases: The suite.
        excuses: What it cannot show, and why.
        every: Whether things are told that are shown kept and broken as well.
        proofs: The obligations about each thing.
        screens: The screens where each is met.
    """
    beside = {"proofs": proofs, "screens": screens}
    found, reasons = tuple(cases), tuple(excuses)
    numbers = {
        side: Counter(name for case in found for name in getattr(case, side))
        for side in SIDES
    }
    because: dict[tuple[str, str], str] = {
        (item.of, item.side): item.because for item in reasons
    }
    groups: dict[str, set[str]] = {
        "statements": set(),
        "readings": set(),
        "clauses": set(),
    }
    for want in wanted():
        groups[_group(want.of)].add(want.of)
    for group, names_of in groups.items():
        both = [name for name in names_of if all(numbers[side][name] for side in SIDES)]
        met = [
            f", with {word} {sum(name in told for name in names_of)}"
            for word, told in beside.items()
            if told and any(name in told for name in names_of)
        ]
        yield f"{group}: {len(names_of)}, shown kept and broken {len(both)}{''.join(met)}"
        for name in sorted(names_of):
            counts = [numbers[side][name] for side in SIDES]
            if every or not all(counts):
                told = f"    {name}: kept by {counts[0]} cases, broken by {counts[1]}"
                told += "".join(
                    f", {word} {len(some[name])}"
                    for word, some in beside.items()
                    if some and name in some
                )
                why = [because[name, side] for side in SIDES if (name, side) in because]
                yield told + (f" ({why[0]})" if why else "")


def _group(name: str) -> str:
    return {"D": "statements", "R": "readings"}.get(name[0], "clauses")
