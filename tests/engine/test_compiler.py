"""Compiled code answers as the interpreter does, and its text can be read.

The interpreter is the meaning of the rules.  Hands are played with compiled code, in every
style and under every set of options; at each step the interpreter is asked the same.
"""

import ast
import gc
import linecache
import re
import traceback
import weakref
from collections.abc import Iterator
from dataclasses import FrozenInstanceError, replace
from itertools import islice, product
from pathlib import Path
from types import FunctionType, SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bezique.engine import (
    Action,
    Library,
    Position,
    Rules,
    apply,
    deal,
    legal,
    moves,
    shuffled,
    start,
)
from bezique.engine.code import Interpreted
from bezique.engine.compiler import naming
from bezique.engine.compiler.compiled import Compiled
from bezique.engine.compiler.decided import (
    possible_cards,
    possible_in,
    possible_suits,
)
from bezique.engine.compiler.forms import Forms
from bezique.engine.compiler.sets import BeyondMasksError, SetTables
from bezique.engine.errors import IllegalActionError
from bezique.engine.evaluate import Meaning
from bezique.engine.frozen import FrozenDict
from bezique.engine.melds import candidates
from bezique.engine.moves import code_of
from bezique.engine.position import Melded
from bezique.spec.data import rules_folder
from bezique.spec.load import load_text
from bezique.spec.scope import RESERVED
from bezique.spec.sentences import sentence
from tests.engine.players import TABLES, Step, play
from tests.engine.table import (
    LIBRARY,
    PROFILES,
    chosen,
    new_hand,
    rules_of,
    scene,
    scored,
)
from tests.tables import telling

STYLES = ("random", "eager", "patient", "lucky", "growing")
RUBICON = rules_folder() / "experimental" / "rubicon.yaml"
SMALL = """\
profile: small
based_on: cady
source: a table at home
values: {last_trick: 30}
melds:
  double-bezique: null
  four-tens: {family: tens, level: 1, cards: 4 T, points: 90, if: {four/suits: quartet(m)}}
"""
# Who is behind in the hand need not beat the card led: no mask can know the points.
BEYOND = """\
profile: beyond
based_on: cady
source: a table at home
terms:
  heads(c): follows(c) and rank(c) > rank(led) and points(me) >= points(other(me))
"""


def strangers(position: Position, seed: object) -> Iterator[Action]:
    """Yield actions that are mostly not legal: any card, any meld of any cards held."""
    rules, me = position.rules, position.turn or ""
    pack = rules.pack
    for at in range(4):
        card = FrozenDict({"card": pack[chosen(seed, at, len(pack))]})
        yield Action("play", card)
        if "seven" in rules.profile.actions:
            for exchange in (False, True):
                yield Action("seven", FrozenDict({**card, "exchange": exchange}))
    forms = Interpreted(rules).legal(
        position.changed(
            phase="declare",
            state=FrozenDict({**position.state, "scored": (), "declared": False}),
        ),
        me,
    )
    for item in forms:
        if "m" in item.arguments:
            yield item
            for name in rules.profile.melds:
                yield Action(
                    item.name,
                    FrozenDict({"m": item.arguments["m"]._replace(meld=name)}),
                )
    for name, action in rules.profile.actions.items():
        if not action.takes:
            yield Action(name)


def check_alike(step: Step, seed: object, compiled: Compiled) -> None:
    """The interpreter says of a step what compiled code says."""
    position, done, after, events = step
    plain = Interpreted(position.rules)
    lenient = position.rules.has_rulings and done not in legal(position)
    assert legal(position, code=plain) == legal(position, code=compiled)
    assert apply(position, done, code=plain, lenient=lenient) == (after, events)
    if position.turn in position.rules.seats:
        for stranger in strangers(position, seed):
            assert plain.failing(position, position.turn, stranger) == compiled.failing(
                position, position.turn, stranger
            ), stranger


