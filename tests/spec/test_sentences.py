"""Sentences: the rules in words, with every number and card from the rules."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bezique.spec.language import language
from bezique.spec.load import load, load_text, names
from bezique.spec.problem import Problem
from bezique.spec.sentences import (
    SLOT,
    card_name,
    choice_sentence,
    duty_sentence,
    languages,
    meld_name,
    rank_name,
    sentence,
    suit_name,
)
from bezique.spec.source import read_text
from bezique.spec.subjects import subjects
from bezique.spec.wording import (
    check_language,
    check_languages,
    check_profile_sentences,
    literals,
)
from bezique.spec.words import cards_text

FOLDER = Path(__file__).parent.parent.parent / "spec" / "sentences"
ENGLISH = (FOLDER / "en.yaml").read_text(encoding="utf-8")
PROFILES = tuple(load(name) for name in names())


def problems_after(old: str, new: str) -> list[Problem]:
    """Return the problems of the English file after one change."""
    assert ENGLISH.count(old) == 1, old
    return check_language(ENGLISH.replace(old, new), "en.yaml", PROFILES)


def place(text: str, part: str) -> tuple[int, int]:
    """Return the line and column of a part that stands in a text once."""
    assert text.count(part) == 1, part
    before = text[: text.index(part)]
    return before.count("\n") + 1, len(before) - before.rfind("\n")


def test_languages_are_the_files() -> None:
    """A language exists when its file does; the outline is none."""
    files = {file.stem for file in FOLDER.glob("*.yaml")} - {"outline"}

    assert set(languages()) == files
    assert {"en", "es"} <= files


def test_built_in_sentences_have_no_problem() -> None:
    """Every rule of every profile is said in every language, and nothing else is."""
    assert check_languages(PROFILES) == []


@pytest.mark.parametrize(
    ("profile", "clause", "options", "text"),
    [
        # D4.52-53; D2.53
        ("luso-four-pack", "last-trick/points", {}, "The winner of the last trick scores 50."),
        ("cady", "last-trick/points", {}, "The winner of the last trick scores 10."),
        # D4.03
        ("luso", "match/target", {"target": 1500},
         "The match ends with the hand that brings a player to 1500 points: the higher total wins."),
        ("boussac", "claim/target", {}, "A claim takes a total of at least 1000 points at that moment."),
        ("boussac", "claim/target", {"target": 1}, "A claim takes a total of at least 1 point at that moment."),
        # D0.21; D4.04 puts the ten last; D3.59-60
        ("streak", "meld/sequence", {}, "A sequence, A 10 K Q J of trumps, scores 250."),
        ("luso", "meld/sequence", {}, "A sequence, A K Q J 10 of trumps, scores 250."),
        ("cady", "meld/double-bezique", {}, "A double bezique, Q♠ Q♠ J♦ J♦, scores 500."),
        ("boussac", "meld/bezique", {"bezique_pair": "trump-queen"},
         "A bezique, Q of trumps + J of the suit that goes with trumps, scores 40."),
        ("boussac", "bezique/pair", {"bezique_pair": "trump-queen"},
         "The bezique is the queen of trumps with the jack of the suit that goes with it: ♠+♦, ♥+♣."),
        # D0.23, with the reading taken in by the clause
        ("streak", "declare/bring", {},
         "Every meld, when it is first shown, brings at least one card from the hidden hand to the table."),
        # D4.34: four packs of 32 cards
        ("luso-four-pack", "deck/cards", {},
         "Bezique is a game for two players with 4 packs of 32 cards shuffled together, 128 in all."),
        # D3.27 and the register of readings, row 18
        ("boussac", "deal/packets", {"hand_size": 10},
         "They are dealt in packets of 3-2-3-2, the non-dealer getting each packet first; the rest of the pack is the stock and lies face down."),
    ],
)  # fmt: skip
def test_sentence_says_what_the_table_plays(
    profile: str, clause: str, options: dict[str, int | str], text: str
) -> None:
    """Numbers and cards are those of the profile under its options."""
    assert sentence(load(profile), "en", clause, options) == text


def test_no_slot_stays_open() -> None:
    """Every sentence of every profile is filled in every language."""
    for profile in PROFILES:
        for lang in languages():
            for clause in subjects(profile):
                text = sentence(profile, lang, clause)
                assert SLOT.search(text) is None, (profile.name, lang, clause)
                assert text != clause


def test_spanish_says_the_same_numbers() -> None:
    """D2.53 in Spanish."""
    text = sentence(load("cady"), "es", "last-trick/points")

    assert text == "Quien gana la última baza se apunta 10 puntos."


def test_choice_sentence_says_a_reading_that_is_not_picked() -> None:
    """A reading can be said whichever one the profile picks."""
    assert choice_sentence(load("cady"), "en", "look", "forbidden") == (
        "Nobody may look through the tricks already won, not even their own."
    )


def test_names_come_in_the_forms_of_the_language() -> None:
    """Ranks, suits, cards and melds have their names."""
    assert rank_name("es", "K", "many") == "reyes"
    assert suit_name("es", "S") == "picas"
    assert card_name("es", "QS2") == "Q♠"
    assert card_name("en", "TH") == "10♥"
    assert meld_name("es", "royal-marriage") == "matrimonio real"


def test_unknown_names_name_themselves() -> None:
    """A rule file with other cards and melds is spoken of by its own words."""
    assert rank_name("en", "X") == "X"
    assert suit_name("en", "stars") == "stars"
    assert card_name("en", "Xstars") == "Xstars"
    assert meld_name("en", "carte-blanche") == "carte blanche"


def test_rule_without_a_sentence_says_its_id() -> None:
    """Where nobody has written a sentence, the clause is still named."""
    assert sentence(load("luso"), "en", "home/tea") == "home/tea"


def test_language_without_a_file_speaks_english() -> None:
    """Nobody is left without words."""
    assert sentence(load("cady"), "xx", "play/when") == "Cards are played in turn only."


def test_duty_is_an_order_and_a_reason() -> None:
    """The line above a hand names the card to beat."""
    cady = load("cady")

    order = duty_sentence(cady, "en", "strict/heads", reason=False, card="TH2")
    suit = duty_sentence(cady, "es", "strict/follows", reason=False, card="TH2")
    trump = duty_sentence(cady, "en", "strict/ruffs", reason=False, trump="C")
    reason = duty_sentence(cady, "en", "free/any_card", reason=True)

    assert order == "follow suit and beat the 10♥"
    assert suit == "asiste: corazones"
    assert trump == "trump with one of your clubs"
    assert reason == (
        "a leader is free, and so is the other player while stock is left"
    )


def test_cards_follow_the_readings() -> None:
    """D3.59-60: the queen of the bezique may be that of trumps."""
    boussac = load("boussac")
    meld = boussac.melds["double-bezique"]

    fixed = cards_text(boussac, "es", meld)
    free = cards_text(boussac, "es", meld, {"bezique_pair": "trump-queen"})

    assert fixed == "Q♠ Q♠ J♦ J♦"
    assert free == "Q Q de triunfo + J J del palo que va con el triunfo"


# --- the checks ---------------------------------------------------------------------

LAST_TRICK = "The winner of the last trick scores {last_trick}."


@pytest.mark.parametrize(
    ("new", "part", "code"),
    [
        ("The winner of trick 32 scores {last_trick}.", "32", "sentence-number"),
        ("Whoever wins with an Ace scores {last_trick}.", "Ace", "sentence-name"),
        ("Whoever wins with sevens scores {last_trick}.", "sevens scores", "sentence-name"),
        ("Whoever wins the last ♠ scores {last_trick}.", "♠ scores", "sentence-name"),
        ("Whoever wins with the KD scores {last_trick}.", "KD scores", "sentence-name"),
        ("Whoever wins with a K scores {last_trick}.", "K scores", "sentence-name"),
        ("The winner scores {lasttrick}, not {last_trick}.", "{lasttrick}", "sentence-slot"),
        ("The {rank.X} scores {last_trick}.", "{rank.X}", "sentence-slot"),
        ("The winner scores {turn_up}, not {last_trick}.", "{turn_up}, not", "sentence-slot"),
        ("The {rank.K:man|men} scores {last_trick}.", "{rank.K:man|men}", "sentence-slot"),
        ("The winner scores {last_trick:7 points|points}.", "7 points|", "sentence-number"),
        ("The winner scores } {last_trick}.", "} {last_trick}.", "sentence-slot"),
        ("The winner scores {cards}, {last_trick}.", "{cards}, {last", "sentence-slot"),
    ],
)  # fmt: skip
def test_what_is_not_in_a_slot_is_found_where_it_stands(
    new: str, part: str, code: str
) -> None:
    """Numbers, names, cards and wrong slots are problems with line and column."""
    found = problems_after(LAST_TRICK, new)

    line, column = place(ENGLISH.replace(LAST_TRICK, new), part)
    assert {problem.code for problem in found} == {code}
    assert (found[0].mark.line, found[0].mark.column) == (line, column)
    assert found[0].path == "sentences.last-trick/points"


def test_every_problem_is_reported() -> None:
    """The check does not stop at the first fault."""
    found = problems_after(LAST_TRICK, "The 32nd trick wins 9 kings.")

    assert [problem.code for problem in found] == [
        "sentence-value",
        "sentence-number",
        "sentence-number",
        "sentence-name",
    ]


def test_first_word_is_not_taken_for_a_card() -> None:
    """The letter of the ace is also an English word, which begins sentences."""
    new = "A winner takes it. A last trick scores {last_trick}."

    assert problems_after(LAST_TRICK, new) == []


@pytest.mark.parametrize(
    ("old", "missing"),
    [
        (LAST_TRICK, "last_trick"),
        ("'A {meld.sequence}, {cards}, scores {points}.'", "cards"),
        ("'The opponent plays at a level one above the streak, up to level {levels}.'", "levels"),
    ],
)  # fmt: skip
def test_sentence_names_the_numbers_of_its_rule(old: str, missing: str) -> None:
    """A rule that counts with a value has it in its sentence."""
    found = problems_after(old, old.replace(f"{{{missing}}}", "so much"))

    assert [problem.code for problem in found] == ["sentence-value"]
    assert f"{{{missing}}}" in found[0].expected


def test_reading_names_the_numbers_of_its_clause() -> None:
    """`seven/played` pays the value `seven`, which its readings say."""
    text = ENGLISH
    for reading in ("any-phase", "open"):
        line = next(
            row for row in text.splitlines() if f"    {reading}: 'A {{rank.7}}" in row
        )
        text = text.replace(line, line.replace("{seven}", "points"))

    found = check_language(text, "en.yaml", PROFILES)

    assert [(p.path, p.code) for p in found] == [
        ("sentences.seven/played", "sentence-value")
    ]


@pytest.mark.parametrize(
    ("line", "path"),
    [
        (f"  last-trick/points: '{LAST_TRICK}'\n", "sentences.last-trick/points"),
        ("    draw: Equal totals are a draw.\n", "choices.tie.draw"),
        ("  bezique: {one: bezique, many: beziques}\n", "melds.bezique"),
        ("  hand_size: {label: Cards dealt to each player}\n", "options.hand_size"),
        ("  facts: True at every moment\n", "headings.facts"),
        ("  opposite: '{cards} of the suit that goes with trumps'\n", "patterns.opposite"),
        ("  last-trick: last trick\n", "reasons.last-trick"),
    ],
)  # fmt: skip
def test_missing_words_are_named(line: str, path: str) -> None:
    """A translator is told what is still to be said."""
    found = problems_after(line, "")

    assert [(p.path, p.code) for p in found] == [(path, "sentence-missing")]


@pytest.mark.parametrize(
    ("section", "line", "path"),
    [
        ("sentences:", "  four/tens: Four of them score.", "sentences.four/tens"),
        ("choices:", "  colour: {red: Red it is.}", "choices.colour.red"),
        ("options:", "  speed: {label: Speed}", "options.speed"),
        (
            "melds:",
            "  four-tens: {one: four tens, many: fours of tens}",
            "melds.four-tens",
        ),
    ],
)
def test_words_for_nothing_are_named(section: str, line: str, path: str) -> None:
    """What no profile has any more is not translated for ever."""
    found = problems_after(f"\n{section}\n", f"\n{section}\n{line}\n")

    assert [(p.path, p.code) for p in found] == [(path, "sentence-stale")]


def test_file_of_another_shape_is_a_problem() -> None:
    """A key too few and a wrong kind of value are both told."""
    text = ENGLISH.replace("name: English\n", "").replace(
        "seats: {", "seats: {east: 3, "
    )

    found = check_language(text, "en.yaml", PROFILES)

    assert [(p.path, p.code) for p in found] == [
        ("name", "sentence-missing"),
        ("seats.east", "sentence-shape"),
    ]


@given(
    st.sampled_from(sorted(language("en").sentences.values())),
    st.integers(0, 500),
    st.sampled_from("0123456789"),
)
def test_no_digit_gets_through(text: str, at: int, digit: str) -> None:
    """Wherever a digit is put into a sentence outside its slots, it is found."""
    inside = {
        n
        for slot in SLOT.finditer(text)
        for n in range(*slot.span())
        if n > slot.start()
    }
    places = [place for place in range(len(text) + 1) if place not in inside]
    where = places[at % len(places)]

    found = list(literals(language("en"), text[:where] + digit + text[where:]))

    assert (where, digit, "sentence-number") in found


# --- sentences of a rule file ---------------------------------------------------------

OWN = """\
profile: {name}
based_on: cady
source: a table at home
sentences:
  en:
    last-trick/points: {sentence}
