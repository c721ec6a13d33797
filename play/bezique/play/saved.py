"""Saved games: a record of the match and what lies around it, as a file.

A saved game is a record as the engine writes it, with the seed that later hands are dealt
from, the number of the match in its series, the numbers of the series before it, and the
records of earlier matches.  It is written after every action, to a file of its own that then
takes the old one's place, so that there is a whole game on the disk at every moment.

    deal of a hand    shuffled(rules, "seed/match/hand")
"""

import json
import os
import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from bezique.engine import codec
from bezique.engine.action import Action
from bezique.engine.codec import read_rules, record_json
from bezique.engine.dealing import cut_for_deal, shuffled
from bezique.engine.dealing import deal as deal_pack
from bezique.engine.errors import BadRequestError, BeziqueError, shortened
from bezique.engine.fields import Json
from bezique.engine.fields import field as read_field
from bezique.engine.frozen import FrozenDict
from bezique.engine.library import Library
from bezique.engine.position import Position
from bezique.engine.record import Record
from bezique.engine.rules import Rules
from bezique.engine.series import Series, new_series

VERSION = 1


class FileError(BeziqueError):
    """A file that cannot be read or written; `code` is `file`."""

    code = "file"


@dataclass(frozen=True)
class Saved:
    """A game as it is kept."""

    record: Record
    seed: str
    series: Series
    match: int = 1
    earlier: tuple[Json, ...] = field(default=())

    @property
    def rules(self) -> Rules:
        """Return the rules of the table."""
        return self.record.rules

    def then(self, action: Action) -> "Saved":
        """Return the game with one more action."""
        return replace(self, record=self.record.then(action))

    def dealt(self, position: Position) -> Action:
        """Return the deal of the hand that is to begin: the seed decides it."""
        name = f"{self.seed}/{self.match}/{position.hand}"
        return deal_pack(position, shuffled(position.rules, name))

    def next_match(self, series: Series, dealer: str) -> "Saved":
        """Return the game at the start of the next match."""
        earlier = (*self.earlier, record_json(self.record))
        record = Record(self.rules, dealer)
        return Saved(record, self.seed, series, self.match + 1, earlier)


def cuts(rules: Rules, seed: str, match: int) -> tuple[tuple[dict[str, Any], ...], str]:
    """Return the cards cut for the first deal, ties first, and the seat that deals."""
    shown: list[dict[str, Any]] = []
    while True:
        pack = shuffled(rules, f"{seed}/{match}/cut {len(shown) + 1}")
        cards = dict(zip(rules.seats, pack, strict=False))
        shown.append(cards)
        dealer = cut_for_deal(rules, cards)
        if dealer is not None:
            return tuple(shown), dealer


def lot(rules: Rules, seed: str, match: int) -> str:
    """Return the seat that the lot makes the first dealer."""
    card = shuffled(rules, f"{seed}/{match}/lot")[0]
    return rules.seats[rules.place[card] % len(rules.seats)]


def first_dealer(series: Series, seed: str, match: int) -> str:
    """Return who deals the first hand of a match, as the series says."""
    by = series.rules.profile.series.by
    if by == "cut":
        return cuts(series.rules, seed, match)[1]
    if by == "lot":
        return lot(series.rules, seed, match)
    return series.first_dealer or series.rules.seats[0]


def new_game(rules: Rules, seed: str) -> Saved:
    """Return a game before its first match."""
    series = new_series(rules)
    return Saved(Record(rules, first_dealer(series, seed, 1)), seed, series)


# --- files -------------------------------------------------------------------------------


def home() -> Path:
    """Return the folder where games are kept that were given no file."""
    data = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(data) / "bezique"


def free_place(name: str) -> Path:
    """Return a file in the home of games that does not exist yet."""
    safe = "".join(c if c.isalnum() or c in "-_" else "-" for c in name)[:80]
    place, number = home() / f"{safe}.json", 1
    while place.exists():
        number += 1
        place = home() / f"{safe}-{number}.json"
    return place


def write(place: Path, saved: Saved) -> None:
    """Write a game so that the file is, at every moment, the old one or the new one.

    Raises:
        FileError: It cannot be written there.
    """
    text = json.dumps(saved_json(saved), ensure_ascii=False) + "\n"
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{place.name}.", dir=place.parent)
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            Path(name).replace(place)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        message = f"{place}: expected a place to write, got: {error.strerror}"
        raise FileError(message) from None


def read_json(place: str | Path) -> Any:  # noqa: ANN401
    """Return what a JSON file holds; `-` is standard input.

    Raises:
        FileError: It cannot be read, or is not JSON.
    """
    import sys

    try:
        data = (
            sys.stdin.buffer.read() if str(place) == "-" else Path(place).read_bytes()
        )
        return json.loads(data.decode("utf-8"))
    except OSError as error:
        message = f"{place}: expected a file to read, got: {error.strerror}"
    except UnicodeDecodeError:
        message = f"{place}: expected UTF-8 text, got other bytes"
    except json.JSONDecodeError as error:
        message = (
            f"{place}:{error.lineno}:{error.colno}: expected JSON, got: {error.msg}"
        )
    except RecursionError:
        message = f"{place}: expected JSON, got too many levels"
    raise FileError(message)


def saved_json(saved: Saved) -> Json:
    """Return a game as JSON: a record, and what lies around it."""
    return {
        "bezique": VERSION,
        "seed": saved.seed,
        "match": saved.match,
        "series": dict(saved.series.numbers),
        "earlier": list(saved.earlier),
        **record_json(saved.record),
    }


def read_saved(library: Library, place: str | Path) -> Saved:
    """Return the game that a file holds.

    Raises:
        FileError: The file cannot be read, or its rules are not those at hand.
        BeziqueError: It is no game, or breaks the rules.
    """
    written = _object(read_json(place), "a game")
    if read_field(written, "bezique", int, f"the version {VERSION}") != VERSION:
        raise BadRequestError(
            where="bezique", expected=f"the version {VERSION}", got=written["bezique"]
        )
    record = read_record(library, written)
    seed = read_field(written, "seed", str, "a text")
    match = read_field(written, "match", int, "a number from 1")
    numbers = _object(read_field(written, "series", dict, "an object"), "an object")
    earlier = read_field(written, "earlier", list, "a list of records")
    series = new_series(record.rules)
    for name in series.numbers:
        read_field(numbers, name, (int, type(None)), "a whole number or null", "series")
    kept = FrozenDict({name: numbers[name] for name in series.numbers})
    series = replace(series, numbers=kept)
    return Saved(record, seed, series, match, tuple(earlier))


def read_record(library: Library, written: object) -> Record:
    """Return the record that a JSON object describes; every action is tried.

    Raises:
        FileError: It was made under other rules of that name, or an action breaks them.
        BeziqueError: A field is missing or ill-typed.
    """
    found = _object(written, "a record")
    rules = read_rules(library, found)
    made = found.get("rules")
    digest = made.get("digest") if isinstance(made, dict) else None
    if digest not in (None, rules.profile.digest):
        message = (
            f"rules of {rules.profile.name}: expected those of the record, {shortened(digest)},"
            f" got {rules.profile.digest}"
        )
        raise FileError(message)
    try:
        return codec.read_record(library, found)
    except BeziqueError as error:
        if error.step is None:
            raise
        message = f"step {error.step}: {error}"
        raise FileError(message) from None


def _object(value: object, expected: str) -> Json:
    if not isinstance(value, dict):
        raise BadRequestError(where="file", expected=expected, got=value)
    return value
