"""The grammar: texts of rule files turned into the typed tree.

Expressions are a small part of Python's: names, calls, `and or not`, comparisons, `in`,
whole-number arithmetic, `x if t else y`, comprehensions.  Anything else is a fault with
the column where it stands.

Terms
    scope   what the names of an expression can mean at the place where it stands
    hint    the type expected from around, which lets `7` be a rank in `rank(c) == 7`
"""

import ast
from typing import NoReturn

from bezique.spec import tree
from bezique.spec.codes import Code
from bezique.spec.kinds import (
    BOOL,
    INT,
    MELD,
    NONE,
    RANK,
    WORD,
    Type,
)
from bezique.spec.scope import Scope
from bezique.spec.syntax import LARGEST_NUMBER, FaultError, parsed, refuse, written
from bezique.spec.tree import Expression, Statement
from bezique.spec.vocabulary import EFFECTS, FUNCTIONS, MELD_PARTS

__all__ = ["FaultError", "Scope", "read_expression", "read_statement"]

SIGNS: dict[type[ast.AST], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">",
    ast.GtE: ">=", ast.Is: "==", ast.IsNot: "!=",
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Mod: "%",
    ast.BitOr: "|",
}  # fmt: skip
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")


def read_expression(
    text: str, scope: Scope, expected: Type | None = None
) -> Expression:
    """Return the typed tree of an expression.

    Args:
        text: The expression; line breaks count as blanks.
        scope: What its names can mean.
        expected: The type it must have; None: any.

    Raises:
        FaultError: The text is not an expression of the language, uses an unknown name,
            or has another type.
    """
    node = parsed(text, "eval")
    assert isinstance(node, ast.Expression)  # noqa: S101  (what mode "eval" gives)
    reader = _Reader(scope)
    return reader.typed(node.body, expected) if expected else reader.read(node.body)


def read_statement(text: str, scope: Scope) -> Statement:
    """Return the tree of a one-line statement: an assignment or an effect.

    Raises:
        FaultError: As for `read_expression`.
    """
    module = parsed(text, "exec")
    assert isinstance(module, ast.Module)  # noqa: S101  (what mode "exec" gives)
    node = module.body[0]
    reader = _Reader(scope)
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            return _assignment(reader, name, "=", value, node)
        case ast.AugAssign(target=ast.Name(id=name), op=ast.Add(), value=value):
            return _assignment(reader, name, "+=", value, node)
        case ast.AugAssign(target=ast.Name(id=name), op=ast.Sub(), value=value):
            return _assignment(reader, name, "-=", value, node)
        case ast.Expr(value=ast.Call(func=ast.Name(id=name), args=found, keywords=[])):
            if name not in EFFECTS:
                _fault(
                    f"an effect ({', '.join(EFFECTS)})", name, "unknown-effect", node
                )
            wanted = EFFECTS[name]
            _check_count(name, found, wanted, node)
            arguments = tuple(
                _effect_argument(reader, argument, kind)
                for argument, kind in zip(found, wanted, strict=True)
            )
            return tree.Do(effect=name, arguments=arguments)
        case _:
            expected = "an assignment or an effect"
            return _fault(expected, written(node), "statement", node)


def _assignment(
    reader: "_Reader", name: str, sign: str, value: ast.expr, node: ast.stmt
) -> Statement:
    kind = reader.scope.state.get(name)
    if kind is None:
        known = ", ".join(reader.scope.state)
        _fault(f"a part of the state ({known})", name, "unknown-state", node)
    if sign == "=":
        found = reader.typed(value, kind)
    elif kind.item is None:
        _fault("a set or list", f"{name}, {kind}", "type", node)
    else:
        # Nothing is gained or lost by a member that is None.
        found = reader.argument(value, kind.item)
    return tree.Assign.model_validate({"name": name, "sign": sign, "value": found})


def _effect_argument(reader: "_Reader", node: ast.expr, wanted: Type) -> Expression:
    found = reader.read(node, wanted)
    if wanted.item and wanted.item.accepts(found.type):
        # `show(card)` is short for the set of this one card.
        return tree.Group(type=wanted, items=(found,))
    if not wanted.maybe().accepts(found.type):
        _type_fault(wanted, found, node)
    return found


def _fault(expected: str, got: str, code: Code, node: ast.expr | ast.stmt) -> NoReturn:
    refuse(expected, got, code, node.col_offset)


