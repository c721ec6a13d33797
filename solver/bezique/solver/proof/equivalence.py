"""Compiled code equals the rules: both run side by side on open situations.

One explorer answers the questions of both, the compiled function and the reference
interpreter, so that on each path both see the same world; where their answers part, Z3 says
whether such a world exists.  What cards have scored is left open altogether (any level in any
family), so that the proof holds for all histories; that both read a history alike is a proof
of its own.  Duties are proved as mask arithmetic, on the very code object that plays: for all
hands at once, with Z3's bit-vectors in place of numbers.
"""

from collections.abc import Callable, Iterator
from functools import cached_property, partial
from itertools import combinations, product
from types import FunctionType, SimpleNamespace
from typing import Any

import z3

from bezique.engine.cards import Card
from bezique.engine.code import Interpreted
from bezique.engine.compiler import naming
from bezique.engine.compiler.compiled import Compiled
from bezique.engine.compiler.expressions import Folding
from bezique.engine.compiler.sets import BeyondMasksError, SetTables
from bezique.engine.evaluate import Meaning
from bezique.engine.moves import legal
from bezique.engine.position import Melded, Position
from bezique.engine.rules import Rules
from bezique.solver.proof import doing, listing
from bezique.solver.proof.beyond import beside_cards
from bezique.solver.proof.explore import Explorer, explore
from bezique.solver.proof.meaning import Symbolic
from bezique.solver.proof.mismatch import UNDECIDED, Mismatch, undecided
from bezique.solver.proof.opening import (
    AnyHistory,
    Levels,
    OpenTable,
    open_lacks,
    open_spent,
)
from bezique.solver.proof.search import Limits, ask, solver
from bezique.solver.proof.situation import Situation, holds
from bezique.solver.proof.values import Choice, Guard, alike, both, equal, no, some
from bezique.solver.proof.witness import PHASES
from bezique.spec import core, tree
from bezique.spec.kinds import Type

SEATS = ("first", "next_dealer", "draw_first")
"""The seats that rules name, besides those of players."""


