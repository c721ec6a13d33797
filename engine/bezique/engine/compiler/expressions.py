"""Expressions compiled: from the tree to the text of a Python expression.

The text means what `bezique.engine.evaluate` says the tree means, for rules whose options
are settled: readings are picked, named values are numbers, and what is then constant is
worked out beforehand (`folded`), so that the code says what happens at this very table.
Only what an option sets to a whole number (`Rules.numbers`) is looked up at the table: the
code is the same for all of them, and what is proved of it too.

Names in the code
    at      the table: a `Position` or a `Draft`
    me      the seat that acts
"""

import builtins
import keyword
from collections.abc import Iterable, Mapping
from typing import Any

from bezique.engine.compiler import naming
from bezique.engine.rules import Rules
from bezique.spec import tree
from bezique.spec.kinds import Type
from bezique.spec.tree import Expression

RESERVED = frozenset(
    (
        *("at", "me", "given", "hand", "cards"),
        *("place", "misfit", "spent", "lacks", "leader", "zone", "ordered"),
        *("mask", "faces", "first", "obeying", "verdict", "divided", "remainder"),
    )
)
"""Names of one word in the code; all its others are capitals or of several words."""
_FACTS = {
    "hand": "at.hand",
    "phase": "at.phase",
    "me": "me",
    "dealer": "at.dealer",
    "seats": "SEATS",
    "leader": "leader(at)",
    "led": "(at.trick[0] if at.trick else None)",
    "trick": "at.last_trick",
    "taker": "at.taker",
    "turned": "at.turn_up",
    "stock": "at.stock",
    "left": "at.left",
}
_ZONES = ("hidden", "table", "won")


def safe(name: str) -> str:
    """Return a parameter's name in the code, apart from the code's own names.

    >>> safe("card"), safe("given"), safe("POINTS"), safe("way_play")
    ('card', 'given_', 'POINTS_', 'way_play_')
    """
    taken = (
        name in RESERVED
        or "_" in name
        or name == name.upper()
        or keyword.iskeyword(name)
        or hasattr(builtins, name)
    )
    return f"{name}_" if taken else name


def holds_always(folded: Expression) -> bool:
    """Return whether a folded condition is true whatever the table."""
    return isinstance(folded, tree.Constant) and bool(folded.value)


