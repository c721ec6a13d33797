"""Running code on symbolic values, path by path.

The compiled engine is ordinary Python: it asks `if` and `in` and loops.  `explore` runs a
function again and again, deciding each open question one way and then the other, until every
path has been walked.  What comes out is the whole function as guarded results, so that the
very code that ships is what is proved.

Terms
    path    the decisions taken in one run, each a guard with its answer
"""

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import z3

from bezique.engine.cards import Card
from bezique.engine.position import Melded
from bezique.solver.proof.meaning import ordered
from bezique.solver.proof.values import (
    Choice,
    Guard,
    ListOf,
    MeldOf,
    SetOf,
    arithmetic,
    as_set,
    both,
    difference,
    equal,
    members,
    no,
    parts,
    some,
    within,
)

MOST_PATHS = 20_000

Cases: TypeAlias = tuple[tuple[Any, Guard], ...]
"""Values, each with the guard under which it is the one."""
Valued: TypeAlias = tuple[int, int]
"""A term, by Z3's number of it, and its value."""


class TooManyPathsError(RuntimeError):
    """A function has more paths than can be walked."""


class Explorer:
    """Decides open questions in one run after another.

    What earlier answers of a run settle is not asked: of the values of one term no two are there
    at once, and a choice that was told by a part, as a card by its suit, is then one of fewer.
    """

    def __init__(self) -> None:
        self.prefix: list[bool] = []
        self.taken: list[tuple[z3.BoolRef, bool]] = []
        self._known: dict[int, bool] = {}
        self._values: dict[int, int] = {}
        self._left: dict[Choice, Cases] = {}
        # Kept for all runs, with the guards: a number belongs to a term as long as there is one.
        self._read: dict[int, tuple[z3.BoolRef, Valued | None]] = {}

    def again(self) -> None:
        """Begin another run."""
        self.taken, self._known, self._values, self._left = [], {}, {}, {}

    def decide(self, guard: Guard) -> bool:
        """Return an answer to whether a guard holds, another one in a later run."""
        if isinstance(guard, bool):
            return guard
        # Equal terms of one context are one object to Z3, with one number.
        number = guard.get_id()
        if number not in self._read:
            self._read[number] = guard, _valued(guard)
        if number not in self._known:
            self._known[number] = self._answer(*self._read[number])
        return self._known[number]

    def _answer(self, guard: z3.BoolRef, valued: Valued | None) -> bool:
        """Return the answer that the run so far settles, or else the next one, and keep it in mind."""
        if valued is not None and valued[0] in self._values:
            return self._values[valued[0]] == valued[1]
        place = len(self.taken)
        answer = self.prefix[place] if place < len(self.prefix) else True
        self.taken.append((guard, answer))
        if answer and valued is not None:
            self._values[valued[0]] = valued[1]
        return answer

    def choose(self, value: Any, told: Callable[[Any], Any] = lambda case: case) -> Any:
        """Return what is told of one case of a choice, each in some run, by halving."""
        if not isinstance(value, Choice):
            return told(value)
        found: dict[tuple[type, Any], list[tuple[Any, Guard]]] = {}
        for case, guard in self.left(value):
            part = told(case)
            found.setdefault((type(part), part), []).append((case, guard))
        parts = list(found.items())
        while len(parts) > 1:
            half = len(parts) // 2
            upper = (guard for _, group in parts[:half] for _, guard in group)
            parts = parts[:half] if self.decide(some(*upper)) else parts[half:]
        (_, chosen), cases = parts[0]
        self._left[value] = tuple(cases)
        return chosen

    def left(self, value: Choice) -> Cases:
        """Return the cases of a choice that the run so far leaves."""
        return self._left.get(value, value.cases)

    def path(self) -> Guard:
        """Return the guard of the run so far."""
        return both(*(guard if answer else no(guard) for guard, answer in self.taken))


def _valued(guard: z3.BoolRef) -> Valued | None:
    """Return a term by its number, and its value, if a guard says that it has one, on the right."""
    if z3.is_eq(guard) and z3.is_bv_value(guard.arg(1)):
        return int(guard.arg(0).get_id()), int(guard.arg(1).as_long())
    return None


