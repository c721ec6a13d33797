"""The screen: what a player sees of a match, as quiet boxes of at most 80 columns.

Everything is made from the player's own view and from what that seat has seen; nothing else
comes near.  It reads the same without colour and in a pipe.
"""

import textwrap
from collections.abc import Iterable, Mapping, Sequence

from rich.box import ROUNDED, SIMPLE_HEAD
from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from bezique.engine.cards import Card
from bezique.engine.evaluate import Meaning
from bezique.engine.position import CHANCE, Position
from bezique.engine.record import Seen
from bezique.play.alike import card_of, marks
from bezique.play.menu import (
    SHOWN,
    Entry,
    binding,
    described,
    in_hand_order,
    plays_card,
    suits_named,
    waiting,
)  # fmt: skip
from bezique.play.words import Words
from bezique.spec.sentences import capital, duty_sentence
from bezique.spec.words import cards_text, melds_shown

WIDTH = 80
RED_SIGNS = "♥♦"
QUIET = "dim"
STRONG = "bold"


def console() -> Console:
    """Return where the game is shown: the terminal, or a pipe without colour."""
    found = Console(highlight=False, emoji=False, markup=False, soft_wrap=False)
    found.width = min(found.width, WIDTH)
    return found


def indented(out: Console, indent: int, text: str, style: str = "") -> None:
    """Print a text in lines that begin at a column."""
    begin = " " * indent
    lines = textwrap.fill(
        text, out.width, initial_indent=begin, subsequent_indent=begin
    )
    out.print(Text(lines, style=style))


def in_colour(text: str, style: str = "") -> Text:
    """Return a text in which cards have the colour of their suit."""
    found = Text(text, style=style)
    found.highlight_regex(rf"[^\s(]*[{RED_SIGNS}]", "red")
    return found


