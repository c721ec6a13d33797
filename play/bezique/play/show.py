"""Showing: deals, records, reasons and sources, as text or as JSON."""

from collections.abc import Iterator, Sequence

from rich.table import Table
from rich.text import Text

from bezique.engine.action import Action, Event
from bezique.engine.cards import Card
from bezique.engine.codec import action_json, event_json
from bezique.engine.fields import Json
from bezique.engine.position import CHANCE, DRAW, Position, start
from bezique.engine.record import Record, replay
from bezique.play.menu import described, suits_named
from bezique.play.reasons import Verdict
from bezique.play.screen import QUIET, STRONG, console, in_colour, indented
from bezique.play.words import Words
from bezique.spec.sentences import capital


def deal_shown(position: Position, action: Action, lang: str) -> None:
    """Print a deal: each hand, the turn-up, the stock in the order it is drawn."""
    words, out = Words(lang, position.rules), console()
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style=QUIET, no_wrap=True)
    grid.add_column(overflow="fold")

    def row(name: str, cards: Sequence[Card]) -> None:
        grid.add_row(name, in_colour(words.cards(cards)))

    for seat in position.rules.seats:
        cards = action.arguments[seat]
        name = words.seat(seat)
        if seat == position.dealer:
            name = words.say("{seat} (dealer)", seat=name)
        row(name, position.rules.sort(frozenset(cards)))
    turn_up = action.arguments["turn_up"]
    if isinstance(turn_up, Card):
        row(words.say("turned up"), (turn_up,))
    row(words.say("stock"), action.arguments["stock"])
    out.print(grid)


def replay_json(record: Record) -> Iterator[Json]:
    """Yield each step of a record: action, number of legal actions before it, events."""
    for number, step in enumerate(replay(record)):
        yield {
            "step": number,
            "action": action_json(record.rules, step.action),
            "legal": step.legal,
            "events": [event_json(record.rules, event) for event in step.events],
        }


def replay_shown(record: Record, lang: str) -> None:
    """Print each step of a record in words."""
    words, out = Words(lang, record.rules), console()
    before = start(record.rules, record.dealer)
    out.print(Text(words.title(), style=STRONG))
    for number, step in enumerate(replay(record)):
        if before.turn == CHANCE:
            title = words.say("hand {n}", n=before.hand)
            dealer = words.say("{seat} (dealer)", seat=words.seat(before.dealer))
            out.print(Text(f"\n{number:4}  {title} · {dealer}", style=STRONG))
        else:
            seat = words.seat(before.turn or "")
            said = described(words, before, step.action, "done", seat)
            out.print(Text(f"{number:4}  ", style=QUIET) + in_colour(said))
        for event in step.events:
            said = _told(words, step.position, event, dealt=before.turn == CHANCE)
            if said:
                out.print(Text("        ") + in_colour(said))
        before = step.position
    if before.over:
        winner = before.winner or ""
        text = (
            words.say("The match is a draw.")
            if winner == DRAW
            else words.say("{seat} wins the match.", seat=words.seat(winner))
        )
        out.print(Text("\n" + text, style=STRONG))


def _told(words: Words, position: Position, event: Event, *, dealt: bool) -> str:
    """Return an event in words, or nothing for what the action has said already."""
    fields = event.fields
    seat = words.seat(fields["seat"]) if "seat" in fields else ""
    match event.name:
        case "points":
            return f"{seat} +{fields['points']}  {words.reason(fields['for'])}"
        case "trick":
            return words.say(
                "{seat} takes the trick {cards}.",
                seat=seat,
                cards=words.cards(fields["cards"]),
            )
        case "draw":
            return words.say(
                "{seat} draws {card}.", seat=seat, card=words.card(fields["card"])
            )
        case "deal":
            return f"{seat}: {words.cards(fields['cards'])}"
        case "turn":
            return words.say("turned up {card}", card=words.card(fields["card"]))
        case "hand":
            scores = "  ".join(
                f"{words.seat(name)} {fields[name]}" for name in position.rules.seats
            )
            return words.say("The hand is over: {scores}", scores=scores)
        case "play" | "show" | "swap" | "match":
            return ""
        case name if name in suits_named(position):
            return (
                ""
                if dealt
                else f"{words.named('state', name)}: {words.suit(fields['value'])}"
            )
    rest = " ".join(str(value) for value in fields.values())
    return f"{event.name} {rest}".strip()


def verdict_json(verdict: Verdict) -> Json:
    """Return a verdict as JSON."""
    return {
        "legal": verdict.legal,
        "why": verdict.why,
        "grounds": [
            {
                "clause": ground.clause,
                "sentence": ground.sentence,
                "statements": [
                    {"id": item.id, "says": item.says} for item in ground.statements
                ],
                "readings": [
                    {
                        "choice": item.choice,
                        "value": item.value,
                        "sentence": item.sentence,
                    }
                    for item in ground.chosen
                ],
                "register": [item.number for item in ground.register],
            }
            for ground in verdict.grounds
        ],
    }


def verdict_shown(
    position: Position, action: Action, verdict: Verdict, lang: str
) -> None:
    """Print a verdict: the clauses, what they say, where that is from, what it turns on."""
    words, out = Words(lang, position.rules), console()
    head = (
        words.say("legal: {action}", action=action)
        if verdict.legal
        else words.say("not legal: {action}", action=action)
    )
    out.print(Text(head, style=STRONG))
    told = any(ground.sentence != ground.clause for ground in verdict.grounds)
    # What the engine adds is English; the clause's own sentence says it in every language.
    if verdict.why and (lang == "en" or not told):
        indented(out, 2, verdict.why)
    name = position.rules.profile.name
    for ground in verdict.grounds:
        out.print()
        out.print(Text(f"[{ground.clause}]", style="cyan"))
        if ground.sentence != ground.clause:
            indented(out, 2, capital(ground.sentence))
        for statement in ground.statements:
            indented(out, 2, f"{statement.id}  {statement.says}", QUIET)
        for chosen in ground.chosen:
            indented(
                out,
                2,
                words.say(
                    "reading {choice}: {value}",
                    choice=chosen.choice,
                    value=chosen.value,
                ),
            )
            if (
                not chosen.sentence.startswith("choice/")
                and chosen.sentence != ground.sentence
            ):
                indented(out, 4, chosen.sentence)
        for entry in ground.register:
            answer = entry.reading.get(name, "")
            indented(out, 2, f"#{entry.number}  {entry.question}  {answer}", QUIET)
