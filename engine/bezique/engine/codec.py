"""The written form: positions, actions, events and records as JSON values.

This is the form of the referee protocol.  Reading is strict about types and names and says
where a value stands; whether a position can be is another question (`bezique.engine.status`).
"""

from collections.abc import Mapping
from typing import Any

from bezique.engine.action import Action, Event
from bezique.engine.cards import Card
from bezique.engine.errors import NOTHING, BadPositionError, BadRequestError
from bezique.engine.frozen import FrozenDict
from bezique.engine.library import Library
from bezique.engine.position import CHANCE, DRAW, Melded, Position, Value, empty_value
from bezique.engine.record import Record
from bezique.engine.rules import Rules
from bezique.spec.kinds import PHASES, Type

Json = dict[str, Any]


# --- writing -----------------------------------------------------------------------------


def position_json(position: Position) -> Json:
    """Return a position as the protocol writes it; sets come in card order."""
    rules = position.rules

    def cards(some: frozenset[Card]) -> list[str]:
        return [str(card) for card in rules.sort(some)]

    written: Json = {
        "profile": rules.profile.name,
        "options": dict(rules.given),
        "hand": position.hand,
        "phase": position.phase,
        "turn": position.turn,
        "dealer": position.dealer,
        "turn_up": str(position.turn_up) if position.turn_up else None,
        "stock": [str(card) for card in position.stock],
        "hidden": {seat: cards(position.hidden[seat]) for seat in rules.seats},
        "table": {seat: cards(position.table[seat]) for seat in rules.seats},
        "led": str(position.trick[0]) if position.trick else None,
        "won": {seat: cards(position.won[seat]) for seat in rules.seats},
        "winner_of_last_trick": position.taker,
        "last_trick": [str(card) for card in position.last_trick] or None,
        "points": {seat: {"hand": position.hand_points[seat], "match": position.match_points[seat]} for seat in rules.seats},
        "results": [dict(result) for result in position.results],
        "winner": position.winner,
    }
    if len(rules.seats) > 2:
        written["trick"] = [str(card) for card in position.trick]
    for part in rules.profile.state:
        value = position.state[part.name]
        if not part.unless_empty or value != empty_value(part.type):
            written[part.name] = value_json(rules, value)
    if position.partial:
        written["partial"] = True
    return written


def value_json(rules: Rules, value: Value) -> Any:  # noqa: ANN401
    """Return a value of the rules language as JSON; sets come in card or seat order."""
    if isinstance(value, Card):
        return str(value)
    if isinstance(value, Melded):
        return {"seat": value.seat, "meld": value.meld, "cards": [str(card) for card in rules.sort(value.cards)]}
    if isinstance(value, frozenset):
        if all(isinstance(item, Card) for item in value):
            return [str(card) for card in rules.sort(value)]
        return sorted(value, key=rules.seats.index)
    if isinstance(value, tuple):
        return [value_json(rules, item) for item in value]
    return value


def action_json(rules: Rules, action: Action) -> Json:
    """Return an action as the protocol writes it; a meld becomes `meld` and `cards`."""
    written: Json = {"do": action.name}
    for name, value in action.arguments.items():
        if isinstance(value, Melded):
            written |= {"meld": value.meld, "cards": [str(card) for card in rules.sort(value.cards)]}
        else:
            written[name] = value_json(rules, value)
    return written


def event_json(rules: Rules, event: Event) -> Json:
    """Return an event as the protocol writes it."""
    return {"event": event.name, **{name: value_json(rules, value) for name, value in event.fields.items()}}


def record_json(record: Record) -> Json:
    """Return a record as JSON: profile, options, dealer, actions."""
    written: Json = {
        "profile": record.rules.profile.name,
        "options": dict(record.rules.given),
        "rules": {"version": record.rules.profile.version, "digest": record.rules.profile.digest},
        "dealer": record.dealer,
        "actions": [action_json(record.rules, action) for action in record.actions],
    }
    return written | ({"lenient": True} if record.lenient else {})


