"""The desk: games at hand, and everything that is done to them.

Each game has a lock; what is done to it is done in turn.  A change is first tried on the
game at hand, then written; a game whose writing failed is forgotten and read again, so that
the database is always right.  After a player's action the desk goes on until the player has
something to choose: packs are bound, the opponent thinks, a turn without a choice passes.
"""

import asyncio
import hashlib
import secrets
from collections import OrderedDict
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from bezique.engine.action import Action
from bezique.engine.codec import action_json, record_json
from bezique.engine.errors import BeziqueError
from bezique.engine.fields import Json
from bezique.engine.library import Library
from bezique.engine.moves import legal
from bezique.engine.record import Record
from bezique.engine.rules import Rules, Setting
from bezique.engine.views import view
from bezique.play.web.honest import Chance
from bezique.play.web.kept import Kept, kept_json, read_kept
from bezique.play.web.review import of_hand, verdict
from bezique.play.web.sitting import Entry, Sitting
from bezique.play.web.store import Batch, Game, StaleError, Store, now_text
from bezique.play.web.table import move_name, moves
from bezique.play.web.thinking import Thinkers, question

MOST = 2000
"""How many games are kept at hand; the others are read when they are asked for."""
TRIES = 5
"""How often a game is read again when another server goes on with it meanwhile."""
PATIENCE = 1.5
"""How many seconds a page waits for a verdict."""


class NoGameError(Exception):
    """There is no such game, or it is another's; nobody is told which."""


class NotNowError(Exception):
    """What was asked cannot be done now: somebody was faster, or clicked twice."""


class ElsewhereError(Exception):
    """Another server has gone on with the game; what it wrote is read when asked again."""


class NotAllowedError(Exception):
    """What was asked is never possible in this game."""


@dataclass(slots=True)
class _Held:
    """A game at hand."""

    owner: str
    sitting: Sitting | None = None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


def owner_of(token: str) -> str:
    """Return under which name a cookie's games are kept."""
    return hashlib.sha256(token.encode()).hexdigest()


