"""Sittings: a game at one table as the fold of its entries.

A *sitting* is all that one player does at one table: match after match of a series, or of
practice.  It is never stored: its entries are, and taking them in order makes it again.

Entries
    begin    the table, its options, mode and level
    lots     a shuffled pack to cut for the deal            {salt, pack}
    cut      the player's cut in it                         {depth}
    dealer   who deals first, where the rules name the seat {dealer}
    pack     the pack of a hand, bound and not dealt yet    {salt, pack}
    deal     the hand dealt, after the player's cut         {depth}
    act      what a seat did                                {seat, action}
    resign   the player gives the match up                  {seat}
    next     another match
    undo     practice only: all but the first entries kept never were   {to}

Terms
    item     what the player saw of an entry, as a code and parameters, never as prose
    heard    the events of this hand that a seat could witness

The rules know nothing of giving up: a match that is resigned is ended here, as a loss.
"""

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

from bezique.engine.action import Action, Event
from bezique.engine.cards import Card
from bezique.engine.codec import event_json, read_action
from bezique.engine.dealing import cut_for_deal, deal
from bezique.engine.fields import Json
from bezique.engine.library import Library
from bezique.engine.moves import apply, legal
from bezique.engine.position import CHANCE, DRAW, Position, start
from bezique.engine.record import Record
from bezique.engine.rules import Rules
from bezique.engine.series import Series, new_series
from bezique.engine.views import view, witnessed
from bezique.play.alike import card_of, melded_in, passes
from bezique.play.menu import plays_card
from bezique.play.web.honest import Bound
from bezique.play.web.kept import Kept

CUT = "cut"
LOWEST, HIGHEST = 1, 5
USUAL = 2


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a game's log: its kind and its data, which are JSON."""

    kind: str
    data: Json = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Item:
    """Something the player saw: a code, who did it, and parameters."""

    seq: int
    match: int
    hand: int
    trick: int
    code: str
    by: str | None = None
    cards: tuple[Card, ...] = ()
    points: int = 0
    name: str = ""
    turned: Card | None = None


@dataclass(frozen=True, slots=True)
class Finished:
    """A match that is over."""

    match: int
    record: Record
    points: dict[str, int]
    winner: str
    level: int
    seq: int
    resigned: str | None = None  # the seat that gave the match up


@dataclass(slots=True)
class Now:
    """What a fold has come to; made anew by `begin`, changed by the entries after it."""

    rules: Rules
    mode: str
    chosen: int
    series: Series
    match: int = 1
    position: Position | None = None
    dealer: str = ""
    actions: list[Action] = field(default_factory=list)
    heard: dict[str, list[Event]] = field(default_factory=dict)
    written: dict[str, list[Json]] = field(
        default_factory=dict
    )  # what is heard, as JSON
    items: list[Item] = field(default_factory=list)
    told: dict[str, list[Json]] = field(
        default_factory=dict
    )  # items in words, by language
    arrived: list[Card] = field(default_factory=list)
    lots: Bound | None = None
    cuts: list[dict[str, Card]] = field(default_factory=list)
    packs: dict[tuple[int, int], Bound] = field(default_factory=dict)
    rows: dict[str, Counter[str]] = field(default_factory=dict)
    hand: int = 1  # what items belong to: the hand that is being played, or the last
    trick: int = 1  # that items belong to: the one that is being played, or the last
    closed: bool = False  # whether that trick is finished
    earlier: list[Finished] = field(default_factory=list)
    over: Finished | None = None
    series_after: Series | None = None


