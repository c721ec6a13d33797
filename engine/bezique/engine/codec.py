"""The written form: positions, actions, events and records as JSON values.

This is the form of the referee protocol.  Reading is strict about types and names and
says where a value stands; whether a position can be is another question
(`bezique.engine.status`).
"""

from collections.abc import Mapping
from itertools import count
from typing import Any

from bezique.engine.action import Action, Event
from bezique.engine.cards import UNKNOWN, Card, unknown
from bezique.engine.errors import BadRequestError, BeziqueError
from bezique.engine.fields import Json, field, of_kind
from bezique.engine.frozen import FrozenDict
from bezique.engine.library import Library
from bezique.engine.moves import DEAL, apply
from bezique.engine.position import (
    TWO,
    Melded,
    Position,
    Value,
    in_order,
    start,
)
from bezique.engine.reader import TEXT_OR_NULL, PositionReader, read_card, words_of
from bezique.engine.record import Record
from bezique.engine.rules import Rules
from bezique.spec.core import Parameter

LONGEST_WORD = 40
"""How much of a name that the rules do not know is kept to be told."""


# --- writing ---------------------------------------------------------------------------


def position_json(position: Position) -> Json:
    """Return a position as the protocol writes it; sets come in card order."""
    rules = position.rules

    def each(zone: Mapping[str, frozenset[Card]]) -> Json:
        return {seat: value_json(rules, zone[seat]) for seat in rules.seats}

    points = {
        seat: {
            "hand": position.hand_points[seat],
            "match": position.match_points[seat],
        }
        for seat in rules.seats
    }
    written: Json = {
        "profile": rules.profile.name,
        "options": dict(rules.given),
        "hand": position.hand,
        "phase": position.phase,
        "turn": position.turn,
        "dealer": position.dealer,
        "turn_up": value_json(rules, position.turn_up),
        "stock": value_json(rules, position.stock),
        "hidden": each(position.hidden),
        "table": each(position.table),
        "led": str(position.trick[0]) if position.trick else None,
        "won": each(position.won),
        "winner_of_last_trick": position.taker,
        "last_trick": value_json(rules, position.last_trick) or None,
        "points": points,
        "results": [dict(result) for result in position.results],
        "winner": position.winner,
    }
    if len(rules.seats) > TWO:
        written["trick"] = value_json(rules, position.trick)
    for part in rules.profile.state:
        value = position.state[part.name]
        if not part.unless_empty or value != part.type.empty:
            written[part.name] = value_json(rules, value)
    if position.partial:
        written["partial"] = True
    return written


def value_json(rules: Rules, value: Any) -> Any:  # noqa: ANN401
    """Return a value of the rules language as JSON; sets come in card or seat order."""
    match value:
        case Card():
            return str(value)
        case Melded():
            return {"seat": value.seat, **_meld_json(rules, value)}
        case tuple() | frozenset():
            return [value_json(rules, item) for item in in_order(rules, value)]
        case dict():
            return {name: value_json(rules, item) for name, item in value.items()}
    return value


def action_json(rules: Rules, action: Action) -> Json:
    """Return an action as the protocol writes it; a meld becomes `meld` and `cards`."""
    written: Json = {"do": action.name}
    for name, value in action.arguments.items():
        if isinstance(value, Melded):
            written |= _meld_json(rules, value)
        else:
            written[name] = value_json(rules, value)
    return written


def event_json(rules: Rules, event: Event) -> Json:
    """Return an event as the protocol writes it."""
    return {"event": event.name, **value_json(rules, event.fields)}


def record_json(record: Record) -> Json:
    """Return a record as JSON: profile, options, version of the rules, dealer, actions."""
    rules = record.rules
    written: Json = {
        "profile": rules.profile.name,
        "options": dict(rules.given),
        "rules": {"version": rules.profile.version, "digest": rules.profile.digest},
        "dealer": record.dealer,
        "actions": [action_json(rules, action) for action in record.actions],
    }
    return {**written, "lenient": True} if record.lenient else written


def _meld_json(rules: Rules, melded: Melded) -> Json:
    return {"meld": melded.meld, "cards": value_json(rules, melded.cards)}


# --- reading ---------------------------------------------------------------------------


def read_rules(library: Library, written: Mapping[str, Any], where: str = "") -> Rules:
    """Return the rules that `profile` and `options` name.

    Raises:
        BadRequestError: A field is missing or ill-typed.
        UnknownProfileError: No such profile.
        BadOptionError: No such option, or a value it does not allow.
    """
    name = field(written, "profile", str, "the name of a profile", where)
    if "options" not in written:
        return library.rules(name)
    options = field(written, "options", dict, "an object of options", where)
    for option, value in options.items():
        place = f"{where}.options.{option}".removeprefix(".")[:LONGEST_WORD]
        expected = "a truth value, a whole number or a name"
        of_kind(value, (bool, int, str), expected, place)
    return library.rules(name, options)


