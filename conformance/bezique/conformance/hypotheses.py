"""Hypotheses: the tables a program may play, each a profile with perhaps other readings.

Terms
    deviation   one row of the register of readings, read otherwise than the profile reads it
    hypothesis  a profile and its deviations; none: the profile as its document has it
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import yaml

from bezique.conformance.target import library
from bezique.engine.library import Library
from bezique.spec.register import register

Json = dict[str, Any]


@dataclass(frozen=True, order=True, slots=True)
class Deviation:
    """Another reading of a row of the register.

    Attributes:
        row: The number of the row.
        other: Which of its other readings, from 1.
        says: The reading, in words.
        rules: What it lays over a profile, as JSON.
    """

    row: int
    other: int
    says: str
    rules: str

    @property
    def name(self) -> str:
        """Return its reference: `R8/1`."""
        return f"R{self.row}/{self.other}"


Hypothesis = tuple[Deviation, ...]


def deviations(profile: str) -> Iterator[Deviation]:
    """Yield the other readings that there are of a profile."""
    for row in register().readings:
        for at, other in enumerate(row.others, 1):
            if profile not in row.profiles_of(other):
                continue
            rules = (
                yaml.safe_load(other.overlay)
                if other.overlay
                else {"readings": other.picks}
            )
            yield Deviation(row.number, at, other.says, json.dumps(rules))


def library_of(profile: str, hypothesis: Hypothesis) -> Library:
    """Return the library in which a profile is played with some deviations.

    Raises:
        RulesError: They do not go together.
    """
    laid: Json = {}
    for deviation in hypothesis:
        laid = _laid(laid, json.loads(deviation.rules))
    return library(profile, json.dumps(laid, sort_keys=True) if laid else "")


def _laid(base: Json, over: Json) -> Json:
    both = {
        name: _laid(base[name], value)
        for name, value in over.items()
        if isinstance(value, dict) and isinstance(base.get(name), dict)
    }
    return {**base, **over, **both}
