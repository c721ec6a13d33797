"""Which conditions of an action confine what its parameters can be.

`card in held(me)` and `m.cards <= held(me)` say where a card or a meld must come from, so
that legal actions are looked for there and not in the whole pack.
"""

from collections.abc import Iterator

from bezique.spec import core, tree
from bezique.spec.tree import Expression


def confined(rule: core.Action, parameter: core.Parameter) -> Iterator[Expression]:
    """Yield the sets that conditions of an action confine a parameter, or its meld, to."""
    for clause in rule.conditions:
        group = confines(clause.test, parameter)
        if group is not None:
            yield group


def confines(test: Expression, parameter: core.Parameter) -> Expression | None:
    """Return the set that `x in SET` or `m.cards <= SET` confines a parameter to."""
    group: Expression | None = None
    match test:
        case tree.Member(item=tree.Name(where="parameter", name=name)):
            group = test.group if name == parameter.name else None
        case tree.Compare(
            sign="<=", left=tree.Part(of=tree.Name() as of, name="cards")
        ):
            group = test.right if of.name == parameter.name else None
    return None if group is None or mentions(group, {parameter.name}) else group


def mentions(node: object, names: set[str]) -> bool:
    """Return whether an expression speaks of one of the parameters."""
    if isinstance(node, tree.Name):
        return node.where == "parameter" and node.name in names
    if isinstance(node, tree.Node):
        return any(
            mentions(getattr(node, field), names) for field in type(node).model_fields
        )
    return isinstance(node, tuple) and any(mentions(item, names) for item in node)
