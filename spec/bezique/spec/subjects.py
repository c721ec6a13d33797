"""Subjects: what a profile has that needs a sentence, and which slots it must fill.

Every clause is a subject; so is every reading of every choice, and so are the parts of
a profile that have no clause of their own (the deck, the deal, the series, the views).

    strict/heads            a clause
    meld/bezique            a meld; its sentence names {points} and {cards}
    choice/bring/one        a reading
    actions/declare         what an action does
    deck/cards deal/hands   parts of the profile, listed in `_parts`
    series/score            a number kept or shown between matches
    views/stock-closed      a zone that nobody, everybody (open) or its owner (own) sees

A sentence must name every number that its rule names: `total(me) >= target` asks for
{target}.
"""

from collections.abc import Iterator

from bezique.spec import tree
from bezique.spec.check import settings
from bezique.spec.core import Profile, Reaction, Verdict, Waiver
from bezique.spec.static import static_value
from bezique.spec.tree import Node

# The dealing of known cards is an action of the language, so its conditions are
# subjects of every profile.
_OF_THE_LANGUAGE = (
    "deal/when", "deal/cards", "deal/hands-size", "deal/turned",
    "deal/first", "deal/next-dealer", "game/aim", "trick/winner", "trick/next", "score/total", "match/next-hand",
)  # fmt: skip


def walk(node: Node) -> Iterator[Node]:
    """Yield a node of the tree and every node below it."""
    yield node
    for value in node.__dict__.values():
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, Node):
                yield from walk(item)


def numbers_named(profile: Profile, *nodes: Node) -> frozenset[str]:
    """Return the named values that expressions and statements count with.

    Terms are looked through; readings are not, because each has its own sentence.
    """
    found: set[str] = set()
    for node in (part for top in nodes for part in walk(top)):
        if isinstance(node, tree.Name) and node.where == "value":
            found |= {node.name} if node.type.kind == "Int" else set()
        elif isinstance(node, tree.Apply) and node.where == "term":
            found |= numbers_named(profile, profile.terms[node.name].body)
    return frozenset(found)


def subjects(profile: Profile) -> dict[str, frozenset[str]]:
    """Return the ids that need a sentence, each with the slots it must fill."""
    found: dict[str, frozenset[str]] = {}

    def add(name: str, slots: frozenset[str] = frozenset()) -> None:
        found[name] = found.get(name, frozenset()) | slots

    def number(*nodes: Node) -> frozenset[str]:
        return numbers_named(profile, *nodes)

    for name, slots in _parts(profile):
        add(name, slots)
    for meld in profile.melds.values():
        add(f"meld/{meld.name}", frozenset({"points", "cards"}))
        for clause in meld.conditions:
            add(clause.id, number(clause.test))
    for duty in profile.duties:
        for term in duty.sets:
            add(f"{duty.name}/{term}", number(profile.terms[term].body))
    for action in profile.actions.values():
        add(f"actions/{action.name}", number(*action.do))
        for clause in action.conditions:
            add(clause.id, number(clause.test))
    for rule in _ruled(profile):
        add(rule.id, number(rule.test, *rule.do))
    for verdict in profile.verdict:
        add(verdict.id, number(*_verdict_parts(verdict)))
    for clause in profile.invariants:
        add(clause.id, number(clause.test))
    for choice in profile.choices.values():
        for value, body in choice.values.items():
            add(f"choice/{choice.name}/{value}", number(body))
    return found


def _parts(profile: Profile) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the parts of a profile that have no clause of their own."""
    deal, series = profile.deal, profile.series
    yield "deck/cards", numbers_named(profile, profile.deck.packs) | {"deck"}
    yield "deck/ranks", frozenset({"order"})
    yield "deal/hands", numbers_named(profile, deal.hand_size)
    yield "deal/packets", frozenset({"packets"})
    for values in settings(profile):
        turned = static_value(deal.turn_up, values)
        yield ("deal/turn-up" if turned else "deal/no-turn-up"), frozenset()
    for name in _OF_THE_LANGUAGE:
        yield name, frozenset()
    if not _is_choice(profile.draw_first):
        yield "draw/first", numbers_named(profile, profile.draw_first)
    dealer = (series.dealer,) if series.dealer else ()
    yield f"series/dealer-{series.by}", numbers_named(profile, *dealer)
    for item in series.state:
        yield f"series/{item.name}", numbers_named(profile, item.next)
    for shown in series.shows:
        yield f"series/{shown.name}", numbers_named(profile, shown.value)
    for zone, seen in profile.views.items():
        if isinstance(seen, tree.Constant):
            yield f"views/{zone}-{'open' if seen.value else 'closed'}", frozenset()
        elif not _is_choice(seen):
            yield f"views/{zone}-own", frozenset()


def _ruled(profile: Profile) -> tuple[Waiver | Reaction, ...]:
    """Return the waivers and reactions: rules with a test and effects."""
    return (*profile.waivers, *profile.after)


def _verdict_parts(verdict: Verdict) -> tuple[tree.Expression, ...]:
    """Return the expressions of a verdict."""
    worth = () if verdict.worth is None else (verdict.worth,)
    return (verdict.test, verdict.winner, *worth)


def _is_choice(node: Node) -> bool:
    """Return whether an expression is a reading and nothing else, with its own sentence."""
    return isinstance(node, tree.Apply) and node.where == "choice"


def choices_used(profile: Profile) -> frozenset[str]:
    """Return the choices that some rule of the profile asks about."""
    found: set[str] = set()
    todo: list[Node] = [
        *(clause.test for clause in profile.invariants),
        *(clause.test for meld in profile.melds.values() for clause in meld.conditions),
        *(item for meld in profile.melds.values() for item in meld.do),
        *(duty.when for duty in profile.duties),
        *(profile.terms[name].body for duty in profile.duties for name in duty.sets),
        *(clause.test for act in profile.actions.values() for clause in act.conditions),
        *(item for act in profile.actions.values() for item in act.do),
        *(part for rule in _ruled(profile) for part in (rule.test, *rule.do)),
        *(part for rule in profile.verdict for part in _verdict_parts(rule)),
        profile.deal.first, profile.deal.next_dealer, profile.draw_first,
        *((profile.series.dealer,) if profile.series.dealer else ()),
        *(item.next for item in profile.series.state),
        *(item.value for item in profile.series.shows),
        *profile.views.values(),
    ]  # fmt: skip
    terms: set[str] = set()
    while todo:
        for node in walk(todo.pop()):
            name = ""
            if isinstance(node, tree.Apply) and node.where == "choice":
                name = node.name
            elif isinstance(node, tree.Call) and node.function == "reading":
                asked = node.arguments[0]
                name = str(asked.value) if isinstance(asked, tree.Constant) else ""
            elif isinstance(node, tree.Apply) and node.name not in terms:
                terms.add(node.name)
                if node.where == "term":
                    todo.append(profile.terms[node.name].body)
            if name and name not in found:
                found.add(name)
                todo += profile.choices[name].values.values()
    return frozenset(found)


def reasons_paid(profile: Profile) -> tuple[str, ...]:
    """Return the words by which points are paid, except the names of melds."""
    rules: list[tree.Statement] = []
    for action in profile.actions.values():
        rules += action.do
    for rule in _ruled(profile):
        rules += rule.do
    found: dict[str, None] = {}
    for node in (part for top in rules for part in walk(top)):
        if isinstance(node, tree.Do) and node.effect == "pay":
            reason = node.arguments[-1]
            if isinstance(reason, tree.Constant):
                found[str(reason.value)] = None
    return tuple(found)
