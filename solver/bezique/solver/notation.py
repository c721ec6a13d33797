"""Notation: endings as people write them.

    profile: cady          which table (or as the caller says)
    trump: ♣               any part of the state that is a suit, by its name
    north: K♥ K♥ Q♥ 7♦     a hand by its seat; the first one named is to move
    south: A♥ 10♥ A♦ 7♣
    led: Q♦                the card led to this trick, by the seat that is not to move

A card is rank and suit, as letters or as printed: `10♠`, `TS`, `T♠`, `QS2`.  Copies are
given out in order where none is written.  A line that starts with `#` is a remark.  A text
that starts with `{` is a position of the referee protocol.

Source: printed forms are the short names in `spec/sentences`.
"""

import json
from collections.abc import Iterator, Mapping

from bezique.engine.cards import Card
from bezique.engine.codec import read_position
from bezique.engine.errors import BadRequestError
from bezique.engine.frozen import FrozenDict
from bezique.engine.library import Library
from bezique.engine.position import Position, start
from bezique.engine.rules import Rules, Setting
from bezique.engine.status import checked
from bezique.spec.words import rank_name, suit_name

NONE = ("none", "-", "null")


def read_ending(
    text: str,
    profile: str | None = None,
    options: Mapping[str, Setting] | None = None,
    library: Library | None = None,
) -> Position:
    """Return the ending that a text describes.

    Args:
        text: Lines as above, or a position as JSON.
        profile: The table, where the text names none.
        options: Its options.
        library: The profiles at hand.

    Raises:
        BadRequestError: A line or a card that cannot be read.
        BadPositionError: A position that cannot be.
        UnknownProfileError, BadOptionError: No such table, option or value.
    """
    known = library or Library()
    if text.lstrip().startswith("{"):
        return checked(read_position(known, _json(text)))
    lines = dict(_lines(text))
    rules = known.rules(lines.pop("profile", None) or profile, options)
    return checked(_Reader(rules, lines).position())


def read_hand(rules: Rules, text: str) -> frozenset[Card]:
    """Return the cards that a text names, as the line of a hand does.

    Raises:
        BadRequestError: A card that cannot be read, or too many of a face.
    """
    reader = _Reader(rules, {})
    return frozenset(reader.card(word, "cards") for word in text.split())


def read_suit(rules: Rules, word: str, where: str) -> str | None:
    """Return the suit that a word names; `none` is none.

    Raises:
        BadRequestError: There is no such suit.
    """
    return _Reader(rules, {}).suit(word, where)


def printed(card: Card) -> str:
    """Return a card as it is printed: `10♠`."""
    return rank_name("en", card.rank, "short") + suit_name("en", card.suit, "short")


class _Reader:
    """Reads the lines of one ending."""

    def __init__(self, rules: Rules, lines: dict[str, str]) -> None:
        self.rules, self.lines = rules, lines
        self.used: set[Card] = set()
        self.faces = {
            rank + suit: (rank_, suit_)
            for rank_ in rules.profile.deck.ranks
            for rank in {rank_, rank_name("en", rank_, "short")}
            for suit_ in rules.profile.deck.suits
            for suit in {suit_, suit_name("en", suit_, "short")}
        }

    def position(self) -> Position:
        rules = self.rules
        state = dict(start(rules, rules.seats[0]).state)
        hands: dict[str, frozenset[Card]] = {}
        led: tuple[Card, ...] = ()
        suits = {part.name for part in rules.profile.state if part.type.kind == "Suit"}
        for name, value in self.lines.items():
            if name in rules.seats:
                hands[name] = frozenset(self.card(word, name) for word in value.split())
            elif name in suits:
                state[name] = self.suit(value, name)
            elif name == "led":
                led = (self.card(value, name),)
            else:
                raise BadRequestError(
                    name,
                    f"one of profile, led, {', '.join((*sorted(suits), *rules.seats))}",
                    value,
                )
        for seat in rules.seats:
            if seat not in hands:
                raise BadRequestError(seat, "the cards of this seat", "no such line")
        turn = next(iter(hands))
        return start(rules, rules.seats[0]).changed(
            phase="follow" if led else "lead",
            turn=turn,
            trick=led,
            hidden=FrozenDict(hands),
            state=FrozenDict(state),
            partial=True,
        )

    def suit(self, word: str, where: str) -> str | None:
        if word.lower() in NONE:
            return None
        for suit in self.rules.profile.deck.suits:
            if word.upper() == suit or word == suit_name("en", suit, "short"):
                return suit
        raise BadRequestError(
            where, f"a suit ({', '.join(self.rules.profile.deck.suits)}) or none", word
        )

    def card(self, word: str, where: str) -> Card:
        """Return the card that a word names: the copy written, or the first not given out."""
        packs = max(card.copy for card in self.rules.pack)
        if word.upper() in self.rules.cards:
            found = [self.rules.cards[word.upper()]]
        elif word in self.faces or word.upper() in self.faces:
            rank, suit = self.faces.get(word) or self.faces[word.upper()]
            found = [
                self.rules.cards[f"{rank}{suit}{copy}"] for copy in range(1, packs + 1)
            ]
        else:
            raise BadRequestError(
                where,
                "a card such as " + " ".join(map(printed, self.rules.pack[:3:2])),
                word,
            )
        for card in found:
            if card not in self.used:
                self.used.add(card)
                return card
        raise BadRequestError(
            where,
            f"at most {packs} cards {printed(found[0])}"
            if len(found) > 1
            else "each card once",
            word,
        )


def _json(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError as error:
        where = "position"
        raise BadRequestError(where, "JSON", str(error)) from None


def _lines(text: str) -> Iterator[tuple[str, str]]:
    seen: set[str] = set()
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        where = f"line {number}"
        name, colon, value = (part.strip() for part in line.partition(":"))
        if not colon or not value:
            raise BadRequestError(where, "`name: value`", line.strip())
        if name.lower() in seen:
            raise BadRequestError(where, f"each name once, {name} came before", value)
        seen.add(name.lower())
        yield name.lower(), value
