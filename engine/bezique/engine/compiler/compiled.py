"""Compiled code: the module of a table, running.

`Compiled` carries out the rules as `Interpreted` does, and answers alike; it is what plays.
The module's text is registered with `linecache` under `<bezique NAME DIGEST NUMBER>`
for as long as it is there.
"""

import linecache
import weakref
from collections.abc import Callable
from functools import cached_property, reduce
from itertools import count
from operator import or_
from typing import TYPE_CHECKING, Any, TypeAlias

from bezique.engine.action import Action
from bezique.engine.cards import Card
from bezique.engine.compiler import naming, runtime
from bezique.engine.compiler.expressions import Folding, holds_always
from bezique.engine.compiler.forms import Forms
from bezique.engine.compiler.module import Module, constants
from bezique.engine.compiler.sets import BeyondMasksError, SetTables, first, lookup
from bezique.engine.evaluate import Meaning, lacks
from bezique.engine.position import Melded, Position, in_order
from bezique.engine.rules import Rules
from bezique.spec.kinds import PHASES

if TYPE_CHECKING:
    from bezique.engine.draft import Draft

Listing: TypeAlias = Callable[[Position, str, frozenset[Card]], tuple[Action, ...]]
MeldConditions: TypeAlias = dict[str, list[tuple[str, Any]]]

_numbers = count(1)


