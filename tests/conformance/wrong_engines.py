"""Wrong engines: tiny deliberately wrong referees, each wrong in one way.

Most are this project's own rules with one of them bent, some are its referee with its
replies altered.  A suite that any of them passes is not good enough; each fails for its
own reason.  One can be run as a program too:

    python tests/conformance/wrong_engines.py royal-marriage-20
"""

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import yaml

from bezique.conformance.case import Case
from bezique.conformance.target import BuiltIn, Target, library, table
from bezique.engine.library import Library
from bezique.spec.load import load_text

Json = dict[str, Any]
Alter = Callable[[Json, Json], Json]
OTHER = {"south": "north", "north": "south"}
REFUSED = {"error": {"code": "illegal-action", "message": "no"}}


@dataclass(frozen=True)
class WrongEngine:
    """A referee that is wrong in one way.

    Attributes:
        says: Its fault, as a fact.
        case: A case that finds it out.
        told: What that case tells, in part.
        clause: The clause or other reference that the case is about.
        profile: A table at which it is found out.
        rules: What it lays over that table's rules.
        alter: How it changes a reply, given the request.
        remembers: Whether it keeps something between lines.
    """

    says: str
    case: str
    told: str
    clause: str
    profile: str = "luso"
    rules: Json = field(default_factory=dict, hash=False)
    alter: Alter | None = None
    remembers: bool = False

    def target(self) -> Target:
        """Return it as a target."""
        if self.remembers:
            return Remembering()
        own = Library(profiles=[_bent(self.profile, json.dumps(self.rules))])
        inner = BuiltIn(own if self.rules else library())
        return Altered(inner, self.alter) if self.alter else inner

    def target_of(self, case: Case, profile: str) -> Target:
        """Return it as a target that plays the rules of a case with its own fault."""
        inner = BuiltIn(table(case, profile))
        return Altered(inner, self.alter) if self.alter else inner


@dataclass
class Altered:
    """A target whose replies are altered."""

    inner: Target
    alter: Alter

    def ask(self, request: Json) -> Json:
        """Return the altered reply."""
        return self.alter(request, self.inner.ask(request))


@cache
def _bent(profile: str, rules: str) -> Any:  # noqa: ANN401
    text = yaml.safe_dump(
        {"profile": profile, "based_on": profile, **json.loads(rules)}
    )
    return load_text(text)


# --- altered replies ---------------------------------------------------------------------


def card_stays(request: Json, reply: Json) -> Json:
    """Leave a card that is played from the table lying there."""
    if request["op"] == "apply" and request["action"]["do"] == "play" and "ok" in reply:
        card = request["action"]["card"]
        for seat, cards in request["position"]["table"].items():
            if card in cards and reply["ok"]["position"]["phase"] != "deal":
                reply["ok"]["position"]["table"][seat].append(card)
    return reply


def seven_by_order(request: Json, reply: Json) -> Json:
    """Credit the ten for a seven played second to the player who led."""
    if request["op"] == "apply" and request["position"]["phase"] == "follow":
        for event in reply.get("ok", {}).get("events", []):
            if event.get("for") == "seven":
                event["seat"] = OTHER[event["seat"]]
    return reply


def first_seat_wins(request: Json, reply: Json) -> Json:
    """Let the first seat that reached the target win, though it is behind."""
    del request
    position = reply.get("ok", {}).get("position", {})
    points = position.get("points", {})
    if position.get("winner") and all(
        item["match"] >= 1000 for item in points.values()
    ):
        position["winner"] = "south"
    return reply


def never_refuses(request: Json, reply: Json) -> Json:
    """Take an illegal action for one that does nothing."""
    if reply.get("error", {}).get("code") in ("illegal-action", "bad-request"):
        position = request.get("position", {})
        steps = [{"legal": 1, "events": []} for _ in request.get("actions", ())]
        return {"ok": {"position": position, "events": [], "steps": steps}}
    return reply


def refuses_all(request: Json, reply: Json) -> Json:
    """Refuse whatever is done or asked."""
    if request["op"] == "hello":
        return reply
    return {"ok": {"actions": []}} if request["op"] == "legal" else REFUSED


def pays_nothing(request: Json, reply: Json) -> Json:
    """Score nothing for anything."""
    for step in (reply.get("ok", {}), *reply.get("ok", {}).get("steps", ())):
        if "events" in step:
            step["events"] = []
    del request
    return reply


def believes_all(request: Json, reply: Json) -> Json:
    """Take any position for one that can be, and every card for legal."""
    if request["op"] == "legal":
        position = request["position"]
        hands = (position["hidden"], position["table"])
        cards = [card for hand in hands for card in hand.get(position["turn"], ())]
        return {"ok": {"actions": [{"do": "play", "card": card} for card in cards]}}
    return reply


