"""Moves: which actions are legal, why others are not, and what an action leads to.

The three questions of the engine:

    legal(position)             the legal actions of the player to move
    refusal(position, action)   the clause that refuses an action, or None
    apply(position, action)     the next position and what happened on the way
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, product
from typing import Any

from bezique.engine.action import Action, Event
from bezique.engine.cards import Card
from bezique.engine.draft import Draft
from bezique.engine.errors import IllegalActionError
from bezique.engine.evaluate import EMPTY, Meaning
from bezique.engine.frozen import FrozenDict
from bezique.engine.melds import candidates
from bezique.engine.position import CHANCE, Melded, Position
from bezique.engine.rules import Rules
from bezique.spec import core, tree
from bezique.spec.tree import Expression

DEAL = "deal"


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an action is not legal: the clause it breaks, and what was found instead."""

    clause: str
    why: str


def legal(position: Position) -> tuple[Action, ...]:
    """Return the legal actions of the player to move, one for each choice of cards.

    Args:
        position: Any position, or a view of the seat that is to move.

    Returns:
        Actions in the order of the rule file, cards in card order; none when chance is
        to act or the match is over.  Rulings are never among them.
    """
    if position.turn not in position.rules.seats:
        return ()
    here = Meaning(position, position.turn)
    rules = position.rules.profile.actions.values()
    return tuple(
        action for rule in rules if not rule.ruling for action in _legal_of(rule, here)
    )


def refusal(
    position: Position, action: Action, *, lenient: bool = False
) -> Refusal | None:
    """Return why an action is not legal, or None when it is.

    Args:
        position: Where it is tried.
        action: An action with arguments of the types its rule declares.
        lenient: Whether the referee records a table played by people.  Where the rules
            have rulings these are then possible, and what they waive is let pass;
            elsewhere it changes nothing.
    """
    lenient = lenient and position.rules.has_rulings
    if action.name == DEAL:
        return _deal_refusal(position, action, lenient=lenient)
    rules = position.rules.profile.actions
    rule = rules.get(action.name)
    if rule is None or (rule.ruling and not lenient):
        known = ", ".join(name for name, item in rules.items() if not item.ruling)
        return Refusal("action/known", f"this table knows {known}")
    if position.turn not in position.rules.seats:
        why = "chance is to deal" if position.turn == CHANCE else "the match is over"
        return Refusal(rule.conditions[0].id, why)
    here = Meaning(position, position.turn)
    waivers = _waivers(rule, here, action.arguments) if lenient else {}
    for clause in rule.conditions:
        if clause.id not in waivers and not here.holds(clause.test, action.arguments):
            return _explained(here, clause, action.arguments)
    return None


def apply(
    position: Position, action: Action, *, lenient: bool = False
) -> tuple[Position, tuple[Event, ...]]:
    """Return the position after an action, and the events on the way.

    Args:
        position: Where it is done; it is not changed.
        action: An action of any kind, `deal` and rulings included.
        lenient: As for `refusal`.

    Raises:
        IllegalActionError: The rules refuse the action.
    """
    refused = refusal(position, action, lenient=lenient)
    if refused is not None:
        raise IllegalActionError(action, refused.clause, refused.why)
    draft = Draft(position)
    if action.name == DEAL:
        hands, turn_up, stock = _dealt(position.rules, action)
        draft.deal(hands, turn_up, stock)
    else:
        rule = position.rules.profile.actions[action.name]
        if lenient:
            here = Meaning(position, position.turn)
            waivers = _waivers(rule, here, action.arguments)
            for clause in rule.conditions:
                if clause.id in waivers and not here.holds(
                    clause.test, action.arguments
                ):
                    draft.run(waivers[clause.id].do, action.arguments)
        draft.run(rule.do, action.arguments)
    draft.finish()
    return draft.frozen(), tuple(draft.events)


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


