"""Moves: which actions are legal, why others are not, and what an action leads to.

The three questions of the engine:

    legal(position)             the legal actions of the player to move
    refusal(position, action)   the clause that refuses an action, or None
    apply(position, action)     the next position and what happened on the way
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from bezique.engine.action import Action, Event
from bezique.engine.cards import Card
from bezique.engine.draft import Draft
from bezique.engine.errors import IllegalActionError
from bezique.engine.evaluate import EMPTY, Meaning
from bezique.engine.frozen import FrozenDict
from bezique.engine.position import CHANCE, Position
from bezique.spec import core, tree
from bezique.spec.tree import Expression

DEAL = "deal"


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an action is not legal: the clause it breaks, and what was found instead, in words."""

    clause: str
    why: str


def legal(position: Position) -> tuple[Action, ...]:
    """Return every legal action of the player to move, one for every choice of physical cards.

    Args:
        position: Any position, or a view of the seat that is to move.

    Returns:
        Actions in the order of the rule file, cards in card order; none when chance is to
        act or the match is over.
    """
    if position.turn not in position.rules.seats:
        return ()
    here = Meaning(position, position.turn)
    return tuple(action for rule in position.rules.profile.actions.values() if not rule.ruling for action in _legal_of(rule, here))


def refusal(position: Position, action: Action, *, lenient: bool = False) -> Refusal | None:
    """Return why an action is not legal, or None when it is.

    Args:
        position: Where it is tried.
        action: An action with arguments of the types its rule declares.
        lenient: Whether the referee records a table played by people: rulings are then
            possible, and what the rules waive is let pass.
    """
    if action.name == DEAL:
        return _deal_refusal(position, action, lenient=lenient)
    rule = position.rules.profile.actions.get(action.name)
    if rule is None or (rule.ruling and not lenient):
        known = ", ".join(name for name, item in position.rules.profile.actions.items() if not item.ruling)
        return Refusal("action/known", f"this table knows {known}")
    if position.turn not in position.rules.seats:
        return Refusal(rule.conditions[0].id, "chance is to deal" if position.turn == CHANCE else "the match is over")
    here = Meaning(position, position.turn)
    waived = {waiver.waives for waiver in position.rules.profile.waivers if lenient and here.holds(waiver.test, action.arguments)}
    for clause in rule.conditions:
        if clause.id not in waived and not here.holds(clause.test, action.arguments):
            return _explained(here, clause, action.arguments)
    return None


def apply(position: Position, action: Action, *, lenient: bool = False) -> tuple[Position, tuple[Event, ...]]:
    """Return the position after an action, and the events on the way.

    Raises:
        IllegalActionError: The rules refuse the action; the position is as it was.
    """
    refused = refusal(position, action, lenient=lenient)
    if refused is not None:
        raise IllegalActionError(action, refused.clause, refused.why)
    draft = Draft(position)
    if action.name == DEAL:
        hands = {seat: action.arguments[seat] for seat in position.rules.seats}
        draft.deal(hands, action.arguments["turn_up"], action.arguments["stock"])  # type: ignore[arg-type]
    else:
        rule = position.rules.profile.actions[action.name]
        here = Meaning(position, position.turn)
        for waiver in position.rules.profile.waivers if lenient else ():
            waived = next((clause for clause in rule.conditions if clause.id == waiver.waives), None)
            if waived is not None and not here.holds(waived.test, action.arguments):
                draft.run(waiver.do, action.arguments)
        draft.run(rule.do, action.arguments)
    draft.react("change")
    return draft.frozen(), tuple(draft.events)


def _legal_of(rule: core.Action, here: Meaning) -> Iterator[Action]:
    parameters = {parameter.name for parameter in rule.takes}
    general = [clause for clause in rule.conditions if not _mentions(clause.test, parameters)]
    if here.first_failing(tuple(general), EMPTY) is not None:
        return
    domains = [[(parameter.name, value) for value in _domain(rule, parameter, here)] for parameter in rule.takes]
    for chosen in product(*domains):
        arguments: FrozenDict[str, Any] = FrozenDict(dict(chosen))
        if here.first_failing(rule.conditions, arguments) is None:
            yield Action(rule.name, arguments)