def shows_all(request: Json, reply: Json) -> Json:
    """Hide nothing from a seat."""
    if request["op"] == "view" and "ok" in reply:
        return {"ok": {"position": request["position"]}}
    for step in reply.get("ok", {}).get("steps", ()):
        step.pop("seen", None)
        if "seat" in request:
            step["seen"] = step["events"]
    return reply


def shows_nothing(request: Json, reply: Json) -> Json:
    """Hide everything from a seat."""
    if request["op"] == "view" and "ok" in reply:
        position = reply["ok"]["position"]
        for zone in ("hidden", "table", "won"):
            position[zone] = {
                seat: ["??" for _ in cards] for seat, cards in position[zone].items()
            }
        position["stock"], position["turn_up"] = [], "??"
    return reply


def solves_nothing(request: Json, reply: Json) -> Json:
    """Find every ending even, and solve what is none."""
    return {"ok": {"margin": 1, "line": []}} if request["op"] == "solve" else reply


class Remembering:
    """Marks the turn's declaration as made when it is refused, and remembers that."""

    def __init__(self) -> None:
        self.inner = BuiltIn(library())
        self.spoken = False

    def ask(self, request: Json) -> Json:
        """Return a reply that depends on what was refused before."""
        action = request.get("action", {}).get("do")
        if self.spoken and action == "declare":
            self.spoken = False
            return REFUSED
        reply = self.inner.ask(request)
        self.spoken = action == "declare" and "error" in reply
        return reply


