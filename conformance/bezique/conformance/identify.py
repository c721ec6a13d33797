"""Identify: which bezique a program plays, from a dozen or so telling questions.

A decision tree, grown as it is walked: the telling questions of the profile are its trunk.
Where all answers are those of the profile, that is what is played.  Where some are not, the
hypotheses that explain most of them are followed, and while several explain as much, the
question is asked on which they part.

Terms
    telling     questions of which each other reading of a profile answers one otherwise
    explains    a hypothesis explains an answer that it predicts
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from bezique.conformance.examinee import Examinee
from bezique.conformance.files import all_cases
from bezique.conformance.hypotheses import Deviation, Hypothesis, deviations
from bezique.conformance.questions import Answer, answer, asked
from bezique.conformance.suite import Check, capability
from bezique.conformance.target import FaultError, library
from bezique.conformance.telling import (
    Oracle,
    questions_of,
    renamed,
    telling,
)
from bezique.spec.load import names
from bezique.spec.register import register

MOST_DEVIATIONS = 5
MOST_MORE = 12
"""So many more questions are asked at most to part hypotheses that explain as much."""
BEAM = 3
"""So many hypotheses are followed at once while deviations are added."""
FAR = 3
"""So many deviations and answers unexplained, and the program may play another profile."""
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


@dataclass(frozen=True, slots=True)
class Identity:
    """What a program plays, as far as its answers tell.

    Attributes:
        name: The profile as the program calls it.
        profile: The profile it is nearest to.
        hypothesis: Its deviations.
        rivals: Other hypotheses that explain as much.
        questions: The ids of what was asked, in order.
        shows: For each deviation the cases that show it.
        unexplained: Cases whose answers nothing explains.
    """

    name: str
    profile: str
    hypothesis: Hypothesis
    rivals: tuple[Hypothesis, ...]
    questions: tuple[str, ...]
    shows: dict[str, tuple[str, ...]]
    unexplained: tuple[str, ...]

    def lines(self) -> Iterator[str]:
        """Yield what is to be told, a line each."""
        yield f"{self._head()} ({len(self.questions)} questions)"
        for deviation in self.hypothesis:
            question = register().readings[deviation.row - 1].question
            shown = ", ".join(self.shows[deviation.name])
            yield f"    {deviation.name} {question} {deviation.says}: {shown}"
        for rival in self.rivals:
            yield f"    or as well: {_said(rival)}"
        if self.unexplained:
            yield f"    explained by no reading: {', '.join(self.unexplained)}"

    def _head(self) -> str:
        called = f"{self.name}: " if self.name != self.profile else ""
        if not self.hypothesis and not self.unexplained:
            return f"{called}`{self.profile}`"
        parts = [_said(self.hypothesis)] if self.hypothesis else []
        number = len(self.hypothesis)
        parts.append(f"{_number(number)} deviation{'' if number == 1 else 's'}")
        if self.unexplained:
            count = len(self.unexplained)
            parts.append(
                f"{_number(count)} answer{'' if count == 1 else 's'} unexplained"
            )
        return f"{called}`{self.profile}`, but {'; '.join(parts)}"


def identify(examinee: Examinee, name: str) -> Identity:
    """Return what a program plays under one of its profiles.

    Args:
        examinee: The program.
        name: The profile, as the program calls it; one that is not ours is held against all.

    Raises:
        FaultError: The program does not know the profile.
    """
    asking = _Asking(examinee, name)
    found = []
    if name in names():
        found = [_identity(asking, name)]
    if not found or _distance(found[0]) >= FAR:
        others = [
            profile for profile in names() if profile != name and _alike(profile, name)
        ]
        # Only what is near without any deviation is worth explaining.
        wrong = {profile: asking.wrong(profile) for profile in others}
        nearest = min(wrong, key=lambda profile: wrong[profile])
        if not found or wrong[nearest] < asking.wrong(name):
            found.append(_identity(asking, nearest))
    return min(found, key=_distance)


@dataclass(slots=True)
class _Asking:
    """A program, what it was asked and what it answered."""

    examinee: Examinee
    name: str
    oracle: Oracle = field(default_factory=Oracle)
    answers: dict[str, tuple[Check, Answer]] = field(default_factory=dict)

    def ask(self, check: Check) -> None:
        """Ask a question, once."""
        if check.name in self.answers:
            return
        requests = renamed(asked(check), self.name)
        told = answer(requests, self.examinee.general())
        if told[:1] == ("unknown-profile",):
            raise FaultError(kind="unknown-profile", detail=repr(self.name))
        self.answers[check.name] = check, told

    def of(self, profile: str) -> list[tuple[Check, Answer]]:
        """Return the questions of a profile that were asked, with their answers."""
        return [item for item in self.answers.values() if item[0].profile == profile]

    def wrong(self, profile: str) -> int:
        """Return how many telling questions are not answered as a profile answers them."""
        pool = self.questions(profile)
        for case in telling(profile):
            if case in pool:
                self.ask(pool[case])
        return len(self.of(profile)) - self.explained(profile, ())

    def explained(self, profile: str, hypothesis: Hypothesis) -> int:
        """Return how many answers a hypothesis explains; none where it cannot be."""
        return sum(
            self.oracle.answer(check, profile, hypothesis) == told
            for check, told in self.of(profile)
        )

    def questions(self, profile: str) -> dict[str, Check]:
        """Return what can be asked of the program, by the ids of the cases."""
        return {
            check.case.id: check
            for check in questions_of(profile, all_cases())
            if capability(check.case) in (None, *self.examinee.capabilities)
        }


def _identity(asking: _Asking, profile: str) -> Identity:
    pool = asking.questions(profile)
    asking.wrong(profile)
    best = _best(asking, profile)
    for _ in range(MOST_MORE):
        check = _parting(asking, pool, best)
        if check is None:
            break
        asking.ask(check)
        best = _best(asking, profile)
    chosen = best[0]
    answered = asking.of(profile)
    return Identity(
        asking.name,
        profile,
        chosen,
        tuple(best[1:]),
        tuple(asking.answers),
        {item.name: _shown_by(asking, profile, chosen, item) for item in chosen},
        tuple(
            check.case.id
            for check, told in answered
            if asking.oracle.answer(check, profile, chosen) != told
        ),
    )


def _best(asking: _Asking, profile: str) -> list[Hypothesis]:
    """Return the hypotheses of fewest deviations that explain most answers."""
    everything = len(asking.of(profile))
    beam: list[Hypothesis] = [()]
    most = asking.explained(profile, ())
    while most < everything:
        wider = {
            tuple(sorted((*hypothesis, item)))
            for hypothesis in beam
            for item in _relevant(asking, profile, hypothesis)
            if len(hypothesis) < MOST_DEVIATIONS
        }
        scores = {item: asking.explained(profile, item) for item in sorted(wider)}
        better = max(scores.values(), default=0)
        if better <= most:
            break
        most = better
        beam = [item for item, score in scores.items() if score == better][:BEAM]
    return beam


def _relevant(asking: _Asking, profile: str, hypothesis: Hypothesis) -> list[Deviation]:
    """Return the deviations that alone change the answer to a question not explained yet."""
    oracle = asking.oracle
    wrong = [
        check
        for check, told in asking.of(profile)
        if oracle.answer(check, profile, hypothesis) != told
    ]
    rows = {item.row for item in hypothesis}
    return [
        item
        for item in deviations(profile)
        if item.row not in rows
        and any(
            oracle.answer(check, profile, (item,)) != oracle.answer(check, profile, ())
            for check in wrong
        )
    ]


def _parting(
    asking: _Asking, pool: dict[str, Check], best: list[Hypothesis]
) -> Check | None:
    """Return a question, not asked yet, on which hypotheses that explain as much part."""
    if len(best) == 1:
        return None
    rows = {f"R{item.row}" for hypothesis in best for item in hypothesis}
    for check in pool.values():
        about = {
            name.partition("/")[0] for name in (*check.case.obeys, *check.case.breaks)
        }
        if check.name in asking.answers or not rows & about:
            continue
        told = [asking.oracle.answer(check, check.profile, item) for item in best]
        if any(item != told[0] for item in told):
            return check
    return None


def _shown_by(
    asking: _Asking, profile: str, hypothesis: Hypothesis, deviation: Deviation
) -> tuple[str, ...]:
    """Return the cases whose answers are explained with a deviation and not without it."""
    without = tuple(item for item in hypothesis if item != deviation)
    return tuple(
        check.case.id
        for check, told in asking.of(profile)
        if asking.oracle.answer(check, profile, without) != told
        and asking.oracle.answer(check, profile, hypothesis) == told
    )


def _distance(identity: Identity) -> int:
    return len(identity.hypothesis) + len(identity.unexplained)


def _alike(profile: str, name: str) -> bool:
    """Return whether questions of a profile fit the pack of a table of that name, if it is ours."""
    if name not in names():
        return True
    return len(library().rules(profile).pack) == len(library().rules(name).pack)


def _said(hypothesis: Hypothesis) -> str:
    """Return deviations in words: what the question is about, and how it is read."""
    if not hypothesis:
        return "no deviation"
    rows = register().readings
    return "; ".join(
        f"{rows[item.row - 1].id.replace('-', ' ')}: {item.says}" for item in hypothesis
    )


def _number(number: int) -> str:
    return NUMBERS[number] if number < len(NUMBERS) else str(number)
