"""The grammar: texts of rule files turned into the typed tree.

Expressions are a small part of Python's: names, calls, `and or not`, comparisons, `in`,
whole-number arithmetic, `x if t else y`, comprehensions.  Anything else is a problem with
the column where it stands.

Terms
    scope   what the names of an expression can mean at the place where it stands
    hint    the type expected from around, which lets `7` be a rank in `rank(c) == 7`
"""

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from bezique.spec import tree
from bezique.spec.kinds import BOOL, INT, NONE, PHASE, PHASES, RANK, SEAT, SUIT, WORD, Type
from bezique.spec.tree import Expression, Statement
from bezique.spec.vocabulary import EFFECTS, FUNCTIONS, MELD_PARTS

LONGEST = 2000
SIGNS: dict[type[ast.AST], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
    ast.Is: "==", ast.IsNot: "!=",
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Mod: "%", ast.BitOr: "|",
}  # fmt: skip


class FaultError(Exception):
    """A text that is not of the language: what was expected, what stands there, where."""

    def __init__(self, expected: str, got: str, code: str, column: int = 0) -> None:
        super().__init__(f"expected {expected}, got {got} [{code}]")
        self.expected, self.got, self.code, self.column = expected, got, code, column


@dataclass(frozen=True)
class Definition:
    """What a use of a term, choice or table must know: its parameters and its type."""

    where: str
    parameters: tuple[Type, ...]
    type: Callable[[], Type]


@dataclass(frozen=True)
class Scope:
    """What names can mean: the layers, nearest first."""

    parameters: Mapping[str, Type] = field(default_factory=dict)
    facts: Mapping[str, Type] = field(default_factory=dict)
    state: Mapping[str, Type] = field(default_factory=dict)
    values: Mapping[str, Type] = field(default_factory=dict)
    definitions: Mapping[str, Definition] = field(default_factory=dict)
    constants: Mapping[str, Type] = field(default_factory=dict)
    families: tuple[str, ...] = ()
    readings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def with_parameters(self, parameters: Mapping[str, Type]) -> "Scope":
        """Return the scope with more parameters, nearer than all others."""
        return replace(self, parameters={**self.parameters, **parameters})


def read_expression(text: str, scope: Scope, expected: Type | None = None) -> Expression:
    """Return the typed tree of an expression.

    Args:
        text: The expression; line breaks count as blanks.
        scope: What its names can mean.
        expected: The type it must have; None: any.

    Raises:
        FaultError: The text is not an expression of the language, uses an unknown name,
            or has another type.
    """
    node = _parsed(text, "eval")
    assert isinstance(node, ast.Expression)  # noqa: S101  (what mode "eval" gives)
    found = _Reader(scope).read(node.body, expected)
    if expected and not expected.accepts(found.type):
        raise FaultError(f"a value of type {expected}", f"{found.type} ({text.strip()})", "type")
    return found


def read_statement(text: str, scope: Scope) -> Statement:
    """Return the tree of a one-line statement: an assignment or an effect.

    Raises:
        FaultError: As for `read_expression`.
    """
    module = _parsed(text, "exec")
    assert isinstance(module, ast.Module)  # noqa: S101  (what mode "exec" gives)
    if len(module.body) != 1:
        raise FaultError("one statement", f"{len(module.body)}", "statement")
    node = module.body[0]
    reader = _Reader(scope)
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            return _assignment(reader, name, "=", value)
        case ast.AugAssign(target=ast.Name(id=name), op=ast.Add() | ast.Sub() as op, value=value):
            return _assignment(reader, name, "+=" if isinstance(op, ast.Add) else "-=", value)
        case ast.Expr(value=ast.Call(func=ast.Name(id=name), args=arguments, keywords=[])) if name in EFFECTS:
            wanted = EFFECTS[name]
            if len(arguments) != len(wanted):
                raise FaultError(f"{len(wanted)} arguments of {name}", str(len(arguments)), "arguments", node.col_offset)
            return tree.Do(effect=name, arguments=tuple(_effect_argument(reader, a, t) for a, t in zip(arguments, wanted, strict=True)))
        case ast.Expr(value=ast.Call(func=ast.Name(id=name))):
            raise FaultError(f"an effect ({', '.join(EFFECTS)})", name, "unknown-effect", node.col_offset)
    raise FaultError("an assignment or an effect", text.strip(), "statement", node.col_offset)


def _effect_argument(reader: "_Reader", node: ast.expr, wanted: Type) -> Expression:
    found = reader.read(node, wanted)
    if wanted.kind == "set" and wanted.item and wanted.item.accepts(found.type):
        return tree.Group(type=wanted, items=(found,))
    if not wanted.accepts(found.type) and not wanted.accepts(found.type.sure()):
        raise FaultError(f"a value of type {wanted}", f"{found.type} ({ast.unparse(node)})", "type", node.col_offset)
    return found


