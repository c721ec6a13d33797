"""Views: what a seat may know.

`view` is a snapshot: the position with the cards that a seat may not see turned face down,
so that counts stay true.  `witnessed` does the same for events; the list of all that a seat
has witnessed is the whole memory an attentive player can have.

Source: the `views` of the rule file.
"""

from collections.abc import Iterable
from itertools import count

from bezique.engine.action import Event
from bezique.engine.cards import Card, unknown
from bezique.engine.evaluate import Meaning
from bezique.engine.frozen import FrozenDict
from bezique.engine.position import Position

Zone = FrozenDict[str, frozenset[Card]]


def view(position: Position, seat: str) -> Position:
    """Return the position as a seat may see it; cards it may not see are unknown ones.

    Raises:
        KeyError: `seat` is no seat.
    """
    rules = position.rules
    if seat not in rules.seats:
        raise KeyError(seat)
    faces = map(unknown, count(1))

    def row(zone: str, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        if _may_see(position, seat, zone, seat):
            return cards
        return tuple(next(faces) for _ in cards)

    def by_seat(name: str, zone: Zone) -> Zone:
        return FrozenDict(
            {
                owner: zone[owner]
                if _may_see(position, seat, name, owner)
                else frozenset(next(faces) for _ in zone[owner])
                for owner in rules.seats
            }
        )

    # The order of these lines numbers the unknown cards; a reader numbers them so too.
    stock = row("stock", position.stock)
    turned = row("turn_up", () if position.turn_up is None else (position.turn_up,))
    return position.changed(
        stock=stock,
        turn_up=turned[0] if turned else None,
        hidden=by_seat("hidden", position.hidden),
        table=by_seat("table", position.table),
        won=by_seat("won", position.won),
        trick=row("led", position.trick),
        last_trick=row("last_trick", position.last_trick),
    )


def witnessed(
    position: Position, events: Iterable[Event], seat: str
) -> tuple[Event, ...]:
    """Return events as a seat could witness them.

    Of what goes to another's hidden cards it sees only how many there are.
    """
    return tuple(
        event
        if event.owner is None or _may_see(position, seat, "hidden", event.owner)
        else _masked(event)
        for event in events
    )


def _may_see(position: Position, seat: str, zone: str, owner: str) -> bool:
    rule = position.rules.profile.views[zone]
    return Meaning(position, seat).holds(rule, {"p": seat, "owner": owner})


def _masked(event: Event) -> Event:
    """Return an event with its cards face down."""
    faces = map(unknown, count(1))

    def masked(value: object) -> object:
        if isinstance(value, Card):
            return next(faces)
        return tuple(map(masked, value)) if isinstance(value, tuple) else value

    fields = {name: masked(value) for name, value in event.fields.items()}
    return Event(event.name, FrozenDict(fields))
