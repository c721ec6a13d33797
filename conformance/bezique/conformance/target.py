"""Targets: programs that play Bezique and can be asked, in the words of the protocol.

A target gets requests and nothing else: what a case expects is never sent.

Terms
    built-in   this project's own referee, in this process: `builtin:`
    command    another program, asked over its standard input and output: `cmd:node referee.js`
    fault      a target that gives no answer that can be judged, and in which way
"""

import json
from functools import lru_cache
from typing import Any, Literal, Protocol

import yaml

from bezique.conformance.case import Case
from bezique.engine.library import Library
from bezique.engine.referee import Referee
from bezique.engine.rules import Rules
from bezique.spec.load import load_text

Json = dict[str, Any]
FaultKind = Literal[
    "timeout",
    "hang",
    "crash",
    "garbage",
    "wrong-id",
    "unknown-profile",
    "unknown-operation",
    "cannot-start",
]
FAULTS: dict[FaultKind, str] = {
    "timeout": "the reply came, and too late",
    "hang": "no reply came, and the program still ran",
    "crash": "the program ended without a reply",
    "garbage": "what came was no reply of the protocol",
    "wrong-id": "the reply was not that of the request",
    "unknown-profile": "the program does not know the profile",
    "unknown-operation": "the program does not know the operation",
    "cannot-start": "the program could not be started",
}


class FaultError(Exception):
    """A target gave no answer that can be judged.

    Attributes:
        kind: In which way.
        detail: What was seen.
    """

    def __init__(self, kind: FaultKind, detail: str) -> None:
        self.kind, self.detail = kind, detail
        super().__init__(f"{FAULTS[kind]}: {detail}")


class Target(Protocol):
    """Whatever answers a request."""

    def ask(self, request: Json) -> Json:
        """Return the reply to a request.

        Raises:
            FaultError: There is none that can be judged.
        """


class BuiltIn:
    """This project's own referee, in this process, asked in JSON all the same."""

    def __init__(self, library: Library) -> None:
        self.referee = Referee(library, "built-in", {"solve": _solve})

    def ask(self, request: Json) -> Json:
        """Return the reply to a request."""
        reply = self.referee.answer(json.dumps(request))
        answer: Json = json.loads(reply or "{}")
        return answer


class Told:
    """A target that keeps what was asked and answered since it was last cleared."""

    def __init__(self, inner: Target) -> None:
        self.inner = inner
        self.exchanges: list[tuple[Json, Json]] = []

    def ask(self, request: Json) -> Json:
        """Return the reply, kept."""
        try:
            reply = self.inner.ask(request)
        except FaultError as fault:
            self.exchanges.append((request, {"fault": fault.kind}))
            raise
        self.exchanges.append((request, reply))
        return reply


@lru_cache(1000)
def library(profile: str = "", overlay: str = "") -> Library:
    """Return the library in which a case's own rules are laid over a profile; its name stays.

    Args:
        profile: The profile they are laid over.
        overlay: The rules as JSON; none, for the built-in profiles alone.
    """
    if not overlay:
        return Library()
    rules = {"profile": profile, "based_on": profile, **json.loads(overlay)}
    return Library(profiles=[load_text(yaml.safe_dump(rules, sort_keys=False))])


def table(case: Case, profile: str) -> Library:
    """Return the library of a case played in a profile."""
    if not case.rules:
        return library()
    return library(profile, json.dumps(case.rules, sort_keys=True))


def rules_of(case: Case, profile: str) -> Rules:
    """Return the rules that a case is played under, to fill in what it leaves out."""
    return table(case, profile).rules(profile, case.options)


def _solve(referee: Referee, request: Json) -> Json:
    from bezique.solver.operation import solve_request  # noqa: PLC0415

    return solve_request(referee, request)
