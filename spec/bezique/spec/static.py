"""Static values: expressions that depend on the settings of a table alone.

The size of a hand, the number of packs, the points of a meld: they are known before any
card is dealt, and they are numbers that sentences can name.
"""

from collections.abc import Mapping

from bezique.spec import tree
from bezique.spec.core import Profile
from bezique.spec.tree import Expression


def settle(profile: Profile, options: Mapping[str, bool | int | str]) -> dict[str, bool | int]:
    """Return the named values of a profile with some of them set by options."""
    values = dict(profile.values)
    for name, value in options.items():
        if name in values and not isinstance(value, str):
            values[name] = value
    return values


def static_value(expression: Expression, values: Mapping[str, bool | int]) -> int:
    """Return what a static expression is worth; truth values count as 0 and 1.

    Raises:
        TypeError: The expression depends on more than named values.
    """
    match expression:
        case tree.Constant(value=bool() | int() as value):
            return int(value)
        case tree.Name(where="value", name=name):
            return int(values[name])
        case tree.Sum(sign=sign, left=left, right=right):
            one, two = static_value(left, values), static_value(right, values)
            return {"+": one + two, "-": one - two, "*": one * two}.get(sign, one // two if sign == "//" else one % two if sign == "%" else 0)
        case tree.Either(test=test, then=then, other=other):
            return static_value(then if static_value(test, values) else other, values)
        case tree.Not(of=of):
            return int(not static_value(of, values))
        case tree.Logic(word=word, items=items):
            return int((all if word == "and" else any)(static_value(item, values) for item in items))
        case tree.Compare(sign=sign, left=left, right=right):
            one, two = static_value(left, values), static_value(right, values)
            return int({"==": one == two, "!=": one != two, "<": one < two, "<=": one <= two, ">": one > two, ">=": one >= two}[sign])
        case tree.Call(function="max" | "min" as name, arguments=arguments):
            return (max if name == "max" else min)(static_value(argument, values) for argument in arguments)
    message = f"expected a value that depends on the settings alone, got a {expression.kind}"
    raise TypeError(message)
