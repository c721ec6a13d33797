"""Identify: a dozen or so questions say which bezique a program plays."""

import json
from typing import Any

import pytest

from bezique.conformance.examinee import greeted
from bezique.conformance.files import all_cases
from bezique.conformance.hypotheses import deviations, library_of
from bezique.conformance.identify import identify
from bezique.conformance.target import BuiltIn, FaultError
from bezique.conformance.telling import Oracle, choose, questions_of, telling
from bezique.spec.load import names
from tests.conformance.wrong_engines import WRONG_ENGINES

Json = dict[str, Any]
OUT_OF_SIGHT = {
    # No request of the protocol shows whether a table has a counter.
    **{(profile, "R36/1"): "counter" for profile in ("boussac",)},
    **{
        (profile, "R36/2"): "counter"
        for profile in ("streak", "cady", "luso", "luso-blind", "luso-four-pack")
    },
    # The seven takes the turn's one declaration here, so nothing can follow an exchange.
    ("boussac", "R12/1"): "no declaration follows an exchange",
}


class Renamed:
    """The built-in referee of a profile under another name."""

    def __init__(self, profile: str, name: str) -> None:
        self.inner = BuiltIn(library_of(profile, ()))
        self.profile, self.name = profile, name

    def ask(self, request: Json) -> Json:
        """Return the reply, names changed there and back."""
        sent = json.dumps(request).replace(f'"{self.name}"', f'"{self.profile}"')
        reply = json.dumps(self.inner.ask(json.loads(sent)))
        told: Json = json.loads(reply.replace(f'"{self.profile}"', f'"{self.name}"'))
        return told


def test_profile_without_deviations_is_named() -> None:
    """Our own referee plays what it says it plays."""
    told = identify(greeted("builtin:", BuiltIn(library_of("luso", ()))), "luso")

    assert list(told.lines()) == [f"`luso` ({len(told.questions)} questions)"]


@pytest.mark.parametrize("profile", names())
def test_questions_are_a_dozen_or_so(profile: str) -> None:
    """Few questions are enough, and each is a case of the suite."""
    ids = {check.case.id for check in questions_of(profile, all_cases())}

    assert set(telling(profile)) <= ids
    assert 8 <= len(telling(profile)) <= 20


@pytest.mark.long
def test_two_deviations_are_named_with_their_cases() -> None:
    """What is read otherwise is said in words, with the case that shows it."""
    known = {item.name: item for item in deviations("luso")}
    both = tuple(sorted((known["R8/1"], known["R6/1"])))

    told = identify(greeted("cmd:x", BuiltIn(library_of("luso", both))), "luso")

    first, *rest = told.lines()
    assert told.hypothesis == both
    assert first.startswith("`luso`, but marriage then sequence: forbidden; cross")
    assert "two deviations" in first
    assert rest[1].endswith(": cross-marriage-needs-the-choice")


@pytest.mark.long
def test_answer_that_no_reading_explains_is_told() -> None:
    """A fault that is nobody's reading is not forced into one."""
    engine = WRONG_ENGINES["last-trick-20"]

    told = identify(greeted("cmd:x", engine.target()), "luso")

    assert told.hypothesis == ()
    assert told.unexplained
    assert "unexplained" in next(told.lines())


@pytest.mark.long
def test_profile_under_another_name_is_found() -> None:
    """A name that is not ours is held against all of our profiles."""
    told = identify(greeted("cmd:x", Renamed("cady", "house")), "house")

    assert next(told.lines()).startswith("house: `cady` (")


def test_profile_that_the_program_has_not_is_a_fault() -> None:
    """A profile the program does not know cannot be identified."""
    with pytest.raises(FaultError) as caught:
        identify(greeted("cmd:x", Renamed("cady", "house")), "palace")

    assert caught.value.kind == "unknown-profile"


@pytest.mark.long
@pytest.mark.parametrize("profile", names())
def test_every_other_reading_is_told_by_a_question(profile: str) -> None:
    """The telling questions are answered otherwise by each reading that can be seen at all."""
    oracle = Oracle()
    chosen = set(telling(profile))
    asked = [
        check for check in questions_of(profile, all_cases()) if check.case.id in chosen
    ]

    untold = {
        (profile, item.name)
        for item in deviations(profile)
        if all(
            oracle.answer(check, profile, (item,)) == oracle.answer(check, profile, ())
            for check in asked
        )
    }

    assert untold == {key for key in OUT_OF_SIGHT if key[0] == profile}


@pytest.mark.long
@pytest.mark.parametrize("profile", names())
def test_each_deviation_alone_is_identified(profile: str) -> None:
    """A program with one other reading is said to have just that."""
    wrong = {}
    for item in deviations(profile):
        if (profile, item.name) in OUT_OF_SIGHT:
            continue
        target = BuiltIn(library_of(profile, (item,)))
        told = identify(greeted("cmd:x", target), profile)
        if (told.profile, told.hypothesis, told.unexplained) != (profile, (item,), ()):
            wrong[item.name] = told

    assert wrong == {}


@pytest.mark.long
@pytest.mark.parametrize("profile", names())
def test_questions_are_chosen_the_same_again(profile: str) -> None:
    """`python -m bezique.conformance.telling` leaves its file as it is."""
    assert choose(profile, all_cases()) == telling(profile)
