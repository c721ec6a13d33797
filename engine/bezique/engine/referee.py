"""The referee: the engine as JSON lines.

One request, one reply, each a line.  A referee keeps nothing between lines: every operation
is a pure function of its request.  It answers every line, and lives on after any error.

Source: the referee protocol, version 1 (docs/protocol.md).
"""

import json
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, NoReturn

from bezique.engine.codec import action_json, event_json, field, position_json, read_action, read_position, read_rules
from bezique.engine.errors import BadRequestError, BeziqueError
from bezique.engine.library import Library
from bezique.engine.moves import apply, legal
from bezique.engine.position import start
from bezique.engine.status import checked
from bezique.engine.views import view, witnessed
from bezique.spec.core import Option

PROTOCOL = 1
LONGEST_LINE = 1 << 20
DEEPEST = 40
Json = dict[str, Any]
Operation = Callable[["Referee", Json], Json]


class Referee:
    """Answers requests under the rules of a library.

    Args:
        library: The profiles it knows.
        version: The implementation's version, which `hello` tells.
        more: Operations beyond the engine's own, by name, such as `solve`.
    """

    def __init__(self, library: Library, version: str, more: dict[str, Operation] | None = None) -> None:
        self.library, self.version = library, version
        self.more = dict(more or {})
        self.operations: dict[str, Operation] = {
            "hello": Referee.hello, "start": Referee.start, "legal": Referee.legal,
            "apply": Referee.apply, "play": Referee.play, "view": Referee.view, **self.more,
        }  # fmt: skip

    def answer(self, line: bytes | str) -> str | None:
        """Return the reply to a line, without its line end; None when the line says quit."""
        identity: Json = {}
        try:
            request = parsed(line)
            if "id" in request:
                identity = {"id": request["id"]}
            name = field(request, "op", str, "the name of an operation")
            if name == "quit":
                return None
            operation = self.operations.get(name)
            if operation is None:
                raise BadRequestError("op", f"one of {', '.join(self.operations)}, quit", name)
            reply: Json = {"ok": operation(self, request)}
        except BeziqueError as error:
            reply = {"error": error_json(error)}
        except RecursionError:
            reply = {"error": error_json(BadRequestError("request", "less nesting", "too much"))}
        return json.dumps({**identity, **reply}, separators=(",", ":"))

    def serve(self, lines: BinaryIO, replies: BinaryIO) -> None:
        """Answer lines until `quit` or the end of input."""
        for line in _lines(lines):
            if not line.strip():
                continue
            reply = self.answer(line)
            if reply is None:
                return
            replies.write(reply.encode("ascii") + b"\n")
            replies.flush()

    # --- operations ---------------------------------------------------------------------------

    def hello(self, _: Json) -> Json:
        """Return protocol, implementation, profiles with their options, capabilities."""
        profiles = {
            name: {"options": {option.name: option_json(option) for option in self.library.profile(name).options}}
            for name in self.library.names
        }  # fmt: skip
        capabilities = [*self.more, "view", "lenient"]
        return {"protocol": PROTOCOL, "implementation": "bezique", "version": self.version, "profiles": profiles, "capabilities": capabilities}

    def start(self, request: Json) -> Json:
        """Return a match before its first deal."""
        rules = read_rules(self.library, request)
        return {"position": position_json(start(rules, self._seat(request, "dealer", rules.seats)))}

    def legal(self, request: Json) -> Json:
        """Return every legal action of the player to move."""
        position = checked(read_position(self.library, field(request, "position", dict, "a position")), lenient=_lenient(request))
        return {"actions": [action_json(position.rules, action) for action in legal(position)]}

    def apply(self, request: Json) -> Json:
        """Return the position after an action, and its events."""
        lenient = _lenient(request)
        position = checked(read_position(self.library, field(request, "position", dict, "a position")), lenient=lenient)
        action = read_action(position, field(request, "action", dict, "an action"))
        after, events = apply(position, action, lenient=lenient)
        return {"position": position_json(after), "events": [event_json(after.rules, event) for event in events]}

    def play(self, request: Json) -> Json:
        """Return the position after a whole record, and what each step did."""
        rules = read_rules(self.library, request)
        lenient = _lenient(request)
        position = start(rules, self._seat(request, "dealer", rules.seats))
        seat = self._seat(request, "seat", rules.seats) if "seat" in request else None
        steps: list[Json] = []
        for number, written in enumerate(field(request, "actions", list, "a list of actions")):
            count = len(legal(position))
            try:
                position, events = apply(position, read_action(position, written), lenient=lenient)
            except BeziqueError as error:
                error.step = number
                raise
            step: Json = {"legal": count, "events": [event_json(rules, event) for event in events]}
            if seat is not None:
                step["seen"] = [event_json(rules, event) for event in witnessed(position, events, seat)]
            steps.append(step)
        return {"position": position_json(position), "steps": steps}

    def view(self, request: Json) -> Json:
        """Return what a seat may know of a position."""
        position = checked(read_position(self.library, field(request, "position", dict, "a position")), lenient=_lenient(request))
        return {"position": position_json(view(position, self._seat(request, "seat", position.rules.seats)))}

    @staticmethod
    def _seat(request: Json, name: str, seats: tuple[str, ...]) -> str:
        seat = field(request, name, str, f"a seat ({', '.join(seats)})")
        if seat not in seats:
            raise BadRequestError(name, f"a seat ({', '.join(seats)})", seat)
        return str(seat)