class Screen:
    """Shows a match to the player of one seat.

    Args:
        words: The language.
        me: The player's seat.
    """

    def __init__(self, words: Words, me: str) -> None:
        self.words, self.me = words, me
        self.rules = words.rules

    # --- pieces -----------------------------------------------------------------------------

    def name(self, seat: str) -> str:
        """Return what a seat is called at this table: you, or the machine."""
        if seat == self.me:
            return self.words.say("You")
        return self.words.say("Machine")

    def cards(
        self, view: Position, cards: Iterable[Card], *, mark: bool = False
    ) -> Text:
        """Return cards in a row."""
        table = view.table[self.me] if mark else frozenset()
        names = [
            self.words.card(card) + (SHOWN if card in table else "")
            for card in in_hand_order(view, frozenset(cards))
        ]
        return in_colour("  ".join(names)) if names else Text("–", style=QUIET)  # noqa: RUF001

    def numbers(self, shown: Mapping[str, str]) -> str:
        """Return the numbers of the series."""
        texts = (
            f"{self.words.named('series', name)} {value}"
            for name, value in shown.items()
        )
        return " · ".join(texts)

    # --- the table ----------------------------------------------------------------------------

    def table(self, view: Position, series: Mapping[str, str]) -> RenderableType:
        """Return the table: both players, what is turned up, the trick."""
        say = self.words.say
        grid = Table.grid(padding=(0, 2), expand=True)
        grid.add_column(ratio=1, overflow="fold")
        grid.add_column(justify="right", no_wrap=True)
        for seat in view.rules.from_seat(self.me)[1:]:
            self._player(grid, view, seat)
        grid.add_row("", "")
        grid.add_row(self._middle(view), self._trick(view))
        grid.add_row("", "")
        self._player(grid, view, self.me)
        dealer = say("you deal") if view.dealer == self.me else say("the machine deals")
        title = f" {self.words.title()} · {say('hand {n}', n=view.hand)} · {dealer} "
        foot = f" {self.numbers(series)} " if series else None
        return Panel(
            grid, box=ROUNDED, title=Text(title, style=STRONG), title_align="left",
            subtitle=Text(foot, style=QUIET) if foot else None, subtitle_align="right",
            border_style=QUIET, padding=(0, 2), width=None,
        )  # fmt: skip

    def _player(self, grid: Table, view: Position, seat: str) -> None:
        say = self.words.say
        name = Text(self.name(seat), style=STRONG)
        name.append(f"  {view.hand_points[seat]}", style="bold")
        if view.results:
            name.append("  " + say("match {n}", n=view.match_points[seat]), style=QUIET)
        hidden = len(view.hidden[seat])
        right = self.words.count("{n} card in hand", "{n} cards in hand", hidden)
        grid.add_row(name, Text(right if seat != self.me else "", style=QUIET))
        line = Text(say("on the table") + "  ", style=QUIET)
        line.append_text(self.cards(view, view.table[seat]))
        grid.add_row(line, "")
        for melded in waiting(view, seat):
            points = self.rules.points[melded.meld]
            cards = self.words.cards(self.rules.sort(melded.cards))
            text = say(
                "waiting: {meld} {cards} ({points})",
                meld=self.words.meld(melded.meld),
                cards=cards,
                points=points,
            )
            grid.add_row(in_colour(text, QUIET), "")

    def _middle(self, view: Position) -> Text:
        say = self.words.say
        parts: list[str] = []
        for name, suit in suits_named(view).items():
            shown = self.words.suit(suit) if suit else say("none")
            parts.append(f"{self.words.named('state', name)} {shown}")
        if view.turn_up:
            parts.append(say("turned up {card}", card=self.words.card(view.turn_up)))
        if self._counts(view):
            parts.append(say("stock {n}", n=view.left))
        elif view.left:
            parts.append(say("stock open"))
        return in_colour("   ".join(parts))

    def _counts(self, view: Position) -> bool:
        """Return whether the table lets its players know how many cards are left."""
        rule = view.rules.profile.views.get("count")
        return rule is None or Meaning(view, self.me).holds(
            rule, {"p": self.me, "owner": self.me}
        )

    def _trick(self, view: Position) -> Text:
        say = self.words.say
        if view.trick:
            return in_colour(
                say("led: {cards}", cards=self.words.cards(view.trick)), STRONG
            )
        if view.last_trick and view.taker:
            text = say("last trick: {cards}", cards=self.words.cards(view.last_trick))
            whose = say("yours") if view.taker == self.me else say("the machine's")
            return in_colour(f"{text} ({whose})", QUIET)
        return Text("")

    # --- what can be done -----------------------------------------------------------------------

    def hand(self, view: Position, entries: Sequence[Entry]) -> Text:
        """Return the hand, sorted; cards that may be played have their numbers."""
        numbers = {
            marks(view, card): entry.number
            for entry in entries
            if plays_card(view, entry.action) and (card := card_of(entry.action))
        }
        line = Text("  ")
        before: object = None
        for card in in_hand_order(view, view.held(self.me)):
            mark = marks(view, card)
            number = numbers.get(mark)
            if mark == before:
                line.append(" ")
            else:
                line.append("   " if before is not None else "")
                if number is not None:
                    line.append(f"{number} ", style="cyan")
            shown = self.words.card(card) + (
                SHOWN if card in view.table[self.me] else ""
            )
            playable = number is not None or not numbers
            piece = (
                in_colour(shown, STRONG)
                if playable
                else Text(f"({shown})" if numbers else shown, style=QUIET)
            )
            line.append_text(piece)
            before = mark
        if view.table[self.me]:
            line.append(f"     {SHOWN} " + self.words.say("on the table"), style=QUIET)
        return line

    def duty(self, view: Position) -> Text:
        """Return the line that says what must be played, and why."""
        bound = binding(view)
        if bound is None:
            return Text("")
        clause, led, trump = bound
        profile, lang = self.rules.profile, self.words.lang
        face = str(led) if led else None
        order = duty_sentence(
            profile, lang, clause, reason=False, card=face, trump=trump
        )
        reason = duty_sentence(
            profile, lang, clause, reason=True, card=face, trump=trump
        )
        text = capital(order) + (f" – {reason}." if reason != order else "")  # noqa: RUF001
        if led is None:
            text = self.words.say("Your lead: {rule}", rule=text[:1].lower() + text[1:])
        sign = "▸ " if self.words.glyphs else "> "
        lines = textwrap.fill(
            text, WIDTH - 1, initial_indent=sign, subsequent_indent="  "
        )
        return in_colour(lines)

    def menu(self, view: Position, entries: Sequence[Entry]) -> RenderableType:
        """Return the entries that are more than playing a card, each on a line."""
        grid = Table.grid(padding=(0, 1))
        grid.add_column(justify="right", style="cyan", min_width=3)
        grid.add_column(min_width=44)
        grid.add_column(justify="right")
        for entry in entries:
            if plays_card(view, entry.action):
                continue
            text = described(self.words, view, entry.action, "choice")
            points = ""
            if entry.waits:
                points = f"({entry.points})"
            elif entry.points:
                points = f"+{entry.points}"
            grid.add_row(
                str(entry.number), in_colour(capital(text)), Text(points, style=STRONG)
            )
        return grid

    # --- pages on request ---------------------------------------------------------------------------

    def melds(self) -> RenderableType:
        """Return the table of melds."""
        say, profile, lang = self.words.say, self.rules.profile, self.words.lang
        grid = Table(
            box=SIMPLE_HEAD, border_style=QUIET, header_style=QUIET, pad_edge=False
        )
        grid.add_column(say("meld"))
        grid.add_column(say("cards"))
        grid.add_column(say("points"), justify="right")
        options = self.rules.options
        for meld in melds_shown(profile, options):
            cards = cards_text(profile, lang, meld, options)
            grid.add_row(
                capital(self.words.meld(meld.name)),
                in_colour(cards),
                str(self.rules.points[meld.name]),
            )
        return grid

    def last_trick(self, seen: Sequence[Seen]) -> Text:
        """Return the last trick, or that it may not be looked at any more."""
        view, say = seen[-1].view, self.words.say
        looks = Meaning(view, self.me).holds(
            view.rules.profile.views["won"], {"p": self.me, "owner": self.me}
        )
        for item in reversed(seen):
            if any(event.name == "deal" for event in item.events):
                break
            for event in item.events:
                if event.name == "trick":
                    if not (looks or view.last_trick):
                        return Text(
                            say("The last trick is turned down; nobody may look at it.")
                        )
                    whose = self._took(event.fields["seat"], event.fields["cards"])
                    return in_colour(whose)
        return Text(say("No trick has been played in this hand."))

    def scores(self, seen: Sequence[Seen]) -> RenderableType:
        """Return the score sheet: what each hand has paid to each player, and for what."""
        say, seats = self.words.say, (self.me, *self.rules.from_seat(self.me)[1:])
        grid = Table(
            box=SIMPLE_HEAD, border_style=QUIET, header_style=QUIET, pad_edge=False
        )
        grid.add_column(say("score"))
        for seat in seats:
            grid.add_column(self.name(seat), justify="right")
        hand = 0
        sums: dict[str, dict[str, int]] = {}

        def close(title: str, totals: Mapping[str, int]) -> None:
            for reason, by_seat in sums.items():
                grid.add_row(
                    "  " + capital(self.words.reason(reason)),
                    *(str(by_seat.get(seat) or "") for seat in seats),
                )
            grid.add_row(
                Text(title, style=STRONG),
                *(Text(str(totals[seat]), style=STRONG) for seat in seats),
            )
            sums.clear()

        for item in seen:
            for event in item.events:
                if event.name == "deal" and event.fields["seat"] == seats[0]:
                    hand += 1
                elif event.name == "points":
                    paid = sums.setdefault(event.fields["for"], {})
                    seat = event.fields["seat"]
                    paid[seat] = paid.get(seat, 0) + event.fields["points"]
                elif event.name == "hand":
                    close(say("hand {n}", n=hand), event.fields)
        view = seen[-1].view
        if sums:
            close(say("hand {n}", n=hand), view.hand_points)
        grid.add_row(
            Text(say("match"), style=STRONG),
            *(Text(str(view.match_points[seat]), style=STRONG) for seat in seats),
        )
        return grid

    def help(self) -> RenderableType:
        """Return the keys."""
        say = self.words.say
        grid = Table.grid(padding=(0, 2))
        grid.add_column(style="cyan", justify="right", min_width=4)
        grid.add_column()
        grid.add_row("1 2 …", say("do what has that number"))
        for key, text in keys(self.words).items():
            grid.add_row(key, text)
        differs = self.words.differs()
        return Group(grid, Text(""), Text(differs)) if differs else grid

    # --- what has happened -----------------------------------------------------------------------

    def told(self, before: Position, seen: Seen, action: str | None) -> list[Text]:
        """Return what a seat saw of an action, in lines.

        Args:
            before: The player's view before it.
            seen: What the player has seen.
            action: The action in words, where another seat did it in the open.
        """
        say = self.words.say
        lines: list[str] = [action] if action else []
        for event in seen.events:
            fields = event.fields
            match event.name:
                case "points":
                    seat, points = fields["seat"], fields["points"]
                    lines.append(
                        f"  {self.name(seat)} +{points}  {self.words.reason(fields['for'])}"
                    )
                case "trick":
                    lines.append(self._took(fields["seat"], fields["cards"]))
                case "draw" if fields["seat"] == self.me and fields["card"].known:
                    lines.append(
                        say("You draw {card}.", card=self.words.card(fields["card"]))
                    )
                case "swap" if fields["seat"] == self.me:
                    lines.append(
                        say("You take {card}.", card=self.words.card(fields["taken"]))
                    )
                case "hand":
                    scores = "  ".join(
                        f"{self.name(seat)} {fields[seat]}"
                        for seat in self.rules.from_seat(self.me)
                    )
                    lines.append(say("The hand is over: {scores}", scores=scores))
                case name if name in suits_named(seen.view) and before.turn != CHANCE:
                    suit = self.words.suit(fields["value"])
                    lines.append(f"  {self.words.named('state', name)}: {suit}")
        shut = (
            self._open(before)
            and not self._open(seen.view)
            and seen.view.phase == "lead"
        )
        if shut:
            lines.append(say("The stock is gone: the last tricks begin."))
        return [in_colour(line) for line in lines]

    def _open(self, view: Position) -> bool:
        return view.phase in ("lead", "follow", "declare") and view.left > 0

    def _took(self, seat: str, cards: Sequence[Card]) -> str:
        shown = self.words.cards(cards)
        if seat == self.me:
            return self.words.say("You take the trick {cards}.", cards=shown)
        return self.words.say("The machine takes the trick {cards}.", cards=shown)


def keys(words: Words) -> dict[str, str]:
    """Return the letters a player may type and what each does."""
    return {
        "m": words.say("the table of melds"),
        "t": words.say("the last trick"),
        "s": words.say("the score sheet"),
        "r": words.say("the whole rules"),
        "?": words.say("this help"),
        "q": words.say("leave; the game is kept"),
    }
