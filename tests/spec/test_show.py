"""Showing rules as text: what is shown reads back as the same tree."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bezique.spec import (
    load,
    load_file,
    load_text,
    names,
    show_expression,
    show_profile,
    show_statement,
    tree,
)
from bezique.spec.core import Profile
from bezique.spec.data import rules_folder
from bezique.spec.grammar import read_expression, read_statement
from bezique.spec.kinds import (
    BOOL,
    CARD,
    CARD_LIST,
    CARDS,
    INT,
    MELD,
    SEAT,
    SUIT,
    WORD,
    Type,
)
from bezique.spec.scope import Definition, Scope, constants
from bezique.spec.source import Plain, read_text
from bezique.spec.tree import Node
from bezique.spec.vocabulary import FACTS

SCOPE = Scope(
    parameters={"c": CARD, "m": MELD, "q": SUIT},
    facts=FACTS,
    state={
        "trump": SUIT.maybe(),
        "declared": BOOL,
        "sevens": CARDS,
        "order": CARD_LIST,
        "pending": Type(kind="list", item=MELD),
    },
    values={"target": INT, "turn_up": BOOL},
    definitions={
        "upward": Definition("term", (MELD,), lambda: BOOL),
        "worth": Definition("choice", (CARD,), lambda: INT),
        "opposite": Definition("table", (SUIT,), lambda: SUIT),
    },
    constants=constants(("A", "T", "9", "8"), ("S", "H"), ("south", "north")),
    families=("court", "kings"),
    readings={"growth": ("grow", "at-once")},
)


FORMS = {
    "bool": (
        "declared", "turn_up", "True", "fits(m)", "obeys(c)",
        "not {bool}", "{bool} and {bool}", "{bool} or {bool} or {bool}",
        "{int} < {int}", "{int} <= {int} != {int}", "{bool} == {bool}",
        "{suit} == {suit}", "{suit} is None", "{suit} is not None", "{cards} <= {cards}",
        "{card} in {cards}", "{card} not in {cards}", "rank({card}) in (A, 9)",
        "rank({card}) == 8", "9 < rank({card})", "{meld}.family == 'court'",
        "{meld}.family in ('court', 'kings')", "reading('growth') == 'at-once'",
        "upward({meld})", "{bool} if {bool} else {bool}", "phase in (lead, follow)",
        "any({bool} for @ in {cards})", "all(@ in {cards} for @ in {cards} if {bool})",
        "len([@ for @ in {cards}]) == 1", "len(<suit(@) for @ in {cards}>) == 2",
    ),
    "int": (
        "0", "7", "-3", "target", "left", "{int} + {int}", "{int} - {int}",
        "{int} * {int}", "{int} // 2", "{int} % 3", "len({cards})", "max({int}, {int})",
        "min(points(@) for @ in seats)", "sum(worth(@) for @ in trick if {bool})",
        "worth({card})", "{meld}.points", "{int} if {bool} else {int}", "total(me)",
    ),
    "suit": ("q", "S", "trump", "suit({card})", "opposite({suit})", "suit(led)"),
    "card": ("c", "{card} if {bool} else {card}"),
    "cards": (
        "sevens", "()", "held(me)", "(c,)", "{meld}.cards", "{cards} | {cards}",
        "{cards} - {cards}", "({card}, {card})", "{cards} if {bool} else {cards}",
    ),
    "meld": ("m", "{meld} if {bool} else {meld}"),
}  # fmt: skip
"""Forms of texts by what they stand for, with parts such as `{bool}`.

