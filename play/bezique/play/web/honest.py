"""Honest packs: bound before they are dealt, opened after the hand.

The server shuffles a pack and shows the SHA-256 of a secret text that names every card in
order.  Whoever has seen it can check afterwards that the pack was not exchanged.  The
player's cut then turns the pack, so that the server alone does not make the deal.

    text        SALT:CARD CARD … CARD, the cards in the order they are dealt from
    hash        SHA-256 of the text in UTF-8, in hexadecimal
"""

import hashlib
import random
import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from bezique.engine.cards import Card
from bezique.engine.dealing import cut
from bezique.engine.rules import Rules


@dataclass(frozen=True)
class Bound:
    """A shuffled pack with its salt, and where it was cut."""

    match: int
    hand: int
    salt: str
    pack: tuple[Card, ...]
    depth: int | None = None

    @property
    def text(self) -> str:
        """Return the text that is bound."""
        return f"{self.salt}:{' '.join(map(str, self.pack))}"

    @property
    def hash(self) -> str:
        """Return the commitment."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    def turned(self) -> Sequence[Card]:
        """Return the pack as it is dealt: after the cut, if there was one."""
        return self.pack if self.depth is None else cut(self.pack, self.depth)


class Chance:
    """Where chance comes from: the system, or a seed in tests."""

    def __init__(self, seed: str | None = None) -> None:
        self._random = secrets.SystemRandom() if seed is None else random.Random(seed)  # noqa: S311 - tests only

    def pack(self, rules: Rules) -> list[str]:
        """Return the names of all cards, shuffled."""
        names = [str(card) for card in rules.pack]
        self._random.shuffle(names)
        return names

    def salt(self) -> str:
        """Return 128 bits that nobody can guess."""
        return f"{self._random.getrandbits(128):032x}"
