"""Checks of a whole profile: what no single text shows.

A file whose every line reads well can still be broken: a meld that no hand can hold, a
hand size without packets, an option under which the stock does not come out even.
"""

import itertools
from collections.abc import Iterator, Mapping

from bezique.spec import tree
from bezique.spec.codes import Code
from bezique.spec.core import Option, Profile
from bezique.spec.notes import Notes
from bezique.spec.source import Path, Text
from bezique.spec.static import settle, static_value
from bezique.spec.tree import Node

__all__ = ["check", "settings"]

DEEPEST = 100
MOST_SETTINGS = 1000


def check(profile: Profile, text: Text) -> None:
    """Note the problems of a profile that was read without one."""
    notes = Notes(text)
    _check_depth(profile, notes)
    _check_scored(profile, notes)
    if not _check_options(profile, notes):
        return
    largest, most_packs = 0, 0
    for values in _deals(profile):
        _check_deal(profile, values, notes)
        largest = max(largest, static_value(profile.deal.hand_size, values))
        most_packs = max(most_packs, static_value(profile.deck.packs, values))
    if most_packs < 1:
        return
    for name, meld in profile.melds.items():
        path: Path = ("melds", name, "cards")
        # A declaration is made before the draw, one card short of a full hand.
        if meld.size > largest - 1:
            expected = f"at most {largest - 1} cards, which a player declares from"
            notes.problem(path, expected, str(meld.size), "meld-too-large")
        wanted: dict[tuple[str, str | None], int] = {}
        for part in meld.cards:
            kind = (part.rank, part.suit or part.variable)
            wanted[kind] = wanted.get(kind, 0) + part.count
        for (rank, suit), count in wanted.items():
            most = most_packs * (1 if suit else len(profile.deck.suits))
            if count > most:
                expected = f"at most {most} of {rank}, which the packs hold"
                notes.problem(path, expected, str(count), "meld-too-many")


def settings(profile: Profile) -> Iterator[dict[str, bool | int]]:
    """Yield the named values under every setting of the options.

    Of whole numbers between limits the least and the default stand for all.
    """
    yield from _settings(profile, profile.options)


def _settings(
    profile: Profile, options: tuple[Option, ...]
) -> Iterator[dict[str, bool | int]]:
    of_values = [option for option in options if option.of == "value"]
    for picked in itertools.product(*map(_samples, of_values)):
        names = (option.name for option in of_values)
        yield settle(profile, dict(zip(names, picked, strict=True)))


def _samples(option: Option) -> tuple[bool | int | str, ...]:
    if option.values is not None:
        return option.values
    least = option.default if option.min is None else option.min
    return tuple(dict.fromkeys((least, option.default)))


def _deal_options(profile: Profile) -> tuple[Option, ...]:
    """Return the options that the size of the deck or of the hands depends on."""
    deal = (profile.deck.packs, profile.deal.hand_size, profile.deal.turn_up)
    names = {
        node.name
        for expression in deal
        for node in _nodes(expression)
        if isinstance(node, tree.Name)
    }
    return tuple(option for option in profile.options if option.name in names)


def _deals(profile: Profile) -> Iterator[dict[str, bool | int]]:
    """Yield the named values under every setting that makes another deal."""
    yield from _settings(profile, _deal_options(profile))


def _check_options(profile: Profile, notes: Notes) -> bool:
    """Return whether all deals can be looked at one by one."""
    count = 1
    for option in _deal_options(profile):
        if option.values is None:
            path: Path = ("options", option.name)
            expected = "listed values, since the deal depends on them"
            notes.problem(path, expected, "limits", "option")
            return False
        count *= len(option.values)
    if count > MOST_SETTINGS:
        expected = f"at most {MOST_SETTINGS} settings of the deal"
        notes.problem(("options",), expected, str(count), "option")
        return False
    return True


def _check_deal(
    profile: Profile, values: Mapping[str, bool | int], notes: Notes
) -> None:
    """Note what is wrong with the deal under one setting; the same fault counts once."""

    def problem(path: Path, expected: str, got: str, code: Code) -> None:
        notes.problem(path, expected, got, code)

    seats = len(profile.seats)
    packs = static_value(profile.deck.packs, values)
    size = static_value(profile.deal.hand_size, values)
    cards = packs * len(profile.deck.ranks) * len(profile.deck.suits)
    left = cards - size * seats
    turned = static_value(profile.deal.turn_up, values)
    if packs < 1:
        problem(("deck", "packs"), "at least one pack", str(packs), "packs")
        return
    if size not in profile.deal.packets:
        listed = ", ".join(map(str, profile.deal.packets)) or "none"
        problem(("deal", "packets"), f"packets for hands of {size}", listed, "packets")
    if size < 1 or left < turned:
        expected = f"hands that {cards} cards can fill"
        problem(("deal", "hand_size"), expected, f"hands of {size}", "hand-size")
    elif left % seats:
        expected = f"a stock that {seats} seats draw evenly"
        problem(("deal", "hand_size"), expected, f"{left} cards left", "stock-uneven")


def _check_depth(profile: Profile, notes: Notes) -> None:
    """Note terms and choices that nest too deeply when they are written out."""
    depths: dict[str, int] = {}
    texts = {
        **{name: (term.body,) for name, term in profile.terms.items()},
        **{name: tuple(item.values.values()) for name, item in profile.choices.items()},
    }

    def depth(node: Node) -> int:
        inner = [depth(child) for child in _children(node)]
        if isinstance(node, tree.Apply) and node.where != "table":
            inner.append(total(node.name))
        return 1 + max(inner, default=0)

    def total(name: str) -> int:
        if name not in depths:
            depths[name] = max(map(depth, texts[name]))
        return depths[name]

    for name in texts:
        if total(name) > DEEPEST:
            if name in profile.terms:
                path: Path = ("terms", profile.terms[name].signature)
            else:
                path = ("choices", profile.choices[name].signature)
            expected = f"at most {DEEPEST} levels with its terms written out"
            got = f"{name} with {depths[name]}"
            notes.problem(path, expected, got, "term-depth")
            return


def _check_scored(profile: Profile, notes: Notes) -> None:
    """Note rules that ask what has scored and keep no list of it.

    `spent` reads the part `scored`; without it the first declaration would find nothing.
    """
    asks = any(
        isinstance(node, tree.Call) and node.function == "spent"
        for node in _nodes(profile)
    )
    kind = next((str(part.type) for part in profile.state if part.name == "scored"), "")
    wanted = "list of Meld"
    if asks and kind != wanted:
        expected = f"a part scored of type {wanted}, which `spent` reads"
        path: Path = ("state", "scored", "type") if kind else ("state",)
        notes.problem(path, expected, kind or "none", "unknown-state")


def _children(node: Node) -> Iterator[Node]:
    for _, value in node:
        items = value.values() if isinstance(value, dict) else value
        for child in items if isinstance(value, tuple | dict) else (value,):
            if isinstance(child, Node):
                yield child


def _nodes(top: Node) -> Iterator[Node]:
    stack: list[Node] = [top]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(_children(node))
