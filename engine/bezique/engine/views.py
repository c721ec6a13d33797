"""Views: what a seat may know.

`view` is a snapshot: the position with the cards that a seat may not see turned face down,
so that counts stay true.  `witnessed` does the same for events; the list of all that a seat
has witnessed is the whole memory an attentive player can have.

Source: the `views` of the rule file.
"""

from collections.abc import Iterable

from bezique.engine.action import Event
from bezique.engine.cards import Card, unknown
from bezique.engine.evaluate import Meaning
from bezique.engine.frozen import FrozenDict
from bezique.engine.position import Position


def view(position: Position, seat: str) -> Position:
    """Return the position as a seat may see it; cards it may not see are unknown ones.

    Raises:
        KeyError: `seat` is no seat.
    """
    if seat not in position.rules.seats:
        raise KeyError(seat)
    here = Meaning(position, seat)
    numbers = iter(range(1, 10_000))

    def seen(zone: str, owner: str) -> bool:
        return here.holds(position.rules.profile.views[zone], {"p": seat, "owner": owner})

    def zone(name: str, owner: str, cards: frozenset[Card]) -> frozenset[Card]:
        return cards if seen(name, owner) else frozenset(unknown(next(numbers)) for _ in cards)

    def row(name: str, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return cards if seen(name, seat) else tuple(unknown(next(numbers)) for _ in cards)

    seats = position.rules.seats
    return position.changed(
        stock=row("stock", position.stock),
        turn_up=next(iter(row("turn_up", (position.turn_up,))), None) if position.turn_up else None,
        hidden=FrozenDict({owner: zone("hidden", owner, position.hidden[owner]) for owner in seats}),
        table=FrozenDict({owner: zone("table", owner, position.table[owner]) for owner in seats}),
        won=FrozenDict({owner: zone("won", owner, position.won[owner]) for owner in seats}),
        trick=row("led", position.trick),
        last_trick=row("last_trick", position.last_trick),
    )


def witnessed(position: Position, events: Iterable[Event], seat: str) -> tuple[Event, ...]:
    """Return events as a seat could witness them: of another's hidden cards only how many."""
    here = Meaning(position, seat)
    views = position.rules.profile.views
    numbers = iter(range(1, 10_000))

    def told(event: Event) -> Event:
        if event.owner is None or here.holds(views["hidden"], {"p": seat, "owner": event.owner}):
            return event
        fields = {}
        for name, value in event.fields.items():
            if isinstance(value, Card):
                fields[name] = unknown(next(numbers))
            elif isinstance(value, tuple):
                fields[name] = tuple(unknown(next(numbers)) for _ in value)
            else:
                fields[name] = value
        return Event(event.name, FrozenDict(fields), event.owner)

    return tuple(told(event) for event in events)
