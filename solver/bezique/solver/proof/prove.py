"""Proving: all obligations of some tables, side by side on the cores there are.

Every table under every setting of its options is a job of its own, in a process and Z3 contexts
of its own; answers come as they are found.  Compiled code that is the same text under two
settings is proved once.
"""

import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bezique.engine.library import Library
from bezique.engine.moves import code_of
from bezique.engine.rules import Rules, Setting
from bezique.solver.proof.answer import Result
from bezique.solver.proof.claims import answers
from bezique.solver.proof.obligations import Table, settings
from bezique.solver.proof.search import Limits


@dataclass(frozen=True)
class Job:
    """One table under one setting, and whether its code has to be proved for it."""

    profile: str
    options: dict[str, Setting]
    code: bool


def jobs(library: Library, names: tuple[str, ...]) -> list[Job]:
    """Return the jobs that prove some profiles, the longest first."""
    found: list[Job] = []
    for name in names:
        texts: set[str] = set()
        for options in settings(library.profile(name)):
            source = _code(library.rules(name, options))
            found.append(Job(name, options, source not in texts))
            texts.add(source)
    packs = {name: len(library.rules(name).pack) for name in names}
    return sorted(found, key=lambda job: (not job.code, -packs[job.profile]))


def proved(library_files: tuple[Path, ...], job: Job, limits: Limits) -> list[Result]:
    """Return the answers to all obligations of one job."""
    rules = Library(library_files).rules(job.profile, job.options)
    table = Table(rules, limits)
    results = list(table.results(code=job.code))
    if not job.options:
        results += [
            Result(job.profile, {}, name, answer.verdict, answer.detail, 0.0, answer.counterexample)
            for name, answer in answers(rules, limits)
        ]  # fmt: skip
    return results


def prove(
    library_files: tuple[Path, ...],
    names: tuple[str, ...],
    limits: Limits | None = None,
    processes: int | None = None,
) -> Iterator[tuple[int, int, list[Result]]]:
    """Yield the answers job by job, with how many of how many jobs are done."""
    limits = limits or Limits()
    todo = jobs(Library(library_files), names)
    with ProcessPoolExecutor(max_workers=processes or os.cpu_count() or 1) as pool:
        running = [pool.submit(proved, library_files, job, limits) for job in todo]
        for done, future in enumerate(as_completed(running), start=1):
            yield done, len(todo), future.result()


def result_json(result: Result) -> dict[str, Any]:
    """Return a result as JSON."""
    return asdict(result)


def _code(rules: Rules) -> str:
    """Return the text of a table's compiled code, without the line that names the table."""
    compiled: Any = code_of(rules)
    return (
        str(compiled.source).split("\n", 1)[1]
        + repr(rules.hand_size)
        + repr(len(rules.pack))
    )
