"""Witness cases: a situation that was searched for, written as a case.

A witness is a position and an action that two tables treat differently.  Written down for one
of them, the case gives the position whole and expects what tells the tables apart: a refusal
with its clause, points, or facts of the position after the action.

What is expected is taken from no single place.  The search found it in the meaning of the
rules as formulas; here the reference interpreter and the compiled rules have to say it as
well, the case is run over the protocol at its own table, where it has to pass, and at the
other one, where it has to fail.

Terms
    own     the table that the case is for
    other   the table that the witness tells it from
"""

from collections.abc import Iterator
from typing import Any

from bezique.conformance import expand
from bezique.conformance.case import Case, CaseFile, Facts
from bezique.conformance.run_case import run
from bezique.conformance.target import BuiltIn
from bezique.conformance.words import said
from bezique.engine.action import Action
from bezique.engine.code import Interpreted
from bezique.engine.codec import action_json, position_json
from bezique.engine.errors import IllegalActionError
from bezique.engine.library import Library
from bezique.engine.moves import DEAL, apply
from bezique.engine.position import Position
from bezique.engine.rules import Rules
from bezique.engine.views import view
from bezique.spec.load import load
from bezique.spec.subjects import subjects

Json = dict[str, Any]
ZONES = ("hidden", "table", "won", "stock", "turn_up", "last_trick")


class UnwritableError(Exception):
    """A situation that no case can say, and why."""


def case_of(written: Json) -> Case:
    """Return a case from its parts."""
    return CaseFile.model_validate({"topic": "one", "cases": [written]}).cases[0]


def situation(
    position: Position,
    action: Action | None,
    other: Position | None = None,
    *,
    lenient: bool = False,
) -> Json:
    """Return what a case about an action gives, does and expects: `given`, `steps`, `expected`.

    Args:
        position: The situation under the case's own rules.
        action: What is done; None: what a seat sees, or how the match ends.
        other: The same situation under other rules; what then comes out otherwise is expected.
        lenient: Whether a referee records the table.

    Raises:
        UnwritableError: No case can say it.
    """
    position, other = _led(position), other and _led(other)
    if action is None:
        return _last_trick(position, other) if position.phase == "over" else _view(position, other)  # fmt: skip
    given = (
        {"phase": "deal"} if action.name == DEAL else _given(position, lenient=lenient)
    )
    brought, after = _outcome(position, action, lenient=lenient)
    if action.name == DEAL and position.dealer != "north":
        given["dealer"] = position.dealer
    step = _deal_text(action) if action.name == DEAL else said(action_json(position.rules, action))  # fmt: skip
    written: Json = {"kind": "apply", "given": given, "steps": [f"{step} => {brought}" if brought else step]}  # fmt: skip
    if after is not None and other is not None:
        told, else_after = _outcome(other, action, lenient=lenient)
        if else_after is not None:
            facts = _unlike(after, else_after)
            if not facts and told == brought:
                message = "what differs is in no fact of a case"
                raise UnwritableError(message)
            if facts:
                written["expected"] = facts
    return {**written, **({"lenient": True} if lenient else {})}


def confirm(case: Case, profile: str, other: Library | None = None) -> None:
    """Hold a case against its own table, and against another that it has to tell.

    Raises:
        UnwritableError: It fails at its own table, or passes at the other.
    """
    own = run(case, profile)
    if not own.passed:
        raise UnwritableError("; ".join(own.problems))
    if other is not None and run(case, profile, BuiltIn(other)).passed:
        message = "the case as written does not tell the tables apart"
        raise UnwritableError(message)


def references(rules: Rules, clause: str, written: Json) -> tuple[str, ...]:
    """Return the clauses a witness is about, as the rules name them.

    Args:
        rules: The rules of the case.
        clause: What differs, in the words of the search: `meld/four-aces four/suits`, `seven/do`.
        written: The case so far: a refusal names its clause.
    """
    # What another reading adds has no name in the rules that are built in.
    built_in = load(rules.profile.name)
    known = {*built_in.clause_ids, *subjects(built_in)}
    refused = [step.partition("=> refused ")[2] for step in written.get("steps", ())]
    named = [*clause.replace(",", " ").split(), *filter(None, refused)]
    renamed = {
        "beats": "trick/winner",
        "views/hidden": "views/hidden-own",
        "views/won": "views/last_trick-open",
        "meld/unknown": "declare/form",
    }
    found = [renamed.get(name, name) for name in named]
    found += [f"actions/{name.partition('/')[0]}" for name in named]
    found += [item for name in named if name.startswith("views/") for item in sorted(known) if item.startswith(f"{name}-")]  # fmt: skip
    clauses = [name for name in dict.fromkeys(found) if name in known]
    # A part of a rule speaks for itself; the action around it need not be named too.
    return tuple([name for name in clauses if not name.startswith("actions/")] or clauses)[:2]  # fmt: skip


# --- positions ---------------------------------------------------------------------------------


