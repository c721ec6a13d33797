"""Cases: small situations of the game, each with what the documents say of it.

A *case* tells what is given, what is done or asked, and what is expected.  It is judged
against the documents: its expected values are worked out by hand from them.

Terms
    given       a position, of which only what matters is written; the rest is filled in
    step        one action and what it brings: `declare four-kings KS KH KC KD => south 80 four-kings`
    reference   what a case is about: a statement `D2.63`, a clause `declare/reuse`, a row of
                the register of readings `R8`, or its first other reading `R8/1`
    obeys       references that the case shows kept
    breaks      references whose breach the case shows, and what follows: a refusal, no points
    level       how much of the protocol the case needs, so that a program can start small
    origin      where it comes from: a `document`, the register of readings (`reading`), an
                engine that erred (`regression`); or it was found as the smallest situation
                that tells a rule from another reading (`reading witness`) or from the same
                rule with a fault (`mutant witness`)

Source: docs/cases.md tells how to write one.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

Slug = Annotated[
    str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=60)
]
Reference = Annotated[
    str,
    StringConstraints(pattern=r"^(D\d\.\d\d|R\d{1,2}(/\d)?|[a-z-]+(/[a-z_-]+){1,2})$"),
]
Cards = Annotated[str, StringConstraints(pattern=r"^[0-9A-Z? |]*$")]
Setting = bool | int | str
Origin = Literal[
    "document", "reading", "reading witness", "mutant witness", "regression"
]
Seat = Literal["south", "north"]


class _Form(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Facts(_Form):
    """What is known of a position: as given, the rest is filled in; as expected, the rest may be anything.

    Cards are written without their copy when it is the first: `KS` is `KS1`.  A hand is its
    hidden cards, then `|` and those on the table.
    """

    phase: Literal["deal", "lead", "follow", "declare", "over"] | None = None
    turn: Literal["south", "north", "chance"] | None = None
    dealer: Seat | None = None
    hand: int | None = None
    trump: str | None = None
    turn_up: str | None = None
    stock: int | Cards | None = None
    south: Cards | None = None
    north: Cards | None = None
    led: str | None = None
    won: dict[Seat, Cards] | None = None
    scored: tuple[str, ...] | None = None
    pending: tuple[str, ...] | None = None
    declared: bool | None = None
    sevens: Cards | None = None
    taken: Cards | None = None
    late: Cards | None = None
    winner_of_last_trick: Seat | None = None
    last_trick: Cards | None = None
    points: dict[Seat, int] | None = None
    results: tuple[dict[Seat, int], ...] | None = None
    revoked: tuple[Seat, ...] | None = None
    barred: tuple[Seat, ...] | None = None
    winner: Literal["south", "north", "draw"] | None = None


class Choices(_Form):
    """What is expected of the legal actions; a text may be cut short: `declare marriage`."""

    includes: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    exactly: tuple[str, ...] | None = None
    error: str | None = None


class Solution(_Form):
    """The best margin of the player to move, or the code of a refusal; `line` where only one is best."""

    margin: int | None = None
    line: Cards | None = None
    error: str | None = None


class _Case(_Form):
    id: Slug
    why: str
    profiles: Annotated[tuple[str, ...], Field(min_length=1)]
    options: dict[str, Setting] = {}
    rules: dict[str, Any] = {}
    origin: Origin
    obeys: tuple[Reference, ...] = ()
    breaks: tuple[Reference, ...] = ()

    @property
    def level(self) -> int | None:
        """Return the level of the protocol that the case needs; None: it is beside the protocol."""
        return LEVELS[self.kind]  # type: ignore[attr-defined]


class LegalCase(_Case):
    """Which actions are legal in a position."""

    kind: Literal["legal"]
    given: Facts = Facts()
    expected: Choices


class StepsCase(_Case):
    """What actions lead to: one (`apply`) or several (`play`).

    A case that begins before the first deal is sent as one record, every other one action
    by action.
    """

    kind: Literal["apply", "play"]
    given: Facts = Facts()
    lenient: bool = False
    steps: Annotated[tuple[str, ...], Field(min_length=1)]
    expected: Facts = Facts()

    @property
    def level(self) -> int | None:
        """Return 2, or 3 for a table written down by a referee."""
        return 3 if self.lenient else 2


class ViewCase(_Case):
    """What a seat may know: of a position, or (`seen`) of the last step of a record."""

    kind: Literal["view"]
    given: Facts = Facts()
    seat: Seat
    steps: tuple[str, ...] = ()
    seen: tuple[dict[str, Any], ...] | None = None
    expected: Facts = Facts()


class CountCase(_Case):
    """How many ways a position can be played on, to a depth in actions."""

    kind: Literal["count"]
    given: Facts = Facts()
    depth: Annotated[int, Field(ge=1, le=6)]
    expected: int


class SolveCase(_Case):
    """What the last tricks are worth to the player to move; perhaps one best line, if it is the only one."""

    kind: Literal["solve"]
    given: Facts = Facts()
    expected: Solution


class SpecCase(_Case):
    """What the protocol does not carry: the pack, packets, the cut, the series, the options."""

    kind: Literal["spec"]
    ask: Literal[
        "pack", "packets", "cut", "series", "options", "first-dealer", "counter"
    ]
    given: dict[str, Any] = {}
    expected: dict[str, Any]


Case = LegalCase | StepsCase | ViewCase | CountCase | SolveCase | SpecCase

LEVELS: dict[str, int | None] = {
    "legal": 1,
    "apply": 2,
    "play": 2,
    "count": 2,
    "view": 3,
    "solve": 3,
    "spec": None,
}


class CaseFile(_Form):
    """A file of cases about one topic, named after it."""

    topic: str
    cases: tuple[Annotated[Case, Field(discriminator="kind")], ...]


class Excuse(_Form):
    """A reference that no case shows kept (`obeys`) or broken (`breaks`), and why."""

    of: Reference
    side: Literal["obeys", "breaks"]
    profiles: tuple[str, ...] = ()
    because: str
