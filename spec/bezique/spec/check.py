"""Checks of a whole profile: what no single text shows.

A file whose every line reads well can still be broken: a meld that no hand can hold, a
hand size without packets, an option under which the stock does not come out even.
"""

import itertools
from collections.abc import Iterator

from bezique.spec.core import Option, Profile
from bezique.spec.problem import Problem
from bezique.spec.source import Path, Text, path_text
from bezique.spec.static import settle, static_value


def check(profile: Profile, text: Text) -> list[Problem]:
    """Return the problems of a profile that was read without one."""
    found: list[Problem] = []

    def problem(path: Path, expected: str, got: str, code: str) -> None:
        at = path
        while at not in text.marks:
            at = at[:-1]
        found.append(Problem(text.marks[at], expected, got, path_text(path), code))

    largest = 0
    largest_packs = 0
    for values in settings(profile):
        packs = static_value(profile.deck.packs, values)
        size = static_value(profile.deal.hand_size, values)
        cards = packs * len(profile.deck.ranks) * len(profile.deck.suits)
        left = cards - size * len(profile.seats)
        largest, largest_packs = max(largest, size), max(largest_packs, packs)
        if packs < 1:
            problem(("deck", "packs"), "at least one pack", str(packs), "packs")
        if size not in profile.deal.packets:
            problem(("deal", "packets"), f"packets for hands of {size}", ", ".join(map(str, profile.deal.packets)), "packets")
        if left < 0 or (bool(static_value(profile.deal.turn_up, values)) and left < 1):
            problem(("deal", "hand_size"), f"hands that {cards} cards can fill", str(size), "hand-size")
        elif left % len(profile.seats):
            problem(("deal", "hand_size"), "a stock that every seat draws evenly", f"{left} cards left", "stock-uneven")
    for name, meld in profile.melds.items():
        path: Path = ("melds", name, "cards")
        # A declaration is made before the draw, one card short of a full hand.
        if meld.size > largest - 1:
            problem(path, f"at most {largest - 1} cards, which a player declares from", str(meld.size), "meld-too-large")
        for part in meld.cards:
            most = largest_packs * (1 if part.suit or part.variable else len(profile.deck.suits))
            if part.count > most:
                problem(path, f"at most {most} of {part.rank}, which the packs hold", str(part.count), "meld-too-many")
    for family in {meld.family for meld in profile.melds.values()}:
        if not profile.melds:
            problem(("melds",), "a meld", family, "melds")
    return found


def settings(profile: Profile) -> Iterator[dict[str, bool | int]]:
    """Yield the named values under every setting of the options, whole numbers at their least and default."""
    of_values = [option for option in profile.options if option.of == "value"]
    for picked in itertools.product(*(_samples(option) for option in of_values)):
        yield settle(profile, {option.name: value for option, value in zip(of_values, picked, strict=True)})


def _samples(option: Option) -> tuple[bool | int | str, ...]:
    if option.values is not None:
        return option.values
    return tuple(dict.fromkeys((option.default, option.min if option.min is not None else option.default)))
