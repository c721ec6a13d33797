"""Against: two programs side by side on generated deals, without any expectation.

Both are asked the same all along a match: what is legal, what an action leads to, and a card
that may not be legal at all.  Where their answers part, the game is left: from then on they
would be speaking of different positions.

The deals, and which of the legal actions is played, come from a seed.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from bezique.conformance.examinee import Examinee
from bezique.conformance.questions import told
from bezique.conformance.target import library
from bezique.engine.codec import action_json
from bezique.engine.dealing import deal, shuffled
from bezique.engine.errors import BadRequestError
from bezique.engine.position import start
from bezique.engine.rules import Rules

Json = dict[str, Any]
ENDLESS = 1000
"""More actions than any hand takes."""


@dataclass(frozen=True, slots=True)
class Difference:
    """How two programs went through some deals of a profile."""

    text: str
    differs: bool

    def __str__(self) -> str:
        """Return it in words."""
        return self.text


def against(
    one: Examinee, two: Examinee, profiles: Sequence[str], deals: int, seed: str
) -> Iterator[Difference]:
    """Yield where two programs differ, and a line for each profile in which they do not.

    Args:
        one: A program; the actions that it calls legal are played.
        two: Another.
        profiles: Where; all that both know when empty.
        deals: How many deals are played in each profile, one hand each.
        seed: What the deals and the choices are made from.

    Raises:
        BadRequestError: There is no profile that both know.
        FaultError: One of them gives no answer.
    """
    known = set(library().names)
    both = [name for name in one.profiles if name in two.profiles and name in known]
    common = [name for name in both if not profiles or name in profiles]
    if not common:
        expected = f"one of {', '.join(both)}" if both else "one that both know"
        raise BadRequestError(
            where="--profile", expected=expected, got=", ".join(profiles) or "none"
        )
    for profile in common:
        found, requests = 0, 0
        for number in range(deals):
            asked, difference = _hand(one, two, profile, f"{seed}/{number}")
            requests += asked
            if difference:
                found += 1
                yield Difference(
                    f"{profile}: differs in deal {seed}/{number}: {difference}",
                    differs=True,
                )
        if not found:
            yield Difference(
                f"{profile}: no difference in {deals} deals, {requests} requests",
                differs=False,
            )


def _hand(
    one: Examinee, two: Examinee, profile: str, seed: str
) -> tuple[int, str | None]:
    """Play a hand; return how many requests it took and the first difference."""
    rules = library().rules(profile)
    random = Random(seed)  # noqa: S311  (a game, not a secret)
    dealer = random.choice(rules.seats)
    asking = _Both(one, two)
    first = start(rules, dealer)
    dealing = action_json(rules, deal(first, shuffled(rules, seed)))
    request: Json = {"op": "start", "profile": profile, "options": {}, "dealer": dealer}
    position = asking.position(request)
    if position is not None:
        position = asking.applied(position, dealing)
    for _ in range(ENDLESS):
        if position is None or position["phase"] in ("deal", "over"):
            break
        actions = asking.legal(position)
        if actions is None:
            break
        asking.applied(position, _any_play(rules, random))
        if asking.difference:
            break
        position = asking.applied(position, _chosen(actions, random))
    return asking.requests, asking.difference


class _Both:
    """Two programs asked the same."""

    def __init__(self, one: Examinee, two: Examinee) -> None:
        self.targets = one.general(), two.general()
        self.names = one.name, two.name
        self.requests = 0
        self.difference: str | None = None

    def asked(self, request: Json) -> Json | None:
        """Return what both answer; None where they differ or refuse."""
        self.requests += 1
        replies = [target.ask(request) for target in self.targets]
        first, second = map(told, replies)
        if first != second:
            shown = json.dumps(request, separators=(",", ":"))
            parts = f"{self.names[0]} {_part(first, second)}; {self.names[1]} {_part(second, first)}"
            self.difference = f"{parts}; asked: {shown}"
            return None
        ok: Json | None = replies[0].get("ok")
        return ok

    def position(self, request: Json) -> Json | None:
        """Return the position that both answer."""
        ok = self.asked(request)
        return None if ok is None else ok["position"]

    def applied(self, position: Json, action: Json) -> Json | None:
        """Return the position that an action leads to, if both take it and agree."""
        return self.position({"op": "apply", "position": position, "action": action})

    def legal(self, position: Json) -> list[Json] | None:
        """Return what both call legal."""
        ok = self.asked({"op": "legal", "position": position})
        return None if ok is None else ok["actions"]


def _chosen(actions: list[Json], random: Random) -> Json:
    """Return an action by lot: whatever scores comes before drawing more often than not."""
    inviting = [action for action in actions if action["do"] != "draw"]
    if inviting and len(inviting) < len(actions) and random.random() < 0.8:  # noqa: PLR2004
        return random.choice(inviting)
    return random.choice(actions)


def _any_play(rules: Rules, random: Random) -> Json:
    return {"do": "play", "card": str(random.choice(rules.pack))}


def _part(mine: Any, other: Any) -> str:  # noqa: ANN401
    """Return the part of an answer in which it differs from another, in short."""
    while isinstance(mine, dict) and isinstance(other, dict):
        names = [name for name in mine if mine[name] != other.get(name)]
        if not names:
            break
        mine, other = mine[names[0]], other.get(names[0])
        if not isinstance(mine, dict):
            return f"{names[0]} {_short(mine)}"
    return _short(mine)


def _short(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 200 else f"{text[:197]}..."  # noqa: PLR2004
