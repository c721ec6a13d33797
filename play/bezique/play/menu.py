"""The menu: legal actions with a number, a text and points, as a player meets them.

Alike actions are one entry.  Cards to play come in the order of the hand, then what may be
declared, the dearest first, and last what only lets the game go on.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from bezique.engine.action import Action
from bezique.engine.cards import Card
from bezique.engine.evaluate import Meaning
from bezique.engine.moves import apply
from bezique.engine.position import Melded, Position
from bezique.play.alike import card_of, distinct, melded_in
from bezique.play.words import Words

SHOWN = "*"
"""The sign of a card of the hand that lies on the table."""


@dataclass(frozen=True)
class Entry:
    """One numbered entry.

    Attributes:
        number: What the player types.
        action: What is done; of alike actions, the first.
        points: What it scores at once; of an announcement, what it may score later.
        waits: Whether the points are for later.
    """

    number: int
    action: Action
    points: int = 0
    waits: bool = False


def plays_card(position: Position, action: Action) -> bool:
    """Return whether an action puts a card to the trick."""
    rule = position.rules.profile.actions.get(action.name)
    kinds = [parameter.type.kind for parameter in rule.takes] if rule else []
    return kinds == ["Card"] and position.phase in ("lead", "follow")


def in_hand_order(view: Position, cards: frozenset[Card]) -> list[Card]:
    """Return a hand sorted for the eye: hidden cards and table cards side by side."""
    return view.rules.sort(cards)


def menu(view: Position, actions: Sequence[Action]) -> tuple[Entry, ...]:
    """Return the entries for the player whose turn it is.

    Args:
        view: What the player sees.
        actions: The legal actions.
    """
    me = view.turn or ""
    plain = distinct(view, actions)
    cards = [action for action in plain if plays_card(view, action)]
    place = {card: n for n, card in enumerate(in_hand_order(view, view.held(me)))}
    cards.sort(key=lambda action: place.get(card_of(action) or Card("", "", 0), 0))
    others = [action for action in plain if action not in cards]
    valued = [(action, *_points(view, action)) for action in others]
    # The dearest first; what scores nothing comes last, in the order of the rules.
    valued.sort(key=lambda item: (item[2], not item[0].arguments, -item[1]))
    rows = [(action, 0, False) for action in cards] + valued
    return tuple(Entry(n, *row) for n, row in enumerate(rows, 1))


def _points(view: Position, action: Action) -> tuple[int, bool]:
    """Return what an action scores for the player who acts, and whether only later."""
    me = view.turn or ""
    if not action.arguments:
        return 0, False
    after, _ = apply(view, action)
    scored = after.hand_points[me] - view.hand_points[me]
    melded = melded_in(action)
    if scored == 0 and melded is not None:
        return view.rules.points[melded.meld], True
    return scored, False


def binding(view: Position) -> tuple[str, Card | None, str | None] | None:
    """Return the clause that says which cards may be played, the card led and the trumps.

    None when the player who acts is not to play a card.
    """
    if view.turn not in view.rules.seats or view.phase not in ("lead", "follow"):
        return None
    clause, _ = Meaning(view, view.turn).binding_set()
    led = view.trick[0] if view.trick else None
    suits = [
        value for part in view.rules.profile.state
        if part.type.kind == "Suit" and isinstance(value := view.state[part.name], str)
    ]  # fmt: skip
    return clause, led, next(iter(suits), None)


def suits_named(view: Position) -> dict[str, str | None]:
    """Return the suits that the state names, such as trumps, by name."""
    found: dict[str, str | None] = {}
    for part in view.rules.profile.state:
        if part.type.kind == "Suit":
            value = view.state[part.name]
            found[part.name] = value if isinstance(value, str) else None
    return found


def waiting(view: Position, seat: str) -> tuple[Melded, ...]:
    """Return the melds of a seat that lie on the table and have not scored yet."""
    return tuple(
        item
        for name, value in view.state.items()
        if name != "scored" and isinstance(value, tuple)
        for item in value
        if isinstance(item, Melded) and item.seat == seat
    )


def key_of(action: Action) -> str:
    """Return the name by which an action is put into words: `seven`, `seven exchange`."""
    flags = [name for name, value in action.arguments.items() if value is True]
    return " ".join([action.name, *flags])


def described(
    words: Words, view: Position, action: Action, context: str, who: str = ""
) -> str:
    """Return an action in words.

    Args:
        words: The language.
        view: Where it is done.
        action: The action.
        context: `choice`, what the player may do, or `done`, what `who` has done.
        who: The name of the seat.
    """
    melded, card = melded_in(action), card_of(action)
    key = key_of(action)
    turned = words.card(view.turn_up) if view.turn_up else ""
    cards = shown_cards(
        words,
        view,
        melded.cards if melded else frozenset((card,)) if card else frozenset(),
    )
    meld = words.meld(melded.meld) if melded else ""
    if not words.knows(context, key):
        spoken = " ".join(text for text in (who, key, meld, cards) if text)
        return spoken.replace("_", " ")
    return words.named(context, key, who=who, meld=meld, cards=cards, turned=turned)


def shown_cards(words: Words, view: Position, cards: frozenset[Card]) -> str:
    """Return cards with a sign on those that lie on the table."""
    table = frozenset().union(*view.table.values()) if view.table else frozenset()
    return " ".join(
        words.card(card) + (SHOWN if card in table else "")
        for card in in_hand_order(view, cards)
    )
