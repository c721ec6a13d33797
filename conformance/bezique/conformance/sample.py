"""Samples: the simplest sound request of each operation, to find out whether a program knows it."""

from functools import cache
from typing import Any

from bezique.conformance.target import library
from bezique.engine.codec import action_json, position_json
from bezique.engine.dealing import deal
from bezique.engine.moves import apply
from bezique.engine.position import start

Json = dict[str, Any]


def sample(operation: str, profile: str) -> Json:
    """Return the simplest request of an operation: a match before or after its first deal."""
    before, dealing, after = _dealt(profile)
    seat = after["turn"]
    requests: dict[str, Json] = {
        "start": {"profile": profile, "options": {}, "dealer": seat},
        "legal": {"position": after},
        "apply": {"position": before, "action": dealing},
        "play": {
            "profile": profile,
            "options": {},
            "dealer": before["dealer"],
            "actions": [dealing],
        },
        "view": {"position": after, "seat": seat},
        "solve": {"position": after},
    }
    return {"op": operation, **requests.get(operation, {})}


@cache
def _dealt(profile: str) -> tuple[Json, Json, Json]:
    rules = library().rules(profile)
    before = start(rules, rules.seats[0])
    action = deal(before, rules.pack)
    after, _ = apply(before, action)
    return position_json(before), action_json(rules, action), position_json(after)
