"""The match being played: where it stands, and what each seat has seen of it."""

from bezique.engine.action import Action, Event
from bezique.engine.moves import apply
from bezique.engine.position import Position, start
from bezique.engine.record import Seen
from bezique.engine.views import view, witnessed
from bezique.play.saved import Saved


class Match:
    """A match in progress, made by replaying a saved game.

    Attributes:
        saved: The game, with every action so far.
        position: Where it stands, as the referee sees it: for the rules only.
        seen: What each seat has seen; all that a player may be told.
    """

    def __init__(self, saved: Saved) -> None:
        self.saved = Saved(
            type(saved.record)(saved.rules, saved.record.dealer),
            saved.seed, saved.series, saved.match, saved.earlier,
        )  # fmt: skip
        self.position: Position = start(saved.rules, saved.record.dealer)
        self.seen: dict[str, list[Seen]] = {
            seat: [Seen((), view(self.position, seat))] for seat in saved.rules.seats
        }
        for action in saved.record.actions:
            self.do(action)

    def do(self, action: Action) -> None:
        """Carry out an action and let every seat see it.

        Raises:
            IllegalActionError: The rules refuse it; nothing has happened.
        """
        self.position, events = apply(self.position, action)
        self.saved = self.saved.then(action)
        for seat, seen in self.seen.items():
            told = witnessed(self.position, events, seat)
            seen.append(Seen(told, view(self.position, seat)))

    def view(self, seat: str) -> Position:
        """Return what a seat sees now."""
        return self.seen[seat][-1].view

    def last(self, seat: str) -> tuple[Event, ...]:
        """Return what a seat saw of the last action."""
        return self.seen[seat][-1].events