def check_hand(rules: Rules, seed: int, style: str) -> None:
    """Play a hand and compare each step."""
    compiled = code_of(rules)
    assert isinstance(compiled, Compiled)
    for number, step in enumerate(play(rules, seed, style, hands=1, code=compiled)):
        check_alike(step, f"{seed}/{number}", compiled)


@pytest.mark.parametrize("profile", telling(PROFILES))
def test_compiled_code_answers_as_the_interpreter_does(profile: str) -> None:
    """Legal actions in order, what they lead to, events, and why others are refused."""
    check_hand(rules_of(profile), 3, "eager")


@pytest.mark.parametrize("style", ["people", "random"])
def test_recorded_and_odd_tables_are_answered_alike(style: str) -> None:
    """Rulings and revokes, and a table with every option changed."""
    check_hand(rules_of("boussac"), 1, "people")
    check_hand(
        rules_of(
            "boussac",
            hand_size=9,
            turn_up=False,
            draw_order="fixed",
            bezique_pair="trump-queen",
        ),
        2,
        style,
    )


@pytest.mark.long
def test_rubicon_is_answered_alike() -> None:
    """A rule file with actions, state and a worth of its own."""
    check_hand(Library([RUBICON]).rules("rubicon"), 5, "eager")


@pytest.mark.long
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("profile", PROFILES)
def test_two_thousand_hands_are_answered_alike(profile: str, style: str) -> None:
    """Hands under every set of options of the profile: 67 in each style, 2010 in all."""
    tables = [options for name, options in TABLES if name == profile]
    for seed in range(67):
        check_hand(rules_of(profile, **tables[seed % len(tables)]), seed, style)


@pytest.mark.long
def test_every_reading_is_answered_alike() -> None:
    """Each reading of each choice, laid over each profile that can take it."""
    for profile in PROFILES:
        old = LIBRARY.profile(profile)
        for choice, found in old.choices.items():
            for reading in found.values:
                text = (
                    f"profile: other\nbased_on: {profile}\nsource: a reading\n"
                    f"readings: {{{choice}: {reading}}}\n"
                )
                check_hand(Rules(load_text(text)), 9, "eager")


# --- the text -------------------------------------------------------------------------


def functions(compiled: Compiled) -> dict[str, FunctionType]:
    """Return the functions of a module that have its text."""
    return {
        name: value
        for name, value in compiled.names.items()
        if isinstance(value, FunctionType)
        and value.__code__.co_filename == compiled.file
    }


def test_module_of_a_small_table_holds_its_rules_and_no_others() -> None:
    """A meld more, a meld less, and numbers written where they are asked."""
    rules = Rules(load_text(SMALL, "small.yaml"))

    compiled = Compiled(rules)

    assert compiled.source.startswith(
        f'"""small, rules 1.0.0, digest {rules.profile.digest}."""'
    )
    assert "def is_four_tens__four__suits(at, me, m):" in compiled.source
    assert "double_bezique" not in compiled.source
    assert "at.pay(at.taker, 30, 'last-trick')" in compiled.source


@pytest.mark.parametrize("profile", PROFILES)
def test_conditions_are_functions_with_id_and_sentence(profile: str) -> None:
    """The docstring of a clause's function is its id and its sentence."""
    rules = rules_of(profile)
    docs = {function.__doc__ for function in functions(Compiled(rules)).values()}
    clauses = [
        clause.id
        for group in (rules.profile.actions, rules.profile.melds)
        for item in group.values()
        for clause in item.conditions
    ]

    missing = [
        name
        for name in clauses
        if f"{name}: {sentence(rules.profile, 'en', name, rules.values)}" not in docs
    ]

    assert missing == []


def test_traceback_shows_the_line_of_a_rule() -> None:
    """The text lies in `linecache`, so that a fault shows where it is."""
    compiled = Compiled(rules_of("cady"))

    with pytest.raises(AttributeError) as caught:
        compiled.names["if_play__when"](None, "south", None)

    shown = "".join(traceback.format_exception(caught.value))
    assert "return (at.phase in ('lead', 'follow'))" in shown
    assert "".join(linecache.getlines(compiled.file)) == compiled.source


