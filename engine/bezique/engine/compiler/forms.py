"""Forms: the melds of a table by the faces of their cards.

A *form* is a meld with its open suits named: `K(s) Q(s)` has four.  Forms whose cards lie
together (a suit's court, the kings) make a *group*; which melds a hand holds of a group
depends on the few cards of that group alone, so that the answer is kept by them.

A hand is one number, the sum of its cards' numbers: a bit for each card of the pack, and
above these a counter for each group.  A counter's highest bit is set once the group has as
many cards as its smallest meld takes; all others cannot hold a meld and are not looked at.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, combinations, product
from typing import TypeAlias

from bezique.engine.cards import Card
from bezique.engine.compiler.decided import possible_suits
from bezique.engine.melds import bindings
from bezique.engine.position import Melded
from bezique.engine.rules import Rules
from bezique.spec.core import Meld

MOST_KEPT = 1 << 12
"""How many answers are kept of a kind before they are forgotten; a hand needs few."""

Suits: TypeAlias = tuple[str, ...]
Needs: TypeAlias = tuple[tuple[str, str | None, int], ...]
Place: TypeAlias = tuple[int, int, int]
Found: TypeAlias = tuple[tuple[Place, Melded], ...]


@dataclass(frozen=True)
class Form:
    """A meld with its suits named.

    `needs` says which faces it takes and how many of each (a suit of None is any suit);
    `possible` is False where its conditions refuse these suits for good.
    """

    meld: int
    way: int
    name: str
    size: int
    needs: Needs
    parts: tuple[tuple[tuple[Card, ...], int], ...]
    possible: bool

    @property
    def cards(self) -> frozenset[Card]:
        """Return every card that can be in it."""
        return frozenset(chain.from_iterable(fitting for fitting, _ in self.parts))

    def among(self, held: frozenset[Card]) -> Iterator[tuple[int, frozenset[Card]]]:
        """Yield each way to make it up of cards held, with its place among the ways."""
        parts = [
            combinations([card for card in fitting if card in held], count)
            for fitting, count in self.parts
        ]
        for place, chosen in enumerate(product(*parts)):
            taken = frozenset(chain.from_iterable(chosen))
            if len(taken) == self.size:
                yield place, taken


class Group:
    """Forms whose cards lie together.

    Args:
        me: The seat that holds the cards.
        forms: The forms, in order; those of one meld that can take the same cards are in
            one group.
        bits: The bit of each card of the pack.
    """

    def __init__(self, me: str, forms: list[Form], bits: Mapping[Card, int]) -> None:
        self.me = me
        cards = frozenset(chain.from_iterable(form.cards for form in forms))
        self.bits = {card: bits[card] for card in cards}
        self.mask = sum(self.bits.values())
        self.least = min(form.size for form in forms)
        """How many cards its smallest meld takes."""
        self.kept: dict[int, Found] = {}
        """The melds by the cards held, those that were asked for."""
        self.forms = [
            (form, [(sum(bits[card] for card in fit), n) for fit, n in form.parts])
            for form in forms
        ]

    def among(self, mask: int) -> Found:
        """Return the melds among the cards of a mask, with their places."""
        found: dict[tuple[str, frozenset[Card]], tuple[Place, Melded]] = {}
        for form, parts in self.forms:
            for fitting, count in parts:
                if (mask & fitting).bit_count() < count:
                    break
            else:
                held = frozenset(card for card, bit in self.bits.items() if mask & bit)
                for place, taken in form.among(held):
                    # Two ways to name the suits can take the same cards: the first counts.
                    at = form.meld, form.way, place
                    melded = Melded(self.me, form.name, taken)
                    found.setdefault((form.name, taken), (at, melded))
        return tuple(found.values())


class _Numbers(dict[Card, int]):
    """The number of each card; a card that shows no face counts for nothing."""

    def __missing__(self, _: Card) -> int:
        return 0


class Forms:
    """The forms of a table's melds.

    Args:
        rules: Rules with options settled.
        every: Whether melds whose conditions refuse all their suits for good are
            among them; whoever asks that a meld fits needs them not.
    """

    def __init__(self, rules: Rules, *, every: bool = False) -> None:
        self.rules = rules
        numbers = _Numbers({card: 1 << place for card, place in rules.place.items()})
        groups = list(_grouped(_forms(rules), every=every))
        self._groups = {
            seat: [Group(seat, forms, numbers) for forms in groups]
            for seat in rules.seats
        }
        most = max([len(rules.pack), *(g.least for g in self._groups[rules.seats[0]])])
        width = most.bit_length() + 1  # of a counter
        self._none = 0
        """What a hand of no cards counts: each counter lacks its smallest meld's cards."""
        self._fulls: list[int] = []
        """Of each group, the highest bit of its counter."""
        for number, group in enumerate(self._groups[rules.seats[0]]):
            one = 1 << len(rules.pack) + number * width
            full = one << width - 1
            for card in group.bits:
                numbers[card] += one
            self._none += full - one * group.least
            self._fulls.append(full)
        self._full = sum(self._fulls)
        self._number = numbers.__getitem__
        self._ready: dict[tuple[str, int], list[Group]] = {}
        """The groups that can hold a meld, by the seat and the counters' highest bits."""
        self._suits: dict[tuple[str, frozenset[Card]], tuple[Suits, ...]] = {}

    def among(self, me: str, cards: frozenset[Card]) -> list[Melded]:
        """Return every meld that some of the cards make up, each set of cards once.

        They come in the order of the rules, then of the suits, then of the cards.
        """
        hand = sum(map(self._number, cards), self._none)
        full = hand & self._full
        if not full:
            return []
        found: Found = ()
        for group in self._ready.get((me, full)) or self._those_ready(me, full):
            held = hand & group.mask
            melds = group.kept.get(held)
            if melds is None:
                if len(group.kept) > MOST_KEPT:
                    group.kept.clear()
                melds = group.kept[held] = group.among(held)
            found += melds
        return [melded for _, melded in sorted(found)] if found else []

    def _those_ready(self, me: str, full: int) -> list[Group]:
        """Return the groups whose counters' highest bits are among these."""
        if len(self._ready) > MOST_KEPT:
            self._ready.clear()
        ready = self._ready[me, full] = [
            group
            for group, bit in zip(self._groups[me], self._fulls, strict=True)
            if bit & full
        ]
        return ready

    def suits(self, melded: Melded) -> tuple[Suits, ...]:
        """Return the ways to name a meld's open suits so that it takes just these cards."""
        key = melded.meld, melded.cards
        found = self._suits.get(key)
        if found is None:
            if len(self._suits) > MOST_KEPT:
                self._suits.clear()
            meld = self.rules.profile.melds[melded.meld]
            named = bindings(self.rules, meld, melded.cards)
            found = self._suits[key] = tuple(tuple(item.values()) for item in named)
        return found


