"""The terminal game: a match, and another, on standard input and output.

The player reads and types numbers; the opponent chooses from what its seat has seen.  The
game is written down after every action, so that leaving at any moment loses nothing.
"""

import sys
from pathlib import Path

from rich.console import Console, RenderableType
from rich.markdown import Markdown
from rich.text import Text

from bezique.engine.action import Action
from bezique.engine.moves import legal
from bezique.engine.position import CHANCE, DRAW
from bezique.engine.series import Series
from bezique.play.match import Match
from bezique.play.menu import Entry, described, menu
from bezique.play.opponents import choose
from bezique.play.saved import Saved, cuts, first_dealer, write
from bezique.play.screen import QUIET, STRONG, Screen, in_colour, keys
from bezique.play.words import Words


class Leave(Exception):  # noqa: N818  (nothing is wrong: the player leaves)
    """The player leaves, or the input has ended."""


def ask(out: Console, prompt: str) -> str:
    """Return a line that the player types.

    Raises:
        Leave: The input has ended.
    """
    out.print(Text(prompt, style="cyan"), end=" ", soft_wrap=True)
    out.file.flush()
    line = sys.stdin.readline()
    if not line:
        out.print()
        raise Leave
    if not sys.stdin.isatty():
        out.print()  # nobody's Enter has ended the line
    return line.strip()


class Game:
    """A player at a table.

    Args:
        saved: The game to begin or to go on with.
        place: Where it is written after every action.
        words: The language.
        out: Where it is shown.
    """

    def __init__(self, saved: Saved, place: Path, words: Words, out: Console) -> None:
        self.match = Match(saved)
        self.place, self.words, self.out = place, words, out
        self.me = saved.series.player
        self.screen = Screen(words, self.me)
        self._new = not saved.record.actions

    def run(self) -> None:
        """Play until the player leaves.

        Raises:
            Leave: The player has left.
        """
        write(self.place, self.match.saved)
        while True:
            self._begin()
            while not self.match.position.over:
                self._step()
            series = self._result()
            self._ask_another()
            saved = self.match.saved
            dealer = first_dealer(series, saved.seed, saved.match + 1)
            self.match = Match(saved.next_match(series, dealer))
            self._new = True
            write(self.place, self.match.saved)

    # --- the course of a match -------------------------------------------------------------

    def _begin(self) -> None:
        say, saved = self.words.say, self.match.saved
        self.show("")
        if not self._new:
            self.show(say("The game goes on."), QUIET)
            return
        rules = saved.rules
        heading = f"{self.words.title()} · {say('match {n}', n=saved.match)}"
        self.show(heading, STRONG)
        by = rules.profile.series.by
        dealer = saved.record.dealer
        if by == "cut":
            for cards in cuts(rules, saved.seed, saved.match)[0]:
                mine = self.words.card(cards[self.me])
                other = self.words.card(cards[rules.after(self.me)])
                line = say(
                    "Cut for the deal: you {mine}, the machine {other}.",
                    mine=mine,
                    other=other,
                )
                self.out.print(in_colour(line))
        elif by == "lot":
            self.show(say("The lot decides who deals."))
        self.show(say("You deal.") if dealer == self.me else say("The machine deals."))

    def _step(self) -> None:
        position = self.match.position
        if position.turn == CHANCE:
            self._do(self.match.saved.dealt(position))
        elif position.turn == self.me:
            self._do(self._chosen())
        else:
            seat = position.turn or ""
            action = choose(self.match.seen[seat], legal(position))
            self._do(action, seat)

    def _do(self, action: Action, seat: str | None = None) -> None:
        """Carry out an action, write it down and say what was seen of it."""
        before = self.match.view(self.me)
        self.match.do(action)
        write(self.place, self.match.saved)
        told = None
        if seat is not None and action.arguments:
            told = described(self.words, before, action, "done", self.screen.name(seat))
        for line in self.screen.told(before, self.match.seen[self.me][-1], told):
            self.out.print(line)

    def _chosen(self) -> Action:
        """Return what the player chooses to do."""
        view = self.match.view(self.me)
        entries = menu(view, legal(view))
        if len(entries) == 1 and not entries[0].action.arguments:
            if self._just_won():
                self.show(self.words.say("Nothing to declare."), QUIET)
            return entries[0].action
        self.show("")
        series = self.match.saved.series.shown()
        self.out.print(self.screen.table(view, series))
        self.out.print(self.screen.hand(view, entries))
        duty = self.screen.duty(view)
        if duty:
            self.out.print(duty)
        if any(entry.points or not entry.action.arguments for entry in entries):
            self.out.print(self.screen.menu(view, entries))
        return self._number(entries).action

    def _just_won(self) -> bool:
        """Return whether the last action ended a trick: nothing was declared yet."""
        return any(event.name == "trick" for event in self.match.last(self.me))

    def _number(self, entries: tuple[Entry, ...]) -> Entry:
        last = len(entries)
        span = "1" if last == 1 else f"1-{last}"
        while True:
            typed = ask(self.out, f"[{span} · ?]")
            if typed.isdecimal() and 1 <= int(typed) <= last:
                return entries[int(typed) - 1]
            key = typed.lower()
            if key == "q":
                raise Leave
            page = self._page(key)
            if page is not None:
                self.out.print(page)
            else:
                others = " ".join(keys(self.words))
                self.show(
                    self.words.say(
                        "Type a number from 1 to {last}, or one of {keys}.",
                        last=last,
                        keys=others,
                    )
                )

    def _page(self, key: str) -> RenderableType | None:
        seen = self.match.seen[self.me]
        match key:
            case "m":
                return self.screen.melds()
            case "t":
                return self.screen.last_trick(seen)
            case "s":
                return self.screen.scores(seen)
            case "r":
                return self._rules()
            case "?":
                return self.screen.help()
        return None

    def _rules(self) -> RenderableType:
        from bezique.spec.prose import prose

        return Markdown(
            prose(self.words.rules.profile, self.words.lang, self.words.rules.options)
        )

    def _result(self) -> Series:
        """Show how the match ended; return the series after it."""
        say, position = self.words.say, self.match.position
        points = position.match_points
        other = position.rules.after(self.me)
        self.out.print(self.screen.scores(self.match.seen[self.me]))
        if position.winner == DRAW:
            text = say("The match is a draw.")
        elif position.winner == self.me:
            text = say("You win the match by {n}.", n=points[self.me] - points[other])
        else:
            text = say(
                "The machine wins the match by {n}.", n=points[other] - points[self.me]
            )
        self.show(text, STRONG)
        series = self.match.saved.series.after_match(position)
        shown = series.shown()
        if shown:
            self.show(self.screen.numbers(shown))
        return series

    def _ask_another(self) -> None:
        """Return when the player wants another match.

        Raises:
            Leave: The player does not.
        """
        say = self.words.say
        self.show("")
        self.show(f"  1 {say('another match')}\n  2 {say('leave')}")
        while True:
            typed = ask(self.out, "[1-2]").lower()
            if typed == "1":
                return
            if typed in ("2", "q"):
                raise Leave

    def show(self, text: str, style: str = "") -> None:
        """Print a plain line."""
        self.out.print(Text(text, style=style))
