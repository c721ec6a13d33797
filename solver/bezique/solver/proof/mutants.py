"""Mutants: wrong rules, made from right ones by one small change.

Each mutant changes one thing in the typed tree: a condition is dropped or turned round, a sign
is taken for its neighbour, the led suit for trumps, a set moved or left out, points, a rank, a
phase, an effect or a reading changed.  Z3 then decides over all sensible situations whether the
mutant plays another game, with a smallest witness, or the same one; where only bounded
situations can tell, the answer is "not distinguished within the bound", never "equivalent".
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from bezique.engine.rules import Rules
from bezique.solver.proof.beyond import BOUND, EQUIVALENT
from bezique.solver.proof.difference import Comparison
from bezique.solver.proof.search import Limits
from bezique.solver.proof.witness import Difference
from bezique.spec import core, tree
from bezique.spec.core import Profile
from bezique.spec.kinds import BOOL, PHASE, RANK
from bezique.spec.tree import Expression

_NEIGHBOURS = {">": ">=", ">=": ">", "<": "<=", "<=": "<", "==": "!=", "!=": "=="}

PAIR = 2  # of things, where one can be dropped


@dataclass(frozen=True)
class Mutant:
    """A profile with one thing changed: the kind of change, where, and what, in words."""

    kind: str
    clause: str
    what: str
    profile: Profile

    @property
    def name(self) -> str:
        """Return the mutant's name: kind, clause and what was changed."""
        return f"{self.kind} {self.clause}: {self.what}"


@dataclass(frozen=True)
class Decided:
    """What became of a mutant: `differs`, `equivalent` or `not distinguished within the bound`."""

    mutant: Mutant
    verdict: str
    difference: Difference | None = None


def mutants(profile: Profile) -> Iterator[Mutant]:
    """Yield the mutants of a profile, in the order of its parts, each with a name of its own."""
    seen: Counter[str] = Counter()
    for mutant in _all(profile):
        seen[mutant.name] += 1
        place = seen[mutant.name]
        what = mutant.what if place == 1 else f"{mutant.what}, place {place}"
        yield replace(mutant, what=what)


def _all(profile: Profile) -> Iterator[Mutant]:
    yield from _terms(profile)
    yield from _conditions(profile)
    yield from _duties(profile)
    yield from _melds(profile)
    yield from _effects(profile)
    yield from _reactions(profile)
    yield from _verdicts(profile)
    yield from _readings(profile)


def decided(
    rules: Rules,
    mutant: Mutant,
    pool: dict[Any, Any],
    limits: Limits | None = None,
) -> Decided:
    """Return whether a mutant can be told from its rules.

    Args:
        rules: The right rules, under the options to compare under.
        mutant: A mutant of their profile.
        pool: Grounds of the same rules, shared from mutant to mutant; filled on the way.
        limits: How much each question may cost.
    """
    comparison = Comparison(
        rules, Rules(mutant.profile, rules.given), limits or Limits(), pool, slots=2
    )
    undecided = False
    for difference in comparison.differences():
        if difference.verdict == "differs":
            return Decided(mutant, "differs", difference)
        undecided |= difference.verdict != EQUIVALENT
    return Decided(mutant, BOUND if undecided else EQUIVALENT)


# --- changes to expressions ---------------------------------------------------------------------