@pytest.mark.parametrize("profile", PROFILES)
def test_strict_duty_is_mask_arithmetic(profile: str) -> None:
    """One line of `first` and `&`; `first` is given to it."""
    strict = functions(Compiled(rules_of(profile)))["duty_strict"]
    text = "".join(linecache.getlines(strict.__code__.co_filename))

    assert (
        "    return first(hand & set_heads(led), first(hand & set_follows(led),"
        " first(hand & set_ruffs(trump), hand)))\n" in text
    )
    assert set(strict.__code__.co_names) == {
        "first",
        "set_heads",
        "set_follows",
        "set_ruffs",
    }


def test_first_is_injected() -> None:
    """The same code object runs with another `first`, such as one for bit-vectors."""
    strict = functions(Compiled(rules_of("cady")))["duty_strict"]
    given: dict[str, Any] = {
        **strict.__globals__,
        "first": lambda one, two: f"({one} else {two})",
    }
    given |= dict.fromkeys(("set_heads", "set_follows", "set_ruffs"), lambda _: 6)

    twin = FunctionType(strict.__code__, given)

    assert twin(3, 0, 0) == "(2 else (2 else (2 else 3)))"


def test_set_that_asks_the_points_is_beyond_masks() -> None:
    """No table of masks can know the points; the duty is then asked card by card."""
    rules = Rules(load_text(BEYOND, "beyond.yaml"))

    with pytest.raises(BeyondMasksError):
        SetTables(rules).leaves("heads")
    compiled = Compiled(rules)

    assert "strict" not in functions(compiled)
    assert "cards = frozenset(c for c in hand if" in compiled.source
    for seed, style in ((1, "eager"), (2, "random")):
        check_hand(rules, seed, style)


def test_tables_on_the_fly_play_compiled() -> None:
    """Built-in and own rule files alike run as compiled code, made once."""
    for rules in (rules_of("cady"), Rules(load_text(SMALL, "small.yaml"))):
        position = new_hand(rules)

        assert isinstance(code_of(rules), Compiled)
        assert code_of(position.rules) is code_of(rules)


def test_own_rule_file_is_compiled_from_its_place(tmp_path: Path) -> None:
    """A file given with `--rules` gets a module under its own name."""
    file = tmp_path / "small.yaml"
    file.write_text(SMALL, encoding="utf-8")

    compiled = code_of(Library([file]).rules("small"))

    assert isinstance(compiled, Compiled)
    assert compiled.file.startswith("<bezique small ")
    assert len(list(islice(play(compiled.rules, 1, code=compiled), 50))) == 50


# --- what is decided beforehand ----------------------------------------------------------


def test_actions_of_other_phases_are_not_looked_for() -> None:
    """A card is played to a trick, a meld declared and cards drawn after one."""
    rules = rules_of("cady")
    actions = rules.profile.actions

    found = {
        phase: {name for name in actions if possible_in(rules, actions[name], phase)}
        for phase in ("lead", "follow", "declare")
    }

    assert "play" in found["lead"] & found["follow"] - found["declare"]
    assert {"declare", "draw"} <= found["declare"] - found["lead"] - found["follow"]


def test_only_sevens_are_looked_at_for_a_seven() -> None:
    """Eight cards of 64, whatever is trumps."""
    rules = rules_of("cady")
    seven = rules.profile.actions["seven"]

    found = possible_cards(rules, seven, seven.takes[0])

    assert {card.rank for card in found} == {"7"}
    assert len(found) == 8


def test_only_one_pair_of_suits_makes_a_bezique() -> None:
    """The queen of spades with the jack of diamonds (D2.33), of 16 pairs of suits."""
    rules = rules_of("cady")
    bezique = rules.profile.melds["bezique"]

    found = [
        suits
        for suits in product(rules.profile.deck.suits, repeat=2)
        if possible_suits(rules, bezique, suits)
    ]

    assert found == [("S", "D")]