"""


def own_problems(sentence: str, lang: str = "en") -> list[Problem]:
    """Return the problems of a rule file with one sentence of its own."""
    source = OWN.replace("{name}", "home").replace("{sentence}", sentence)
    source = source.replace("  en:", f"  {lang}:")
    text = read_text(source, "home.yaml")
    bare = source[: source.index("sentences:")]
    profile = load_text(bare, "home.yaml").model_copy(
        update={"sentences": {lang: {"last-trick/points": sentence}}}
    )
    return check_profile_sentences(profile, text)


def test_own_sentence_goes_before_in_every_language() -> None:
    """A reworded rule is another rule, so no language file speaks for it."""
    source = OWN.replace("{name}", "home").replace(
        "{sentence}", "'The last trick is worth {last_trick}.'"
    )
    home = load_text(source, "home.yaml")

    assert sentence(home, "en", "last-trick/points") == "The last trick is worth 10."
    assert sentence(home, "es", "last-trick/points") == "The last trick is worth 10."
    assert sentence(home, "es", "play/when") == "Solo se juega cuando toca."


@pytest.mark.parametrize(
    ("text", "column", "code"),
    [
        ("Trick 32 scores {last_trick}.", 30, "sentence-number"),
        ("The kings score {last_trick}.", 28, "sentence-name"),
        ("Who wins {it} scores {last_trick}.", 33, "sentence-slot"),
        ("The last trick scores.", 24, "sentence-value"),
    ],
)
def test_own_sentence_is_checked_where_it_stands(
    text: str, column: int, code: str
) -> None:
    """A rule file's sentences have to keep to the rules, too."""
    found = own_problems(text)

    assert [(p.mark.line, p.mark.column, p.code) for p in found] == [(6, column, code)]


def test_own_sentences_have_a_known_language_and_rule() -> None:
    """A language without a file and a rule that does not exist are told."""
    source = OWN.replace("{name}", "home").replace(
        "    last-trick/points: {sentence}", "    last/points: Nothing."
    )
    home = load("cady").model_copy(
        update={"sentences": {"en": {"last/points": "Nothing."}}}
    )

    stale = check_profile_sentences(home, read_text(source, "home.yaml"))

    assert [(p.path, p.code) for p in stale] == [
        ("sentences.en.last/points", "sentence-stale")
    ]
    assert [p.code for p in own_problems("Score {last_trick}.", "tlh")] == [
        "unknown-language"
    ]
