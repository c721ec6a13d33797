"""Compiled cases: smallest situations, written down, and the same when made again."""

from pathlib import Path

import pytest
import yaml

from bezique.conformance.case import Case, CaseFile, Facts
from bezique.conformance.compile import (
    TOPICS,
    checked_in,
    compiled_folder,
    made,
    merged,
    stale,
)
from bezique.conformance.files import all_cases
from bezique.conformance.hypotheses import deviations, library_of
from bezique.conformance.run_case import run
from bezique.conformance.target import BuiltIn, library
from bezique.conformance.witness_case import (
    UnwritableError,
    case_of,
    confirm,
    references,
    situation,
)
from bezique.engine.action import Action
from bezique.engine.frozen import FrozenDict
from bezique.engine.library import Library
from bezique.engine.position import Melded, Position, start
from bezique.engine.rules import Rules
from bezique.spec.load import names

ORIGINS = {"readings": "reading witness", "clauses": "mutant witness"}


def declaring(rules: Rules, *hand: str) -> Position:
    """Return a position in which south may declare, clubs are trumps, and two cards are left."""
    cards = {str(card): card for card in rules.pack}
    return start(rules, "north").changed(
        phase="declare",
        turn="south",
        taker="south",
        turn_up=cards["8C1"],
        stock=(cards["9S1"],),
        hidden=FrozenDict(
            south=frozenset(cards[name] for name in hand),
            north=frozenset(cards[name] for name in ("7S1", "7S2", "8S1")[: len(hand)]),
        ),
        state=FrozenDict({**start(rules, "north").state, "trump": "C"}),
        partial=True,
    )


def declare(rules: Rules, meld: str, *names: str) -> Action:
    """Return a declaration."""
    cards = frozenset(card for card in rules.pack if str(card) in names)
    return Action("declare", FrozenDict(m=Melded("south", meld, cards)))


def test_declaration_is_written_as_a_case() -> None:
    """A marriage in a plain suit scores 20 (D4.04), and the case gives the position whole."""
    rules = library().rules("luso")
    position = declaring(rules, "KH1", "QH1")

    written = situation(position, declare(rules, "marriage", "KH1", "QH1"))

    assert written["given"] == {
        "phase": "declare",
        "trump": "C",
        "turn_up": "8C",
        "stock": "9S",
        "south": "KH QH",
        "north": "7S 7S2",
    }
    assert written["steps"] == ["declare marriage KH QH => south 20 marriage"]


def test_refusal_names_its_clause() -> None:
    """A queen that is not held is refused by `declare/held`, which the case breaks."""
    rules = library().rules("luso")
    position = declaring(rules, "KH1")

    written = situation(position, declare(rules, "marriage", "KH1", "QH1"))

    assert written["steps"] == ["declare marriage KH QH => refused declare/held"]
    assert references(rules, "declare/held", written) == ("declare/held",)


def test_what_no_fact_says_is_not_written(tmp_path: Path) -> None:
    """A thing that a table of one's own remembers is no fact of a case; nothing is written."""
    file = tmp_path / "mine.yaml"
    file.write_text(
        "profile: mine\nbased_on: luso\nsource: a table at home\n"
        "state: {marked: {type: set of Card, per: hand}}\n",
        encoding="utf-8",
    )
    rules = Library([file]).rules("mine")
    position = declaring(rules, "KH1", "QH1")
    marked = position.changed(
        state=FrozenDict({**position.state, "marked": position.hidden["south"]})
    )

    with pytest.raises(UnwritableError, match="marked"):
        situation(marked, declare(rules, "marriage", "KH1", "QH1"))


def test_card_barred_after_an_exchange_is_a_fact() -> None:
    """Where a reading bars the card taken for the seven (R12/1), the case says which it is."""
    rules = library().rules("cady")
    position = declaring(rules, "KH1", "QH1")
    (king,) = (card for card in position.hidden["south"] if str(card) == "KH1")
    barred = position.changed(
        state=FrozenDict({**position.state, "taken": frozenset({king})})
    )

    written = situation(barred, declare(rules, "marriage", "KH1", "QH1"))

    assert written["given"]["taken"] == "KH"


