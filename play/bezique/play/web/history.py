"""History: matches that are over, and what they come to per table and level."""

from collections import defaultdict
from dataclasses import dataclass

from bezique.engine.fields import Json
from bezique.engine.position import DRAW
from bezique.play.web.desk import Desk
from bezique.play.web.words import WebWords, t

SHOWN = 200


@dataclass(frozen=True, slots=True)
class Played:
    """A match that is over, as the player remembers it."""

    game: str
    match: int
    profile: str
    title: str
    level: int
    mode: str
    me: int
    machine: int
    winner: str
    at: str
    hands: int
    resigned: bool = False

    @property
    def margin(self) -> int:
        """Return the player's points less the machine's."""
        return self.me - self.machine


async def matches(desk: Desk, owner: str, lang: str) -> list[Played]:
    """Return a client's finished matches, the oldest first."""
    found = []
    for line in await desk.games_of(owner):
        async with desk.game(owner, line.game) as sitting:
            over = [
                *sitting.now.earlier,
                *([sitting.now.over] if sitting.now.over else []),
            ]
            times = await desk.times(line.game, [item.seq for item in over])
            title = WebWords(lang, sitting.rules).title()
            for item in over:
                points = item.points
                winner = (
                    "draw"
                    if item.winner == DRAW
                    else "me"
                    if item.winner == sitting.me
                    else "machine"
                )
                hands = sum(act.name == "deal" for act in item.record.actions)
                found.append(
                    Played(line.game, item.match, sitting.rules.profile.name, title, item.level,
                           sitting.now.mode, points[sitting.me], points[sitting.other], winner,
                           times.get(item.seq, line.at), hands, item.resigned is not None)
                )  # fmt: skip
    return sorted(found, key=lambda item: (item.at, item.game, item.match))


def summary(played: list[Played], lang: str) -> Json:
    """Return matches and statistics, for page and program."""
    by_profile: dict[str, list[Played]] = defaultdict(list)
    for item in played:
        by_profile[item.profile].append(item)
    return {
        "profiles": [
            {"profile": name, "title": items[0].title, "levels": list(_levels(items)),
             "plots": [
                 {"name": plot, "title": _plot_title(plot, lang), "url": f"/{lang}/plots/{name}/{plot}.svg"}
                 for plot in _plots(items)
             ],
             "note": None if "score" in _plots(items)
             else t(lang, "Matches won in a row are counted in earnest only; here there has been practice alone.")}
            for name, items in by_profile.items()
        ],
        "matches": [
            {"game": i.game, "match": i.match, "profile": i.profile, "title": i.title, "level": i.level,
             "mode": i.mode, "me": i.me, "machine": i.machine, "winner": i.winner, "resigned": i.resigned, "at": i.at,
             "review": f"/{lang}/games/{i.game}/review/{i.match}/1"}
            for i in reversed(played[-SHOWN:])
        ],
    }  # fmt: skip


def _levels(items: list[Played]) -> list[Json]:
    by_level: dict[int, list[Played]] = defaultdict(list)
    for item in items:
        if item.mode != "practice":
            by_level[item.level].append(item)
    found = []
    for level, group in sorted(by_level.items()):
        margins = [item.margin for item in group if not item.resigned]
        count = {
            who: sum(i.winner == who for i in group)
            for who in ("me", "machine", "draw")
        }
        found.append(
            {"level": level, "played": len(group), "won": count["me"], "lost": count["machine"],
             "resigned": sum(i.resigned for i in group),
             "drawn": count["draw"], "mean_margin": round(sum(margins) / len(margins), 1) if margins else None,
             "best_margin": max(margins, default=None)}
        )  # fmt: skip
    return found


def _plots(items: list[Played]) -> list[str]:
    """Return the plots that would show something."""
    played = any(not item.resigned for item in items)
    counted = any(item.mode != "practice" for item in items)
    return ["margins"] * played + ["score"] * counted


def _plot_title(plot: str, lang: str) -> str:
    return {
        "margins": t(lang, "Margin of each match"),
        "score": t(lang, "Matches won in a row"),
    }[plot]