def _assignment(reader: "_Reader", name: str, sign: str, value: ast.expr) -> Statement:
    kind = reader.scope.state.get(name)
    if kind is None:
        known = ", ".join(reader.scope.state)
        raise FaultError(f"a part of the state ({known})", name, "unknown-state")
    wanted = kind
    if sign != "=":
        if kind.item is None:
            raise FaultError("a set or list", f"{name}, {kind}", "type")
        wanted = kind.item
    found = reader.read(value, wanted)
    if not wanted.accepts(found.type) and not (sign != "=" and wanted.accepts(found.type.sure())):
        raise FaultError(f"a value of type {wanted}", f"{found.type} ({ast.unparse(value)})", "type", value.col_offset)
    return tree.Assign.model_validate({"name": name, "sign": sign, "value": found})


def _parsed(text: str, mode: str) -> ast.AST:
    if len(text) > LONGEST:
        raise FaultError(f"at most {LONGEST} characters", f"{len(text)}", "expression-length")
    try:
        return ast.parse(" ".join(text.split()), mode=mode)
    except SyntaxError as error:
        raise FaultError("an expression" if mode == "eval" else "a statement", f"{text.strip()!r} ({error.msg})", "syntax", (error.offset or 1) - 1) from None
    except (ValueError, RecursionError, MemoryError):
        raise FaultError("an expression", "a text too deep or with a null character", "syntax") from None


