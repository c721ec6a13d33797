"""Faces: make the table's pictures of cards from Kennard's deck.

This is run by hand, once, when the pictures change; what it writes is committed, so that
neither an install nor a game needs it.  It reads the unpacked npm package and runs SVGO:

    npm pack @heruka_urgyen/react-playing-cards@0.5.0
    tar xzf heruka_urgyen-react-playing-cards-0.5.0.tgz
    npm install svgo@4
    python tools/build_faces.py package node_modules/.bin/svgo

Terms
    variant   a set of faces: `std` and `big` by their index, with `4` in four colours
    index     the rank and suit in a corner
    pip       a suit sign in the middle of a card

Source: https://www.me.uk/cards/ (Adrian Kennard, CC0), as packed by Ilya Malyanov.
"""

# ruff: noqa: INP001, S603  (a script beside the packages; it starts the SVGO it is given)

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

OUT = Path(__file__).parent.parent / "play/bezique/play/web/static/faces"
VARIANTS = {
    "std": "2color",
    "big": "2color-bf",
    "std4": "4color",
    "big4": "4color-bf",
}
SUITS = "SHDC"
RANKS = "AKQJT987"
INK, RED, BLUE, GREEN = "#15191d", "#c4122f", "#1558b8", "#0b7a4b"
GOLD, ROBE, IVORY, EDGE = "#f3b93f", "#2f4f9e", "#fffdf7", "#b9b29d"

# Plain colours of the package, and ours: softer on a dark table, each at least
# 4.5 : 1 against the card.
COLOURS = {
    '"red"': f'"{RED}"',
    '"black"': f'"{INK}"',
    '"blue"': f'"{BLUE}"',
    '"green"': f'"{GREEN}"',
    '"#FC4"': f'"{GOLD}"',
    '"#44F"': f'"{ROBE}"',
}
INDEX = {  # of the small index: half as large again, so that it reads at 52 pixels
    'height="32" x="-114.4" y="-156"': 'height="48" x="-121.6" y="-160"',
    'height="26.769" x="-111.784" y="-119"': 'height="38" x="-116.6" y="-110"',
}
PIP = re.compile(
    r'<use xlink:href="(#S[SHDC]A)" height="(70|40)" x="-[23][05]" y="-[23][05]"></use>'
)
SIGN = re.compile(r'<symbol id="(V\w+)"(.*?)stroke-width="80"', re.DOTALL)
SVGO = {
    "multipass": True,
    "floatPrecision": 1,
    "plugins": [{"name": "preset-default", "params": {"overrides": {}}}],
}


def drawn(source: str, variant: str) -> str:
    """Return a face in our colours, with the index its variant has."""
    text = re.sub(
        r' (?:height="3\.5in"|width="2\.5in"|face="\w+"|class="card")', "", source
    )
    edge = f'fill="{IVORY}" stroke="{EDGE}"></rect>'
    text = text.replace('fill="white" stroke="black"></rect>', edge, 1)
    for plain, ours in COLOURS.items():
        text = text.replace(plain, ours)
    if variant.startswith("std"):
        for small, larger in INDEX.items():
            text = text.replace(small, larger)
    text = SIGN.sub(r'<symbol overflow="visible" id="\1"\2stroke-width="104"', text)
    return PIP.sub(_rosette, text)


def _rosette(pip: re.Match[str]) -> str:
    """Return an ace's pip, larger, before a wreath of turned ellipses."""
    size = 96
    shrink = "" if pip[2] == "70" else ' transform="scale(.74)"'
    leaves = "".join(
        f'<ellipse rx="74" ry="25" transform="rotate({angle})"/>'
        for angle in range(0, 180, 12)
    )
    wreath = f'<g fill="none" stroke="{GOLD}" stroke-width="1.1">{leaves}<circle r="78" stroke-width="1.6"/></g>'
    disc = f'<circle r="50" fill="{IVORY}" stroke="{GOLD}" stroke-width="1.6"/>'
    half = size / 2
    use = f'<use xlink:href="{pip[1]}" height="{size}" x="-{half}" y="-{half}"></use>'
    return f"<g{shrink}>{wreath}{disc}{use}</g>"


