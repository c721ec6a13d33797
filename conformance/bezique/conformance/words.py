"""Words: the short forms of case files, turned into the protocol's JSON.

    card     `KS` for `KS1`; `KS2` for the second king of spades; `??` for a hidden one
    meld     `south marriage KS QS`
    action   `play KS`, `declare marriage KS QS`, `announce …`, `seven 7D`, `exchange 7D`,
             `claim`, `draw`, `ruling too-few-cards north`, `deal south … north … turn_up … stock …`
    step     an action, then perhaps `=>` and what it brings; `;` joins several:
             `south 40 royal-marriage, north 10 seven`, or `refused declare/reuse`, or `error bad-request`

A deal is filled up: hands with low cards to their size, the rest of the pack to the stock.
`deal only …` is not.
"""

from dataclasses import dataclass
from typing import Any

from bezique.engine.rules import Rules

Json = dict[str, Any]


FACE = 2
"""The letters of a card without its copy: rank and suit."""


class CaseError(ValueError):
    """A case that cannot be read: what was expected, what was got."""

    def __init__(self, got: str, *, expected: str) -> None:
        self.expected, self.got = expected, got
        super().__init__(f"expected {expected}, got {got!r}")


@dataclass(frozen=True, slots=True)
class Step:
    """An action and what it brings: points, or the clause or code of a refusal."""

    action: Json
    text: str
    points: tuple[str, ...] = ()
    refused: str | None = None
    error: str | None = None


def card(text: str) -> str:
    """Return a card's full name; the first copy need not be named.

    >>> card("KS"), card("KS2"), card("??")
    ('KS1', 'KS2', '??')
    """
    if text == "??":
        return text
    if len(text) not in (FACE, FACE + 1):
        raise CaseError(text, expected="a card such as KS or KS2")
    return f"{text}1" if len(text) == FACE else text


def cards(text: str) -> list[str]:
    """Return the cards of a text, in its order."""
    return [card(word) for word in text.split()]


def melded(text: str) -> Json:
    """Return a meld of a seat.

    >>> melded("south marriage KS QS")
    {'seat': 'south', 'meld': 'marriage', 'cards': ['KS1', 'QS1']}
    """
    seat, meld, rest = text.split(maxsplit=2)
    return {"seat": seat, "meld": meld, "cards": cards(rest)}


def action(text: str, rules: Rules) -> Json:
    """Return the action that a text says."""
    name, *rest = text.split()
    match name:
        case "play":
            return {"do": "play", "card": card(" ".join(rest))}
        case "declare" | "announce":
            return {
                "do": name,
                "meld": rest[0],
                "cards": [card(word) for word in rest[1:]],
            }
        case "seven" | "exchange":
            written = {"do": "seven", "card": card(" ".join(rest))}
            return {**written, "exchange": name == "exchange"}
        case "claim" | "draw":
            return {"do": name}
        case "ruling":
            irregularity, seat = rest
            return {"do": name, "irregularity": irregularity, "seat": seat}
        case "deal":
            return _deal(rest, rules)
    raise CaseError(text, expected="an action")


def said(written: Json) -> str:
    """Return an action in the short words of a case.

    >>> said({"do": "seven", "card": "7D1", "exchange": True})
    'exchange 7D'
    """
    name = written["do"]
    if name == "seven" and written.get("exchange"):
        name = "exchange"
    named = [written[key] for key in ("meld", "irregularity", "seat") if key in written]
    cards_of = written.get("cards") or [
        written[key] for key in ("card",) if key in written
    ]
    return " ".join([name, *named, *(item.removesuffix("1") for item in cards_of)])


def steps(texts: tuple[str, ...], rules: Rules) -> tuple[Step, ...]:
    """Return the steps that texts say, those joined by `;` apart."""
    parts = [part.partition("=>") for text in texts for part in text.split(";")]
    return tuple(
        _step(done.strip(), brought.strip(), rules) for done, _, brought in parts
    )


def fits(written: Json, text: str, rules: Rules) -> bool:
    """Return whether a legal action is the one a text says, or one that it says in part."""
    wanted = pattern(text, rules)
    return same({name: written.get(name) for name in wanted}, wanted)


def pattern(text: str, rules: Rules) -> Json:
    """Return the members of an action that a text says; one cut short says but some.

    `declare` and `declare marriage` leave the cards open, `play`, `seven` and `exchange` the card.
    """
    words = text.split()
    if words[0] in ("declare", "announce") and not any(map(_is_card, words[1:])):
        meld = {"meld": words[1]} if words[1:] else {}
        return {"do": words[0], **meld}
    if words == ["play"]:
        return {"do": "play"}
    if words in (["seven"], ["exchange"]):
        return {"do": "seven", "exchange": words == ["exchange"]}
    return action(text, rules)


def same(one: Json, two: Json) -> bool:
    """Return whether two actions are equal; the order of their cards means nothing."""
    return {**one, "cards": sorted(one.get("cards") or ())} == {
        **two,
        "cards": sorted(two.get("cards") or ()),
    }


def fillers(rules: Rules, trump: str | None) -> list[str]:
    """Return the pack with the dullest cards first: eights and nines, plain sevens, then the others upwards.

    Copies from the last: cases speak of the first copies.
    """
    dull = [rank for rank in ("8", "9", "7") if rank in rules.profile.deck.ranks]
    others = [rank for rank in reversed(rules.profile.deck.ranks) if rank not in dull]
    suits = [suit for suit in rules.profile.deck.suits if suit != trump]
    copies = sorted({item.copy for item in rules.pack}, reverse=True)
    plain = [
        f"{rank}{suit}{copy}"
        for rank in (*dull, *others)
        for copy in copies
        for suit in suits
    ]
    trumps = [f"{rank}{trump}{copy}" for rank in (*dull, *others) for copy in copies]
    return [*plain, *(trumps if trump else [])]


def _is_card(word: str) -> bool:
    return word.isupper()


def _step(text: str, brought: str, rules: Rules) -> Step:
    if brought.startswith(("refused", "error")):
        word, _, which = brought.partition(" ")
        refusal = {"refused": which} if word == "refused" else {"error": which}
        return Step(action(text, rules), text, (), **refusal)
    points = tuple(part.strip() for part in brought.split(",")) if brought else ()
    return Step(action(text, rules), text, points)


def _deal(words: list[str], rules: Rules) -> Json:
    whole = words[:1] != ["only"]
    named: dict[str, list[str]] = {}
    place = ""
    for word in words if whole else words[1:]:
        if word in ("south", "north", "turn_up", "stock"):
            place = word
            named[place] = []
        elif word != "none":
            named[place].append(card(word))
    turned = named.get("turn_up", [])
    if whole:
        used = {item for group in named.values() for item in group}
        rest = [
            item
            for item in fillers(rules, turned[0][1] if turned else None)
            if item not in used
        ]
        for seat in ("south", "north"):
            hand = named.setdefault(seat, [])
            while len(hand) < rules.hand_size:
                hand.append(rest.pop(0))
        if "turn_up" not in named and rules.turns_up:
            turned = [rest.pop(0)]
        named["stock"] = [*named.get("stock", []), *rest]
    return {
        "do": "deal",
        "south": named.get("south", []),
        "north": named.get("north", []),
        "turn_up": turned[0] if turned else None,
        "stock": named.get("stock", []),
    }