class Desk:
    """Games at hand.

    Args:
        library: The tables.
        store: Where entries are kept.
        thinkers: Who plays the other seat.
        chance: Where packs come from.
    """

    def __init__(
        self, library: Library, store: Store, thinkers: Thinkers, chance: Chance
    ) -> None:
        self.library, self.store = library, store
        self.thinkers, self.chance = thinkers, chance
        self._held: OrderedDict[str, _Held] = OrderedDict()
        self._verdicts: OrderedDict[str, asyncio.Task[list[Json]]] = OrderedDict()

    # --- getting at games -----------------------------------------------------------------------

    @asynccontextmanager
    async def game(
        self, owner: str, game: str, seq: int | None = None
    ) -> AsyncIterator[Sitting]:
        """Give a game to be looked at or changed; nobody else has it meanwhile.

        Args:
            owner: Whose it must be.
            game: Its name.
            seq: The number that a change is for.  Where it is the number at hand the log
                is not read: a change that another server was faster with is not written.

        Raises:
            NoGameError: There is none, or it is another's.
        """
        held = await self._find(owner, game)
        async with held.lock:
            try:
                yield await self._current(game, held, seq)
            except NotNowError:
                raise
            except BaseException:
                held.sitting = None  # the log is right; this may be ahead of it
                raise

    async def _current(self, game: str, held: _Held, seq: int | None) -> Sitting:
        """Return a game as it stands, whatever another server has written of it."""
        for _ in range(TRIES):
            known = 0 if held.sitting is None else held.sitting.seq
            if held.sitting is not None and known == seq:
                return held.sitting
            entries = await asyncio.to_thread(self.store.entries, game, known)
            if held.sitting is None:
                held.sitting = await asyncio.to_thread(
                    Sitting, game, self.library, entries
                )
            else:
                for entry in entries:
                    held.sitting.take(entry)
            try:
                await self._go_on(held.sitting)
            except ElsewhereError:
                held.sitting = None
            else:
                return held.sitting
        raise ElsewhereError

    async def _find(self, owner: str, game: str) -> _Held:
        held = self._held.get(game)
        if held is None:
            line = await asyncio.to_thread(self.store.game, game)
            if line is None or line.kind != "table":
                raise NoGameError(game)
            held = self._held.setdefault(game, _Held(line.owner))
        if not secrets.compare_digest(held.owner, owner):
            raise NoGameError(game)
        self._held.move_to_end(game)
        self._forget()
        return held

    def _forget(self) -> None:
        for name in list(self._held)[: max(len(self._held) - MOST, 0)]:
            if not self._held[name].lock.locked():
                del self._held[name]

    async def games_of(self, owner: str) -> tuple[Game, ...]:
        """Return a client's games, the latest first."""
        return await asyncio.to_thread(self.store.games_of, owner)

    async def times(self, game: str, seqs: Sequence[int]) -> dict[int, str]:
        """Return when some entries of a game were written."""
        return await asyncio.to_thread(self.store.times, game, seqs)

    # --- records --------------------------------------------------------------------------------

    async def keep_record(self, owner: str, kept: Kept) -> str:
        """Keep a record that a client has loaded, and return its name."""
        name = secrets.token_hex(16)
        profile = kept.record.rules.profile.name
        opens = Game(name, owner, "record", profile, now_text())
        entry = Entry("record", kept_json(kept))
        await asyncio.wrap_future(self.store.append(Batch(name, 0, (entry,), opens)))
        return name

    async def record(self, owner: str, name: str) -> Kept:
        """Return a record that a client has loaded.

        Raises:
            NoGameError: There is none, or it is another's.
        """
        line = await asyncio.to_thread(self.store.game, name)
        if line is None or line.kind != "record" or not secrets.compare_digest(line.owner, owner):  # fmt: skip
            raise NoGameError(name)
        (entry,) = await asyncio.to_thread(self.store.entries, name)
        return await asyncio.to_thread(read_kept, self.library, entry.data)

    async def verdict(self, name: str, record: Record, hand: int) -> list[Json] | None:
        """Return what exact play says of a finished hand; None while that is worked out."""
        key = f"{name}/{hand}"
        work = self._verdicts.get(key)
        if work is None:
            written = record_json(of_hand(record, hand))
            work = asyncio.create_task(self.thinkers.run(verdict, written, hand))
            self._verdicts[key] = work
            while len(self._verdicts) > MOST:
                self._verdicts.popitem(last=False)
        await asyncio.wait({work}, timeout=PATIENCE)
        if not work.done():
            return None
        if work.exception() is not None:
            del self._verdicts[key]
        return work.result()

    # --- beginning ------------------------------------------------------------------------------

    async def begin(
        self, owner: str, rules: Rules, *, practice: bool, level: int | None
    ) -> str:
        """Return the name of a new game, or of the series that goes on at this table.

        A player has one series at each table: leaving a match does not undo it.
        """
        if (
            any(item.name == "level" for item in rules.profile.series.shows)
            and not practice
        ):
            level = None  # the level follows the matches won
        place = place_of(rules, level, practice=practice)
        if not practice:
            for line in await self.games_of(owner):
                if line.place == place:
                    return line.game
        game = secrets.token_hex(16)
        profile = rules.profile
        entry = Entry(
            "begin",
            {
                "profile": profile.name,
                "options": dict(rules.given),
                "rules": {"version": profile.version, "digest": profile.digest},
                "mode": "practice" if practice else "series",
                "level": level,
            },
        )
        opens = Game(game, owner, "table", place, now_text())
        batch = Batch(game, 0, (entry,), opens)
        await asyncio.wrap_future(self.store.append(batch))
        return game

    # --- changing -------------------------------------------------------------------------------

    async def act(self, sitting: Sitting, seq: int, move: str) -> None:
        """Do what the player chose.

        Raises:
            NotNowError: The table has gone on, or this is not possible now.
        """
        _same(sitting, seq)
        position = sitting.now.position
        if position is None or position.turn != sitting.me:
            raise NotNowError
        action = self._named(sitting, move)
        await self._take(sitting, [_did(sitting, sitting.me, action)])

    def _named(self, sitting: Sitting, move: str) -> Action:
        """Return the legal action of that name, or one that is alike but for its copies."""
        position = sitting.now.position
        if position is None:
            raise NotNowError
        found = moves(position).get(move)
        if found is None:
            for action in legal(position):
                if move_name(position.rules, action) == move:
                    return action
            raise NotNowError
        return found

    async def cut(self, sitting: Sitting, seq: int, depth: int) -> None:
        """Cut for the first deal.

        Raises:
            NotNowError: Nobody cuts now.
            NotAllowedError: No cut is that deep.
        """
        _same(sitting, seq)
        if sitting.phase != "dealer" or sitting.now.lots is None:
            raise NotNowError
        _deep(sitting, depth)
        await self._take(sitting, [Entry("cut", {"depth": depth})])

    async def deal(self, sitting: Sitting, seq: int, depth: int | None) -> None:
        """Deal the next hand, the pack cut where the player says.

        Raises:
            NotNowError: No hand is to be dealt.
            NotAllowedError: No cut is that deep.
        """
        _same(sitting, seq)
        if sitting.phase != "deal":
            raise NotNowError
        if depth is not None:
            _deep(sitting, depth)
        await self._take(sitting, [Entry("deal", {"depth": depth})])

    async def next(self, sitting: Sitting, seq: int) -> None:
        """Begin another match.

        Raises:
            NotNowError: This one is not over.
        """
        _same(sitting, seq)
        if sitting.now.over is None:
            raise NotNowError
        await self._take(sitting, [Entry("next")])

    async def resign(self, sitting: Sitting, seq: int) -> None:
        """Give the match up.

        Raises:
            NotNowError: There is none to give up.
        """
        _same(sitting, seq)
        if not sitting.resignable:
            raise NotNowError
        await self._take(sitting, [Entry("resign", {"seat": sitting.me})])

    async def undo(self, sitting: Sitting, seq: int) -> None:
        """Take the player's last choice back.

        Raises:
            NotAllowedError: The game counts.
            NotNowError: Nothing has been chosen in this match.
        """
        _same(sitting, seq)
        if not sitting.practice:
            raise NotAllowedError
        choices = sitting.own_choices()
        if not choices:
            raise NotNowError
        await self._take(sitting, [Entry("undo", {"to": choices[-1]})])

    async def _take(self, sitting: Sitting, entries: list[Entry]) -> None:
        """Take entries and what follows from them, then write all of it at once."""
        begun = sitting.seq
        try:
            for entry in entries:
                sitting.take(entry)
        except BeziqueError:
            raise NotNowError from None
        await self._go_on(sitting, begun, entries)

    async def _go_on(
        self,
        sitting: Sitting,
        begun: int | None = None,
        done: list[Entry] | None = None,
    ) -> None:
        """Go on until the player has a choice, and write what was done."""
        first = sitting.seq if begun is None else begun
        entries = list(done or [])
        while (entry := await self._following(sitting)) is not None:
            sitting.take(entry)
            entries.append(entry)
        if not entries:
            return
        batch = Batch(sitting.game, first, tuple(entries))
        try:
            await asyncio.wrap_future(self.store.append(batch))
        except StaleError:
            raise ElsewhereError from None

    async def _following(self, sitting: Sitting) -> Entry | None:
        """Return what happens without the player, or None when the player is to choose."""
        now, rules = sitting.now, sitting.rules
        position = now.position
        if position is None:
            return self._first_dealer(sitting)
        if position.phase == "deal":
            if (now.match, position.hand) in now.packs:
                return None
            return Entry("pack", self._pack(rules))
        if position.over:
            return None
        if position.turn == sitting.me:
            action = sitting.forced()
            return (
                None if action is None
                else _did(sitting, sitting.me, action, auto=True)
            )  # fmt: skip
        seat = sitting.other
        asked = question(sitting.level, view(position, seat), sitting.heard_json(seat))
        written = await self.thinkers.ask(asked)
        return Entry("act", {"seat": seat, "action": written})

    def _first_dealer(self, sitting: Sitting) -> Entry | None:
        series = sitting.rules.profile.series
        if series.by != "rule":
            # The lot is drawn as the cards are cut: neither side can make it alone.
            if sitting.now.lots is not None:
                return None
            return Entry("lots", self._pack(sitting.rules))
        seat = sitting.now.series.first_dealer or sitting.rules.seats[0]
        return Entry("dealer", {"dealer": seat})

    def _pack(self, rules: Rules) -> Json:
        return {"salt": self.chance.salt(), "pack": self.chance.pack(rules)}


def place_of(rules: Rules, level: int | None, *, practice: bool) -> str:
    """Return the name of a table: profile, mode, level and options."""
    given: dict[str, Setting] = rules.options
    words = [f"{name}={value}" for name, value in given.items()]
    mode = "practice" if practice else "series"
    return " ".join([rules.profile.name, mode, f"level={level}", *words])[:255]


def _did(sitting: Sitting, seat: str, action: Action, *, auto: bool = False) -> Entry:
    written: Json = {"seat": seat, "action": action_json(sitting.rules, action)}
    return Entry("act", {**written, "auto": True} if auto else written)


def _same(sitting: Sitting, seq: int) -> None:
    if seq != sitting.seq:
        raise NotNowError


def _deep(sitting: Sitting, depth: int) -> None:
    if not 0 < depth < len(sitting.rules.pack):
        raise NotAllowedError