def test_case_that_tells_nothing_is_refused() -> None:
    """A case that passes at the other table too does not tell the two apart."""
    case = next(item for item in all_cases() if item.id == "new-queen-renews-no-marriage")  # fmt: skip

    with pytest.raises(UnwritableError, match="tell the tables apart"):
        confirm(case, "luso", library())


def test_the_same_situation_at_two_tables_is_one_case() -> None:
    """Cases that give and expect the same are merged; the first names them."""
    rules = library().rules("luso")
    written = situation(
        declaring(rules, "KH1", "QH1"), declare(rules, "marriage", "KH1", "QH1")
    )
    cases = [
        {
            "id": f"one-{name}",
            "why": "a fact",
            "profiles": [name],
            "origin": "mutant witness",
            "obeys": ["declare/when"],
            **written,
        }
        for name in ("cady", "luso")
    ]

    file = merged("clauses", cases)

    assert [(case.id, case.profiles) for case in file.cases] == [("one-cady", ("cady", "luso"))]  # fmt: skip


@pytest.mark.parametrize("topic", TOPICS)
def test_compiled_cases_say_where_they_come_from(topic: str) -> None:
    """Every compiled case has its origin, and there are some."""
    found = checked_in(topic)

    assert found
    assert {case.origin for case in found} == {ORIGINS[topic]}


def test_readings_come_in_pairs() -> None:
    """Beside what comes out otherwise stands, in the same situation, what does as it is read."""

    def words(case: Case) -> list[str]:
        # Another order of ranks writes the same hand in another order.
        given: Facts = case.given  # type: ignore[assignment]
        return sorted(str(given.model_dump()).replace("'", " ").split())

    cases = checked_in("readings")
    as_read = [words(case) for case in cases if not case.rules]

    assert [case.id for case in cases if words(case) not in as_read] == []


def test_what_could_not_be_made_is_said() -> None:
    """Every other reading of every table is told by cases, or it is said why not."""
    said = (compiled_folder() / "without.yaml").read_text(encoding="utf-8")
    told = {
        (profile, name)
        for case in checked_in("readings")
        for profile in case.profiles
        for name in (*case.obeys, *case.breaks)
    }

    for profile in library().names:
        for deviation in deviations(profile):
            name = deviation.name
            assert (profile, name) in told or f"{name} in {profile}: " in said


@pytest.mark.long
def test_each_reading_fails_under_the_other() -> None:
    """A case of one reading is failed by a program that plays the other."""
    for case in checked_in("readings"):
        profile = case.profiles[0]
        others = {item.name.lower().replace("/", "-"): item for item in deviations(profile)}  # fmt: skip
        deviation = others[case.id.partition("-as-read-" if not case.rules else "-otherwise-")[0]]  # fmt: skip
        other = library() if case.rules else library_of(profile, (deviation,))

        assert not run(case, profile, BuiltIn(other)).passed, case.id


@pytest.mark.long
@pytest.mark.parametrize("profile", names())
@pytest.mark.parametrize("topic", TOPICS)
def test_cases_made_again_are_those_checked_in(topic: str, profile: str) -> None:
    """All compiled cases of a table come out card for card as they are checked in."""
    again, lacks = made(topic, profile)
    cases = [case_of(case) for case in again]
    there = [case for case in checked_in(topic) if profile in case.profiles]
    said = yaml.safe_load((compiled_folder() / "without.yaml").read_text("utf-8"))

    assert [
        case.id for case in cases if not any(_same(case, old) for old in there)
    ] == []
    assert [
        old.id for old in there if not any(_same(case, old) for case in cases)
    ] == []
    assert [lack for lack in lacks if lack not in said] == []


def _same(made: Case, found: Case) -> bool:
    """Return whether a case is one that is checked in, perhaps for more tables and named after one."""
    profiles = {*made.profiles} <= {*found.profiles}
    named = {"id": found.id, "why": found.why, "profiles": found.profiles}
    return profiles and made.model_copy(update=named) == found


def test_a_changed_case_is_stale() -> None:
    """A case that comes out otherwise than it is checked in is named."""
    cases = checked_in("readings")
    changed = cases[0].model_copy(update={"why": "something else"})
    file = CaseFile(topic="readings", cases=(changed, *cases[1:]))

    assert stale({"readings": file}) == (cases[0].id,)
