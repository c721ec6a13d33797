"""Words: every message has a translation in every language, with the same fields."""

import ast
import string
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from bezique.engine.library import Library
from bezique.play.words import LANGUAGES, Words, spoken
from bezique.spec.sentences import languages

PLAY = Path(__file__).parents[2] / "play" / "bezique" / "play"
TRANSLATED = [lang for lang in LANGUAGES if lang != "en"]
METHODS = {"say": 1, "count": 2}


def calls() -> Iterator[tuple[str, ...]]:
    """Yield the messages in the code: of `say` one text, of `count` two."""
    for file in sorted(PLAY.glob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(
                    func=ast.Attribute(attr=name) | ast.Name(id=name), args=args
                ) if name in METHODS:
                    texts = [a.value for a in args if isinstance(a, ast.Constant)]
                    if file.name != "words.py":
                        assert len(texts) >= METHODS[name], (file.name, node.lineno)
                        yield tuple(map(str, texts[: METHODS[name]]))


def named() -> set[tuple[str, str]]:
    """Return the names of the built-in rule files that the terminal puts into words."""
    found: set[tuple[str, str]] = set()
    for name in Library().names:
        profile = Library().profile(name)
        for action in profile.actions.values():
            flags = [p.name for p in action.takes if p.type.kind == "Bool"]
            for key in (action.name, *(f"{action.name} {flag}" for flag in flags)):
                found |= (
                    {("done", key)}
                    if action.ruling
                    else {("done", key), ("choice", key)}
                )
        found |= {("series", item.name) for item in profile.series.shows}
        found |= {
            ("state", part.name) for part in profile.state if part.type.kind == "Suit"
        }
    return found


def catalogue(lang: str) -> Catalog:
    """Return the catalogue of a language as it is written."""
    with (PLAY / "locale" / f"{lang}.po").open("rb") as file:
        return read_po(file, locale=lang, abort_invalid=True)


def fields(text: object) -> set[str]:
    """Return the names of the fields of a message."""
    assert isinstance(text, str)
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_every_language_of_the_rules_is_spoken() -> None:
    """The terminal and the sentences know the same languages."""
    assert sorted(LANGUAGES) == sorted(languages())


@pytest.mark.parametrize("lang", TRANSLATED)
def test_every_message_is_translated(lang: str) -> None:
    """No message of the code is missing, and none is there that the code has not."""
    written = {m.id for m in catalogue(lang) if m.id and not m.context}
    wanted = {texts[0] if len(texts) == 1 else texts for texts in calls()}

    assert len(wanted) > 40
    assert {
        item if isinstance(item, str) else tuple(item) for item in written
    } == wanted


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_name_of_the_rule_files_has_words(lang: str) -> None:
    """Actions, numbers of the series and suits of the state are named in every language."""
    written = {(m.context, m.id) for m in catalogue(lang) if m.context}

    assert written == named()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_translations_are_whole_and_keep_their_fields(lang: str) -> None:
    """None is empty or marked as doubtful; `{n}` stays `{n}`."""
    for message in catalogue(lang):
        if not message.id:
            continue
        texts = (
            message.string if isinstance(message.string, tuple) else (message.string,)
        )
        assert all(texts), message.id
        assert not message.fuzzy, message.id
        if not message.context:
            source = message.id if isinstance(message.id, str) else message.id[0]
            assert all(fields(text) == fields(source) for text in texts), message.id


@pytest.mark.parametrize("lang", TRANSLATED)
def test_done_and_choice_use_known_fields(lang: str) -> None:
    """An action in words speaks of the same things in every language."""
    english = {(m.context, m.id): m.string for m in catalogue("en") if m.context}

    for message in catalogue(lang):
        if message.context:
            assert fields(message.string) == fields(
                english[message.context, message.id]
            )


def test_plural_goes_with_the_number() -> None:
    """One card, two cards; in French nothing takes the singular."""
    rules = Library().rules("cady")

    assert (
        Words("en", rules).count("{n} card in hand", "{n} cards in hand", 1)
        == "1 card in hand"
    )
    assert (
        Words("en", rules).count("{n} card in hand", "{n} cards in hand", 2)
        == "2 cards in hand"
    )
    assert (
        Words("fr", rules).count("{n} card in hand", "{n} cards in hand", 0)
        == "0 carte en main"
    )


def test_name_without_words_names_itself() -> None:
    """A user's rule file may have actions that no catalogue knows."""
    assert (
        Words("es", Library().rules("cady")).named("series", "long-run") == "long run"
    )


@pytest.mark.parametrize(
    ("system", "lang"),
    [
        ("pt_PT.UTF-8", "pt"),
        ("fr_FR", "fr"),
        ("es", "es"),
        ("C.UTF-8", "en"),
        ("de_DE.UTF-8", "en"),
    ],
)
def test_language_of_the_system_is_spoken(
    system: str, lang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without --lang the locale decides; one that nobody speaks here is English."""
    monkeypatch.setenv("LC_ALL", system)

    assert spoken(None) == lang
    assert spoken("es") == "es"