WRONG_ENGINES: dict[str, WrongEngine] = {
    "identical-card-wins": WrongEngine(
        "the follower wins with an identical card",
        case="trick-of-identical-cards",
        told="winner_of_last_trick: expected south, got north",
        clause="trick/winner",
        rules={
            "terms": {
                "beats(c, d)": "suit(c) == suit(d) and rank(c) >= rank(d) or suit(c) == trump and suit(d) != trump"
            }
        },
    ),
    "royal-marriage-20": WrongEngine(
        "a royal marriage scores 20",
        case="royal-marriage-scores-40",
        told="got south 20 royal-marriage",
        clause="meld/royal-marriage",
        rules={"melds": {"royal-marriage": {"points": 20}}},
    ),
    "no-double-bezique": WrongEngine(
        "a double bezique is impossible",
        case="double-bezique-at-once-scores-500",
        told="expected no refusal",
        clause="meld/double-bezique",
        rules={"melds": {"double-bezique": None}},
    ),
    "card-stays-on-the-table": WrongEngine(
        "a card played from the table stays on the table",
        case="declared-cards-lie-on-the-table",
        told="table.south: expected",
        clause="play/held",
        profile="cady",
        alter=card_stays,
    ),
    "seven-by-order-of-play": WrongEngine(
        "the ten for a seven played second goes to the player who led",
        case="seven-played-by-the-follower-scores-10",
        told="expected north 10 seven, got south 10 seven",
        clause="seven/played",
        profile="cady",
        alter=seven_by_order,
    ),
    "refused-declaration-counts": WrongEngine(
        "a refused declaration is still the turn's one declaration",
        case="refused-declaration-changes-nothing",
        told="declare marriage KH QH: expected no refusal",
        clause="declare/one-a-trick",
        remembers=True,
    ),
    "first-seat-wins": WrongEngine(
        "the first seat at the target wins though it is behind",
        case="both-over-the-target-whoever-got-there-first",
        told="winner: expected north, got south",
        clause="match/target",
        alter=first_seat_wins,
    ),
    "last-trick-20": WrongEngine(
        "the last trick scores 20",
        case="target-reached-wins",
        told="got south 20 last-trick",
        clause="match/target",
        rules={"values": {"last_trick": 20}},
    ),
    "need-not-beat": WrongEngine(
        "in the strict tricks nobody has to beat the card led",
        case="strict-beat-the-card-led",
        told="legal: expected only play AS, got play 8S",
        clause="strict/heads",
        rules={"readings": {"beating": "free"}},
    ),
    "need-not-trump": WrongEngine(
        "in the strict tricks nobody has to trump",
        case="strict-no-discard-when-able-to-trump",
        told="expected a refusal",
        clause="strict/ruffs",
        rules={"readings": {"trumping": "free"}},
    ),
    "need-not-follow": WrongEngine(
        "any card may be played in the last tricks",
        case="count-followed-suits",
        told="number of ways: expected 2, got 4",
        clause="strict/follows",
        rules={"duties": {"strict": {"sets": ["any_card"]}}},
    ),
    "dealer-leads": WrongEngine(
        "the dealer leads to the first trick",
        case="first-lead-is-the-non-dealers",
        told="turn: expected north, got south",
        clause="deal/first",
        rules={"deal": {"first": "dealer"}},
    ),
    "tens-are-no-brisques": WrongEngine(
        "tens score nothing",
        case="brisque-scores-with-its-trick",
        told="expected south 20 brisques, got south 10 brisques",
        clause="brisques/trick",
        rules={"terms": {"is_brisque(c)": "rank(c) == A"}},
    ),
    "fours-of-four-suits": WrongEngine(
        "a four of a kind has to show four suits",
        case="four-aces-of-two-suits",
        told="expected no refusal",
        clause="four/suits",
        rules={"readings": {"quartet": "suits"}},
    ),
    "cross-marriages": WrongEngine(
        "a married king marries another queen",
        case="new-queen-renews-no-marriage",
        told="expected a refusal, got south 40 royal-marriage",
        clause="declare/reuse",
        rules={"readings": {"reuse": "cross-marriages"}},
    ),
    "seven-takes-the-turn": WrongEngine(
        "a seven is the turn's one declaration",
        case="meld-after-a-seven",
        told="expected no refusal, got illegal-action (declare/one-a-trick)",
        clause="declare/one-a-trick",
        rules={"readings": {"seven_takes": "instead"}},
    ),
    "turned-seven-pays-the-other": WrongEngine(
        "a turned-up seven scores for the player who did not deal",
        case="turned-seven-pays-the-dealer",
        told="expected north 10 turn-up-seven, got south 10 turn-up-seven",
        clause="turn/seven",
        rules={
            "after": {
                "turn/seven": {
                    "do": [
                        "pay(other(dealer), seven, 'turn-up-seven')",
                        "sevens += turned",
                    ]
                }
            }
        },
    ),
    "ends-at-once": WrongEngine(
        "the match ends in the middle of a hand",
        case="target-reached-in-the-middle-of-a-hand",
        told="phase: expected declare, got over",
        clause="match/at-once",
        rules={"readings": {"ending": "at-once"}},
    ),
    "claims-below-the-target": WrongEngine(
        "anybody may claim the match",
        case="claim-below-the-target",
        told="claim: expected a refusal",
        clause="claim/target",
        profile="boussac",
        rules={"actions": {"claim": {"if": {"claim/target": True}}}},
    ),
    "waiting-is-never-lost": WrongEngine(
        "an announcement waits on though one of its cards was played",
        case="waiting-card-played-loses-it",
        told="pending: expected []",
        clause="wait/kept",
        profile="cady",
        rules={"after": {"wait/kept": None}},
    ),
    "barred-may-declare": WrongEngine(
        "a player with too many cards may declare",
        case="too-many-cards-bars-declaring",
        told="expected a refusal",
        clause="declare/barred",
        profile="boussac",
        rules={"actions": {"declare": {"if": {"declare/barred": True}}}},
    ),
    "never-refuses": WrongEngine(
        "an illegal action is taken and does nothing",
        case="same-marriage-twice",
        told="expected a refusal, got no points",
        clause="declare/reuse",
        alter=never_refuses,
    ),
    "refuses-all": WrongEngine(
        "nothing is legal",
        case="sequence-scores-250",
        told="expected no refusal",
        clause="meld/sequence",
        alter=refuses_all,
    ),
    "pays-nothing": WrongEngine(
        "nothing scores",
        case="marriage-then-sequence-290",
        told="got no points",
        clause="declare/reuse",
        alter=pays_nothing,
    ),
    "believes-all": WrongEngine(
        "any position can be, and every card may be played",
        case="position-shown-after-the-stock",
        told="error: expected bad-position, got None",
        clause="position/shown",
        alter=believes_all,
    ),
    "shows-all": WrongEngine(
        "every seat sees every card",
        case="view-hides-the-other-hand",
        told="hidden.north: expected ['??'], got ['8H1']",
        clause="views/hidden-own",
        alter=shows_all,
    ),
    "shows-nothing": WrongEngine(
        "no seat sees any card",
        case="view-hides-the-other-hand",
        told="hidden.south: expected ['8S1'], got ['??']",
        clause="views/hidden-own",
        alter=shows_nothing,
    ),
    "solves-nothing": WrongEngine(
        "every ending has the same margin",
        case="solve-last-ace",
        told="margin: expected 20, got 1",
        clause="last-trick/points",
        alter=solves_nothing,
    ),
}


def main() -> None:
    """Answer requests as the wrong engine that the command line names."""
    target = WRONG_ENGINES[sys.argv[1]].target()
    for line in sys.stdin:
        request = json.loads(line)
        if request["op"] == "quit":
            return
        identity = {"id": request.pop("id")} if "id" in request else {}
        print(json.dumps({**identity, **target.ask(request)}), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
