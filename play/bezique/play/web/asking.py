"""Asking: a hint with its reason, why a meld cannot be declared, the melds, the rules.

All of it is answered from what the player has seen.
"""

import asyncio
from collections.abc import Iterator
from itertools import product

from bezique.engine.action import Action
from bezique.engine.cards import Card
from bezique.engine.codec import read_action
from bezique.engine.fields import Json
from bezique.engine.frozen import FrozenDict
from bezique.engine.melds import candidates
from bezique.engine.moves import apply, legal, refusal
from bezique.engine.position import Melded, Position
from bezique.engine.record import Seen
from bezique.engine.rules import Rules
from bezique.play.alike import card_of, distinct, marks, melded_in
from bezique.play.menu import plays_card, suits_named
from bezique.play.opponents import worth
from bezique.play.web.sitting import Sitting
from bezique.play.web.table import Shown, move_name, refused
from bezique.play.web.thinking import Thinkers, question
from bezique.solver.declaring import best_order
from bezique.spec.core import Meld
from bezique.spec.sentences import capital
from bezique.spec.words import card_groups, cards_text, melds_shown

STRONGEST = 5
MOST_TRIES = 8
MOST_TRICKS = 3
"""For how many won tricks a plan looks ahead."""


# --- a hint ------------------------------------------------------------------------------------


async def hint(thinkers: Thinkers, sitting: Sitting, shown: Shown) -> Json | None:
    """Return what the strongest opponent would do in the player's place, or None."""
    view = shown.view
    if view is None or view.turn != sitting.me:
        return None
    heard = tuple(sitting.now.heard[sitting.me])
    written = await thinkers.ask(
        question(STRONGEST, view, sitting.heard_json(sitting.me))
    )
    action = read_action(view, written)
    card, melded = card_of(action), melded_in(action)
    cards = melded.cards if melded else frozenset((card,)) if card else frozenset()
    reason, exact = _reason(shown, view, action, Seen(heard, view))
    return {
        "move": move_name(view.rules, action),
        "title": capital(shown.titled(action, melded)[0]),
        "reason": reason, "exact": exact, "cards": shown.sorted(cards),
        "plan": await asyncio.to_thread(plan, shown, view),
    }  # fmt: skip