# --- reading -----------------------------------------------------------------------------


def field(written: Mapping[str, Any], name: str, kinds: type | tuple[type, ...], expected: str, where: str = "") -> Any:  # noqa: ANN401
    """Return a field of a JSON object.

    Raises:
        BadRequestError: It is missing or of another type (a truth value is no number).
    """
    place = f"{where}.{name}" if where else name
    if name not in written:
        raise BadRequestError(place, expected, NOTHING)
    value = written[name]
    wanted = kinds if isinstance(kinds, tuple) else (kinds,)
    if not isinstance(value, wanted) or (isinstance(value, bool) and not {bool, object} & set(wanted)):
        raise BadRequestError(place, expected, value)
    return value


def read_rules(library: Library, written: Mapping[str, Any], where: str = "") -> Rules:
    """Return the rules that `profile` and `options` name.

    Raises:
        BadRequestError: A field is missing or ill-typed.
        UnknownProfileError: No such profile.
        BadOptionError: No such option, or a value it does not allow.
    """
    name = field(written, "profile", str, "the name of a profile", where)
    options = field(written, "options", dict, "an object of options", where) if "options" in written else {}
    for option, value in options.items():
        if not isinstance(value, bool | int | str):
            raise BadRequestError(f"options.{option}"[:60], "a truth value, a whole number or a name", value)
    return library.rules(name, options)


def read_position(library: Library, written: object) -> Position:
    """Return the position that a JSON object describes; it may still be impossible.

    Raises:
        BadRequestError: A field is missing or ill-typed.
        BadPositionError: A name is not of this table (a card the pack has not, a seat).
        UnknownProfileError, BadOptionError: As for `read_rules`.
    """
    if not isinstance(written, dict):
        raise BadRequestError("position", "an object", written)
    return _PositionReader(read_rules(library, written, "position"), written).position()


