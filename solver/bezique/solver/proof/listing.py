"""The list of legal actions: of cards, what code lists is what the conditions let be done.

The function that lists is run as it plays, on open tables: which actions a phase leaves out,
which cards are gone through, which duty narrows them, which conditions are left to be asked of
each.  Cards are gone through one by one, and none depends on another, so that one that is
watched, any of the pack, stands for all.  The duty runs as mask arithmetic, on Z3's bit vectors,
for all hands.  On each path Z3 is asked for a table at which the watched card is listed and not
legal, or the reverse; both lists are made again in the position that shows it.

Of actions that take melds it is asked only which phases go through them: one left out there is
refused whatever the meld, and of one gone through each condition that its code does not ask, since
the phase settles it, holds.  Which melds are listed is left out: finding the melds of a hand goes
by answers kept for the cards of a few groups, and no open hand can be looked up among them.
Rulings are never listed.  An action that takes two cards is left undecided.  Asked are the phases
in which a seat is on turn; in the others nobody is asked for anything.

Code that lists and names no seat says the same of each, so that one seat stands for all; where it
may not (`asks_which_seat`), each is asked.

Terms
    watched    the card whose place in the list is looked at
"""

import ast
from collections.abc import Iterator
from itertools import product
from types import FunctionType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import z3

from bezique.engine.code import Interpreted, listed
from bezique.engine.compiler import naming
from bezique.engine.compiler.compiled import Compiled
from bezique.engine.compiler.decided import settled_by_phase
from bezique.engine.compiler.expressions import Folding, holds_always
from bezique.engine.compiler.sets import SetTables
from bezique.engine.confine import mentions
from bezique.engine.moves import legal
from bezique.engine.rules import Rules
from bezique.solver.proof.explore import Explorer, OpenCard, OpenSet, explore
from bezique.solver.proof.meaning import Symbolic
from bezique.solver.proof.mismatch import Mismatch, undecided
from bezique.solver.proof.opening import Levels, OpenTable
from bezique.solver.proof.search import ask, solver
from bezique.solver.proof.seats import told_apart
from bezique.solver.proof.situation import Situation, holds
from bezique.solver.proof.values import (
    Guard,
    SetOf,
    both,
    equal,
    no,
    some,
)
from bezique.solver.proof.witness import PHASES
from bezique.spec import core

if TYPE_CHECKING:
    from bezique.solver.proof.equivalence import Equivalence

SLOTS = 1
LIST = "the list of legal actions"
CARD = "the watched card"
MELDS = "its melds"


class NotUnderstoodError(ValueError):
    """The code does something with open values that cannot be followed."""


def mismatches(
    equivalence: "Equivalence", phases: tuple[str, ...] = PHASES
) -> Iterator[Mismatch]:
    """Yield the first table of each phase at which something is listed and not legal, or the reverse."""
    for action in equivalence.rules.profile.actions.values():
        if not action.ruling and not _takes(action, "Meld") and _takes(action, "Card") > 1:  # fmt: skip
            yield undecided(LIST, f"{action.name} takes more than one card")
            return
    listing = _Listing(equivalence)
    for phase in phases:
        try:
            yield from listing.compared(phase)
        except NotUnderstoodError as error:
            yield undecided(LIST, f"{phase}: {error}")


def left_out(rules: Rules) -> tuple[str, ...]:
    """Return the actions whose listing is not proved: those that take melds."""
    return tuple(
        action.name
        for action in rules.profile.actions.values()
        if not action.ruling and _takes(action, "Meld")
    )


def asks_which_seat(code: Compiled) -> bool:
    """Return whether the code that lists may list other things for one seat than for another.

    It can where the rules tell seats apart, where any text in the module is a seat's name, and
    where what lists, or something that it calls, uses the order of the seats.
    """
    seats = code.rules.seats
    module = ast.parse(code.source)
    functions = {
        item.name: {node.id for node in ast.walk(item) if isinstance(node, ast.Name)}
        for item in module.body
        if isinstance(item, ast.FunctionDef)
    }
    used = {name for name in functions if name.startswith(naming.of("listed", ""))}
    while more := {
        name
        for caller in used
        for name in functions.get(caller, ())
        if name not in used
    }:
        used |= more
    named = any(
        isinstance(node, ast.Constant) and node.value in seats
        for node in ast.walk(module)
    )
    return named or "SEATS" in used or bool(told_apart(code.rules))


def _takes(action: core.Action, kind: str) -> int:
    """Return how many things of a kind an action takes."""
    return sum(parameter.type.kind == kind for parameter in action.takes)


