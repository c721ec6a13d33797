"""The referee: the engine as JSON lines.

One request, one reply, each a line.  A referee keeps nothing between lines: every operation
is a pure function of its request.  It answers every line, and lives on after any error.

Source: the referee protocol, version 1 (docs/protocol.md).
"""

import json
from collections.abc import Callable, Iterator
from math import isfinite
from typing import Any, BinaryIO, NoReturn

from bezique.engine.codec import (
    action_json,
    event_json,
    position_json,
    read_action,
    read_position,
    read_rules,
)
from bezique.engine.errors import BadRequestError, BeziqueError
from bezique.engine.fields import Json, field
from bezique.engine.library import Library
from bezique.engine.moves import apply, legal
from bezique.engine.position import Position, start
from bezique.engine.status import checked
from bezique.engine.views import view, witnessed
from bezique.spec.core import Option

PROTOCOL = 1
LONGEST_LINE = 1 << 20
DEEPEST = 40
LONGEST_NUMBER = 40
LONGEST_ID = 100
LONGEST_MESSAGE = 400
Operation = Callable[["Referee", Json], Json]


class Referee:
    """Answers requests under the rules of a library.

    Args:
        library: The profiles it knows.
        version: The implementation's version, which `hello` tells.
        more: Operations beyond the engine's own, by name, such as `solve`.
    """

    def __init__(
        self, library: Library, version: str, more: dict[str, Operation] | None = None
    ) -> None:
        self.library, self.version = library, version
        self.more = dict(more or {})
        self.operations: dict[str, Operation] = {
            "hello": Referee.hello,
            "start": Referee.start,
            "legal": Referee.legal,
            "apply": Referee.apply,
            "play": Referee.play,
            "view": Referee.view,
            **self.more,
        }

    def answer(self, line: bytes | str) -> str | None:
        """Return the reply to a line, without its line end; None when it says quit."""
        identity: Json = {}
        try:
            request = parsed(line)
            if "id" in request:
                identity = {"id": _short(request["id"])}
            name = field(request, "op", str, "the name of an operation")
            if name == "quit":
                return None
            operation = self.operations.get(name)
            if operation is None:
                known = f"one of {', '.join(self.operations)}, quit"
                raise BadRequestError(where="op", expected=known, got=name)
            reply: Json = {"ok": operation(self, request)}
        except BeziqueError as error:
            reply = {"error": error_json(error)}
        return json.dumps({**identity, **reply}, separators=(",", ":"))

    def serve(self, lines: BinaryIO, replies: BinaryIO) -> None:
        """Answer lines until `quit` or the end of input."""
        for line in _lines(lines):
            reply = self.answer(line)
            if reply is None:
                return
            replies.write(reply.encode("ascii") + b"\n")
            replies.flush()

    # --- operations ---------------------------------------------------------------------------

    def hello(self, _: Json) -> Json:
        """Return protocol, implementation, profiles with their options, capabilities."""
        profiles = {
            name: {
                "options": {
                    option.name: option_json(option)
                    for option in self.library.profile(name).options
                }
            }
            for name in self.library.names
        }
        return {
            "protocol": PROTOCOL,
            "implementation": "bezique",
            "version": self.version,
            "profiles": profiles,
            "capabilities": [*self.more, "view", "lenient"],
        }

    def start(self, request: Json) -> Json:
        """Return a match before its first deal."""
        rules = read_rules(self.library, request)
        dealer = _seat(request, "dealer", rules.seats)
        return {"position": position_json(start(rules, dealer))}

    def legal(self, request: Json) -> Json:
        """Return every legal action of the player to move."""
        position = self.position(request)
        actions = legal(position)
        return {"actions": [action_json(position.rules, action) for action in actions]}

    def apply(self, request: Json) -> Json:
        """Return the position after an action, and its events."""
        position = self.position(request)
        action = read_action(position, field(request, "action", dict, "an action"))
        after, events = apply(position, action, lenient=_lenient(request))
        return {
            "position": position_json(after),
            "events": [event_json(after.rules, event) for event in events],
        }

    def play(self, request: Json) -> Json:
        """Return the position after a whole record, and what each step did."""
        rules = read_rules(self.library, request)
        position = start(rules, _seat(request, "dealer", rules.seats))
        seat = _seat(request, "seat", rules.seats) if "seat" in request else None
        lenient = _lenient(request)
        actions = field(request, "actions", list, "a list of actions")
        steps: list[Json] = []
        for number, written in enumerate(actions):
            count = len(legal(position))
            try:
                action = read_action(position, written)
                position, events = apply(position, action, lenient=lenient)
            except BeziqueError as error:
                error.step = number
                raise
            told = [event_json(rules, event) for event in events]
            step: Json = {"legal": count, "events": told}
            if seat is not None:
                seen = witnessed(position, events, seat)
                step["seen"] = [event_json(rules, event) for event in seen]
            steps.append(step)
        return {"position": position_json(position), "steps": steps}

    def view(self, request: Json) -> Json:
        """Return what a seat may know of a position."""
        position = self.position(request)
        seat = _seat(request, "seat", position.rules.seats)
        return {"position": position_json(view(position, seat))}

    def position(self, request: Json) -> Position:
        """Return the position of a request.

        Raises:
            BeziqueError: It cannot be read, or cannot be.
        """
        written = field(request, "position", dict, "a position")
        position = read_position(self.library, written)
        return checked(position, lenient=_lenient(request))


