"""Show: the tree as text again, which reads back as the same tree.

Texts are made afresh, not remembered: `is None` for a comparison with None, brackets
only where the tree needs them.  A whole profile is shown as one rule file without a
base, which loads to the same digest.

Terms
    rank    how tightly a text holds together, from `x if t else y` to a single name

Source: the order of operators in Python's expressions.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from bezique.spec import core, tree
from bezique.spec.source import Plain, is_plain
from bezique.spec.tree import Expression, Statement

__all__ = ["show_expression", "show_profile", "show_statement"]

NARROW = 64

EITHER, OR, AND, NOT, COMPARE, UNION, PLUS, TIMES, MINUS, ATOM = range(10)
_OPTIONAL = ("options", "tables", "waivers", "after", "invariants", "sentences")
_SIGNS = {"|": UNION, "+": PLUS, "-": PLUS, "*": TIMES, "//": TIMES, "%": TIMES}


def show_expression(expression: Expression) -> str:
    """Return an expression as text.

    >>> from bezique.spec.load import load
    >>> show_expression(load("cady").terms["follows"].body)
    'suit(c) == suit(led)'
    """
    return _shown(expression)[0]


def show_statement(statement: Statement) -> str:
    """Return a statement as a rule file has it, on one line.

    >>> from bezique.spec.load import load
    >>> show_statement(load("cady").melds["marriage"].do[0])
    '{if: trump is None, do: [trump = s]}'
    """
    plain = _statement(statement)
    if isinstance(plain, str):
        return plain
    return " ".join(_dumped(plain, flow=True).split())


def show_profile(profile: core.Profile) -> str:
    """Return the rules of a profile as one rule file that is based on no other."""
    file = {
        section: part
        for section, part in _file(profile).items()
        if part or section not in _OPTIONAL
    }
    text = _dumped(file, flow=False)
    return f"# The rules of {profile.name}, {profile.digest}.\n{text}"


# --- expressions ----------------------------------------------------------------------


def _shown(node: Expression) -> tuple[str, int]:
    """Return the text of an expression and its rank."""
    match node:
        case tree.Constant(value=value):
            return _constant(node), MINUS if isinstance(value, int) else ATOM
        case tree.Name(name=name):
            return name, ATOM
        case tree.Apply(name=name, arguments=arguments):
            return name + (f"({_list(arguments)})" if arguments else ""), ATOM
        case tree.Call(function=name, arguments=arguments):
            return f"{name}({_list(arguments)})", ATOM
        case tree.Part(of=of, name=name):
            return f"{_within(of, ATOM)}.{name}", ATOM
        case tree.Not(of=tree.Member() as member):
            return _member(member, "not in"), COMPARE
        case tree.Not(of=of):
            return f"not {_within(of, NOT)}", NOT
        case tree.Logic(word=word, items=items):
            rank = AND if word == "and" else OR
            texts = [_within(item, rank + 1) for item in items]
            return f" {word} ".join(texts), rank
        case tree.Compare():
            return _comparison(node), COMPARE
        case tree.Member():
            return _member(node, "in"), COMPARE
        case tree.Sum(sign=sign, left=left, right=right):
            rank = _SIGNS[sign]
            return f"{_within(left, rank)} {sign} {_within(right, rank + 1)}", rank
        case tree.Either(test=test, then=then, other=other):
            texts = [_within(then, OR), _within(test, OR), _within(other, EITHER)]
            return "{} if {} else {}".format(*texts), EITHER
        case tree.Group(items=items):
            return _group(node), ATOM
        case tree.Each():
            return _each(node), ATOM


def _within(node: Expression, rank: int) -> str:
    """Return the text of an expression, in brackets if it holds less than `rank`."""
    text, own = _shown(node)
    return text if own >= rank else f"({text})"


def _list(nodes: Sequence[Expression]) -> str:
    return ", ".join(map(show_expression, nodes))


def _constant(node: tree.Constant) -> str:
    return repr(node.value) if node.type.kind in ("Word", "Int") else str(node.value)


def _comparison(node: tree.Compare) -> str:
    sign: str = node.sign
    if isinstance(node.right, tree.Constant) and node.right.value is None:
        sign = {"==": "is", "!=": "is not"}.get(sign, sign)
    return f"{_within(node.left, UNION)} {sign} {_within(node.right, UNION)}"


def _member(node: tree.Member, word: str) -> str:
    return f"{_within(node.item, UNION)} {word} {_within(node.group, UNION)}"


def _group(node: tree.Group) -> str:
    text = _list(node.items)
    if node.type.kind == "list":
        return f"[{text}]"
    return f"({text},)" if len(node.items) == 1 else f"({text})"


def _each(node: tree.Each) -> str:
    text = f"{show_expression(node.body)} for {node.variable}"
    text += f" in {_within(node.group, OR)}"
    if node.test:
        text += f" if {_within(node.test, OR)}"
    if node.fold == "set":
        return f"{{{text}}}"
    return f"[{text}]" if node.fold == "list" else f"{node.fold}({text})"


# --- statements -----------------------------------------------------------------------


def _statement(statement: Statement) -> Plain:
    """Return a statement as the plain value that a rule file has."""
    match statement:
        case tree.Assign(name=name, sign=sign, value=value):
            return f"{name} {sign} {show_expression(value)}"
        case tree.Do(effect=effect, arguments=arguments):
            return f"{effect}({', '.join(map(_effect_argument, arguments))})"
        case tree.When(test=test, then=then, other=other):
            when: dict[str, Plain] = {"if": _value(test), "do": _block(then)}
            return when | ({"else": _block(other)} if other else {})
        case tree.ForEach(variable=variable, group=group, body=body):
            loop = f"{variable} in {show_expression(group)}"
            return {"for": loop, "do": _block(body)}


def _effect_argument(argument: Expression) -> str:
    match argument:
        case tree.Group(type=kind, items=[item]) if item.type == kind.item:
            return show_expression(item)  # `show(card)` is short for one card
    return show_expression(argument)


def _block(statements: Sequence[Statement]) -> Plain:
    return [_statement(statement) for statement in statements]


def _value(expression: Expression) -> Plain:
    """Return an expression as a rule file has it: numbers and truth values plain."""
    match expression:
        case tree.Constant(value=bool() | int() as value):
            return value
    return show_expression(expression)


# --- profiles -------------------------------------------------------------------------


def _file(profile: core.Profile) -> dict[str, Plain]:
    """Return the rule file of a profile as a plain value."""
    melds, series = profile.melds.values(), profile.series
    dealer: dict[str, Plain] = {"by": series.by}
    if series.dealer:
        dealer["seat"] = _value(series.dealer)
    return {
        "language": 1,
        "version": profile.version,
        "profile": profile.name,
        "source": profile.source,
        "deck": {
            "ranks": " ".join(profile.deck.ranks),
            "suits": " ".join(profile.deck.suits),
            "packs": _value(profile.deck.packs),
        },
        "seats": " ".join(profile.seats),
        "letters": _letters(profile),
        "values": dict(profile.values),
        "options": {option.name: _option(option) for option in profile.options},
        "tables": {name: dict(table) for name, table in profile.tables.items()},
        "state": {part.name: _state(part) for part in profile.state},
        "terms": {term.signature: _value(term.body) for term in profile.terms.values()},
        "choices": {
            choice.signature: {
                name: _value(value) for name, value in choice.values.items()
            }
            for choice in profile.choices.values()
        },
        "readings": {name: item.picked for name, item in profile.choices.items()},
        "melds": {meld.name: _meld(meld) for meld in melds},
        "duties": {
            duty.name: {"when": _value(duty.when), "sets": list(duty.sets)}
            for duty in profile.duties
        },
        "actions": {item.name: _action(item) for item in profile.actions.values()},
        "waivers": {
            item.id: {"waives": item.waives, **_conditional(item)}
            for item in profile.waivers
        },
        "after": {
            item.id: {"upon": item.upon, **_conditional(item)} for item in profile.after
        },
        "verdict": {item.id: _verdict(item) for item in profile.verdict},
        "deal": _deal(profile.deal),
        "draw": {"first": _value(profile.draw_first)},
        "series": {
            "player": series.player,
            "dealer": dealer,
            "state": {
                tally.name: {"start": tally.start, "next": _value(tally.next)}
                for tally in series.state
            },
            "shows": {
                shown.name: {"value": _value(shown.value), "decimals": shown.decimals}
                for shown in series.shows
            },
        },
        "views": {zone: _value(test) for zone, test in profile.views.items()},
        "invariants": _clauses(profile.invariants),
        "sentences": {name: dict(words) for name, words in profile.sentences.items()},
    }


def _letters(profile: core.Profile) -> Plain:
    """Return the letters that a profile uses, with their types."""
    items: list[core.Term | core.Choice] = [
        *profile.terms.values(),
        *profile.choices.values(),
    ]
    found = {part.name: str(part.type) for item in items for part in item.parameters}
    for meld in profile.melds.values():
        found |= dict.fromkeys(meld.variables, "Suit")
    return dict(found)


def _option(option: core.Option) -> Plain:
    if option.values is not None:
        return {"values": list(option.values)}
    limits: Mapping[str, int | None] = {"min": option.min, "max": option.max}
    return {name: limit for name, limit in limits.items() if limit is not None}


def _state(part: core.State) -> Plain:
    kept: dict[str, Plain] = {"type": str(part.type), "per": part.per}
    return kept | ({"unless_empty": True} if part.unless_empty else {})


def _clauses(clauses: Sequence[core.Clause]) -> Plain:
    return {clause.id: _value(clause.test) for clause in clauses}


def _meld(meld: core.Meld) -> Plain:
    shown: dict[str, Plain] = {
        "family": meld.family,
        "level": meld.level,
        "cards": " ".join(map(_pattern, meld.cards)),
        "points": _value(meld.points),
        "if": _clauses(meld.conditions),
    }
    return shown | ({"do": _block(meld.do)} if meld.do else {})


def _pattern(part: core.CardPattern) -> str:
    count = f"{part.count} " if part.count > 1 or part.rank.isdecimal() else ""
    suit = part.suit or part.variable
    return f"{count}{part.rank}" + (f"({suit})" if suit else "")


def _action(action: core.Action) -> Plain:
    takes: dict[str, Plain] = {
        part.name: list(part.type.words) or str(part.type) for part in action.takes
    }
    shown: dict[str, Plain] = {"takes": takes} if takes else {}
    shown |= {"if": _clauses(action.conditions), "do": _block(action.do)}
    return shown | ({"ruling": True} if action.ruling else {})


def _conditional(item: core.Waiver | core.Reaction) -> dict[str, Plain]:
    return {"if": _value(item.test), "do": _block(item.do)}


def _verdict(verdict: core.Verdict) -> Plain:
    shown = {"if": _value(verdict.test), "winner": _value(verdict.winner)}
    return shown | ({"worth": _value(verdict.worth)} if verdict.worth else {})


def _deal(deal: core.Deal) -> Plain:
    return {
        "hand_size": _value(deal.hand_size),
        "packets": {
            str(size): " ".join(map(str, packets))
            for size, packets in deal.packets.items()
        },
        "first": _value(deal.first),
        "turn_up": _value(deal.turn_up),
        "next_dealer": _value(deal.next_dealer),
    }


# --- YAML -----------------------------------------------------------------------------


class _Dumper(yaml.SafeDumper):
    """Writes what `bezique.spec.source` reads: no aliases, quotes where they matter."""

    def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002
        return True

    def represent_mapping(
        self,
        tag: str,
        mapping: Any,  # noqa: ANN401  (PyYAML)
        flow_style: bool | None = None,  # noqa: FBT001  (PyYAML)
    ) -> yaml.MappingNode:
        node = super().represent_mapping(tag, mapping, flow_style)
        node.flow_style = self.default_flow_style or _width(node) <= NARROW
        return node

    def represent_sequence(
        self,
        tag: str,
        sequence: Any,  # noqa: ANN401  (PyYAML)
        flow_style: bool | None = None,  # noqa: FBT001  (PyYAML)
    ) -> yaml.SequenceNode:
        node = super().represent_sequence(tag, sequence, flow_style)
        node.flow_style = self.default_flow_style or _width(node) <= NARROW
        return node


def _represent(dumper: _Dumper, text: str) -> yaml.ScalarNode:
    style = None if is_plain(text) else "'"
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


def _width(node: yaml.Node) -> int:
    """Return how many columns a node takes on one line, or a little more."""
    if isinstance(node, yaml.MappingNode):
        return sum(_width(key) + _width(item) + 4 for key, item in node.value)
    if isinstance(node, yaml.SequenceNode):
        return sum(_width(item) + 2 for item in node.value)
    return len(node.value)


_Dumper.add_representer(str, _represent)


def _dumped(plain: Plain, *, flow: bool) -> str:
    """Return YAML text: on one line, or with brackets for what is narrow only."""
    text: str = yaml.dump(
        plain,
        Dumper=_Dumper,
        default_flow_style=flow,
        sort_keys=False,
        allow_unicode=True,
        width=88,
    )
    return text