class _PositionReader:
    """Reads the fields of one position."""

    def __init__(self, rules: Rules, written: Json) -> None:
        self.rules, self.written = rules, written

    def get(self, name: str, kinds: type | tuple[type, ...], expected: str) -> Any:  # noqa: ANN401
        return field(self.written, name, kinds, expected, "position")

    def card(self, text: object, where: str) -> Card:
        if not isinstance(text, str):
            raise BadRequestError(f"position.{where}", "the name of a card", text)
        if text not in self.rules.cards:
            raise BadPositionError((f"{where}: expected a card of the pack, got {ascii(text)[:20]}",))
        return self.rules.cards[text]

    def cards(self, texts: object, where: str) -> tuple[Card, ...]:
        if not isinstance(texts, list):
            raise BadRequestError(f"position.{where}", "a list of cards", texts)
        return tuple(self.card(text, where) for text in texts)

    def card_set(self, texts: object, where: str) -> frozenset[Card]:
        cards = self.cards(texts, where)
        if len(set(cards)) != len(cards):
            twice = next(card for card in cards if cards.count(card) > 1)
            raise BadPositionError((f"{where}: expected each card once, got {twice} twice",))
        return frozenset(cards)

    def seat(self, text: object, where: str) -> str:
        if not isinstance(text, str):
            raise BadRequestError(f"position.{where}", "a seat", text)
        if text not in self.rules.seats:
            raise BadPositionError((f"{where}: expected a seat ({', '.join(self.rules.seats)}), got {ascii(text)[:20]}",))
        return text

    def by_seat(self, name: str) -> Json:
        given: Json = self.get(name, dict, "an object with a value for each seat")
        for seat in self.rules.seats:
            if seat not in given:
                raise BadRequestError(f"position.{name}.{seat}", "a value for each seat", NOTHING)
        return given

    def zone(self, name: str) -> FrozenDict[str, frozenset[Card]]:
        given = self.by_seat(name)
        return FrozenDict({seat: self.card_set(given[seat], f"{name}.{seat}") for seat in self.rules.seats})

    def score(self, given: Mapping[str, Any], where: str) -> FrozenDict[str, int]:
        return FrozenDict({seat: field(given, seat, int, "a whole number", f"position.{where}") for seat in self.rules.seats})

    def melded(self, item: object, where: str) -> Melded:
        if not isinstance(item, dict):
            raise BadRequestError(f"position.{where}", "an object with seat, meld and cards", item)
        meld = field(item, "meld", str, "the name of a meld", f"position.{where}")
        if meld not in self.rules.profile.melds:
            raise BadPositionError((f"{where}: expected a meld of {self.rules.profile.name}, got {ascii(meld)[:40]}",))
        return Melded(self.seat(item.get("seat"), where), meld, self.card_set(item.get("cards"), f"{where}.cards"))

    def value(self, kind: Type, given: object, where: str) -> Value:
        """Return a value of the declared type."""
        if given is None and kind.optional:
            return None
        if kind.kind in ("set", "list") and kind.item:
            if not isinstance(given, list):
                raise BadRequestError(f"position.{where}", "a list", given)
            items = tuple(self.value(kind.item, item, where) for item in given)
            if kind.kind == "list":
                return items
            if len(set(items)) != len(items):
                raise BadPositionError((f"{where}: expected each member once, got one twice",))
            return frozenset(items)
        match kind.kind:
            case "Card":
                return self.card(given, where)
            case "Seat":
                return self.seat(given, where)
            case "Meld":
                return self.melded(given, where)
            case "Bool" | "Int":
                return field({where: given}, where, bool if kind.kind == "Bool" else int, f"a {'truth value' if kind.kind == 'Bool' else 'whole number'}", "position")  # type: ignore[no-any-return]
        names = {"Suit": self.rules.profile.deck.suits, "Rank": self.rules.profile.deck.ranks, "Phase": PHASES}.get(kind.kind, kind.words)
        if not isinstance(given, str):
            raise BadRequestError(f"position.{where}", f"one of {', '.join(names)}", given)
        if given not in names:
            raise BadPositionError((f"{where}: expected one of {', '.join(names)}, got {ascii(given)[:20]}",))
        return given

    def position(self) -> Position:
        """Return the position, field by field."""
        rules, written = self.rules, self.written
        text_or_null = (str, type(None))
        phase = self.get("phase", str, "a phase")
        if phase not in PHASES:
            raise BadPositionError((f"phase: expected one of {', '.join(PHASES)}, got {ascii(phase)[:20]}",))
        turn = self.get("turn", text_or_null, "a seat, chance or null")
        winner = self.get("winner", text_or_null, "a seat, draw or null")
        taker = self.get("winner_of_last_trick", text_or_null, "a seat or null")
        turn_up = self.get("turn_up", text_or_null, "a card or null")
        led = self.get("led", text_or_null, "a card or null")
        last = self.get("last_trick", (list, type(None)), "two cards or null")
        points = self.by_seat("points")
        each = {seat: field(points, seat, dict, "an object with hand and match", "position.points") for seat in rules.seats}
        results = self.get("results", list, "a list of results")
        state: dict[str, Value] = {}
        for part in rules.profile.state:
            given = written.get(part.name) if part.unless_empty else self.get(part.name, object, f"a {part.type}")
            missing = part.unless_empty and part.name not in written
            state[part.name] = empty_value(part.type) if missing else self.value(part.type, given, part.name)
        trick = self.cards(written["trick"], "trick") if len(rules.seats) > 2 and "trick" in written else (self.card(led, "led"),) if led is not None else ()
        return Position(
            rules=rules,
            hand=self.get("hand", int, "the number of the hand"),
            phase=phase,
            turn=turn if turn in (None, CHANCE) else self.seat(turn, "turn"),
            dealer=self.seat(self.get("dealer", str, "a seat"), "dealer"),
            stock=self.cards(self.get("stock", list, "a list of cards"), "stock"),
            turn_up=None if turn_up is None else self.card(turn_up, "turn_up"),
            hidden=self.zone("hidden"),
            table=self.zone("table"),
            trick=trick,
            won=self.zone("won"),
            last_trick=() if last is None else self.cards(last, "last_trick"),
            taker=None if taker is None else self.seat(taker, "winner_of_last_trick"),
            hand_points=FrozenDict({seat: field(each[seat], "hand", int, "a whole number", f"position.points.{seat}") for seat in rules.seats}),
            match_points=FrozenDict({seat: field(each[seat], "match", int, "a whole number", f"position.points.{seat}") for seat in rules.seats}),
            results=tuple(self.score(result if isinstance(result, dict) else {}, "results") for result in results),
            winner=winner if winner in (None, DRAW) else self.seat(winner, "winner"),
            state=FrozenDict(state),
            partial=bool(field(written, "partial", bool, "true or false", "position")) if "partial" in written else False,
        )  # fmt: skip