class Sitting:
    """A game at one table.

    Args:
        game: Its name.
        library: The tables at hand.
        entries: Its log so far.
    """

    def __init__(
        self, game: str, library: Library, entries: tuple[Entry, ...] = ()
    ) -> None:
        self.game, self.library = game, library
        self.seq = 0
        self.kept: list[tuple[int, Entry]] = []
        self._now: Now | None = None
        for entry in entries:
            self.take(entry)

    # --- what there is ----------------------------------------------------------------------

    @property
    def now(self) -> Now:
        """Return what the entries have come to.

        Raises:
            ValueError: There are none.
        """
        if self._now is None:
            message = "a game without entries"
            raise ValueError(message)
        return self._now

    @property
    def rules(self) -> Rules:
        """Return the rules of the table."""
        return self.now.rules

    @property
    def me(self) -> str:
        """Return the player's seat."""
        return self.now.series.player

    @property
    def other(self) -> str:
        """Return the machine's seat."""
        return self.rules.after(self.me)

    @property
    def practice(self) -> bool:
        """Return whether the game is practice: undo is possible, no streak grows."""
        return self.now.mode == "practice"

    @property
    def level(self) -> int:
        """Return the level of the opponent: the series' own, or what the player chose."""
        shown = {} if self.practice else self.now.series.shown()
        level = shown.get("level", "")
        return int(level) if level.isdecimal() else self.now.chosen

    @property
    def phase(self) -> str:
        """Return what the game waits for: `dealer`, or the phase of the position."""
        position = self.now.position
        return "dealer" if position is None else position.phase

    @property
    def resignable(self) -> bool:
        """Return whether there is a match to give up: one that is dealt and not over."""
        return self.now.over is None and bool(self.now.actions)

    @property
    def trick_number(self) -> int:
        """Return the number of the trick that is being played, or was just won."""
        return self.now.trick + (self.now.closed and self.phase in ("lead", "follow"))

    @property
    def view(self) -> Position:
        """Return what the player sees.

        Raises:
            ValueError: Nobody deals yet.
        """
        if self.now.position is None:
            message = "nobody deals yet"
            raise ValueError(message)
        return view(self.now.position, self.me)

    def heard_json(self, seat: str) -> list[Json]:
        """Return what a seat has heard of this hand, as JSON; each event is written once."""
        written = self.now.written.setdefault(seat, [])
        heard = self.now.heard[seat][len(written) :]
        written += [event_json(self.rules, event) for event in heard]
        return written

    @property
    def wins(self) -> int:
        """Return how many matches in a row the player has won."""
        count = 0
        matches = [*self.now.earlier, *([self.now.over] if self.now.over else [])]
        for item in reversed(matches):
            if item.winner != self.me:
                break
            count += 1
        return count

    def finished(self, match: int) -> Finished | None:
        """Return a match that is over."""
        matches = (*self.now.earlier, self.now.over)
        return next((m for m in matches if m is not None and m.match == match), None)

    def opened(self, match: int, hand: int) -> bool:
        """Return whether a hand is over, so that its pack may be seen."""
        if match < self.now.match or hand == 0:
            return True  # a pack that was cut for the deal is done with
        position = self.now.position
        return position is not None and (hand < position.hand or position.over)

    def record(self, match: int | None = None) -> Kept | None:
        """Return the record of a match, this one by default, as far as its hands are over."""
        finished = self.finished(match or self.now.match)
        if finished is not None:
            return Kept(finished.record, finished.resigned)
        position = self.now.position
        if position is None or match not in (None, self.now.match):
            return None
        record = Record(self.rules, self.now.dealer, tuple(self.now.actions))
        if position.phase == "deal":
            return Kept(record)
        deals = [n for n, act in enumerate(record.actions) if act.name == "deal"]
        actions = record.actions[: deals[-1]] if deals else ()
        return Kept(replace(record, actions=actions))

    def chosen(self) -> bool:
        """Return whether the player has chosen anything in this match."""
        for _, entry in reversed(self.kept):
            if entry.kind in ("begin", "next"):
                return False
            own = entry.kind == "act" and entry.data["seat"] == self.me
            if entry.kind == "resign" or (own and not entry.data.get("auto")):
                return True
        return False

    def own_choices(self) -> list[int]:
        """Return how many entries were kept before each choice of the player in this match."""
        found: list[int] = []
        for number, (_, entry) in enumerate(self.kept):
            if entry.kind in ("begin", "next"):
                found = []
            elif entry.kind == "resign":
                found.append(number)
            elif entry.kind == "act" and entry.data["seat"] == self.me:
                found += [] if entry.data.get("auto") else [number]
        return found

    # --- taking entries ------------------------------------------------------------------------

    def take(self, entry: Entry) -> None:
        """Take the next entry.

        Raises:
            BeziqueError: It does not fit; nothing has happened.
        """
        if entry.kind == "undo":
            kept = self.kept[: entry.data["to"]]
            self.kept, self._now = [], None
            for seq, item in kept:
                self._fold(seq, item)
            self.kept = kept
        else:
            self._fold(self.seq, entry)
            self.kept.append((self.seq, entry))
        self.seq += 1

    def _fold(self, seq: int, entry: Entry) -> None:
        data = entry.data
        match entry.kind:
            case "begin":
                rules = self.library.rules(data["profile"], data["options"])
                chosen = data["level"] or USUAL
                self._now = Now(rules, data["mode"], chosen, new_series(rules))
            case "lots":
                self.now.lots = self._bound(data)
            case "cut":
                self._cut(seq, data["depth"])
            case "dealer":
                self._begin(seq, data["dealer"])
            case "pack":
                bound = self._bound(data)
                self.now.packs[bound.match, bound.hand] = bound
            case "deal":
                self._deal(seq, data["depth"])
            case "act":
                self._act(seq, data["seat"], data["action"])
            case "resign":
                self._resign(seq, data["seat"])
            case "next":
                self._next()
            case _:
                message = f"an entry of unknown kind {entry.kind}"
                raise ValueError(message)

    def _bound(self, data: Json) -> Bound:
        position = self.now.position
        cards = tuple(self.rules.cards[name] for name in data["pack"])
        hand = 0 if position is None else position.hand
        return Bound(self.now.match, hand, data["salt"], cards)

    def _cut(self, seq: int, depth: int) -> None:
        now = self.now
        if now.lots is None:
            message = "a cut without a pack"
            raise ValueError(message)
        pack = now.lots.pack
        # The player lifts cards and shows the lowest of them, the machine takes the next.
        cards = {self.me: pack[depth - 1], self.other: pack[depth]}
        now.cuts.append(cards)
        now.packs[now.match, 0] = replace(now.lots, depth=depth)
        now.lots = None
        for seat, card in cards.items():
            self._note(seq, "cut", by=seat, cards=(card,))
        dealer = cut_for_deal(self.rules, cards)
        if dealer is not None:
            self._begin(seq, dealer)

    def _begin(self, seq: int, dealer: str) -> None:
        now = self.now
        now.position = start(self.rules, dealer)
        now.dealer = dealer
        now.actions, now.rows = [], {}
        self._note(seq, "dealer", by=dealer)

    def _deal(self, seq: int, depth: int | None) -> None:
        now, position = self.now, self._position()
        bound = replace(now.packs[now.match, position.hand], depth=depth)
        now.heard = {seat: [] for seat in self.rules.seats}
        now.written = {}
        now.rows, now.trick, now.closed = {}, 1, False
        self._apply(seq, None, deal(position, bound.turned()))
        now.packs[bound.match, bound.hand] = bound

    def _act(self, seq: int, seat: str, written: Json) -> None:
        self._apply(seq, seat, read_action(self._position(), written))

    def _resign(self, seq: int, seat: str) -> None:
        now, position = self.now, self._position()
        if not self.resignable:
            message = "nothing to give up"
            raise ValueError(message)
        winner = self.rules.after(seat)
        now.hand = position.hand - (position.phase == "deal")
        now.position = position.changed(
            phase="over", turn=None, winner=winner, hand=now.hand
        )
        self._note(seq, "resign", by=seat)
        self._note(seq, "match-over", by=winner)
        self._end(seq, now.position, resigned=seat)

    def _next(self) -> None:
        now = self.now
        if now.over is None or now.series_after is None:
            message = "another match before this one is over"
            raise ValueError(message)
        self._now = Now(
            now.rules, now.mode, now.chosen, now.series_after, now.match + 1,
            packs=now.packs, earlier=[*now.earlier, now.over],
        )  # fmt: skip

    def _position(self) -> Position:
        if self.now.position is None:
            message = "nobody deals yet"
            raise ValueError(message)
        return self.now.position

    def _apply(self, seq: int, seat: str | None, action: Action) -> None:
        now, before = self.now, self._position()
        after, events = apply(before, action)
        now.position, now.hand = after, before.hand
        now.actions.append(action)
        if now.closed and plays_card(before, action):
            now.trick, now.closed = now.trick + 1, False
        for one in self.rules.seats:
            now.heard.setdefault(one, []).extend(witnessed(after, events, one))
        if seat is not None and (not passes(action) or after.over):
            self._note_action(seq, seat, action, before)
        for event in witnessed(after, events, self.me):
            self._note_event(seq, event, before)
        if before.left and not after.left and after.phase == "lead":
            self._note(seq, "stock-gone")
        if after.over:
            self._end(seq, after)

    def _end(self, seq: int, over: Position, resigned: str | None = None) -> None:
        now = self.now
        now.over = Finished(
            now.match, Record(self.rules, now.dealer, tuple(now.actions)),
            dict(over.match_points), str(over.winner), self.level, seq, resigned,
        )  # fmt: skip
        now.series_after = now.series if self.practice else now.series.after_match(over)

    # --- what the player saw ---------------------------------------------------------------------

    def _note(self, seq: int, code: str, **fields: Any) -> None:  # noqa: ANN401
        now = self.now
        now.items.append(Item(seq, now.match, now.hand, now.trick, code, **fields))

    def _note_action(
        self, seq: int, seat: str, action: Action, before: Position
    ) -> None:
        melded, card = melded_in(action), card_of(action)
        cards = melded.cards if melded else frozenset((card,)) if card else frozenset()
        flags = [name for name, value in action.arguments.items() if value is True]
        self._note(
            seq, " ".join([action.name, *flags]), by=seat,
            cards=tuple(self.rules.sort(cards)), name=melded.meld if melded else "",
            turned=before.turn_up,
        )  # fmt: skip

    def _note_event(self, seq: int, event: Event, before: Position) -> None:
        now, fields = self.now, event.fields
        seat = fields.get("seat")
        match event.name:
            case "points":
                row = now.rows.setdefault(fields["for"], Counter())
                row[str(seat)] += fields["points"]
                self._note(
                    seq, "points", by=seat, points=fields["points"], name=fields["for"]
                )
            case "trick":
                self._note(seq, "trick", by=seat, cards=fields["cards"])
                now.closed = True
            case "deal" if seat == self.me:
                now.arrived = list(fields["cards"])
                self._note(seq, "dealt", by=before.dealer)
            case "turn":
                self._note(seq, "turn", cards=(fields["card"],))
            case "draw" if seat == self.me:
                now.arrived.append(fields["card"])
                self._note(seq, "drawn", by=seat, cards=(fields["card"],))
            case "swap" if seat == self.me:
                now.arrived.append(fields["taken"])
            case "hand":
                self._note(seq, "hand-over", name=str(before.hand))
            case "match":
                winner = fields["winner"]
                self._note(seq, "match-over", by=None if winner == DRAW else winner)
            case "trump" if before.turn != CHANCE:
                self._note(seq, "trump", name=fields["value"])

    # --- what happens next -------------------------------------------------------------------------

    def forced(self) -> Action | None:
        """Return the player's only choice where it says nothing: to let the game go on."""
        position = self.now.position
        if position is None or position.turn != self.me:
            return None
        actions = legal(position)
        return actions[0] if len(actions) == 1 and passes(actions[0]) else None
