"""What is done: compiled effects equal those of the rules, on every path.

An action, a meld or what happens by itself is carried out twice on one open situation, by the
compiled function and by the interpreter, on drafts that note what is done to them: every payment
with its points, every part of the state and what it becomes, every move of cards, in order.

Points counted over cards (brisques) walk a whole zone.  A sum treats each card by itself, so two
cards at a time stand for all, every face among them; what puts cards together in another way is
left undecided.  Melds that wait are kept or lost each by itself: they are walked one at a time,
each in each of its forms.

Terms
    deed    an action, a meld or an event with what it is given, and how both carry it out
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import z3

from bezique.engine.action import Action
from bezique.engine.cards import Card
from bezique.engine.code import Code, Interpreted
from bezique.engine.compiler import naming
from bezique.engine.compiler.expressions import Folding
from bezique.engine.draft import Draft
from bezique.engine.frozen import FrozenDict
from bezique.engine.melds import bindings
from bezique.engine.position import Melded, Position
from bezique.solver.proof.beyond import parts
from bezique.solver.proof.explore import (
    Explorer,
    OpenCard,
    OpenList,
    OpenMeld,
    OpenNumber,
    OpenSet,
    opened,
)
from bezique.solver.proof.mismatch import Mismatch, undecided
from bezique.solver.proof.opening import AnyHistory, Levels, OpenTable
from bezique.solver.proof.situation import Situation
from bezique.solver.proof.values import (
    Choice,
    Count,
    ListOf,
    SetOf,
    as_set,
    members,
)
from bezique.solver.proof.witness import PHASES
from bezique.spec import tree
from bezique.spec.vocabulary import EFFECTS

if TYPE_CHECKING:
    from bezique.solver.proof.equivalence import Equivalence

UPON = {"deal": ("lead",), "trick": ("follow",), "hand": ("follow",), "draw": ("lead",), "closed": ("lead",)}  # fmt: skip
"""In which phases things happen by themselves; any, where nothing is said."""

Run = Callable[[Any], None]


@dataclass(frozen=True)
class Deed:
    """Something that the rules do.

    Attributes:
        what: The action, meld or event.
        arguments: What it is given, in words.
        phase: The phase it is done in.
        compiled: Does it to a noting table, by compiled functions.
        interpreted: Does it to one, by the interpreter.
        again: Does it to a draft, by any code.
        statements: What is carried out.
        acting: Whether a seat acts; a deal is nobody's.
    """

    what: str
    arguments: str
    phase: str
    compiled: Run
    interpreted: Run
    again: Callable[[Draft, Code], None]
    statements: tuple[Any, ...] = field(repr=False)
    acting: bool = True


class Noting(OpenTable):
    """An open table that notes what is done to it, and remembers its state as a draft does."""

    def __init__(
        self, situation: Situation, explorer: Explorer, levels: Levels, trick: tuple[Any, ...], me: str | None
    ) -> None:  # fmt: skip
        super().__init__(situation, explorer, levels)
        self.me = me
        self.last_trick = tuple(opened(explorer, card) for card in trick)
        self.done: list[tuple[Any, ...]] = []

    def __getattr__(self, name: str) -> Any:
        if name not in EFFECTS:
            raise AttributeError(name)
        return partial(self._note, name)

    def _note(self, effect: str, *values: Any) -> None:
        self.done.append((effect, *map(plain, values)))

    def assign(self, name: str, sign: str, value: Any) -> None:
        """Note what becomes of a part of the state, and let it be so from there."""
        value = plain(value)
        before = dict.__getitem__(self.state, name)
        if sign == "=" and value == self._now(name):
            return
        self.done.append((name, sign, value))
        if sign == "=":
            self.state[name] = value
        elif isinstance(before, ListOf | tuple):
            kept = [(item, there) for item, there in members(before) if item != value]
            self.state[name] = ListOf(
                (*members(before), (value, True)) if sign == "+=" else tuple(kept)
            )
        else:
            inside = {**as_set(before).members, value: sign == "+="}
            self.state[name] = SetOf(inside)

    def _now(self, name: str) -> Any:
        """Return what a part of the state is, one value in each run."""
        now = self.state[name]
        if isinstance(now, OpenList):
            return tuple(map(plain, now))
        return plain(now)


class Noted(Interpreted):
    """The interpreter with histories left open."""

    meaning = AnyHistory


def mismatches(equal: "Equivalence") -> Iterator[Mismatch]:
    """Yield what compiled code does otherwise than the rules say."""
    grounds = _Grounds(equal)
    for deed in _deeds(equal):
        if grounds.beyond(deed):
            yield undecided(deed.what, deed.arguments)
            continue
        for situation in grounds.of(deed):
            yield from equal.judged(
                situation,
                partial(
                    _both, situation, Levels(situation), grounds.trick(situation), deed
                ),
                (deed.what, deed.arguments),
                partial(_again, equal, deed),
            )


def _both(
    situation: Situation, levels: Levels, trick: tuple[Any, ...], deed: Deed, explorer: Explorer
) -> tuple[Any, Any]:  # fmt: skip
    """Return what both ways of doing something note."""
    me = situation.me if deed.acting else None
    tables = [Noting(situation, explorer, levels, trick, me) for _ in range(2)]
    deed.compiled(tables[0])
    deed.interpreted(tables[1])
    return tables[0].done, tables[1].done


def _again(equal: "Equivalence", deed: Deed, position: Position) -> tuple[Any, Any]:
    """Return what comes of it in a position, by the compiled code and by the interpreter."""
    ended = []
    codes: tuple[Code, Code] = (equal.code, Interpreted(equal.rules))
    for code in codes:
        draft = Draft(position, code)
        deed.again(draft, code)
        ended.append(draft.done())
    return ended[0], ended[1]


# --- what is done, and where ----------------------------------------------------------------------


def _deeds(equal: "Equivalence") -> Iterator[Deed]:
    rules, names, noted = equal.rules, equal.open_names, Noted(equal.rules)
    for action in rules.profile.actions.values():
        function = names[naming.of("do", action.name)]
        for phase in PHASES:
            for given in equal.arguments(action.takes, phase):
                done = Action(action.name, FrozenDict(given))
                yield Deed(
                    f"actions/{action.name}", _words(given), phase,
                    partial(_compiled, function, (given,)),
                    partial(_run, noted, action.do, given),
                    partial(_act, done),
                    action.do,
                )  # fmt: skip
    for meld in rules.profile.melds.values():
        if not meld.do:
            continue
        function = names[naming.of_meld_effects(meld.name)]
        for _, melded in equal.forms(meld):
            suits = next(iter(equal.code.forms.suits(melded)))
            binding = {**next(bindings(rules, meld, melded.cards)), "m": melded}
            yield Deed(
                f"meld/{meld.name}", str(melded), "declare",
                partial(_compiled, function, (*suits, melded)),
                partial(_run, noted, meld.do, binding),
                partial(_carry_out, melded),
                meld.do,
            )  # fmt: skip
    for upon in dict.fromkeys(reaction.upon for reaction in rules.profile.after):
        function = names.get(f"upon_{upon}", _nothing)
        statements = tuple(r for r in rules.profile.after if r.upon == upon)
        for phase in UPON.get(upon, PHASES):
            for given in _given(equal, upon):
                yield Deed(
                    f"upon {upon}", _words(given), phase,
                    partial(_compiled, function, (given,)),
                    partial(_react, upon, given, code=noted),
                    partial(_react, upon, given),
                    statements,
                    acting=upon != "deal",
                )  # fmt: skip


def _given(equal: "Equivalence", upon: str) -> Iterator[dict[str, Any]]:
    """Yield what a reaction is told: of a play the card, each face once."""
    if upon == "play":
        yield from ({"card": card} for card in equal.rules.pack if card.copy == 1)
    else:
        yield {}


def _compiled(function: Any, given: tuple[Any, ...], at: Any) -> None:
    function(at, at.me, *given)


def _run(code: Interpreted, statements: Any, given: dict[str, Any], at: Any) -> None:
    code.run(at, statements, given)


def _act(action: Action, draft: Draft, code: Code) -> None:
    code.act(draft, action)


def _carry_out(melded: Melded, draft: Draft, code: Code) -> None:
    code.carry_out(draft, melded)


def _react(upon: str, given: dict[str, Any], draft: Any, code: Code) -> None:
    if happens := code.upon.get(upon):
        happens(draft, draft.me, given)


def _nothing(*_: Any) -> None:
    """Do nothing, as where all that could happen is left out of the code."""


class _Grounds:
    """The open situations that stand for all in which something is done, made once."""

    def __init__(self, equal: "Equivalence") -> None:
        self.equal, self.rules = equal, equal.rules
        self._made: dict[Any, Situation] = {}
        self._tricks: dict[Situation, tuple[Any, ...]] = {}

    def trick(self, situation: Situation) -> tuple[Any, ...]:
        """Return the cards of the trick just played: any two."""
        if situation not in self._tricks:
            self._tricks[situation] = tuple(
                situation.space.choice(f"played {number}", situation.pack)
                for number in range(len(self.rules.seats))
            )
        return self._tricks[situation]

    def _walked(self, deed: Deed) -> dict[tuple[str, str], set[str]]:
        """Return what a deed walks, each kind with how it is put together again."""
        found: dict[tuple[str, str], set[str]] = {}
        for top in deed.statements:
            for node in parts(Folding(self.rules), top):
                if isinstance(node, tree.Each | tree.ForEach) and node.group.type.item:
                    kind = node.group.type.kind, node.group.type.item.kind
                    fold = node.fold if isinstance(node, tree.Each) else "each"
                    found.setdefault(kind, set()).add(fold)
        return found

    def beyond(self, deed: Deed) -> bool:
        """Return whether a few cards do not stand for all: other folds than sums over a zone."""
        walked = self._walked(deed)
        return ("list", "Meld") not in walked and not (
            walked.get(("set", "Card"), set()) <= {"sum", "each"}
        )

    def of(self, deed: Deed) -> Iterator[Situation]:
        """Yield the situations of a deed; each is done with before the next is asked for."""
        walked = self._walked(deed)
        if ("list", "Meld") in walked:
            yield from self._with_a_meld(self._open(deed.phase, ("melds",)))
        elif ("set", "Card") in walked:
            yield from (self._open(deed.phase, pair) for pair in self._pairs())
        else:
            yield self._open(deed.phase)

    def _open(self, phase: str, cards: tuple[Any, ...] = ()) -> Situation:
        key = phase, cards
        if key not in self._made:
            self._made[key] = Situation(
                self.rules, phase, self.equal.me, slots=0, rulings=True, any_option=True,
                cards=[card for card in cards if isinstance(card, Card)] or None,
            )  # fmt: skip
        return self._made[key]

    def _pairs(self) -> Iterator[tuple[Card, Card]]:
        """Yield two cards at a time, each face twice among them."""
        cards = [card for card in self.rules.pack if card.copy == 1]
        yield from zip(cards, (*cards[1:], cards[0]), strict=True)

    def _with_a_meld(self, situation: Situation) -> Iterator[Situation]:
        """Yield a situation with each meld in each form, one at a time, in its lists or not."""
        lists = [p.name for p in self.rules.profile.state if p.type.kind == "list"]
        there = {name: situation.space.bool(f"{name} there") for name in lists}
        for meld in self.rules.profile.melds.values():
            for _, melded in self.equal.forms(meld):
                for name in lists:
                    situation.state[name] = ListOf(((melded, there[name]),))
                yield situation


# --- words ---------------------------------------------------------------------------------------


def _words(given: dict[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in given.items())


class Term:
    """A term of Z3 as a value: equal to the same term alone.

    In one context equal terms are one object to Z3.  What Z3 prints is no way to tell: long
    terms are cut off, and two that end otherwise look alike.
    """

    def __init__(self, term: z3.ExprRef) -> None:
        self.term = term

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Term) and bool(self.term.eq(other.term))

    def __hash__(self) -> int:
        return int(self.term.hash())

    def __repr__(self) -> str:
        return repr(self.term)


def plain(value: Any) -> Any:
    """Return a value that can be compared with one noted on the same path."""
    match value:
        case OpenCard():
            return value.explorer.choose(value.value)
        case OpenSet():
            return frozenset(value)
        case OpenMeld():
            return value.value
        case OpenNumber():
            return "number", _reckoned(value.value)
        case tuple() | list():
            return tuple(map(plain, value))
        case frozenset():
            return frozenset(map(plain, value))
    return value


def _reckoned(value: Any) -> Any:
    """Return a number by its terms, so that two are the same just where their terms are."""
    match value:
        case z3.ExprRef():
            return Term(value)
        case Choice():
            return tuple((case, _reckoned(guard)) for case, guard in value.cases)
        case Count():
            weights = tuple((_reckoned(guard), weight) for guard, weight in value.weights)  # fmt: skip
            return weights, value.more
    return value
