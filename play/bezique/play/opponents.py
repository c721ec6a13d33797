"""Opponents: what to do, given only what a seat has seen.

`choose` is a pure function of what its seat has witnessed.  It knows no card, rank or
meld by name: what a card is worth, what beats what and what may be declared it finds out
by asking the rules, mostly by trying an action on its own view.

Terms
    memory      what the events of this hand tell of cards out of sight
    target      a meld that may still be declared, with the cards that are missing
    worth       what a card pays to the winner of the trick
    power       the share of the pack that a card beats
    cost        what playing a card gives up
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from bezique.engine.action import Action, Event
from bezique.engine.cards import Card
from bezique.engine.evaluate import Meaning
from bezique.engine.frozen import FrozenDict
from bezique.engine.moves import apply, legal, refusal
from bezique.engine.position import Melded, Position, start
from bezique.engine.record import Seen
from bezique.engine.rules import Rules
from bezique.play.alike import card_of, distinct, melded_in
from bezique.solver.endgame import best as best_cards
from bezique.solver.errors import EndingError
from bezique.solver.remembered import remembered
from bezique.spec.core import CardPattern, Meld

# Weights of judgement, in points.  They are guesses that play sensibly: with a power of 9
# or 16 the opponent did about as well in a hundred matches against itself (2026-11-29).
POWER = 12.0  # to keep a card that beats the whole pack
LEAD = 5.0  # to win a trick, whatever lies in it
READY = 0.9  # to declare after a later trick, while many are to come
LATE = 0.5  # the same near the end of the stock
HOPE = 0.3  # of a meld that is not complete
WON = 1e6


@dataclass(frozen=True)
class Memory:
    """The cards that a seat cannot see: those the other surely holds, and the rest."""

    other: frozenset[Card]
    unseen: frozenset[Card]


@dataclass(frozen=True)
class Target:
    """A meld that the rules would allow if the missing cards came."""

    melded: Melded
    missing: frozenset[Card]
    points: int
    chance: float


def choose(
    seen: Sequence[Seen], actions: Sequence[Action], *, counts: int | None = None
) -> Action:
    """Return the action that a careful player would take.

    Args:
        seen: What the seat has seen since the start of the match, or at least of the hand.
        actions: The legal actions, at least one; they are the seat's own to know.
        counts: From how many tricks before the end it plays exactly, having counted the
            cards; None as soon as it can, 0 never.
    """
    view = seen[-1].view
    options = distinct(view, actions)
    if len(options) == 1:
        return options[0]
    mind = _Mind(view, _memory(seen))
    plays = [action for action in options if mind.is_play(action)]
    if not plays:
        return mind.planned(view, options)[1]
    extra = [action for action in options if action not in plays]
    counting = counts is None or len(view.held(mind.me)) <= counts
    best = (exact(seen, plays) if counting else None) or max(plays, key=mind.judged)
    # Beside playing a card a table may allow more, such as an exchange on one's own turn.
    gains = {action: mind.gain(view, action)[0] for action in extra}
    paying = [action for action in extra if gains[action] > 0]
    return max(paying, key=lambda action: gains[action]) if paying else best


def exact(seen: Sequence[Seen], plays: Sequence[Action]) -> Action | None:
    """Return the best card of the last tricks, when both hands are known to whoever remembers.

    None while cards are to be drawn, where something was not seen, or where the rules are
    beyond the solver.
    """
    position = remembered(seen)
    if position is None:
        return None
    try:
        cards = best_cards(position).cards
    except EndingError:
        return None
    return next((action for action in plays if card_of(action) in cards), None)


class _Mind:
    """One decision: a view, and what is remembered beside it."""

    def __init__(self, view: Position, memory: Memory) -> None:
        self.view, self.memory = view, memory
        self.rules = view.rules
        self.me = view.turn or ""
        self.other = self.rules.after(self.me)
        self.here = Meaning(view, self.me)
        self.open = bool(self.here.term("stock_open"))
        self.targets = tuple(self.aims(view)) if self.open else ()
        self.prizes = self._prizes() if self.open else {}
        self._power: dict[Card, float] = {}
        self._beats: dict[tuple[str, str], bool] = {}

    # --- declaring ------------------------------------------------------------------------

    def planned(
        self, view: Position, actions: Sequence[Action], depth: int = 3
    ) -> tuple[float, Action]:
        """Return the best action of a turn to declare and what it is worth."""
        best: tuple[float, Action] | None = None
        for action in sorted(actions, key=lambda action: bool(action.arguments)):
            gain, after = self.gain(view, action)
            if after.over:
                value = WON if after.winner == self.me else -WON
            elif after.phase != view.phase or after.turn != self.me:
                value = gain + self.prospect(view)
            elif gain <= 0 and after.held(self.me) == view.held(self.me):
                continue  # shows cards for nothing
            elif depth == 0:
                value = gain + self.prospect(after)
            else:
                more = distinct(after, legal(after))
                value = gain + self.planned(after, more, depth - 1)[0]
            if best is None or value > best[0] + 1e-9:
                best = value, action
        return best or (0.0, actions[0])

    def gain(self, view: Position, action: Action) -> tuple[float, Position]:
        """Return what an action scores more for this seat than for the other."""
        after, _ = apply(view, action)
        return self._lead(after) - self._lead(view), after

    def _lead(self, position: Position) -> float:
        points = position.match_points
        return points[self.me] - points[self.other]

    def prospect(self, view: Position) -> float:
        """Return what the hand promises after the draw."""
        later = self.later(view)
        if not later:
            return 0.0
        targets = list(self.aims(view))
        ready = max((t.points for t in targets if not t.missing), default=0)
        hopes = sum(t.points * t.chance for t in targets if t.missing)
        power = sum(self.power(card) for card in view.held(self.me))
        return later * (ready + HOPE * hopes) + POWER * power

    def later(self, view: Position) -> float:
        """Return how likely there is another trick to declare after."""
        seats = len(self.rules.seats)
        if view.left <= seats:
            return 0.0
        return READY if view.left >= 4 * seats else LATE

    # --- playing --------------------------------------------------------------------------

    def is_play(self, action: Action) -> bool:
        """Return whether the action puts a card to the trick."""
        if melded_in(action) is not None or card_of(action) is None:
            return False
        after, _ = apply(self.view, action)
        return (
            after.trick != self.view.trick or after.last_trick != self.view.last_trick
        )

    def judged(self, action: Action) -> float:
        """Return how good it is to play a card."""
        if self.view.trick:
            return self.followed(action)
        return self.led(action) if self.open else self.led_strictly(action)

    def followed(self, action: Action) -> float:
        """Return how good it is to end the trick with a card: all of it is known."""
        card = card_of(action)
        if card is None:
            return -WON
        after, events = apply(self.view, action)
        value = 0.0
        for event in events:
            if event.name == "trick":
                break
            if event.name == "points":  # what playing the card pays by itself
                mine = event.fields["seat"] == self.me
                value += event.fields["points"] * (1 if mine else -1)
        if after.over:
            return WON if after.winner == self.me else -WON
        stake = LEAD + sum(worth(self.rules, c) for c in (*self.view.trick, card))
        value -= self.cost(card)
        if after.taker != self.me:
            return value - stake
        if after.phase == "declare":
            declared = [self.gain(after, item)[0] for item in legal(after)]
            value += 0.8 * max(declared, default=0.0)
        return value + stake

    def led(self, action: Action) -> float:
        """Return how good it is to lead a card while the other may play any card."""
        card = card_of(action)
        if card is None:
            return -WON
        holds = self._chance_to_hold(card)
        after, _ = apply(self.view, action)
        ready = [
            t.points
            for t in self.targets
            if not t.missing and card not in t.melded.cards
        ]
        prize = LEAD + 0.8 * max(ready, default=0)
        stake = worth(self.rules, card)
        value = holds * (prize + stake) - (1 - holds) * (LEAD + 1.2 * stake)
        return value - self.cost(card) + (self._lead(after) - self._lead(self.view))

    def _chance_to_hold(self, card: Card) -> float:
        """Return how likely a lead wins against a player who often would not beat it."""
        if any(self.beats(d, card) for d in self.memory.other):
            return 0.15 if worth(self.rules, card) else 0.3
        unseen = len(self.memory.unseen) or 1
        beaters = sum(self.beats(d, card) for d in self.memory.unseen)
        hidden = len(self.view.held(self.other)) - len(self.memory.other)
        none = (1 - beaters / unseen) ** max(hidden, 0)
        return none + (1 - none) * (0.15 if worth(self.rules, card) else 0.35)

    def led_strictly(self, action: Action) -> float:
        """Return the least that a lead yields, the other hand being known."""
        card = card_of(action)
        if card is None:
            return -WON
        known = self.view.changed(
            hidden=FrozenDict(
                {**self.view.hidden, self.other: self.memory.other | self.memory.unseen}
            )
        )
        after, _ = apply(known, action)
        base = self._lead(known)
        values: list[float] = []
        for reply in distinct(after, legal(after)):
            answer = card_of(reply)
            done, _ = apply(after, reply)
            if answer is None:
                continue
            if done.over or done.phase == "deal":
                values.append(self._lead(done) - base)
                continue
            mine = done.taker == self.me
            stake = 2.0 + worth(self.rules, card) + worth(self.rules, answer)
            lost = self.cost(card) - self.cost(answer)
            values.append((stake if mine else -stake) - lost)
        return min(values, default=0.0)

    def cost(self, card: Card) -> float:
        """Return what playing a card gives up: its melds, its power."""
        value = POWER * self.power(card)
        if not self.open:
            return value * 0.7
        later = self.later(self.view)
        for target in self.targets:
            if card in target.melded.cards - target.missing:
                value += later * target.points * target.chance
        return value + later * self.prizes.get(card, 0.0)

    def power(self, card: Card) -> float:
        """Return the share of the cards still to be met that a card beats."""
        if card not in self._power:
            rest = (
                self.rules.pack
                if self.open
                else (*self.memory.other, *self.memory.unseen)
            )
            beaten = sum(self.beats(card, d) for d in rest)
            self._power[card] = beaten / (len(rest) or 1)
        return self._power[card]

    def beats(self, card: Card, other: Card) -> bool:
        """Return whether a card takes the trick over from another."""
        faces = card.face, other.face
        if faces not in self._beats:
            self._beats[faces] = bool(self.here.term("beats", card, other))
        return self._beats[faces]

    # --- targets --------------------------------------------------------------------------

    def aims(self, view: Position) -> Iterator[Target]:
        """Yield the melds that may still be declared, with the cards that come nearest."""
        rule = next(
            (
                rule
                for rule in self.rules.profile.actions.values()
                if not rule.ruling
                and [parameter.type.kind for parameter in rule.takes] == ["Meld"]
            ),
            None,
        )
        if rule is None:
            return
        (parameter,) = rule.takes
        coming = self.memory.unseen | ({view.turn_up} if view.turn_up else frozenset())
        coming -= view.held(self.me)
        trial = self._to_declare(view)
        done: set[tuple[str, frozenset[Card]]] = set()
        for meld in self.rules.profile.melds.values():
            for suits in product(
                self.rules.profile.deck.suits, repeat=len(meld.variables)
            ):
                named = dict(zip(meld.variables, suits, strict=True))
                cards = self._nearest(view, meld, named, coming)
                if cards is None or (meld.name, cards) in done:
                    continue
                done.add((meld.name, cards))
                missing = cards - view.held(self.me)
                if len(missing) >= meld.size:
                    continue
                held = FrozenDict(
                    {**trial.hidden, self.me: trial.hidden[self.me] | missing}
                )
                melded = Melded(self.me, meld.name, cards)
                action = Action(rule.name, FrozenDict({parameter.name: melded}))
                if refusal(trial.changed(hidden=held), action) is None:
                    points = self.rules.points[meld.name]
                    yield Target(
                        melded, missing, points, self._chance(view, meld, missing)
                    )

    def _to_declare(self, view: Position) -> Position:
        """Return a view as it would be if this seat had just won a trick."""
        fresh = {
            part.name: part.type.empty
            for part in self.rules.profile.state
            if part.per == "trick"
        }
        return view.changed(
            phase="declare", turn=self.me, taker=self.me, trick=(),
            state=FrozenDict({**view.state, **fresh}),
        )  # fmt: skip

    def _prizes(self) -> dict[Card, float]:
        """Return what single cards would score by themselves after a trick that is won."""
        trial = self._to_declare(self.view)
        found: dict[Card, float] = {}
        for action in distinct(trial, legal(trial)):
            card = card_of(action)
            if card is not None and melded_in(action) is None:
                found[card] = max(found.get(card, 0.0), self.gain(trial, action)[0])
        return found

    def _nearest(
        self, view: Position, meld: Meld, named: dict[str, str], coming: frozenset[Card]
    ) -> frozenset[Card] | None:
        """Return cards that make the meld, of the hand as far as it goes; None: impossible."""
        chosen: list[Card] = []
        for part in meld.cards:
            fitting = _fitting(part, named)
            own = [
                card
                for card in view.held(self.me)
                if fitting(card) and card not in chosen
            ]
            own.sort(key=lambda card: self._used(view, card, meld.family))
            rest = sorted(card for card in coming if fitting(card))
            picked: list[Card] = []
            for source in (own, rest):
                # Different suits first, since some tables ask for them in a four.
                suits = Counter(card.suit for card in picked)
                turn: Counter[str] = Counter()
                order = []
                for card in source:
                    order.append((suits[card.suit] + turn[card.suit], card))
                    turn[card.suit] += 1
                order.sort(key=lambda item: item[0])
                picked += [card for _, card in order[: part.count - len(picked)]]
            if len(picked) < part.count:
                return None
            chosen += picked
        return frozenset(chosen)

    def _used(self, view: Position, card: Card, family: str) -> tuple[int, bool]:
        level = Meaning(view, self.me).spent(card, family)
        return level, card in view.table[self.me]

    def _chance(self, view: Position, meld: Meld, missing: frozenset[Card]) -> float:
        """Return how likely all missing cards are drawn in time."""
        if not missing:
            return 1.0
        total = len(self.memory.unseen) or 1
        draws = max(view.left // len(self.rules.seats) - 1, 0)
        chance = 1.0
        for number, card in enumerate(sorted(missing)):
            anywhere = any(
                p.rank == card.rank and not (p.suit or p.variable) for p in meld.cards
            )
            copies = sum(
                c.rank == card.rank and (anywhere or c.suit == card.suit)
                for c in self.memory.unseen
            )
            left = max(copies - number if anywhere else copies, 0)
            chance *= 1 - (1 - min(left / total, 1.0)) ** draws
        return chance


def _fitting(part: CardPattern, named: dict[str, str]) -> Callable[[Card], bool]:
    suit = part.suit or named.get(part.variable or "")
    return lambda card: card.rank == part.rank and suit in (None, card.suit)


def _memory(seen: Sequence[Seen]) -> Memory:
    """Return what a seat remembers of the cards it cannot see, from this hand's events."""
    view = seen[-1].view
    me = view.turn or ""
    played: set[Card] = set(view.trick) | set(view.last_trick)
    other: set[Card] = set()
    for item in _this_hand(seen):
        for event in item.events:
            cards = set(_cards_in(event))
            if event.name in ("play", "trick"):
                played |= cards
            elif event.fields.get("seat") not in (None, me):
                # What the other has shown, or taken in sight of all, is in that hand.
                other |= cards
    for cards_won in view.won.values():
        played |= {card for card in cards_won if card.known}
    for seat in view.rules.seats:
        if seat != me:
            other |= view.table[seat]
    known = played | view.held(me) | ({view.turn_up} if view.turn_up else set())
    sure = frozenset(other - known)
    return Memory(sure, frozenset(view.rules.pack) - known - sure)


