"""Prose: a page that says every rule of a table once, in an order for learners."""

import itertools
from collections import Counter
from collections.abc import Iterator

import pytest

from bezique.spec.core import Profile
from bezique.spec.language import language, languages
from bezique.spec.load import load, load_text, names
from bezique.spec.outline import idle_rules, outline
from bezique.spec.prose import ids_said, prose
from bezique.spec.sentences import sentence
from bezique.spec.subjects import choices_used, subjects
from bezique.spec.words import picked

PROFILES = tuple(load(name) for name in names())
LANGUAGES = languages()


def options_of(profile: Profile) -> Iterator[dict[str, bool | int | str]]:
    """Yield every setting of a profile's options; of free numbers the default and 1."""
    values = [option.values or (option.default, 1) for option in profile.options]
    for row in itertools.product(*values):
        yield dict(zip([o.name for o in profile.options], row, strict=True))


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("profile", PROFILES, ids=lambda profile: profile.name)
@pytest.mark.long
def test_every_clause_and_reading_is_said_once(profile: Profile, lang: str) -> None:
    """Under all options nothing but what does nothing is left out, and nothing is doubled."""
    for options in options_of(profile):
        said = Counter(ids_said(profile, options, lang))
        wanted = {*profile.clause_ids, *(f"choice/{n}" for n in choices_used(profile))}

        assert set(said) >= wanted - idle_rules(profile, options)
        assert not set(said) & idle_rules(profile, options)
        assert {name for name, times in said.items() if times > 1} == set()


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("profile", PROFILES, ids=lambda profile: profile.name)
@pytest.mark.long
def test_page_holds_the_sentence_of_everything_said(
    profile: Profile, lang: str
) -> None:
    """What counts as said stands on the page, filled in, and only there."""
    for options in options_of(profile):
        page = prose(profile, lang, options)
        for name in ids_said(profile, options, lang):
            if name.startswith("meld/"):
                continue
            full = name
            if name.startswith("choice/"):
                full = (
                    f"{name}/{picked(profile, name.removeprefix('choice/'), options)}"
                )
            assert sentence(profile, lang, full, options) in page
        assert "{" not in page
        assert not [name for name in subjects(profile) if f" {name} " in page]


def test_no_sentence_stands_twice_on_a_page() -> None:
    """No paragraph or item of a page repeats a sentence of another."""
    for profile, lang in itertools.product(PROFILES, LANGUAGES):
        lines = prose(profile, lang).splitlines()
        text = [
            line.removeprefix("- ") for line in lines if line and line[0] not in "#|"
        ]
        sentences = [part for line in text for part in line.split(". ")]

        twice = {part for part, times in Counter(sentences).items() if times > 1}
        assert twice == set(), (profile.name, lang)


@pytest.mark.parametrize(
    ("profile", "options", "rows"),
    [
        # D0.21
        ("streak", {}, [
            "| Marriage | K Q of a plain suit | 20 |", "| Royal marriage | K Q of trumps | 40 |",
            "| Sequence | A 10 K Q J of trumps | 250 |", "| Bezique | Q♠ J♦ | 40 |",
            "| Double bezique | Q♠ Q♠ J♦ J♦ | 500 |", "| Four aces | A A A A | 100 |",
            "| Four kings | K K K K | 80 |", "| Four queens | Q Q Q Q | 60 |", "| Four jacks | J J J J | 40 |",
        ]),
        # D4.38-50
        ("luso-four-pack", {}, [
            "| Marriage | K Q of a plain suit | 20 |", "| Royal marriage | K Q of trumps | 40 |",
            "| Plain sequence | A K Q J 10 of a plain suit | 150 |", "| Sequence | A K Q J 10 of trumps | 250 |",
            "| Bezique | Q♠ J♦ | 40 |", "| Double bezique | Q♠ Q♠ J♦ J♦ | 500 |",
            "| Triple bezique | Q♠ Q♠ Q♠ J♦ J♦ J♦ | 1500 |",
            "| Quadruple bezique | Q♠ Q♠ Q♠ Q♠ J♦ J♦ J♦ J♦ | 4500 |",
            "| Four aces | A A A A | 100 |", "| Four kings | K K K K | 80 |",
            "| Four queens | Q Q Q Q | 60 |", "| Four jacks | J J J J | 40 |",
        ]),
    ],
)  # fmt: skip
def test_table_lists_the_melds_that_can_score(
    profile: str, options: dict[str, int], rows: list[str]
) -> None:
    """Cards and points are the documents'; a meld that a reading rules out is not listed."""
    page = prose(load(profile), "en", options)

    table = [line for line in page.splitlines() if line.startswith("|")]
    assert table == ["| Meld | Cards | Points |", "| --- | --- | ---: |", *rows]