def _led(position: Position) -> Position:
    """Return a position whose leader has won the trick before, as cases take it to be.

    The search leaves open who did where no rule asks.
    """
    seats = {"lead": position.turn, "follow": expand.OTHER.get(position.turn or "")}
    leader = seats.get(position.phase)
    known = position.taker is not None or leader is None
    return position if known else position.changed(taker=leader)


def _given(position: Position, *, lenient: bool = False) -> Json:
    """Return the facts that make up a position, checked by filling them in again."""
    whole = position_json(position)
    facts = _facts(whole)
    again = expand.position(
        Facts.model_validate(facts), position.rules, level=not lenient
    )
    for name, value in again.items():
        there = whole.get(name)
        if name in whole and _plain(there) != _plain(value):
            message = f"{name} would be {value}, not {there}"
            raise UnwritableError(message)
    for part in position.rules.profile.state:
        if part.name not in again and position.state[part.name]:
            message = f"no fact of a case says {part.name}"
            raise UnwritableError(message)
    return facts


def _facts(whole: Json) -> Json:
    facts: Json = {}
    if whole["phase"] not in ("lead", "follow"):
        facts["phase"] = whole["phase"]
    if whole["turn"] != "south":
        facts["turn"] = whole["turn"]
    if whole["dealer"] != "north":
        facts["dealer"] = whole["dealer"]
    for name in ("trump", "turn_up", "led"):
        if whole.get(name):
            facts[name] = _short(whole[name])
    if whole["stock"] or whole["phase"] == "declare":
        facts["stock"] = _words(whole["stock"])
    for seat in ("south", "north"):
        hidden, table = whole["hidden"][seat], whole["table"][seat]
        if hidden or table:
            facts[seat] = _words(hidden) + (f" | {_words(table)}" if table else "")
            facts[seat] = facts[seat].strip()
    if any(whole["won"].values()):
        facts["won"] = {seat: _words(cards) for seat, cards in whole["won"].items() if cards}  # fmt: skip
    facts |= {
        name: [_meld(item) for item in whole[name]]
        for name in ("scored", "pending")
        if whole.get(name)
    }
    if whole.get("declared"):
        facts["declared"] = True
    for name in ("sevens", *expand.RARE):
        if whole.get(name):
            facts[name] = _words(whole[name])
    leader = _leader(whole)
    if whole["winner_of_last_trick"] not in (None, leader):
        facts["winner_of_last_trick"] = whole["winner_of_last_trick"]
    points = {seat: item["hand"] for seat, item in whole["points"].items()}
    if any(points.values()):
        facts["points"] = points
    if whole["results"]:
        facts["results"] = whole["results"]
    for name in ("revoked", "barred"):
        if whole.get(name):
            facts[name] = whole[name]
    return facts


def _leader(whole: Json) -> str:
    turn: str = whole["turn"] or "south"
    return expand.OTHER[turn] if whole["phase"] == "follow" else turn


def _plain(value: Any) -> Any:  # noqa: ANN401
    """Return a value with whatever order does not matter put in order."""
    if isinstance(value, list):
        return sorted(map(_plain, value), key=str)
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    return value


# --- what comes out ------------------------------------------------------------------------------


def _outcome(
    position: Position, action: Action, *, lenient: bool = False
) -> tuple[str, Json | None]:
    """Return what an action brings in the words of a step, and the position after it.

    Raises:
        UnwritableError: The interpreter and the compiled rules do not say the same.
    """
    answers = [
        _applied(position, action, code, lenient=lenient)
        for code in (Interpreted(position.rules), None)
    ]
    if answers[0] != answers[1]:
        message = f"interpreter and compiled rules differ over {action}"
        raise UnwritableError(message)
    return answers[0]


def _applied(
    position: Position,
    action: Action,
    code: Interpreted | None,
    *,
    lenient: bool,
) -> tuple[str, Json | None]:
    try:
        after, events = apply(position, action, code=code, lenient=lenient)
    except IllegalActionError as error:
        return f"refused {error.clause}", None
    paid = [event.fields for event in events if event.name == "points"]
    told = ", ".join(f"{item['seat']} {item['points']} {item['for']}" for item in paid)
    return told, position_json(after)


