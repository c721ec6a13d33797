"""Words: what the terminal says, in the player's language.

The terminal's own words are message catalogues, `locale/<lang>.po`, read when they are
asked for.  Names of cards, melds, tables and the sentences of the rules are not here: they
belong to `bezique.spec`.

Terms
    message   an English text, which is its own translation into English
    context   what a name is the name of: `choice`, `done`, `series`
"""

import gettext
import io
import os
import sys
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from bezique.engine.cards import Card
from bezique.engine.rules import Rules
from bezique.spec.language import language
from bezique.spec.sentences import card_name, fill_slots, meld_name, suit_name

LANGUAGES = ("en", "es", "fr", "pt")
FALLBACK = "en"


def spoken(asked: str | None) -> str:
    """Return the language to speak: the one asked for, the system's, or English."""
    if asked:
        return asked
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        code = os.environ.get(variable, "").split("_")[0].split(".")[0].lower()
        if code in LANGUAGES:
            return code
        if code:  # a locale that is set decides, even one nobody speaks here
            break
    return FALLBACK


@cache
def catalogue(lang: str) -> gettext.NullTranslations:
    """Return the messages of a language, ready to be asked."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    source = files("bezique.play").joinpath("locale", f"{lang}.po").read_bytes()
    compiled = io.BytesIO()
    write_mo(compiled, read_po(io.BytesIO(source), locale=lang))
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)


class Words:
    """All that is said at one table in one language.

    Args:
        lang: One of `LANGUAGES`.
        rules: The table's rules, for the names of its things.
    """

    def __init__(self, lang: str, rules: Rules) -> None:
        self.lang, self.rules = lang, rules
        self._messages = catalogue(lang)
        self.glyphs = _can_show(sign.short for sign in language(lang).suits.values())

    # --- the terminal's own ------------------------------------------------------------------

    def say(self, message: str, **fields: object) -> str:
        """Return a message with its fields filled."""
        return self._messages.gettext(message).format(**fields)

    def count(self, one: str, many: str, number: int, **fields: object) -> str:
        """Return a message in the form that goes with a number, `{n}`."""
        return self._messages.ngettext(one, many, number).format(n=number, **fields)

    def named(self, context: str, name: str, **fields: object) -> str:
        """Return what a name of the rule file is called; an unknown one names itself."""
        found = self._messages.pgettext(context, name)
        plain = found.replace("-", " ").replace("_", " ") if found == name else found
        return plain.format(**fields)

    def knows(self, context: str, name: str) -> bool:
        """Return whether a name of the rule file has words of its own."""
        return self._messages.pgettext(context, name) != name

    # --- of the game ----------------------------------------------------------------------------

    def card(self, card: Card) -> str:
        """Return the short name of a card; one face down is a block."""
        if not card.known:
            return "▒▒" if self.glyphs else "??"
        return card_name(self.lang, card.face) if self.glyphs else card.face

    def cards(self, cards: Iterable[Card]) -> str:
        """Return the short names of cards."""
        return " ".join(map(self.card, cards))

    def suit(self, suit: str) -> str:
        """Return the sign of a suit."""
        return suit_name(self.lang, suit, "short") if self.glyphs else suit

    def meld(self, meld: str) -> str:
        """Return the name of a meld."""
        return meld_name(self.lang, meld)

    def reason(self, reason: str) -> str:
        """Return what points were given for."""
        if reason in self.rules.profile.melds:
            return self.meld(reason)
        found = language(self.lang).reasons.get(reason, reason.replace("-", " "))
        return fill_slots(self.rules.profile, self.lang, found, self.rules.options)

    def title(self) -> str:
        """Return the title of the table."""
        about = language(self.lang).profiles.get(self.rules.profile.name)
        return about.title if about else self.rules.profile.name

    def differs(self) -> str:
        """Return in a sentence how the table differs from others, where somebody wrote one."""
        about = language(self.lang).profiles.get(self.rules.profile.name)
        if about is None:
            return ""
        return fill_slots(
            self.rules.profile, self.lang, about.differs, self.rules.options
        )

    def seat(self, seat: str) -> str:
        """Return the name of a seat."""
        return language(self.lang).seats.get(seat, seat)


def _can_show(texts: Iterable[str]) -> bool:
    """Return whether the terminal's encoding has all of some signs."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    try:
        "".join((*texts, "▒")).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True