def back() -> str:
    """Return the back of a card: crossed ribbons, and an oval with spade and diamond."""
    ribbons = (
        '<pattern id="p" width="24" height="24" patternUnits="userSpaceOnUse"'
        ' patternTransform="rotate(45)"><path fill="#7c1226" d="M0 0H24V24H0Z"/>'
        '<path d="M0 12H24M12 0V24" stroke="#a8283d" stroke-width="2"/>'
        '<circle cx="12" cy="12" r="3.4" fill="#e2b65a"/><g fill="#5d0c1c">'
        '<circle r="3"/><circle cx="24" r="3"/><circle cy="24" r="3"/>'
        '<circle cx="24" cy="24" r="3"/></g></pattern>'
    )
    spade = "M-15-34C-11-25 3-20 3-8A7 7 0 0 1-11-7.5C-11-2-9 2-7 5H-23C-21 2-19-2-19-7.5A7 7 0 0 1-33-8C-33-20-19-25-15-34Z"
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-120 -168 240 336">'
        f"<defs>{ribbons}</defs>"
        f'<rect x="-119.5" y="-167.5" width="239" height="335" rx="12" fill="{IVORY}" stroke="{EDGE}"/>'
        '<rect x="-107" y="-155" width="214" height="310" rx="7" fill="url(#p)" stroke="#e2b65a" stroke-width="3"/>'
        '<rect x="-99" y="-147" width="198" height="294" rx="4" fill="none" stroke="#e2b65a" stroke-width="1" opacity=".75"/>'
        '<ellipse rx="54" ry="66" fill="#5d0c1c" stroke="#e2b65a" stroke-width="3"/>'
        '<ellipse rx="46" ry="58" fill="none" stroke="#e2b65a"/>'
        f'<g transform="translate(0 -3)"><path d="{spade}" fill="#e2b65a"/>'
        '<path d="M15-2L31 19L15 40L-1 19Z" fill="#c4122f" stroke="#e2b65a" stroke-width="3"/></g></svg>'
    )


def icon() -> str:
    """Return the sign of the page: spade and diamond on the table's green."""
    spade = "M23 8C26 16 39 21 39 33A7.5 7.5 0 0 1 25 34.500C25 40 27 45 29 48H17C19 45 21 40 21 34.500A7.500 7.500 0 0 1 7 33C7 21 20 16 23 8Z"
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">'
        '<rect width="64" height="64" rx="14" fill="#113f33"/>'
        f'<path d="{spade}" fill="#fbf6e7"/>'
        '<path d="M45 22L58 39L45 56L32 39Z" fill="#e2455c" stroke="#113f33" stroke-width="3"/></svg>'
    )


def main() -> None:
    """Write all faces, the back and the icon, and make them small."""
    package, svgo = Path(sys.argv[1]), Path(sys.argv[2]).resolve()
    for variant, folder in VARIANTS.items():
        place = OUT / variant
        place.mkdir(parents=True, exist_ok=True)
        for face in (rank + suit for suit in SUITS for rank in RANKS):
            source = package / "src/images" / folder / f"{face}.svg"
            text = drawn(source.read_text(encoding="utf-8"), variant)
            (place / f"{face}.svg").write_text(text, encoding="utf-8")
    (OUT / "back.svg").write_text(back(), encoding="utf-8")
    (OUT.parent / "icon.svg").write_text(icon(), encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "svgo.config.mjs"
        config.write_text(f"export default {json.dumps(SVGO)}", encoding="utf-8")
        args = [svgo, "--config", config, "--recursive", "--quiet", "--folder", OUT]
        subprocess.run(args, check=True)


if __name__ == "__main__":
    main()