def read_position(library: Library, written: object) -> Position:
    """Return the position that a JSON object describes; it may still be impossible.

    A view can be read too: its cards of unknown face are `"??"`.

    Raises:
        BadRequestError: A field is missing or ill-typed.
        BadPositionError: A name is not of this table: a card, a seat, a meld.
        UnknownProfileError: As for `read_rules`.
        BadOptionError: As for `read_rules`.
    """
    found = of_kind(written, dict, "an object", "position")
    return PositionReader(read_rules(library, found, "position"), found).position()


def read_action(position: Position, written: object) -> Action:
    """Return the action that a JSON object describes, for the seat to move.

    What the rules do not know (an action, a meld, a copy of a card) can be read: they
    refuse it.

    Raises:
        BadRequestError: A field is missing or ill-typed, or names no card.
    """
    found = of_kind(written, dict, "an object", "action")
    name = field(found, "do", str, "the name of an action", "action")
    rules = position.rules
    if name == DEAL:
        hands: dict[str, Value] = {
            seat: _read_cards(rules, found, seat) for seat in rules.seats
        }
        text = field(found, "turn_up", TEXT_OR_NULL, "a card or null", "action")
        turned = None if text is None else read_card(rules, text, "action.turn_up")
        stock = _read_cards(rules, found, "stock")
        return Action(name, FrozenDict({**hands, "turn_up": turned, "stock": stock}))
    rule = rules.profile.actions.get(name)
    if rule is None:
        return Action(name[:LONGEST_WORD])
    arguments = {item.name: _argument(position, item, found) for item in rule.takes}
    return Action(name, FrozenDict(arguments))


def read_event(rules: Rules, written: object) -> Event:
    """Return the event that a JSON object describes.

    Raises:
        BadRequestError: It is no object with a name, or names no card.
    """
    found = of_kind(written, dict, "an object", "event")
    name = field(found, "event", str, "the name of an event", "event")
    faces = count(1)

    def card(text: object, where: str) -> Card:
        if text == UNKNOWN:
            return unknown(next(faces))
        return read_card(rules, text, f"event.{where}")

    def value(key: str, given: Any) -> Any:  # noqa: ANN401
        if key in ("card", "taken"):
            return card(given, key)
        if key == "cards":
            texts = of_kind(given, list, "a list of cards", "event.cards")
            return tuple(card(text, key) for text in texts)
        return FrozenDict(given) if isinstance(given, dict) else given

    fields = {key: value(key, given) for key, given in found.items() if key != "event"}
    return Event(name, FrozenDict(fields))


def read_record(library: Library, written: object) -> Record:
    """Return the record that a JSON object describes; its actions are played to be read.

    Under which version of the rules it was made is not asked: what these rules refuse is.

    Raises:
        BadRequestError: A field is missing or ill-typed.
        UnknownProfileError: As for `read_rules`.
        BadOptionError: As for `read_rules`.
        IllegalActionError: The rules refuse an action; `step` counts from 0.
    """
    found = of_kind(written, dict, "an object", "record")
    rules = read_rules(library, found, "record")
    dealer = field(found, "dealer", str, "a seat", "record")
    if dealer not in rules.seats:
        seats = f"one of {', '.join(rules.seats)}"
        raise BadRequestError(where="record.dealer", expected=seats, got=dealer)
    lenient = "lenient" in found and field(
        found, "lenient", bool, "true or false", "record"
    )
    position = start(rules, dealer)
    actions: list[Action] = []
    for step, text in enumerate(
        field(found, "actions", list, "a list of actions", "record")
    ):
        try:
            actions.append(read_action(position, text))
            position, _ = apply(position, actions[-1], lenient=lenient)
        except BeziqueError as error:
            error.step = step
            raise
    return Record(rules, dealer, tuple(actions), lenient=lenient)


def _argument(position: Position, parameter: Parameter, found: Json) -> Value:
    """Return one argument of an action, of the type that its rule declares."""
    rules, key = position.rules, parameter.name
    match parameter.type.kind:
        case "Meld":
            meld = field(found, "meld", str, "the name of a meld", "action")
            cards = _read_cards(rules, found, "cards")
            if len(set(cards)) < len(cards):
                raise BadRequestError(
                    where="action.cards", expected="each card once", got="one twice"
                )
            seat = position.turn or ""
            return Melded(seat, meld[:LONGEST_WORD], frozenset(cards))
        case "Card":
            text = field(found, key, str, "a card", "action")
            return read_card(rules, text, f"action.{key}")
        case "Bool":
            return bool(field(found, key, bool, "true or false", "action"))
    words = words_of(rules, parameter.type)
    expected = f"one of {', '.join(words)}"
    text = field(found, key, str, expected, "action")
    if text not in words:
        raise BadRequestError(where=f"action.{key}", expected=expected, got=text)
    return str(text)


def _read_cards(rules: Rules, found: Json, key: str) -> tuple[Card, ...]:
    texts = field(found, key, list, "a list of cards", "action")
    return tuple(read_card(rules, text, f"action.{key}") for text in texts)