@pytest.mark.parametrize(
    ("profile", "options", "decided"),
    [
        ("cady", {}, True),
        ("luso-four-pack", {}, True),
        ("boussac", {"bezique_pair": "trump-queen"}, False),
    ],
)
def test_melds_among_cards_come_in_the_order_of_the_rules(
    profile: str, options: dict[str, str], *, decided: bool
) -> None:
    """Those of the interpreter, in its order, without those that can never be.

    Where the trump suit says which pair is a bezique, each of them can be one.
    """
    rules = rules_of(profile, **options)
    forms = Forms(rules)
    known = {card.face for card in rules.pack if card.rank in "AKQJ"}
    court = sorted(card for card in rules.pack if card.face in known)
    refused = 0

    for seed in range(12):
        cards = frozenset(court[chosen(seed, at, len(court))] for at in range(14))
        found = forms.among("south", cards)
        plain = [Melded("south", *meld) for meld in candidates(rules, cards)]

        assert found == [melded for melded in plain if melded in found]
        for melded in set(plain) - set(found):
            refused += 1
            assert all(
                Meaning(new_hand(rules).changed(state=state), "south").misfit(melded)
                for state in states(rules)
            )

    assert (refused > 0) == decided


def states(rules: Rules) -> Iterator[FrozenDict[str, Any]]:
    """Yield the state of a new hand with each suit as trumps."""
    for suit in (None, *rules.profile.deck.suits):
        yield FrozenDict({**new_hand(rules).state, "trump": suit})


def test_an_action_told_anew_does_what_the_one_offered_does() -> None:
    """Code that has offered an action does not try it again; another like it is tried."""
    position = new_hand(rules_of("cady"))
    offered = legal(position)[0]
    like = Action(offered.name, FrozenDict(offered.arguments))

    assert like is not offered
    assert apply(position, like) == apply(position, offered)
    with pytest.raises(IllegalActionError):
        apply(position, Action("draw"))


def test_positions_of_play_are_as_frozen_as_others() -> None:
    """They equal positions made of their fields, share their hash, and do not change."""
    before = new_hand(rules_of("cady"))

    position, (event,) = apply(before, legal(before)[0])

    assert replace(position) == position
    assert hash(replace(position)) == hash(position)
    assert replace(event) == event
    for made, name in ((position, "phase"), (event, "name")):
        with pytest.raises(FrozenInstanceError):
            setattr(made, name, "other")


# --- what a rule file may ask of its actions -----------------------------------------------


def own_table(folder: Path, actions: str, more: str = "") -> Library:
    """Return a library with a table `own`: that of cady with more actions."""
    file = folder / "own.yaml"
    text = f"profile: own\nbased_on: cady\nsource: a table at home\n{more}actions:\n{actions}"
    file.write_text(text, encoding="utf-8")
    return Library([file])


def ways(position: Position, name: str) -> list[Action]:
    """Return the legal ways to take one action, which the interpreter finds too."""
    found = legal(position, code=Compiled(position.rules))
    assert found == legal(position, code=Interpreted(position.rules))
    return [action for action in found if action.name == name]


@pytest.mark.parametrize(
    ("kind", "condition", "expected"),
    [
        pytest.param("Suit", "x in (S, D)", ["S", "D"], id="suit"),
        pytest.param("Rank", "x in (7, A)", ["A", "7"], id="rank"),
        pytest.param("Seat", "x in barred", ["north"], id="seat"),
        pytest.param("[low, high, none]", "x in ('low', 'none')", ["low", "none"], id="word"),
    ],
)  # fmt: skip
def test_what_is_no_card_can_be_confined_too(
    tmp_path: Path, kind: str, condition: str, expected: list[str]
) -> None:
    """A suit, a rank, a seat or a word named in an action is one that its condition lists."""
    actions = (
        f'  tell: {{takes: {{x: {kind}}}, if: {{tell/which: "{condition}"}}, do: []}}\n'
    )
    position = scene("own", own_table(tmp_path, actions), trump="C", barred=["north"])

    found = ways(position, "tell")

    assert [action.arguments["x"] for action in found] == expected


