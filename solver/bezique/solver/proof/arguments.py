"""Open arguments: what an action can be given on an open situation.

Any card, each meld in any of its forms; of what can be listed, each by itself.  What makes a
card one of the pack or cards a meld is asked for beside the action (`needs`), not added to the
situation, so that one question knows nothing of the arguments of another.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import z3

from bezique.engine.code import listed
from bezique.engine.rules import Rules
from bezique.solver.proof.meaning import Symbolic
from bezique.solver.proof.situation import Situation, Space
from bezique.solver.proof.values import Choice, MeldOf, SetOf, some
from bezique.spec import core


class OpenArguments:
    """The open arguments on a situation, each made once.

    Args:
        situation: Where the action is done, by the seat on turn.
        tables: The rules whose melds there are; of two melds of a name the first counts.
    """

    def __init__(self, situation: Situation, tables: Iterable[Rules]) -> None:
        self.situation, self.tables = situation, tuple(tables)
        self._melds: dict[str, tuple[MeldOf, Space]] = {}
        self._cards: dict[str, tuple[Any, Space]] = {}

    def of(self, rule: core.Action) -> Iterator[dict[str, Any]]:
        """Yield arguments for an action, one for each meld and each of what can be listed."""
        found: list[dict[str, Any]] = [{}]
        for parameter in rule.takes:
            values: Iterable[Any]
            match parameter.type.kind:
                case "Card":
                    values = [self.card(parameter.name)]
                case "Meld":
                    names = dict.fromkeys(
                        name for rules in self.tables for name in rules.profile.melds
                    )
                    values = [self.meld(name) for name in names]
                case _:
                    values = listed(self.tables[0], parameter)
            found = [
                {**done, parameter.name: value} for done in found for value in values
            ]
        yield from found

    def card(self, name: str) -> Any:
        """Return an open card for a parameter, whatever the others are."""
        if name not in self._cards:
            space = self._space()
            self._cards[name] = (
                space.choice(f"the card {name}", self.situation.pack),
                space,
            )
        return self._cards[name][0]

    def meld(self, name: str) -> MeldOf:
        """Return an open meld of a name, for the seat on turn."""
        if name not in self._melds:
            space, here = self._space(), self.situation
            rules = next(rules for rules in self.tables if name in rules.profile.melds)
            rule = rules.profile.melds[name]
            ranks = {part.rank for part in rule.cards}
            cards = SetOf(
                {
                    card: space.bool(f"m {name} {card}")
                    for card in here.pack
                    if card.rank in ranks
                }
            )
            shape = Symbolic(here, here.me, rules)
            space.require(
                some(
                    *(
                        shape.shaped(rule, naming, cards)
                        for naming in shape.namings(rule)
                    )
                )
            )
            self._melds[name] = MeldOf(here.me, name, cards), space
        return self._melds[name][0]

    def needs(self, arguments: dict[str, Any]) -> list[z3.BoolRef]:
        """Return what makes some arguments what they are."""
        spaces = self._spaces(arguments)
        return [guard for space in spaces for guard in space.constraints]

    def symbols(self, arguments: dict[str, Any]) -> list[z3.ExprRef]:
        """Return what tells some arguments from others, of a meld the first copies of cards last."""
        found: list[z3.ExprRef] = []
        for name, value in arguments.items():
            if isinstance(value, MeldOf):
                members = sorted(value.cards.members.items(), key=lambda m: -m[0].copy)
                found += [guard for _, guard in members if not isinstance(guard, bool)]
            elif isinstance(value, Choice) and name in self._cards:
                found += self._cards[name][1].symbols
        return found

    def _spaces(self, arguments: dict[str, Any]) -> Iterator[Space]:
        for name, value in arguments.items():
            if isinstance(value, MeldOf):
                yield self._melds[value.meld][1]
            elif isinstance(value, Choice) and name in self._cards:
                yield self._cards[name][1]

    def _space(self) -> Space:
        """Return a space beside the situation's own."""
        return replace(self.situation.space, constraints=[], symbols=[])
