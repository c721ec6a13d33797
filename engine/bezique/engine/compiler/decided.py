"""What is decided before a position is known.

Many conditions can be refused for good once one thing is known: by the phase (`phase ==
declare`), by the face of a card (`rank(card) == 7`), by the suits of a meld (`q == S`).
The expressions are folded once more with that thing put in, and terms written out; where
`False` is left, code need not look there, and where `True` is left, not ask.  What is not
decided is asked as ever.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from bezique.engine.cards import Card
from bezique.engine.compiler.expressions import Folding
from bezique.engine.rules import Rules
from bezique.spec import tree
from bezique.spec.core import Action, Clause, Meld, Parameter
from bezique.spec.kinds import CARD, PHASES, SUIT
from bezique.spec.tree import Expression


class Deciding(Folding):
    """Folding with a phase or cards known.

    Args:
        rules: Rules with options settled.
        phase: The phase, where it is known.
        cards: The cards that are known, by names that no rule can have (`known`).
    """

    def __init__(
        self,
        rules: Rules,
        phase: str | None = None,
        cards: Mapping[str, Card] | None = None,
    ) -> None:
        super().__init__(rules)
        self.phase = phase
        self.cards = cards or {}

    def folded(self, node: Any, names: Mapping[str, Expression] | None = None) -> Any:  # noqa: ANN401
        """Return the expression as `Folding` does, with what is known worked out too."""
        match node:
            case tree.Name(where="fact", name="phase") if self.phase is not None:
                return tree.Constant(type=node.type, value=self.phase)
            case tree.Call(function="rank" | "suit" as part, arguments=(argument,)):
                inner = self.folded(argument, names)
                if isinstance(inner, tree.Name) and inner.name in self.cards:
                    value = getattr(self.cards[inner.name], part)
                    return tree.Constant(type=node.type, value=value)
        found = super().folded(node, names)
        match found:
            case tree.Member(
                item=tree.Constant(value=value), group=tree.Group(items=items)
            ) if all(isinstance(item, tree.Constant) for item in items):
                inside = any(
                    isinstance(item, tree.Constant) and item.value == value
                    for item in items
                )
                return tree.Constant(type=found.type, value=inside)
        return found

    def refuses(
        self, clauses: Iterable[Clause], names: Mapping[str, Expression]
    ) -> bool:
        """Return whether one of the clauses fails whatever else is the case."""
        tests = (self.folded(clause.test, names) for clause in clauses)
        return any(isinstance(test, tree.Constant) and not test.value for test in tests)

    def _applied(
        self, where: str, name: str, arguments: tuple[Expression, ...], _: tree.Apply
    ) -> Expression:
        """Return a term or choice written out."""
        parameters, body = self.body(where, name)
        put = dict(zip(parameters, arguments, strict=True))
        found: Expression = self.folded(body, put)
        return found


def possible_in(rules: Rules, action: Action, phase: str) -> bool:
    """Return whether an action is not refused for good by the phase."""
    return not Deciding(rules, phase).refuses(action.conditions, {})


def settled_by_phase(rules: Rules, action: Action, clause: Clause) -> bool:
    """Return whether a condition holds for good in every phase that does not refuse the action."""
    tests = (
        Deciding(rules, phase).folded(clause.test)
        for phase in PHASES
        if possible_in(rules, action, phase)
    )
    return all(isinstance(test, tree.Constant) and test.value for test in tests)


def possible_cards(
    rules: Rules, action: Action, parameter: Parameter
) -> frozenset[Card]:
    """Return the cards that no condition refuses for good as this parameter of an action."""
    return frozenset(
        card for card in rules.pack if _possible_card(rules, action, parameter, card)
    )


def _possible_card(
    rules: Rules, action: Action, parameter: Parameter, card: Card
) -> bool:
    name = f"={card}"  # no name of a rule
    known = tree.Name(type=CARD, where="parameter", name=name)
    deciding = Deciding(rules, cards={name: card})
    return not deciding.refuses(action.conditions, {parameter.name: known})


def possible_suits(rules: Rules, meld: Meld, suits: tuple[str, ...]) -> bool:
    """Return whether a meld's conditions do not refuse for good these suits of it."""
    named: dict[str, Expression] = {
        name: tree.Constant(type=SUIT, value=suit)
        for name, suit in zip(meld.variables, suits, strict=True)
    }
    return not Deciding(rules).refuses(meld.conditions, named)
