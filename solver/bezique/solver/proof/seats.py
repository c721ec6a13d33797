"""Seats: nothing at a table tells one from another, so that what is proved of one holds of all.

Facts and functions of the language speak of seats by what they are to the one that acts or to
the hand (`me`, `dealer`, `other(taker)`): turn the seats round the table, and each turns with
them.  Only what names a seat, or goes by the order in which the rule file lists them, tells them
apart.  Every clause is walked for both; where something is found, each seat has to be proved by
itself.
"""

from collections.abc import Iterator
from typing import Any

from bezique.engine.compiler.expressions import Folding
from bezique.engine.rules import Rules
from bezique.solver.proof.beyond import parts
from bezique.spec import tree
from bezique.spec.kinds import SEAT

SCORES = ("total", "points")
"""Functions that what a loop pays would change."""

_CLAUSES = (
    "terms",
    "melds",
    "duties",
    "actions",
    "waivers",
    "after",
    "verdict",
    "deal",
    "draw_first",
    "views",
    "invariants",
)
"""All parts of a profile that are asked within a match, but for the readings."""


def told_apart(rules: Rules) -> list[str]:
    """Return what tells seats apart within a match, in words; nothing where all are alike."""
    readings = [rules.reading(name) for name in rules.profile.choices]
    parts = [getattr(rules.profile, name) for name in _CLAUSES]
    return list(dict.fromkeys(_told(rules, [*parts, readings])))


def _told(rules: Rules, node: Any) -> Iterator[str]:
    match node:
        case tree.Constant() if node.type.kind == SEAT.kind:
            yield f"the seat {node.value} is named"
        case tree.Name(where="fact", name="seats"):
            yield "the order of the seats is asked"
        case tree.Call(function="len", arguments=(group,)) if _are_seats(group):
            return
        case tree.Member(item=item, group=group) if _are_seats(group):
            yield from _told(rules, item)
        case tree.Each(fold=fold, group=group) if _are_seats(group) and fold != "list":
            yield from _told(rules, (node.test, node.body))
        case tree.ForEach(group=group, body=body) if _are_seats(group):
            if not _commutes(rules, body):
                yield "what is done for one seat after another depends on their order"
            yield from _told(rules, body)
        case tree.ForEach(group=group) if group.type.kind == "set" and _has_seats(
            group.type.item
        ):
            yield "what is done for a set goes by the order of the seats"
            yield from _children(rules, node)
        case _:
            yield from _children(rules, node)


def _children(rules: Rules, node: Any) -> Iterator[str]:
    if isinstance(node, tree.Node):
        for name in type(node).model_fields:
            yield from _told(rules, getattr(node, name))
    elif isinstance(node, dict):
        for item in node.values():
            yield from _told(rules, item)
    elif isinstance(node, tuple | list):
        for item in node:
            yield from _told(rules, item)


def _are_seats(group: tree.Expression) -> bool:
    """Return whether a group is the list of the seats."""
    return (
        isinstance(group, tree.Name) and group.where == "fact" and group.name == "seats"
    )


def _has_seats(kind: Any) -> bool:
    """Return whether items of a type stand in an order that seats have a part in."""
    return kind is not None and kind.kind in (SEAT.kind, "Meld")


def _commutes(rules: Rules, body: Any) -> bool:
    """Return whether it comes to the same for whichever seat a body is done first.

    It only pays, and makes sets larger or smaller, and asks neither scores nor those sets.
    """
    changed: set[str] = set()
    lists = {p.name for p in rules.profile.state if p.type.kind != "set"}
    for statement in _statements(body):
        match statement:
            case tree.Do(effect="pay"):
                pass
            case tree.Assign(sign="+=" | "-=", name=name) if name not in lists:
                changed.add(name)
            case tree.When() | tree.ForEach():
                pass
            case _:
                return False
    signs = {s.sign for s in _statements(body) if isinstance(s, tree.Assign)}
    return len(signs) < len(("+=", "-=")) and not any(
        _asks(node, changed) for node in parts(Folding(rules), body)
    )


def _asks(node: tree.Node, changed: set[str]) -> bool:
    match node:
        case tree.Name(where="state", name=name):
            return name in changed
        case tree.Name(where="fact", name=name):
            return name == "leader"
        case tree.Call(function=function):
            # What `spent`, `fits` and `obeys` ask is not seen here.
            return function in (*SCORES, "spent", "fits", "obeys")
    return False


def _statements(body: Any) -> Iterator[tree.Node]:
    kinds = tree.Assign | tree.Do | tree.When | tree.ForEach
    return (node for node in tree.nodes(body) if isinstance(node, kinds))
