"""Questions: what a program is asked to find out what it plays, and its answer in one form.

A question is the asking half of a check: what the case expects is left at home.  Two answers
are equal when they mean the same: sets in any order, only what the protocol names.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from bezique.conformance.plain import plain
from bezique.conformance.suite import Check
from bezique.conformance.target import FaultError, Target

Json = dict[str, Any]
Answer = tuple[Any, ...]

MEMBERS = (
    "hand", "phase", "turn", "dealer", "trump", "turn_up", "stock", "hidden", "table", "led",
    "won", "scored", "pending", "declared", "sevens", "winner_of_last_trick", "last_trick",
    "points", "results", "revoked", "barred", "winner",
)  # fmt: skip
SETS = ("hidden", "table", "won", "sevens", "revoked", "barred", "cards")
LISTS_OF_SETS = ("scored", "pending", "actions")


def asked(check: Check) -> tuple[Json, ...]:
    """Return the requests of a check in its profile, whatever rules its case lays over it."""
    return tuple(step["ask"] for step in plain(check).get("steps", ()))


def answer(requests: Iterable[Json], target: Target) -> Answer:
    """Return what a target answers to the requests of a question, in one form."""
    return tuple(_answers(requests, target))


def _answers(requests: Iterable[Json], target: Target) -> Iterator[Any]:
    position: Json | None = None
    for request in requests:
        position = request.get("position", position)
        sent = (
            {**request, "position": position} if request["op"] == "apply" else request
        )
        try:
            reply = target.ask(sent)
            yield told(reply)
        except FaultError as fault:
            yield fault.kind
            return
        except (LookupError, TypeError, AttributeError):
            yield "garbage"
            return
        position = reply.get("ok", {}).get("position", position)


def told(reply: Json) -> Any:  # noqa: ANN401
    """Return a reply in one form: that it refuses, or what it says."""
    if "error" in reply:
        code = reply["error"]["code"]
        return "refused" if code in ("illegal-action", "bad-request") else code
    ok = reply["ok"]
    return {
        name: part
        for name, part in (
            ("actions", _one_form(ok.get("actions"), "actions")),
            ("points", _points(ok.get("events"))),
            ("steps", [_points(step["events"]) for step in ok.get("steps", ())]),
            ("position", _position(ok.get("position"))),
        )
        if part is not None
    }


def _points(events: list[Json] | None) -> Any:  # noqa: ANN401
    if events is None:
        return None
    return [
        (event["seat"], event["points"], event["for"])
        for event in events
        if event["event"] == "points"
    ]


def _position(position: Json | None) -> Any:  # noqa: ANN401
    if position is None:
        return None
    return {name: _one_form(position.get(name), name) for name in MEMBERS}


def _one_form(value: Any, name: str = "", *, inner: str = "") -> Any:  # noqa: ANN401
    """Return a value whose sets are sorted."""
    if isinstance(value, dict):
        return {key: _one_form(item, key, inner=name) for key, item in value.items()}
    if isinstance(value, list):
        items = [_one_form(item) for item in value]
        sets = name in SETS or inner in SETS or name in LISTS_OF_SETS
        return sorted(items, key=repr) if sets else items
    return value
