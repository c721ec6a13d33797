"""Evidence: what besides cases bears the documents out, proofs and screens.

Terms
    proof    an obligation that `bezique prove` has to meet, by its name
    screen   a place of the web table where a player meets what a statement says; the test
             named beside it looks there

Source: `spec/sources/claims.yaml`, `spec/sources/screens.yaml`.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache

import yaml
from pydantic import BaseModel, ConfigDict

from bezique.conformance.target import library
from bezique.spec.data import sources_folder
from bezique.spec.load import names

Proofs = Mapping[str, tuple[str, ...]]


class Screen(BaseModel):
    """A place where a statement is met.

    Attributes:
        statement: Its id.
        screen: The page, and the part of it.
        test: The test that looks, as pytest names it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    statement: str
    screen: str
    test: str


class _Screens(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    screens: tuple[Screen, ...]


@cache
def screens() -> tuple[Screen, ...]:
    """Return every screen on record."""
    text = (sources_folder() / "screens.yaml").read_text(encoding="utf-8")
    return _Screens.model_validate(yaml.safe_load(text)).screens


def screens_of() -> Mapping[str, tuple[str, ...]]:
    """Return for each statement the screens where it is met."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for screen in screens():
        found[screen.statement].append(screen.screen)
    return {name: tuple(some) for name, some in found.items()}


def proofs_of() -> Proofs:
    """Return for each statement and clause the obligations that are about it, at any table.

    Raises:
        ImportError: Z3 is not installed; obligations are its questions.
    """
    from bezique.solver.proof.claims import claims  # noqa: PLC0415
    from bezique.solver.proof.obligations import Table  # noqa: PLC0415

    found: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for claim in claims():
        found[claim.statement][f"claims/{claim.statement}/{claim.kind}"] = None
    for profile in names():
        rules = library().rules(profile)
        for name, _ in Table(rules).questions():
            for about in _about(name):
                found[about][name] = None
        for action in rules.profile.actions.values():
            for clause in action.conditions:
                duty = getattr(clause.test, "function", "") == "obeys"
                proof = "compiled/duties" if duty else "compiled/conditions"
                found[clause.id][proof] = None
        for meld in rules.profile.melds.values():
            for clause in meld.conditions:
                found[clause.id]["compiled/conditions"] = None
        for duty in rules.profile.duties:
            for part in duty.sets:
                found[f"{duty.name}/{part}"]["compiled/duties"] = None
        for verdict in rules.profile.verdict:
            found[verdict.id]["verdicts/exclusive"] = None
    return {name: tuple(some) for name, some in found.items()}


def _about(obligation: str) -> Iterator[str]:
    """Yield the clause that an obligation names: `duties/strict/heads/binds`, `actions/play/duty/refuses`."""
    kind, *clause, end = obligation.split("/")
    if kind in ("duties", "actions") and end in ("binds", "refuses"):
        yield "/".join(clause)
    if obligation.startswith("tricks/"):
        yield "trick/winner"
