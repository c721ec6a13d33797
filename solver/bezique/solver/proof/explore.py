"""Running code on symbolic values, path by path.

The compiled engine is ordinary Python: it asks `if` and `in` and loops.  `explore` runs a
function again and again, deciding each open question one way and then the other, until every
path has been walked.  What comes out is the whole function as guarded results, so that the
very code that ships is what is proved.

Terms
    path    the decisions taken in one run, each a guard with its answer
"""

from collections.abc import Callable, Iterator
from typing import Any

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
    cases,
    difference,
    equal,
    mapped,
    members,
    no,
    parts,
    some,
    within,
)

MOST_PATHS = 20_000


class TooManyPathsError(RuntimeError):
    """A function has more paths than can be walked."""


class Explorer:
    """Decides open questions in one run after another."""

    def __init__(self) -> None:
        self.prefix: list[bool] = []
        self.taken: list[tuple[z3.BoolRef, bool]] = []
        self._known: dict[int, bool] = {}

    def again(self) -> None:
        """Begin another run."""
        self.taken, self._known = [], {}

    def decide(self, guard: Guard) -> bool:
        """Return an answer to whether a guard holds, another one in a later run."""
        if isinstance(guard, bool):
            return guard
        # Equal terms of one context are one object to Z3, with one number.
        number = guard.get_id()
        if number not in self._known:
            place = len(self.taken)
            answer = self.prefix[place] if place < len(self.prefix) else True
            self.taken.append((guard, answer))
            self._known[number] = answer
        return self._known[number]

    def choose(self, value: Any) -> Any:
        """Return one case of a choice, each in some run, by halving."""
        found = cases(value)
        while len(found) > 1:
            half = len(found) // 2
            upper = self.decide(some(*(guard for _, guard in found[:half])))
            found = found[:half] if upper else found[half:]
        return found[0][0]

    def path(self) -> Guard:
        """Return the guard of the run so far."""
        return both(*(guard if answer else no(guard) for guard, answer in self.taken))


def explore(run: Callable[[Explorer], Any]) -> Iterator[tuple[Guard, Any]]:
    """Yield every path of a run with its result.

    Args:
        run: A function that asks an explorer whatever is open, the same each time.

    Raises:
        TooManyPathsError: There are more than 20,000 paths.
    """
    explorer = Explorer()
    for _ in range(MOST_PATHS):
        explorer.again()
        result = run(explorer)
        yield explorer.path(), result
        answers = [answer for _, answer in explorer.taken]
        while answers and not answers[-1]:
            answers.pop()
        if not answers:
            return
        explorer.prefix = [*answers[:-1], False]
    message = f"more than {MOST_PATHS} paths"
    raise TooManyPathsError(message)


def formula(run: Callable[[Explorer], Any]) -> Guard:
    """Return the guard under which a run's result is true."""
    return some(
        *(
            path if result is True or result else False
            for path, result in explore(run)
            if result
        )
    )


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
            return self.explorer.decide(self.where(item.value))
        return self.explorer.decide(self.value.has(item))

    def where(self, item: Any) -> Guard:
        """Return the guard under which a value, open or not, is in the set."""
        return some(*(both(guard, self.value.has(case)) for case, guard in cases(item)))

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
    """A card that is there, whose rank and suit code asks for."""

    def __init__(self, explorer: Explorer, value: Any) -> None:
        self.explorer, self.value = explorer, value

    @property
    def rank(self) -> str:
        """Return the rank, one in each run."""
        return str(self.explorer.choose(mapped(lambda card: card.rank, self.value)))

    @property
    def suit(self) -> str:
        """Return the suit, one in each run."""
        return str(self.explorer.choose(mapped(lambda card: card.suit, self.value)))

    def __eq__(self, other: object) -> bool:
        known = other.value if isinstance(other, OpenCard) else other
        return self.explorer.decide(equal(self.value, known))

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
    there = tuple((case, guard) for case, guard in value.cases if case is not None)
    if not any(isinstance(case, Card) for case, _ in there):
        return explorer.choose(value)
    if explorer.decide(value.where(None)):
        return None
    return OpenCard(explorer, Choice(there))
