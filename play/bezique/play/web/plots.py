"""Plots: statistics as pictures that need no script and no style of their own."""

from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from bezique.play.web.history import Played
from bezique.play.web.words import t

WIDE, HIGH, EDGE, BRIM = 480, 200, 52, 18
GOOD, BAD, QUIET, TEXT = "#46b880", "#e0685c", "#8fa79d", "#c9d9d1"
MOST = 100
"""How many matches a plot shows."""


def margins(played: Sequence[Played], lang: str) -> str:
    """Return the margin of each match played out as bars, up for won and down for lost."""
    values = [item.margin for item in played if not item.resigned][-MOST:]
    return _bars(values, t(lang, "Margin of each match"))


def score(played: Sequence[Played], lang: str) -> str:
    """Return how many matches in a row were won, match by match."""
    values: list[int] = []
    row = 0
    for item in played:
        if item.mode == "practice":
            continue
        row = row + 1 if item.winner == "me" else 0
        values.append(row)
    return _bars(values[-MOST:], t(lang, "Matches won in a row"))


def _bars(values: Sequence[int], title: str) -> str:
    top, low = max([*values, 0]), min([*values, 0])
    top = top or (0 if low else 1)
    height = (HIGH - 2 * BRIM) / (top - low)
    step = min((WIDE - EDGE) / max(len(values), 1), 36)  # few bars stay slender
    zero = BRIM + top * height
    parts = [
        f'<line x1="{EDGE}" y1="{zero:.1f}" x2="{WIDE}" y2="{zero:.1f}" stroke="{QUIET}"/>',
        _text(EDGE - 8, zero + 6, "0"),
    ]
    if top:
        parts.append(_text(EDGE - 8, BRIM + 6, str(top)))
    if low < 0:
        parts.append(_text(EDGE - 8, HIGH - BRIM + 6, f"\N{MINUS SIGN}{-low}"))
    for number, value in enumerate(values):
        x = EDGE + number * step + step * 0.1
        y = zero - max(value, 0) * height
        tall = max(abs(value) * height, 1)
        colour = GOOD if value > 0 else BAD if value < 0 else QUIET
        parts.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{step * 0.8:.1f}" height="{tall:.1f}" '
            f'fill="{colour}"><title>{number + 1}: {value:+d}</title></rect>'
        )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" role="img" '
        f"aria-label={quoteattr(title)}><title>{escape(title)}</title>{''.join(parts)}</svg>"
    )


def _text(x: float, y: float, text: str) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="end" font-family="sans-serif" '
        f'font-size="15" fill="{TEXT}">{escape(text)}</text>'
    )
