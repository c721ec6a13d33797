"""Review: a finished hand trick by trick, with what exact play says of its last tricks.

A finished hand has no secrets left; reviews are made from records of finished hands alone.
The verdict is worked out in a process that thinks, once.
"""

from typing import Any

from bezique.engine.cards import Card
from bezique.engine.codec import read_record, record_json
from bezique.engine.fields import Json
from bezique.engine.position import Position
from bezique.engine.record import Record, Step, replay
from bezique.play.alike import card_of, melded_in, passes
from bezique.play.menu import SHOWN, described, plays_card, suits_named
from bezique.play.web import thinking
from bezique.play.web.kept import Kept
from bezique.play.web.table import card_json
from bezique.play.web.words import WebWords
from bezique.spec.language import language
from bezique.spec.sentences import capital


def of_hand(record: Record, hand: int) -> Record:
    """Return a record up to the end of a hand."""
    deals = [n for n, action in enumerate(record.actions) if action.name == "deal"]
    end = deals[hand] if hand < len(deals) else len(record.actions)
    return Record(record.rules, record.dealer, record.actions[:end], record.lenient)


def verdict(written: Json, hand: int) -> list[Json]:
    """Return what each card of the last tricks of a hand gave away; for a worker."""
    from bezique.solver.analyse import analyse, judgement_json
    from bezique.solver.errors import EndingError

    record = of_hand(read_record(thinking.library(), written), hand)
    try:
        found = analyse(record)
    except EndingError:
        return []  # a table beyond the solver, or a revoke: nothing exact can be said
    return [judgement_json(item) for item in found if item.hand == hand]


def written(record: Record) -> Json:
    """Return a record as a worker gets it."""
    return record_json(record)


class Review:
    """Tells a hand of a record.

    Args:
        kept: A record, and who gave the match up, if anybody did.
        hand: The number of the hand, from 1.
        me: The player's seat.
        words: The language.
        judged: The verdict on the last tricks; None while it is worked out.
    """

    def __init__(
        self,
        kept: Kept,
        hand: int,
        me: str,
        words: WebWords,
        judged: list[Json] | None,
    ) -> None:
        self.kept, self.hand, self.me, self.words = kept, hand, me, words
        self.record = kept.record
        self.judged = {item["step"]: item for item in judged or ()}
        self.pending = judged is None
        self.rules = self.record.rules

    def who(self, seat: str) -> str:
        """Return `me` or `machine`."""
        return "me" if seat == self.me else "machine"

    def name(self, seat: str) -> str:
        """Return what a seat is called."""
        return self.words.say("You") if seat == self.me else self.words.say("Machine")

    def card(self, card: Card) -> Json:
        """Return a card."""
        return card_json(self.words.lang, card)

    def shown(self, match: int) -> Json:
        """Return the review."""
        record = of_hand(self.record, self.hand)
        steps = replay(record)
        first = max(n for n, s in enumerate(steps) if s.action.name == "deal")
        dealt = steps[first]
        tricks = list(self._tricks(steps, first))
        other = self.rules.after(self.me)
        away = {"me": 0, "machine": 0}
        for item in self.judged.values():
            away[self.who(item["seat"])] += item["given_away"]
        start_cards = {
            self.who(seat): [self.card(c) for c in self.rules.sort(dealt.position.held(seat))]
            for seat in (self.me, other)
        }  # fmt: skip
        # The end of a hand clears the table; what was turned is told by the step before.
        ended = bool(tricks) and steps[-1].position.phase in ("deal", "over")
        turned = dealt.action.arguments.get("turn_up")
        return {
            "title": self.words.title(), "match": match, "hand": self.hand,
            "dealer": self.who(dealt.position.dealer),
            "trump": self._trump(steps[-1 - ended].position),
            "hands": list(range(1, self.kept.hands() + 1)),
            "resigned": self._given_up(),
            "start": {**start_cards, "turn_up": self.card(turned) if turned else None},
            "tricks": tricks, "given_away": away, "pending": self.pending,
        }  # fmt: skip

    def _trump(self, position: Position) -> Json | None:
        for suit in suits_named(position).values():
            if suit:
                known = language(self.words.lang).suits.get(suit)
                return {"suit": suit, "sign": self.words.suit(suit), "name": known.many if known else suit}  # fmt: skip
        return None

    def _tricks(self, steps: tuple[Step, ...], first: int) -> Any:  # noqa: ANN401
        """Yield the tricks with what was said after each."""
        cards: list[Json] = []
        trick: Json | None = None
        number = 0
        before = steps[first].position
        for n in range(first + 1, len(steps)):
            step = steps[n]
            seat = str(before.turn)
            card = card_of(step.action)
            if card is not None and plays_card(before, step.action):
                if not cards:
                    if trick is not None:
                        yield trick
                    number += 1
                    trick = {
                        "number": number,
                        "strict": before.left < len(self.rules.seats),
                        "log": [], "cards": cards, "taker": None,
                        "held": {self.who(one): self._held(before, one) for one in self.rules.seats},
                        "left": before.left,
                        "turn_up": self.card(before.turn_up) if before.turn_up else None,
                    }  # fmt: skip
                cards.append({**self.card(card), "by": self.who(seat), "wins": False, **self._judged(n)})  # fmt: skip
            if trick is None:
                before = step.position
                continue
            log = trick["log"]
            if melded_in(step.action) or (not passes(step.action) and not plays_card(before, step.action)):  # fmt: skip
                context = "did" if seat == self.me else "done"
                told = described(
                    self.words, before, step.action, context, self.name(seat)
                )
                # The terminal's sign for cards on the table; here they are underlined.
                log.append(capital(told.replace(SHOWN, "")))
            for event in step.events:
                if event.name == "trick":
                    for item in cards:
                        item["wins"] = item["by"] == self.who(event.fields["seat"])
                    trick["taker"], cards = self.who(event.fields["seat"]), []
                elif event.name == "points":
                    log.append(self._paid(event.fields))
            trick["scores"] = self._scores(step.position)
            before = step.position
        if trick is not None:
            yield trick

    def _held(self, position: Position, seat: str) -> list[Json]:
        """Return a seat's cards before a trick, those on the table marked."""
        laid = position.table[seat]
        return [
            {**self.card(c), "place": "table" if c in laid else "hand"}
            for c in self.rules.sort(position.held(seat))
        ]

    def _given_up(self) -> str | None:
        """Return who gave the match up in this hand."""
        resigned = self.kept.resigned
        if resigned is None or self.hand != self.kept.hands():
            return None
        return self.who(resigned)

    def _paid(self, fields: Any) -> str:  # noqa: ANN401
        reason = self.words.reason(fields["for"])
        return self.words.say(
            "You score {n}: {reason}." if fields["seat"] == self.me
            else "The machine scores {n}: {reason}.",
            n=fields["points"], reason=reason,
        )  # fmt: skip

    def _scores(self, position: Position) -> Json:
        finished = len(position.results) >= self.hand
        points = position.results[self.hand - 1] if finished else position.hand_points
        return {self.who(seat): points[seat] for seat in self.rules.seats}

    def _judged(self, step: int) -> Json:
        item = self.judged.get(step)
        if item is None:
            return {"margin": None, "best": [], "given_away": 0, "worse": False}
        best = [self.rules.cards[name] for name in item["best"]]
        outcome, better = item["outcome"], item["best_outcome"]
        worse = outcome is not None and better is not None and outcome < better
        given = item["given_away"]
        return {
            "margin": item["margin"], "given_away": given, "worse": worse,
            "best": [self.card(c) for c in best] if given or worse else [],
        }  # fmt: skip
