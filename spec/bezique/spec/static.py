"""Static values: expressions that depend on the settings of a table alone.

The size of a hand, the number of packs, the points of a meld: they are known before any
card is dealt, and they are numbers that sentences can name.
"""

import operator
from collections.abc import Callable, Mapping

from bezique.spec import tree
from bezique.spec.core import Profile
from bezique.spec.tree import Expression

__all__ = ["asked_values", "is_static", "settle", "static_value"]

_SUMS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
}
_COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def settle(
    profile: Profile, options: Mapping[str, bool | int | str]
) -> dict[str, bool | int]:
    """Return the named values of a profile with some of them set by options."""
    values = dict(profile.values)
    for name, value in options.items():
        if name in values and not isinstance(value, str):
            values[name] = value
    return values


def asked_values(part: object) -> frozenset[str]:
    """Return the named values that expressions ask for."""
    names = (node for node in tree.nodes(part) if isinstance(node, tree.Name))
    return frozenset(node.name for node in names if node.where == "value")


def is_static(expression: Expression) -> bool:
    """Return whether an expression can be worked out before any card is dealt."""
    match expression:
        case tree.Constant(value=value):
            return isinstance(value, bool | int)
        case tree.Name(where=where):
            return where == "value"
        case tree.Sum(sign=sign, left=left, right=right):
            return sign != "|" and is_static(left) and is_static(right)
        case tree.Compare(left=left, right=right):
            return is_static(left) and is_static(right)
        case tree.Either(test=test, then=then, other=other):
            return all(map(is_static, (test, then, other)))
        case tree.Not(of=of):
            return is_static(of)
        case tree.Logic(items=items):
            return all(map(is_static, items))
        case tree.Call(function="max" | "min", arguments=arguments):
            return all(map(is_static, arguments))
    return False


def static_value(expression: Expression, values: Mapping[str, bool | int]) -> int:
    """Return what a static expression is worth; truth values count as 0 and 1.

    Raises:
        TypeError: The expression depends on more than named values (`is_static`).
    """

    def value(part: Expression) -> int:
        return static_value(part, values)

    match expression:
        case tree.Constant(value=bool() | int() as constant):
            return int(constant)
        case tree.Name(where="value", name=name):
            return int(values[name])
        case tree.Sum(sign=sign, left=left, right=right) if sign in _SUMS:
            return _SUMS[sign](value(left), value(right))
        case tree.Compare(sign=sign, left=left, right=right):
            return int(_COMPARISONS[sign](value(left), value(right)))
        case tree.Either(test=test, then=then, other=other):
            return value(then) if value(test) else value(other)
        case tree.Not(of=of):
            return int(not value(of))
        case tree.Logic(word=word, items=items):
            holds = map(value, items)
            return int(all(holds) if word == "and" else any(holds))
        case tree.Call(function="max", arguments=arguments):
            return max(map(value, arguments))
        case tree.Call(function="min", arguments=arguments):
            return min(map(value, arguments))
    message = f"expected a value of the settings alone, got a {expression.kind}"
    raise TypeError(message)
