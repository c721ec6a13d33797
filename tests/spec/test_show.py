"""Showing rules as text: what is shown reads back as the same tree."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bezique.spec import (
    load,
    load_text,
    names,
    show_expression,
    show_profile,
    show_statement,
    tree,
)
from bezique.spec.core import Profile
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


KINDS: dict[str, st.SearchStrategy[str]] = {}


def part_of(kind: str) -> st.SearchStrategy[str]:
    """Return texts of a kind that is still to be defined."""
    return st.deferred(lambda: KINDS[kind])


def built(form: str) -> st.SearchStrategy[str]:
    """Return texts of a form, such as `{bool} and {bool}`, each part in brackets."""
    parts = [part.partition("}") for part in form.split("{")]
    texts: list[st.SearchStrategy[str]] = [st.just(parts[0][0])]
    for kind, _, after in parts[1:]:
        texts += [part_of(kind).map(bracketed), st.just(after)]
    # Angle brackets stand for those of sets, which mark the parts here.
    whole = st.tuples(*texts).map("".join)
    return whole.map(lambda text: text.replace("<suit", "{suit").replace(">)", "})"))


def kind(*forms: str) -> st.SearchStrategy[str]:
    """Return texts of one of some forms, the plain ones first and more often."""
    plain = [form for form in forms if "{" not in form]
    made = [built(form) for form in forms if "{" in form]
    return st.sampled_from(plain) | st.one_of(*made)


def bracketed(text: str) -> str:
    """Return a text in brackets."""
    return f"({text})"


KINDS |= {
    "bool": kind(
        "declared", "turn_up", "True", "fits(m)", "obeys(c)",
        "not {bool}", "{bool} and {bool}", "{bool} or {bool} or {bool}",
        "{int} < {int}", "{int} <= {int} != {int}", "{bool} == {bool}",
        "{suit} == {suit}", "{suit} is None", "{suit} is not None", "{cards} <= {cards}",
        "{card} in {cards}", "{card} not in {cards}", "rank({card}) in (A, 9)",
        "rank({card}) == 8", "9 < rank({card})", "{meld}.family == 'court'",
        "{meld}.family in ('court', 'kings')", "reading('growth') == 'at-once'",
        "upward({meld})", "{bool} if {bool} else {bool}", "phase in (lead, follow)",
        "any({bool} for x in {cards})", "all(x in {cards} for x in {cards} if {bool})",
        "len([x for x in {cards}]) == 1", "len(<suit(x) for x in {cards}>) == 2",
    ),
    "int": kind(
        "0", "7", "-3", "target", "left", "{int} + {int}", "{int} - {int}",
        "{int} * {int}", "{int} // 2", "{int} % 3", "len({cards})", "max({int}, {int})",
        "min(points(x) for x in seats)", "sum(worth(x) for x in trick if {bool})",
        "worth({card})", "{meld}.points", "{int} if {bool} else {int}", "total(me)",
    ),
    "suit": kind("q", "S", "trump", "suit({card})", "opposite({suit})", "suit(led)"),
    "card": kind("c", "{card} if {bool} else {card}"),
    "cards": kind(
        "sevens", "()", "held(me)", "(c,)", "{meld}.cards", "{cards} | {cards}",
        "{cards} - {cards}", "({card}, {card})", "{cards} if {bool} else {cards}",
    ),
    "meld": kind("m", "{meld} if {bool} else {meld}"),
}  # fmt: skip


def nodes(node: Node) -> Iterator[Node]:
    """Yield a node of the tree and all below it."""
    yield node
    for _, value in node:
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, Node):
                yield from nodes(item)


@given(st.one_of(*KINDS.values()))
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


@pytest.mark.parametrize("name", names())
def test_profile_shown_loads_to_the_same_rules(name: str) -> None:
    """Every expression and statement comes back, and so does the digest."""
    profile = load(name)

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
