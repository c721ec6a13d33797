"""Sets of cards as mask arithmetic.

A set of the rules (`heads`, `follows`) depends on the card asked about and on a few things
of the table: the card led, the trump suit.  For each value of those few it is one number,
whose bits are the faces in the set.  A duty is then

    first(hand & set_heads(led), first(hand & set_follows(led), first(hand & set_ruffs(trump), hand)))

with `first(a, b)` injected: a if it is not empty, else b.  The same code object runs on
Python ints, under numba on int64, and on Z3 bit-vectors, with tables to match.

Terms
    leaf    one of the things of the table that a set depends on, numbered from 0 (None)
    face    a card without its copy; bit n of a mask is face n in card order
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import product
from types import SimpleNamespace
from typing import Any

from bezique.engine.compiler import naming
from bezique.engine.compiler.expressions import Folding, safe
from bezique.engine.evaluate import Meaning
from bezique.engine.rules import Rules
from bezique.spec import tree
from bezique.spec.core import Duty
from bezique.spec.tree import Expression

LARGEST = 1 << 16


@dataclass(frozen=True)
class Leaf:
    """Something of the table that sets depend on: its name and its values, None first."""

    name: str
    where: str
    values: tuple[Any, ...]


class BeyondMasksError(Exception):
    """A set depends on more of the table than a table of masks can list."""


class SetTables:
    """The sets of a table's duties as tables of masks.

    Args:
        rules: Rules with options settled.

    Raises:
        BeyondMasksError: When read for duties whose sets depend on too much.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.folding = Folding(rules)

    @cached_property
    def faces(self) -> tuple[str, ...]:
        """Return the faces in card order; a face's place is its bit."""
        return tuple(dict.fromkeys(card.face for card in self.rules.pack))

    @cached_property
    def bit(self) -> dict[str, int]:
        """Return the bit of each face."""
        return {face: 1 << place for place, face in enumerate(self.faces)}

    def body(self, name: str) -> Expression:
        """Return the folded body of a set."""
        folded: Expression = self.folding.folded(self.rules.profile.terms[name].body)
        return folded

    def leaves(self, name: str) -> tuple[Leaf, ...]:
        """Return what a set depends on besides its card, in order of name.

        Raises:
            BeyondMasksError: It depends on something without a short list of values.
        """
        parameter = self.rules.profile.terms[name].parameters[0].name
        names = sorted(set(self._names(self.body(name), frozenset({parameter}))))
        return tuple(self._leaf(*item) for item in names)

    def _names(self, node: object, bound: frozenset[str]) -> Iterator[tuple[str, str]]:
        if isinstance(node, tree.Name):
            if node.where != "parameter":
                yield node.name, node.where
            elif node.name not in bound:
                raise BeyondMasksError(node.name)
        elif isinstance(node, tree.Apply) and node.where != "table":
            parameters, body = self.folding.body(node.where, node.name)
            yield from self._names(self.folding.folded(body), frozenset(parameters))
            yield from self._names(node.arguments, bound)
        elif isinstance(node, tree.Each):
            yield from self._names(
                (node.group, node.test, node.body), bound | {node.variable}
            )
        elif isinstance(node, tree.Call) and node.function not in (
            "rank",
            "suit",
            "len",
            "max",
            "min",
        ):
            raise BeyondMasksError(node.function)
        elif isinstance(node, tree.Node):
            yield from self._names(
                tuple(getattr(node, field) for field in type(node).model_fields), bound
            )
        elif isinstance(node, tuple):
            for item in node:
                yield from self._names(item, bound)

    def _leaf(self, name: str, where: str) -> Leaf:
        first_copies = tuple(card for card in self.rules.pack if card.copy == 1)
        suits = self.rules.profile.deck.suits
        if where == "fact" and name in ("led", "turned"):
            return Leaf(name, where, (None, *first_copies))
        if where == "fact" and name in ("me", "dealer", "taker"):
            return Leaf(name, where, (None, *self.rules.seats))
        kind = next(
            (part.type for part in self.rules.profile.state if part.name == name), None
        )
        if where == "state" and kind is not None and not kind.item:
            values = {
                "Suit": (None, *suits),
                "Seat": (None, *self.rules.seats),
                "Bool": (False, True),
                "Card": (None, *first_copies),
                "Rank": (None, *self.rules.profile.deck.ranks),
            }.get(kind.kind)
            if values is not None:
                return Leaf(name, where, values)
        raise BeyondMasksError(name)

    def table(self, name: str) -> tuple[int, ...]:
        """Return the masks of a set, one for each combination of its leaves' values, the last leaf fastest.

        Raises:
            BeyondMasksError: There are too many combinations.
        """
        leaves = self.leaves(name)
        size = 1
        for leaf in leaves:
            size *= len(leaf.values)
        if size > LARGEST:
            raise BeyondMasksError(name)
        deck, tables = self.rules.profile.deck, self.rules.profile.tables
        about = *self._meanings(self.body(name), set()), repr((deck, tables, leaves))
        return _masks(_Wanted(about, self, name))

    def worked_out(self, name: str) -> tuple[int, ...]:
        """Return the masks of a set, asked one by one."""
        leaves = self.leaves(name)
        return tuple(
            self._mask(
                name, dict(zip((leaf.name for leaf in leaves), values, strict=True))
            )
            for values in product(*(leaf.values for leaf in leaves))
        )

    def _meanings(self, node: object, seen: set[tuple[str, str]]) -> Iterator[str]:
        """Yield as texts a folded expression and the bodies that it applies."""
        if not seen:
            seen.add(("", ""))
            yield repr(node)
        if isinstance(node, tree.Apply) and node.where != "table":
            key = node.where, node.name
            if key not in seen:
                seen.add(key)
                body = self.folding.folded(self.folding.body(*key)[1])
                yield repr((key, self.folding.body(*key)[0], body))
                yield from self._meanings(body, seen)
        if isinstance(node, tree.Node):
            for name in type(node).model_fields:
                yield from self._meanings(getattr(node, name), seen)
        elif isinstance(node, tuple):
            for item in node:
                yield from self._meanings(item, seen)

    def _mask(self, name: str, values: Mapping[str, Any]) -> int:
        """Return the mask of a set where the leaves have these values, by the interpreter."""
        led, rules = values.get("led"), self.rules
        stub = SimpleNamespace(
            rules=rules, state=values, trick=(led,) if led else (), turn_up=values.get("turned"),
            dealer=values.get("dealer"), taker=values.get("taker"),
        )  # fmt: skip
        here = Meaning(stub, values.get("me"))
        return sum(
            self.bit[card.face]
            for card in rules.pack
            if card.copy == 1 and here.term(name, card)
        )

    # --- code ------------------------------------------------------------------------------

    def arguments(self, duty: Duty) -> tuple[Leaf, ...]:
        """Return what a duty depends on: the leaves of its sets, in order of name."""
        found = {leaf.name: leaf for name in duty.sets for leaf in self.leaves(name)}
        return tuple(found[name] for name in sorted(found))

    def source(self, duty: Duty) -> str:
        """Return the text of a duty's function: of a hand as a mask, the cards that obey."""
        expression = "hand"
        bound = False
        for name in reversed(duty.sets):
            body = self.body(name)
            if isinstance(body, tree.Constant):
                if body.value:
                    expression, bound = "hand", True
                continue
            call = f"hand & {naming.of('set', name)}({', '.join(safe(leaf.name) for leaf in self.leaves(name))})"
            expression = f"first({call}, {expression})" if bound else call
            bound = True
        leaves = (safe(leaf.name) for leaf in self.arguments(duty))
        arguments = ", ".join(["hand", *leaves])
        note = f"{duty.name}: the first of {', '.join(duty.sets)} that is not empty."
        called = naming.of("duty", duty.name)
        return (
            f'def {called}({arguments}):\n    """{note}"""\n    return {expression}\n'
        )

    def names(self, duty: Duty) -> tuple[str, ...]:
        """Return the sets of a duty that its code asks a table for."""
        return tuple(
            name for name in duty.sets if not isinstance(self.body(name), tree.Constant)
        )


@dataclass(frozen=True)
class _Wanted:
    """The masks of a set, wanted; equal where all that the set asks is equal."""

    about: tuple[str, ...]
    tables: SetTables = field(compare=False)
    name: str = field(compare=False)


@lru_cache(100)
def _masks(wanted: _Wanted) -> tuple[int, ...]:
    """Return the masks of a set, worked out once for all tables where it means the same."""
    return wanted.tables.worked_out(wanted.name)


def first(one: int, two: int) -> int:
    """Return the first mask if it holds a card, else the second: what ints inject."""
    return one or two


def lookup(table: tuple[int, ...], sizes: tuple[int, ...]) -> Callable[..., int]:
    """Return a function from the numbers of leaves' values to a table's mask."""
    if len(sizes) == 1:
        return table.__getitem__

    def look(*places: int) -> int:
        at = 0
        for place, size in zip(places, sizes, strict=True):
            at = at * size + place
        return table[at]

    return look