def parsed(line: bytes | str) -> Json:
    """Return the JSON object of a line.

    Raises:
        BadRequestError: It is too long, not UTF-8, not JSON, no object, too deep, holds a
            key twice, or a number that JSON has not or that is too large.
    """
    if len(line) > LONGEST_LINE:
        raise _refused(
            expected=f"a line of at most {LONGEST_LINE} bytes", got="a longer one"
        )
    try:
        text = line.decode("utf-8") if isinstance(line, bytes) else line
        value = json.loads(
            text,
            object_pairs_hook=_once,
            parse_constant=_no_constant,
            parse_float=_float,
            parse_int=_int,
        )
    except UnicodeDecodeError:
        raise _refused(expected="UTF-8", got="other bytes") from None
    except RecursionError:
        raise _refused(expected=f"at most {DEEPEST} levels", got="more") from None
    except json.JSONDecodeError as error:
        raise _refused(expected="JSON", got=str(error)) from None
    if not isinstance(value, dict):
        raise _refused(expected="an object", got=value)
    if not _shallow(value):
        raise _refused(expected=f"at most {DEEPEST} levels", got="more")
    return value


def error_json(error: BeziqueError) -> Json:
    """Return an error as the protocol writes it, with a message of bounded length."""
    written: Json = {"code": error.code}
    if error.clause is not None:
        written["clause"] = error.clause
    if error.step is not None:
        written["step"] = error.step
    message = whole = str(error)
    # Measured as it is written: one strange character can take twelve bytes.
    while len(json.dumps(message)) > LONGEST_MESSAGE:
        message = message[: min(len(message), LONGEST_MESSAGE) - 10]
    return {**written, "message": message if message == whole else f"{message}..."}


def option_json(option: Option) -> Json:
    """Return an option as `hello` tells it."""
    written: Json = {"default": option.default}
    if option.values is not None:
        return {**written, "values": list(option.values)}
    limits = {"min": option.min, "max": option.max}
    return written | {
        name: limit for name, limit in limits.items() if limit is not None
    }


def _refused(*, expected: str, got: object) -> BadRequestError:
    return BadRequestError("request", expected, got)


def _short(identity: object) -> object:
    """Return an id that may be echoed."""
    if len(json.dumps(identity)) > LONGEST_ID:
        expected = f"at most {LONGEST_ID} bytes"
        raise BadRequestError(where="id", expected=expected, got="more")
    return identity


def _seat(request: Json, name: str, seats: tuple[str, ...]) -> str:
    expected = f"one of {', '.join(seats)}"
    seat = field(request, name, str, expected)
    if seat not in seats:
        raise BadRequestError(where=name, expected=expected, got=seat)
    return str(seat)


def _lenient(request: Json) -> bool:
    if "lenient" not in request:
        return False
    return bool(field(request, "lenient", bool, "true or false"))


def _once(pairs: list[tuple[str, Any]]) -> Json:
    found = dict(pairs)
    if len(found) != len(pairs):
        names: set[str] = set()
        for name, _ in pairs:
            if name in names:
                raise _refused(expected="each key once", got=name)
            names.add(name)
    return found


def _no_constant(text: str) -> NoReturn:
    raise _refused(expected="JSON", got=text)


def _int(text: str) -> int:
    if len(text) > LONGEST_NUMBER:
        raise _refused(expected=f"numbers of at most {LONGEST_NUMBER} digits", got=text)
    return int(text)


def _float(text: str) -> float:
    # Nothing in the protocol is a fraction; one in an `id` is echoed if JSON can write it.
    number = float(text)
    if not isfinite(number):
        raise _refused(expected="numbers that can be held", got=text)
    return number


def _shallow(value: object) -> bool:
    """Return whether a value nests no deeper than allowed; level by level, without recursion."""
    level: list[object] = [value]
    for _ in range(DEEPEST):
        inner: list[object] = []
        for item in level:
            if isinstance(item, dict):
                inner += item.values()
            elif isinstance(item, list):
                inner += item
        if not inner:
            return True
        level = inner
    return False


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """Yield lines; of one that is too long, its beginning, just longer than allowed."""
    while line := stream.readline(LONGEST_LINE + 2):
        rest = line
        while len(rest) == LONGEST_LINE + 2 and not rest.endswith(b"\n"):
            rest = stream.readline(LONGEST_LINE + 2)
        yield line