def free_names(*tables: Rules) -> list[str]:
    """Return every name of the code of tables that a rule file can give to a parameter."""
    names: set[str] = set()
    for rules in tables:
        compiled = Compiled(rules)
        names.update(compiled.names)
        for node in ast.walk(ast.parse(compiled.source)):
            if isinstance(node, ast.Name | ast.arg):
                names.add(node.id if isinstance(node, ast.Name) else node.arg)
    profile = tables[0].profile
    deck = profile.deck
    taken = {
        *RESERVED, *profile.terms, *profile.choices, *profile.tables, *profile.values,
        *(part.name for part in profile.state), *deck.suits, *deck.ranks, *profile.seats,
    }  # fmt: skip
    # Names of several words are many: one is enough for each first word.
    known = {name.split("_")[0]: name for name in sorted(names - taken, reverse=True)}
    return [name for name in known.values() if re.fullmatch("[A-Za-z]\\w*", name)]


@pytest.mark.long
def test_parameters_may_have_any_name_of_the_code(tmp_path: Path) -> None:
    """Every name that the module of a table uses, given to a card, a meld and a loop."""
    free = free_names(rules_of("cady"), Rules(load_text(BEYOND, "beyond.yaml")))
    names = [name for name in free if "__" not in name]  # which no rule file can say
    assert {"at", "cards", "given", "mask", "place", "sorted"} <= {*names}
    actions = ""
    for number, name in enumerate(names):
        lay, sing = f"lay-{number}", f"sing-{number}"
        actions += f"""\
  {lay}:
    takes: {{'{name}': Card, also: Bool}}
    if:
      {lay}/held: {name} in held(me)
      {lay}/obeys: obeys({name})
      {lay}/fresh: spent({name}, 'court') < 2 and suit(led) is None
      {lay}/few: also or len(held(me)) + max(1, 2 if rank({name}) == A else 3) > sum(1 for each in seats)
    do: ['show({{{name}}})', 'sevens += {name}']
  {sing}:
    takes: {{'{name}': Meld}}
    if: {{{sing}/held: {name}.cards <= held(me), {sing}/form: fits({name}), {sing}/reuse: reuse({name})}}
    do: [show({name}.cards), scored += {name}, carry_out({name}), 'pay(me, {name}.points, {name}.name)']
"""
        if name.isalpha():
            actions += f"""\
  loop-{number}:
    if: {{loop-{number}/any: any({name} in held(me) and obeys({name}) for {name} in held(me))}}
    do: [{{for: {name} in seats, do: ["pay({name}, len(held({name})), 'seven')"]}}]
"""
    library = own_table(tmp_path, actions)
    position = scene("own", library, south="KS1 QS1 QH1 7S1", trump="H")
    plain, compiled = Interpreted(position.rules), Compiled(position.rules)

    found = legal(position, code=compiled)

    assert found == legal(position, code=plain)
    done = {action.name: action for action in found}
    assert {f"{what}-{at}" for at in range(len(names)) for what in ("lay", "sing")} <= {
        *done
    }
    for action in done.values():
        assert apply(position, action, code=compiled) == apply(
            position, action, code=plain
        ), action


def test_duties_may_ask_who_plays() -> None:
    """A set that depends on the seat that acts is a table of masks as others are."""
    text = (
        "profile: own\nbased_on: cady\nsource: a table at home\nterms:\n"
        "  heads(c): follows(c) and rank(c) > rank(led) and me == south\n"
    )
    rules = Rules(load_text(text, "own.yaml"))

    assert "set_heads(led, me_)" in Compiled(rules).source
    check_hand(rules, 2, "random")


