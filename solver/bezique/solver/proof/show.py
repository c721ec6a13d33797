"""Differences shown: as text, as JSON, and as a page with the cards drawn."""

from collections.abc import Iterator
from html import escape
from typing import Any

from bezique.engine.cards import Card
from bezique.engine.codec import action_json, position_json
from bezique.engine.position import Position
from bezique.engine.rules import Rules
from bezique.solver.proof.witness import Difference, Witness
from bezique.spec.words import card_name


def settled(one: Rules, two: Rules) -> list[str]:
    """Return what differs by itself: ranks, cards, hand, values, what melds score."""
    found: list[str] = []

    def unlike(what: str, first: object, second: object) -> None:
        if first != second:
            found.append(f"{what}: {first} | {second}")

    unlike("ranks", " ".join(one.profile.deck.ranks), " ".join(two.profile.deck.ranks))
    unlike("cards in the pack", len(one.pack), len(two.pack))
    unlike("cards in a hand", one.hand_size, two.hand_size)
    unlike("a card is turned up", one.turns_up, two.turns_up)
    unlike("the first dealer is found by", one.profile.series.by, two.profile.series.by)
    for name in dict.fromkeys((*one.values, *two.values)):
        unlike(f"value {name}", one.values.get(name, "-"), two.values.get(name, "-"))
    for name in dict.fromkeys((*one.points, *two.points)):
        unlike(
            f"meld {name} scores", one.points.get(name, "-"), two.points.get(name, "-")
        )
    for name in dict.fromkeys((*one.picked, *two.picked)):
        unlike(f"reading {name}", one.picked.get(name, "-"), two.picked.get(name, "-"))
    return found


def difference_json(difference: Difference) -> dict[str, Any]:
    """Return a difference as JSON, its witness as positions of the protocol."""
    found: dict[str, Any] = {
        "matter": difference.matter,
        "clause": difference.clause,
        "verdict": difference.verdict,
    }
    if difference.note:
        found["note"] = difference.note
    witness = difference.witness
    if witness is not None:
        found["witness"] = {
            "one": {"position": position_json(witness.one_position), "does": witness.one},
            "two": {"position": position_json(witness.two_position), "does": witness.two},
            "action": None if witness.action is None else action_json(witness.one_position.rules, witness.action),
            "cards": witness.cards,
        }  # fmt: skip
    return found


def difference_text(difference: Difference, one: str, two: str) -> str:
    """Return a difference in a few lines of words."""
    head = f"{difference.matter} {difference.clause}: {difference.verdict}"
    if difference.note:
        head += f" ({difference.note})"
    witness = difference.witness
    if witness is None:
        return head
    lines = [
        head,
        *(f"    {name:<12} {cards}" for name, cards in _zones(witness.one_position)),
    ]
    if witness.action is not None:
        lines.append(f"    {witness.one_position.turn} does: {witness.action}")
    return "\n".join([*lines, f"    {one}: {witness.one}", f"    {two}: {witness.two}"])


def _zones(position: Position) -> Iterator[tuple[str, str]]:
    """Yield what lies where in a small position, in words."""
    for name, cards in _rows(position):
        yield name, " ".join(card_name("en", str(card)) for card in cards)
    for part in position.rules.profile.state:
        value = position.state[part.name]
        if value and part.name != "declared":
            yield part.name, _said(value)
    if any(position.match_points.values()):
        yield (
            "points",
            ", ".join(
                f"{seat} {points}" for seat, points in position.match_points.items()
            ),
        )


def _rows(position: Position) -> Iterator[tuple[str, list[Card]]]:
    rules = position.rules
    for seat in rules.seats:
        for zone, cards in (
            ("", position.hidden[seat]),
            (" on table", position.table[seat]),
            (" won", position.won[seat]),
        ):
            if cards:
                yield seat + zone, rules.sort(cards)
    if position.trick:
        yield "led", list(position.trick)
    if position.turn_up is not None:
        yield "turned up", [position.turn_up]


def _said(value: object) -> str:
    if isinstance(value, frozenset | tuple):
        return ", ".join(sorted(map(str, value)))
    return str(value)


# --- a page ---------------------------------------------------------------------------------

_STYLE = """
:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{max-width:60rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.5rem} h2{font-size:1.1rem;margin:2rem 0 .3rem}
table{border-collapse:collapse;width:100%} td,th{text-align:left;padding:.25rem .6rem;border-bottom:1px solid #8884;vertical-align:top}
.cards{display:flex;flex-wrap:wrap;gap:.25rem}
.card{border:1px solid #8888;border-radius:.3rem;padding:.15rem .4rem;min-width:2.2rem;text-align:center;background:#fff;color:#111}
.card.red{color:#b00020} .verdict{font-weight:600}
@media print{body{margin:0}}
"""


def page(
    one: Rules, two: Rules, static: list[str], differences: list[Difference]
) -> str:
    """Return a page of its own, without scripts, that shows the differences with cards drawn."""
    names = escape(repr(one)), escape(repr(two))
    parts = [
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>",
        f"<title>{names[0]} and {names[1]}</title><style>{_STYLE}</style>",
        f"<main><h1>Where {names[0]} and {names[1]} part</h1>",
    ]
    if static:
        parts.append("<h2>By themselves</h2><table>")
        parts += [f"<tr><td>{escape(line)}</td></tr>" for line in static]
        parts.append("</table>")
    for difference in differences:
        parts.append(
            f"<h2>{escape(difference.clause)} <small>({escape(difference.matter)})</small></h2>"
        )
        if difference.witness is None:
            parts.append(
                f"<p class=verdict>{escape(difference.verdict)} {escape(difference.note)}</p>"
            )
        else:
            parts.append(_drawn(difference.witness, names))
    return "".join([*parts, "</main></html>\n"])


def _drawn(witness: Witness, names: tuple[str, str]) -> str:
    rows = [
        f"<tr><th scope=row>{escape(name)}</th><td><div class=cards>{''.join(map(_card, cards))}</div></td></tr>"
        for name, cards in _rows(witness.one_position)
    ]
    words = [
        (name, text)
        for name, text in _zones(witness.one_position)
        if name not in dict(_rows(witness.one_position))
    ]
    rows += [
        f"<tr><th scope=row>{escape(name)}</th><td>{escape(text)}</td></tr>"
        for name, text in words
    ]
    if witness.action is not None:
        rows.append(
            f"<tr><th scope=row>{escape(str(witness.one_position.turn))} does</th><td>{escape(str(witness.action))}</td></tr>"
        )
    rows += [
        f"<tr><th scope=row>{name}</th><td class=verdict>{escape(text)}</td></tr>"
        for name, text in zip(names, (witness.one, witness.two), strict=True)
    ]
    return f"<table>{''.join(rows)}</table>"


def _card(card: Card) -> str:
    text = card_name("en", str(card))
    red = " red" if any(sign in text for sign in "♥♦") else ""
    return f"<span class='card{red}'>{escape(text)}</span>"