def plan(shown: Shown, view: Position) -> Json | None:
    """Return how the player's cards declare the most over the next tricks won, in order.

    Only where an order is to be chosen: None where they make less than two declarations.
    """
    tricks = min(view.left // len(view.rules.seats), MOST_TRICKS)
    found = best_order(view, tricks, lambda at: distinct(at, legal(at)))
    if len(found.melds) <= 1:
        return None
    return {"points": found.points, "melds": [shown.meld(item) for item in found.melds]}


def _reason(
    shown: Shown, view: Position, action: Action, seen: Seen
) -> tuple[str, bool]:
    """Return why an action is good, and whether that is exact."""
    say, me = shown.say, shown.me
    after, _ = apply(view, action)
    gained = after.hand_points[me] - view.hand_points[me]
    if not plays_card(view, action):
        if after.over and after.winner == me:
            return say("It wins the match."), True
        if gained > 0:
            return say(
                "It scores {n} now, and nothing else is worth more.", n=gained
            ), False
        if melded_in(action) is not None:
            return say("It waits on the table, to score after a later trick."), False
        return say("Nothing here is worth more than what it would give up."), False
    exact = _exactly(shown, action, seen)
    if exact is not None:
        return exact, True
    card = card_of(action)
    stake = sum(worth(view.rules, c) for c in (*view.trick, *((card,) if card else ())))
    if not view.trick:
        return _led(shown, view, action), False
    if after.taker != me:
        return say("The trick is not worth a better card."), False
    if stake:
        return say("It takes the trick, with {n} points in it.", n=stake), False
    return say("It takes the trick, so that you may declare."), False


def _exactly(shown: Shown, action: Action, seen: Seen) -> str | None:
    """Return what exact play says of a card, once both hands are known."""
    from bezique.solver.endgame import solve
    from bezique.solver.errors import EndingError
    from bezique.solver.remembered import remembered

    known = remembered((seen,))
    if known is None:
        return None
    try:
        found = solve(known)
    except EndingError:
        return None
    card = card_of(action)
    mine = next((k.margin for k in found.classes if card in k.cards), found.margin)
    worst = min(k.margin for k in found.classes)
    if mine == worst:
        return shown.say("Every card leads to the same: {n} points.", n=f"{mine:+d}")
    return shown.say(
        "Exact play from here is worth {n} points; the worst card {worst}.",
        n=f"{mine:+d}", worst=f"{worst:+d}",
    )  # fmt: skip


def _led(shown: Shown, view: Position, action: Action) -> str:
    say, card = shown.say, card_of(action)
    strength = view.rules.strength
    if card is not None and strength[card.rank] * 2 <= len(strength):
        return say("A low card gives little away.")
    ready = declarable(view)
    if ready:
        points = max(view.rules.points[item.meld] for item in ready)
        return say(
            "It may take the trick, and you have {n} points to declare.", n=points
        )
    return say("It may take the trick, and spoils none of your melds.")


# --- why not? ----------------------------------------------------------------------------------


def to_declare(view: Position, seat: str) -> Position:
    """Return a view as it would be if a seat had just won a trick."""
    if view.phase == "declare" and view.turn == seat:
        return view
    fresh = {
        part.name: part.type.empty
        for part in view.rules.profile.state
        if part.per == "trick"
    }
    return view.changed(
        phase="declare", turn=seat, taker=seat, trick=(),
        state=FrozenDict({**view.state, **fresh}),
    )  # fmt: skip


def _declares(rules: Rules, melded: Melded) -> Action | None:
    """Return the action that scores a meld: the first that takes a meld and nothing else."""
    for rule in rules.profile.actions.values():
        if not rule.ruling and [p.type.kind for p in rule.takes] == ["Meld"]:
            return Action(rule.name, FrozenDict({rule.takes[0].name: melded}))
    return None


def declarable(view: Position) -> tuple[Melded, ...]:
    """Return the melds that the player could declare after winning a trick."""
    me = view.turn or ""
    trial = to_declare(view, me)
    found = []
    for name, cards in candidates(view.rules, view.held(me)):
        melded = Melded(me, name, cards)
        action = _declares(view.rules, melded)
        if action is not None and refusal(trial, action) is None:
            found.append(melded)
    return tuple(found)


def why(shown: Shown, name: str) -> Json:
    """Return, of each set of the player's cards that make a meld, why it cannot be declared."""
    view, rules = shown.view, shown.rules
    melds = [
        {"name": meld.name, "title": shown.words.meld(meld.name)}
        for meld in melds_shown(rules.profile, rules.options)
    ]
    if not any(meld["name"] == name for meld in melds):
        name = melds[0]["name"]
    told: Json = {
        "meld": name, "title": shown.words.meld(name), "melds": melds, "tries": []
    }  # fmt: skip
    if view is None or view.phase not in ("lead", "follow", "declare"):
        return told
    told["tries"] = list(_tries(shown, view, name))[:MOST_TRIES]
    return told


def _tries(shown: Shown, view: Position, name: str) -> Iterator[Json]:
    me, rules = shown.me, shown.rules
    # Before the last tricks the question is what will be possible after a trick won.
    trial = to_declare(view, me) if view.left else view
    done = set()
    for meld, cards in candidates(rules, view.held(me)):
        key = tuple(sorted((marks(view, card) for card in cards), key=repr))
        if meld != name or key in done:
            continue
        done.add(key)
        action = _declares(rules, Melded(me, name, cards))
        if action is None:
            continue
        found = refused(trial, action, shown.words.lang)
        yield {
            "cards": [_with_history(shown, view, card) for card in rules.sort(cards)],
            "legal": found is None, "clause": found[0] if found else None,
            "text": found[1] if found else shown.say("It can be declared after a trick that you win."),
            "missing": None,
        }  # fmt: skip
    if not done:
        yield from _missing(shown, view, rules.profile.melds[name])


def _missing(shown: Shown, view: Position, meld: Meld) -> Iterator[Json]:
    """Yield the nearest sets of cards where the player does not hold a whole one."""
    rules, held = shown.rules, view.held(shown.me)
    found = []
    for suits in product(rules.profile.deck.suits, repeat=len(meld.variables)):
        named = dict(zip(meld.variables, suits, strict=True))
        have: list[Card] = []
        lack: list[str] = []
        for part in meld.cards:
            suit = part.suit or named.get(part.variable or "")
            own = [c for c in rules.sort(held) if c.rank == part.rank and suit in (None, c.suit) and c not in have]  # fmt: skip
            have += own[: part.count]
            lack += [part.rank + (suit or "")] * (part.count - len(own[: part.count]))
        if have and _possible(shown, view, meld, lack):
            found.append((len(lack), have, lack))
    found.sort(key=lambda item: item[0])
    for _, have, lack in found[:2]:
        names = " ".join(shown.words.card(Card(f[0], f[1:], 1)) if f[1:] else f[0] for f in lack)  # fmt: skip
        yield {
            "cards": [_with_history(shown, view, card) for card in have], "legal": False,
            "clause": None, "text": shown.say("You do not hold {cards}.", cards=names),
            "missing": names,
        }  # fmt: skip


def _possible(shown: Shown, view: Position, meld: Meld, lack: list[str]) -> bool:
    """Return whether the faces that lack make a meld that the rules know here."""
    rules = shown.rules
    held = set(view.held(shown.me))
    added: set[Card] = set()
    for face in lack:
        more = [
            c for c in rules.pack if c.face.startswith(face) and c not in held | added
        ]
        if more:
            added.add(more[0])
    hidden = FrozenDict({**view.hidden, shown.me: view.hidden[shown.me] | added})
    trial = to_declare(view.changed(hidden=hidden), shown.me)
    for name, cards in candidates(rules, trial.held(shown.me)):
        if name == meld.name and added <= cards:
            action = _declares(rules, Melded(shown.me, name, cards))
            if action is not None and refusal(trial, action) is None:
                return True
    return False


def _with_history(shown: Shown, view: Position, card: Card) -> Json:
    """Return a card with what it has scored in this hand."""
    history = [
        shown.say(
            "scored in {meld} ({n})",
            meld=shown.words.meld(item.meld), n=shown.rules.points[item.meld],
        )
        for item in view.state.get("scored", ())
        if card in item.cards
    ]  # fmt: skip
    place = "table" if card in view.table[shown.me] else "hand"
    return {**shown.card(card), "place": place, "history": history}


# --- melds and rules -----------------------------------------------------------------------------


def melds(shown: Shown) -> list[Json]:
    """Return all melds of the table, with faces that show one of each."""
    rules, lang = shown.rules, shown.words.lang
    return [
        {"name": meld.name, "title": capital(shown.words.meld(meld.name)),
         "cards_text": cards_text(rules.profile, lang, meld, rules.options),
         "faces": list(_faces(shown, meld)), "points": rules.points[meld.name]}
        for meld in melds_shown(rules.profile, rules.options)
    ]  # fmt: skip


def _faces(shown: Shown, meld: Meld) -> Iterator[str]:
    """Yield the faces of one set of cards that make a meld here, or could."""
    rules, view = shown.rules, shown.view
    suits = rules.profile.deck.suits
    named = suits_named(view).values() if view else ()
    trump = next((suit for suit in named if suit), suits[0])
    plain = next(suit for suit in suits if suit != trump)
    for key, parts in card_groups(rules.profile, meld, rules.options):
        turn = iter(suits * 4)
        for part in parts:
            for _ in range(part.count):
                if part.suit:
                    suit = part.suit
                elif key == "any":
                    suit = next(turn)
                elif key in rules.profile.tables:
                    suit = rules.profile.tables[key].get(trump, trump)
                else:
                    suit = plain if key in ("not-trump", "each") else trump
                yield part.rank + suit


def rules_html(shown: Shown) -> str:
    """Return the rules of the table as HTML; they come from the project's own files."""
    from markdown_it import MarkdownIt

    from bezique.spec.prose import prose

    text = prose(shown.rules.profile, shown.words.lang, shown.rules.options)
    made = str(MarkdownIt("commonmark", {"html": False}).enable("table").render(text))
    # Columns are set in the style sheet; the pages allow no style of their own.
    return made.replace(' style="text-align:right"', "")
