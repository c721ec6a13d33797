"""Kept: a record of a match, and whether it was given up.

The rules know nothing of giving up, and neither do the engine's records: who resigned is
written beside what the engine writes, and readers that do not ask for it pass it over.
"""

from dataclasses import dataclass

from bezique.engine.codec import record_json
from bezique.engine.errors import BadRequestError
from bezique.engine.fields import Json
from bezique.engine.library import Library
from bezique.engine.record import Record, replay
from bezique.play.saved import read_record

RESIGNED = "resigned"


@dataclass(frozen=True, slots=True)
class Kept:
    """A record; `resigned` is the seat that gave the match up, if one did."""

    record: Record
    resigned: str | None = None

    def hands(self) -> int:
        """Return how many hands are over: no card of them is a secret any more."""
        if self.resigned is not None:
            return sum(action.name == "deal" for action in self.record.actions)
        return sum(
            any(event.name == "hand" for event in step.events) or step.position.over
            for step in replay(self.record)
        )


def kept_json(kept: Kept) -> Json:
    """Return a kept record as JSON."""
    written = record_json(kept.record)
    return written if kept.resigned is None else {**written, RESIGNED: kept.resigned}


def read_kept(library: Library, written: object) -> Kept:
    """Return the kept record that a JSON object describes.

    Raises:
        BeziqueError: It is no record, breaks the rules, or nobody of that name resigned.
    """
    record = read_record(library, written)
    resigned = written.get(RESIGNED) if isinstance(written, dict) else None
    seats = record.rules.seats
    if resigned is not None and resigned not in seats:
        expected = f"one of {', '.join(seats)}"
        raise BadRequestError(where="record.resigned", expected=expected, got=resigned)
    return Kept(record, resigned)
