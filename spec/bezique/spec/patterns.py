"""Card patterns: the cards of a meld as rule files write them.

    K(s) Q(s)        a king and a queen of one suit, which the meld calls s
    2 Q(q) 2 J(j)    two queens of one suit, two jacks of one suit
    4 A              four aces, of any suits
    Q(S)             the queen of a fixed suit
"""

import re
from collections.abc import Mapping

from bezique.spec.core import CardPattern
from bezique.spec.grammar import FaultError
from bezique.spec.kinds import RANK, SUIT, Type

_PART = re.compile(r"(?:(\d+) )?([^\s()]+)(?:\(([^\s()]+)\))?(?: |$)")


def read_pattern(text: str, constants: Mapping[str, Type], letters: Mapping[str, Type]) -> tuple[CardPattern, ...]:
    """Return the parts of a card pattern.

    Raises:
        FaultError: A part is not of the form above, or names no rank or suit of the deck.
    """
    parts: list[CardPattern] = []
    at = 0
    while at < len(text):
        match = _PART.match(text, at)
        if not match:
            raise FaultError("cards such as K(s), 2 Q(q), 4 A", repr(text[at:]), "card-pattern", at)
        count, rank, suit = match.groups()
        if constants.get(rank) != RANK:
            raise FaultError("a rank of the deck", repr(rank), "unknown-rank", match.start(2))
        if count is not None and not 1 <= int(count) <= 99:
            raise FaultError("a number of cards from 1", count, "card-pattern", at)
        fixed = suit is not None and constants.get(suit) == SUIT
        if suit is not None and not fixed and letters.get(suit) != SUIT:
            raise FaultError("a suit of the deck or a letter for suits", repr(suit), "unknown-suit", match.start(3))
        parts.append(CardPattern(count=int(count or 1), rank=rank, suit=suit if fixed else None, variable=None if fixed else suit))
        at = match.end()
    if not parts:
        raise FaultError("cards such as K(s), 2 Q(q), 4 A", "nothing", "card-pattern")
    return tuple(parts)
