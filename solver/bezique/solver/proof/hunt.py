"""The hunt: many mutants of many tables decided, side by side on the cores there are.

Mutants are taken evenly from all of a table's, so that any number of them shows every kind.
"""

import os
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import Any

from bezique.engine.library import Library
from bezique.solver.proof.mutants import Decided, decided, mutants
from bezique.solver.proof.search import Limits
from bezique.solver.proof.show import difference_json

# A mutant is one of hundreds: what cannot be told soon is said to be so.
LIMITS = Limits(rlimit=6_000_000, backstop_ms=10_000)


def hunt(
    names: tuple[str, ...], most: int, processes: int | None = None
) -> Iterator[tuple[int, int, list[dict[str, Any]]]]:
    """Yield decided mutants as JSON, share by share, with how many shares of how many are done.

    Args:
        names: Built-in profiles.
        most: How many mutants in all, the same number for each profile.
        processes: How many processes; as many as cores unless given.
    """
    each = max(1, most // len(names))
    shares = [(name, part, each) for name in names for part in range(2)]
    with ProcessPoolExecutor(max_workers=processes or os.cpu_count() or 1) as pool:
        running = [pool.submit(share, *item) for item in shares]
        for done, future in enumerate(as_completed(running), start=1):
            yield done, len(shares), future.result()


def share(name: str, part: int, most: int) -> list[dict[str, Any]]:
    """Return every second of a profile's mutants, decided."""
    rules = Library().rules(name)
    every = list(mutants(rules.profile))
    step = max(1, len(every) // most)
    chosen = every[::step][:most][part::2]
    pool: dict[Any, Any] = {}
    return [decided_json(decided(rules, mutant, pool, LIMITS)) for mutant in chosen]


def decided_json(found: Decided) -> dict[str, Any]:
    """Return what became of a mutant as JSON."""
    written: dict[str, Any] = {
        "profile": found.mutant.profile.name,
        "kind": found.mutant.kind,
        "clause": found.mutant.clause,
        "what": found.mutant.what,
        "verdict": found.verdict,
    }
    if found.difference is not None:
        written["difference"] = difference_json(found.difference)
    return written


def tally(found: list[dict[str, Any]]) -> dict[str, Counter[str]]:
    """Return for each profile how many mutants came to which verdict."""
    counts: dict[str, Counter[str]] = {}
    for item in found:
        counts.setdefault(item["profile"], Counter())[item["verdict"]] += 1
    return counts