Angle brackets stand for those of sets, and @ for a variable that is still to be named.
"""


@st.composite
def texts(draw: st.DrawFn, kind: str, depth: int = 4) -> str:
    """Return a text of a kind, each of its parts in brackets."""
    forms = [form for form in FORMS[kind] if depth or "{" not in form]

    def part(match: re.Match[str]) -> str:
        return f"({draw(texts(match[1], depth - 1))})"

    text = re.sub(r"\{(\w+)\}", part, draw(st.sampled_from(forms)))
    text = text.replace("<suit", "{suit").replace(">)", "})")
    longest = max(map(len, re.findall("x+", text)), default=0)
    return text.replace("@", "x" * (longest + 1))


def nodes(node: Node) -> Iterator[Node]:
    """Yield a node of the tree and all below it."""
    yield node
    for _, value in node:
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, Node):
                yield from nodes(item)


@settings(max_examples=50, deadline=None)
@given(st.sampled_from(list(FORMS)).flatmap(texts))
def test_shown_expression_reads_back_as_the_same_tree(text: str) -> None:
    """The text has all brackets, what is shown only those it needs."""
    found = read_expression(text, SCOPE)

    shown = show_expression(found)

    assert read_expression(shown, SCOPE) == found
    assert show_expression(read_expression(shown, SCOPE)) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("((c)) == (c)", "c == c"),
        ("trump is None", "trump is None"),
        ("trump == None", "trump is None"),
        ("not (c in sevens)", "c not in sevens"),
        ("not (declared and turn_up)", "not (declared and turn_up)"),
        ("declared and (turn_up and declared)", "declared and (turn_up and declared)"),
        ("left < target < 7", "left < target and target < 7"),
        ("left - (target - 7)", "left - (target - 7)"),
        ("(left - target) - 7", "left - target - 7"),
        ("(left + 1) * 2", "(left + 1) * 2"),
        ("(declared == turn_up) == declared", "(declared == turn_up) == declared"),
        ("() | sevens", "() | sevens"),
        ("rank(c) in [9]", "rank(c) in [9]"),
        ("rank(c) in {9}", "rank(c) in (9,)"),
        (
            "any(x == c for x in (trick if declared else order) if (declared))",
            "any(x == c for x in (trick if declared else order) if declared)",
        ),
        (
            "(1 if declared else 2) if turn_up else 3",
            "(1 if declared else 2) if turn_up else 3",
        ),
        (
            "1 if declared else (2 if turn_up else 3)",
            "1 if declared else 2 if turn_up else 3",
        ),
    ],
)
def test_expression_is_shown_with_the_brackets_it_needs(text: str, shown: str) -> None:
    """No more and no fewer."""
    assert show_expression(read_expression(text, SCOPE)) == shown


@pytest.mark.parametrize(
    "text",
    [
        "declared = True",
        "trump = q",
        "trump = None",
        "sevens += c",
        "pending -= m",
        "pending = []",
        "pending = [n for n in pending if n.cards <= held(n.seat)]",
        "show(c)",
        "show(m.cards)",
        "pay(me, 10, 'seven')",
        "win(None)",
        "gather()",
    ],
)
def test_statement_is_shown_as_it_was_written(text: str) -> None:
    """These are in the shortest form."""
    found = read_statement(text, SCOPE)

    assert show_statement(found) == text
    assert read_statement(show_statement(found), SCOPE) == found


@pytest.mark.parametrize(
    "file",
    sorted(file for file in rules_folder().rglob("*.yaml") if file.stem != "base"),
    ids=lambda file: file.stem,
)
def test_profile_shown_loads_to_the_same_rules(file: Path) -> None:
    """Every expression and statement comes back, and so does the digest."""
    profile = load_file(file)

    again = load_text(show_profile(profile))

    assert again == profile
    assert again.digest == profile.digest
    assert show_profile(again) == show_profile(profile)


@pytest.mark.parametrize("name", names())
def test_shown_profile_is_based_on_nothing(name: str) -> None:
    """It can be read without any other file."""
    assert "based_on" not in plain(show_profile(load(name)))


@pytest.mark.parametrize("name", names())
def test_every_statement_of_a_profile_is_shown_on_one_line_of_yaml(name: str) -> None:
    """A loop or condition is a mapping, any other statement a text."""
    mappings = (tree.When, tree.ForEach)
    for statement in statements(load(name)):
        value = read_text(show_statement(statement), "statement").value

        assert isinstance(value, dict) == isinstance(statement, mappings)
        assert "\n" not in show_statement(statement)


def statements(profile: Profile) -> list[tree.Statement]:
    """Return all statements of a profile."""
    kinds = (tree.Assign, tree.Do, tree.When, tree.ForEach)
    items = (
        *profile.melds.values(),
        *profile.actions.values(),
        *profile.waivers,
        *profile.after,
    )
    return [node for item in items for node in nodes(item) if isinstance(node, kinds)]


def plain(text: str) -> dict[str, Plain]:
    """Return the mapping that a YAML text holds."""
    found = read_text(text, "rules.yaml")
    assert isinstance(found.value, dict)
    assert found.problems == []
    return found.value


def test_words_and_cards_that_yaml_takes_apart_are_quoted() -> None:
    """A choice with the reading `no` and a rank of digits survive."""
    text = show_profile(load("cady")).replace("grow:", "'no':")
    profile = load_text(text.replace("growth: grow\n", "growth: 'no'\n"))

    assert "no" in profile.choices["growth"].values
    assert load_text(show_profile(profile)) == profile


def test_type_word_is_never_needed() -> None:
    """Words are shown in quotes, so that none is taken for a name."""
    word = tree.Constant(type=WORD, value="court")

    assert show_expression(word) == "'court'"
    assert show_expression(tree.Constant(type=SEAT, value="south")) == "south"
