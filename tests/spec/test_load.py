"""Loading rule files: names, and what holds of any text at all."""

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bezique.spec import Profile, RulesError, built_in, load, load_text, names
from bezique.spec.data import rules_folder

BASE = (rules_folder() / "base.yaml").read_text(encoding="utf-8")
WORDS = sorted(set(re.findall(r"[A-Za-z0-9_']+|[^\sA-Za-z0-9_']", BASE)))
SECTIONS = re.findall(r"^([a-z]+):", BASE, re.MULTILINE)
EXPRESSION_WORDS = [
    *("and", "or", "not", "if", "else", "for", "c", "m", "p", "in", "(", ")", "["),
    *("]", "{", "}", ",", "==", "<", "+", "//", "-", "7", "0", "'court'", "None"),
    *("led", "trump", "me", "seats", "rank", "suit", "held", "max", "len", "best"),
    *("upward", "growth", "reading", "m.cards", "true", "True", "trick", "\\", "é"),
]

plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(WORDS) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(WORDS) | st.text(), inner, max_size=3)
    ),
    max_leaves=8,
)


def loads_or_tells(text: str) -> None:
    """Check that a text is a profile or has problems, each with a place and code."""
    try:
        found: Profile | RulesError = load_text(text)
    except RulesError as error:
        found = error
    if isinstance(found, RulesError):
        assert found.problems
        for problem in found.problems:
            assert re.fullmatch(
                r"(rules|base|cady)\.yaml:[1-9]\d*:[1-9]\d*: expected .+, got .+"
                r" @ .+ \[[a-z0-9-]+\]",
                str(problem),
            )


def test_built_in_profiles_are_the_files_but_for_the_base() -> None:
    """The base is no table of its own: it lacks a name."""
    assert set(built_in()) == {*names(), "base"}


@pytest.mark.parametrize("name", names())
def test_profile_has_the_name_of_its_file(name: str) -> None:
    """So `load` and `profile:` speak of the same rules."""
    assert load(name).name == name


def test_unknown_name_is_a_key_error() -> None:
    """The base cannot be loaded either."""
    with pytest.raises(KeyError, match="base"):
        load("base")


def test_wording_leaves_the_digest_and_rules_change_it() -> None:
    """A source is wording, a target is a rule."""
    worded = load_text("based_on: cady\nsource: another\n")
    ruled = load_text("based_on: cady\nvalues: {target: 1001}\n")

    assert worded.digest == load("cady").digest
    assert ruled.digest != load("cady").digest


@settings(deadline=None)
@given(st.text())
def test_any_text_loads_or_tells_its_problems(text: str) -> None:
    """Nothing but `RulesError` is ever raised."""
    loads_or_tells(text)


@settings(deadline=None)
@given(st.lists(st.sampled_from([*WORDS, " ", "\n", "\n  ", ": ", "- "])).map("".join))
def test_any_words_of_a_rule_file_load_or_tell_their_problems(text: str) -> None:
    """The signs of YAML and of the rules language in any order."""
    loads_or_tells(text)


@settings(max_examples=40, deadline=None)  # each loads two files
@given(st.sampled_from(SECTIONS), plain)
def test_any_value_of_a_section_loads_or_tells_its_problems(
    section: str, value: object
) -> None:
    """JSON is YAML, so any JSON value can stand in a section of an overlay."""
    loads_or_tells(f"based_on: cady\n{section}: {value_text(value)}\n")


@settings(max_examples=40, deadline=None)  # each loads two files
@given(st.lists(st.sampled_from(EXPRESSION_WORDS), max_size=12).map(" ".join))
def test_any_expression_loads_or_tells_its_problems(text: str) -> None:
    """Also as a condition, as points and as a statement."""
    quoted = value_text(text)
    loads_or_tells(
        f"based_on: cady\nterms: {{'spare(m)': {quoted}}}\n"
        f"actions: {{draw: {{do: [{quoted}]}}}}\n"
        f"melds: {{bezique: {{points: {quoted}, cards: {quoted}}}}}\n"
    )


def test_long_chain_of_terms_is_told_and_does_not_overflow() -> None:
    """A thousand terms, each upon the one before, are more than Python can follow."""
    terms = "".join(f"  t{n}: not t{n - 1}\n" for n in range(1000, 0, -1))

    with pytest.raises(RulesError) as caught:
        load_text(f"based_on: cady\nterms:\n{terms}  t0: turn_up\n")

    assert {problem.code for problem in caught.value.problems} == {"term-depth"}


def value_text(value: object) -> str:
    """Return a value as JSON, which is YAML too."""
    return json.dumps(value)