def parsed(line: bytes | str) -> Json:
    """Return the JSON object of a line.

    Raises:
        BadRequestError: It is too long, not UTF-8, not JSON, no object, too deep, holds a key
            twice, or a number that JSON has not.
    """
    if len(line) > LONGEST_LINE:
        raise BadRequestError("request", f"a line of at most {LONGEST_LINE} bytes", "a longer one")
    try:
        text = line.decode("utf-8") if isinstance(line, bytes) else line
        value = json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant, parse_float=_no_float)
    except UnicodeDecodeError:
        raise BadRequestError("request", "UTF-8", "other bytes") from None
    except RecursionError:
        raise BadRequestError("request", f"at most {DEEPEST} levels", "more") from None
    except BeziqueError:
        raise
    except ValueError as error:
        raise BadRequestError("request", "JSON", str(error)[:60]) from None
    if not isinstance(value, dict):
        raise BadRequestError("request", "an object", value)
    if not _shallow(value):
        raise BadRequestError("request", f"at most {DEEPEST} levels", "more")
    return value


def error_json(error: BeziqueError) -> Json:
    """Return an error as the protocol writes it."""
    written: Json = {"code": error.code, "message": str(error)[:400]}
    if error.clause is not None:
        written["clause"] = error.clause
    return written if error.step is None else {**written, "step": error.step}


def option_json(option: Option) -> Json:
    """Return an option as `hello` tells it."""
    written: Json = {"default": option.default}
    if option.values is not None:
        return {**written, "values": list(option.values)}
    limits = {"min": option.min, "max": option.max}
    return written | {name: limit for name, limit in limits.items() if limit is not None}


def _lenient(request: Json) -> bool:
    return bool(field(request, "lenient", bool, "true or false")) if "lenient" in request else False


def _once(pairs: list[tuple[str, Any]]) -> Json:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        raise BadRequestError("request", "each key once", next(name for name in names if names.count(name) > 1))
    return found


def _no_constant(text: str) -> NoReturn:
    raise BadRequestError("request", "JSON", text)


def _no_float(text: str) -> float:
    # Nothing in the protocol is a fraction; one in an `id` is echoed if JSON can write it.
    number = float(text)
    if number - number != 0:
        raise BadRequestError("request", "a number that can be held", text[:20])
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