def changed(node: Any, profile: Profile) -> Iterator[tuple[str, str, Any]]:
    """Yield every expression that differs from a given one by one small change, with kind and words."""
    match node:
        case tree.Compare(sign=sign):
            yield (
                "sign",
                f"{_NEIGHBOURS[sign]} for {sign}",
                node.model_copy(update={"sign": _NEIGHBOURS[sign]}),
            )
        case tree.Logic(word=word, items=items):
            other = "or" if word == "and" else "and"
            yield (
                "logic",
                f"{other} for {word}",
                node.model_copy(update={"word": other}),
            )
            if len(items) > PAIR:
                yield from (
                    (
                        "drop",
                        f"part {number + 1} of {word}",
                        node.model_copy(
                            update={"items": items[:number] + items[number + 1 :]}
                        ),
                    )
                    for number in range(len(items))
                )
            else:
                yield from (
                    ("drop", f"part {2 - number} of {word}", items[number])
                    for number in range(2)
                )
        case tree.Not(of=of):
            yield "negate", "without not", of
        case tree.Constant(type=kind, value=value) if kind == RANK:
            ranks = profile.deck.ranks
            near = ranks[(ranks.index(str(value)) + 1) % len(ranks)]
            yield "rank", f"{near} for {value}", node.model_copy(update={"value": near})
        case tree.Constant(type=kind, value=value) if kind == PHASE and value in (
            "lead",
            "follow",
            "declare",
        ):
            near = {"lead": "follow", "follow": "declare", "declare": "lead"}[
                str(value)
            ]
            yield (
                "phase",
                f"{near} for {value}",
                node.model_copy(update={"value": near}),
            )
        case tree.Name(where="state", name="trump") if any(
            part.name == "trump" for part in profile.state
        ):
            suit = tree.Call(
                type=node.type,
                function="suit",
                arguments=(
                    tree.Name.model_validate(
                        {
                            "type": {"kind": "Card", "optional": True},
                            "where": "fact",
                            "name": "led",
                        }
                    ),
                ),
            )
            yield "swap", "the led suit for trumps", suit
        case tree.Each(fold=fold) if fold in ("all", "any"):
            other = "any" if fold == "all" else "all"
            yield (
                "logic",
                f"{other} for {fold}",
                node.model_copy(update={"fold": other}),
            )
        case tree.Either(then=then, other=other):
            yield (
                "swap",
                "the two sides of if",
                node.model_copy(
                    update={
                        "then": other,
                        "other": then,
                        "type": node.type.maybe()
                        if then.type.optional or other.type.optional
                        else node.type,
                    }
                ),
            )
    if isinstance(node, tree.Node):
        for name in type(node).model_fields:
            inner = getattr(node, name)
            if isinstance(inner, tree.Node):
                yield from (
                    (kind, what, node.model_copy(update={name: new}))
                    for kind, what, new in changed(inner, profile)
                )
            elif isinstance(inner, tuple) and any(
                isinstance(item, tree.Node) for item in inner
            ):
                for number, item in enumerate(inner):
                    yield from (
                        (kind, what, node.model_copy(update={name: (*inner[:number], new, *inner[number + 1 :])})) for kind, what, new in changed(item, profile)
                    )  # fmt: skip


def _tests(test: Expression, profile: Profile) -> Iterator[tuple[str, str, Expression]]:
    """Yield every change of a condition: dropped, turned round, or changed inside."""
    yield "drop", "the condition", tree.Constant(type=BOOL, value=True)
    yield "negate", "the condition", tree.Not(type=BOOL, of=test)
    yield from changed(test, profile)


# --- changes to parts ----------------------------------------------------------------------------


def _terms(profile: Profile) -> Iterator[Mutant]:
    for name, term in profile.terms.items():
        for kind, what, body in changed(term.body, profile):
            terms = {**profile.terms, name: term.model_copy(update={"body": body})}
            yield Mutant(kind, f"terms/{name}", what, _with(profile, terms=terms))


def _conditions(profile: Profile) -> Iterator[Mutant]:
    for name, action in profile.actions.items():
        if action.ruling:
            continue
        for clause, kind, what, conditions in _each_clause(action.conditions, profile):
            actions = {
                **profile.actions,
                name: action.model_copy(update={"conditions": conditions}),
            }
            yield Mutant(kind, clause, what, _with(profile, actions=actions))


def _each_clause(
    clauses: tuple[core.Clause, ...], profile: Profile
) -> Iterator[tuple[str, str, str, tuple[core.Clause, ...]]]:
    for number, clause in enumerate(clauses):
        for kind, what, test in _tests(clause.test, profile):
            mutated = clause.model_copy(update={"test": test})
            yield (
                clause.id,
                kind,
                what,
                (*clauses[:number], mutated, *clauses[number + 1 :]),
            )


