"""Moves: which actions are legal, why others are not, and what an action leads to.

The three questions of the engine:

    legal(position)             the legal actions of the player to move
    refusal(position, action)   the clause that refuses an action, or None
    apply(position, action)     the next position and what happened on the way
"""

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Any

from bezique.engine.action import Action, Event
from bezique.engine.cards import Card
from bezique.engine.code import Code, Interpreted
from bezique.engine.compiler.compiled import Compiled
from bezique.engine.draft import Draft
from bezique.engine.errors import IllegalActionError
from bezique.engine.evaluate import Meaning
from bezique.engine.frozen import FrozenDict
from bezique.engine.position import CHANCE, Position
from bezique.engine.rules import MOST_RULES, Rules
from bezique.spec import core, tree
from bezique.spec.show import show_expression

DEAL = "deal"


@lru_cache(MOST_RULES)
def code_of(rules: Rules) -> Code:
    """Return the compiled code of some rules, made when they are played; the last are kept."""
    return Compiled(rules)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an action is not legal: the clause it breaks, and what was found instead."""

    clause: str
    why: str


def legal(position: Position, *, code: Code | None = None) -> tuple[Action, ...]:
    """Return the legal actions of the player to move, one for each choice of cards.

    Args:
        position: Any position, or a view of the seat that is to move.
        code: Who carries out the rules; compiled code unless given.

    Returns:
        Actions in the order of the rule file, cards in card order; none when chance is
        to act or the match is over.  Rulings are never among them.
    """
    if position.turn not in position.rules.seats:
        return ()
    return (code or code_of(position.rules)).legal(position, position.turn)


def refusal(
    position: Position,
    action: Action,
    *,
    lenient: bool = False,
    code: Code | None = None,
) -> Refusal | None:
    """Return why an action is not legal, or None when it is.

    Args:
        position: Where it is tried.
        action: An action with arguments of the types its rule declares.
        lenient: Whether the referee records a table played by people.  Where the rules
            have rulings these are then possible, and what they waive is let pass;
            elsewhere it changes nothing.
        code: As for `legal`.
    """
    lenient = lenient and position.rules.has_rulings
    if action.name == DEAL:
        return _deal_refusal(position, action, lenient=lenient)
    rules = position.rules.profile.actions
    rule = rules.get(action.name)
    if rule is None or (rule.ruling and not lenient):
        known = ", ".join(name for name, item in rules.items() if not item.ruling)
        return Refusal("action/known", f"this table knows {known}")
    if position.turn is None or position.turn not in position.rules.seats:
        why = "chance is to deal" if position.turn == CHANCE else "the match is over"
        return Refusal(rule.conditions[0].id, why)
    if not lenient:
        running = code or code_of(position.rules)
        if running.failing(position, position.turn, action) is None:
            return None
    # Slow and plain from here: who is refused may wait for the reason.
    here = Meaning(position, position.turn)
    waivers = _waivers(rule, here, action.arguments) if lenient else {}
    for clause in rule.conditions:
        if clause.id not in waivers and not here.holds(clause.test, action.arguments):
            return _explained(here, clause, action.arguments)
    return None


def apply(
    position: Position,
    action: Action,
    *,
    lenient: bool = False,
    code: Code | None = None,
) -> tuple[Position, tuple[Event, ...]]:
    """Return the position after an action, and the events on the way.

    Args:
        position: Where it is done; it is not changed.
        action: An action of any kind, `deal` and rulings included.
        lenient: As for `refusal`.
        code: As for `legal`.

    Raises:
        IllegalActionError: The rules refuse the action.
    """
    running = code or code_of(position.rules)
    # What was found legal a moment ago needs no second look.
    if not running.offered(position, action):
        refused = refusal(position, action, lenient=lenient, code=code)
        if refused is not None:
            raise IllegalActionError(action, refused.clause, refused.why)
    draft = Draft(position, running)
    if action.name == DEAL:
        hands, turn_up, stock = _dealt(position.rules, action)
        draft.deal(hands, turn_up, stock)
    else:
        if lenient:
            _waive(draft, Meaning(position, position.turn), action)
        running.act(draft, action)
    draft.finish()
    return draft.done()


def _waive(draft: Draft, here: Meaning, action: Action) -> None:
    """Do what the waivers of an action's failed conditions do."""
    rule = here.rules.profile.actions[action.name]
    waivers = _waivers(rule, here, action.arguments)
    for clause in rule.conditions:
        if clause.id in waivers and not here.holds(clause.test, action.arguments):
            waived = waivers[clause.id].do
            Interpreted(here.rules).run(draft, waived, action.arguments)