def _legal_of(rule: core.Action, here: Meaning) -> Iterator[Action]:
    """Yield the legal ways to take one action."""
    parameters = {parameter.name for parameter in rule.takes}
    # What speaks of no parameter is asked once, not for every choice of cards.
    general = tuple(c for c in rule.conditions if not _mentions(c.test, parameters))
    if here.first_failing(general, EMPTY) is not None:
        return
    domains = [
        [(parameter.name, value) for value in _domain(rule, parameter, here)]
        for parameter in rule.takes
    ]
    for chosen in product(*domains):
        arguments: FrozenDict[str, Any] = FrozenDict(dict(chosen))
        if here.first_failing(rule.conditions, arguments) is None:
            yield Action(rule.name, arguments)


def _domain(
    rule: core.Action, parameter: core.Parameter, here: Meaning
) -> Iterable[Any]:
    """Return what a parameter can be, narrowed by the conditions that say so."""
    deck = here.rules.profile.deck
    match parameter.type.kind:
        case "Card":
            return here.rules.sort(_confined(rule, parameter, here))
        case "Meld":
            found = candidates(here.rules, _confined(rule, parameter, here))
            return [Melded(here.me or "", name, cards) for name, cards in found]
        case "Bool":
            return (False, True)
        case "Seat":
            return here.rules.seats
        case "Suit":
            return deck.suits
        case "Rank":
            return deck.ranks
    return parameter.type.words


def _confined(
    rule: core.Action, parameter: core.Parameter, here: Meaning
) -> frozenset[Card]:
    """Return the cards that a parameter, or its meld, can be made of."""
    cards = frozenset(here.rules.pack)
    for clause in rule.conditions:
        group = _confines(clause.test, parameter)
        if group is not None:
            cards &= here.value(group)
    return cards


def _confines(test: Expression, parameter: core.Parameter) -> Expression | None:
    """Return the set that `x in SET` or `m.cards <= SET` confines a parameter to."""
    group: Expression | None = None
    match test:
        case tree.Member(item=tree.Name(where="parameter", name=name)):
            group = test.group if name == parameter.name else None
        case tree.Compare(
            sign="<=", left=tree.Part(of=tree.Name() as of, name="cards")
        ):
            group = test.right if of.name == parameter.name else None
    return None if group is None or _mentions(group, {parameter.name}) else group


def _mentions(node: object, names: set[str]) -> bool:
    """Return whether an expression speaks of one of the parameters."""
    if isinstance(node, tree.Name):
        return node.where == "parameter" and node.name in names
    if isinstance(node, tree.Node):
        return any(
            _mentions(getattr(node, field), names) for field in type(node).model_fields
        )
    return isinstance(node, tuple) and any(_mentions(item, names) for item in node)


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
    return Refusal(clause.id, "the condition does not hold")


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
        return Refusal("deal/turn-up", f"{number} card is turned up at this table")
    turned = () if turn_up is None else (turn_up,)
    count = Counter([*chain.from_iterable(hands.values()), *stock, *turned])
    if count != Counter(rules.pack):
        twice = [card for card in count if count[card] > 1]
        missing = [card for card in rules.pack if card not in count]
        strange = [card for card in count if card not in rules.place]
        faults = {"twice": twice, "missing": missing, "not of the pack": strange}
        told = [f"{fault}: {_few(cards)}" for fault, cards in faults.items() if cards]
        return Refusal("deal/pack", "; ".join(told))
    for seat, hand in hands.items():
        if not hand or (len(hand) != rules.hand_size and not lenient):
            why = f"{seat} has {len(hand)} cards, a hand is {rules.hand_size}"
            return Refusal("deal/hand-size", why)
    return None


def _dealt(
    rules: Rules, action: Action
) -> tuple[dict[str, tuple[Card, ...]], Card | None, tuple[Card, ...]]:
    """Return the hands, the turned-up card and the stock of a deal."""
    given: Mapping[str, Any] = action.arguments
    hands = {seat: given[seat] for seat in rules.seats}
    return hands, given["turn_up"], given["stock"]


def _few(cards: list[Card], most: int = 8) -> str:
    """Return cards in words, the first of them where they are many."""
    words = " ".join(map(str, cards[:most]))
    return words if len(cards) <= most else f"{words} and {len(cards) - most} more"