def _duties(profile: Profile) -> Iterator[Mutant]:
    for number, duty in enumerate(profile.duties):

        def with_sets(
            sets: tuple[str, ...], number: int = number, duty: core.Duty = duty
        ) -> Profile:
            mutated = duty.model_copy(update={"sets": sets})
            return _with(
                profile,
                duties=(
                    *profile.duties[:number],
                    mutated,
                    *profile.duties[number + 1 :],
                ),
            )

        for place in range(len(duty.sets) - 1):
            one, two = duty.sets[place : place + 2]
            yield Mutant(
                "drop",
                f"{duty.name}/{one}",
                "the set",
                with_sets((*duty.sets[:place], *duty.sets[place + 1 :])),
            )
            if place < len(duty.sets) - 2:
                yield Mutant(
                    "reorder",
                    f"{duty.name}/{one}",
                    f"after {two}",
                    with_sets((*duty.sets[:place], two, one, *duty.sets[place + 2 :])),
                )
        for kind, what, when in changed(duty.when, profile):
            mutated = duty.model_copy(update={"when": when})
            yield Mutant(
                kind,
                duty.name,
                what,
                _with(
                    profile,
                    duties=(
                        *profile.duties[:number],
                        mutated,
                        *profile.duties[number + 1 :],
                    ),
                ),
            )


def _melds(profile: Profile) -> Iterator[Mutant]:
    for name, meld in profile.melds.items():

        def with_meld(
            name: str = name, meld: core.Meld = meld, **update: Any
        ) -> Profile:
            return _with(
                profile, melds={**profile.melds, name: meld.model_copy(update=update)}
            )

        for step in (10, -10):
            points = tree.Sum.model_validate(
                {
                    "type": meld.points.type,
                    "sign": "+",
                    "left": meld.points,
                    "right": tree.Constant(type=meld.points.type, value=step),
                }
            )
            yield Mutant(
                "points", f"meld/{name}", f"{step:+} points", with_meld(points=points)
            )
        yield Mutant(
            "level", f"meld/{name}", "+1 level", with_meld(level=meld.level + 1)
        )
        for clause, kind, what, conditions in _each_clause(meld.conditions, profile):
            yield Mutant(
                kind, f"meld/{name} {clause}", what, with_meld(conditions=conditions)
            )


def _effects(profile: Profile) -> Iterator[Mutant]:
    for name, action in profile.actions.items():
        if action.ruling or len(action.do) < PAIR:
            continue
        for number in range(len(action.do)):
            do = action.do[:number] + action.do[number + 1 :]
            actions = {**profile.actions, name: action.model_copy(update={"do": do})}
            yield Mutant(
                "effect",
                f"{name}/do",
                f"without effect {number + 1}",
                _with(profile, actions=actions),
            )


def _reactions(profile: Profile) -> Iterator[Mutant]:
    for number, reaction in enumerate(profile.after):

        def with_reaction(
            mutated: core.Reaction | None, number: int = number
        ) -> Profile:
            kept = () if mutated is None else (mutated,)
            return _with(
                profile,
                after=(*profile.after[:number], *kept, *profile.after[number + 1 :]),
            )

        yield Mutant("drop", reaction.id, "the reaction", with_reaction(None))
        for kind, what, test in _tests(reaction.test, profile):
            yield Mutant(
                kind,
                reaction.id,
                what,
                with_reaction(reaction.model_copy(update={"test": test})),
            )


def _verdicts(profile: Profile) -> Iterator[Mutant]:
    for number, verdict in enumerate(profile.verdict):

        def with_verdict(
            number: int = number, verdict: core.Verdict = verdict, **update: Any
        ) -> Profile:
            mutated = verdict.model_copy(update=update)
            return _with(
                profile,
                verdict=(
                    *profile.verdict[:number],
                    mutated,
                    *profile.verdict[number + 1 :],
                ),
            )

        for kind, what, test in _tests(verdict.test, profile):
            yield Mutant(kind, verdict.id, what, with_verdict(test=test))
        yield Mutant(
            "drop",
            verdict.id,
            "the verdict",
            _with(
                profile,
                verdict=(*profile.verdict[:number], *profile.verdict[number + 1 :]),
            ),
        )


def _readings(profile: Profile) -> Iterator[Mutant]:
    for name, choice in profile.choices.items():
        for value in choice.values:
            if value != choice.picked:
                choices = {
                    **profile.choices,
                    name: choice.model_copy(update={"picked": value}),
                }
                yield Mutant(
                    "choice",
                    f"choice/{name}",
                    f"{value} for {choice.picked}",
                    _with(profile, choices=choices),
                )


def _with(profile: Profile, **update: Any) -> Profile:
    """Return a profile with parts replaced; what was worked out for the old one is forgotten."""
    mutated = profile.model_copy(update=update)
    for name in ("digest", "clause_ids"):
        mutated.__dict__.pop(name, None)
    return mutated
