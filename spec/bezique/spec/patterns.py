"""Card patterns: the cards of a meld as rule files write them.

K(s) Q(s)        a king and a queen of one suit, which the meld calls s
2 Q(q) 2 J(j)    two queens of one suit, two jacks of one suit
4 A              four aces, of any suits
Q(S)             the queen of a fixed suit
"""

import re
from collections.abc import Mapping

from bezique.spec.core import CardPattern
from bezique.spec.kinds import RANK, SUIT, Type
from bezique.spec.syntax import refuse

__all__ = ["read_pattern"]

_FORM = "cards such as K(s), 2 Q(q), 4 A"
_PART = re.compile(r"(?:([0-9]+) )?([^\s()]+)(?:\(([^\s()]+)\))?(?: |$)")


def read_pattern(
    text: str, constants: Mapping[str, Type], letters: Mapping[str, Type]
) -> tuple[CardPattern, ...]:
    """Return the parts of a card pattern.

    Args:
        text: The pattern.
        constants: Ranks and suits by name.
        letters: Types by letter; one for suits stands for a suit left open.

    Raises:
        FaultError: A part is not of the form above, or names no rank or suit of the
            deck.
    """
    parts: list[CardPattern] = []
    at = 0
    while at < len(text):
        match = _PART.match(text, at)
        if not match:
            refuse(_FORM, repr(text[at : at + 20]), "card-pattern", at)
        count, rank, suit = match.groups()
        if count and not re.fullmatch("[1-9][0-9]?", count):
            refuse("a number of cards from 1 to 99", count, "card-pattern", at)
        if constants.get(rank) != RANK:
            expected = f"a rank of the deck ({_names(constants, RANK)})"
            refuse(expected, rank, "unknown-rank", match.start(2))
        fixed = constants.get(suit) == SUIT
        if suit and not fixed and letters.get(suit) != SUIT:
            known = f"{_names(constants, SUIT)}; {_names(letters, SUIT)}"
            expected = f"a suit of the deck or a letter for suits ({known})"
            refuse(expected, suit, "unknown-suit", match.start(3))
        part = CardPattern(
            count=int(count or 1),
            rank=rank,
            suit=suit if fixed else None,
            variable=None if fixed else suit,
        )
        parts.append(part)
        at = match.end()
    if not parts:
        refuse(_FORM, "nothing", "card-pattern")
    return tuple(parts)


def _names(named: Mapping[str, Type], kind: Type) -> str:
    return ", ".join(name for name, other in named.items() if other == kind)