class _Reader:
    """Turns Python's syntax tree into ours, with types."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    def read(self, node: ast.expr, hint: Type | None = None) -> Expression:
        """Return our node for Python's."""
        match node:
            case ast.Constant():
                return self.constant(node, hint)
            case ast.Name():
                return self.name(node)
            case ast.BoolOp(op=op, values=values):
                items = tuple(self.bool(value) for value in values)
                return tree.Logic(type=BOOL, word="and" if isinstance(op, ast.And) else "or", items=items)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return tree.Not(type=BOOL, of=self.bool(operand))
            case ast.Compare():
                return self.comparison(node)
            case ast.BinOp():
                return self.arithmetic(node, hint)
            case ast.IfExp(test=test, body=body, orelse=other):
                return self.either(self.bool(test), self.read(body, hint), self.read(other, hint), node)
            case ast.Attribute(value=value, attr=name):
                return self.part(value, name, node)
            case ast.Tuple(elts=items) | ast.List(elts=items) | ast.Set(elts=items):
                return self.group(node, items, hint)
            case ast.SetComp(elt=body, generators=[loop]):
                return self.each("set", loop, body, None)
            case ast.ListComp(elt=body, generators=[loop]):
                return self.each("list", loop, body, None)
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
                return self.call(name, arguments, node)
        raise FaultError("an expression of the rules language", ast.unparse(node), "syntax", node.col_offset)

    def bool(self, node: ast.expr) -> Expression:
        """Return a truth value."""
        return self.typed(node, BOOL)

    def typed(self, node: ast.expr, wanted: Type) -> Expression:
        """Return an expression of a given type."""
        found = self.read(node, wanted)
        if not wanted.accepts(found.type):
            raise FaultError(f"a value of type {wanted}", f"{found.type} ({ast.unparse(node)})", "type", node.col_offset)
        return found

    def constant(self, node: ast.Constant, hint: Type | None) -> Expression:
        """Return a value written out, or the rank that a digit names."""
        value = node.value
        if value is None:
            return tree.Constant(type=NONE, value=None)
        if isinstance(value, bool):
            return tree.Constant(type=BOOL, value=value)
        if isinstance(value, int):
            if hint and hint.kind == "Rank" and self.scope.constants.get(str(value)) == RANK:
                return tree.Constant(type=RANK, value=str(value))
            return tree.Constant(type=INT, value=value)
        if isinstance(value, str):
            if hint and hint.kind == "Word" and hint.words and value not in hint.words:
                raise FaultError(f"one of {', '.join(hint.words)}", repr(value), "unknown-word", node.col_offset)
            return tree.Constant(type=Type(kind="Word", words=(value,)), value=value)
        raise FaultError("a whole number, a truth value, None or a word", repr(value), "syntax", node.col_offset)

    def name(self, node: ast.Name) -> Expression:
        """Return what a name means here."""
        name, scope = node.id, self.scope
        for where, layer in (("parameter", scope.parameters), ("fact", scope.facts), ("state", scope.state), ("value", scope.values)):
            if name in layer:
                return tree.Name.model_validate({"type": layer[name], "where": where, "name": name})
        if name in scope.definitions:
            return self.apply(name, [], node)
        if name in scope.constants:
            return tree.Constant(type=scope.constants[name], value=name)
        raise FaultError("a known name", name, "unknown-name", node.col_offset)

    def apply(self, name: str, arguments: list[ast.expr], node: ast.expr) -> Expression:
        """Return the use of a term, choice or table."""
        definition = self.scope.definitions[name]
        wanted = definition.parameters
        if len(arguments) != len(wanted):
            raise FaultError(f"{len(wanted)} arguments of {name}", str(len(arguments)), "arguments", node.col_offset)
        read = tuple(self.argument(argument, kind) for argument, kind in zip(arguments, wanted, strict=True))
        kind = definition.type()
        if definition.where == "table" and read[0].type.optional:
            kind = kind.maybe()
        return tree.Apply.model_validate({"type": kind, "where": definition.where, "name": name, "arguments": read})

    def argument(self, node: ast.expr, wanted: Type) -> Expression:
        """Return an argument; where a sure value is wanted, one that may be None is let through."""
        found = self.read(node, wanted)
        if not wanted.maybe().accepts(found.type):
            raise FaultError(f"a value of type {wanted}", f"{found.type} ({ast.unparse(node)})", "type", node.col_offset)
        return found

    def call(self, name: str, arguments: list[ast.expr], node: ast.Call) -> Expression:
        """Return the use of a function."""
        if name in self.scope.definitions:
            return self.apply(name, arguments, node)
        if name in FUNCTIONS:
            wanted, kind = FUNCTIONS[name]
            if len(arguments) != len(wanted):
                raise FaultError(f"{len(wanted)} arguments of {name}", str(len(arguments)), "arguments", node.col_offset)
            if name == "spent":
                wanted = (wanted[0], Type(kind="Word", words=self.scope.families))
            read = tuple(self.argument(argument, kind) for argument, kind in zip(arguments, wanted, strict=True))
            if any(item.type.optional for item in read) and kind.kind not in ("set", "Bool"):
                kind = kind.maybe()
            return tree.Call(type=kind, function=name, arguments=read)
        match name, arguments:
            case ("any" | "all" | "sum" | "max" | "min"), [ast.GeneratorExp(elt=body, generators=[loop])]:
                return self.each(name, loop, body, BOOL if name in ("any", "all") else INT)
            case "len", [group]:
                found = self.read(group)
                if found.type.item is None:
                    raise FaultError("a set or list", f"{found.type} ({ast.unparse(group)})", "type", group.col_offset)
                return tree.Call(type=INT, function="len", arguments=(found,))
            case ("max" | "min"), [one, two]:
                return tree.Call(type=INT, function=name, arguments=(self.typed(one, INT), self.typed(two, INT)))
            case "reading", [ast.Constant(value=str(choice))]:
                if choice not in self.scope.readings:
                    raise FaultError("the name of a choice", repr(choice), "unknown-choice", node.col_offset)
                kind = Type(kind="Word", words=self.scope.readings[choice])
                return tree.Call(type=kind, function="reading", arguments=(tree.Constant(type=WORD, value=choice),))
            case "fits", [meld]:
                return tree.Call(type=BOOL, function="fits", arguments=(self.typed(meld, Type(kind="Meld")),))
        raise FaultError("a known function, term or choice", f"{name}({', '.join(map(ast.unparse, arguments))})", "unknown-name", node.col_offset)

    def comparison(self, node: ast.Compare) -> Expression:
        """Return a comparison; a chain becomes its links joined by `and`."""
        links: list[Expression] = []
        left = node.left
        for sign, right in zip(node.ops, node.comparators, strict=True):
            links.append(self.link(left, sign, right))
            left = right
        return links[0] if len(links) == 1 else tree.Logic(type=BOOL, word="and", items=tuple(links))

    def link(self, left: ast.expr, sign: ast.cmpop, right: ast.expr) -> Expression:
        """Return one comparison of two values."""
        if isinstance(sign, ast.In | ast.NotIn):
            item = self.read(left)
            group = self.read(right, Type(kind="set", item=item.type.sure()))
            if group.type.item is None or not (group.type.item.accepts(item.type.sure()) or group.type.item.kind == "None"):
                raise FaultError(f"a set or list of {item.type.sure()}", f"{group.type} ({ast.unparse(right)})", "type", right.col_offset)
            member = tree.Member(type=BOOL, item=item, group=group)
            return member if isinstance(sign, ast.In) else tree.Not(type=BOOL, of=member)
        one = self.read(left)
        two = self.read(right, one.type)
        if isinstance(one, tree.Constant) and one.type.kind == "Int" and two.type.kind == "Rank":
            one = self.read(left, two.type)
        text = SIGNS[type(sign)]
        if not (one.type.maybe().accepts(two.type) or two.type.maybe().accepts(one.type)):
            raise FaultError(f"a value of type {one.type.sure()}", f"{two.type} ({ast.unparse(right)})", "type", right.col_offset)
        if text not in ("==", "!=") and one.type.kind not in ("Int", "Rank", "set"):
            raise FaultError("numbers, ranks or sets to put in order", f"{one.type} ({ast.unparse(left)})", "type", left.col_offset)
        return tree.Compare.model_validate({"type": BOOL, "sign": text, "left": one, "right": two})

    def arithmetic(self, node: ast.BinOp, hint: Type | None) -> Expression:
        """Return a sum, product, quotient or remainder, or the union or difference of sets."""
        sign = SIGNS.get(type(node.op))
        if sign is None:
            raise FaultError("one of + - * // % |", ast.unparse(node), "syntax", node.col_offset)
        left = self.read(node.left, hint)
        kind = left.type if left.type.kind == "set" and sign in "|-" else INT
        if not kind.accepts(left.type):
            raise FaultError(f"a value of type {kind}", f"{left.type} ({ast.unparse(node.left)})", "type", node.left.col_offset)
        return tree.Sum.model_validate({"type": kind, "sign": sign, "left": left, "right": self.typed(node.right, kind)})

    def either(self, test: Expression, then: Expression, other: Expression, node: ast.expr) -> Expression:
        """Return a choice between two values of one type."""
        if then.type.kind == "None":
            kind = other.type if other.type.kind == "None" else other.type.maybe()
        elif then.type.maybe().accepts(other.type):
            kind = then.type.maybe() if other.type.optional or other.type.kind == "None" else then.type
        else:
            raise FaultError(f"two values of one type ({then.type})", f"{other.type} ({ast.unparse(node)})", "type", node.col_offset)
        return tree.Either(type=kind, test=test, then=then, other=other)

    def part(self, value: ast.expr, name: str, node: ast.Attribute) -> Expression:
        """Return a part of a meld."""
        meld = self.typed(value, Type(kind="Meld"))
        if name not in MELD_PARTS:
            raise FaultError(f"a part of a meld ({', '.join(MELD_PARTS)})", name, "unknown-part", node.col_offset)
        kind = Type(kind="Word", words=self.scope.families) if name == "family" else MELD_PARTS[name]
        return tree.Part(type=kind, of=meld, name=name)

    def group(self, node: ast.expr, items: list[ast.expr], hint: Type | None) -> Expression:
        """Return a set or list written out."""
        inner = hint.item if hint and hint.item else None
        read = tuple(self.read(item, inner) for item in items)
        kind = inner or (read[0].type if read else NONE)
        for item, part in zip(items, read, strict=True):
            if not kind.accepts(part.type):
                raise FaultError(f"a value of type {kind}", f"{part.type} ({ast.unparse(item)})", "type", item.col_offset)
        return tree.Group(type=Type(kind="list" if isinstance(node, ast.List) else "set", item=kind), items=read)

    def each(self, fold: str, loop: ast.comprehension, body: ast.expr, wanted: Type | None) -> Expression:
        """Return a comprehension."""
        if not isinstance(loop.target, ast.Name) or loop.is_async:
            raise FaultError("one name after `for`", ast.unparse(loop.target), "syntax", loop.target.col_offset)
        group = self.read(loop.iter)
        if group.type.item is None:
            raise FaultError("a set or list", f"{group.type} ({ast.unparse(loop.iter)})", "type", loop.iter.col_offset)
        inner = _Reader(self.scope.with_parameters({loop.target.id: group.type.item}))
        tests = [inner.bool(test) for test in loop.ifs]
        test = None if not tests else tests[0] if len(tests) == 1 else tree.Logic(type=BOOL, word="and", items=tuple(tests))
        found = inner.typed(body, wanted) if wanted else inner.read(body)
        kind = wanted or Type.model_validate({"kind": fold, "item": found.type})
        return tree.Each.model_validate({"type": kind, "fold": fold, "variable": loop.target.id, "group": group, "test": test, "body": found})


def constants(ranks: tuple[str, ...], suits: tuple[str, ...], seats: tuple[str, ...]) -> dict[str, Type]:
    """Return the names that stand for themselves: ranks, suits, seats, phases."""
    named = dict.fromkeys(PHASES, PHASE)
    for names, kind in ((seats, SEAT), (suits, SUIT), (ranks, RANK)):
        named.update(dict.fromkeys(names, kind))
    return named
