"""Which conditions of an action confine what its parameters can be.

`card in held(me)` and `m.cards <= held(me)` say where a card or a meld must come from, so
that legal actions are looked for there and not in the whole pack.  Only a set of cards
that depends on no parameter confines; a list, a set of melds or `held(p)` is asked of each
choice, as conditions are.
"""

from collections.abc import Iterator

from bezique.spec import core, tree
from bezique.spec.kinds import CARDS
from bezique.spec.tree import Expression


def confined(rule: core.Action, parameter: core.Parameter) -> Iterator[Expression]:
    """Yield the sets that conditions of an action confine a parameter, or its meld, to."""
    for clause in rule.conditions:
        group = confines(clause.test, parameter, rule)
        if group is not None:
            yield group


def confines(
    test: Expression, parameter: core.Parameter, rule: core.Action
) -> Expression | None:
    """Return the set of cards that `x in SET` or `m.cards <= SET` confines a parameter to.

    Args:
        test: A condition of the action.
        parameter: One of its parameters.
        rule: The action.
    """
    group: Expression
    match parameter.type.kind, test:
        case "Card", tree.Member(item=tree.Name(where="parameter", name=name)):
            group = test.group
        case (
            "Meld",
            tree.Compare(
                sign="<=",
                left=tree.Part(
                    of=tree.Name(where="parameter", name=name), name="cards"
                ),
            ),
        ):
            group = test.right
        case _:
            return None
    if name != parameter.name or not CARDS.accepts(group.type):
        return None
    return None if mentions(group, {item.name for item in rule.takes}) else group


def mentions(node: object, names: set[str]) -> bool:
    """Return whether an expression speaks of one of the parameters."""
    if isinstance(node, tree.Name):
        return node.where == "parameter" and node.name in names
    if isinstance(node, tree.Node):
        return any(
            mentions(getattr(node, field), names) for field in type(node).model_fields
        )
    return isinstance(node, tuple) and any(mentions(item, names) for item in node)
