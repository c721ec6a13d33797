"""The strict tricks, as the rules have them: who takes a trick, what must be played, what it pays.

Once the stock is closed only cards are played, and little of the rules still matters.  This
module asks the rules for that little and for nothing else, by evaluating them on a table of
which some things are known (the stock is closed, this card is led) and others are not (who
holds what, who is ahead).  Whatever still needs the unknown is beyond tables: the answer is
then a `BeyondTablesError` that says which clause needs what.

Terms
    face      rank and suit, without the copy
    duty      the sets of a follower's cards, in order; the first that is not empty binds
    worth     what a card pays to the seat that takes the trick it is in
    bonus     what a card pays to its holder for being played
    closing   the part of `worth` that is paid when the hand ends, won cards included
    mark      a part of the state that only gains the card just played: for a card that is
              still held, membership in it does not change

Source: `duties`, `terms.beats`, `actions.play` and `after` of the rule file.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from bezique.engine.cards import Card
from bezique.engine.errors import BeziqueError
from bezique.engine.evaluate import EMPTY, Meaning, Names
from bezique.engine.position import Position, Value
from bezique.engine.rules import Rules
from bezique.spec import core, tree
from bezique.spec.tree import Expression, Statement

SEATS = 2  # a margin is between two
HAPPENS = (
    "play",
    "trick",
    "hand",
    "points",
    "change",
)  # what a reaction can be upon here


class UnknownError(LookupError):
    """Something was asked that is not known before the cards are played."""


class BeyondTablesError(BeziqueError):
    """The strict tricks of some rules are not a matter of tables; the text says why."""


class Face:
    """A card of which only rank and suit are known; asking for more is an `UnknownError`."""

    def __init__(self, rank: str, suit: str) -> None:
        self.rank, self.suit = rank, suit

    def __eq__(self, other: object) -> bool:
        """Return that it is not nothing; whether it is the very same card is not known."""
        if other is None:
            return False
        message = "which of two identical cards it is"
        raise UnknownError(message)

    def __hash__(self) -> int:
        """Refuse, as equality does."""
        return int(self == self)  # noqa: PLR0124


class Mark:
    """A part of the state that can only be asked about one card."""

    def __init__(self, name: str, cards: frozenset[Any], card: Card) -> None:
        self.name, self.cards, self.card = name, cards, card

    def __contains__(self, card: object) -> bool:
        """Return whether the part holds the card."""
        if card != self.card:
            message = f"{self.name} of another card"
            raise UnknownError(message)
        return card in self.cards


class State(dict[str, Any]):
    """The state as far as it stays as it is; `read` collects what was asked for."""

    def __init__(self, values: Mapping[str, Any], changing: set[str]) -> None:
        super().__init__(values)
        self.changing = changing
        self.read: set[str] = set()

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401
        """Return a part of the state, unless it changes in play."""
        if name in self.changing:
            message = f"{name}, which changes in play"
            raise UnknownError(message)
        self.read.add(name)
        return super().__getitem__(name)


class ClosedTable:
    """A table with a closed stock, of which only what is named is known."""

    def __init__(
        self, position: Position, state: Mapping[str, Any], **known: object
    ) -> None:
        self.rules = position.rules
        self.dealer, self.hand = position.dealer, position.hand
        self.stock, self.turn_up, self.left = (
            position.stock,
            position.turn_up,
            position.left,
        )
        self.state = state
        self.__dict__.update(known)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        """Refuse whatever was not named."""
        raise UnknownError(name)


class Glimpse(Meaning):
    """What expressions mean on a table of which not everything is known.

    `False and X` is false and `True or X` true, in either order, whatever X needs.
    A parameter without a value is unknown too (its `KeyError` is a `LookupError`).
    """

    def value(self, node: Expression, names: Names = EMPTY) -> Any:  # noqa: ANN401
        """Return what an expression is worth.

        Raises:
            LookupError: It needs something unknown.
        """
        match node:
            case tree.Logic():
                return self._decided(node, names)
            case tree.Apply(where="term" | "choice"):
                return self._applied(node, names)
            case tree.Name(where="parameter") if isinstance(
                names[node.name], LookupError
            ):
                raise names[node.name]
        return super().value(node, names)

    def _decided(self, node: tree.Logic, names: Names) -> bool:
        decides = node.word == "or"
        unknown: LookupError | None = None
        for item in node.items:
            try:
                if bool(self.value(item, names)) == decides:
                    return decides
            except LookupError as error:
                unknown = error
        if unknown is not None:
            raise unknown
        return not decides

    def _applied(self, node: tree.Apply, names: Names) -> Any:  # noqa: ANN401
        """Return what a term or choice is worth; an unknown argument matters only where it is used."""
        profile = self.rules.profile
        named = (
            profile.terms[node.name]
            if node.where == "term"
            else profile.choices[node.name]
        )
        inner: dict[str, Any] = {}
        for parameter, argument in zip(named.parameters, node.arguments, strict=True):
            try:
                inner[parameter.name] = self.value(argument, names)
            except LookupError as error:
                inner[parameter.name] = error
        body = (
            profile.terms[node.name].body
            if node.where == "term"
            else self.rules.reading(node.name)
        )
        return self.value(body, inner)

    def surely(self, node: Expression, names: Names = EMPTY) -> bool | None:
        """Return whether a condition holds; None when that is not known."""
        try:
            return self.holds(node, names)
        except LookupError:
            return None


@dataclass(frozen=True, slots=True)
class Payment:
    """A statement `pay`, where it stands and what its names stand for."""

    clause: str
    payee: Expression
    amount: Expression
    names: Mapping[str, Any]


Worth = Callable[[Card], int]


@dataclass(frozen=True, eq=False)
class Strict:
    """The strict tricks under some rules, at a table whose state is settled.

    Attributes:
        rules: The rules.
        position: A position with a closed stock, for dealer and state.
        duty: The sets of the follower's duty, in order; the last holds every card.
        last: Points for the last trick.
        state: The parts of the state that were asked for, with the values they had.
    """

    rules: Rules
    position: Position
    duty: tuple[str, ...]
    last: int
    state: State
    _now: tuple[Worth, ...] = ()
    _closing: tuple[Worth, ...] = ()
    _plays: tuple[core.Reaction, ...] = ()
    _marks: frozenset[str] = frozenset()
    _memo: dict[Card, int] = field(default_factory=dict)

    def worth(self, card: Card) -> int:
        """Return what a card pays to the seat that takes its trick."""
        if card not in self._memo:
            self._memo[card] = sum(part(card) for part in (*self._now, *self._closing))
        return self._memo[card]

    def closing(self, card: Card) -> int:
        """Return what a card pays at the end of the hand to the seat that has won it."""
        return sum(part(card) for part in self._closing)

    def bonus(self, card: Card, state: Mapping[str, Value]) -> int:
        """Return what a card still held pays to its holder when it is played."""
        return sum(
            self._paid_on_play(reaction, card, state) for reaction in self._plays
        )

    @cached_property
    def faces(self) -> tuple[Face, ...]:
        """Return every face of the pack, in card order."""
        deck = self.rules.profile.deck
        return tuple(Face(rank, suit) for suit in deck.suits for rank in deck.ranks)

    @cached_property
    def index(self) -> dict[str, int]:
        """Return the place of each face by its text."""
        return {face.rank + face.suit: place for place, face in enumerate(self.faces)}

    @cached_property
    def beats(self) -> tuple[tuple[bool, ...], ...]:
        """Return for each face led whether each face beats it."""
        here = self._here()
        return tuple(
            tuple(bool(here.term("beats", face, led)) for face in self.faces)
            for led in self.faces
        )

    @cached_property
    def sets(self) -> tuple[tuple[tuple[bool, ...], ...], ...]:
        """Return for each set of the duty and each face led which faces are in the set."""
        tables = []
        for name in self.duty:
            rows = []
            for led in self.faces:
                here = self._here(trick=(led,))
                rows.append(tuple(bool(here.term(name, face)) for face in self.faces))
            tables.append(tuple(rows))
        return tuple(tables)

    @cached_property
    def ruling(self) -> tuple[bool, ...]:
        """Return for each face whether its suit beats another suit."""
        strong = {
            face.suit
            for led, row in zip(self.faces, self.beats, strict=True)
            for face, beaten in zip(self.faces, row, strict=True)
            if beaten and face.suit != led.suit
        }
        return tuple(face.suit in strong for face in self.faces)

    def _here(self, me: str | None = None, **known: object) -> Glimpse:
        return Glimpse(ClosedTable(self.position, self.state, **known), me)

    def _paid_on_play(
        self, reaction: core.Reaction, card: Card, state: Mapping[str, Value]
    ) -> int:
        values: dict[str, Any] = dict(state)
        for name in self._marks:
            values[name] = Mark(name, values[name], card)
        settled = State(values, self.state.changing - self._marks)
        paid = 0
        for seat in self.rules.seats[
            :1
        ]:  # the same for any seat: `_payee` has seen to that
            here = Glimpse(ClosedTable(self.position, settled), seat)
            names = {"card": card}
            with _explained(reaction.id):
                if here.holds(reaction.test, names):
                    paid += sum(
                        here.value(part.amount, part.names)
                        for part in _payments(here, reaction.id, reaction.do, names)
                    )
        return paid


class _explained:  # noqa: N801
    """Turns what is unknown into the reason why tables do not do."""

    def __init__(self, clause: str) -> None:
        self.clause = clause

    def __enter__(self) -> None:
        return None

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if isinstance(error, LookupError):
            message = f"{self.clause} hangs on {error.args[0] if error.args else 'something unknown'}"
            raise BeyondTablesError(message) from error


def strict(position: Position) -> Strict:
    """Return the strict tricks of a position's rules, under its state.

    Args:
        position: Any position with a closed stock; who holds which cards does not matter.

    Raises:
        BeyondTablesError: They are not a matter of tables; the text names clause and reason.
    """
    known = _CACHE.setdefault(position.rules, [])
    for found in known:
        at = found.position
        same_table = (at.left, at.dealer, at.hand) == (
            position.left,
            position.dealer,
            position.hand,
        )
        if same_table and all(
            found.state.get(name) == position.state[name] for name in found.state.read
        ):
            return found
    made = _Reader(position).strict()
    if len(known) > MOST_KEPT:
        known.clear()
    known.append(made)
    return made


MOST_KEPT = 64
_CACHE: dict[Rules, list[Strict]] = {}


class _Reader:
    """Asks the rules, clause by clause."""

    def __init__(self, position: Position) -> None:
        self.position, self.rules = position, position.rules
        self.profile = position.rules.profile
        self.state = State(position.state, set())
        self.marks: set[str] = set()

    def here(self, me: str | None = None, **known: object) -> Glimpse:
        return Glimpse(ClosedTable(self.position, self.state, **known), me)

    def strict(self) -> Strict:
        if len(self.rules.seats) != SEATS:
            message = f"{len(self.rules.seats)} seats play, not {SEATS}"
            raise BeyondTablesError(message)
        if self.here().surely(self.profile.terms["stock_open"].body) is not False:
            message = "the stock is not closed"
            raise BeyondTablesError(message)
        self.find_changes()
        self.only_cards_are_played()
        duty = self.duty()
        now, _ = self.paid_upon("trick")
        closing, last = self.paid_upon("hand")
        plays = tuple(
            reaction
            for reaction in self.reactions("play")
            if any(_effects(reaction.do))
        )
        self.nothing_else_happens()
        made = Strict(
            self.rules, self.position, duty, last, self.state,
            tuple(now), tuple(closing), plays, frozenset(self.marks),
        )  # fmt: skip
        with _explained(f"the duty ({', '.join(duty)})"):
            universal = all(map(all, made.sets[-1]))
        if not universal:
            message = f"the last set of the duty, {duty[-1]}, does not hold every card"
            raise BeyondTablesError(message)
        with _explained("beats"):
            made.beats  # noqa: B018
        for card in self.rules.pack:
            made.worth(card)
        return made

    # --- what can happen -------------------------------------------------------------------

    def reactions(self, upon: str) -> Iterator[core.Reaction]:
        """Yield the reactions that may happen."""
        for reaction in self.profile.after:
            if reaction.upon == upon and self.here().surely(reaction.test) is not False:
                yield reaction

    def find_changes(self) -> None:
        """Find the parts of the state that change in play, until no more are found."""
        while True:
            found: set[str] = set()
            marks: set[str] = set()
            for upon in HAPPENS:
                for reaction in self.reactions(upon):
                    for change in _assignments(reaction.do):
                        gains_card = (
                            change.sign == "+="
                            and isinstance(change.value, tree.Name)
                            and change.value.name == "card"
                        )
                        (marks if upon == "play" and gains_card else found).add(
                            change.name
                        )
            found |= {
                change.name for change in _assignments(self.profile.actions["play"].do)
            }
            found |= {part.name for part in self.profile.state if part.per == "trick"}
            if found | marks <= self.state.changing:
                self.marks = marks - found
                return
            self.state.changing |= found | marks

    def only_cards_are_played(self) -> None:
        """See that no other action is possible, and that a card is legal when it obeys."""
        for phase in ("lead", "follow"):
            here = self.here(phase=phase)
            for name, action in self.profile.actions.items():
                conditions = [
                    clause for clause in action.conditions if not _is_held(clause.test)
                ]
                if name == "play":
                    for clause in conditions:
                        obeys = (
                            isinstance(clause.test, tree.Call)
                            and clause.test.function == "obeys"
                        )
                        if not obeys and here.surely(clause.test) is not True:
                            message = (
                                f"{clause.id} may refuse a card that obeys the duty"
                            )
                            raise BeyondTablesError(message)
                elif not action.ruling and not any(
                    here.surely(clause.test) is False for clause in conditions
                ):
                    message = f"{name} may be possible beside playing a card"
                    raise BeyondTablesError(message)
        if [do.effect for do in _effects(self.profile.actions["play"].do)] != ["put"]:
            message = "playing a card does more than put it to the trick"
            raise BeyondTablesError(message)

    def duty(self) -> tuple[str, ...]:
        """Return the sets that bind the follower; a lead must be free."""
        deck = self.profile.deck
        faces = [Face(rank, suit) for suit in deck.suits for rank in deck.ranks]
        lead = self._duty(())
        with _explained(f"{lead.name}/{lead.sets[0]}"):
            free = all(self.here(trick=()).term(lead.sets[0], face) for face in faces)
        if not free:
            message = f"{lead.name}/{lead.sets[0]}: the lead is not free"
            raise BeyondTablesError(message)
        duties = {self._duty((face,)) for face in faces}
        if len(duties) != 1:
            message = "the duty of the follower hangs on the card led"
            raise BeyondTablesError(message)
        return duties.pop().sets

    def _duty(self, trick: tuple[Face, ...]) -> core.Duty:
        here = self.here(trick=trick)
        for duty in self.profile.duties:
            with _explained(duty.name):
                if here.holds(duty.when):
                    return duty
        message = "no duty binds the player"
        raise BeyondTablesError(message)

    # --- what is paid ----------------------------------------------------------------------

    def paid_upon(self, upon: str) -> tuple[list[Worth], int]:
        """Return what cards pay upon a trick or the hand, and what its taker gets besides."""
        worths: list[Worth] = []
        constant = 0
        for reaction in self.reactions(upon):
            (one, fixed), (other, same) = (
                self._paid(reaction, upon, taker) for taker in self.rules.seats
            )
            unlike = any(
                _total(one, card) != _total(other, card) for card in self.rules.pack
            )
            if fixed != same or unlike:
                message = f"{reaction.id} pays the seats unlike amounts"
                raise BeyondTablesError(message)
            worths += one
            constant += fixed
        if upon == "trick" and constant:
            message = f"a trick pays {constant} whatever its cards are"
            raise BeyondTablesError(message)
        return worths, constant

    def _paid(
        self, reaction: core.Reaction, upon: str, taker: str
    ) -> tuple[list[Worth], int]:
        """Return what one reaction pays the seat that takes the trick: for its cards, and besides.

        Whatever it pays to another seat for cards that this one has taken must be nothing.
        """
        here = self.here(taker=taker)
        worths: list[Worth] = []
        constant = 0
        with _explained(reaction.id):
            if not here.holds(reaction.test):
                return [], 0
            for payment in _payments(here, reaction.id, reaction.do, EMPTY):
                payee = here.value(payment.payee, payment.names)
                sums, fixed = _linear(
                    here, payment, payment.amount, payment.names, upon
                )
                taken = [worth for owner, worth in sums if owner in (None, taker)]
                if payee == taker:
                    worths += taken
                    constant += fixed
                elif fixed or any(_total(taken, card) for card in self.rules.pack):
                    message = f"{reaction.id} pays {payee or 'nobody'} for what another has taken"
                    raise BeyondTablesError(message)
        return worths, constant

    def nothing_else_happens(self) -> None:
        """See that nothing is paid or ended in other places."""
        for upon in ("points", "change"):
            for reaction in self.reactions(upon):
                for do in _effects(reaction.do):
                    message = f"{reaction.id} may {do.effect} upon {upon}"
                    raise BeyondTablesError(message)
        for reaction in self.reactions("play"):
            for do in _effects(reaction.do):
                if do.effect != "pay" or not (
                    isinstance(do.arguments[0], tree.Name)
                    and do.arguments[0].name == "me"
                ):
                    message = (
                        f"{reaction.id} may {do.effect} to another than the player"
                    )
                    raise BeyondTablesError(message)


def _payments(
    here: Glimpse, clause: str, statements: tuple[Statement, ...], names: Names
) -> Iterator[Payment]:
    """Yield the payments among statements, with tests decided and loops over known things unrolled."""
    for statement in statements:
        match statement:
            case tree.Do(effect="pay"):
                yield Payment(
                    clause, statement.arguments[0], statement.arguments[1], names
                )
            case tree.Do():
                message = f"{clause} may {statement.effect}"
                raise BeyondTablesError(message)
            case tree.When():
                if any(_effects((statement,))):
                    yield from _payments(
                        here,
                        clause,
                        statement.then
                        if here.holds(statement.test, names)
                        else statement.other,
                        names,
                    )
            case tree.ForEach():
                if any(_effects(statement.body)):
                    for item in here.value(statement.group, names):
                        yield from _payments(
                            here,
                            clause,
                            statement.body,
                            {**names, statement.variable: item},
                        )


def _linear(
    here: Glimpse, payment: Payment, node: Expression, names: Names, upon: str
) -> tuple[list[tuple[str | None, Worth]], int]:
    """Return an amount as sums over the cards of a trick or of what a seat has won, and a constant.

    The owner of a sum is the seat whose won cards it counts; None for the cards of the trick.
    """
    match node:
        case tree.Each(fold="sum") if (
            node.group.type.item and node.group.type.item.kind == "Card"
        ):
            owner = _owner(here, node.group, names, upon)
            return [
                (
                    owner,
                    lambda card: _one_card(
                        here, payment, node, {**names, node.variable: card}
                    ),
                )
            ], 0
        case tree.Each(fold="sum"):
            parts = []
            for item in here.value(node.group, names):
                inner = {**names, node.variable: item}
                if node.test is None or here.holds(node.test, inner):
                    parts.append(_linear(here, payment, node.body, inner, upon))
            return [item for sums, _ in parts for item in sums], sum(
                fixed for _, fixed in parts
            )
        case tree.Sum(sign="+"):
            left, right = (
                _linear(here, payment, side, names, upon)
                for side in (node.left, node.right)
            )
            return left[0] + right[0], left[1] + right[1]
        case tree.Either():
            return _linear(
                here,
                payment,
                node.then if here.holds(node.test, names) else node.other,
                names,
                upon,
            )
        case tree.Apply(where="term"):
            term = here.rules.profile.terms[node.name]
            values = [here.value(argument, names) for argument in node.arguments]
            inner = {
                item.name: value
                for item, value in zip(term.parameters, values, strict=True)
            }
            return _linear(here, payment, term.body, inner, upon)
    return [], here.value(node, names)


def _total(worths: list[Worth], card: Card) -> int:
    return sum(worth(card) for worth in worths)


def _owner(here: Glimpse, group: Expression, names: Names, upon: str) -> str | None:
    match group:
        case tree.Name(where="fact", name="trick") if upon == "trick":
            return None
        case tree.Call(function="won", arguments=(seat,)) if upon == "hand":
            owner: str = here.value(seat, names)
            return owner
    message = "a sum over other cards than those of the trick or those won"
    raise UnknownError(message)


def _one_card(here: Glimpse, payment: Payment, node: tree.Each, names: Names) -> int:
    with _explained(payment.clause):
        if node.test is not None and not here.holds(node.test, names):
            return 0
        return int(here.value(node.body, names))
    raise AssertionError  # the context manager lets nothing pass


def _is_held(test: Expression) -> bool:
    """Return whether a condition is just `card in held(me)`, as every card of a hand is."""
    match test:
        case tree.Member(
            item=tree.Name(where="parameter"),
            group=tree.Call(function="held", arguments=(tree.Name(name="me"),)),
        ):
            return True
    return False


def _assignments(statements: tuple[Statement, ...]) -> Iterator[tree.Assign]:
    for statement in _flat(statements):
        if isinstance(statement, tree.Assign):
            yield statement


def _effects(statements: tuple[Statement, ...]) -> Iterator[tree.Do]:
    for statement in _flat(statements):
        if isinstance(statement, tree.Do):
            yield statement


def _flat(statements: tuple[Statement, ...]) -> Iterator[Statement]:
    """Yield statements and those within them."""
    for statement in statements:
        yield statement
        match statement:
            case tree.When():
                yield from _flat((*statement.then, *statement.other))
            case tree.ForEach():
                yield from _flat(statement.body)