def _forms(rules: Rules) -> Iterator[Form]:
    """Yield every form of every meld, in order."""
    for number, meld in enumerate(rules.profile.melds.values()):
        ways = product(rules.profile.deck.suits, repeat=len(meld.variables))
        for way, suits in enumerate(ways):
            needs = tuple(_needs(meld, suits))
            parts = tuple(
                (_fitting(rules, rank, suit), count) for rank, suit, count in needs
            )
            possible = possible_suits(rules, meld, suits)
            yield Form(number, way, meld.name, meld.size, needs, parts, possible)


def _needs(meld: Meld, suits: Suits) -> Iterator[tuple[str, str | None, int]]:
    named = dict(zip(meld.variables, suits, strict=True))
    for part in meld.cards:
        yield part.rank, part.suit or named.get(part.variable or ""), part.count


def _fitting(rules: Rules, rank: str, suit: str | None) -> tuple[Card, ...]:
    return tuple(
        card for card in rules.pack if card.rank == rank and suit in (None, card.suit)
    )


def _grouped(forms: Iterable[Form], *, every: bool) -> Iterator[list[Form]]:
    """Yield the forms in groups, without the melds never possible there unless all are asked."""
    groups: list[list[Form]] = []
    for form in sorted(forms, key=lambda form: -len(form.cards)):
        apart: list[list[Form]] = []
        joined = [form]
        for group in groups:
            if any(_together(form, other) for other in group):
                joined += group
            else:
                apart.append(group)
        groups = [*apart, joined]
    for group in groups:
        possible = {form.name for form in group if every or form.possible}
        left = [form for form in group if form.name in possible]
        if left:
            yield sorted(left, key=lambda form: (form.meld, form.way))


def _together(one: Form, two: Form) -> bool:
    """Return whether the cards of one lie within the other's, or one meld can be both."""
    if one.cards <= two.cards or two.cards <= one.cards:
        return True
    free = any(suit is None for _, suit, _ in (*one.needs, *two.needs))
    alike = free or sorted(one.needs) == sorted(two.needs)
    return one.name == two.name and alike and not one.cards.isdisjoint(two.cards)
