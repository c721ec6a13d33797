"""Compiled code equals the rules; a fault planted anywhere is found and can be replayed."""

from pathlib import Path

import pytest

from bezique.engine.action import Action
from bezique.engine.compiler import naming
from bezique.engine.compiler.compiled import Compiled
from bezique.engine.compiler.module import Module
from bezique.engine.evaluate import Meaning
from bezique.engine.frozen import FrozenDict
from bezique.engine.library import Library
from bezique.engine.moves import legal, refusal
from bezique.engine.rules import Rules
from bezique.solver.proof.difference import Comparison
from bezique.solver.proof.equivalence import Equivalence
from bezique.solver.proof.listing import asks_which_seat, left_out, mismatches
from bezique.solver.proof.obligations import Table
from bezique.solver.strict import Strict
from tests.engine.table import PROFILES, rules_of

NO_SEVEN = "play: {if: {play/no-seven: rank(card) != 7}}"


def compiled_wrongly(
    monkeypatch: pytest.MonkeyPatch, right: str, wrong: str, rules: Rules | None = None
) -> Compiled:
    """Return a table's code, cady's unless given, with a piece of its text replaced."""
    source = Module.source

    def faulty(self: Module) -> str:
        text = source(self)
        assert right in text
        return text.replace(right, wrong)

    with monkeypatch.context() as patch:
        patch.setattr(Module, "source", faulty)
        return Compiled(rules or rules_of("cady"))


@pytest.mark.long
def test_tricks_and_duties_of_cady_equal_the_rules() -> None:
    """Who wins, for all cards and trumps; what obeys, for all hands, leads and trumps."""
    equal = Equivalence(rules_of("cady"))

    assert list(equal.tricks()) == []
    assert list(equal.duties()) == []
    assert equal.paths > 1000


@pytest.mark.long
@pytest.mark.parametrize("name", PROFILES)
def test_code_of_every_profile_equals_the_rules(name: str) -> None:
    """All functions, on all paths, for all histories."""
    assert list(Equivalence(rules_of(name)).mismatches()) == []


def test_a_fault_in_who_wins_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Code in which a second identical card wins says other than the rules."""
    code = compiled_wrongly(
        monkeypatch,
        "STRENGTH[c.rank] > STRENGTH[d.rank]",
        "STRENGTH[c.rank] >= STRENGTH[d.rank]",
    )

    found = next(Equivalence(rules_of("cady"), code).tricks())

    one, two = found.arguments.split()[:2]
    assert one == two
    assert (found.compiled, found.rules) == ("True", "False")


def test_a_fault_in_a_duty_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A follower who may throw off before trumping is found, with the hand that shows it."""
    code = compiled_wrongly(monkeypatch, "first(hand & set_ruffs(trump), hand)", "hand")
    rules = rules_of("cady")

    found = next(Equivalence(rules, code).duties())

    position = found.position
    assert position is not None
    held = rules.sort(position.held("south"))
    card = next(card for card in held if card.face == found.arguments[:2])
    refused = refusal(position, Action("play", FrozenDict({"card": card})))
    assert (found.compiled, found.rules) == ("obeys", "does not")
    assert refused is not None
    assert refused.clause == "strict/ruffs"


@pytest.mark.long
def test_a_duty_in_force_too_soon_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Code that binds a follower while cards can still be drawn is found."""
    code = compiled_wrongly(
        monkeypatch, "is None) or term_stock_open(at, me)", "is None)"
    )

    found = list(Equivalence(rules_of("cady"), code).duties())

    assert [(item.what, item.arguments) for item in found] == [
        ("the duty in force", "follow")
    ]
    assert (found[0].compiled, found[0].rules) == ("strict", "the whole hand")


def test_a_fault_in_a_mask_is_found() -> None:
    """A table of masks with one card too many in a set is found."""
    rules = rules_of("cady")
    code = Compiled(rules)
    look = code.names["set_follows"]
    code.names["set_follows"] = lambda led: look(led) | 1

    found = list(Equivalence(rules, code).duties())

    assert [item.what for item in found] == ["strict"]
    assert found[0].position is not None


def test_a_fault_in_a_condition_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Code that forgets one declaration a trick is found, with a position that shows it."""
    code = compiled_wrongly(monkeypatch, "(not at.state['declared'])", "True")
    rules = rules_of("cady")

    found = next(
        item
        for item in Equivalence(rules, code).conditions()
        if item.what == "declare/one-a-trick"
    )

    assert found.position is not None
    clause = next(
        clause
        for clause in rules.profile.actions["declare"].conditions
        if clause.id == found.what
    )
    assert (found.compiled, found.rules) == ("True", "False")
    assert not Meaning(found.position, "south").holds(clause.test, {})


