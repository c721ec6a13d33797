"""Reader: from the written form of a position to the position.

Types and names are made sure of, and nothing more: whether the position can be is
another question (`bezique.engine.status`).
"""

import re
from collections import Counter
from itertools import count
from typing import Any

from bezique.engine.cards import UNKNOWN, Card, unknown
from bezique.engine.errors import BadPositionError, BadRequestError
from bezique.engine.fields import Json, Kinds, field, of_kind
from bezique.engine.frozen import FrozenDict
from bezique.engine.position import (
    CHANCE,
    DRAW,
    TWO,
    Melded,
    Position,
    Score,
    Value,
)
from bezique.engine.rules import Rules
from bezique.spec.kinds import PHASES, Type

Zone = FrozenDict[str, frozenset[Card]]
TEXT_OR_NULL: Kinds = (str, type(None))
_COPY = re.compile("[1-9][0-9]{0,2}")
_LONGEST_NAME = 40


class PositionReader:
    """Reads one position under the rules it names.

    Raises:
        BadRequestError: A field is missing or ill-typed.
        BadPositionError: A name is not of this table: a card, a seat, a meld.
    """

    def __init__(self, rules: Rules, written: Json) -> None:
        self.rules, self.written = rules, written
        self._faces = map(unknown, count(1))

    def position(self) -> Position:
        """Return the position, field by field."""
        phase = self._get("phase", str, "a phase")
        turn = self._get("turn", TEXT_OR_NULL, "a seat, chance or null")
        winner = self._get("winner", TEXT_OR_NULL, "a seat, draw or null")
        taker = self._get("winner_of_last_trick", TEXT_OR_NULL, "a seat or null")
        results = self._get("results", list, "a list of results")
        # Face-down cards are numbered in the order in which a view numbers them.
        stock = self._cards(self._get("stock", list, "a list of cards"), "stock")
        turn_up = self._card_or_null("turn_up")
        hidden, table, won = (
            self._zone("hidden"),
            self._zone("table"),
            self._zone("won"),
        )
        trick = self._trick()
        last = self._get("last_trick", (list, type(None)), "two cards or null")
        return Position(
            rules=self.rules,
            hand=self._get("hand", int, "the number of the hand"),
            phase=self._one_of(phase, PHASES, "phase"),
            turn=turn if turn in (None, CHANCE) else self._seat(turn, "turn"),
            dealer=self._seat(self._get("dealer", str, "a seat"), "dealer"),
            stock=stock,
            turn_up=turn_up,
            hidden=hidden,
            table=table,
            trick=trick,
            won=won,
            last_trick=() if last is None else self._cards(last, "last_trick"),
            taker=None if taker is None else self._seat(taker, "winner_of_last_trick"),
            hand_points=self._points("hand"),
            match_points=self._points("match"),
            results=tuple(self._score(result, "results") for result in results),
            winner=winner if winner in (None, DRAW) else self._seat(winner, "winner"),
            state=self._state(),
            partial=self._partial(),
        )

    # --- parts of a position -----------------------------------------------------------

    def _trick(self) -> tuple[Card, ...]:
        if len(self.rules.seats) > TWO and "trick" in self.written:
            return self._cards(self.written["trick"], "trick")
        led = self._card_or_null("led")
        return () if led is None else (led,)

    def _state(self) -> FrozenDict[str, Value]:
        state: dict[str, Value] = {}
        for part in self.rules.profile.state:
            if part.unless_empty and part.name not in self.written:
                state[part.name] = part.type.empty
            else:
                given = self._get(part.name, object, f"a {part.type}")
                state[part.name] = self._value(part.type, given, part.name)
        return FrozenDict(state)

    def _partial(self) -> bool:
        if "partial" not in self.written:
            return False
        return bool(self._get("partial", bool, "true or false"))

    def _zone(self, name: str) -> Zone:
        given = self._by_seat(self._get(name, dict, "an object by seat"), name)
        return FrozenDict(
            {seat: self._set(cards, f"{name}.{seat}") for seat, cards in given.items()}
        )

    def _points(self, of: str) -> Score:
        given = self._by_seat(self._get("points", dict, "an object by seat"), "points")
        points: dict[str, int] = {}
        for seat, both in given.items():
            where = f"position.points.{seat}"
            score = of_kind(both, dict, "an object with hand and match", where)
            points[seat] = field(score, of, int, "a whole number", where)
        return FrozenDict(points)

    def _score(self, given: object, where: str) -> Score:
        found = of_kind(given, dict, "an object by seat", f"position.{where}")
        by_seat = self._by_seat(found, where)
        for seat, points in by_seat.items():
            of_kind(points, int, "a whole number", f"position.{where}.{seat}")
        return FrozenDict(by_seat)

    # --- values ------------------------------------------------------------------------

    def _get(self, name: str, kinds: Kinds, expected: str) -> Any:  # noqa: ANN401
        return field(self.written, name, kinds, expected, "position")

    def _by_seat(self, given: Json, where: str) -> Json:
        """Return the values of all seats, in the order of play."""
        place = f"position.{where}"
        return {
            seat: field(given, seat, object, "a value", place)
            for seat in self.rules.seats
        }

    def _card(self, text: object, where: str) -> Card:
        of_kind(text, str, "the name of a card", f"position.{where}")
        if text == UNKNOWN:
            return next(self._faces)
        if text not in self.rules.cards:
            raise _strange(where, "a card of the pack", text)
        return self.rules.cards[str(text)]

    def _card_or_null(self, name: str) -> Card | None:
        text = self._get(name, TEXT_OR_NULL, "a card or null")
        return None if text is None else self._card(text, name)

    def _cards(self, texts: object, where: str) -> tuple[Card, ...]:
        of_kind(texts, list, "a list of cards", f"position.{where}")
        return tuple(self._card(text, where) for text in texts)  # type: ignore[attr-defined]

    def _set(self, texts: object, where: str) -> frozenset[Card]:
        cards = self._cards(texts, where)
        found = frozenset(cards)
        if len(found) < len(cards):
            twice = next(card for card, number in Counter(cards).items() if number > 1)
            raise _strange(where, "each card once", f"{twice} twice")
        return found

    def _seat(self, text: object, where: str) -> str:
        return self._one_of(text, self.rules.seats, where)

    def _one_of(self, text: object, names: tuple[str, ...], where: str) -> str:
        expected = f"one of {', '.join(names)}"
        of_kind(text, str, expected, f"position.{where}")
        if text not in names:
            raise _strange(where, expected, text)
        return str(text)

    def _melded(self, item: object, where: str) -> Melded:
        place = f"position.{where}"
        written = of_kind(item, dict, "an object with seat, meld and cards", place)
        meld = field(written, "meld", str, "the name of a meld", place)
        if meld not in self.rules.profile.melds:
            raise _strange(where, f"a meld of {self.rules.profile.name}", meld)
        seat = self._seat(written.get("seat"), f"{where}.seat")
        return Melded(seat, meld, self._set(written.get("cards"), f"{where}.cards"))

    def _value(self, kind: Type, given: object, where: str) -> Value:
        """Return a value of the type that the rules declare."""
        if given is None and kind.optional:
            return None
        place = f"position.{where}"
        match kind.kind:
            case "set" | "list":
                return self._group(kind, given, where)
            case "Card":
                return self._card(given, where)
            case "Meld":
                return self._melded(given, where)
            case "Bool":
                return bool(of_kind(given, bool, "true or false", place))
            case "Int":
                return int(of_kind(given, int, "a whole number", place))
        return self._one_of(given, words_of(self.rules, kind), where)

    def _group(self, kind: Type, given: object, where: str) -> Value:
        texts = of_kind(given, list, "a list", f"position.{where}")
        item = kind.item or kind
        items = tuple(self._value(item, text, where) for text in texts)
        if kind.kind == "list":
            return items
        if len(set(items)) != len(items):
            raise _strange(where, "each member once", "one twice")
        return frozenset(items)


def words_of(rules: Rules, kind: Type) -> tuple[str, ...]:
    """Return the words that a value of a type is one of."""
    match kind.kind:
        case "Seat":
            return rules.seats
        case "Suit":
            return rules.profile.deck.suits
        case "Rank":
            return rules.profile.deck.ranks
        case "Phase":
            return PHASES
    return kind.words


def read_card(rules: Rules, text: object, where: str) -> Card:
    """Return the card of a name; the pack need not have that copy of it.

    Raises:
        BadRequestError: The text names no rank and suit of the deck and a copy from 1.
    """
    if isinstance(text, str) and text in rules.cards:
        return rules.cards[text]
    if isinstance(text, str) and len(text) <= _LONGEST_NAME:
        for cut in range(1, len(text)):
            first = rules.cards.get(f"{text[:cut]}1")
            if first is not None and _COPY.fullmatch(text[cut:]):
                return Card(first.rank, first.suit, int(text[cut:]))
    raise BadRequestError(where=where, expected="a card", got=text)


def _strange(where: str, expected: str, got: object) -> BadPositionError:
    text = ascii(got)
    short = text if len(text) <= 40 else text[:37] + "..."  # noqa: PLR2004
    return BadPositionError((f"{where}: expected {expected}, got {short}",))
