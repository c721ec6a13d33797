"""Types: what an expression of the rules language can stand for.

Every type is finite for a given deck.  `None` is a value of the optional types only:
`Suit or None` is the trump suit before a marriage has made one.

Terms
    item    what a set or list holds
    words   the names a `Word` may be, such as the irregularities of a ruling; empty: any
"""

import re
from typing import Literal, TypeAlias

from pydantic import BaseModel, ConfigDict

Kind: TypeAlias = Literal[
    "Bool",
    "Int",
    "Card",
    "Rank",
    "Suit",
    "Seat",
    "Meld",
    "Phase",
    "Word",
    "None",
    "set",
    "list",
]

PHASES = ("deal", "lead", "follow", "declare", "over")
SIMPLE = ("Bool", "Int", "Card", "Rank", "Suit", "Seat", "Meld", "Phase", "Word")


class Type(BaseModel):
    """The type of an expression, a parameter or a part of the state."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Kind
    item: "Type | None" = None
    optional: bool = False
    words: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return the type as rule files write it: `set of Card`, `Suit or None`."""
        text = f"{self.kind} of {self.item}" if self.item else self.kind
        if self.words:
            text = "one of " + ", ".join(self.words)
        return f"{text} or None" if self.optional else text

    @property
    def empty(self) -> frozenset[object] | tuple[()] | int | None:
        """Return what a part of the state of this type holds before anything has happened."""
        if self.kind == "set":
            return frozenset()
        if self.kind == "list":
            return ()
        return None if self.optional else False if self.kind == "Bool" else 0

    def accepts(self, other: "Type") -> bool:
        """Return whether a value of type `other` may stand where this one is expected."""
        if other.kind == "None":
            return self.optional or self.kind == "None"
        if self.kind != other.kind or (other.optional and not self.optional):
            return False
        if self.words and other.words and not set(other.words) <= set(self.words):
            return False
        if self.item and other.item:
            return other.item.kind == "None" or self.item.accepts(other.item)
        return True

    def joined(self, other: "Type") -> "Type | None":
        """Return the narrowest type of both values, or None when they have none.

        >>> print(SUIT.joined(NONE), SUIT.joined(CARD))
        Suit or None None
        """
        if "None" in (self.kind, other.kind):
            return other.maybe() if self.kind == "None" else self.maybe()
        words: tuple[str, ...] = ()
        if self.words and other.words:
            words = tuple(dict.fromkeys((*self.words, *other.words)))
        item = self.item
        if self.item and other.item:
            # What an empty group could hold, the other group tells.
            item = other.item if self.item.kind == "None" else self.item
        joined = Type(
            kind=self.kind,
            item=item,
            optional=self.optional or other.optional,
            words=words,
        )
        return joined if joined.accepts(self) and joined.accepts(other) else None

    def maybe(self) -> "Type":
        """Return the optional form of this type."""
        if self.kind == "None":
            return self
        return self.model_copy(update={"optional": True})

    def sure(self) -> "Type":
        """Return this type without None."""
        return self.model_copy(update={"optional": False})


BOOL, INT, WORD, NONE = (
    Type(kind="Bool"),
    Type(kind="Int"),
    Type(kind="Word"),
    Type(kind="None"),
)
CARD, RANK, SUIT = Type(kind="Card"), Type(kind="Rank"), Type(kind="Suit")
SEAT, MELD, PHASE = Type(kind="Seat"), Type(kind="Meld"), Type(kind="Phase")
CARDS, CARD_LIST, SEATS = (
    Type(kind="set", item=CARD),
    Type(kind="list", item=CARD),
    Type(kind="list", item=SEAT),
)


def type_from(text: str) -> Type | None:
    """Return the type that a text names, or None when it names none.

    >>> print(type_from("set of Card"), type_from("Suit or None"), type_from("Suite"))
    set of Card Suit or None None
    """
    match = re.fullmatch(r"(?:(set|list) of )?([A-Z][a-z]+)( or None)?", text.strip())
    if not match or match[2] not in SIMPLE:
        return None
    inner = Type.model_validate({"kind": match[2]})
    if match[1]:
        return (
            None if match[3] else Type.model_validate({"kind": match[1], "item": inner})
        )
    return inner.maybe() if match[3] else inner
