"""Engine: legal actions, positions and scores, as the rules say.

The front of the library.  A `Library` gives the rules of a table; a match is a frozen
`Position` that `apply` takes from action to action:

>>> rules = Library().rules("streak")
>>> position = start(rules, dealer="north")
>>> position, events = apply(position, deal(position, shuffled(rules, seed=7)))
>>> position.turn, len(legal(position))
('south', 8)

No clock, no chance, no input or output: a shuffled pack comes in, positions come out.
"""

from bezique.engine.action import Action, Event
from bezique.engine.cards import Card
from bezique.engine.codec import (
    action_json,
    event_json,
    position_json,
    read_action,
    read_event,
    read_position,
    read_record,
    record_json,
)
from bezique.engine.dealing import cut, cut_for_deal, deal, shuffled
from bezique.engine.errors import (
    BadOptionError,
    BadPositionError,
    BadRequestError,
    BeziqueError,
    IllegalActionError,
    UnknownProfileError,
)
from bezique.engine.library import Library
from bezique.engine.moves import Refusal, apply, legal, refusal
from bezique.engine.position import Melded, Position, start
from bezique.engine.record import (
    Record,
    ReplayError,
    Seen,
    Step,
    final,
    replay,
    seen_by,
)
from bezique.engine.referee import Referee
from bezique.engine.rules import Rules
from bezique.engine.series import Series, new_series
from bezique.engine.status import checked, status
from bezique.engine.views import view, witnessed

__all__ = [
    "Action",
    "BadOptionError",
    "BadPositionError",
    "BadRequestError",
    "BeziqueError",
    "Card",
    "Event",
    "IllegalActionError",
    "Library",
    "Melded",
    "Position",
    "Record",
    "Referee",
    "Refusal",
    "ReplayError",
    "Rules",
    "Seen",
    "Series",
    "Step",
    "UnknownProfileError",
    "action_json",
    "apply",
    "checked",
    "cut",
    "cut_for_deal",
    "deal",
    "event_json",
    "final",
    "legal",
    "new_series",
    "position_json",
    "read_action",
    "read_event",
    "read_position",
    "read_record",
    "record_json",
    "refusal",
    "replay",
    "seen_by",
    "shuffled",
    "start",
    "status",
    "view",
    "witnessed",
]
