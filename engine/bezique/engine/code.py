"""Code: rules that can be carried out.

What the course of a hand and the moves need of the rules, whoever answers: the reference
interpreter, which is their meaning (`Interpreted`), or code compiled from them
(`bezique.engine.compiler.compiled`).  Both answer alike; tests and proofs hold them together.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, partial
from itertools import product
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from bezique.engine.action import Action
from bezique.engine.cards import Card
from bezique.engine.confine import confined, mentions
from bezique.engine.evaluate import EMPTY, Meaning, Names
from bezique.engine.frozen import FrozenDict
from bezique.engine.melds import bindings, candidates
from bezique.engine.position import Melded, Position, in_order
from bezique.engine.rules import Rules
from bezique.spec import core, tree
from bezique.spec.tree import Statement

if TYPE_CHECKING:
    from bezique.engine.draft import Draft

Table = Any  # a `Position` or a `Draft`: they have the same fields
Reaction: TypeAlias = 'Callable[["Draft", str | None, Names], None]'
"""What happens by itself: to a draft, for the seat that acts, with what it is told."""


class Code(Protocol):
    """Rules that can be carried out. `me` is the seat that acts, or None."""

    rules: Rules

    @property
    def upon(self) -> "Mapping[str, Reaction]":
        """Return what happens by itself, by what it happens upon: `play`, `trick`, ..."""
        ...

    def offered(self, position: Position, action: Action) -> bool:
        """Return whether an action is known to be legal in a position; False says nothing."""
        ...

    def legal(self, position: Position, me: str) -> tuple[Action, ...]:
        """Return the legal actions of a seat, rulings left out."""
        ...

    def failing(self, table: Table, me: str, action: Action) -> str | None:
        """Return the first condition of an action that does not hold."""
        ...

    def act(self, draft: "Draft", action: Action) -> None:
        """Carry out what an action does."""
        ...

    def carry_out(self, draft: "Draft", melded: Melded) -> None:
        """Do what a meld itself does."""
        ...

    def stock_open(self, table: Table, me: str | None) -> bool:
        """Return whether cards can still be drawn."""
        ...

    def beats(self, table: Table, me: str | None, card: Card, best: Card) -> bool:
        """Return whether a card takes the trick over from the best so far."""
        ...

    def seat(self, table: Table, me: str | None, role: str) -> str | None:
        """Return the seat that a rule names: `first`, `next_dealer` or `draw_first`."""
        ...

    def verdict(
        self, table: Table, me: str | None
    ) -> tuple[bool, str | None, int | None]:
        """Return whether the match ends with the hand, its winner, and its worth."""
        ...


class Interpreted:
    """The rules carried out by the reference interpreter, node by node."""

    meaning = Meaning

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    def legal(self, position: Position, me: str) -> tuple[Action, ...]:
        """Return the legal actions of a seat, rulings left out."""
        here = self.meaning(position, me)
        rules = self.rules.profile.actions.values()
        return tuple(
            action for rule in rules if not rule.ruling for action in _ways(rule, here)
        )

    def failing(self, table: Table, me: str, action: Action) -> str | None:
        """Return the first condition of an action that does not hold."""
        conditions = self.rules.profile.actions[action.name].conditions
        clause = Meaning(table, me).first_failing(conditions, action.arguments)
        return None if clause is None else clause.id

    def act(self, draft: "Draft", action: Action) -> None:
        """Carry out what an action does."""
        self.run(draft, self.rules.profile.actions[action.name].do, action.arguments)

    @cached_property
    def upon(self) -> Mapping[str, Reaction]:
        """Return what happens by itself, rule by rule."""
        happening: dict[str, list[core.Reaction]] = {}
        for reaction in self.rules.profile.after:
            happening.setdefault(reaction.upon, []).append(reaction)
        return {
            upon: partial(self._happen, reactions)
            for upon, reactions in happening.items()
        }

    def _happen(
        self, reactions: list[core.Reaction], draft: "Draft", me: str | None, names: Names
    ) -> None:  # fmt: skip
        for reaction in reactions:
            if self.meaning(draft, me).holds(reaction.test, names):
                self.run(draft, reaction.do, names)

    def offered(self, position: Position, action: Action) -> bool:  # noqa: ARG002
        """Return False: the interpreter keeps nothing in mind."""
        return False

    def carry_out(self, draft: "Draft", melded: Melded) -> None:
        """Do what a meld itself does."""
        meld = self.rules.profile.melds[melded.meld]
        if meld.do:
            binding = next(bindings(self.rules, meld, melded.cards), {})
            self.run(draft, meld.do, {**binding, "m": melded})

    def stock_open(self, table: Table, me: str | None) -> bool:
        """Return whether cards can still be drawn."""
        return bool(Meaning(table, me).term("stock_open"))

    def beats(self, table: Table, me: str | None, card: Card, best: Card) -> bool:
        """Return whether a card takes the trick over from the best so far."""
        return bool(Meaning(table, me).term("beats", card, best))

    def seat(self, table: Table, me: str | None, role: str) -> str | None:
        """Return the seat that a rule names."""
        profile = self.rules.profile
        deal = profile.deal
        roles = {
            "first": deal.first,
            "next_dealer": deal.next_dealer,
            "draw_first": profile.draw_first,
        }
        found: str | None = Meaning(table, me).value(roles[role])
        return found

    def verdict(
        self, table: Table, me: str | None
    ) -> tuple[bool, str | None, int | None]:
        """Return whether the match ends with the hand, its winner, and its worth."""
        here = Meaning(table, me)
        for verdict in self.rules.profile.verdict:
            if here.holds(verdict.test):
                worth = here.value(verdict.worth) if verdict.worth else None
                return True, here.value(verdict.winner), worth
        return False, None, None

    def run(
        self, draft: "Draft", statements: tuple[Statement, ...], names: Names = EMPTY
    ) -> None:
        """Carry out statements in order."""
        for statement in statements:
            here = self.meaning(draft, draft.me)
            match statement:
                case tree.Assign(name=name, sign=sign):
                    draft.assign(name, sign, here.value(statement.value, names))
                case tree.Do():
                    values = [here.value(item, names) for item in statement.arguments]
                    getattr(draft, statement.effect)(*values)
                case tree.When():
                    holds = here.holds(statement.test, names)
                    self.run(draft, statement.then if holds else statement.other, names)
                case tree.ForEach(variable=variable):
                    group = here.value(statement.group, names)
                    for item in in_order(self.rules, group):
                        self.run(draft, statement.body, {**names, variable: item})


def _ways(rule: core.Action, here: Meaning) -> Iterator[Action]:
    """Yield the legal ways to take one action."""
    parameters = {parameter.name for parameter in rule.takes}
    # What speaks of no parameter is asked once, not for every choice of cards.
    general = tuple(c for c in rule.conditions if not mentions(c.test, parameters))
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


def _domain(rule: core.Action, parameter: core.Parameter, here: Meaning) -> Any:  # noqa: ANN401
    """Return what a parameter can be, narrowed by the conditions that say so."""
    if parameter.type.kind in ("Card", "Meld"):
        cards = frozenset(here.rules.pack)
        for group in confined(rule, parameter):
            cards &= here.value(group)
        if parameter.type.kind == "Card":
            return here.rules.sort(cards)
        found = candidates(here.rules, cards)
        return [Melded(here.me or "", name, taken) for name, taken in found]
    return listed(here.rules, parameter)


def listed(rules: Rules, parameter: core.Parameter) -> tuple[Any, ...]:
    """Return what a parameter that is neither card nor meld can be."""
    deck = rules.profile.deck
    kinds: Mapping[str, tuple[Any, ...]] = {
        "Bool": (False, True),
        "Seat": rules.seats,
        "Suit": deck.suits,
        "Rank": deck.ranks,
    }
    return kinds.get(parameter.type.kind, parameter.type.words)