class Folding:
    """Works out beforehand what the settled rules make constant.

    Args:
        rules: Rules with options settled.
        settled: Whether a value of `Rules.numbers` is put in too.
    """

    def __init__(self, rules: Rules, *, settled: bool = False) -> None:
        self.rules = rules
        self._open = frozenset[str]() if settled else rules.numbers

    def folded(self, node: Any, names: Mapping[str, Expression] | None = None) -> Any:  # noqa: ANN401
        """Return the expression with readings picked, values put in and constants worked out.

        Args:
            node: An expression.
            names: What to put in place of parameters.
        """
        put = dict(names or {})
        match node:
            case tree.Name(where="parameter", name=name):
                return put.get(name, node)
            case tree.Name(where="value", name=name) if name not in self._open:
                return tree.Constant(type=node.type, value=self.rules.values[name])
            case tree.Call(
                function="reading", arguments=(tree.Constant(value=choice),)
            ):
                return tree.Constant(
                    type=node.type, value=self.rules.picked[str(choice)]
                )
            case tree.Apply(
                where="term" | "choice" as where, name=name, arguments=arguments
            ):
                return self._applied(
                    where,
                    name,
                    tuple(self.folded(item, put) for item in arguments),
                    node,
                )
            case tree.Not(of=of):
                inner = self.folded(of, put)
                if isinstance(inner, tree.Constant):
                    return tree.Constant(type=node.type, value=not inner.value)
                return (
                    inner.of
                    if isinstance(inner, tree.Not)
                    else tree.Not(type=node.type, of=inner)
                )
            case tree.Logic():
                return self._logic(node, put)
            case tree.Either(test=test, then=then, other=other):
                decided = self.folded(test, put)
                if isinstance(decided, tree.Constant):
                    return self.folded(then if decided.value else other, put)
                return tree.Either(
                    type=node.type,
                    test=decided,
                    then=self.folded(then, put),
                    other=self.folded(other, put),
                )
            case tree.Each():
                return self._each(node, put)
            case tree.Compare(sign=sign, left=left, right=right):
                one, two = self.folded(left, put), self.folded(right, put)
                if (
                    isinstance(one, tree.Constant)
                    and isinstance(two, tree.Constant)
                    and sign in ("==", "!=")
                ):
                    return tree.Constant(
                        type=node.type, value=(one.value == two.value) == (sign == "==")
                    )
                return tree.Compare(type=node.type, sign=sign, left=one, right=two)
            case tree.Sum(left=left, right=right):
                return tree.Sum(
                    type=node.type,
                    sign=node.sign,
                    left=self.folded(left, put),
                    right=self.folded(right, put),
                )
            case tree.Member(item=item, group=group):
                return tree.Member(
                    type=node.type,
                    item=self.folded(item, put),
                    group=self.folded(group, put),
                )
            case tree.Part(of=of):
                return tree.Part(
                    type=node.type, of=self.folded(of, put), name=node.name
                )
            case tree.Call(arguments=arguments) | tree.Apply(arguments=arguments):
                return node.model_copy(
                    update={
                        "arguments": tuple(self.folded(item, put) for item in arguments)
                    }
                )
            case tree.Group(items=items):
                return node.model_copy(
                    update={"items": tuple(self.folded(item, put) for item in items)}
                )
        return node

    def body(self, where: str, name: str) -> tuple[tuple[str, ...], Expression]:
        """Return the parameters and the body of a term, or of a choice's picked reading."""
        profile = self.rules.profile
        if where == "term":
            term = profile.terms[name]
            return tuple(item.name for item in term.parameters), term.body
        choice = profile.choices[name]
        return tuple(item.name for item in choice.parameters), self.rules.reading(name)

    def _applied(
        self, where: str, name: str, arguments: tuple[Expression, ...], node: tree.Apply
    ) -> Expression:
        """Return a use of a term: written out where it is short, a call otherwise."""
        parameters, body = self.body(where, name)
        inner = self.folded(body)
        if isinstance(inner, tree.Constant):
            return inner
        simple = all(isinstance(item, tree.Name | tree.Constant) for item in arguments)
        if simple and (where == "choice" or (arguments and _short(inner))):
            found: Expression = self.folded(
                body, dict(zip(parameters, arguments, strict=True))
            )
            return found
        return node.model_copy(update={"arguments": arguments})

    def _logic(self, node: tree.Logic, put: Mapping[str, Expression]) -> Expression:
        ends = node.word == "or"
        items: list[Expression] = []
        for item in node.items:
            inner = self.folded(item, put)
            if isinstance(inner, tree.Constant):
                if bool(inner.value) == ends:
                    return tree.Constant(type=node.type, value=ends)
                continue
            items.append(inner)
        if not items:
            return tree.Constant(type=node.type, value=not ends)
        return (
            items[0]
            if len(items) == 1
            else tree.Logic(type=node.type, word=node.word, items=tuple(items))
        )

    def _each(self, node: tree.Each, put: Mapping[str, Expression]) -> Expression:
        inside = {name: value for name, value in put.items() if name != node.variable}
        # A parameter that is put in must not be caught by the loop's own name.
        if any(
            isinstance(value, tree.Name) and value.name == node.variable
            for value in inside.values()
        ):
            fresh = node.variable + "_"
            while any(getattr(value, "name", None) == fresh for value in put.values()):
                fresh += "_"
            renamed = tree.Name(
                type=_item(node.group.type), where="parameter", name=fresh
            )
            inside = {**inside, node.variable: renamed}
            variable = fresh
        else:
            variable = node.variable
        group, body = self.folded(node.group, put), self.folded(node.body, inside)
        test = None if node.test is None else self.folded(node.test, inside)
        if isinstance(test, tree.Constant) and test.value:
            test = None
        never = isinstance(test, tree.Constant) and not test.value
        if (
            isinstance(body, tree.Constant)
            and node.fold in ("all", "any")
            and (never or bool(body.value) == (node.fold == "all"))
        ):
            return tree.Constant(type=node.type, value=node.fold == "all")
        return node.model_copy(
            update={"variable": variable, "group": group, "test": test, "body": body}
        )


def _short(folded: Expression) -> bool:
    """Return whether the body of a term is written out where it is used: two comparisons at most."""
    match folded:
        case tree.Compare() | tree.Member():
            return True
        case tree.Logic(
            items=(tree.Compare() | tree.Member(), tree.Compare() | tree.Member())
        ):
            return True
    return False


def _item(kind: Type) -> Type:
    return kind.item if kind.item is not None else kind


