"""Remembered: the whole position that an attentive seat knows once the stock is closed.

A view hides the other hand, and perhaps the tricks won.  But a seat that has watched every
trick knows where each card went: what it has never seen leave play is in the other hand.
"""

from collections.abc import Iterator, Sequence

from bezique.engine.cards import Card
from bezique.engine.frozen import FrozenDict
from bezique.engine.position import Position
from bezique.engine.record import Seen

Won = dict[str, frozenset[Card]]


def remembered(seen: Sequence[Seen]) -> Position | None:
    """Return the position with every card of both hands, or None where that is not certain.

    Args:
        seen: What a seat has witnessed, at least since the deal of this hand.
    """
    view = seen[-1].view
    if view.phase not in ("lead", "follow") or view.left >= len(view.rules.seats):
        return None
    won = _won(seen, view)
    gone = frozenset().union(*won.values(), view.trick, view.stock)
    if view.turn_up is not None:
        gone |= {view.turn_up}
    hands = {seat: view.held(seat) for seat in view.rules.seats}
    placed = gone | frozenset(
        card for hand in hands.values() for card in hand if card.known
    )
    missing = frozenset(view.rules.pack) - placed
    hidden = {
        seat: frozenset(card for card in hand if card.known)
        | (missing if any(not card.known for card in hand) else frozenset())
        for seat, hand in hands.items()
    }
    if any(len(hidden[seat]) != len(hands[seat]) for seat in hands):
        return None
    nothing = dict.fromkeys(hands, frozenset[Card]())
    return view.changed(
        hidden=FrozenDict(hidden), table=FrozenDict(nothing), won=FrozenDict(won)
    )


def _won(seen: Sequence[Seen], view: Position) -> Won:
    """Return the cards each seat has won in this hand, as the tricks were witnessed."""
    won: Won = {
        seat: frozenset(c for c in view.won[seat] if c.known) for seat in view.won
    }
    for item in _this_hand(seen):
        for event in item.events:
            if event.name == "trick":
                seat = str(event.fields["seat"])
                won[seat] |= frozenset(event.fields["cards"])
    return won


def _this_hand(seen: Sequence[Seen]) -> Iterator[Seen]:
    """Yield what was seen since the last deal, newest first."""
    for item in reversed(seen):
        yield item
        if any(event.name == "deal" for event in item.events):
            return