def test_reading_brings_its_melds_to_the_table() -> None:
    """D4.04 read as "eight of a rank score double" adds eight aces at 200."""
    doubled = load_text(
        "profile: doubled\nbased_on: luso-four-pack\nsource: D4\n"
        "readings: {doubled: eight-double}\n"
    )

    assert "| Eight aces | A A A A A A A A | 200 |" in prose(doubled, "en")


@pytest.mark.parametrize(
    ("profile", "options", "there", "gone"),
    [
        # D4.32-33: no turn-up, and sevens are worth nothing
        ("luso-blind", {}, "never exchanged", "turn-up, is laid"),
        ("luso", {}, "turn-up, is laid", "begins without trumps"),
        # D3.24
        ("boussac", {"turn_up": False}, "begins without trumps", "turn-up, is laid"),
        ("boussac", {}, "may claim the match", "begins without trumps"),
        # D2.34-38 are Cady's alone
        ("cady", {}, "A waiting meld is lost", "may claim the match"),
        ("streak", {}, "up to level 5", "A waiting meld is lost"),
        # D2.57; D4.03 is silent, and equal totals play on
        ("cady", {}, "Equal totals are a draw", "the match goes on"),
        ("luso", {}, "the match goes on", "Equal totals are a draw"),
    ],
)
def test_page_says_what_holds_at_its_table(
    profile: str, options: dict[str, bool], there: str, gone: str
) -> None:
    """Rules that do nothing are left out, those that do are said."""
    page = prose(load(profile), "en", options)

    assert there in page
    assert gone not in page


def test_options_are_listed_with_their_default() -> None:
    """The players see what they may agree on before the game."""
    page = prose(load("boussac"), "en")

    assert page.endswith(
        "## Options\n\n"
        "- Points to win the match: 1000 (default), any whole number from 1.\n"
        "- Cards dealt to each player: 8 (default), 9, 10.\n"
        "- Turning a card up: yes (default), no.\n"
        "- Who draws first: the winner of the trick (default), the non-dealer throughout.\n"
        "- The queen of the bezique: the queen of spades (default), the queen of trumps.\n"
    )


def test_page_begins_with_the_title_and_what_is_special() -> None:
    """A reader sees at once which table it is."""
    for profile, lang in itertools.product(PROFILES, LANGUAGES):
        first, _, second = prose(profile, lang).split("\n")[:3]

        assert first == f"# {language(lang).profiles[profile.name].title}"
        assert second.endswith(".")


def test_languages_say_the_same_in_the_same_order() -> None:
    """Pages of one table differ in nothing but the words."""
    for profile in PROFILES:
        shapes = set()
        for lang in LANGUAGES:
            lines = prose(profile, lang).splitlines()
            shapes.add(
                tuple(
                    line[:2] if line[:1] in "#|-" else len(line) > 0 for line in lines
                )
            )
        assert len(shapes) == 1, profile.name


def test_rule_that_the_outline_does_not_know_is_said_at_the_end() -> None:
    """A rule file's own clause appears with its sentence, or else with its id."""
    text = (
        "profile: home\nbased_on: cady\nsource: a table at home\n"
        "invariants: {home/tea: hand > 0, home/cake: hand > 0}\n"
        "sentences: {en: {home/tea: Tea is served in every hand.}}\n"
    )
    page = prose(load_text(text), "es")

    assert (
        "## Más reglas de esta mesa\n\n- Tea is served in every hand.\n- home/cake\n"
        in page
    )
    assert page.startswith("# Home\n")


def test_outline_names_rules_that_exist() -> None:
    """No part and no idle rule of the outline is about something that is gone."""
    known = {name for profile in PROFILES for name in subjects(profile)}
    known |= {f"choice/{name}" for profile in PROFILES for name in profile.choices}
    named = [
        n for section in outline().sections for part in section.parts for n in part.ids
    ]
    idle = {name for rule in outline().idle for name in rule.ids}

    # Said only by a table whose rule for drawing is not a reading.
    assert set(named) - known == {"draw/first"}
    assert idle <= known
    assert len(named) == len(set(named))


def test_idle_rules_ask_for_settings_that_exist() -> None:
    """What makes a rule idle is a value or a reading of some profile."""
    for rule in outline().idle:
        choices = {
            name
            for p in PROFILES
            for name in rule.when
            if name in p.choices or name in p.values
        }
        assert choices == set(rule.when)
        assert rule.when or rule.without