def test_loops_of_a_reading_catch_no_parameter(tmp_path: Path) -> None:
    """A reading written out where its arguments have the name of its loop, and the next free one."""
    more = """\
choices:
  within(m, d): {one: any(c == d for c in m.cards), two: any(c != d for c in m.cards)}
readings: {within: one}
"""
    actions = """\
  pick:
    takes: {c: Meld, c_: Card}
    if: {pick/held: c.cards <= held(me), pick/form: fits(c), pick/of: 'within(c, c_)'}
    do: []
"""
    position = scene(
        "own", own_table(tmp_path, actions, more), south="KS1 QS1", trump="C"
    )

    found = ways(position, "pick")

    assert [str(action.arguments["c_"]) for action in found] == ["KS1", "QS1"]


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        pytest.param("m.cards <= held(me)", ["bezique"], id="not asked"),
        pytest.param("not fits(m)", ["bezique"], id="asked to be none"),
        pytest.param(
            "fits(m) or len(m.cards) == 2", ["bezique"], id="asked for nothing"
        ),
        pytest.param("fits(m)", [], id="asked"),
    ],
)
def test_melds_that_can_never_be_are_listed_unless_they_must_fit(
    tmp_path: Path, condition: str, expected: list[str]
) -> None:
    """A queen of spades with the jack of hearts looks like a bezique and is none (D2.33)."""
    actions = (
        "  brag: {takes: {m: Meld}, do: [],"
        f" if: {{brag/held: m.cards <= held(me), brag/form: {condition}}}}}\n"
    )
    position = scene("own", own_table(tmp_path, actions), south="QS1 JH1", trump="C")

    found = ways(position, "brag")

    assert [action.arguments["m"].meld for action in found] == expected


def test_only_sets_of_cards_confine_a_parameter(tmp_path: Path) -> None:
    """A meld in a list of melds, a card in the last trick, a card in the hand of a seat named."""
    actions = """\
  again: {takes: {m: Meld}, if: {again/waits: m in pending}, do: []}
  point: {takes: {card: Card}, if: {point/trick: card in trick}, do: []}
  offer: {takes: {card: Card, p: Seat}, if: {offer/held: card in held(p), offer/own: p == me}, do: []}
  ask: {takes: {p: Seat, card: Card}, if: {ask/held: card in held(p), ask/own: p == me}, do: []}
"""
    position = scene(
        "own",
        own_table(tmp_path, actions),
        trump="C",
        south="AH1",
        south_table="KS1 QS1",
        south_won="9S2 JS1",
        last_trick="9S2 JS1",
        pending=scored("marriage KS1 QS1"),
    )

    (again,) = ways(position, "again")
    point, offer, ask = (ways(position, name) for name in ("point", "offer", "ask"))

    assert sorted(map(str, again.arguments["m"].cards)) == ["KS1", "QS1"]
    assert [str(action.arguments["card"]) for action in point] == ["JS1", "9S2"]
    held = position.rules.sort(position.held("south"))
    for found in (offer, ask):
        assert [action.arguments["card"] for action in found] == held


def test_a_meld_of_no_table_is_unknown() -> None:
    """Both name the same clause for a meld that the rules do not have."""
    position = scene(south="TS1 TH1 TC1 TD1", trump="C")
    tens = frozenset(card for card in position.held("south") if card.rank == "T")
    melded = Melded("south", "four-tens", tens)

    assert Meaning(position, "south").misfit(melded) == "meld/unknown"
    assert Compiled(position.rules).misfit(position, "south", melded) == "meld/unknown"


# --- what is kept ------------------------------------------------------------------------------


def test_text_of_a_module_goes_with_it() -> None:
    """Nothing is left of compiled code that nobody has any more."""
    compiled = Compiled(rules_of("cady"))
    file, gone = compiled.file, weakref.ref(compiled)
    assert linecache.getlines(file)

    del compiled
    gc.collect()

    assert gone() is None
    assert file not in linecache.cache


