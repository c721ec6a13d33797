"""Sentences: the rules in the words of a language, numbers and names filled in.

Sentences are written by hand and hold *slots* where the rules decide what is said.
A digit, the name of a rank or suit, or a card may stand in a slot only, so a sentence
can never say another number or card than the rules.

Slots
    {hand_size}                 a named value of the profile, as a number
    {levels:level|levels}       the number with the noun in the form that goes with it
    {points} {cards}            in `meld/*`: what the meld scores; its cards
    {deck} {pack} {order}       cards in all; cards of one pack; the ranks, strongest first
    {packets}                   the packets of the deal: 3-2-3
    {rank.K} {ranks.K}          king; kings               {short.K}   K
    {suit.S} {suits.S}          spade; spades             {card.QS}   Q♠
    {meld.bezique} {melds.…}    the meld's name; its plural
    {seat.north}                a seat
    {table.opposite}            a table of the rules: ♠+♦, ♥+♣
    {choice.growth}             the sentence of the reading that holds, whole
    {card} {suit} {trump}       in `duties` only: the card led, its suit, the trump suit
    {value} {min}               in headings that speak of options only

The first letter of a finished sentence becomes a capital.  Endings are never made by
code: where words must agree, the sentence is worded so that they do, or uses the two
forms of a slot.

A rule file may bring sentences of its own; for a rule that it rewords, they go before
those of the language files in every language, because those speak of another rule.

>>> from bezique.spec.load import load
>>> sentence(load("cady"), "en", "last-trick/points")
'The winner of the last trick scores 10.'
"""

import re
from collections.abc import Callable, Mapping

from bezique.spec.core import Profile
from bezique.spec.language import FALLBACK, language, languages
from bezique.spec.static import settle, static_value
from bezique.spec.words import (
    Options,
    card_name,
    cards_text,
    meld_name,
    picked,
    rank_name,
    suit_name,
)  # fmt: skip

__all__ = [
    "SLOT", "card_name", "choice_sentence", "duty_sentence", "languages", "meld_name",
    "rank_name", "sentence", "slot_text", "suit_name",
]  # fmt: skip

SLOT = re.compile(r"\{([^{}:|]*)(?::([^{}|]*)\|([^{}|]*))?\}")
"""A slot: its name and, for a number, the noun that follows in its two forms."""


def sentence(
    profile: Profile, lang: str, clause_id: str, values: Options | None = None
) -> str:
    """Return the sentence of a rule, its slots filled.

    Args:
        profile: The rules that the slots ask.
        lang: A language; one without a file, or without this sentence, speaks English.
        clause_id: A clause or any other subject of `bezique.spec.subjects`.
        values: Options picked at the table; others have their defaults.

    Returns:
        A sentence; the id itself where nobody has written one.
    """
    text, spoken = _written(profile, lang, clause_id)
    if text is None:
        return clause_id
    return capital(_filled(profile, spoken, clause_id, text, values or {}))


def choice_sentence(profile: Profile, lang: str, choice: str, value: str) -> str:
    """Return the sentence of one reading of a choice."""
    return sentence(profile, lang, f"choice/{choice}/{value}")


def duty_sentence(
    profile: Profile, lang: str, clause_id: str, *, reason: bool, card: str | None = None,
    trump: str | None = None,
) -> str:  # fmt: skip
    """Return a duty as an order, or as the reason why another card is refused.

    Args:
        profile: The rules.
        lang: A language.
        clause_id: The duty and the set that binds: `strict/heads`.
        reason: Say why, not what.
        card: The card led, such as `QS`, for the slots {card} and {suit}.
        trump: The trump suit, for the slot {trump}.
    """
    order = language(lang).duties.get(clause_id)
    if order is None:
        return sentence(profile, lang, clause_id)
    led = card_name(lang, card) if card else ""
    suit = next((s for s in profile.deck.suits if card and s in card[1:]), None)
    names = {
        "card": led,
        "suit": suit_name(lang, suit) if suit else "",
        "trump": suit_name(lang, trump) if trump else "",
    }

    def fill(slot: re.Match[str]) -> str:
        return (
            names[slot[1]] if slot[1] in names else _slot(profile, lang, "", slot, {})
        )

    return SLOT.sub(fill, order.reason if reason else order.do)


def capital(text: str) -> str:
    """Return a text with its first letter, if it begins with one, as a capital."""
    return text[:1].upper() + text[1:]


def fill_slots(
    profile: Profile,
    lang: str,
    text: str,
    options: Options,
    extra: Mapping[str, str] | None = None,
) -> str:
    """Return a text of a language file (a title, a heading) with its slots filled."""

    def fill(slot: re.Match[str]) -> str:
        return (extra or {}).get(slot[1]) or _slot(profile, lang, "", slot, options)

    return SLOT.sub(fill, text)