def _unlike(mine: Json, other: Json) -> Json:
    """Return the facts of a position that are not those of another."""
    found: Json = {}
    for name in ("phase", "turn", "dealer", "trump", "declared", "winner_of_last_trick", "winner"):  # fmt: skip
        if mine.get(name) != other.get(name):
            found[name] = mine.get(name)
    for seat in ("south", "north"):
        if any(_plain(mine[zone][seat]) != _plain(other[zone][seat]) for zone in ("hidden", "table")):  # fmt: skip
            table = _words(mine["table"][seat])
            hidden = _words(mine["hidden"][seat])
            found[seat] = (f"{hidden} | {table}" if table else hidden).strip()
    for name in ("scored", "pending"):
        if _plain(mine.get(name)) != _plain(other.get(name)):
            found[name] = [_meld(item) for item in mine.get(name) or ()]
    if _plain(mine.get("sevens")) != _plain(other.get("sevens")):
        found["sevens"] = _words(mine.get("sevens") or [])
    for name in expand.RARE:
        if _plain(mine.get(name) or []) != _plain(other.get(name) or []):
            found[name] = _words(mine.get(name) or [])
    if mine["turn_up"] != other["turn_up"]:
        found["turn_up"] = _short(mine["turn_up"])
    if _plain(mine["won"]) != _plain(other["won"]):
        found["won"] = {seat: _words(cards) for seat, cards in mine["won"].items()}
    if len(mine["stock"]) != len(other["stock"]):
        found["stock"] = len(mine["stock"])
    for name in ("revoked", "barred"):
        if _plain(mine.get(name)) != _plain(other.get(name)):
            found[name] = mine.get(name) or []
    if mine["results"] != other["results"]:
        found["results"] = mine["results"]
    return found


# --- endings and views -----------------------------------------------------------------------------


def _last_trick(position: Position, other: Position | None) -> Json:
    """Return a case whose last trick brings the totals on which the tables part."""
    problem = "no last trick brings these totals"
    for leader in position.rules.seats:
        for led, card in _dull_pairs(position):
            follower = next(seat for seat in position.rules.seats if seat != leader)
            before = position.changed(
                phase="follow", turn=follower, taker=leader, trick=(led,), winner=None,
                hidden=type(position.hidden)({leader: frozenset(), follower: frozenset({card})}),
                table=type(position.table)(dict.fromkeys(position.rules.seats, frozenset())),
                won=type(position.won)(dict.fromkeys(position.rules.seats, frozenset())),
                stock=(), turn_up=None,
            )  # fmt: skip
            action = Action("play", type(position.hidden)({"card": card}))
            try:
                earned = _earned(before, action)
                if any(position.hand_points[seat] < earned[seat] for seat in earned):
                    continue
                ready = _poorer(before, earned)
                elsewhere = None if other is None else ready.changed(rules=other.rules)
                return situation(ready, action, elsewhere)
            except UnwritableError as error:
                problem = str(error)
    raise UnwritableError(problem)


def _dull_pairs(position: Position) -> Iterator[tuple[Any, Any]]:
    """Yield a card led and one put on it, one pair in which each of them wins."""
    pack = [card for card in position.rules.pack if card.copy == 1]
    ranks = position.rules.profile.deck.ranks
    low = [card for card in pack if card.rank in ranks[1:3]]
    suit = next(card.suit for card in low if card.suit != position.state["trump"])
    one, two = sorted((card for card in low if card.suit == suit), key=lambda card: ranks.index(card.rank))  # fmt: skip
    yield from ((two, one), (one, two))


def _earned(before: Position, action: Action) -> dict[str, int]:
    _, events = apply(before, action)
    earned = dict.fromkeys(before.rules.seats, 0)
    for event in events:
        if event.name == "points":
            earned[event.fields["seat"]] += event.fields["points"]
    return earned


def _poorer(before: Position, earned: dict[str, int]) -> Position:
    def less(points: Any) -> Any:  # noqa: ANN401
        return type(points)({seat: points[seat] - earned[seat] for seat in points})

    return before.changed(
        hand_points=less(before.hand_points), match_points=less(before.match_points)
    )


def _view(position: Position, other: Position | None) -> Json:
    """Return a case of what the seat on turn sees in the zones that the other table shows otherwise."""
    seat = position.turn or position.rules.seats[0]
    mine = position_json(view(position, seat))
    else_ = position_json(view(other, seat)) if other is not None else {}
    expected: Json = {}
    for name in ZONES:
        if mine.get(name) == else_.get(name):
            continue
        if name in ("hidden", "table"):
            expected |= {seat_: _hand(mine, seat_) for seat_ in ("south", "north")}
        elif name == "won":
            expected["won"] = {seat_: _words(cards) for seat_, cards in mine["won"].items()}  # fmt: skip
        elif name == "turn_up":
            expected[name] = mine[name] and _short(mine[name])
        else:
            expected[name] = None if mine[name] is None else _words(mine[name])
    if not expected:
        message = "what differs is in no fact of a view"
        raise UnwritableError(message)
    return {"kind": "view", "seat": seat, "given": _given(position), "expected": expected}  # fmt: skip


def _hand(mine: Json, seat: str) -> str:
    table = _words(mine["table"][seat])
    hidden = _words(mine["hidden"][seat])
    return (f"{hidden} | {table}" if table else hidden).strip()


# --- words -----------------------------------------------------------------------------------------


def _short(card: str) -> str:
    return card.removesuffix("1") if len(card) > len("KS") else card


def _words(cards: list[str]) -> str:
    return " ".join(map(_short, cards))


def _meld(item: Json) -> str:
    return f"{item['seat']} {item['meld']} {_words(item['cards'])}"


def _deal_text(action: Action) -> str:
    turned = action.arguments["turn_up"]
    return "deal" if turned is None else f"deal turn_up {_short(str(turned))}"
