"""Words: the names of ranks, suits, cards and melds, and the cards of a meld, said.

>>> card_name("en", "QS"), rank_name("en", "T", "many"), meld_name("en", "sequence")
('Q♠', 'tens', 'sequence')
"""

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Literal, TypeAlias

from bezique.spec import tree
from bezique.spec.core import CardPattern, Meld, Profile
from bezique.spec.language import language
from bezique.spec.tree import Expression

Form: TypeAlias = Literal["one", "many", "short"]
Options: TypeAlias = Mapping[str, bool | int | str]


def rank_name(lang: str, rank: str, form: Form = "one") -> str:
    """Return the name of a rank; a rank that the language does not know names itself."""
    known = language(lang).ranks.get(rank)
    return getattr(known, form) if known else rank


def suit_name(lang: str, suit: str, form: Form = "many") -> str:
    """Return the name of a suit; a suit that the language does not know names itself."""
    known = language(lang).suits.get(suit)
    return getattr(known, form) if known else suit


def card_name(lang: str, card: str) -> str:
    """Return the short name of a card such as `QS` or `QS1`, in which 1 is the copy."""
    suits = language(lang).suits
    at = max((card.rfind(suit) for suit in suits), default=-1)
    if at < 1:
        return card
    suit = next(name for name in suits if card.startswith(name, at))
    return rank_name(lang, card[:at], "short") + suits[suit].short


def meld_name(lang: str, meld: str, form: Literal["one", "many"] = "one") -> str:
    """Return the name of a meld; an unknown one is called by its words."""
    known = language(lang).melds.get(meld)
    return getattr(known, form) if known else meld.replace("-", " ")


def picked(profile: Profile, choice: str, options: Options | None = None) -> str:
    """Return the reading that holds for a choice under some options."""
    return str((options or {}).get(choice, profile.choices[choice].picked))


def cards_text(
    profile: Profile, lang: str, meld: Meld, options: Options | None = None
) -> str:
    """Return the cards of a meld: `K Q of trumps`, `Q♠ J♦`, `A A A A of any suits`."""
    patterns = language(lang).patterns
    texts: list[str] = []
    for key, cards in card_groups(profile, meld, options):
        pattern = patterns.get(key, "{cards}")
        texts.append(pattern.replace("{cards}", " ".join(_shorts(lang, cards))))
    return " + ".join(texts)


def card_groups(
    profile: Profile, meld: Meld, options: Options | None = None
) -> Iterator[tuple[str, tuple[CardPattern, ...]]]:
    """Yield the cards of a meld, grouped by what its conditions say of their suit.

    The word with each group is a key of the language's patterns: `fixed`, `any` (suits
    are free), `each` (all of one free suit), or what the suit is compared with, such as
    `trump`, `not-trump` or the name of a table.
    """
    tests = [
        part
        for clause in meld.conditions
        for part in _conjuncts(profile, clause.test, options)
    ]

    def settled(part: CardPattern) -> tuple[str, CardPattern]:
        if part.suit:
            return "fixed", part
        if not part.variable:
            return "any", part
        for test in tests:
            suit, key = _said_of(part.variable, test)
            if suit:
                return "fixed", part.model_copy(update={"suit": suit})
            if key:
                return key, part
        return "each", part

    parts = [settled(part) for part in meld.cards]
    for key, group in groupby(parts, key=lambda item: item[0]):
        cards = [part for _, part in group]
        yield (
            key,
            tuple(sorted(cards, key=lambda part: profile.deck.ranks.index(part.rank))),
        )


def melds_shown(profile: Profile, options: Options | None = None) -> tuple[Meld, ...]:
    """Return the melds that can score under some options, by family and level."""
    families = [meld.family for meld in profile.melds.values()]
    able = [
        meld for meld in profile.melds.values() if not _never(profile, meld, options)
    ]
    return tuple(
        sorted(able, key=lambda meld: (families.index(meld.family), meld.level))
    )


def _never(profile: Profile, meld: Meld, options: Options | None) -> bool:
    """Return whether a reading rules a meld out altogether."""
    tests = (
        part
        for clause in meld.conditions
        for part in _conjuncts(profile, clause.test, options)
    )
    return any(
        isinstance(test, tree.Constant) and test.value is False for test in tests
    )


def _shorts(lang: str, cards: tuple[CardPattern, ...]) -> Iterator[str]:
    for part in cards:
        suit = suit_name(lang, part.suit, "short") if part.suit else ""
        yield from [rank_name(lang, part.rank, "short") + suit] * part.count


def _conjuncts(
    profile: Profile, test: Expression, options: Options | None
) -> Iterator[Expression]:
    """Yield what must all hold for a test to hold, terms and readings looked up."""
    if isinstance(test, tree.Logic) and test.word == "and":
        for item in test.items:
            yield from _conjuncts(profile, item, options)
    elif isinstance(test, tree.Apply) and test.where == "choice":
        yield from _conjuncts(
            profile,
            profile.choices[test.name].values[picked(profile, test.name, options)],
            options,
        )
    else:
        yield test


def _said_of(variable: str, test: Expression) -> tuple[str | None, str | None]:
    """Return the suit that a test fixes for a variable, or the key of what it says."""
    if isinstance(test, tree.Logic):
        said = [_said_of(variable, item) for item in test.items]
        return next((item for item in said if item != (None, None)), (None, None))
    if not isinstance(test, tree.Compare) or test.sign not in ("==", "!="):
        return None, None
    sides = (test.left, test.right)
    if not any(
        isinstance(s, tree.Name) and s.where == "parameter" and s.name == variable
        for s in sides
    ):
        return None, None
    for side in sides:
        match side:
            case tree.Constant(value=str() as suit) if test.sign == "==":
                return suit, None
            case tree.Name(where="state", name=name):
                return None, name if test.sign == "==" else f"not-{name}"
            case tree.Apply(where="table", name=name) if test.sign == "==":
                return None, name
    return None, None