def _waivers(
    rule: core.Action, here: Meaning, arguments: FrozenDict[str, Any]
) -> dict[str, core.Waiver]:
    """Return, by the condition it waives, the first waiver that holds for each."""
    conditions = {clause.id for clause in rule.conditions}
    found: dict[str, core.Waiver] = {}
    for waiver in here.rules.profile.waivers:
        if waiver.waives in conditions and here.holds(waiver.test, arguments):
            found.setdefault(waiver.waives, waiver)
    return found


def _explained(
    here: Meaning, clause: core.Clause, arguments: FrozenDict[str, Any]
) -> Refusal:
    """Return the refusal of a failed condition.

    Of a duty or a meld it names the finer clause that failed.
    """
    match clause.test:
        case tree.Call(function="obeys"):
            name, cards = here.binding_set()
            return Refusal(name, "one of " + " ".join(map(str, here.rules.sort(cards))))
        case tree.Call(function="fits", arguments=(tree.Name(name=name),)):
            finer = here.misfit(arguments[name]) or clause.id
            return Refusal(finer, "the cards do not make the meld here")
    return Refusal(clause.id, f"expected {show_expression(clause.test)}")


def _deal_refusal(
    position: Position, action: Action, *, lenient: bool
) -> Refusal | None:
    """Return why a deal is not legal; a recorded one may have hands of the wrong size."""
    rules = position.rules
    if position.phase != DEAL:
        return Refusal("deal/when", f"the phase is {position.phase}")
    hands, turn_up, stock = _dealt(rules, action)
    if (turn_up is not None) != rules.turns_up:
        number = "a" if rules.turns_up else "no"
        return Refusal("deal/turned", f"{number} card is turned up at this table")
    turned = () if turn_up is None else (turn_up,)
    dealt = [*chain.from_iterable(hands.values()), *stock, *turned]
    if len(dealt) != len(rules.pack) or rules.place.keys() != set(dealt):
        count = Counter(dealt)
        twice = [card for card in count if count[card] > 1]
        missing = [card for card in rules.pack if card not in count]
        strange = [card for card in count if card not in rules.place]
        faults = {"twice": twice, "missing": missing, "not of the pack": strange}
        told = [f"{fault}: {_few(cards)}" for fault, cards in faults.items() if cards]
        return Refusal("deal/cards", "; ".join(told))
    for seat, hand in hands.items():
        if not hand or (len(hand) != rules.hand_size and not lenient):
            why = f"{seat} has {len(hand)} cards, a hand is {rules.hand_size}"
            return Refusal("deal/hands-size", why)
    return None


def _dealt(
    rules: Rules, action: Action
) -> tuple[dict[str, tuple[Card, ...]], Card | None, tuple[Card, ...]]:
    """Return the hands, the turned-up card and the stock of a deal."""
    given: dict[str, Any] = action.arguments
    hands = {seat: given[seat] for seat in rules.seats}
    return hands, given["turn_up"], given["stock"]


def _few(cards: list[Card], most: int = 8) -> str:
    """Return cards in words, the first of them where they are many."""
    words = " ".join(map(str, cards[:most]))
    return words if len(cards) <= most else f"{words} and {len(cards) - most} more"
