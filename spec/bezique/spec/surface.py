"""The surface: the shape of a rule file, before its expressions are read.

These models are what an editor completes against (`bezique spec schema`) and what a
file, laid over its bases, is checked against first.  Expressions and statements are
still texts here; `bezique.spec.elaborate` turns them into the tree.
"""

from typing import Annotated, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    StringConstraints,
    Tag,
)


def _text(value: object) -> object:
    """Let `true`, `null` and `7` be expressions without quotes."""
    if value is None:
        return "None"
    return str(value) if isinstance(value, bool | int) else value


def _number(value: object) -> object:
    """Let `8` be a text of one number."""
    return str(value) if isinstance(value, int) else value


def _form(value: object) -> str:
    """Return which form of statement a value is meant to be, so that faults are its."""
    if isinstance(value, dict):
        return "each" if "for" in value else "when"
    if isinstance(value, WhenText):
        return "when"
    return "each" if isinstance(value, ForText) else "one-line"


def _listed(value: object) -> str:
    """Return whether a value is meant to be a list."""
    return "words" if isinstance(value, list) else "type"


_SLUG = r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$"
_IDENTIFIER = r"^[A-Za-z][A-Za-z0-9]*(_[A-Za-z0-9]+)*_?$"
_CLAUSE_ID = r"^[a-z][a-z0-9]*(-[a-z0-9]+)*(/[a-z0-9]+(-[a-z0-9]+)*)+$"
_SIGNATURE = r"^[A-Za-z][A-Za-z0-9]*(_[A-Za-z0-9]+)*_?(\([A-Za-z]+(, [A-Za-z]+)*\))?$"
_WORDS = r"^\S+( \S+)*$"
_VERSION = r"^[0-9]{1,4}\.[0-9]{1,4}\.[0-9]{1,4}$"
_LOOP = r"^[A-Za-z]+ in .+$"
PATTERNS = {
    _SLUG: "a name such as four-kings",
    _IDENTIFIER: "a name such as hand_size",
    _CLAUSE_ID: "a clause such as strict/heads",
    _SIGNATURE: "a name with its letters such as beats(c, d)",
    _WORDS: "words with one blank between them",
    _VERSION: "a version such as 1.0.0",
    _LOOP: "a loop such as p in seats",
}
"""What a text must look like, in words."""

Slug = Annotated[str, StringConstraints(pattern=_SLUG)]
Identifier = Annotated[str, StringConstraints(pattern=_IDENTIFIER)]
ClauseId = Annotated[str, StringConstraints(pattern=_CLAUSE_ID)]
Signature = Annotated[str, StringConstraints(pattern=_SIGNATURE)]
Words = Annotated[str, StringConstraints(pattern=_WORDS)]
Packets = Annotated[
    Words,
    BeforeValidator(_number, json_schema_input_type=str | int),
]
ExpressionText = Annotated[
    str,
    BeforeValidator(_text, json_schema_input_type=str | int | bool | None),
    Field(
        description="an expression of the rules language, such as `suit(c) == trump`"
    ),
]