class Light(Compiled):
    """Compiled code that is never run."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules


def test_of_many_tables_only_the_last_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who plays at many tables does not hold all their rules for ever."""
    code = Compiled(rules_of("cady"))
    monkeypatch.setattr(moves, "Compiled", Light)
    profile, known = LIBRARY.profile("cady"), []
    code_of.cache_clear()

    for number in range(400):
        rules = Rules(profile.model_copy(update={"name": f"table-{number}"}))
        code_of(rules)
        position = start(rules, "north")
        apply(position, deal(position, shuffled(rules, 0)), code=code)
        known.append(weakref.ref(rules))
    del rules, position
    gc.collect()
    left = [at for at, rules in enumerate(known) if rules() is not None]
    # The code of other rules must not be found by the next test.
    code_of.cache_clear()

    assert 0 < len(left) < 200
    assert left == list(range(400 - len(left), 400))


OWN = "profile: own\nbased_on: cady\nsource: a table at home\n"
CODES_OWN_NAMES = """\
tables:
  after: {S: D, D: S, H: C, C: H}
  strength: {S: S, D: D, H: H, C: C}
terms:
  number(c): suit(c) == after(suit(led))
  pack(c): suit(c) == strength(suit(led))
  first(c): follows(c)
duties:
  mask: {when: led is not None and stock_open and suit(led) == S, sets: [number, pack, any_card]}
  faces: {when: true, sets: [first, any_card]}
  free: {when: led is None}
"""
A_MELDS_NAME = """\
actions:
  meld-marriage:
    takes: {m: Meld}
    if:
      meld-marriage/when: phase == declare
      meld-marriage/marriage/plain-suit: fits(m) and m.cards <= held(me) and m not in scored
    do: [scored += m]
"""


@pytest.mark.parametrize(
    ("text", "seeds"),
    [
        pytest.param(CODES_OWN_NAMES, (1, 2, 3), id="the code's"),
        pytest.param(A_MELDS_NAME, (2,), id="a meld's", marks=pytest.mark.long),
    ],
)
def test_names_of_a_rule_file_may_be_those_of_the_code(
    text: str, seeds: tuple[int, ...]
) -> None:
    """Duties, sets and tables named as in the code, an action named as a meld: nothing changes."""
    rules = Rules(load_text(OWN + text, "own.yaml"))

    for seed in seeds:
        check_hand(rules, seed, "random")


SLUGS = st.from_regex(r"[ab](-[ab]){0,2}", fullmatch=True)
IDS = st.lists(
    st.from_regex(r"[ab](-[ab])?(/[ab](-[ab])?){1,2}", fullmatch=True),
    min_size=1, unique=True,
)  # fmt: skip
KINDS = ("term", "choice", "set", "duty", "TABLE", "legal", "failing", "way", "do")


@settings(max_examples=50)
@given(of=st.tuples(SLUGS, SLUGS), ids=st.tuples(IDS, IDS), others=st.sets(SLUGS))
def test_things_of_the_rules_have_names_of_their_own(
    of: tuple[str, str], ids: tuple[list[str], list[str]], others: set[str]
) -> None:
    """Conditions of two actions and of two melds, their effects, and what else is named."""
    named: list[str] = []
    for name, own in dict(zip(of, ids, strict=True)).items():
        clauses = [SimpleNamespace(id=clause) for clause in own]
        action = SimpleNamespace(name=name, conditions=clauses)
        named += naming.of_conditions(action).values()  # type: ignore[arg-type]
        named += naming.of_meld_conditions(name, clauses).values()  # type: ignore[arg-type]
        named += [naming.of_meld_effects(name), naming.of_possible(name, "c")]
    named += [naming.of(kind, name) for kind in KINDS for name in others]

    assert len(set(named)) == len(named)
