"""Words: what the web table says, in the player's language.

The messages of the web table are catalogues of their own, `locale/<part>-<lang>.po`; what
the terminal says too is said in the terminal's words.

    server    what the server says      page    what templates and script say
"""

import gettext
import io
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from bezique.engine.cards import Card
from bezique.engine.rules import Rules
from bezique.play import words as terminal
from bezique.spec.language import language

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog

LANGUAGES = ("es", "pt", "en", "fr")
DEFAULT = "es"


PARTS = ("server", "page")


@cache
def _written(part: str, lang: str) -> "Catalog":
    """Return the catalogue of a part as it is written; a part without one says nothing."""
    from babel.messages.catalog import Catalog
    from babel.messages.pofile import read_po

    file = files("bezique.play.web").joinpath("locale", f"{part}-{lang}.po")
    if not file.is_file():
        return Catalog(locale=lang)
    return read_po(io.BytesIO(file.read_bytes()), locale=lang)


@cache
def catalogue(lang: str) -> gettext.NullTranslations:
    """Return the messages of a language, those of the terminal behind them."""
    from babel.messages.mofile import write_mo

    found: gettext.NullTranslations = terminal.catalogue(lang)
    for part in PARTS:
        compiled = io.BytesIO()
        write_mo(compiled, _written(part, lang))
        compiled.seek(0)
        behind, found = found, gettext.GNUTranslations(compiled)
        found.add_fallback(behind)
    return found


def t(lang: str, message: str, /, **fields: object) -> str:
    """Return a message in a language, its fields filled."""
    return catalogue(lang).gettext(message).format(**fields)


def nt(lang: str, one: str, many: str, number: int, /, **fields: object) -> str:
    """Return a message in the form that goes with a number, `{n}`."""
    return catalogue(lang).ngettext(one, many, number).format(n=number, **fields)


@cache
def messages(lang: str) -> dict[str, str]:
    """Return every message of the page in a language, for the script."""
    return {
        str(message.id): str(message.string or message.id)
        for message in _written("page", lang)
        if isinstance(message.id, str) and message.id and not message.context
    }


class WebWords(terminal.Words):
    """All that is said at one table in one language, in a browser."""

    def __init__(self, lang: str, rules: Rules) -> None:
        super().__init__(lang, rules)
        self._messages = catalogue(lang)
        self.glyphs = True  # a page is UTF-8, whatever the terminal is

    def long_name(self, card: Card) -> str:
        """Return the whole name of a card."""
        return long_name(self.lang, card)


def long_name(lang: str, card: Card) -> str:
    """Return the whole name of a card: queen of spades."""
    spoken = language(lang)
    rank, suit = spoken.ranks.get(card.rank), spoken.suits.get(card.suit)
    if rank is None or suit is None:
        return card.face
    return t(lang, "{rank} of {suits}", rank=rank.one, suit=suit.one, suits=suit.many)


def language_of(asked: str | None, accept: str | None) -> str:
    """Return the language of a cookie, else of an `Accept-Language`, else Spanish."""
    if asked in LANGUAGES:
        return str(asked)
    best, weight = DEFAULT, 0.0
    for part in (accept or "").split(","):
        code, _, parameters = part.strip().partition(";")
        short = code.split("-")[0].strip().lower()
        try:
            quality = float(parameters.strip().removeprefix("q=") or 1)
        except ValueError:
            continue
        if short in LANGUAGES and quality > weight:
            best, weight = short, quality
    return best
