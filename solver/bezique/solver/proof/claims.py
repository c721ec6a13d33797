"""The documents' claims, put to the rules.

`spec/sources/claims.yaml` says them in a form that can be checked; here each is proved, or
refuted with what the rules say instead.  A claim marked as false must come out false.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Annotated, Literal

import yaml
import z3
from pydantic import BaseModel, ConfigDict, Field

from bezique.engine.cards import Card
from bezique.engine.codec import position_json
from bezique.engine.errors import IllegalActionError
from bezique.engine.evaluate import Meaning
from bezique.engine.frozen import FrozenDict
from bezique.engine.moves import apply, legal
from bezique.engine.position import Melded, start
from bezique.engine.rules import Rules
from bezique.solver.declaring import scoring_action
from bezique.solver.proof.answer import Answer
from bezique.solver.proof.greatest import greatest
from bezique.solver.proof.search import Limits, ask, solver
from bezique.solver.proof.situation import Situation
from bezique.solver.proof.values import alike, both, no, some
from bezique.spec import tree
from bezique.spec.data import sources_folder
from bezique.spec.kinds import CARD


class _Claim(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    statement: str
    profiles: tuple[str, ...]
    holds: bool = True


class CountClaim(_Claim):
    """Something of the table is a number."""

    kind: Literal["count"]
    of: Literal["pack", "stock-tricks", "last-cards"]
    number: int = Field(alias="is")


class SumClaim(_Claim):
    """A term or choice of one card, added up over the pack."""

    kind: Literal["sum"]
    of: str
    number: int = Field(alias="is")


class GreatestClaim(_Claim):
    """The most that cards can declare over some won tricks."""

    kind: Literal["greatest"]
    cards: str
    trump: str | None
    tricks: int
    number: int = Field(alias="is")


class OrderClaim(_Claim):
    """What declaring melds in an order brings; what is refused brings nothing."""

    kind: Literal["order"]
    cards: str
    trump: str | None
    melds: tuple[str, ...]
    number: int = Field(alias="is")


class KnownClaim(_Claim):
    """Once the stock has ended, a seat that remembers knows the other hand."""

    kind: Literal["known"]


Claim = Annotated[
    CountClaim | SumClaim | GreatestClaim | OrderClaim | KnownClaim,
    Field(discriminator="kind"),
]


class _Claims(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    claims: tuple[Claim, ...]


def claims() -> tuple[Claim, ...]:
    """Return every claim on record."""
    text = (sources_folder() / "claims.yaml").read_text(encoding="utf-8")
    return _Claims.model_validate(yaml.safe_load(text)).claims


def answers(rules: Rules, limits: Limits | None = None) -> Iterator[tuple[str, Answer]]:
    """Yield the claims that belong to a table, by statement, with their answers."""
    for claim in claims():
        if rules.profile.name in claim.profiles:
            yield (
                f"claims/{claim.statement}/{claim.kind}",
                answered(rules, claim, limits or Limits()),
            )


def answered(rules: Rules, claim: Claim, limits: Limits) -> Answer:
    """Return whether a claim stands; one that is marked false stands when it is refuted."""
    answer = _answer(rules, claim, limits)
    if claim.holds or answer.verdict == "undecided":
        return answer
    if answer.verdict == "refuted":
        return Answer(
            "proved", f"false as stated: {answer.detail}", answer.counterexample
        )
    return Answer("refuted", "marked as false, but it holds")


def _answer(rules: Rules, claim: Claim, limits: Limits) -> Answer:
    match claim:
        case CountClaim():
            pack, dealt = len(rules.pack), rules.hand_size * len(rules.seats)
            counted = {
                "pack": pack,
                "stock-tricks": (pack - dealt) // len(rules.seats),
                "last-cards": dealt,
            }[claim.of]
            return _number(claim.number, counted, claim.of)
        case SumClaim():
            return _number(
                claim.number, _sum(rules, claim.of), f"{claim.of} of the pack"
            )
        case GreatestClaim():
            plan = greatest(
                rules, _hand(rules, claim.cards), claim.trump, claim.tricks, limits
            )
            return _number(
                claim.number,
                plan.points,
                f"at most, by {', then '.join(melded.meld for melded in plan.melds)}",
            )
        case OrderClaim():
            return _order(rules, claim)
    return _known(rules, limits)


def _number(claimed: int, found: int, what: str) -> Answer:
    return Answer("proved" if claimed == found else "refuted", f"{found} {what}")


def _sum(rules: Rules, name: str) -> int:
    where = "choice" if name in rules.profile.choices else "term"
    here = Meaning(start(rules, rules.seats[0]), None)
    card = tree.Name(type=CARD, where="parameter", name="card")
    kind = (
        rules.profile.choices[name].type
        if where == "choice"
        else rules.profile.terms[name].body.type
    )
    node = tree.Apply.model_validate(
        {"type": kind, "where": where, "name": name, "arguments": (card,)}
    )
    return sum(here.value(node, {"card": one}) for one in rules.pack)


def _hand(rules: Rules, faces: str) -> tuple[Card, ...]:
    """Return cards by their faces, each the next copy."""
    copies: Counter[str] = Counter()
    found = []
    for face in faces.split():
        copies[face] += 1
        found.append(rules.cards[f"{face}{copies[face]}"])
    return tuple(found)


def _order(rules: Rules, claim: OrderClaim) -> Answer:
    seat, action = rules.seats[0], scoring_action(rules)
    hand = _hand(rules, claim.cards)
    position = start(rules, rules.seats[-1])
    fresh = FrozenDict({**position.state, "trump": claim.trump})
    stock = tuple(card for card in rules.pack if card not in hand)[:2]
    position = position.changed(
        phase="declare", turn=seat, taker=seat, hidden=FrozenDict({**position.hidden, seat: frozenset(hand)}), state=fresh, partial=True, stock=stock
    )  # fmt: skip
    brought, told = 0, []
    for meld in claim.melds:
        steps = [
            step
            for step in legal(position)
            if step.name == action.name
            and any(
                isinstance(value, Melded) and value.meld == meld
                for value in step.arguments.values()
            )
        ]
        if not steps:
            told.append(f"{meld} refused")
            continue
        try:
            after, events = apply(position, steps[0])
        except IllegalActionError as error:
            return Answer("refuted", str(error), position_json(position))
        brought += sum(
            event.fields["points"] for event in events if event.name == "points"
        )
        told.append(meld)
        per_trick = {
            part.name: position.state[part.name]
            for part in rules.profile.state
            if part.per == "trick"
        }
        position = after.changed(state=FrozenDict({**after.state, **per_trick}))
    return _number(claim.number, brought, f"by {', then '.join(told)}")


def _known(rules: Rules, limits: Limits) -> Answer:
    """Two positions of the last tricks that a seat has seen alike have the same other hand."""
    seat = rules.seats[0]
    worlds = [Situation(rules, "lead", seat, slots=0)]
    space = worlds[0].space
    here = worlds[0]
    # A second world over the same symbols but for the other hand: its cards may lie anywhere that
    # the seat has not seen them lie.
    others = {card: space.bool(f"other world {card}") for card in rules.pack}
    found = solver(space.ctx, space.constraints, limits)
    found.add(z3.BoolVal(val=True, ctx=space.ctx))
    for card in rules.pack:
        seen = some(
            here.hands[seat].has(card),
            *(here.won[owner].has(card) for owner in rules.seats),
        )
        unseen_now = some(
            *(here.hands[owner].has(card) for owner in rules.seats if owner != seat)
        )
        # With the stock ended, and nothing left out, a card not seen is in the other hand.
        for guard in (some(seen, unseen_now), alike(others[card], no(seen))):
            if not isinstance(guard, bool):
                found.add(guard)
    unlike = some(
        *(
            no(
                alike(
                    others[card],
                    some(
                        *(
                            here.hands[owner].has(card)
                            for owner in rules.seats
                            if owner != seat
                        )
                    ),
                )
            )
            for card in rules.pack
        )
    )
    answer = ask(found, both(unlike))
    return Answer(
        "proved" if answer == "no" else "refuted" if answer == "yes" else "undecided",
        "what is neither held nor taken in tricks is the other hand",
    )
