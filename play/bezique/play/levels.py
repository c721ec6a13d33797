"""Levels: opponents from careless to exact, behind one function.

`choose` is a pure function of what a seat has seen, as all opponents are.  A level is one
small class; each takes more care than the one below.

    1  Careless   declares the dearest meld, and plays its lowest card
    2  Thrifty    takes tricks that pay and keeps what it may soon declare
    3  Careful    weighs every card and meld (`bezique.play.opponents`)
    4  Counting   careful, and exact in the last four tricks
    5  Exact      careful, and exact as soon as the stock is gone

Terms
    heard    the events of this hand that the seat could witness
    ready    melds that could be declared at once if the next trick were won
"""

from collections.abc import Sequence
from typing import Protocol

from bezique.engine.action import Action
from bezique.engine.cards import Card
from bezique.engine.evaluate import Meaning
from bezique.engine.frozen import FrozenDict
from bezique.engine.moves import apply, legal
from bezique.engine.position import Position
from bezique.engine.record import Seen
from bezique.play import opponents
from bezique.play.alike import card_of, distinct, melded_in, passes
from bezique.play.menu import plays_card

LAST_FOUR = 4
WORTH_A_TRICK = 40  # points that a meld must bring to be worth a good card


class Level(Protocol):
    """An opponent of some strength."""

    def choose(self, seen: Sequence[Seen], actions: Sequence[Action]) -> Action:
        """Return what it does, given what its seat has seen and may do."""


def choose(level: int, seen: Sequence[Seen], actions: Sequence[Action]) -> Action:
    """Return what an opponent of a level does.

    Args:
        level: 1 to 5; what lies outside is the nearest.
        seen: What the seat has seen, since the start of the hand at least.
        actions: The legal actions, at least one.
    """
    if len(actions) == 1:
        return actions[0]
    return LEVELS[min(max(level, 1), len(LEVELS)) - 1].choose(seen, actions)


def searches(level: int) -> bool:
    """Return whether a level may think for long."""
    return level >= SEARCHING


class Careless:
    """Declares the dearest meld, and plays its lowest card."""

    def choose(self, seen: Sequence[Seen], actions: Sequence[Action]) -> Action:
        """Return what it does."""
        view = seen[-1].view
        options = distinct(view, actions)
        plays = [action for action in options if plays_card(view, action)]
        if not plays:
            return dearest(view, options)
        return min(plays, key=lambda action: _strength(view, card_of(action)))


class Thrifty:
    """Takes tricks that pay, with the cheapest card, and keeps what it may soon declare."""

    def choose(self, seen: Sequence[Seen], actions: Sequence[Action]) -> Action:
        """Return what it does."""
        view = seen[-1].view
        options = distinct(view, actions)
        plays = [action for action in options if plays_card(view, action)]
        if not plays:
            return dearest(view, options)
        prices = _prices(view)
        cheapest = min(plays, key=lambda action: _price(view, prices, action))
        if not view.trick:
            return self._lead(view, plays, prices) or cheapest
        here = Meaning(view, view.turn)
        (led,) = view.trick
        taking = [
            action for action in plays
            if (card := card_of(action)) and here.term("beats", card, led)
        ]  # fmt: skip
        prize = opponents.worth(view.rules, led) + max(prices.values(), default=0) // 4
        if not taking:
            return cheapest
        best = min(taking, key=lambda action: _price(view, prices, action))
        own = opponents.worth(view.rules, card_of(best) or led)
        spent = _price(view, prices, best) - own
        return best if prize + own >= spent else cheapest

    def _lead(
        self, view: Position, plays: Sequence[Action], prices: dict[Card, int]
    ) -> Action | None:
        """Return a strong card to lead where a trick would pay, or None."""
        if max(prices.values(), default=0) < WORTH_A_TRICK:
            return None
        free = [a for a in plays if prices.get(card_of(a) or _NO_CARD, 0) == 0]
        return max(free, key=lambda a: _strength(view, card_of(a)), default=None)


class Careful:
    """Weighs every card and meld.

    Args:
        counts: From how many tricks before the end it plays exactly: none, some or all.
    """

    def __init__(self, counts: int | None = 0) -> None:
        self.counts = counts

    def choose(self, seen: Sequence[Seen], actions: Sequence[Action]) -> Action:
        """Return what it does."""
        return opponents.choose(seen, actions, counts=self.counts)


class Counting(Careful):
    """Careful, and exact in the last four tricks."""

    def __init__(self) -> None:
        super().__init__(LAST_FOUR)


class Exact(Careful):
    """Careful, and exact as soon as the stock is gone."""

    def __init__(self) -> None:
        super().__init__(None)


LEVELS: tuple[Level, ...] = (Careless(), Thrifty(), Careful(), Counting(), Exact())
SEARCHING = 4


def dearest(view: Position, options: Sequence[Action]) -> Action:
    """Return the action that scores most at once; where none scores, what lets the game go on."""
    me = view.turn or ""

    def gained(action: Action) -> int:
        after, _ = apply(view, action)
        if after.over:
            return 1_000_000 if after.winner == me else -1_000_000
        if passes(action):
            return 0
        return after.hand_points[me] - view.hand_points[me]

    best = max(options, key=gained)
    if gained(best) > 0:
        return best
    return next((action for action in options if passes(action)), best)


_NO_CARD = Card("?", "?", 0)


def _strength(view: Position, card: Card | None) -> int:
    return 0 if card is None else view.rules.strength.get(card.rank, 0)


def _price(view: Position, prices: dict[Card, int], action: Action) -> int:
    """Return what playing a card gives up: points, melds, strength."""
    card = card_of(action)
    if card is None:
        return 0
    trumps = card.suit in [
        view.state[part.name] for part in view.rules.profile.state
        if part.type.kind == "Suit"
    ]  # fmt: skip
    worth = opponents.worth(view.rules, card)
    strong = _strength(view, card) + (len(view.rules.strength) if trumps else 0)
    return prices.get(card, 0) + worth + strong


def _prices(view: Position) -> dict[Card, int]:
    """Return, of each card in a ready meld, what that meld scores."""
    me = view.turn or ""
    if view.left < len(view.rules.seats):
        return {}
    fresh = {
        part.name: part.type.empty
        for part in view.rules.profile.state
        if part.per == "trick"
    }
    won = view.changed(
        phase="declare", taker=me, trick=(), state=FrozenDict({**view.state, **fresh})
    )
    found: dict[Card, int] = {}
    for action in legal(won):
        melded = melded_in(action)
        if melded is not None:
            points = view.rules.points[melded.meld]
            for card in melded.cards:
                found[card] = max(found.get(card, 0), points)
    return found
