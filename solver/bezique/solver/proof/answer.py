"""Answers: what a question came to, and how it is reported."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from bezique.engine.rules import Setting


@dataclass(frozen=True)
class Answer:
    """What a question came to: `proved`, `refuted` or `undecided`, and why.

    `steps` is how many of Z3's steps the last check behind it took, 0 where none was asked.
    """

    verdict: str
    detail: str = ""
    counterexample: dict[str, Any] | None = None
    steps: int = 0


Question: TypeAlias = Callable[[], Answer]


@dataclass(frozen=True)
class Result:
    """The answer to one obligation."""

    profile: str
    options: dict[str, Setting]
    name: str
    verdict: str
    detail: str
    seconds: float
    counterexample: dict[str, Any] | None = None

    @property
    def holds(self) -> bool:
        """Return whether the obligation is met."""
        return self.verdict == "proved"