class Equivalence:
    """Compares a table's compiled code with its rules, function by function.

    Args:
        rules: The table.
        code: Its code; compiled anew unless given.
        limits: How much each question may cost.
        me: The seat that acts; the first unless given.
    """

    def __init__(
        self,
        rules: Rules,
        code: Compiled | None = None,
        limits: Limits | None = None,
        me: str | None = None,
    ) -> None:
        self.rules, self.me = rules, me or rules.seats[0]
        self.code = code or Compiled(rules)
        self.limits = limits or Limits()
        self.functions = 0
        self._forms: dict[str, tuple[tuple[dict[str, str], Melded], ...]] = {}
        self.paths = 0

    @cached_property
    def open_names(self) -> dict[str, Any]:
        """Return the module's functions over a world whose histories are open."""
        return self.reopened({"obeying": _open_obeying})

    def reopened(self, given: dict[str, Any]) -> dict[str, Any]:
        """Return the module's functions over open histories, with some names for something else."""
        names = {
            **self.code.names,
            "spent": open_spent,
            "lacks": open_lacks,
            **given,
        }
        for name, value in self.code.names.items():
            if (
                isinstance(value, FunctionType)
                and value.__code__.co_filename == self.code.file
                and name not in given
            ):
                names[name] = FunctionType(
                    value.__code__, names, name, value.__defaults__
                )
        conditions = {
            meld.name: [
                (clause, names[name])
                for clause, name in naming.of_meld_conditions(
                    meld.name, meld.conditions
                ).items()
            ]
            for meld in self.rules.profile.melds.values()
        }
        names["misfit"] = lambda at, me, melded: self.code.misfit(
            at, me, melded, conditions
        )
        return names

    def situation(self, phase: str, slots: int = 0) -> Situation:
        """Return an open situation of a phase, whatever number an option is."""
        return Situation(self.rules, phase, self.me, slots=slots, any_option=True)

    def mismatches(self) -> Iterator[Mismatch]:
        """Yield every way in which compiled code parts from the rules."""
        yield from self.tricks()
        yield from self.duties()
        yield from self.conditions()
        yield from self.histories()
        yield from self.effects()
        yield from self.ends()
        yield from self.listing()

    def tricks(self) -> Iterator[Mismatch]:
        """Compare who takes a trick, for all cards and trumps, and whatever else that hangs on."""
        faces = [card for card in self.rules.pack if card.copy == 1]
        body = self.rules.profile.terms["beats"].body
        if beside_cards(Folding(self.rules), body):
            yield from self._open_tricks(faces)
            return
        trumps = (None, *self.rules.profile.deck.suits)
        for card, best, trump in product(faces, faces, trumps):
            table = SimpleNamespace(
                rules=self.rules, state={"trump": trump}, trick=(best,)
            )
            ours = self.code.beats(table, None, card, best)
            theirs = bool(Meaning(table, None).term("beats", card, best))
            self.paths += 1
            if ours != theirs:
                yield Mismatch(
                    "beats", f"{card} {best} trumps {trump}", str(ours), str(theirs)
                )

    def _open_tricks(self, faces: list[Card]) -> Iterator[Mismatch]:
        """Compare who takes a trick on an open situation, where the cards do not say it."""
        situation = self.situation("follow")
        levels = Levels(situation)
        beats, me = self.open_names["term_beats"], self.me
        for card, best in product(faces, faces):

            def run(
                explorer: Explorer, card: Card = card, best: Card = best
            ) -> tuple[bool, bool]:
                table = OpenTable(situation, explorer, levels)
                meaning = AnyHistory(table, me)
                return bool(beats(table, me, card, best)), bool(
                    meaning.term("beats", card, best)
                )

            def again(
                position: Position, card: Card = card, best: Card = best
            ) -> tuple[bool, bool]:
                meaning = Meaning(position, me)
                return bool(self.code.beats(position, me, card, best)), bool(
                    meaning.term("beats", card, best)
                )

            yield from self.judged(situation, run, ("beats", f"{card} {best}"), again)

    def duties(self) -> Iterator[Mismatch]:
        """Compare which cards obey, for all hands, cards led and trumps, as mask arithmetic."""
        tables = SetTables(self.rules)
        try:
            for duty in self.rules.profile.duties:
                for name in tables.names(duty):
                    tables.table(name)
        except BeyondMasksError as error:
            yield undecided("duties", f"no masks: {error}")
            return
        yield from self._duty_in_force(tables)
        for duty in self.rules.profile.duties:
            function = self.code.names.get(naming.of("duty", duty.name))
            if function is None or not tables.names(duty):
                continue
            self.functions += 1
            yield from self._duty(duty, function.__code__, tables)

    def _duty_in_force(self, tables: SetTables) -> Iterator[Mismatch]:
        """Compare which duty binds when: the first whose condition holds."""
        profile = self.rules.profile
        masked = {
            duty.name: name
            for duty in profile.duties
            if (name := naming.of("duty", duty.name)) in self.code.names
            and tables.names(duty)
        }
        told = {
            "mask": lambda hand: hand, "faces": lambda _, name: name,
            "face_of": lambda card: card, "NUMBER": _Anything(),
            **{call: lambda *_, name=name: name for name, call in masked.items()},
        }  # fmt: skip
        code = self.code.names["obeying"].__code__
        obeying = FunctionType(code, {**self.open_names, **told})
        # The same on a position, to ask again where the two part.
        obeying_there = FunctionType(code, {**self.code.names, **told})
        me = self.me

        def named(found: Any, here: Meaning) -> tuple[str, str]:
            binding = next(
                (duty.name for duty in profile.duties if here.holds(duty.when)), ""
            )
            return (
                found if isinstance(found, str) else "the whole hand",
                binding if binding in masked else "the whole hand",
            )

        def again(position: Position) -> tuple[str, str]:
            return named(obeying_there(position, me), Meaning(position, me))

        for phase in ("declare", "lead", "follow"):
            situation = self.situation(phase)
            levels = Levels(situation)

            def run(
                explorer: Explorer,
                situation: Situation = situation,
                levels: Levels = levels,
            ) -> tuple[str, str]:
                table: Any = OpenTable(situation, explorer, levels)
                return named(obeying(table, me), AnyHistory(table, me))

            yield from self.judged(situation, run, ("the duty in force", phase), again)

    def _duty(
        self, duty: core.Duty, code: Any, tables: SetTables
    ) -> Iterator[Mismatch]:
        situation = self.situation("follow")
        ctx = situation.space.ctx
        size = len(tables.faces)
        hand = z3.BitVec("hand", size, ctx)
        leaves = tables.arguments(duty)
        numbers = [
            z3.BitVec(
                f"leaf {leaf.name}", max(1, (len(leaf.values) - 1).bit_length()), ctx
            )
            for leaf in leaves
        ]
        ranges = [
            z3.ULT(number, len(leaf.values))
            for number, leaf in zip(numbers, leaves, strict=True)
            if len(leaf.values) < 1 << number.size()
        ]
        names: dict[str, Any] = {"first": lambda one, two: z3.If(one != 0, one, two)}
        for name in tables.names(duty):
            looked = self.code.names[naming.of("set", name)]
            names[naming.of("set", name)] = lambda *places, looked=looked, name=name: (
                _mux(
                    looked,
                    tuple(len(leaf.values) for leaf in tables.leaves(name)),
                    places,
                    size,
                    ctx,
                )
            )
        obeying = FunctionType(code, names)(hand, *numbers)
        values = {
            leaf.name: Choice(
                tuple(
                    (value, number == place) for place, value in enumerate(leaf.values)
                )
            )
            for leaf, number in zip(leaves, numbers, strict=True)
        }
        bits = {
            face: z3.Extract(place, place, hand) == 1
            for place, face in enumerate(tables.faces)
        }
        firsts = {card: bits[card.face] for card in self.rules.pack if card.copy == 1}
        here = Symbolic(
            SimpleNamespace(rules=self.rules, state={**situation.state, **values}, trick=(values["led"],) if "led" in values else (), turn_up=values.get("turned")),
            situation.me,
        )  # fmt: skip
        if "led" in values:
            ranges.append(
                z3.Not(values["led"].where(None))
            )  # else no duty is asked for
        found = solver(ctx, ranges, self.limits)
        free: Guard = True
        obeyed: dict[Card, list[Guard]] = {card: [] for card in firsts}
        for name in duty.sets:
            inside = {
                card: both(
                    guard,
                    here.guard(
                        self.rules.profile.terms[name].body,
                        {self.rules.profile.terms[name].parameters[0].name: card},
                    ),
                )
                for card, guard in firsts.items()
            }
            filled = (
                z3.Or(
                    [guard for guard in inside.values() if not isinstance(guard, bool)]
                )
                if inside
                else False
            )
            for card, guard in inside.items():
                obeyed[card].append(both(free, guard))
            free = both(free, no(filled))
        for card, guards in obeyed.items():
            ours = (
                z3.Extract(
                    tables.faces.index(card.face),
                    tables.faces.index(card.face),
                    obeying,
                )
                == 1
            )
            theirs = z3.Or(
                [guard for guard in guards if not isinstance(guard, bool)]
                + [z3.BoolVal(any(guard is True for guard in guards), ctx)]
            )
            self.paths += 1
            answer = ask(found, ours != theirs)
            if answer == "undecided":
                yield undecided(duty.name, card.face)
            elif answer == "yes":
                model = found.model()
                # By faces: the card led may be the like of one that is held.
                held = situation.held(situation.me)
                pins = [
                    alike(
                        some(*(held.has(c) for c in self._like(one))),
                        holds(model, guard),
                    )
                    for one, guard in firsts.items()
                ]
                table = Symbolic(situation, situation.me)
                for other in self.rules.profile.duties:
                    if other.name == duty.name:
                        pins.append(table.guard(other.when))
                        break
                    pins.append(no(table.guard(other.when)))
                for name, value in values.items():
                    known = _in(model, value)
                    if name == "led":
                        led = situation.trick[0]
                        pins.append(some(*(equal(led, c) for c in self._like(known))))
                    elif name in situation.state:
                        pins.append(equal(situation.state[name], known))
                position = self.shown(situation, pins)
                played = ((), ()) if position is None else self._plays(position)
                one, two = (_obeys(holds(model, side)) for side in (ours, theirs))
                if played[0] == played[1]:
                    one = two = UNDECIDED
                yield Mismatch(duty.name, card.face, one, two, position)
                return

    def conditions(self) -> Iterator[Mismatch]:
        """Compare every condition of actions and melds, in every phase, for all histories."""
        for phase in ("declare", "lead", "follow"):
            situation = self.situation(phase, 1)
            levels = Levels(situation)
            for action in self.rules.profile.actions.values():
                named = naming.of_conditions(action)
                for clause in action.conditions:
                    function = self.code.names[named[clause.id]]
                    for arguments in self.arguments(action.takes, phase):
                        yield from self._condition(
                            situation, levels, function, clause, arguments
                        )
            if phase == "declare":
                for meld in self.rules.profile.melds.values():
                    named = naming.of_meld_conditions(meld.name, meld.conditions)
                    for clause in meld.conditions:
                        function = self.code.names[named[clause.id]]
                        for suits, melded in self.forms(meld):
                            yield from self._condition(
                                situation,
                                levels,
                                function,
                                clause,
                                {**suits, "m": melded},
                            )

    def histories(self) -> Iterator[Mismatch]:
        """Compare how both read from a history what a card has scored, meld by meld."""
        situation = self.situation("declare", 2)
        families = dict.fromkeys(
            meld.family for meld in self.rules.profile.melds.values()
        )
        levels = Levels(situation)
        for family in families:
            for rank in dict.fromkeys(
                part.rank
                for meld in self.rules.profile.melds.values()
                if meld.family == family
                for part in meld.cards
            ):
                card = next(card for card in self.rules.pack if card.rank == rank)

                def run(
                    explorer: Explorer, card: Card = card, family: str = family
                ) -> tuple[Any, Any]:
                    table = OpenTable(situation, explorer, levels)
                    return self.code.names["spent"](table, card, family), Meaning(
                        table, situation.me
                    ).spent(card, family)

                def again(
                    position: Position, card: Card = card, family: str = family
                ) -> tuple[Any, Any]:
                    return self.code.names["spent"](position, card, family), Meaning(
                        position, situation.me
                    ).spent(card, family)

                yield from self.judged(
                    situation, run, ("spent", f"{card} {family}"), again
                )

    def _condition(
        self,
        situation: Situation,
        levels: Levels,
        function: Any,
        clause: core.Clause,
        arguments: dict[str, Any],
    ) -> Iterator[Mismatch]:
        self.functions += 1
        rebuilt = self.open_names[function.__name__]

        def run(explorer: Explorer) -> tuple[bool, bool]:
            table = OpenTable(situation, explorer, levels)
            here = AnyHistory(table, situation.me)
            return bool(rebuilt(table, situation.me, *arguments.values())), here.holds(
                clause.test, arguments
            )

        if isinstance(clause.test, tree.Call) and clause.test.function == "obeys":
            return  # the duty is proved as mask arithmetic, for all hands
        for explorer, (ours, theirs) in explore(run):
            self.paths += 1
            if ours != theirs:
                path, space = explorer.path(), situation.space
                found = solver(space.ctx, space.constraints, self.limits)
                if ask(found, path) != "no":
                    # What cards have scored was left open: a position says it by its melds.
                    here = Symbolic(situation, situation.me)
                    told = [
                        equal(level, here.spent(*key))
                        for key, level in levels.found.items()
                    ]
                    position = self.shown(situation, [path, *told])
                    if position is not None:
                        values = tuple(arguments.values())
                        meaning = Meaning(position, situation.me)
                        said = bool(function(position, situation.me, *values))
                        if said == meaning.holds(clause.test, arguments):
                            position = None
                    words = (str(ours), str(theirs))
                    yield Mismatch(
                        clause.id,
                        ", ".join(
                            f"{name} {value}" for name, value in arguments.items()
                        ),
                        *(words if position else (UNDECIDED, UNDECIDED)),
                        position,
                    )
                    return

    def _like(self, card: Card) -> Iterator[Card]:
        """Yield the cards with a card's face."""
        return (one for one in self.rules.pack if one.face == card.face)

    def shown(self, situation: Situation, guards: list[Guard]) -> Position | None:
        """Return a position of a situation in which guards hold, if there is one."""
        space = situation.space
        found = solver(space.ctx, space.constraints, self.limits)
        if ask(found, *guards) != "yes":
            return None
        return situation.position(found.model())

    def _plays(self, position: Position) -> tuple[Any, Any]:
        """Return what may be played in a position by the code, and by the rules."""
        code, rules = (
            [action for action in legal(position, code=code) if action.name == "play"]
            for code in (self.code, Interpreted(self.rules))
        )
        return code, rules

    def effects(self) -> Iterator[Mismatch]:
        """Compare what actions, melds and events do: points, state, moves of cards."""
        yield from doing.mismatches(self)

    def listing(self) -> Iterator[Mismatch]:
        """Compare what is listed as legal with what the conditions let be done."""
        yield from listing.mismatches(self)

    def ends(self) -> Iterator[Mismatch]:
        """Compare how a match ends and which seat deals, leads and draws, for all totals."""
        noted = doing.Noted(self.rules)
        compiled = SimpleNamespace(
            verdict=self.open_names["verdict"],
            seat=lambda at, me, role: self.open_names[f"seat_{role}"](at, me),
        )
        for what in ("verdict", *SEATS):
            self.functions += 1
            for phase in PHASES:
                situation = self.situation(phase)
                yield from self.judged(
                    situation,
                    partial(_answers, situation, (compiled, noted), what),
                    (what, phase),
                    partial(_answered, (self.code, Interpreted(self.rules)), what),
                )

    def judged(
        self,
        situation: Situation,
        run: Any,
        about: tuple[str, str],
        again: Callable[[Position], tuple[Any, Any]],
    ) -> Iterator[Mismatch]:
        """Yield the first path on which code and rules part, if playing it again confirms it."""
        for explorer, (ours, theirs) in explore(run):
            self.paths += 1
            if ours == theirs:
                continue
            path, space = explorer.path(), situation.space
            found = solver(space.ctx, space.constraints, self.limits)
            if ask(found, path) != "no":
                position = self.shown(situation, [path])
                said = None if position is None else again(position)
                if said is None or said[0] == said[1]:
                    yield undecided(*about)
                else:
                    yield Mismatch(*about, str(ours), str(theirs), position)
                return

    def arguments(
        self, takes: tuple[core.Parameter, ...], phase: str
    ) -> Iterator[dict[str, Any]]:
        """Yield arguments that stand for all others: each face once, each meld in each form."""
        found: list[dict[str, Any]] = [{}]
        for parameter in takes:
            values = list(self._values(parameter.type, phase))
            found = [
                {**done, parameter.name: value} for done in found for value in values
            ]
        yield from found

    def _values(self, kind: Type, phase: str) -> Iterator[Any]:
        match kind.kind:
            case "Card":
                yield from (card for card in self.rules.pack if card.copy == 1)
            case "Meld":
                for meld in self.rules.profile.melds.values():
                    forms = self.forms(meld)
                    # Out of its phase a meld is refused before its cards are looked at.
                    shown = forms if phase == "declare" else forms[:1]
                    yield from (melded for _, melded in shown)
            case "Bool":
                yield from (False, True)
            case "Seat":
                yield from self.rules.seats
            case "Suit":
                yield from self.rules.profile.deck.suits
            case "Rank":
                yield from self.rules.profile.deck.ranks
            case _:
                yield from kind.words

    def forms(self, meld: core.Meld) -> tuple[tuple[dict[str, str], Melded], ...]:
        """Return a meld in each of its forms by faces, with first copies, and how its suits are named."""
        if meld.name not in self._forms:
            self._forms[meld.name] = tuple(self._found_forms(meld))
        return self._forms[meld.name]

    def _found_forms(self, meld: core.Meld) -> Iterator[tuple[dict[str, str], Melded]]:
        seat = self.me
        here = Symbolic(SimpleNamespace(rules=self.rules), None)
        seen: set[tuple[str, ...]] = set()
        for suits in here.namings(meld):
            parts = []
            for part in meld.cards:
                suit = part.suit or suits.get(part.variable or "")
                cards = [
                    card
                    for card in self.rules.pack
                    if card.rank == part.rank and suit in (None, card.suit)
                ]
                parts.append(list(combinations(cards, part.count)))
            for chosen in product(*parts):
                cards_ = frozenset(card for group in chosen for card in group)
                faces = tuple(sorted(card.face for card in cards_))
                if len(cards_) == meld.size and faces not in seen:
                    seen.add(faces)
                    yield suits, Melded(seat, meld.name, cards_)


