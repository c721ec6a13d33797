"""The rules of a profile, read and checked: what everything else is made from.

A `Profile` is a rule file laid over its bases, with every text turned into the tree.
It knows all readings and which one is picked; options are settled by the engine.
"""

import hashlib
from functools import cached_property
from typing import Literal

from bezique.spec.kinds import Type
from bezique.spec.tree import Expression, Node, Statement


class Parameter(Node):
    """A name with its type."""

    name: str
    type: Type


class Clause(Node):
    """A named condition."""

    id: str
    test: Expression


class _Named(Node):
    """What has a name and parameters."""

    name: str
    parameters: tuple[Parameter, ...]

    @property
    def signature(self) -> str:
        """Return the name with its letters, as the rule file has it: `beats(c, d)`."""
        letters = ", ".join(part.name for part in self.parameters)
        return f"{self.name}({letters})" if letters else self.name


class Term(_Named):
    """A named expression."""

    body: Expression


class Choice(_Named):
    """A point where tables differ: its readings by name, and the one this profile picks."""

    type: Type
    values: dict[str, Expression]
    picked: str


class CardPattern(Node):
    """Some cards of a meld: how many, of which rank, of which suit.

    `suit` is a fixed suit, `variable` a suit that the meld leaves open; with neither, the
    cards may be of any suits.
    """

    count: int
    rank: str
    suit: str | None = None
    variable: str | None = None


class Meld(Node):
    """A meld of the table: its cards, its worth, its conditions."""

    name: str
    family: str
    level: int
    cards: tuple[CardPattern, ...]
    points: Expression
    conditions: tuple[Clause, ...]
    do: tuple[Statement, ...]

    @property
    def size(self) -> int:
        """Return how many cards the meld takes."""
        return sum(part.count for part in self.cards)

    @property
    def variables(self) -> tuple[str, ...]:
        """Return the open suits of the meld, each once, in order."""
        return tuple(
            dict.fromkeys(part.variable for part in self.cards if part.variable)
        )


class Duty(Node):
    """Sets of cards, of which the first that is not empty binds; `when` tells where."""

    name: str
    when: Expression
    sets: tuple[str, ...]


class Action(Node):
    """Something a player may do; the first condition that fails names the refusal."""

    name: str
    takes: tuple[Parameter, ...]
    conditions: tuple[Clause, ...]
    do: tuple[Statement, ...]
    ruling: bool


class Waiver(Node):
    """A condition that the referee of a recorded table lets pass."""

    id: str
    waives: str
    test: Expression
    do: tuple[Statement, ...]


class Reaction(Node):
    """What happens by itself."""

    id: str
    upon: Literal["deal", "play", "trick", "draw", "closed", "hand", "change"]
    test: Expression
    do: tuple[Statement, ...]


class Verdict(Node):
    """A way for the match to end with a hand; `worth` is what it counts in the series."""

    id: str
    test: Expression
    winner: Expression
    worth: Expression | None = None


class State(Node):
    """A part of the state and when it is emptied."""

    name: str
    type: Type
    per: Literal["hand", "trick"]
    unless_empty: bool


class Option(Node):
    """What players may choose at the table: values listed, or whole numbers from `min` to `max`."""

    name: str
    of: Literal["value", "choice"]
    default: bool | int | str
    values: tuple[bool | int | str, ...] | None = None
    min: int | None = None
    max: int | None = None


class Deck(Node):
    """The cards: ranks from the strongest down, suits, number of packs."""

    ranks: tuple[str, ...]
    suits: tuple[str, ...]
    packs: Expression


class Deal(Node):
    """How a hand begins."""

    hand_size: Expression
    packets: dict[int, tuple[int, ...]]
    first: Expression
    turn_up: Expression
    next_dealer: Expression


class Tally(Node):
    """A number kept from match to match."""

    name: str
    start: int | None
    next: Expression


class Shown(Node):
    """A number shown between matches; `value` counts units of 10 to the power -`decimals`."""

    name: str
    value: Expression
    decimals: int


class Series(Node):
    """From match to match: the first dealer, the numbers kept, the numbers shown."""

    player: str
    by: Literal["cut", "lot", "rule"]
    dealer: Expression | None
    state: tuple[Tally, ...]
    shows: tuple[Shown, ...]


class Profile(Node):
    """The rules of one table."""

    name: str
    version: str
    source: str
    deck: Deck
    seats: tuple[str, ...]
    values: dict[str, bool | int]
    options: tuple[Option, ...]
    tables: dict[str, dict[str, str]]
    state: tuple[State, ...]
    terms: dict[str, Term]
    choices: dict[str, Choice]
    melds: dict[str, Meld]
    duties: tuple[Duty, ...]
    actions: dict[str, Action]
    waivers: tuple[Waiver, ...]
    after: tuple[Reaction, ...]
    verdict: tuple[Verdict, ...]
    deal: Deal
    draw_first: Expression
    series: Series
    views: dict[str, Expression]
    invariants: tuple[Clause, ...]
    sentences: dict[str, dict[str, str]]

    @cached_property
    def digest(self) -> str:
        """Return twelve hex digits that change with any rule, but not with its wording."""
        rules = self.model_dump_json(exclude={"sentences", "source"})
        return hashlib.sha256(rules.encode()).hexdigest()[:12]

    @cached_property
    def clause_ids(self) -> tuple[str, ...]:
        """Return every clause of the profile, each once, in the order of the file."""
        ids: list[str] = []
        for meld in self.melds.values():
            ids.append(f"meld/{meld.name}")
            ids += [clause.id for clause in meld.conditions]
        ids += [f"{duty.name}/{name}" for duty in self.duties for name in duty.sets]
        for action in self.actions.values():
            ids += [clause.id for clause in action.conditions]
        for group in (self.waivers, self.after, self.verdict, self.invariants):
            ids += [clause.id for clause in group]
        return tuple(dict.fromkeys(ids))