def _cards_in(event: Event) -> Iterator[Card]:
    for value in event.fields.values():
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, Card) and item.known:
                yield item


def _this_hand(seen: Sequence[Seen]) -> Sequence[Seen]:
    for at in range(len(seen) - 1, -1, -1):
        if any(event.name == "deal" for event in seen[at].events):
            return seen[at:]
    return seen


@lru_cache(maxsize=4096)
def worth(rules: Rules, card: Card) -> int:
    """Return what a card pays to the winner of a trick, beyond what any card would.

    Found by playing a last trick with the card and one without it.
    """
    low = [c for c in reversed(rules.pack) if c.face != card.face]
    return _last_trick(rules, card, low[0]) - _last_trick(rules, low[1], low[0])


def _last_trick(rules: Rules, led: Card, answer: Card) -> int:
    """Return all points that a last trick of just two cards pays, without trumps."""
    second = rules.seats[1]
    begun = start(rules, second)
    last = begun.changed(
        phase="follow", turn=second, trick=(led,), partial=True,
        hidden=FrozenDict({**begun.hidden, second: frozenset((answer,))}),
    )  # fmt: skip
    action = next(a for a in legal(last) if card_of(a) == answer)
    _, events = apply(last, action)
    return sum(event.fields["points"] for event in events if event.name == "points")
