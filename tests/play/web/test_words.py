"""Words of the web table: no message of server or page is missing in any language."""

import ast
import json
import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po
from jinja2.ext import babel_extract
from starlette.testclient import TestClient

from bezique.engine.library import Library
from bezique.play.web.words import LANGUAGES, WebWords, catalogue, language_of, nt, t
from tests.play.web.player import Player

WEB = Path(__file__).parents[3] / "play" / "bezique" / "play" / "web"
TERMINAL = WEB.parent / "locale"
METHODS = {"say": (0,), "t": (1,), "nt": (1, 2)}
"""Which arguments of a call are messages."""
LOOKS_UP = "words.py"
"""Where messages are also looked up for others, who say them."""
TRANSLATED = [lang for lang in LANGUAGES if lang != "en"]


def texts_of(node: ast.expr) -> list[str]:
    """Return the texts that an argument can be; it is a text, or a choice between texts."""
    if isinstance(node, ast.IfExp):
        return [*texts_of(node.body), *texts_of(node.orelse)]
    assert isinstance(node, ast.Constant), f"line {node.lineno}: a message is no text"
    assert isinstance(node.value, str)
    return [node.value]


def said() -> Iterator[str]:
    """Yield the messages in the server's code; one that cannot be read here is an error."""
    for file in sorted(WEB.glob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            for place in METHODS.get(name, ()):
                passed_on = isinstance(node.args[place], ast.Name)
                if not (passed_on and file.name == LOOKS_UP):
                    yield from texts_of(node.args[place])


def scripted() -> set[str]:
    """Return the names of the strings that the scripts use."""
    found: set[str] = set()
    for file in sorted((WEB / "static").glob("*.js")):
        source = file.read_text(encoding="utf-8")
        assert "words[" not in source, f"{file.name}: a name that is not written out"
        found |= set(re.findall(r"\bwords\.(\w+)", source))
    return found


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


def test_no_message_of_the_page_is_kept_that_nobody_says() -> None:
    """Every language has the same ones, and each is in a template or in the server."""
    kept = {lang: ids(written(f"page-{lang}")) for lang in LANGUAGES}
    used = {texts[0] for texts in painted()} | set(said())

    assert kept["es"] - used == set()
    assert all(found == kept["es"] for found in kept.values())


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_string_of_the_script_is_given_to_it(
    client: TestClient, lang: str
) -> None:
    """In the page's language; and none is given that the script does not use."""
    player = Player(client)
    page = client.get(player.url.replace("/es/", f"/{lang}/")).text
    found = re.search(r'id="strings">(.*?)</script>', page)
    assert found
    given = json.loads(found[1])
    spanish = {message.id: message.string for message in written("page-es")}

    assert set(given) == scripted()
    assert all(given.values())
    if lang != "en":
        assert not set(given.values()) & set(spanish)
    if lang == "es":
        assert set(given.values()) <= set(spanish.values())


def test_script_says_nothing_of_its_own() -> None:
    """What is shown or said is given to it: no text in it reads like a sentence."""
    for file in sorted((WEB / "static").glob("*.js")):
        source = re.sub(
            r"/\*.*?\*/|//[^\n]*", "", file.read_text("utf-8"), flags=re.DOTALL
        )
        assert re.findall(r"""["'`]([A-Z][a-z]+ [a-z]+[^"'`\n]*)""", source) == []


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
