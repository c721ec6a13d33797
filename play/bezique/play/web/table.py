"""The table: what a player sees of a game, as the object that page and script share.

It is made from the player's view and from items the player has witnessed.  `docs/web.md`
describes it field by field.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property, lru_cache
from typing import Any

from bezique.engine.action import Action
from bezique.engine.cards import Card
from bezique.engine.codec import action_json
from bezique.engine.evaluate import Meaning
from bezique.engine.fields import Json
from bezique.engine.moves import apply, legal, refusal
from bezique.engine.position import DRAW, Melded, Position
from bezique.engine.rules import Rules
from bezique.play.alike import card_of, distinct, marks, melded_in, passes
from bezique.play.menu import (
    Entry,
    binding,
    described,
    menu,
    plays_card,
    suits_named,
    waiting,
)
from bezique.play.opponents import worth
from bezique.play.web.sitting import Item, Sitting
from bezique.play.web.words import WebWords, long_name
from bezique.spec.language import language
from bezique.spec.sentences import (
    capital,
    card_name,
    duty_sentence,
    fill_slots,
    sentence,
)

Named = dict[str, Action]


@dataclass(frozen=True, slots=True)
class Preferences:
    """How a player likes the table; no part of any game."""

    lang: str = "es"
    speed: str = "normal"
    sort: str = "suit"
    deck: str = "two"
    index: str = "auto"
    scheme: str = "system"


def move_name(rules: Rules, action: Action) -> str:
    """Return the name by which an action is posted.

    >>> from bezique.engine.library import Library
    >>> from bezique.engine.frozen import FrozenDict
    >>> card = Card("K", "S", 1)
    >>> move_name(Library().rules("cady"), Action("play", FrozenDict({"card": card})))
    'play:KS1'
    """
    written = action_json(rules, action)
    parts = [str(written.pop("do"))]
    for value in written.values():
        if isinstance(value, bool):
            parts.append("yes" if value else "no")
        else:
            parts.append(".".join(value) if isinstance(value, list) else str(value))
    return ":".join(parts)


def moves(position: Position) -> Named:
    """Return the legal actions by their names."""
    return {
        move_name(position.rules, action): action
        for action in distinct(position, legal(position))
    }


@lru_cache(maxsize=4096)
def _card(lang: str, card: Card) -> Json:
    """Return a card in the words of a language."""
    return {
        "id": str(card), "face": card.face, "rank": card.rank, "suit": card.suit,
        "short": card_name(lang, card.face), "name": long_name(lang, card),
    }  # fmt: skip


def card_json(lang: str, card: Card) -> Json:
    """Return a card that is seen, as `docs/web.md` describes it."""
    return dict(_card(lang, card))


class Shown:
    """Makes the table of a sitting.

    Args:
        sitting: The game.
        words: The language.
        likes: The player's preferences.
        url: Where the game's forms post to.
    """

    def __init__(
        self, sitting: Sitting, words: WebWords, likes: Preferences, url: str
    ) -> None:
        self.sitting, self.words, self.likes, self.url = sitting, words, likes, url
        self.rules, self.me, self.other = sitting.rules, sitting.me, sitting.other
        self.view = None if sitting.now.position is None else sitting.view
        self.say = words.say

    # --- pieces ---------------------------------------------------------------------------------

    def card(self, card: Card) -> Json:
        """Return a card that is seen."""
        return card_json(self.words.lang, card)

    def cards(self, cards: Iterable[Card]) -> list[Json]:
        """Return cards that are seen, those face down left out."""
        return [self.card(card) for card in cards if card.known]

    def sorted(self, cards: frozenset[Card]) -> list[Json]:
        """Return cards in card order."""
        return self.cards(self.rules.sort(cards))

    def meld(self, melded: Melded) -> Json:
        """Return a meld on the table."""
        return {
            "name": melded.meld, "title": self.words.meld(melded.meld),
            "points": self.rules.points[melded.meld], "cards": self.sorted(melded.cards),
        }  # fmt: skip

    def who(self, seat: str | None) -> str | None:
        """Return `me`, `machine` or None."""
        return {self.me: "me", self.other: "machine"}.get(seat or "")

    def name(self, seat: str | None) -> str:
        """Return what a seat is called."""
        return self.say("You") if seat == self.me else self.say("Machine")

    # --- the whole -------------------------------------------------------------------------------

    def table(self, *, since: int | None = None, notice: Json | None = None) -> Json:
        """Return the table.

        Args:
            since: The `seq` from which `steps` are told; None tells none.
            notice: Something to say once.
        """
        sitting, now, view = self.sitting, self.sitting.now, self.view
        profile = self.rules.profile
        told = self.told_items()
        latest = [
            (item, text) for item, text in zip(now.items, told, strict=True)
            if since is not None and item.seq >= since
        ]  # fmt: skip
        return {
            "game": sitting.game, "seq": sitting.seq, "lang": self.words.lang, "url": self.url,
            "mode": now.mode, "level": sitting.level,
            "phase": sitting.phase,
            "turn": self.who(view.turn if view else None),
            "notice": notice,
            "profile": {
                "name": profile.name, "title": self.words.title(),
                "differs": self.words.differs(), "options": self.options(),
            },
            "match": now.match, "hand": view.hand if view else 1,
            "dealer": self.who(view.dealer) if view else None,
            "dealer_text": self.dealer_text(),
            "shown": self.shown(now.series.shown()),
            "wins": sitting.wins,
            "scores": {"me": self.score(self.me), "machine": self.score(self.other)},
            "results": [
                {"hand": n, "me": result[self.me], "machine": result[self.other]}
                for n, result in enumerate(view.results if view else (), 1)
            ],
            "line": self.line(),
            "trump": self.trump(),
            "turn_up": self.card(view.turn_up) if view and view.turn_up else None,
            "stock": self.stock(),
            "trick_number": sitting.trick_number, "strict_left": self.strict(),
            "mine": {"cards": self.hand(), **self.laid(self.me)},
            "other": {"hidden": len(view.hidden[self.other]) if view else 0, **self.laid(self.other)},
            "trick": self.trick(),
            "last_trick": self.last_trick(),
            "menu": self.menu(),
            "log": [text for text in told if text["hand"] == now.hand],
            "steps": self.steps([text for _, text in latest]),
            "said": self.said([item for item, _ in latest]),
            "commitment": self.commitment(),
            "cut": self.cut(),
            "cuts": [
                {"me": self.card(cards[self.me]), "machine": self.card(cards[self.other])}
                for cards in now.cuts
            ],
            "deal": {"hand": view.hand} if view and sitting.phase == "deal" else None,
            "finished": self.finished(),
            "result": self.result(),
            "undo": self.undo(),
            "resign": sitting.resignable,
            "hint": bool(view and view.turn == self.me),
            "settings": asdict(self.likes) | {"lang": self.words.lang},
        }  # fmt: skip

    def options(self) -> list[Json]:
        """Return the options of the table in words."""
        found = []
        for option in self.rules.profile.options:
            value = self.rules.options[option.name]
            found.append(
                {"name": option.name, "label": option_label(self.words, option.name),
                 "value": value, "text": value_text(self.words, option.name, value)}
            )  # fmt: skip
        return found

    def shown(self, numbers: dict[str, str]) -> list[Json]:
        """Return the numbers of the series in words."""
        return [
            {"name": name, "label": self.words.named("series", name), "value": value}
            for name, value in numbers.items()
        ]

    def dealer_text(self) -> str:
        """Return who deals."""
        if self.view is None:
            return self.say("Cut the pack: the higher card deals.")
        if self.view.dealer == self.me:
            return self.say("You deal.")
        return self.say("The machine deals.")

    def score(self, seat: str) -> Json:
        """Return the points of a seat, and its brisques where tricks may be looked at."""
        view = self.view
        if view is None:
            return {"hand": 0, "match": 0, "brisques": 0}
        won = view.won[seat]
        counted = all(card.known for card in won)
        looks = self.allowed("won", seat)
        brisques = sum(1 for card in won if worth(self.rules, card)) if counted else 0
        return {
            "hand": view.hand_points[seat], "match": view.match_points[seat],
            "brisques": brisques if counted and looks else None,
        }  # fmt: skip

    def allowed(self, zone: str, owner: str) -> bool:
        """Return whether the player may look at a zone."""
        rule = self.rules.profile.views.get(zone)
        if rule is None or self.view is None:
            return True
        names = {"p": self.me, "owner": owner}
        return bool(Meaning(self.view, self.me).holds(rule, names))

    def line(self) -> Json:
        """Return what must be done now."""
        view, sitting = self.view, self.sitting
        if view is None:
            text = self.say("Cut the pack: the higher card deals.")
            return {"code": "cut", "text": text}
        if view.over:
            return {"code": "over", "text": self.result_text()}
        if view.phase == "deal":
            return {
                "code": "deal",
                "text": self.say("Cut the pack, or deal it as it is."),
            }
        if view.turn != self.me:
            return {"code": "wait", "text": self.say("The machine is thinking.")}
        bound = binding(view)
        if bound is None:
            declarable = [e for e in self.entries if e.action.arguments]
            text = (
                self.say("You took the trick: declare, or draw.") if declarable
                else self.say("You took the trick: draw.")
            )  # fmt: skip
            return {"code": sitting.phase, "text": text}
        clause, led, trump = bound
        order = duty_sentence(
            self.rules.profile, self.words.lang, clause, reason=False,
            card=str(led) if led else None, trump=trump,
        )  # fmt: skip
        if led is None:
            order = self.say("Your lead: {rule}", rule=order[:1].lower() + order[1:])
        return {"code": clause, "text": capital(order)}

    def trump(self) -> Json | None:
        """Return the trump suit."""
        for suit in suits_named(self.view).values() if self.view else ():
            if suit:
                many = language(self.words.lang).suits.get(suit)
                name = many.many if many else suit
                return {"suit": suit, "sign": self.words.suit(suit), "name": name}
        return None

    def stock(self) -> Json:
        """Return whether there is a stock, and how many cards are left where that is shown."""
        view = self.view
        if view is None or view.phase in ("deal", "over"):
            return {"open": False, "count": None}
        counts = self.allowed("count", self.me)
        return {"open": view.left > 0, "count": view.left if counts else None}

    def strict(self) -> Json | None:
        """Return which of the last tricks this is, once the stock is gone."""
        view = self.view
        if view is None or view.phase not in ("lead", "follow") or view.left:
            return None
        held = len(view.held(self.me)) + any(i["by"] == "me" for i in self.trick())
        size = self.rules.hand_size
        return {"trick": size - held + 1, "of": size}

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """Return what the player may choose from."""
        view = self.view
        if view is None or view.turn != self.me:
            return ()
        return menu(view, legal(view))

    def hand(self) -> list[Json]:
        """Return the player's hand, each card with what playing it would be."""
        view = self.view
        if view is None:
            return []
        playing = view.turn == self.me and view.phase in ("lead", "follow")
        plays = {}
        for entry in self.entries:
            card = card_of(entry.action)
            if card is not None and plays_card(view, entry.action):
                plays[marks(view, card)] = entry.action
        found = []
        why_not = self.reason() if playing else None
        for card in self.ordered(view.held(self.me)):
            action = plays.get(marks(view, card))
            warning = self.losing(action) if action else None
            found.append(
                {**self.card(card), "place": "table" if card in view.table[self.me] else "hand",
                 "move": f"{action.name}:{card}" if action else None, "playable": action is not None,
                 "reason": why_not if playing and action is None else None,
                 "warning": warning, "losing": warning is not None}
            )  # fmt: skip
        return found

    def ordered(self, cards: frozenset[Card]) -> list[Card]:
        """Return the hand in the order that the player likes."""
        if self.likes.sort == "rank":
            strength = self.rules.strength
            return sorted(
                self.rules.sort(cards), key=lambda card: -strength.get(card.rank, 0)
            )
        if self.likes.sort == "own":
            place = {card: n for n, card in enumerate(self.sitting.now.arrived)}
            return sorted(cards, key=lambda card: place.get(card, len(place)))
        return self.rules.sort(cards)

    def reason(self) -> str | None:
        """Return why other cards cannot be played now."""
        view = self.view
        if view is None:
            return None
        bound = binding(view)
        if bound is None:
            return None
        clause, led, trump = bound
        return capital(
            duty_sentence(
                self.rules.profile, self.words.lang, clause, reason=True,
                card=str(led) if led else None, trump=trump,
            )
        )  # fmt: skip

    def losing(self, action: Action) -> str | None:
        """Return which waiting announcements an action would lose, in a sentence."""
        view = self.view
        if view is None or not waiting(view, self.me):
            return None
        after, _ = apply(view, action)
        still = set(waiting(after, self.me))
        scored = melded_in(action)
        lost = [
            f"{self.words.meld(item.meld)} ({self.rules.points[item.meld]})"
            for item in waiting(view, self.me)
            if item not in still and item != scored
        ]
        if not lost:
            return None
        return self.say("This loses what waits: {melds}.", melds=", ".join(lost))

    def laid(self, seat: str) -> Json:
        """Return what a seat has on the table, what waits and what has scored."""
        view = self.view
        if view is None:
            return {"table": [], "pending": [], "scored": []}
        scored = view.state.get("scored", ())
        return {
            "table": self.sorted(view.table[seat]),
            "pending": [self.meld(item) for item in waiting(view, seat)],
            "scored": [self.meld(item) for item in scored if item.seat == seat],
        }

    def trick(self) -> list[Json]:
        """Return the unfinished trick."""
        view = self.view
        if view is None or not view.trick or view.turn is None:
            return []
        order = self.rules.from_seat(view.turn)
        leader = order[len(order) - len(view.trick) :]
        return [
            {**self.card(card), "by": self.who(seat)}
            for card, seat in zip(view.trick, leader, strict=True)
        ]

    def last_trick(self) -> Json | None:
        """Return the last finished trick of the hand, where it may be looked at."""
        view = self.view
        tricks = [item for item in self.sitting.now.items if item.code == "trick"]
        if view is None or not tricks:
            return None
        last = tricks[-1]
        if last.hand != self.sitting.now.hand or not (view.last_trick or self.allowed("won", self.me) or view.phase in ("deal", "over")):  # fmt: skip
            return None
        led_by = next(
            (
                item.by for item in reversed(self.sitting.now.items)
                if item.cards == last.cards[:1] and item.seq <= last.seq
            ),
            None,
        )  # fmt: skip
        order = self.rules.from_seat(led_by or self.me)
        return {
            "cards": [
                {**self.card(card), "by": self.who(seat), "wins": seat == last.by}
                for card, seat in zip(last.cards, order, strict=False)
            ],
            "taker": self.who(last.by),
            "fresh": bool(view.last_trick) or view.phase in ("deal", "over"),
        }

    def menu(self) -> list[Json]:
        """Return what may be done besides playing a card."""
        view = self.view
        if view is None:
            return []
        found = []
        entries = [e for e in self.entries if not plays_card(view, e.action)]
        for entry in entries:
            action = entry.action
            melded, card = melded_in(action), card_of(action)
            cards = (
                melded.cards if melded else frozenset((card,)) if card else frozenset()
            )
            goes_on = passes(action) and not apply(view, action)[0].over
            title, detail = self.titled(action, melded)
            if goes_on and len(entries) > 1:
                title = self.say("No declaration – draw")  # noqa: RUF001
            found.append(
                {"move": move_name(self.rules, action), "kind": action.name, "pass": goes_on,
                 "title": capital(title), "detail": detail, "points": entry.points,
                 "waits": entry.waits, "warning": self.losing(action),
                 "cards": [
                     {**self.card(c), "place": "table" if c in view.table[self.me] else "hand"}
                     for c in self.rules.sort(cards)
                 ]}
            )  # fmt: skip
        return found

    def titled(self, action: Action, melded: Melded | None) -> tuple[str, str]:
        """Return the title of a choice and what stands below it."""
        if self.view is None:
            return action.name, ""
        text = described(self.words, self.view, action, "choice")
        if melded is None:
            return text, ""
        cards = self.words.cards(self.rules.sort(melded.cards))
        return self.words.meld(melded.meld), cards

    # --- what has happened ---------------------------------------------------------------------

    def told_items(self) -> list[Json]:
        """Return all items of the match in words; each is put into words once."""
        now = self.sitting.now
        told = now.told.setdefault(self.words.lang, [])
        told += [self.item(item) for item in now.items[len(told) :]]
        return told

    def item(self, item: Item) -> Json:
        """Return an item of the log in words."""
        return {
            "n": item.seq, "match": item.match, "hand": item.hand, "trick": item.trick,
            "code": item.code, "by": self.who(item.by), "text": self.told(item),
            "cards": self.cards(item.cards), "points": item.points,
        }  # fmt: skip

    def told(self, item: Item) -> str:
        """Return an item as a sentence."""
        say, mine = self.say, item.by == self.me
        cards = self.words.cards(item.cards)
        match item.code:
            case "cut":
                return (
                    say("You cut {card}.", card=cards) if mine
                    else say("The machine cuts {card}.", card=cards)
                )  # fmt: skip
            case "dealer" | "dealt":
                return say("You deal.") if mine else say("The machine deals.")
            case "turn":
                return say("{card} is turned up.", card=cards)
            case "trump":
                suit = language(self.words.lang).suits.get(item.name)
                return say("Trumps: {suit}", suit=suit.many if suit else item.name)
            case "points":
                reason = self.words.reason(item.name)
                return (
                    say("You score {n}: {reason}.", n=item.points, reason=reason) if mine
                    else say("The machine scores {n}: {reason}.", n=item.points, reason=reason)
                )  # fmt: skip
            case "trick":
                return (
                    say("You take the trick {cards}.", cards=cards) if mine
                    else say("The machine takes the trick {cards}.", cards=cards)
                )  # fmt: skip
            case "drawn":
                return say("You draw {card}.", card=cards)
            case "resign":
                return say("You give the match up.")
            case "stock-gone":
                return say("The stock is gone: the last tricks begin.")
            case "hand-over":
                return say("Hand {n} is over.", n=item.name)
            case "match-over":
                if item.by is None:
                    return say("The match is a draw.")
                return (
                    say("You win the match.") if mine else say("The machine wins the match.")
                )  # fmt: skip
        turned = self.words.card(item.turned) if item.turned else ""
        meld = self.words.meld(item.name) if item.name else ""
        done = self.words.named(
            "did" if mine else "done", item.code,
            who=self.name(item.by), meld=meld, cards=cards, turned=turned,
        )  # fmt: skip
        return capital(done)

    def steps(self, told: Sequence[Json]) -> list[Json]:
        """Return items one list an action."""
        found: dict[int, list[Json]] = {}
        for item in told:
            found.setdefault(item["n"], []).append(item)
        return [{"seq": seq, "items": items} for seq, items in found.items()]

    def said(self, items: Sequence[Item]) -> str:
        """Return what a screen reader is told: the trick, what was scored, what is turned."""
        spoken = [
            self.spoken(item) for item in items
            if item.code not in ("play", "dealt", "dealer", "hand-over")
        ]  # fmt: skip
        return " ".join(text for text in spoken if text)

    def spoken(self, item: Item) -> str:
        """Return an item for the ear: cards by their whole names."""
        text, words = self.told(item), self.words
        short = [words.card(card) for card in item.cards]
        names = [words.long_name(card) for card in item.cards]
        text = text.replace(" ".join(short), ", ".join(names))  # a pause between cards
        for card, name in zip(short, names, strict=True):
            text = text.replace(card, name)
        return text if text.endswith((".", "!", "?")) else f"{text}."

    # --- between hands ---------------------------------------------------------------------------

    def commitment(self) -> Json | None:
        """Return what binds the pack of this hand, or of the one to come."""
        packs = self.sitting.now.packs
        lots = self.sitting.now.lots
        if self.sitting.phase == "dealer" and lots is not None:
            return {"hash": lots.hash, "match": lots.match, "hand": 0, "opened": False,
                    "url": f"{self.url}/commitments/{lots.match}/0"}  # fmt: skip
        if not packs:
            return None
        match, hand = max(packs)
        bound = packs[match, hand]
        return {"hash": bound.hash, "match": match, "hand": hand,
                "opened": self.sitting.opened(match, hand),
                "url": f"{self.url}/commitments/{match}/{hand}"}  # fmt: skip

    def cut(self) -> Json | None:
        """Return the depths at which the pack may be cut."""
        if self.sitting.phase not in ("dealer", "deal"):
            return None
        return {"from": 1, "to": len(self.rules.pack) - 1}

    def finished(self) -> Json | None:
        """Return the sheet of the hand that has just ended."""
        view, now = self.view, self.sitting.now
        if view is None or view.phase not in ("deal", "over") or not view.hand_points:
            return None
        if view.phase == "deal" and not view.results:
            return None
        hand = view.hand if view.over else view.hand - 1
        whole = len(view.results) >= hand
        points = view.results[hand - 1] if whole else view.hand_points
        return {
            "hand": hand,
            "rows": [
                {"code": reason, "text": self.words.reason(reason),
                 "me": row[self.me], "machine": row[self.other]}
                for reason, row in now.rows.items()
            ],
            "me": points[self.me], "machine": points[self.other],
            "review": f"{self.url}/review/{now.match}/{hand}",
        }  # fmt: skip

    def result(self) -> Json | None:
        """Return how the match ended."""
        view, now = self.view, self.sitting.now
        if view is None or now.over is None or now.series_after is None:
            return None
        points = view.match_points
        winner = "draw" if view.winner == DRAW else self.who(view.winner)
        return {
            "winner": winner, "margin": abs(points[self.me] - points[self.other]),
            "text": self.result_text(),
            "resigned": now.over.resigned is not None, "shown": self.shown(now.series_after.shown()),
        }  # fmt: skip

    def result_text(self) -> str:
        """Return how the match ended, in a sentence."""
        view = self.view
        if view is None or view.winner == DRAW:
            return self.say("The match is a draw.")
        if self.sitting.now.over is not None and self.sitting.now.over.resigned:
            return self.say("You gave the match up.")
        margin = view.match_points[self.me] - view.match_points[self.other]
        if view.winner == self.me:
            return self.say("You win the match by {n}.", n=margin)
        return self.say("The machine wins the match by {n}.", n=-margin)

    def undo(self) -> bool:
        """Return whether the player may take a choice back."""
        return self.sitting.practice and self.sitting.chosen()


def option_label(words: WebWords, option: str) -> str:
    """Return what an option decides, in words."""
    labels = language(words.lang).options.get(option)
    if labels is None:
        return option.replace("_", " ")
    profile, options = words.rules.profile, words.rules.options
    return fill_slots(profile, words.lang, labels.label, options)


def value_text(words: WebWords, option: str, value: Any) -> str:  # noqa: ANN401
    """Return a value of an option, in words."""
    labels = language(words.lang).options.get(option)
    text = labels.values.get(str(value).lower()) if labels else None
    if text is None or (isinstance(value, int) and not isinstance(value, bool)):
        return str(value)
    profile, options = words.rules.profile, words.rules.options
    return fill_slots(profile, words.lang, text, options)


def refused(view: Position, action: Action, lang: str) -> tuple[str, str] | None:
    """Return the clause that refuses an action and its sentence, or None when it is legal."""
    found = refusal(view, action)
    if found is None:
        return None
    rules = view.rules
    return found.clause, sentence(rules.profile, lang, found.clause, rules.options)
