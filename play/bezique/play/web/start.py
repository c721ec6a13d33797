"""The start page: tables to choose, games to go on with."""

from bezique.engine.fields import Json
from bezique.engine.library import Library
from bezique.engine.rules import Rules
from bezique.play.web.desk import Desk
from bezique.play.web.table import option_label, value_text
from bezique.play.web.words import WebWords, t

SHOWN = 20


def profiles(library: Library, lang: str) -> list[Json]:
    """Return the tables, in the order of their documents."""
    found = []
    for name in sorted(library.names, key=lambda name: library.profile(name).source):
        rules = Rules(library.profile(name))
        words = WebWords(lang, rules)
        profile = rules.profile
        leveled = any(item.name == "level" for item in profile.series.shows)
        found.append(
            {"name": name, "title": words.title(), "differs": words.differs(),
             "source": profile.source, "by": profile.series.by, "levels": not leveled,
             "options": [_option(words, option.name) for option in profile.options]}
        )  # fmt: skip
    return found


def _option(words: WebWords, name: str) -> Json:
    option = next(o for o in words.rules.profile.options if o.name == name)
    values = None
    if option.values is not None:
        values = [
            {"value": str(value).lower(), "text": value_text(words, name, value),
             "default": value == option.default}
            for value in option.values
        ]  # fmt: skip
    return {
        "name": name, "label": option_label(words, name), "default": option.default,
        "min": option.min, "max": option.max, "values": values,
    }  # fmt: skip


async def games(desk: Desk, owner: str, lang: str) -> list[Json]:
    """Return a client's games, the latest first."""
    found = []
    for line in (await desk.games_of(owner))[:SHOWN]:
        async with desk.game(owner, line.game) as sitting:
            words = WebWords(lang, sitting.rules)
            position = sitting.now.position
            points = position.match_points if position else {}
            found.append(
                {"game": line.game, "url": f"/{lang}/games/{line.game}", "title": words.title(),
                 "mode": sitting.now.mode, "level": sitting.level, "match": sitting.now.match,
                 "hand": position.hand if position else 1,
                 "me": points.get(sitting.me, 0), "machine": points.get(sitting.other, 0),
                 "over": sitting.now.over is not None}
            )  # fmt: skip
    return found


def labels(lang: str) -> dict[str, str]:
    """Return the settings and their values in words."""
    return {
        "speed": t(lang, "Speed"),
        "speed slow": t(lang, "Slow"),
        "speed normal": t(lang, "Normal"),
        "speed fast": t(lang, "Fast"),
        "sort": t(lang, "Order of the hand"),
        "sort suit": t(lang, "By suit"),
        "sort rank": t(lang, "By rank"),
        "sort own": t(lang, "As drawn, or as I put them"),
        "deck": t(lang, "Colours"),
        "deck two": t(lang, "Two colours"),
        "deck four": t(lang, "Four colours"),
        "index": t(lang, "Size of the corners"),
        "index auto": t(lang, "Large on small screens"),
        "index normal": t(lang, "Usual"),
        "index large": t(lang, "Large"),
        "scheme": t(lang, "Light or dark"),
        "scheme system": t(lang, "As the system is"),
        "scheme light": t(lang, "Light"),
        "scheme dark": t(lang, "Dark"),
    }