class _Listing:
    """The listing code of a table, over open tables.

    Everything the code is given that looks at cards is given in an open form; the functions of
    the module themselves are its own.
    """

    def __init__(self, equivalence: "Equivalence") -> None:
        self.equivalence, self.rules = equivalence, equivalence.rules
        self.sets = SetTables(self.rules)
        self.watched: OpenCard | None = None
        self._hands: dict[Any, tuple[OpenSet, z3.BitVecRef]] = {}
        self.given = {
            **{
                naming.of("way", name): lambda key, name=name: (name, key)
                for name in self.rules.profile.actions
            },
            "sorted": self._sorted,
            "mask": self._mask,
            "faces": self._faces,
            "first": lambda one, two: z3.If(one != 0, one, two),
        }

    def compared(self, phase: str) -> Iterator[Mismatch]:
        """Yield a mismatch, if there is a table of a phase that shows one."""
        situation = self.equivalence.situation(phase, SLOTS)
        self._hands.clear()
        levels = Levels(situation)
        space = situation.space
        card = space.choice("watched", situation.pack)
        table = SimpleNamespace(
            **{**vars(situation), "left": situation.left, "spent": levels}
        )
        here = Symbolic(table, situation.me)
        for watched in (False, True):
            wanted: dict[Any, tuple[Guard, Guard]] = {}
            means: list[z3.BoolRef] = []
            for action, arguments in self._asked(watched=watched):
                given = {
                    name: card if value is CARD else value
                    for name, value in arguments.items()
                }
                tests = (here.guard(item.test, given) for item in action.conditions)
                key = action.name, *arguments.values()
                # A name for whether it is legal: each path then asks but for that.
                is_legal = z3.Bool(f"legal {key}", space.ctx)
                wanted[key] = is_legal, is_legal
                means.append(is_legal == both(*tests))
            if not watched:
                wanted |= {
                    (action.name, MELDS): self._of_melds(action, here)
                    for action in self.rules.profile.actions.values()
                    if not action.ruling and _takes(action, "Meld")
                }
            paths = list(self._paths(situation, levels, card if watched else None))
            apart = solver(space.ctx, space.constraints, self.equivalence.limits)
            apart.add(*means)
            # Told by name, all before the first is asked: what is found out on one path then
            # serves the others.
            asked = [
                z3.Bool(f"path {number}", space.ctx) for number in range(len(paths))
            ]
            for name, (path, keys) in zip(asked, paths, strict=True):
                apart.add(name == both(path, _apart(wanted, keys)))
            for name in asked:
                answer = ask(apart, name)
                if answer != "no":
                    told = (
                        self._confirmed(situation, levels, wanted, apart.model())
                        if answer == "yes"
                        else None
                    )
                    yield told or undecided(LIST, phase)
                    return

    def _taking(self, *, watched: bool) -> Iterator[core.Action]:
        """Yield the actions that take a card, or neither a card nor a meld."""
        for action in self.rules.profile.actions.values():
            cards, melds = (_takes(action, kind) for kind in ("Card", "Meld"))
            if not action.ruling and not melds and cards == int(watched):
                yield action

    def _of_melds(self, action: core.Action, here: Symbolic) -> tuple[Guard, Guard]:
        """Return when an action must be gone through, whatever its melds, and when it may be."""
        names = {parameter.name for parameter in action.takes}
        folding = Folding(self.rules)
        open_to_ask = [
            clause
            for clause in action.conditions
            if not holds_always(folding.folded(clause.test))
        ]
        general = [c for c in open_to_ask if not mentions(c.test, names)]
        settled = [c for c in open_to_ask if settled_by_phase(self.rules, action, c)]
        must = both(*(here.guard(clause.test) for clause in general))
        if not all(clause in general for clause in settled):
            return must, False
        return must, both(*(here.guard(clause.test) for clause in settled))

    def _asked(self, *, watched: bool) -> Iterator[tuple[core.Action, dict[str, Any]]]:
        """Yield those actions with the watched card, and with all else that can be listed."""
        for action in self._taking(watched=watched):
            values: list[tuple[Any, ...]] = [
                (CARD,) if p.type.kind == "Card" else listed(self.rules, p)
                for p in action.takes
            ]
            names = [parameter.name for parameter in action.takes]
            for chosen in product(*values):
                yield action, dict(zip(names, chosen, strict=True))

    def _paths(
        self, situation: Situation, levels: Levels, card: Any
    ) -> Iterator[tuple[Guard, list[Any]]]:
        """Yield each path of the code with what it lists: names of actions and what they are given."""
        phase, me = situation.phase, situation.me
        taking = {action.name for action in self._taking(watched=card is not None)}
        others = {}
        for action in self.rules.profile.actions.values():
            if not action.ruling and action.name not in taking:
                melds = card is None and _takes(action, "Meld")
                token = ((action.name, MELDS),) if melds else ()
                others[naming.of("legal", action.name)] = lambda *_, token=token: token
        # The very function that the code goes through in this phase; of other actions nothing,
        # or once for all their melds.
        way: Any = self.equivalence.code._listed[phase]  # noqa: SLF001 - what is proved
        names = self.equivalence.reopened({**self.given, **others})
        ways = {phase: FunctionType(way.__code__, names)}
        code: Any = SimpleNamespace(_listed=ways, _asked=None)

        def run(explorer: Explorer) -> list[Any]:
            self.watched = None if card is None else OpenCard(explorer, card)
            table: Any = OpenTable(situation, explorer, levels)
            return list(Compiled.legal(code, table, me))

        for explorer, actions in explore(run):
            self.equivalence.paths += 1
            keys = []
            for name, given in actions:
                takes = self.rules.profile.actions[name].takes
                values = (given,) if len(takes) == 1 else given
                keys.append(
                    (name, *(CARD if isinstance(v, OpenCard) else v for v in values))
                )
            yield explorer.path(), keys

    def _confirmed(
        self,
        situation: Situation,
        levels: Levels,
        wanted: dict[Any, tuple[Guard, Guard]],
        model: z3.ModelRef,
    ) -> Mismatch | None:
        """Return the mismatch of a model, if both lists differ in its position too."""
        spent = Symbolic(situation, situation.me).spent
        told = [equal(level, spent(*key)) for key, level in levels.found.items()]
        if not all(holds(model, guard) for guard in told):
            return None
        position = situation.position(model)
        ours, theirs = (
            [str(item) for item in legal(position, code=code)]
            for code in (self.equivalence.code, Interpreted(position.rules))
        )
        if ours == theirs:
            return None
        code, rules = (", ".join(a for a in one if a not in two) or "fewer" for one, two in ((ours, theirs), (theirs, ours)))  # fmt: skip
        actions = ", ".join(dict.fromkeys(str(key[0]) for key in wanted))
        return Mismatch(LIST, actions, code, rules, position)

    # --- what the code is given ---------------------------------------------------------------

    def _sorted(self, group: Any, *, key: Any) -> Iterator[Any]:
        """Yield the watched card where it is in a group that is gone through in card order."""
        if key != self.equivalence.code.names["place"]:
            message = "cards are listed in another order than card order"
            raise NotUnderstoodError(message)
        if self.watched is not None and self.watched in group:
            yield self.watched

    def _mask(self, hand: OpenSet) -> z3.BitVecRef:
        """Return a hand as a bit vector, a bit for each face."""
        key = tuple(
            guard if isinstance(guard, bool) else guard.get_id()
            for guard in hand.value.members.values()
        )
        if key not in self._hands:
            self._hands[key] = hand, _bits(self.sets.faces, hand.value)
        return self._hands[key][1]

    def _faces(self, hand: OpenSet, mask: z3.BitVecRef) -> OpenSet:
        """Return the cards of a hand whose faces are in a mask."""
        inside = {
            face: z3.Extract(place, place, mask) == 1
            for place, face in enumerate(self.sets.faces)
        }
        members = hand.value.members.items()
        return OpenSet(
            hand.explorer,
            SetOf({card: both(guard, inside[card.face]) for card, guard in members}),
        )


def _apart(wanted: dict[Any, tuple[Guard, Guard]], keys: list[Any]) -> Guard:
    """Return whether what a path lists is not all that must be, each once, or more than may be."""
    if len(set(keys)) < len(keys) or not set(keys) <= set(wanted):
        return True
    return some(
        *(no(may) if key in keys else must for key, (must, may) in wanted.items())
    )


def _bits(faces: tuple[str, ...], hand: SetOf) -> z3.BitVecRef:
    """Return a set of cards as a bit vector, the first face its lowest bit."""
    guards: dict[str, list[Guard]] = {face: [] for face in faces}
    for card, guard in hand.members.items():
        guards[card.face].append(guard)
    held = [some(*guards[face]) for face in faces]
    ctx = next(guard.ctx for guard in held if not isinstance(guard, bool))
    one, none = (z3.BitVecVal(bit, 1, ctx) for bit in (1, 0))
    return z3.Concat([z3.If(guard, one, none, ctx) for guard in reversed(held)])