class Surface(BaseModel):
    """What all parts of a rule file share: frozen, nothing extra."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class WhenText(Surface):
    """Statements under a condition."""

    if_: ExpressionText = Field(alias="if")
    do: list["StatementText"]
    else_: list["StatementText"] = Field(default=[], alias="else")


class ForText(Surface):
    """Statements for each item of a set or list."""

    for_: str = Field(alias="for", pattern=_LOOP, description="`p in seats`")
    do: list["StatementText"]


StatementText = Annotated[
    Annotated[str, Tag("one-line")]
    | Annotated[WhenText, Tag("when")]
    | Annotated[ForText, Tag("each")],
    Discriminator(_form),
    Field(
        description="a statement: `trump = s`, `sevens += card`, `put(card)`, "
        "`{if: …, do: […], else: […]}` or `{for: p in seats, do: […]}`"
    ),
]
TakenText = Annotated[
    Annotated[str, Tag("type")] | Annotated[list[Slug], Tag("words")],
    Discriminator(_listed),
    Field(description="Card, Meld, Seat, Suit, Rank, Bool, or a list of words"),
]
Conditions = dict[ClauseId, ExpressionText]


class DeckText(Surface):
    """The cards: ranks from the strongest down, suits, and how many packs."""

    ranks: Words = Field(description="strongest first, by spaces")
    suits: Words
    packs: ExpressionText


class OptionText(Surface):
    """What players may choose at the table: another value, or another reading.

    The option's name is that of a value or choice, whose own value is the default.
    """

    values: list[bool | int | Slug] | None = None
    min: int | None = None
    max: int | None = None


class StateText(Surface):
    """A part of the state, emptied at each new hand or trick."""

    type: str = Field(
        description="`Bool`, `Suit or None`, `set of Card`, `list of Meld` …"
    )
    per: Literal["hand", "trick"]
    unless_empty: bool = Field(
        default=False, description="left out of a written position while empty"
    )


class MeldText(Surface):
    """A meld: the cards it takes, what it scores, and when it may be declared."""

    family: Slug
    level: int = Field(ge=1)
    cards: str = Field(description="`K(s) Q(s)`, `2 Q(q) 2 J(j)`, `4 A`")
    points: ExpressionText
    if_: Conditions = Field(default={}, alias="if")
    do: list[StatementText] = []


class DutyText(Surface):
    """What the player of a card owes: the first of these sets that is not empty."""

    when: ExpressionText
    sets: list[Identifier] = Field(min_length=1)


class ActionText(Surface):
    """Something a player may do: its parameters, its named conditions, its effects."""

    takes: dict[Identifier, TakenText] = {}
    if_: Conditions = Field(alias="if")
    do: list[StatementText]
    ruling: bool = Field(
        default=False, description="for the referee of a recorded table only"
    )


class WaiverText(Surface):
    """A condition that a referee of a recorded table lets pass, and what follows from it."""

    waives: ClauseId
    if_: ExpressionText = Field(default="True", alias="if")
    do: list[StatementText]


class ReactionText(Surface):
    """What happens by itself."""

    upon: Literal["deal", "play", "trick", "draw", "closed", "hand", "change"]
    if_: ExpressionText = Field(default="True", alias="if")
    do: list[StatementText]


class VerdictText(Surface):
    """A way for the match to end with a hand; the winner None is a draw."""

    if_: ExpressionText = Field(alias="if")
    winner: ExpressionText
    worth: ExpressionText | None = Field(
        default=None, description="what the match counts in the series"
    )


class DealText(Surface):
    """How a hand begins."""

    hand_size: ExpressionText
    packets: dict[str, Packets] = Field(
        description="hand size: sizes of the packets to each player"
    )
    first: ExpressionText = Field(
        description="the seat that gets the first packet and leads"
    )
    turn_up: ExpressionText = Field(description="is the next card turned up?")
    next_dealer: ExpressionText


class DrawText(Surface):
    """Who draws first after a trick."""

    first: ExpressionText


class ByCutText(Surface):
    """The player who cuts the highest card deals first; ties cut again."""

    by: Literal["cut"]


class ByLotText(Surface):
    """The first dealer is drawn by lot."""

    by: Literal["lot"]


class ByRuleText(Surface):
    """The first dealer follows from the matches before."""

    by: Literal["rule"]
    seat: ExpressionText


class TallyText(Surface):
    """A number kept from match to match."""

    start: int | None
    next: ExpressionText


class ShownText(Surface):
    """A number shown between matches, with the decimals it is written with."""

    value: ExpressionText
    decimals: int = Field(default=0, ge=0, le=9)


class SeriesText(Surface):
    """From match to match."""

    player: Identifier | None = None
    dealer: Annotated[ByCutText | ByLotText | ByRuleText, Field(discriminator="by")]
    state: dict[Identifier, TallyText] = {}
    shows: dict[Identifier, ShownText] = {}


class ViewsText(Surface):
    """Whether player p may see the cards of a zone that belongs to `owner`."""

    stock: ExpressionText
    turn_up: ExpressionText
    hidden: ExpressionText
    table: ExpressionText
    led: ExpressionText
    won: ExpressionText
    last_trick: ExpressionText
    count: ExpressionText


class ProfileText(Surface):
    """A whole rule file, laid over its bases."""

    language: Literal[1]
    version: str = Field(pattern=_VERSION)
    profile: Slug
    source: str
    deck: DeckText
    seats: Words
    letters: dict[Identifier, str]
    values: dict[Identifier, bool | int]
    options: dict[Identifier, OptionText] = {}
    tables: dict[Identifier, dict[str, str]] = {}
    state: dict[Identifier, StateText]
    terms: dict[Signature, ExpressionText]
    choices: dict[Signature, dict[Slug, ExpressionText]]
    readings: dict[Identifier, Slug]
    melds: dict[Slug, MeldText]
    duties: dict[Slug, DutyText]
    actions: dict[Slug, ActionText]
    waivers: dict[ClauseId, WaiverText] = {}
    after: dict[ClauseId, ReactionText] = {}
    verdict: dict[ClauseId, VerdictText]
    deal: DealText
    draw: DrawText
    series: SeriesText
    views: ViewsText
    invariants: Conditions = {}
    sentences: dict[str, dict[str, str]] = {}


class FileText(Surface):
    """The keys that only a single file has."""

    based_on: str | None = None


for _model in (WhenText, ForText):
    _model.model_rebuild()