def _domain(rule: core.Action, parameter: core.Parameter, here: Meaning) -> Iterable[Any]:
    """Return the values that a parameter can take, narrowed by the conditions that say so."""
    kind = parameter.type.kind
    if kind in ("Card", "Meld"):
        cards = frozenset(here.rules.pack)
        for clause in rule.conditions:
            group = _confines(clause.test, parameter)
            if group is not None:
                cards &= here.value(group)
        return here.rules.sort(cards) if kind == "Card" else here.melds_among(cards)
    if kind == "Bool":
        return (False, True)
    if kind == "Seat":
        return here.rules.seats
    if kind == "Suit":
        return here.rules.profile.deck.suits
    if kind == "Rank":
        return here.rules.profile.deck.ranks
    return parameter.type.words


def _confines(test: Expression, parameter: core.Parameter) -> Expression | None:
    """Return the set that `x in SET` or `m.cards <= SET` confines a parameter to."""
    match test:
        case tree.Member(item=tree.Name(where="parameter", name=name), group=group) if name == parameter.name:
            return None if _mentions(group, {name}) else group
        case tree.Compare(sign="<=", left=tree.Part(of=tree.Name(name=name), name="cards"), right=right) if name == parameter.name:
            return right
    return None


def _mentions(node: object, names: set[str]) -> bool:
    """Return whether an expression speaks of one of the parameters."""
    if isinstance(node, tree.Name):
        return node.where == "parameter" and node.name in names
    if isinstance(node, tree.Node):
        return any(_mentions(getattr(node, field), names) for field in type(node).model_fields)
    return isinstance(node, tuple) and any(_mentions(item, names) for item in node)


def _explained(here: Meaning, clause: core.Clause, arguments: FrozenDict[str, Any]) -> Refusal:
    """Return the refusal of a failed condition; of a duty or a meld, the finer clause that failed."""
    match clause.test:
        case tree.Call(function="obeys"):
            name, cards = here.binding_set()
            return Refusal(name, "one of " + " ".join(map(str, here.rules.sort(cards))))
        case tree.Call(function="fits", arguments=(tree.Name(name=name),)):
            return Refusal(here.misfit(arguments[name]) or clause.id, "the cards do not make the meld here")
    return Refusal(clause.id, "the condition does not hold")


def _deal_refusal(position: Position, action: Action, *, lenient: bool) -> Refusal | None:
    rules = position.rules
    if position.phase != DEAL:
        return Refusal("deal/when", f"the phase is {position.phase}")
    hands = {seat: action.arguments[seat] for seat in rules.seats}
    turn_up, stock = action.arguments["turn_up"], action.arguments["stock"]
    if (turn_up is not None) != rules.turns_up:
        return Refusal("deal/turn-up", "a card is turned up at this table" if rules.turns_up else "no card is turned up at this table")
    dealt: list[Card] = [card for hand in hands.values() for card in hand]  # type: ignore[union-attr]
    everything = [*dealt, *stock, *([turn_up] if turn_up is not None else [])]  # type: ignore[misc]
    if sorted(map(str, everything)) != sorted(map(str, rules.pack)):
        twice = sorted({str(card) for card in everything if everything.count(card) > 1})
        missing = [str(card) for card in rules.pack if card not in everything]
        return Refusal("deal/pack", f"twice: {' '.join(twice) or 'none'}; missing: {' '.join(missing[:8]) or 'none'}{' …' if len(missing) > 8 else ''}")
    if not lenient:
        for seat, hand in hands.items():
            if len(hand) != rules.hand_size:  # type: ignore[arg-type]
                return Refusal("deal/hand-size", f"{seat} has {len(hand)} cards, a hand is {rules.hand_size}")  # type: ignore[arg-type]
    return None