@pytest.mark.parametrize(
    ("right", "wrong", "what"),
    [
        pytest.param(
            "at.pay(me, 10, 'seven')",
            "at.pay(me, 20, 'seven')",
            "actions/seven",
            id="twenty for a seven (D2.48)",
        ),
        pytest.param(
            "at.assign('declared', '=', True)",
            "at.assign('declared', '=', False)",
            "actions/declare",
            id="a declaration that is not remembered (D2.35)",
            marks=pytest.mark.long,
        ),
        pytest.param(
            "(10 if (c.rank in ('A', 'T')) else 0)",
            "(10 if (c.rank in ('A', 'K')) else 0)",
            "upon hand",
            id="kings for tens (D2.52)",
            marks=pytest.mark.long,
        ),
    ],
)
def test_a_fault_in_what_is_done_is_found(
    monkeypatch: pytest.MonkeyPatch, right: str, wrong: str, what: str
) -> None:
    """Code that does otherwise than the rules is found, with a position in which it does."""
    code = compiled_wrongly(monkeypatch, right, wrong)

    found = next(Equivalence(rules_of("cady"), code).effects())

    assert found.what == what
    assert found.compiled != found.rules
    assert found.position is not None


def test_a_fault_in_a_table_of_the_kernel_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A table in which a card beats its like is refuted with the cards that show it."""
    right = Strict.beats.func  # type: ignore[attr-defined]

    def wrong(self: Strict) -> tuple[tuple[bool, ...], ...]:
        rows = [list(row) for row in right(self)]
        rows[0][0] = not rows[0][0]
        return tuple(map(tuple, rows))

    monkeypatch.setattr(Strict, "beats", property(wrong))

    answer = Table(Library().rules("cady", {}))._tables()

    assert answer.verdict == "refuted"
    one, two = answer.detail.split(",")[0].split(" on ")
    assert one == two


def test_a_fault_in_a_rule_file_is_found(tmp_path: Path) -> None:
    """A rule file in which equal cards beat is refuted, and parts from the right one."""
    file = tmp_path / "wrong.yaml"
    file.write_text(
        "profile: wrong\nbased_on: cady\nsource: a slip of the pen\nterms:\n"
        "  beats(c, d): suit(c) == suit(d) and rank(c) >= rank(d)"
        " or suit(c) == trump and suit(d) != trump\n",
        encoding="utf-8",
    )
    rules = Library([file]).rules("wrong")

    answer = Table(rules)._identical()
    witness = next(Comparison(rules_of("cady"), rules).tricks()).witness

    assert answer.verdict == "refuted"
    assert witness is not None
    assert witness.one != witness.two


def test_a_list_that_leaves_the_duty_out_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where every condition is right and the list is not, a card is listed that is refused."""
    code = compiled_wrongly(
        monkeypatch, "else obeying(at, me)), key", "else hand), key"
    )
    rules = rules_of("cady")

    found = next(Equivalence(rules, code).listing())

    position = found.position
    assert position is not None
    listed = {str(action) for action in legal(position, code=code)}
    right = {str(action) for action in legal(position)}
    assert listed > right
    assert set(found.compiled.split(", ")) == listed - right
    assert found.rules == "fewer"


def test_a_list_that_forgets_a_condition_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A seven of no trump suit that is listed is found, with a hand that holds it."""
    code = compiled_wrongly(
        monkeypatch, "        if if_seven__trump(at, me, card, None)\n", ""
    )

    found = next(Equivalence(rules_of("cady"), code).listing())

    assert found.position is not None
    assert found.position.phase == "declare"
    assert found.compiled.startswith("seven ")


def test_a_list_that_skips_an_action_in_a_phase_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A leader who is offered no card to play is found, though every function is right."""
    rules, source = rules_of("cady"), Module.source
    listed = "def listed_lead(at, me, hand):"
    play = "        *legal_play(at, me, hand),\n"

    def skipping(self: Module) -> str:
        before, after = source(self).split(listed)
        assert play in after
        return before + listed + after.replace(play, "", 1)

    monkeypatch.setattr(Module, "source", skipping)

    found = list(mismatches(Equivalence(rules, Compiled(rules)), ("lead",)))

    assert [item.position and item.position.phase for item in found] == ["lead"]
    assert found[0].compiled == "fewer"
    assert found[0].rules.startswith("play ")


