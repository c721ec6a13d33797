"""Drafts: the next position in the making, and what effects do to it.

`apply` copies a position into a `Draft` and runs the statements of an action and the reactions
they set off; the draft then becomes the next position.  A refused action never reaches a
draft, so that nothing is ever half done.

The course of a hand is the language's own: cards are led and followed, the winner of a trick
takes it, declares while the stock is open, both draw; when the hands are empty the hand ends
and the verdict is asked.  Everything that scores is in the rule file.
"""

from functools import cache
from typing import TYPE_CHECKING, Any, NoReturn, cast

from bezique.engine.action import Event, told
from bezique.engine.cards import Card
from bezique.engine.code import Code
from bezique.engine.evaluate import EMPTY, Meaning, lacks
from bezique.engine.frozen import FrozenDict
from bezique.engine.position import (
    CHANCE,
    DRAW,
    Making,
    Melded,
    Position,
)

if TYPE_CHECKING:
    from collections.abc import Mapping


class Draft(Making):
    """A position that changes.

    It has the position's fields. What they hold stays frozen: a change puts a new value in a
    field, so that whatever an action leaves alone is shared by the positions before and after it.
    """

    __slots__ = Position.__slots__

    def __init__(self, position: Position, code: Code) -> None:
        self.rules, self.code = position.rules, code
        self.hand, self.dealer = position.hand, position.dealer
        self.phase, self.turn = position.phase, position.turn
        self.stock = position.stock
        self.turn_up = position.turn_up
        self.hidden: Mapping[str, frozenset[Card]] = position.hidden
        self.table: Mapping[str, frozenset[Card]] = position.table
        self.trick, self.last_trick = position.trick, position.last_trick
        self.taker = position.taker
        self.won: Mapping[str, frozenset[Card]] = position.won
        self.hand_points: Mapping[str, int] = position.hand_points
        self.match_points: Mapping[str, int] = position.match_points
        self.results, self.winner = position.results, position.winner
        self.state: Mapping[str, Any] = position.state
        self.partial = position.partial
        self.me = position.turn if position.turn in position.rules.seats else None
        self.events: list[Event] = []

    @property
    def left(self) -> int:
        """Return how many cards are still to be drawn."""
        return len(self.stock) + (self.turn_up is not None)

    def held(self, seat: str) -> frozenset[Card]:
        """Return a seat's hand."""
        return self.hidden[seat] | self.table[seat]

    def done(self) -> tuple[Position, tuple[Event, ...]]:
        """Return the position that the draft becomes, no draft any more, and the events on the way.

        To make another object of it, field by field, would take ten times as long.
        """
        events, becoming = tuple(self.events), cast("Any", self)
        del self.code, self.events, self.me
        becoming.__class__ = Position
        return becoming, events

    # --- what code asks for ------------------------------------------------------------------------

    def finish(self) -> None:
        """Let happen what any change sets off; a match that is over has no turn left."""
        if happens := self.code.upon.get("change"):
            happens(self, self.me, EMPTY)
        if self.phase == "over":
            self._reset("trick")

    def tell(self, name: str, **fields: object) -> None:
        """Add an event."""
        self.events.append(told(name, fields))

    def assign(self, name: str, sign: str, value: Any) -> None:  # noqa: ANN401
        """Give a part of the state a value, a member more (`+=`) or one less (`-=`)."""
        before = self.state[name]
        if sign == "=":
            if value == before:
                return
            after = value
            if isinstance(value, str):
                self.tell(name, value=value)
        elif isinstance(before, frozenset):
            after = before | {value} if sign == "+=" else before - {value}
        elif sign == "+=":
            after = (*before, value)
        elif before:
            after = tuple(item for item in before if item != value)
        else:
            return
        self.state = FrozenDict({**self.state, name: after})

    # --- effects of the language -------------------------------------------------------------

    def put(self, card: Card) -> None:
        """Play a card of the hand to the trick; the last one decides it."""
        seat = self.me or _nobody()
        self._leave_hand(seat, card)
        self.trick = (*self.trick, card)
        self.last_trick = ()
        self.events.append(_card_event("play", seat, card))
        following = self.rules.after(seat)
        full = len(self.trick) == len(self.rules.seats)
        if not full:
            self.phase, self.turn = "follow", following
        if happens := self.code.upon.get("play"):
            happens(self, self.me, {"card": card})
        if full:
            self._finish_trick(following)

    def show(self, cards: frozenset[Card]) -> None:
        """Lay cards of the hand on the table; those there stay."""
        seat = self.me or _nobody()
        new = cards & self.hidden[seat]
        self.hidden = FrozenDict({**self.hidden, seat: self.hidden[seat] - new})
        self.table = FrozenDict({**self.table, seat: self.table[seat] | new})
        if new:
            self.tell("show", seat=seat, cards=tuple(self.rules.sort(new)))

    def swap(self, card: Card) -> None:
        """Change a card of the hand for the turned-up one, which goes to the hidden cards."""
        seat, taken = self.me or _nobody(), self.turn_up
        if taken is None:
            return
        self._leave_hand(seat, card)
        self.turn_up = card
        self.hidden = FrozenDict({**self.hidden, seat: self.hidden[seat] | {taken}})
        self.tell("swap", seat=seat, card=card, taken=taken)

    def draw(self) -> None:
        """Let every seat draw a card, in order; too few cards for all are left."""
        if self.left >= len(self.rules.seats):
            first = self.code.seat(self, self.me, "draw_first") or self.me or _nobody()
            self._draw(self.rules.from_seat(first))
            self._next_trick()
            self._happen("draw")
            self._close_if_ended()
        else:
            self._next_trick()

    def fill(self, seat: str) -> None:
        """Let a seat draw up to its full hand; that can end the stock, and the turn."""
        was_open = self.code.stock_open(self, self.me)
        count = min(self.left, lacks(Meaning(self, self.me), seat) or 0)
        self._draw((seat,) * count)
        if was_open:
            self._close_if_ended()
            if self.phase == "declare" and not self.code.stock_open(self, self.me):
                self._next_trick()

    def gather(self) -> None:
        """Let the cards on the table return to the hands."""
        self.hidden = FrozenDict({seat: self.held(seat) for seat in self.rules.seats})
        self.table = FrozenDict(dict.fromkeys(self.rules.seats, frozenset()))

    def pay(self, seat: str | None, points: int, reason: str) -> None:
        """Give points to a seat; none, or none to nobody, is not told."""
        if seat is None or points == 0 or self.phase == "over":
            return
        self.hand_points = FrozenDict(
            {**self.hand_points, seat: self.hand_points[seat] + points}
        )
        self.match_points = FrozenDict(
            {**self.match_points, seat: self.match_points[seat] + points}
        )
        fields = {"seat": seat, "points": points, "for": reason}
        self.events.append(told("points", fields))

    def carry_out(self, melded: Melded) -> None:
        """Do what the meld itself does, such as making its suit trumps."""
        self.code.carry_out(self, melded)

    def win(self, seat: str | None, **worth: int) -> None:
        """End the match; no seat means a draw."""
        self.phase, self.turn, self.winner = "over", None, seat or DRAW
        self.tell("match", winner=self.winner, **worth)

    # --- the course of a hand --------------------------------------------------------------

    def deal(
        self,
        hands: dict[str, tuple[Card, ...]],
        turn_up: Card | None,
        stock: tuple[Card, ...],
    ) -> None:
        """Start a hand with just these cards; nothing is left out any more."""
        self.hidden = FrozenDict(
            {seat: frozenset(hands[seat]) for seat in self.rules.seats}
        )
        self.stock, self.turn_up, self.partial = stock, turn_up, False
        self.phase = "lead"
        self.turn = self.code.seat(self, None, "first")
        for seat in self.rules.seats:
            cards = tuple(self.rules.sort(self.hidden[seat]))
            self.tell("deal", seat=seat, cards=cards)
        if turn_up is not None:
            self.tell("turn", card=turn_up)
        self._happen("deal")

    def _happen(self, upon: str) -> None:
        """Let happen what happens by itself upon something that tells of no card."""
        if happens := self.code.upon.get(upon):
            happens(self, self.me, EMPTY)

    def _finish_trick(self, leader: str) -> None:
        order = self.rules.from_seat(leader)
        taker, best = leader, self.trick[0]
        for place, card in enumerate(self.trick):
            # Only a better card takes the trick over: of identical cards the first wins.
            if place and self.code.beats(self, self.me, card, best):
                taker, best = order[place], card
        self.taker = taker
        self.won = FrozenDict({**self.won, taker: self.won[taker].union(self.trick)})
        self.last_trick, self.trick = self.trick, ()
        self._reset("trick")
        self.events.append(told("trick", {"seat": taker, "cards": self.last_trick}))
        stock_open = self.code.stock_open(self, self.me)
        self._happen("trick")
        if self.phase == "over":
            return
        if stock_open:
            self.phase, self.turn = "declare", taker
        # At a recorded table hands can be unlike: a trick needs a card of everyone.
        elif not all(map(self.held, self.rules.seats)):
            self._end_hand()
        else:
            self.phase, self.turn = "lead", taker

    def _next_trick(self) -> None:
        self._reset("trick")
        self.phase, self.turn = "lead", self.taker

    def _end_hand(self) -> None:
        self._happen("hand")
        if self.phase == "over":
            return
        result = FrozenDict(self.hand_points)
        self.results = (*self.results, result)
        self.events.append(Event("hand", result))
        ends, winner, worth = self.code.verdict(self, self.me)
        if ends:
            self.win(winner, **({} if worth is None else {"worth": worth}))
            return
        self.dealer = self.code.seat(self, self.me, "next_dealer") or self.dealer
        self.hand, self.phase, self.turn = self.hand + 1, "deal", CHANCE
        self.stock, self.turn_up = (), None
        self.trick, self.last_trick, self.taker = (), (), None
        self.hidden = self.table = self.won = FrozenDict(
            dict.fromkeys(self.rules.seats, frozenset())
        )
        self.hand_points = FrozenDict(dict.fromkeys(self.rules.seats, 0))
        self._reset("trick")
        self._reset("hand")

    def _close_if_ended(self) -> None:
        if not self.code.stock_open(self, self.me):
            self._happen("closed")

    def _reset(self, per: str) -> None:
        """Empty the parts of the state that last for a trick, or a hand, only."""
        for name, empty in self.rules.emptied[per]:
            if self.state[name] != empty:
                self.state = FrozenDict({**self.state, name: empty})

    def _draw(self, seats: tuple[str, ...]) -> None:
        """Let seats draw a card each, in order; the turned-up card is the last."""
        cards = self.stock[: len(seats)]
        self.stock = self.stock[len(cards) :]
        if len(cards) < len(seats) and self.turn_up is not None:
            cards, self.turn_up = (*cards, self.turn_up), None
        hidden = dict(self.hidden)
        for seat, card in zip(seats, cards, strict=False):  # there may be too few
            hidden[seat] |= {card}
            self.events.append(_card_event("draw", seat, card))
        self.hidden = FrozenDict(hidden)

    def _leave_hand(self, seat: str, card: Card) -> None:
        hidden = self.hidden[seat]
        if card in hidden:
            self.hidden = FrozenDict({**self.hidden, seat: hidden - {card}})
        else:
            self.table = FrozenDict({**self.table, seat: self.table[seat] - {card}})


def _nobody() -> NoReturn:
    message = "an effect of a player where nobody plays"
    raise RuntimeError(message)


@cache
def _card_event(name: str, seat: str, card: Card) -> Event:
    """Return the event of one card; there are few, so that they are made but once."""
    return told(name, {"seat": seat, "card": card})
