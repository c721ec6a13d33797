"""Examinees: the program that a run examines, and what it says of itself.

Terms
    hello      what a program says of itself: its name, version, profiles, capabilities
    own rules  a case may lay rules of its own over a profile; only the built-in engine can play those
"""

from dataclasses import dataclass

from bezique.conformance.case import Case
from bezique.conformance.connection import PATIENCE, Connection
from bezique.conformance.target import (
    BuiltIn,
    FaultError,
    Json,
    Target,
    library,
    table,
)
from bezique.engine.errors import BadRequestError

BUILT_IN = "builtin:"
COMMAND = "cmd:"


@dataclass(slots=True)
class Examinee:
    """A program to be examined.

    Attributes:
        name: How it was named: `builtin:` or `cmd:…`.
        hello: What it says of itself.
        own: The one target of every case; None: each case has the built-in engine's own.
    """

    name: str
    hello: Json
    own: Target | None = None

    @property
    def profiles(self) -> tuple[str, ...]:
        """Return the profiles it says it knows."""
        return tuple(self.hello.get("profiles", {}))

    @property
    def capabilities(self) -> tuple[str, ...]:
        """Return what it says it can do beyond the first two levels."""
        return tuple(self.hello.get("capabilities", ()))

    @property
    def plays_own_rules(self) -> bool:
        """Return whether it can play rules that a case brings."""
        return self.own is None

    def target(self, case: Case, profile: str) -> Target:
        """Return whom to ask about a case."""
        return self.own or BuiltIn(table(case, profile))

    def general(self) -> Target:
        """Return whom to ask about no case."""
        return self.own or BuiltIn(library())

    def close(self) -> None:
        """End the program."""
        if isinstance(self.own, Connection):
            self.own.close()


def meet(name: str, patience: float = PATIENCE) -> Examinee:
    """Return a program, after it has said hello.

    Args:
        name: `builtin:`, or `cmd:` and a command line.
        patience: How many seconds a reply may take.

    Raises:
        BadRequestError: The name is none of these.
        FaultError: The program does not start, or does not say hello.
    """
    if name == BUILT_IN:
        return greeted(name, None)
    if name.startswith(COMMAND) and name.removeprefix(COMMAND).strip():
        return greeted(name, Connection(name.removeprefix(COMMAND), patience))
    raise BadRequestError(
        where="--target", expected="builtin: or cmd:COMMAND", got=name
    )


def greeted(name: str, target: Target | None) -> Examinee:
    """Return a target as an examinee, after it has said hello.

    Raises:
        FaultError: It does not say hello.
    """
    asked = target or BuiltIn(library())
    try:
        return Examinee(name, _hello(asked), target)
    except FaultError:
        if isinstance(target, Connection):
            target.close()
        raise


def _hello(target: Target) -> Json:
    reply = target.ask({"op": "hello"})
    if "ok" not in reply:
        raise FaultError(kind="unknown-operation", detail=f"hello: {reply['error']}")
    hello: Json = reply["ok"]
    if not isinstance(hello.get("profiles"), dict):
        raise FaultError(kind="garbage", detail="hello: expected profiles, an object")
    return hello
