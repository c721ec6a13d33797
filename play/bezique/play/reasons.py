"""Reasons: why an action is legal or not, from the clause back to the documents."""

from dataclasses import dataclass

from bezique.engine.action import Action
from bezique.engine.evaluate import Meaning
from bezique.engine.moves import refusal
from bezique.engine.position import Melded, Position
from bezique.engine.rules import Rules
from bezique.play.alike import melded_in
from bezique.spec import tree
from bezique.spec.register import Reading, Statement, register
from bezique.spec.sentences import sentence
from bezique.spec.subjects import walk
from bezique.spec.tree import Node


@dataclass(frozen=True)
class Chosen:
    """A reading that a clause turns on: the choice, its value here, and its sentence."""

    choice: str
    value: str
    sentence: str


@dataclass(frozen=True)
class Ground:
    """A clause that speaks for or against an action."""

    clause: str
    sentence: str
    statements: tuple[Statement, ...]
    chosen: tuple[Chosen, ...]
    register: tuple[Reading, ...]


@dataclass(frozen=True)
class Verdict:
    """Whether an action is legal, what was found, and the clauses that decide."""

    legal: bool
    why: str
    grounds: tuple[Ground, ...]


def verdict(position: Position, action: Action, lang: str) -> Verdict:
    """Return whether an action is legal and on what grounds.

    A refusal rests on the one clause that fails; a legal action on all of its conditions,
    the binding duty and the meld's own conditions among them.
    """
    refused = refusal(position, action)
    why = "" if refused is None else refused.why
    clauses = _conditions(position, action) if refused is None else (refused.clause,)
    grounds = tuple(ground(position, clause, lang) for clause in clauses)
    return Verdict(refused is None, why, grounds)


def ground(position: Position, clause: str, lang: str) -> Ground:
    """Return a clause with its sentence, its statements and the readings it turns on."""
    rules = position.rules
    profile = rules.profile
    choices = choices_behind(rules, *_nodes(position, clause))
    chosen = tuple(
        Chosen(
            choice,
            rules.picked[choice],
            sentence(
                profile, lang, f"choice/{choice}/{rules.picked[choice]}", rules.options
            ),
        )
        for choice in choices
    )
    said = sentence(profile, lang, clause, rules.options)
    names = (clause, *(f"choice:{choice}" for choice in choices))
    found = tuple(dict.fromkeys(s for name in names for s in _statements(rules, name)))
    asked = tuple(r for name in (clause, *choices) for r in _readings(rules, name))
    register = {row.number: row for row in asked}
    return Ground(clause, said, found, chosen, tuple(register.values()))


def choices_behind(rules: Rules, *nodes: Node) -> tuple[str, ...]:
    """Return the choices that expressions turn on, terms and readings looked through."""
    profile = rules.profile
    found: dict[str, None] = {}
    terms: set[str] = set()

    def look(node: Node) -> None:
        for part in walk(node):
            if not isinstance(part, tree.Apply):
                continue
            if part.where == "term" and part.name not in terms:
                terms.add(part.name)
                look(profile.terms[part.name].body)
            elif part.where == "choice" and part.name not in found:
                found[part.name] = None
                look(rules.reading(part.name))

    for node in nodes:
        look(node)
    return tuple(found)


def _statements(rules: Rules, reference: str) -> tuple[Statement, ...]:
    """Return the statements behind a rule of a profile.

    A user's own profile is given by no document; the one that it names as its source
    speaks for it.
    """
    try:
        return register().statements_of(rules.profile.name, reference)
    except KeyError:
        found = register().of_document(rules.profile.source)
        return tuple(item for item in found if reference in item.clauses)


def _readings(rules: Rules, name: str) -> tuple[Reading, ...]:
    return register().readings_of(rules.profile.name, name)


def _conditions(position: Position, action: Action) -> tuple[str, ...]:
    """Return the clauses that a legal action meets; finer ones in place of the general."""
    rule = position.rules.profile.actions.get(action.name)
    if rule is None:
        return ()
    found: list[str] = []
    for clause in rule.conditions:
        match clause.test:
            case tree.Call(function="obeys"):
                found.append(Meaning(position, position.turn).binding_set()[0])
            case tree.Call(function="fits"):
                melded = melded_in(action)
                found += _of_meld(position, melded) if melded else []
            case _:
                found.append(clause.id)
    return tuple(dict.fromkeys(found))


def _of_meld(position: Position, melded: Melded) -> list[str]:
    meld = position.rules.profile.melds[melded.meld]
    return [f"meld/{meld.name}", *(clause.id for clause in meld.conditions)]


def _nodes(position: Position, clause: str) -> tuple[Node, ...]:
    """Return the expressions that make up a clause."""
    profile = position.rules.profile
    found: list[Node] = []
    for meld in profile.melds.values():
        found += [item.test for item in meld.conditions if item.id == clause]
    for duty in profile.duties:
        found += [
            profile.terms[name].body
            for name in duty.sets
            if f"{duty.name}/{name}" == clause
        ]
    for action in profile.actions.values():
        found += [item.test for item in action.conditions if item.id == clause]
    found += [item.test for item in profile.invariants if item.id == clause]
    return tuple(found)
