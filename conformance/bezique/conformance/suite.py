"""The suite: every case in each of its profiles, and a run of it against a program.

Terms
    check    a case in one of its profiles: `new-queen-renews-no-marriage@luso`
    verdict  `passed`; `failed`: an answer differs from what is expected; `fault`: there was no
             answer that can be judged; `skipped`: the program cannot be asked this
"""

import shlex
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from bezique.conformance.case import Case, SolveCase, SpecCase, StepsCase, ViewCase
from bezique.conformance.examinee import Examinee
from bezique.conformance.run_case import run
from bezique.conformance.sample import sample
from bezique.conformance.target import FaultError, FaultKind, Json, Target, Told

Verdict = Literal["passed", "failed", "fault", "skipped"]
VERDICTS: tuple[str, ...] = ("passed", "failed", "fault", "skipped")
LEVELS = (1, 2, 3)
GIVEN_UP = "given up"
MOST_FAULTS = 25
"""So many faults in a row end a run: nobody waits a thousand times for a program that hangs."""


class Check(NamedTuple):
    """A case in one of its profiles."""

    case: Case
    profile: str

    @property
    def name(self) -> str:
        """Return its name."""
        return f"{self.case.id}@{self.profile}"


@dataclass(frozen=True, slots=True)
class Result:
    """How a check went.

    Attributes:
        problems: What differed, or why there was nothing to compare.
        fault: In which way the program gave no answer.
        exchanges: What was asked and answered, where it did not pass.
    """

    check: Check
    verdict: Verdict
    problems: tuple[str, ...] = ()
    fault: FaultKind | None = None
    exchanges: tuple[tuple[Json, Json], ...] = ()
    seconds: float = 0.0

    @property
    def bad(self) -> bool:
        """Return whether the program did not do what is expected."""
        return self.verdict in ("failed", "fault")


@dataclass(frozen=True, slots=True)
class Selection:
    """Which checks are run; what is left out selects all."""

    level: int = max(LEVELS)
    profiles: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()

    def takes(self, check: Check) -> bool:
        """Return whether a check is among them."""
        level = check.case.level
        return (
            (level is None or level <= self.level)
            and (not self.profiles or check.profile in self.profiles)
            and (not self.cases or check.case.id in self.cases)
        )


def checks(cases: Iterable[Case]) -> tuple[Check, ...]:
    """Return every case in each of its profiles."""
    return tuple(Check(case, profile) for case in cases for profile in case.profiles)


def chosen(
    cases: Iterable[Case], selection: Selection, examinee: Examinee
) -> tuple[Check, ...]:
    """Return the checks that are meant for a program.

    Cases with rules of their own, and those beside the protocol, are the built-in engine's
    alone.  Without a word on profiles, those count that the program says it knows.
    """
    known = selection.profiles or examinee.profiles
    return tuple(
        check
        for check in checks(cases)
        if selection.takes(check)
        and check.profile in known
        and (
            examinee.plays_own_rules
            or not (check.case.rules or isinstance(check.case, SpecCase))
        )
    )


def run_suite(
    chosen_checks: Sequence[Check],
    examinee: Examinee,
    seen: Callable[[Result], None] = lambda _: None,
) -> tuple[Result, ...]:
    """Return the results of checks, in their order.

    Args:
        chosen_checks: What is asked.
        examinee: Who is asked.
        seen: Called with each result as it comes.
    """
    return tuple(_run(chosen_checks, examinee, seen))


def repeat_command(result: Result, target: str) -> str:
    """Return the one-line command that runs a check again."""
    return shlex.join(
        [
            "bezique", "conformance", "run", "--target", target,
            "--profile", result.check.profile, "--case", result.check.case.id, "--show",
        ]
    )  # fmt: skip


def _run(
    chosen_checks: Sequence[Check], examinee: Examinee, seen: Callable[[Result], None]
) -> Iterator[Result]:
    operations = Operations(examinee)
    in_a_row = 0
    for check in chosen_checks:
        if in_a_row >= MOST_FAULTS:
            why = f"{GIVEN_UP} after {MOST_FAULTS} faults in a row"
            result = Result(check, "skipped", (why,))
        else:
            result = run_check(check, examinee, operations)
        # A profile or an operation that is not there costs no time.
        slow = result.fault not in (None, "unknown-profile", "unknown-operation")
        in_a_row = in_a_row + 1 if slow else in_a_row if in_a_row >= MOST_FAULTS else 0
        seen(result)
        yield result


def run_check(
    check: Check, examinee: Examinee, operations: "Operations | None" = None
) -> Result:
    """Return how a check goes."""
    lacking = capability(check.case)
    if lacking not in (None, *examinee.capabilities):
        return Result(check, "skipped", (f"the program does not offer {lacking}",))
    begun = time.perf_counter()
    told = Told(examinee.target(check.case, check.profile))
    judged = _Judged(told, check.case, operations or Operations(examinee))
    fault: FaultKind | None = None
    try:
        problems = run(check.case, check.profile, judged).problems
    except FaultError as error:
        fault, problems = error.kind, (str(error),)
    verdict: Verdict = "fault" if fault else "failed" if problems else "passed"
    return Result(
        check,
        verdict,
        problems,
        fault,
        tuple(told.exchanges) if problems else (),
        time.perf_counter() - begun,
    )


class Operations:
    """Which operations a program knows, found out by asking each once."""

    def __init__(self, examinee: Examinee) -> None:
        self.examinee = examinee
        self._known: dict[tuple[str, str], bool] = {}

    def knows(self, name: str, profile: str) -> bool:
        """Return whether the simplest request of an operation is anything but a bad one."""
        key = (name, profile)
        if key not in self._known:
            reply = self.examinee.general().ask(sample(name, profile))
            self._known[key] = reply.get("error", {}).get("code") != "bad-request"
        return self._known[key]


@dataclass(frozen=True, slots=True)
class _Judged:
    """A target whose refusals to be asked are faults, unless the case expects them."""

    inner: Target
    case: Case
    operations: Operations

    def ask(self, request: Json) -> Json:
        """Return the reply to a request."""
        reply = self.inner.ask(request)
        code = reply.get("error", {}).get("code")
        if code not in ("unknown-profile", "bad-request") or _expects(self.case, code):
            return reply
        profile = request.get("profile") or request.get("position", {}).get("profile")
        if code == "unknown-profile":
            raise FaultError(kind="unknown-profile", detail=repr(profile))
        if not self.operations.knows(request["op"], str(profile)):
            raise FaultError(kind="unknown-operation", detail=repr(request["op"]))
        return reply


def capability(case: Case) -> str | None:
    """Return what a program must be able to do beyond the first two levels; None: nothing."""
    match case:
        case SolveCase():
            return "solve"
        case ViewCase():
            return "view"
        case StepsCase(lenient=True):
            return "lenient"
    return None


def _expects(case: Case, code: str) -> bool:
    match case:
        case StepsCase():
            return any(f"error {code}" in step for step in case.steps)
        case SpecCase() | ViewCase():
            return False
    return getattr(case.expected, "error", None) == code