class Text:
    """Turns folded expressions into Python text."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    def text(self, node: Expression) -> str:
        """Return the text of an expression; every compound is in brackets."""
        match node:
            case tree.Constant(value=value):
                return repr(value)
            case tree.Name(where="parameter", name=name):
                return safe(name)
            case tree.Name(where="state", name=name):
                return f"at.state[{name!r}]"
            case tree.Name(where="value", name=name):
                return f"at.rules.values[{name!r}]"
            case tree.Name(where="fact", name=name):
                return _FACTS[name]
            case tree.Apply(where="table", name=name, arguments=(argument,)):
                return f"{naming.of('TABLE', name)}.get({self.text(argument)})"
            case tree.Apply(where=where, name=name, arguments=arguments):
                return f"{naming.of(where, name)}({', '.join(['at', 'me', *map(self.text, arguments)])})"
            case tree.Call():
                return self._call(node)
            case tree.Part(of=of, name=name):
                return self._part(self.text(of), name)
            case tree.Not(of=tree.Member(item=item, group=group)):
                return f"({self.text(item)} not in {self._members(group)})"
            case tree.Not(of=of):
                return f"(not {self.text(of)})"
            case tree.Logic(word=word, items=items):
                return "(" + f" {word} ".join(map(self.text, items)) + ")"
            case tree.Compare():
                return self._compare(node)
            case tree.Member(item=item, group=group):
                return f"({self.text(item)} in {self._members(group)})"
            case tree.Sum(sign=sign, left=left, right=right):
                one, two = self.text(left), self.text(right)
                return (
                    f"{'divided' if sign == '//' else 'remainder'}({one}, {two})"
                    if sign in ("//", "%")
                    else f"({one} {sign} {two})"
                )
            case tree.Either(test=test, then=then, other=other):
                return (
                    f"({self.text(then)} if {self.text(test)} else {self.text(other)})"
                )
            case tree.Group(items=items):
                inside = _tuple(map(self.text, items))
                if node.type.kind == "list":
                    return inside
                return f"frozenset({inside if items else ''})"
            case tree.Each():
                return self._each(node)
        message = f"expected a node of the tree, got {node!r}"
        raise TypeError(message)

    def _members(self, group: Expression) -> str:
        """Return the text of a group that is only asked for its members."""
        if isinstance(group, tree.Group) and group.items:
            # A tuple of constants is made but once, when the module is loaded.
            return _tuple(map(self.text, group.items))
        return self.text(group)

    def _part(self, meld: str, name: str) -> str:
        if name in ("cards", "seat"):
            return f"{meld}.{name}"
        if name == "name":
            return f"{meld}.meld"
        # What a meld scores may depend on an option that is a number.
        by_table = name == "points" and self.rules.numbers
        return f"{'at.rules.points' if by_table else name.upper()}[{meld}.meld]"

    def _call(self, node: tree.Call) -> str:
        texts = [self.text(argument) for argument in node.arguments]
        absent = any(argument.type.optional for argument in node.arguments)
        match node.function:
            case "rank" | "suit" as name:
                return f"{name}_of({texts[0]})" if absent else f"{texts[0]}.{name}"
            case "held" | "hidden" | "table" | "won" as name:
                if absent:
                    return f"zone(at, {name!r}, {texts[0]})"
                return (
                    f"(at.hidden[{texts[0]}] | at.table[{texts[0]}])"
                    if name == "held"
                    else f"at.{name}[{texts[0]}]"
                )
            case "total" | "points" as name:
                scores = "match_points" if name == "total" else "hand_points"
                return f"at.{scores}.get({texts[0]})"
            case "other":
                return f"AFTER.get({texts[0]})"
            case "obeys":
                return f"({texts[0]} in obeying(at, me))"
            case "fits":
                return f"(misfit(at, me, {texts[0]}) is None)"
            case "len" if texts == ["SEATS"]:
                return str(len(self.rules.seats))
            case "len" | "max" | "min" as name:
                return f"{name}({', '.join(texts)})"
        return f"{node.function}({', '.join(['at', *texts])})"

    def _compare(self, node: tree.Compare) -> str:
        one, two = self.text(node.left), self.text(node.right)
        if node.sign in ("==", "!="):
            if "None" in (one, two):
                return f"({one} {'is' if node.sign == '==' else 'is not'} {two})"
            return f"({one} {node.sign} {two})"
        absent = node.left.type.optional or node.right.type.optional
        if node.left.type.kind == "Rank":
            # STRENGTH of None is not a number: an order that involves None does not hold.
            if absent:
                return (
                    f"ordered(STRENGTH.get({one}), {node.sign!r}, STRENGTH.get({two}))"
                )
            return f"(STRENGTH[{one}] {node.sign} STRENGTH[{two}])"
        return (
            f"ordered({one}, {node.sign!r}, {two})"
            if absent
            else f"({one} {node.sign} {two})"
        )

    def _each(self, node: tree.Each) -> str:
        variable = safe(node.variable)
        test = f" if {self.text(node.test)}" if node.test is not None else ""
        inside = (
            f"{self.text(node.body)} for {variable} in {self.text(node.group)}{test}"
        )
        # All items are wanted but by `all` and `any`: a list is made faster than it is yielded.
        match node.fold:
            case "max" | "min" as fold:
                return f"{fold}([{inside}], default=0)"
            case "set":
                return f"frozenset([{inside}])"
            case "list":
                return f"tuple([{inside}])"
            case "sum":
                return f"sum([{inside}])"
        return f"{node.fold}({inside})"


def _tuple(texts: Iterable[str]) -> str:
    """Return the text of a tuple."""
    items = list(texts)
    return f"({', '.join(items)}{',' if len(items) == 1 else ''})"