class Compiled:
    """The rules of a table as Python code.

    Args:
        rules: Rules with options settled.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.source = Module(rules).source()
        """The text of the module."""
        self.file = (
            f"<bezique {rules.profile.name} {rules.profile.digest} {next(_numbers)}>"
        )
        lines = self.source.splitlines(keepends=True)
        linecache.cache[self.file] = (len(self.source), None, lines, self.file)
        # The text goes with the code.
        weakref.finalize(self, linecache.cache.pop, self.file, None).atexit = False
        self.names: dict[str, Any] = self._names()
        exec(compile(self.source, self.file, "exec"), self.names)  # noqa: S102  (our own text, from checked rules)
        actions = rules.profile.actions
        self._listed: dict[str, Listing] = {
            phase: self.names[naming.of("listed", phase)] for phase in PHASES
        }
        self._failing = {
            name: self.names[naming.of("failing", name)] for name in actions
        }
        self._do = {name: self.names[naming.of("do", name)] for name in actions}
        self._takes = {
            name: tuple(parameter.name for parameter in action.takes)
            for name, action in actions.items()
        }
        self.upon = {
            name.removeprefix("upon_"): value
            for name, value in self.names.items()
            if name.startswith("upon_")
        }
        self._seat = {
            name.removeprefix("seat_"): value
            for name, value in self.names.items()
            if name.startswith("seat_")
        }
        self.stock_open: Callable[[Any, str | None], bool]
        """Return whether cards can still be drawn."""
        self.stock_open = self.names["term_stock_open"]
        self.beats: Callable[[Any, str | None, Card, Card], bool]
        """Return whether a card takes the trick over from the best so far."""
        self.beats = self.names["term_beats"]
        self._asked: tuple[Position | None, tuple[Action, ...]] = (None, ())
        self._fit: tuple[Any, str, frozenset[Card], list[Melded]]
        self._fit = None, "", frozenset(), []

    def legal(self, position: Position, me: str) -> tuple[Action, ...]:
        """Return the legal actions of a seat, rulings left out."""
        hand, shown = position.hidden[me], position.table[me]
        if shown:
            hand |= shown
        actions = self._listed[position.phase](position, me, hand)
        if me == position.turn:
            self._asked = position, actions
        return actions

    def offered(self, position: Position, action: Action) -> bool:
        """Return whether `legal` has just given this very action for this very position.

        Only what it gave last is remembered; False says nothing.
        """
        asked, actions = self._asked
        if asked is position:
            for known in actions:
                if known is action:
                    return True
        return False

    def failing(self, table: Any, me: str, action: Action) -> str | None:  # noqa: ANN401
        """Return the first condition of an action that does not hold."""
        given, takes = action.arguments, self._takes[action.name]
        arguments = [given[name] for name in takes]
        found: str | None = self._failing[action.name](table, me, *arguments)
        return found

    def act(self, draft: "Draft", action: Action) -> None:
        """Carry out what an action does."""
        self._do[action.name](draft, draft.me, action.arguments)

    def carry_out(self, draft: "Draft", melded: Melded) -> None:
        """Do what a meld itself does."""
        function = self.names.get(naming.of_meld_effects(melded.meld))
        if function is not None:
            suits = next(iter(self.forms.suits(melded)), None)
            if suits is not None:
                function(draft, draft.me, *suits, melded)

    def seat(self, table: Any, me: str | None, role: str) -> str | None:  # noqa: ANN401
        """Return the seat that a rule names."""
        found: str | None = self._seat[role](table, me)
        return found

    def verdict(
        self,
        table: Any,  # noqa: ANN401
        me: str | None,
    ) -> tuple[bool, str | None, int | None]:
        """Return whether the match ends with the hand, its winner, and its worth."""
        found: tuple[bool, str | None, int | None] = self.names["verdict"](table, me)
        return found

    @cached_property
    def forms(self) -> Forms:
        """Return the melds of the table by the faces of their cards, those that can be."""
        return Forms(self.rules)

    @cached_property
    def every_form(self) -> Forms:
        """Return the melds by their faces, with those that their conditions refuse for good."""
        return Forms(self.rules, every=True)

    def _that_fit(self, at: Any, me: str, cards: frozenset[Card]) -> list[Melded]:  # noqa: ANN401
        """Return every meld that some of the cards make up and that fits.

        The last answer is kept: to declare and to announce ask one after the other.  It is
        asked of positions, which do not change, never of a draft.
        """
        of, seat, among, melds = self._fit
        if of is not at or seat != me or among is not cards:
            found = self.forms.among(me, cards)
            melds = [melded for melded in found if self.misfit(at, me, melded) is None]
            self._fit = at, me, cards, melds
        return melds

    def _likenesses(self, me: str, cards: frozenset[Card]) -> list[Melded]:
        return self.every_form.among(me, cards)

    # --- what the module's names stand for -----------------------------------------------------

    def _names(self) -> dict[str, Any]:
        rules = self.rules
        names: dict[str, Any] = {
            name: getattr(runtime, name)
            for name in ("rank_of", "suit_of", "face_of", "ordered", "divided", "remainder", "zone", "leader")
        }  # fmt: skip
        names |= dict(constants(rules))
        names |= {
            "PACK": frozenset(rules.pack), "first": first,
            "in_order": lambda group: in_order(rules, group),
            "place": _Places(rules.place).__getitem__,
            "melds_that_fit": self._that_fit,
            "likenesses_among": self._likenesses,
            "misfit": self.misfit, "spent": _spent(rules),
            "lacks": lambda at, seat: lacks(Meaning(at, None), seat),
        }  # fmt: skip
        for name, action in rules.profile.actions.items():
            takes = tuple(parameter.name for parameter in action.takes)
            names[naming.of("way", name)] = runtime.Ways(name, takes).__getitem__
        sets = SetTables(rules)
        bits = {card: sets.bit[card.face] for card in rules.pack}
        names["mask"] = lambda cards: reduce(or_, map(bits.__getitem__, cards), 0)
        names["faces"] = lambda cards, mask: frozenset(
            [card for card in cards if bits[card] & mask]
        )
        numbers: dict[str, dict[Any, int]] = {}
        for duty in rules.profile.duties:
            try:
                for name in sets.names(duty):
                    leaves = sets.leaves(name)
                    names[naming.of("set", name)] = lookup(
                        sets.table(name), tuple(len(leaf.values) for leaf in leaves)
                    )
                    for leaf in leaves:
                        numbers[leaf.name] = {
                            value.face if isinstance(value, Card) else value: number for number, value in enumerate(leaf.values)
                        }  # fmt: skip
            except BeyondMasksError:
                continue
        names["NUMBER"] = numbers
        return names

    @cached_property
    def _meld_conditions(self) -> MeldConditions:
        """Return the conditions of each meld that can fail."""
        folding = Folding(self.rules)
        found: MeldConditions = {}
        for name, meld in self.rules.profile.melds.items():
            named = naming.of_meld_conditions(name, meld.conditions)
            found[name] = [
                (clause.id, self.names[named[clause.id]])
                for clause in meld.conditions
                if not holds_always(folding.folded(clause.test))
            ]
        return found

    def misfit(
        self,
        at: Any,  # noqa: ANN401
        me: str | None,
        melded: Melded,
        every: MeldConditions | None = None,
    ) -> str | None:
        """Return the clause by which cards are not this meld, or None when they are.

        Args:
            at: A position or a draft.
            me: The seat that acts.
            melded: A meld with its cards.
            every: The conditions of every meld, by name; the module's own unless given.
        """
        conditions = (every or self._meld_conditions).get(melded.meld)
        if conditions is None:
            return "meld/unknown"
        failing = f"meld/{melded.meld}"
        for suits in self.forms.suits(melded):
            for clause, holds in conditions:
                if not holds(at, me, *suits, melded):
                    failing = clause
                    break
            else:
                return None
        return failing


class _Places(dict[Card, int]):
    """Each card's place in card order; a card that shows no face comes after all others."""

    def __missing__(self, card: Card) -> int:
        return len(self) - card.copy


def _spent(rules: Rules) -> Callable[[Any, Card | None, str], int]:
    """Return the function `spent` of some rules."""
    levels = {
        name: (meld.family, meld.level) for name, meld in rules.profile.melds.items()
    }

    def spent(at: Any, card: Card | None, family: str) -> int:  # noqa: ANN401
        """Return the highest level at which a card has scored in a family; 0 when it has not."""
        highest = 0
        for item in at.state["scored"]:
            if card in item.cards:
                of, level = levels[item.meld]
                if of == family and level > highest:
                    highest = level
        return highest

    return spent
