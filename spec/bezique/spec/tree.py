"""The tree: expressions and statements of the rules language, typed and frozen.

Every rule is made of these node kinds and of no others, so that whatever reads rules
(interpreter, compiler, proofs, prose) has a short list to cover.  The text form is a
small part of Python's expression syntax; `bezique.spec.grammar` reads it and
`bezique.spec.show` writes it.

Terms
    fact        something true of a position by itself: `phase`, `led`, `dealer`
    term        a named expression of the rule file, with parameters: `heads(c)`
    choice      a named point where tables differ; the profile's reading picks its value
    parameter   what a term, an action or a meld is asked about: `c`, `card`, `m`
"""

from collections.abc import Iterator
from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from bezique.spec.kinds import Type


class Node(BaseModel):
    """What all nodes share: frozen, nothing extra."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Constant(Node):
    """A value written out: a number, a truth value, None, a rank, a suit, a word.

    The value's kind is told by `type`; ranks, suits, seats, phases and words are texts.
    """

    kind: Literal["literal"] = "literal"
    type: Type
    value: bool | int | str | None


class Name(Node):
    """A parameter, a fact, a part of the state, or a named value."""

    kind: Literal["name"] = "name"
    type: Type
    where: Literal["parameter", "fact", "state", "value"]
    name: str


class Apply(Node):
    """A term or choice of the rule file, applied to its arguments."""

    kind: Literal["apply"] = "apply"
    type: Type
    where: Literal["term", "choice", "table"]
    name: str
    arguments: tuple["Expression", ...] = ()


class Call(Node):
    """A function of the language: `rank(c)`, `held(me)`, `spent(c, 'court')`."""

    kind: Literal["call"] = "call"
    type: Type
    function: str
    arguments: tuple["Expression", ...]


class Part(Node):
    """A part of a meld: `m.cards`, `m.family`, `m.level`, `m.points`, `m.name`, `m.seat`."""

    kind: Literal["part"] = "part"
    type: Type
    of: "Expression"
    name: str


class Not(Node):
    """The opposite of a truth value."""

    kind: Literal["not"] = "not"
    type: Type
    of: "Expression"


class Logic(Node):
    """`and` or `or` over two or more truth values."""

    kind: Literal["logic"] = "logic"
    type: Type
    word: Literal["and", "or"]
    items: tuple["Expression", ...]


class Compare(Node):
    """Two values of one type compared; sets by inclusion, ranks by strength.

    An order that involves None is false.
    """

    kind: Literal["compare"] = "compare"
    type: Type
    sign: Literal["==", "!=", "<", "<=", ">", ">="]
    left: "Expression"
    right: "Expression"


class Member(Node):
    """Whether a value is among those of a set or list."""

    kind: Literal["member"] = "member"
    type: Type
    item: "Expression"
    group: "Expression"


class Sum(Node):
    """Whole-number arithmetic, or the union and difference of sets."""

    kind: Literal["sum"] = "sum"
    type: Type
    sign: Literal["+", "-", "*", "//", "%", "|"]
    left: "Expression"
    right: "Expression"


class Either(Node):
    """`then if test else other`."""

    kind: Literal["either"] = "either"
    type: Type
    test: "Expression"
    then: "Expression"
    other: "Expression"


class Group(Node):
    """A set or list written out: `(A, T)`, `[]`."""

    kind: Literal["group"] = "group"
    type: Type
    items: tuple["Expression", ...]


class Each(Node):
    """A value gathered from the items of a set or list that pass a test.

    `all`, `any`, `sum`, `max`, `min` fold; `set` and `list` collect.  `max` and `min` range over a
    list that is never empty (the seats).
    """

    kind: Literal["each"] = "each"
    type: Type
    fold: Literal["all", "any", "sum", "max", "min", "set", "list"]
    variable: str
    group: "Expression"
    test: "Expression | None" = None
    body: "Expression"


Expression: TypeAlias = Annotated[
    Constant
    | Name
    | Apply
    | Call
    | Part
    | Not
    | Logic
    | Compare
    | Member
    | Sum
    | Either
    | Group
    | Each,
    Field(discriminator="kind"),
]


class Assign(Node):
    """A part of the state gets a new value, gains a member (`+=`) or loses one (`-=`)."""

    kind: Literal["assign"] = "assign"
    name: str
    sign: Literal["=", "+=", "-="]
    value: Expression


class Do(Node):
    """An effect of the language: `put(card)`, `pay(me, seven, 'seven')`, `draw()`."""

    kind: Literal["do"] = "do"
    effect: str
    arguments: tuple[Expression, ...]


class When(Node):
    """Statements that happen only if a test holds, and others if not."""

    kind: Literal["when"] = "when"
    test: Expression
    then: tuple["Statement", ...]
    other: tuple["Statement", ...] = ()


class ForEach(Node):
    """Statements for every item of a set or list, in order."""

    kind: Literal["for"] = "for"
    variable: str
    group: Expression
    body: tuple["Statement", ...]


Statement: TypeAlias = Annotated[
    Assign | Do | When | ForEach, Field(discriminator="kind")
]

for _node in (
    Apply,
    Call,
    Part,
    Not,
    Logic,
    Compare,
    Member,
    Sum,
    Either,
    Group,
    Each,
    Assign,
    Do,
    When,
    ForEach,
):
    _node.model_rebuild()


def nodes(part: object) -> Iterator[Node]:
    """Yield every node of a rule, or of a group of rules, each before what it holds.

    The bodies of terms and choices that an expression applies are not among them.
    """
    if isinstance(part, Node):
        yield part
        part = tuple(getattr(part, name) for name in type(part).model_fields)
    elif isinstance(part, dict):
        part = tuple(part.values())
    if isinstance(part, tuple | list):
        for item in part:
            yield from nodes(item)
