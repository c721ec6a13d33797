"""A plain twin: the legal actions of two tables, written out by hand.

Deliberately unlike the engine: no rule file, no expressions, cards as texts, a position as
the protocol writes it.  It knows `cady` (D2) and `streak` (D0) and nothing else.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

ORDER = "789JQKTA"
POINTED = {"A": "four-aces", "K": "four-kings", "Q": "four-queens", "J": "four-jacks"}
LEVELS = {
    "marriage": 1,
    "royal-marriage": 1,
    "sequence": 2,
    "bezique": 1,
    "double-bezique": 2,
}
COURT = ("marriage", "royal-marriage", "sequence")
BEZIQUE = ("bezique", "double-bezique")
Told = tuple[str, ...]


def plain_actions(position: dict[str, Any]) -> set[Told]:
    """Return the legal actions, each as its name and what it takes."""
    me = position["turn"]
    hand = [*position["hidden"][me], *position["table"][me]]
    match position["phase"]:
        case "lead":
            return {("play", card) for card in hand}
        case "follow":
            return {("play", card) for card in replies(position, hand)}
        case "declare":
            found = {("draw",), *sevens(position, hand)}
            streak = position["profile"] == "streak"
            for meld, cards in melds(hand, position["trump"], four_suits=streak):
                if scores_again(position, meld, cards):
                    told = (meld, *sorted(cards))
                    if not position["declared"]:
                        found.add(("declare", *told))
                    if not streak and told not in waiting(position, me):
                        found.add(("announce", *told))
            return found
    return set()


def replies(position: dict[str, Any], hand: list[str]) -> list[str]:
    """Return the cards that may follow the card led."""
    led, trump = position["led"], position["trump"]
    if position["stock"] or position["turn_up"]:
        return hand
    suit = [card for card in hand if card[1] == led[1]]
    above = [card for card in suit if ORDER.index(card[0]) > ORDER.index(led[0])]
    trumps = [card for card in hand if card[1] == trump]
    return above or suit or trumps or hand


def sevens(position: dict[str, Any], hand: list[str]) -> Iterator[Told]:
    """Yield what may be done with sevens of trumps."""
    turned = position["turn_up"]
    exchangeable = turned is not None and turned[0] != "7"
    for card in hand:
        if card[:2] != "7" + (position["trump"] or ""):
            continue
        fresh = card not in position["sevens"]
        if position["profile"] == "streak":
            if fresh:
                yield ("seven", card, str(exchangeable))
        else:
            if exchangeable:
                yield ("seven", card, "True")
            if fresh:
                yield ("seven", card, "False")


def melds(
    hand: list[str], trump: str, *, four_suits: bool
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield every meld that a hand holds, by the faces of its cards."""
    for king in hand:
        for queen in hand:
            if king[0] == "K" and queen[:2] == "Q" + king[1]:
                yield (
                    "royal-marriage" if king[1] == trump else "marriage",
                    (king, queen),
                )
            if king[:2] == "JD" and queen[:2] == "QS":
                yield "bezique", (king, queen)
    pairs = [card for card in hand if card[:2] in ("QS", "JD")]
    if len(pairs) == 4:
        yield "double-bezique", tuple(pairs)
    for rank, meld in POINTED.items():
        for four in combinations([card for card in hand if card[0] == rank], 4):
            if not four_suits or len({card[1] for card in four}) == 4:
                yield meld, four
    trumps = [card for card in hand if card[1] == trump and card[0] in "ATKQJ"]
    for five in combinations(trumps, 5):
        if {card[0] for card in five} == set("ATKQJ"):
            yield "sequence", five


def scores_again(position: dict[str, Any], meld: str, cards: tuple[str, ...]) -> bool:
    """Return whether none of the cards has served in an equal or higher meld of its class."""
    kind = COURT if meld in COURT else BEZIQUE if meld in BEZIQUE else (meld,)
    level = LEVELS.get(meld, 1)
    for before in position["scored"]:
        served = before["meld"] in kind and set(before["cards"]) & set(cards)
        if served and LEVELS.get(before["meld"], 1) >= level:
            return False
    hidden = position["hidden"][position["turn"]]
    return position["profile"] != "streak" or any(card in hidden for card in cards)


def waiting(position: dict[str, Any], me: str) -> set[Told]:
    """Return what a seat has announced and not scored."""
    return {
        (item["meld"], *sorted(item["cards"]))
        for item in position["pending"]
        if item["seat"] == me
    }