@pytest.mark.parametrize(
    ("phase", "right", "wrong"),
    [
        ("lead", "*legal_play(at, me, hand),", "*legal_play(at, me, hand), *legal_declare(at, me, hand),"),
        ("declare", "*legal_announce(at, me, hand),", ""),
    ],
    ids=["one too many", "one too few"],
)  # fmt: skip
def test_melds_listed_in_a_wrong_phase_are_not_proved(
    monkeypatch: pytest.MonkeyPatch, phase: str, right: str, wrong: str
) -> None:
    """Code that declares in another phase than the rules, or forgets to announce, is not passed."""
    rules, source = rules_of("cady"), Module.source
    listed = f"def listed_{phase}(at, me, hand):"

    def faulty(self: Module) -> str:
        before, after = source(self).split(listed)
        assert right in after
        return before + listed + after.replace(right, wrong, 1)

    monkeypatch.setattr(Module, "source", faulty)

    found = list(mismatches(Equivalence(rules, Compiled(rules)), (phase,)))

    assert [(item.arguments, item.compiled) for item in found] == [(phase, "undecided")]


@pytest.mark.long
def test_a_list_that_is_longer_for_north_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where the code names a seat the list of each is asked for, not only that of the first."""
    rules = rules_of("cady")
    asked = naming.of_conditions(rules.profile.actions["seven"])["seven/trump"]
    right = f"if {asked}(at, me, card, None)"
    source = Module.source

    def faulty(self: Module) -> str:
        text = source(self)
        assert right in text
        return text.replace(right, f"if me == 'north' or {right[3:]}")

    monkeypatch.setattr(Module, "source", faulty)

    answer = Table(rules)._compiled("listing")

    assert answer.verdict == "refuted"
    assert answer.counterexample is not None
    assert answer.counterexample["turn"] == "north"


def test_code_that_lists_by_the_order_of_seats_is_asked_of_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The code of cady, which counts points seat by seat, lists the same for each."""
    right = Compiled(rules_of("cady"))
    wrong = compiled_wrongly(
        monkeypatch,
        "return [way_draw(())]",
        "return [way_draw(())] if me == SEATS[0] else []",
    )

    assert "SEATS" in right.source
    assert not asks_which_seat(right)
    assert asks_which_seat(wrong)


@pytest.mark.long
def test_a_list_of_cards_that_a_condition_narrows_equals_the_rules(
    tmp_path: Path,
) -> None:
    """Where sevens may not be played the list has no seven, whatever the duty."""
    rules = _changed(tmp_path, NO_SEVEN)

    assert list(Equivalence(rules).listing()) == []


@pytest.mark.long
def test_a_list_that_is_narrowed_wrongly_is_found(tmp_path: Path) -> None:
    """A follower at cady's table whose list leaves out a seven that obeys is found."""
    code = Compiled(_changed(tmp_path, NO_SEVEN))
    assert "POSSIBLE_play__card & (hand if" in code.source

    found = next(mismatches(Equivalence(rules_of("cady"), code), ("follow",)))

    assert found.position is not None
    assert found.compiled == "fewer"
    assert found.rules.startswith("play 7")


def test_a_list_in_another_order_is_left_undecided(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What cannot be followed is said with its reason, and is no proof."""
    code = compiled_wrongly(monkeypatch, ", key=place))", ", key=rank_of))")

    found = list(Equivalence(rules_of("cady"), code).listing())

    assert [item.compiled for item in found] == ["undecided", "undecided"]
    assert "another order than card order" in found[0].arguments


def test_an_action_of_two_cards_is_left_undecided(tmp_path: Path) -> None:
    """One that takes two cards is not left out in silence."""
    rules = _changed(
        tmp_path,
        "lay:\n"
        "    takes: {one: Card, two: Card}\n"
        "    if: {lay/when: phase == declare}\n"
        "    do: [put(one)]",
    )

    found = list(Equivalence(rules).listing())

    assert [item.compiled for item in found] == ["undecided"]
    assert found[0].arguments == "lay takes more than one card"


def test_a_proved_list_says_what_it_leaves_out() -> None:
    """Of cady, whose declarations and announcements take melds, both are named."""
    assert left_out(rules_of("cady")) == ("declare", "announce")


def _changed(tmp_path: Path, action: str) -> Rules:
    """Return cady's rules with one action changed or new."""
    file = tmp_path / "mine.yaml"
    file.write_text(
        f"profile: mine\nbased_on: cady\nsource: made up\nactions:\n  {action}\n",
        encoding="utf-8",
    )
    return Library([file]).rules("mine")
