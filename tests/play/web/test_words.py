"""Words of the web table: no message of server or page is missing in any language."""

import ast
import string
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po
from jinja2.ext import babel_extract

from bezique.engine.library import Library
from bezique.play.web.words import LANGUAGES, WebWords, catalogue, language_of, nt, t

WEB = Path(__file__).parents[3] / "play" / "bezique" / "play" / "web"
TERMINAL = WEB.parent / "locale"
METHODS = {"say": 0, "t": 1}
TRANSLATED = [lang for lang in LANGUAGES if lang != "en"]


def said() -> Iterator[str]:
    """Yield the messages in the server's code."""
    for file in sorted(WEB.glob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            for argument in node.args[METHODS.get(name, 99) :][:1]:
                if isinstance(argument, ast.Constant) and isinstance(
                    argument.value, str
                ):
                    yield argument.value


def painted() -> Iterator[tuple[str, ...]]:
    """Yield the messages in the templates: of `t` one text, of `nt` two."""
    keywords = {"t": None, "nt": (1, 2)}
    for file in sorted((WEB / "templates").glob("*.html")):
        with file.open("rb") as source:
            for _, _, found, _ in babel_extract(
                source, list(keywords), [], {"encoding": "utf-8", "silent": "false"}
            ):
                texts = found if isinstance(found, tuple) else (found,)
                yield tuple(text for text in texts if isinstance(text, str))


def written(name: str, folder: Path = WEB / "locale") -> Catalog:
    """Return a catalogue as it is written."""
    with (folder / f"{name}.po").open("rb") as file:
        return read_po(file, abort_invalid=True)


def ids(found: Catalog) -> set[str]:
    """Return the messages of a catalogue without a context; of plural ones the first."""
    return {
        m.id if isinstance(m.id, str) else m.id[0]
        for m in found
        if m.id and not m.context
    }


def fields(text: object) -> set[str]:
    """Return the names of the fields of a message."""
    assert isinstance(text, str)
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("lang", TRANSLATED)
def test_every_message_of_the_server_is_translated(lang: str) -> None:
    """By its own catalogue or the terminal's; and none is there that nobody says."""
    own, terminal = ids(written(f"server-{lang}")), ids(written(lang, TERMINAL))
    wanted = set(said())

    assert len(wanted) > 40
    assert wanted <= own | terminal
    assert own <= wanted


@pytest.mark.parametrize("lang", TRANSLATED)
def test_every_message_of_the_templates_is_translated(lang: str) -> None:
    """A missing one would show its English text."""
    known = (
        ids(written(f"page-{lang}"))
        | ids(written(f"server-{lang}"))
        | ids(written(lang, TERMINAL))
    )

    assert {texts[0] for texts in painted()} <= known


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("part", ["server", "page"])
def test_translations_are_whole_and_keep_their_fields(part: str, lang: str) -> None:
    """None is empty or doubtful; no field is there that the English text has not."""
    for message in written(f"{part}-{lang}"):
        if not message.id:
            continue
        texts = (
            message.string if isinstance(message.string, tuple) else (message.string,)
        )
        assert all(texts), message.id
        assert not message.fuzzy, message.id
        if not message.context:
            source = message.id if isinstance(message.id, str) else message.id[1]
            extra = {"suit"} if source == "{rank} of {suits}" else set()
            assert all(fields(text) <= fields(source) | extra for text in texts), (
                message.id
            )


@pytest.mark.parametrize("lang", LANGUAGES)
def test_player_and_machine_do_the_same_things(lang: str) -> None:
    """What the terminal says of the machine has words for the player, with fields it knows."""
    done = {m.id: m.string for m in written(lang, TERMINAL) if m.context == "done"}
    did = {m.id: m.string for m in written(f"server-{lang}") if m.context == "did"}
    silent = {"draw", "ruling"}  # nothing is told of going on, and no referee sits here

    assert set(did) == set(done) - silent
    assert all(fields(did[name]) <= {"cards", "meld", "turned"} for name in did)


@pytest.mark.parametrize(
    ("lang", "name"),
    [("es", "dama de picas"), ("en", "queen of spades"), ("pt", "dama de espadas"), ("fr", "dame de pique")],
)  # fmt: skip
def test_card_is_called_by_its_whole_name(lang: str, name: str) -> None:
    """As people say it."""
    rules = Library().rules("cady")

    assert WebWords(lang, rules).long_name(rules.cards["QS1"]).lower() == name


@pytest.mark.parametrize(
    ("cookie", "accept", "lang"),
    [
        (None, None, "es"),
        (None, "fr-CA,fr;q=0.9,en;q=0.8", "fr"),
        (None, "de,ja;q=0.9", "es"),
        (None, "de,pt;q=0.3,en;q=0.7", "en"),
        ("pt", "fr", "pt"),
        ("xx", "en", "en"),
        (None, "en;q=x,fr;q=0.1", "fr"),
        (None, ";;;,,,q=", "es"),
    ],
)
def test_language_of_cookie_or_browser(
    cookie: str | None, accept: str | None, lang: str
) -> None:
    """The cookie first, then the browser's best that is spoken here, then Spanish."""
    assert language_of(cookie, accept) == lang


def test_message_is_found_in_every_part() -> None:
    """The page's, the server's and the terminal's own."""
    assert t("es", "No declaration – draw") == "Sin combinación — robar"  # noqa: RUF001
    assert t("es", "You deal.") == "Das tú."
    assert nt("en", "{n} card in hand", "{n} cards in hand", 2) == "2 cards in hand"
    assert catalogue("es") is catalogue("es")
