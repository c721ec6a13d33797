"""Beyond the bound: where no witness was found, is there none at all?

A search looks at situations with a few melds on record.  That it finds nothing proves that two
tables are equal only where the number of melds on record cannot matter.  So the question is
asked once more without a meld and without every condition that reads melds: leaving conditions
out only lets more situations in, and if even then nothing tells the tables apart, nothing does.

Terms
    reads melds   an expression asks a list of melds, itself or through a term, a reading or `spent`
"""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from bezique.engine.compiler.expressions import Folding
from bezique.solver.proof.search import ask
from bezique.solver.proof.values import Guard, alike, both, no, some
from bezique.solver.proof.witness import PHASES
from bezique.spec import core, tree

if TYPE_CHECKING:
    from bezique.solver.proof.difference import Comparison
    from bezique.solver.proof.ground import Ground

EQUIVALENT = "equivalent"
BOUND = "not distinguished within the bound"

_STATEMENTS = (tree.Assign, tree.Do, tree.When, tree.ForEach, core.Reaction)

_OF_CARDS = ("rank", "suit", "len", "max", "min", "reading")
"""Functions that ask no more than what they are given, and the table's settings."""

Goal = Callable[["Ground", dict[str, Any]], Guard]


def reads_melds(folding: Folding, node: tree.Node | None) -> bool:
    """Return whether what an expression is worth can depend on melds on record."""
    if node is None:
        return False
    lists = {p.name for p in folding.rules.profile.state if p.type.kind == "list"}
    return any(
        (isinstance(part, tree.Name) and part.where == "state" and part.name in lists)
        or (isinstance(part, tree.Call) and part.function == "spent")
        for part in _parts(folding, folding.folded(node), set())
    )


def beside_cards(folding: Folding, node: tree.Node) -> list[str]:
    """Return what an expression asks besides known cards, trumps and settled values, by name.

    Where there is nothing, cards under every trump are all the cases there are.
    """
    asked = []
    for part in parts(folding, node):
        match part:
            case tree.Name(where="parameter") | tree.Name(where="fact", name="led"):
                continue
            case tree.Name(where="state", name="trump"):
                continue
            case tree.Name(where="value", name=name):
                asked += [name] if name in folding.rules.numbers else []
            case tree.Name(name=name):
                asked.append(name)
            case tree.Call(function=function) if function not in _OF_CARDS:
                asked.append(function)
    return list(dict.fromkeys(asked))


def parts(folding: Folding, node: Any) -> Iterator[tree.Node]:
    """Yield the nodes of an expression, a statement or a reaction, with settings and terms put in."""
    if isinstance(node, tuple):
        for item in node:
            yield from parts(folding, item)
    elif isinstance(node, _STATEMENTS):
        yield node
        for name in type(node).model_fields:
            yield from parts(folding, getattr(node, name))
    elif isinstance(node, tree.Node):
        yield from _parts(folding, folding.folded(node), set())


def _parts(
    folding: Folding, node: Any, seen: set[tuple[str, str]]
) -> Iterator[tree.Node]:
    if isinstance(node, tuple):
        for item in node:
            yield from _parts(folding, item, seen)
    if not isinstance(node, tree.Node):
        return
    yield node
    profile = folding.rules.profile
    if isinstance(node, tree.Call) and node.function == "fits":
        for meld in profile.melds.values():
            for condition in meld.conditions:
                yield from _parts(folding, folding.folded(condition.test), seen)
    if isinstance(node, tree.Call) and node.function == "obeys":
        for duty in profile.duties:
            yield from _parts(folding, folding.folded(duty.when), seen)
            for name in duty.sets:
                yield from _parts(
                    folding, folding.folded(profile.terms[name].body), seen
                )
    if isinstance(node, tree.Apply) and node.where != "table":
        key = node.where, node.name
        if key not in seen:
            seen.add(key)
            yield from _parts(folding, folding.folded(folding.body(*key)[1]), seen)
    for name in type(node).model_fields:
        yield from _parts(folding, getattr(node, name), seen)


def allowed(
    comparison: "Comparison",
    ground: "Ground",
    side: int,
    name: str,
    arguments: dict[str, Any],
) -> Guard:
    """Return whether the conditions of an action that read no melds let it be done."""
    rule = ground.tables[side].profile.actions.get(name)
    if rule is None or not ground.knows(side, arguments):
        return False
    folding = comparison.folded[side]
    return both(
        *(
            ground.here[side].guard(clause.test, arguments)
            for clause in rule.conditions
            if not reads_melds(folding, clause.test)
        )
    )


def clause(
    comparison: "Comparison", name: str, rule: core.Action, tests: list[Any]
) -> str:
    """Return whether a condition that differs is proved never to matter, whatever is on record."""

    def goal(ground: "Ground", arguments: dict[str, Any]) -> Guard:
        # A table without the condition lets everything pass, one without the meld nothing.
        sides = [
            ground.knows(side, arguments)
            and (test is None or ground.here[side].guard(test, arguments))
            for side, test in enumerate(tests)
        ]
        either = (allowed(comparison, ground, side, name, arguments) for side in (0, 1))
        return both(no(alike(*sides)), some(*either))

    return answer(comparison, rule, goal, enumerate(tests))


def answer(
    comparison: "Comparison",
    rule: core.Action | None,
    goal: Goal,
    asked: Iterable[tuple[int, tree.Node | None]],
    phases: tuple[str, ...] = PHASES,
) -> str:
    """Return `equivalent` where a goal is proved impossible, else that the bound is all there is.

    Two tables with the same pack part first in a position that both reach; of those the free
    grounds leave out none, as long as no invariant asks for a meld on record and the seats are alike.

    Args:
        comparison: The two tables.
        rule: The action whose arguments the goal takes; None where it takes none.
        goal: What would tell the tables apart; it asks no melds but those in `asked`.
        asked: What the goal asks, each with the table it is asked at: 0 or 1.
        phases: Where to look.
    """
    one, two = comparison.one, comparison.two
    if (
        len(one.pack) != len(two.pack)
        or not comparison.alike
        or any(reads_melds(comparison.folded[side], test) for side, test in asked)
    ):
        return BOUND
    if any(_demands(comparison.folded[0], clause) for clause in one.profile.invariants):
        return BOUND
    recorded = (one.has_rulings and two.has_rulings) or (
        rule is not None and rule.ruling
    )
    for rulings in dict.fromkeys((False, recorded)):
        for phase in phases:
            ground = comparison.free(phase, rulings=rulings)
            if ask(ground.solver({})) != "yes":
                return BOUND
            every = [{}] if rule is None else ground.arguments(rule)
            for arguments in every:
                if ask(ground.solver(arguments), goal(ground, arguments)) != "no":
                    return BOUND
    return EQUIVALENT


def _demands(folding: Folding, invariant: core.Clause) -> bool:
    """Return whether an invariant may ask for a meld on record, so that none is not the freest case."""
    test = folding.folded(invariant.test)
    of_all = (
        isinstance(test, tree.Each)
        and test.fold == "all"
        and isinstance(test.group, tree.Name)
        and test.group.type.kind == "list"
    )
    return reads_melds(folding, test) and not of_all
