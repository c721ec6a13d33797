"""Targets: programs that play Bezique and can be asked, in the words of the protocol.

A target gets requests and nothing else: what a case expects is never sent.
"""

import json
import tempfile
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import yaml

from bezique.conformance.case import Case
from bezique.engine.library import Library
from bezique.engine.referee import Referee
from bezique.engine.rules import Rules

Json = dict[str, Any]


class Target(Protocol):
    """Whatever answers a request."""

    def ask(self, request: Json) -> Json:
        """Return the reply to a request."""


class BuiltIn:
    """This project's own referee, in this process, asked in JSON all the same."""

    def __init__(self, library: Library) -> None:
        self.referee = Referee(library, "built-in")

    def ask(self, request: Json) -> Json:
        """Return the reply to a request."""
        reply = self.referee.answer(json.dumps(request))
        answer: Json = json.loads(reply or "{}")
        return answer


@cache
def library(profile: str = "", overlay: str = "") -> Library:
    """Return the library with the profile that a case's own rules make of another.

    Args:
        profile: The profile they are laid over.
        overlay: The rules as JSON; none, for the built-in profiles alone.
    """
    if not overlay:
        return Library()
    name = f"{profile}-overlaid"
    rules = {"profile": name, "based_on": profile, **json.loads(overlay)}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"{name}.yaml"
        file.write_text(yaml.safe_dump(rules, sort_keys=False), encoding="utf-8")
        return Library([file])


def table(case: Case, profile: str) -> tuple[Library, str]:
    """Return the library of a case and the name its profile has there."""
    if not case.rules:
        return library(), profile
    return library(
        profile, json.dumps(case.rules, sort_keys=True)
    ), f"{profile}-overlaid"


def rules_of(case: Case, profile: str) -> Rules:
    """Return the rules that a case is played under, to fill in what it leaves out."""
    shelf, name = table(case, profile)
    return shelf.rules(name, case.options)