def explore(run: Callable[[Explorer], Any]) -> Iterator[tuple[Explorer, Any]]:
    """Yield the result of a run on every path, with the explorer, which tells the path until the next.

    Args:
        run: A function that asks an explorer whatever is open, the same each time.

    Raises:
        TooManyPathsError: There are more than 20,000 paths.
        RuntimeError: A run does not ask the same as the one before it.
    """
    explorer = Explorer()
    for _ in range(MOST_PATHS):
        explorer.again()
        result = run(explorer)
        if len(explorer.taken) < len(explorer.prefix):
            message = "a run asks less than the one before it, with the same answers"
            raise RuntimeError(message)
        yield explorer, result
        answers = [answer for _, answer in explorer.taken]
        while answers and not answers[-1]:
            answers.pop()
        if not answers:
            return
        explorer.prefix = [*answers[:-1], False]
    message = f"more than {MOST_PATHS} paths"
    raise TooManyPathsError(message)


# --- what code sees in place of values ---------------------------------------------------------


class OpenNumber:
    """A number that code can compare and reckon with."""

    def __init__(self, explorer: Explorer, value: Any) -> None:
        self.explorer, self.value = explorer, value

    def _ask(self, sign: str, other: Any) -> bool:
        value = other.value if isinstance(other, OpenNumber) else other
        return self.explorer.decide(ordered(sign, self.value, value))

    def __lt__(self, other: object) -> bool:
        return self._ask("<", other)

    def __le__(self, other: object) -> bool:
        return self._ask("<=", other)

    def __gt__(self, other: object) -> bool:
        return self._ask(">", other)

    def __ge__(self, other: object) -> bool:
        return self._ask(">=", other)

    def __eq__(self, other: object) -> bool:
        value = other.value if isinstance(other, OpenNumber) else other
        return self.explorer.decide(equal(self.value, value))

    def __bool__(self) -> bool:
        return self != 0

    def _reckoned(self, sign: str, one: Any, two: Any) -> "OpenNumber":
        numbers = (
            item.value if isinstance(item, OpenNumber) else item for item in (one, two)
        )
        return OpenNumber(self.explorer, arithmetic(sign, *numbers))

    def __add__(self, other: Any) -> "OpenNumber":
        return self._reckoned("+", self, other)

    def __radd__(self, other: Any) -> "OpenNumber":
        return self._reckoned("+", other, self)

    def __sub__(self, other: Any) -> "OpenNumber":
        return self._reckoned("-", self, other)

    def __rsub__(self, other: Any) -> "OpenNumber":
        return self._reckoned("-", other, self)

    def __mul__(self, other: Any) -> "OpenNumber":
        return self._reckoned("*", self, other)

    __rmul__ = __mul__

    def __floordiv__(self, other: Any) -> "OpenNumber":
        return self._reckoned("//", self, other)

    def __rfloordiv__(self, other: Any) -> "OpenNumber":
        return self._reckoned("//", other, self)

    def __mod__(self, other: Any) -> "OpenNumber":
        return self._reckoned("%", self, other)

    def __rmod__(self, other: Any) -> "OpenNumber":
        return self._reckoned("%", other, self)

    def __hash__(self) -> int:
        message = "an open number has no hash"
        raise TypeError(message)