def _answers(
    situation: Situation, codes: tuple[Any, Any], what: str, explorer: Explorer
) -> tuple[Any, Any]:
    """Return what both answer on one open table."""
    table = OpenTable(situation, explorer, Levels(situation))
    ours, theirs = (_asked(code, what, table, situation.me) for code in codes)
    return doing.plain(ours), doing.plain(theirs)


def _answered(codes: tuple[Any, Any], what: str, position: Position) -> tuple[Any, Any]:
    """Return what both answer in a position."""
    ours, theirs = (_asked(code, what, position, str(position.turn)) for code in codes)
    return ours, theirs


def _asked(code: Any, what: str, at: Any, me: str) -> Any:
    """Return how a match ends, or the seat that a rule names; before a deal nobody acts."""
    if what == "verdict":
        return code.verdict(at, me)
    return code.seat(at, None if what == "first" else me, what)


class _Anything:
    """Numbers of values that nobody looks at."""

    def __getitem__(self, _: object) -> "_Anything":
        return self


def _in(model: z3.ModelRef, value: Choice) -> Any:
    """Return what a choice is in a model."""
    return next(case for case, guard in value.cases if holds(model, guard))


def _obeys(obeys: bool) -> str:  # noqa: FBT001 - a word for each
    return "obeys" if obeys else "does not"


def _open_obeying(at: OpenTable, me: str) -> Any:
    return at.held(me)


def _mux(
    looked: Any,
    sizes: tuple[int, ...],
    places: tuple[Any, ...],
    size: int,
    ctx: z3.Context,
) -> Any:
    """Return a table's masks by symbolic numbers: a tree of ifs over the numbers' bits."""

    def tree(values: list[Any], number: Any) -> Any:
        width = number.size()
        level = [*values, *([values[-1]] * ((1 << width) - len(values)))]
        for bit in range(width):
            test = z3.Extract(bit, bit, number) == 1
            level = [
                z3.If(test, level[n + 1], level[n]) for n in range(0, len(level), 2)
            ]
        return level[0]

    def over(done: tuple[int, ...]) -> Any:
        if len(done) == len(sizes):
            return z3.BitVecVal(looked(*done), size, ctx)
        return tree(
            [over((*done, place)) for place in range(sizes[len(done)])],
            places[len(done)],
        )

    return over(())