def _type_fault(wanted: Type, found: Expression, node: ast.expr) -> NoReturn:
    got = f"{found.type} ({written(node)})"
    _fault(f"a value of type {wanted}", got, "type", node)


def _check_count(
    name: str,
    found: list[ast.expr],
    wanted: tuple[Type, ...],
    node: ast.expr | ast.stmt,
) -> None:
    if len(found) != len(wanted):
        kinds = ", ".join(map(str, wanted))
        got = "1 argument" if len(found) == 1 else f"{len(found)} arguments"
        expected = f"{name}({kinds})" if wanted else f"{name} without arguments"
        _fault(expected, got, "arguments", node)


class _Reader:
    """Turns Python's syntax tree into ours, with types."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    def read(self, node: ast.expr, hint: Type | None = None) -> Expression:
        """Return our node for Python's."""
        match node:
            case ast.Constant() | ast.UnaryOp(op=ast.USub(), operand=ast.Constant()):
                return self.constant(node, hint)
            case ast.Name(id=name):
                return self.name(name, node)
            case ast.BoolOp(op=op, values=values):
                return tree.Logic(
                    type=BOOL,
                    word="and" if isinstance(op, ast.And) else "or",
                    items=tuple(self.typed(value, BOOL) for value in values),
                )
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return tree.Not(type=BOOL, of=self.typed(operand, BOOL))
            case ast.Compare():
                return self.comparison(node)
            case ast.BinOp():
                return self.arithmetic(node, hint)
            case ast.IfExp():
                return self.either(node, hint)
            case ast.Attribute():
                return self.part(node)
            case ast.Tuple(elts=items) | ast.List(elts=items) | ast.Set(elts=items):
                return self.group(node, items, hint)
            case ast.SetComp(elt=body, generators=[loop]):
                return self.each("set", loop, body, None)
            case ast.ListComp(elt=body, generators=[loop]):
                return self.each("list", loop, body, None)
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
                return self.call(name, arguments, node)
        _fault("an expression of the rules language", written(node), "syntax", node)

    def typed(self, node: ast.expr, wanted: Type) -> Expression:
        """Return an expression of a given type."""
        found = self.read(node, wanted)
        if not wanted.accepts(found.type):
            _type_fault(wanted, found, node)
        return found

    def argument(self, node: ast.expr, wanted: Type) -> Expression:
        """Return an expression of a given type, or one that may also be None."""
        return self.typed(node, wanted.maybe())

    def constant(self, node: ast.expr, hint: Type | None) -> Expression:
        """Return a value written out, or the rank that a digit names."""
        match node:
            case ast.Constant(value=None):
                return tree.Constant(type=NONE, value=None)
            case ast.Constant(value=bool(value)):
                return tree.Constant(type=BOOL, value=value)
            case ast.Constant(value=int(value)) if value < LARGEST_NUMBER:
                name = str(value)
                wants_rank = hint is not None and hint.kind == "Rank"
                if wants_rank and self.scope.constants.get(name) == RANK:
                    return tree.Constant(type=RANK, value=name)
                return tree.Constant(type=INT, value=value)
            case ast.UnaryOp(operand=ast.Constant(value=int(value))) if (
                value < LARGEST_NUMBER and not isinstance(value, bool)
            ):
                return tree.Constant(type=INT, value=-value)
            case ast.Constant(value=str(value)) if set(value) <= _LETTERS and value:
                words = hint.words if hint and hint.kind == "Word" else ()
                if words and value not in words:
                    expected = f"one of {', '.join(words)}"
                    _fault(expected, repr(value), "unknown-word", node)
                return tree.Constant(
                    type=Type(kind="Word", words=(value,)), value=value
                )
        expected = "a number below 10 to the 15th, a truth value, None or a word"
        _fault(expected, written(node), "syntax", node)

    def name(self, name: str, node: ast.expr) -> Expression:
        """Return what a name means here."""
        scope = self.scope
        for where, layer in (
            ("parameter", scope.parameters),
            ("fact", scope.facts),
            ("state", scope.state),
            ("value", scope.values),
        ):
            if name in layer:
                fields = {"type": layer[name], "where": where, "name": name}
                return tree.Name.model_validate(fields)
        if name in scope.definitions:
            return self.apply(name, [], node)
        if name in scope.constants:
            return tree.Constant(type=scope.constants[name], value=name)
        _fault("a known name", name, "unknown-name", node)

    def apply(self, name: str, found: list[ast.expr], node: ast.expr) -> Expression:
        """Return the use of a term, choice or table."""
        definition = self.scope.definitions[name]
        _check_count(name, found, definition.parameters, node)
        arguments = tuple(map(self.argument, found, definition.parameters))
        try:
            kind = definition.type()
        except FaultError as fault:
            fault.column = node.col_offset
            raise
        if definition.where == "table" and arguments[0].type.optional:
            kind = kind.maybe()
        return tree.Apply(
            type=kind, where=definition.where, name=name, arguments=arguments
        )

    def call(self, name: str, found: list[ast.expr], node: ast.expr) -> Expression:
        """Return the use of a term or of a function."""
        if name in self.scope.definitions:
            return self.apply(name, found, node)
        if name in FUNCTIONS:
            return self.function(name, found, node)
        match name, found:
            case "any" | "all", [ast.GeneratorExp(elt=body, generators=[loop])]:
                return self.each(name, loop, body, BOOL)
            case "sum" | "max" | "min", [ast.GeneratorExp(elt=body, generators=[loop])]:
                return self.each(name, loop, body, INT)
            case "len", [group]:
                arguments: tuple[Expression, ...] = (self.gathered(group),)
                return tree.Call(type=INT, function=name, arguments=arguments)
            case "max" | "min", [one, two]:
                arguments = (self.typed(one, INT), self.typed(two, INT))
                return tree.Call(type=INT, function=name, arguments=arguments)
            case "reading", [ast.Constant(value=str(choice)) as word]:
                if choice not in self.scope.readings:
                    expected = "the name of a choice"
                    _fault(expected, repr(choice), "unknown-choice", word)
                kind = Type(kind="Word", words=self.scope.readings[choice])
                arguments = (tree.Constant(type=WORD, value=choice),)
                return tree.Call(type=kind, function=name, arguments=arguments)
            case "fits", [meld]:
                arguments = (self.typed(meld, MELD),)
                return tree.Call(type=BOOL, function=name, arguments=arguments)
        _fault("a known function or term", written(node), "unknown-name", node)

    def function(self, name: str, found: list[ast.expr], node: ast.expr) -> Expression:
        """Return the use of a function of fixed types."""
        wanted, kind = FUNCTIONS[name]
        if name == "spent":
            wanted = (wanted[0], Type(kind="Word", words=self.scope.families))
        _check_count(name, found, wanted, node)
        arguments = tuple(map(self.argument, found, wanted))
        may_be_none = any(item.type.optional for item in arguments)
        if may_be_none and kind.kind not in ("set", "Bool"):
            kind = kind.maybe()
        return tree.Call(type=kind, function=name, arguments=arguments)

    def gathered(self, node: ast.expr) -> Expression:
        """Return a set or list."""
        found = self.read(node)
        if found.type.item is None:
            _fault("a set or list", f"{found.type} ({written(node)})", "type", node)
        return found

    def comparison(self, node: ast.Compare) -> Expression:
        """Return a comparison; a chain becomes its links joined by `and`."""
        links: list[Expression] = []
        left = node.left
        for sign, right in zip(node.ops, node.comparators, strict=True):
            links.append(self.link(left, sign, right))
            left = right
        if len(links) == 1:
            return links[0]
        return tree.Logic(type=BOOL, word="and", items=tuple(links))

    def link(self, left: ast.expr, sign: ast.cmpop, right: ast.expr) -> Expression:
        """Return one comparison of two values."""
        if isinstance(sign, ast.In | ast.NotIn):
            member = self.member(left, right)
            if isinstance(sign, ast.In):
                return member
            return tree.Not(type=BOOL, of=member)
        one = self.read(left)
        two = self.read(right, one.type)
        if isinstance(one, tree.Constant):
            one = self.read(left, two.type)
        if one.type.joined(two.type) is None:
            _type_fault(one.type.sure(), two, right)
        text = SIGNS[type(sign)]
        if text not in ("==", "!=") and one.type.kind not in ("Int", "Rank", "set"):
            expected = "numbers, ranks or sets to put in order"
            _fault(expected, f"{one.type} ({written(left)})", "type", left)
        return tree.Compare.model_validate(
            {"type": BOOL, "sign": text, "left": one, "right": two}
        )

    def member(self, left: ast.expr, right: ast.expr) -> Expression:
        """Return whether a value is among others."""
        item = self.read(left)
        wanted = item.type.sure()
        group = self.read(right, Type(kind="set", item=wanted))
        inner = group.type.item
        if inner is None or inner.joined(wanted) is None:
            got = f"{group.type} ({written(right)})"
            _fault(f"a set or list of {wanted}", got, "type", right)
        return tree.Member(type=BOOL, item=item, group=group)

    def arithmetic(self, node: ast.BinOp, hint: Type | None) -> Expression:
        """Return a result of whole numbers, or the union or difference of sets."""
        sign = SIGNS.get(type(node.op))
        if sign is None:
            _fault("one of + - * // % |", written(node), "syntax", node)
        left = self.read(node.left, hint)
        of_sets = left.type.kind == "set" and sign in ("|", "-")
        if of_sets:
            right = self.read(node.right, left.type)
            kind = left.type.joined(right.type)
            if kind is None:
                _type_fault(left.type, right, node.right)
        else:
            kind = INT
            if not INT.accepts(left.type):
                _type_fault(INT, left, node.left)
            right = self.typed(node.right, INT)
        if sign == "|" and not of_sets:
            _fault("sets to unite", f"{kind} ({written(node)})", "type", node)
        # Every expression has a value, so nothing is divided by what may be 0.
        by = right.value if isinstance(right, tree.Constant) else 0
        if sign in ("//", "%") and not (isinstance(by, int) and by > 0):
            got = written(node.right)
            _fault("a number from 1 to divide by", got, "divisor", node.right)
        return tree.Sum.model_validate(
            {"type": kind, "sign": sign, "left": left, "right": right}
        )

    def either(self, node: ast.IfExp, hint: Type | None) -> Expression:
        """Return a choice between two values of one type."""
        test = self.typed(node.test, BOOL)
        then = self.read(node.body, hint)
        other = self.read(node.orelse, hint)
        kind = then.type.joined(other.type)
        if kind is None:
            _type_fault(then.type.maybe(), other, node.orelse)
        return tree.Either(type=kind, test=test, then=then, other=other)

    def part(self, node: ast.Attribute) -> Expression:
        """Return a part of a meld."""
        meld = self.typed(node.value, MELD)
        name = node.attr
        if name not in MELD_PARTS:
            expected = f"a part of a meld ({', '.join(MELD_PARTS)})"
            _fault(expected, name, "unknown-part", node)
        kind = MELD_PARTS[name]
        if name == "family":
            kind = Type(kind="Word", words=self.scope.families)
        return tree.Part(type=kind, of=meld, name=name)

    def group(
        self, node: ast.expr, items: list[ast.expr], hint: Type | None
    ) -> Expression:
        """Return a set or list written out."""
        inner = hint.item if hint and hint.item != NONE else None
        found = tuple(self.read(item, inner) for item in items)
        kind = inner or NONE
        for index, (item, part) in enumerate(zip(items, found, strict=True)):
            joined = part.type if not (inner or index) else kind.joined(part.type)
            if joined is None or (inner and not inner.accepts(part.type)):
                _type_fault(kind, part, item)
            kind = inner or joined
        of = Type(kind="list" if isinstance(node, ast.List) else "set", item=kind)
        return tree.Group(type=of, items=found)

    def each(
        self, fold: str, loop: ast.comprehension, body: ast.expr, wanted: Type | None
    ) -> Expression:
        """Return a comprehension."""
        target = loop.target
        if not isinstance(target, ast.Name) or loop.is_async:
            _fault("one name after `for`", written(target), "syntax", target)
        group = self.gathered(loop.iter)
        # The seats alone are never none, so that there is a largest number.
        of_seats = isinstance(group, tree.Name) and group.name == "seats"
        if fold in ("max", "min") and not of_seats:
            got = f"{group.type} ({written(loop.iter)})"
            _fault(f"{fold} over the seats", got, "maybe-empty", loop.iter)
        item = group.type.item
        assert item is not None  # noqa: S101  (what `gathered` gives)
        name = target.id
        inner = _Reader(self.scope.with_variable(name, item, target.col_offset))
        tests = tuple(inner.typed(test, BOOL) for test in loop.ifs)
        test: Expression | None = tests[0] if tests else None
        if len(tests) > 1:
            test = tree.Logic(type=BOOL, word="and", items=tests)
        found = inner.typed(body, wanted) if wanted else inner.read(body)
        kind = wanted or Type.model_validate({"kind": fold, "item": found.type})
        return tree.Each.model_validate(
            {
                "type": kind,
                "fold": fold,
                "variable": name,
                "group": group,
                "test": test,
                "body": found,
            }
        )