class OpenSet:
    """A set that code can search, compare, join and walk."""

    def __init__(self, explorer: Explorer, value: Any) -> None:
        self.explorer, self.value = explorer, as_set(value)

    def __contains__(self, item: object) -> bool:
        if isinstance(item, OpenCard):
            return self.explorer.decide(self.where(item))
        return self.explorer.decide(self.value.has(item))

    def where(self, card: "OpenCard") -> Guard:
        """Return the guard under which an open card is in the set."""
        return some(*(both(guard, self.value.has(case)) for case, guard in card.cases))

    def __iter__(self) -> Iterator[Any]:
        return (
            item
            for item, guard in self.value.members.items()
            if self.explorer.decide(guard)
        )

    def __le__(self, other: Any) -> bool:
        return self.explorer.decide(within(self.value, _set(other)))

    def __ge__(self, other: Any) -> bool:
        return self.explorer.decide(within(_set(other), self.value))

    __rle__ = __ge__

    def __eq__(self, other: object) -> bool:
        return self.explorer.decide(equal(self.value, _set(other)))

    def __hash__(self) -> int:
        message = "an open set has no hash"
        raise TypeError(message)

    def __or__(self, other: Any) -> "OpenSet":
        two = _set(other)
        return OpenSet(
            self.explorer,
            SetOf(
                {
                    item: some(self.value.has(item), two.has(item))
                    for item in {**self.value.members, **two.members}
                }
            ),
        )

    __ror__ = union = __or__

    def __sub__(self, other: Any) -> "OpenSet":
        return OpenSet(self.explorer, difference(self.value, _set(other)))

    def __and__(self, other: Any) -> "OpenSet":
        two = _set(other)
        inside = {
            item: both(guard, two.has(item))
            for item, guard in self.value.members.items()
        }
        return OpenSet(self.explorer, SetOf(inside))

    __rand__ = __and__

    def __bool__(self) -> bool:
        return self.explorer.decide(some(*self.value.members.values()))

    def __len__(self) -> int:
        return sum(1 for _ in self)


class OpenList:
    """A list of melds that code can walk and search."""

    def __init__(self, explorer: Explorer, value: Any) -> None:
        self.explorer, self.value = explorer, value

    def __iter__(self) -> Iterator[Any]:
        return (
            item if isinstance(item, Melded) else OpenMeld(self.explorer, item)
            for item, guard in members(self.value)
            if self.explorer.decide(guard)
        )

    def __contains__(self, item: object) -> bool:
        return self.explorer.decide(
            some(
                *(
                    both(guard, equal(item, other))
                    for other, guard in members(self.value)
                )
            )
        )

    def __len__(self) -> int:
        return sum(1 for _ in self)


class OpenMeld:
    """A meld of a list, whose parts code asks for."""

    def __init__(self, explorer: Explorer, value: Any) -> None:
        self.explorer, self.value = explorer, value
        self._parts: MeldOf = parts(value)

    @property
    def cards(self) -> OpenSet:
        """Return the cards."""
        return OpenSet(self.explorer, self._parts.cards)

    @property
    def meld(self) -> str:
        """Return the name, one in each run."""
        return str(self.explorer.choose(self._parts.meld))

    @property
    def seat(self) -> str:
        """Return the seat, one in each run."""
        return str(self.explorer.choose(self._parts.seat))


class OpenCard:
    """A card that is there, whose rank and suit code asks for.

    `cases` are the cards that it can be; the choice may have been one of nothing too.
    """

    def __init__(self, explorer: Explorer, value: Choice) -> None:
        self.explorer, self.value = explorer, value

    @property
    def cases(self) -> Cases:
        """Return the cards that it can still be in this run."""
        return self.explorer.left(self.value)

    @property
    def rank(self) -> str:
        """Return the rank, one in each run."""
        return str(self.explorer.choose(self.value, lambda card: card.rank))

    @property
    def suit(self) -> str:
        """Return the suit, one in each run."""
        return str(self.explorer.choose(self.value, lambda card: card.suit))

    def __eq__(self, other: object) -> bool:
        known = Choice(other.cases) if isinstance(other, OpenCard) else other
        return self.explorer.decide(equal(Choice(self.cases), known))

    def __hash__(self) -> int:
        return hash(self.explorer.choose(self.value))


def _set(value: Any) -> SetOf:
    return value.value if isinstance(value, OpenSet) else as_set(value)


def opened(explorer: Explorer, value: Any) -> Any:
    """Return a symbolic value as code sees it."""
    if isinstance(value, SetOf):
        return OpenSet(explorer, value)
    if isinstance(value, ListOf):
        return OpenList(explorer, value)
    if isinstance(value, MeldOf):
        return OpenMeld(explorer, value)
    if isinstance(value, z3.BoolRef):
        return explorer.decide(value)
    if not isinstance(value, Choice):
        return value
    if not any(isinstance(case, Card) for case, _ in value.cases):
        return explorer.choose(value)
    there = explorer.choose(value, lambda card: card is not None)
    return OpenCard(explorer, value) if there else None