def read_action(position: Position, written: object) -> Action:
    """Return the action that a JSON object describes, for the seat to move.

    A meld the table has not, or cards that do not make it, can be read: the rules refuse them.

    Raises:
        BadRequestError: A field is missing or ill-typed, or names no card of the pack.
    """
    if not isinstance(written, dict):
        raise BadRequestError("action", "an object", written)
    rules = position.rules
    name = field(written, "do", str, "the name of an action", "action")

    def card(text: object, where: str) -> Card:
        if not isinstance(text, str) or text not in rules.cards:
            raise BadRequestError(f"action.{where}", "a card of the pack", text)
        return rules.cards[text]

    def cards(key: str) -> tuple[Card, ...]:
        return tuple(card(text, key) for text in field(written, key, list, "a list of cards", "action"))

    if name == "deal":
        turn_up = field(written, "turn_up", (str, type(None)), "a card or null", "action")
        hands = {seat: cards(seat) for seat in rules.seats}
        return Action(name, FrozenDict({**hands, "turn_up": None if turn_up is None else card(turn_up, "turn_up"), "stock": cards("stock")}))
    rule = rules.profile.actions.get(name)
    if rule is None:
        return Action(name[:40])
    arguments: dict[str, Value] = {}
    for parameter in rule.takes:
        key, kind = parameter.name, parameter.type
        if kind.kind == "Meld":
            meld = field(written, "meld", str, "the name of a meld", "action")
            melded = cards("cards")
            if len(set(melded)) != len(melded):
                raise BadRequestError("action.cards", "each card once", "one twice")
            arguments[key] = Melded(position.turn or "", meld[:40], frozenset(melded))
        elif kind.kind == "Card":
            arguments[key] = card(field(written, key, str, "a card", "action"), key)
        elif kind.kind == "Bool":
            arguments[key] = field(written, key, bool, "true or false", "action")
        else:
            allowed = {"Seat": rules.seats, "Suit": rules.profile.deck.suits, "Rank": rules.profile.deck.ranks}.get(kind.kind, kind.words)
            text = field(written, key, str, f"one of {', '.join(allowed)}", "action")
            if text not in allowed:
                raise BadRequestError(f"action.{key}", f"one of {', '.join(allowed)}", text)
            arguments[key] = text
    return Action(name, FrozenDict(arguments))


def read_event(position: Position, written: object) -> Event:
    """Return the event that a JSON object describes; its owner is not written, so not read.

    Raises:
        BadRequestError: It is no object with a name, or names no card of the pack.
    """
    if not isinstance(written, dict):
        raise BadRequestError("event", "an object", written)
    name = field(written, "event", str, "the name of an event", "event")
    cards = position.rules.cards
    fields: dict[str, Any] = {}
    for key, value in written.items():
        if key == "event":
            continue
        if key in ("card", "taken"):
            if value not in cards:
                raise BadRequestError(f"event.{key}", "a card of the pack", value)
            fields[key] = cards[value]
        elif key == "cards":
            fields[key] = tuple(cards[text] for text in value)
        else:
            fields[key] = value
    return Event(name, FrozenDict(fields))