def template(profile: Profile, lang: str, clause_id: str) -> str | None:
    """Return the sentence of a rule with its slots open, or None where there is none."""
    return _written(profile, lang, clause_id)[0]


def _written(profile: Profile, lang: str, clause_id: str) -> tuple[str | None, str]:
    """Return the sentence as it is written, and the language it is in."""
    own = profile.sentences
    for code in dict.fromkeys((lang, FALLBACK, *own)):
        if clause_id in own.get(code, {}):
            return own[code][clause_id], code
    for code in dict.fromkeys((lang, FALLBACK)):
        words = language(code)
        kind, _, rest = clause_id.partition("/")
        if kind == "choice":
            choice, _, value = rest.partition("/")
            text = words.choices.get(choice, {}).get(value)
        else:
            text = words.sentences.get(clause_id)
        if text is not None:
            return text, code
    return None, FALLBACK


def _filled(
    profile: Profile, lang: str, clause_id: str, text: str, options: Options
) -> str:
    return SLOT.sub(lambda slot: _slot(profile, lang, clause_id, slot, options), text)


def _slot(
    profile: Profile, lang: str, clause_id: str, slot: re.Match[str], options: Options
) -> str:
    """Return what a slot says; one that nothing fills stays as it is written."""
    found = slot_text(profile, lang, clause_id, slot[1], options)
    if found is None:
        return slot[0]
    if slot[2] is not None:
        return f"{found} {slot[2] if found == '1' else slot[3]}"
    return found


def slot_text(
    profile: Profile, lang: str, clause_id: str, name: str, options: Options
) -> str | None:
    """Return what the slot of that name says, or None when there is no such slot.

    Args:
        profile: The rules.
        lang: A language that has a file.
        clause_id: Where the slot stands.
        name: The slot without its braces and forms.
        options: Options picked at the table.
    """
    values = settle(profile, options)
    if name in values and not isinstance(values[name], bool):
        return str(values[name])
    if name in ("points", "cards"):
        meld = profile.melds.get(clause_id.removeprefix("meld/"))
        if meld is None or not clause_id.startswith("meld/"):
            return None
        return (
            str(static_value(meld.points, values))
            if name == "points"
            else cards_text(profile, lang, meld, options)
        )
    if name in _COUNTED:
        return _COUNTED[name](profile, lang, values)
    kind, _, what = name.partition(".")
    return _named(profile, lang, kind, what, options)


def _named(
    profile: Profile, lang: str, kind: str, what: str, options: Options
) -> str | None:
    """Return what a slot with a dot says: `rank.K`, `card.QS`, `choice.growth`."""
    deck = profile.deck
    if kind in ("rank", "ranks", "short") and what in deck.ranks:
        return rank_name(
            lang,
            what,
            "one" if kind == "rank" else "many" if kind == "ranks" else "short",
        )
    if kind in ("suit", "suits") and what in deck.suits:
        return suit_name(lang, what, "one" if kind == "suit" else "many")
    if kind == "card" and what in {
        rank + suit for rank in deck.ranks for suit in deck.suits
    }:
        return card_name(lang, what)
    if kind in ("meld", "melds") and what in profile.melds:
        return meld_name(lang, what, "one" if kind == "meld" else "many")
    if kind == "seat" and what in profile.seats:
        return language(lang).seats.get(what, what)
    if kind == "table" and what in profile.tables:
        return _table(profile, lang, what)
    if kind == "choice" and what in profile.choices:
        return sentence(
            profile, lang, f"choice/{what}/{picked(profile, what, options)}", options
        )
    return None


def _table(profile: Profile, lang: str, name: str) -> str:
    """Return a table as pairs; a pair that stands in both directions is said once."""
    pairs: dict[frozenset[str], str] = {}
    for key, value in profile.tables[name].items():
        shown = [suit_name(lang, item, "short") for item in (key, value)]
        pairs.setdefault(frozenset((key, value)), "+".join(shown))
    return ", ".join(pairs.values())


def _deck(profile: Profile, lang: str, values: Mapping[str, bool | int]) -> str:
    return str(
        static_value(profile.deck.packs, values) * int(_pack(profile, lang, values))
    )


def _pack(profile: Profile, lang: str, values: Mapping[str, bool | int]) -> str:
    del lang, values
    return str(len(profile.deck.ranks) * len(profile.deck.suits))


def _order(profile: Profile, lang: str, values: Mapping[str, bool | int]) -> str:
    del values
    return " ".join(rank_name(lang, rank, "short") for rank in profile.deck.ranks)


def _packets(profile: Profile, lang: str, values: Mapping[str, bool | int]) -> str:
    del lang
    size = static_value(profile.deal.hand_size, values)
    return "-".join(str(packet) for packet in profile.deal.packets[size])


_COUNTED: dict[str, Callable[[Profile, str, Mapping[str, bool | int]], str]] = {
    "deck": _deck, "pack": _pack, "order": _order, "packets": _packets,
}  # fmt: skip
