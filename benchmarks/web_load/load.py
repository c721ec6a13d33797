"""Load: many games at once against a running web table, and how long a move takes.

    bezique serve --port 8100 --database sqlite:////tmp/load.db --rate 10000 &
    python benchmarks/web_load/load.py http://127.0.0.1:8100 --games 200 --seconds 60

Every player is a client of its own with its own cookie, waits one to two seconds between
moves, plays by chance against level 2, and checks each answer: the number of the table has
grown, the card played has left the hand, points never fall.  Printed are the number of
moves, the percentiles of a move from the post to the last byte of the answer, which holds
the opponent's reply, and the number of wrong answers.  It needs the dependency group `test`.
"""

import argparse
import asyncio
import random
import ssl
import sys
import time
from typing import Any

import httpx2

Table = dict[str, Any]
HEADERS = {"Accept": "application/json"}
LIMIT = 0.2
OK = 200
PATIENCE = 30
SECURE = ssl.create_default_context()  # made once: it takes longer than a move


class Player:
    """One player with one game."""

    def __init__(self, base: str, number: int, profile: str) -> None:
        self.base, self.profile = base, profile
        self.chance = random.Random(number)
        self.table: Table = {}
        self.times: list[tuple[float, float]] = []  # when, and how long
        self.wrong: list[str] = []

    async def post(
        self, client: httpx2.AsyncClient, place: str, form: dict[str, Any]
    ) -> Table:
        """Post, and return the table."""
        answer = await client.post(f"{self.base}{place}", data=form)
        table: Table = answer.json()
        if answer.status_code != OK:
            self.wrong.append(f"{place}: {answer.status_code} {table}")
        return table

    async def play(self, until: float) -> None:
        """Play until it is time to stop."""
        async with httpx2.AsyncClient(
            headers=HEADERS, timeout=PATIENCE, verify=SECURE
        ) as client:
            await asyncio.sleep(self.chance.uniform(0, 3))
            form = {"profile": self.profile, "mode": "practice", "level": "2"}
            self.table = await self.post(client, "/es/games", form)
            while time.monotonic() < until and not self.wrong:  # a wrong table ends it
                await asyncio.sleep(self.chance.uniform(1, 2))
                place, form = self.choose()
                begun = time.perf_counter()
                table = await self.post(client, f"{self.table['url']}/{place}", form)
                if place == "moves":
                    self.times.append((time.monotonic(), time.perf_counter() - begun))
                if not self.wrong:
                    self.check(table, form)
                    self.table = table

    def choose(self) -> tuple[str, dict[str, str]]:
        """Return what to do next."""
        form = {"seq": str(self.table["seq"])}
        match self.table["phase"]:
            case "dealer":
                return "cut", form | {"depth": "20"}
            case "deal":
                return "deal", form | {"depth": ""}
            case "over":
                return "next", form
        cards = [card["move"] for card in self.table["mine"]["cards"] if card["move"]]
        moves = [item["move"] for item in self.table["menu"]] + cards
        return "moves", form | {"move": self.chance.choice(moves)}

    def check(self, table: Table, form: dict[str, str]) -> None:
        """Note what cannot be."""
        before = self.table
        if table["seq"] <= before["seq"]:
            self.wrong.append("the table has not gone on")
        same = (table["match"], table["hand"]) == (before["match"], before["hand"])
        card = form.get("move", "").removeprefix("play:")
        held = {item["id"] for item in table["mine"]["cards"]}
        if same and form.get("move", "").startswith("play:") and card in held:
            self.wrong.append(f"{card} was played and is still held")
        for who in ("me", "machine"):
            if same and table["scores"][who]["match"] < before["scores"][who]["match"]:
                self.wrong.append(f"points of {who} fell")


async def run(base: str, games: int, seconds: float, warm: float, profile: str) -> int:
    """Play, print what it came to, and return the exit code."""
    begun = time.monotonic() + warm
    until = begun + seconds
    players = [Player(base, number, profile) for number in range(games)]
    await asyncio.gather(*(player.play(until) for player in players))
    times = sorted(t for player in players for at, t in player.times if at > begun)
    wrong = [text for player in players for text in player.wrong]
    at = {
        p: times[min(int(len(times) * p / 100), len(times) - 1)] * 1000
        for p in (50, 90, 99, 100)
    }
    print(f"{games} games, {len(times)} moves in {seconds:.0f} s")
    print("  ".join(f"p{p} {value:.0f} ms" for p, value in at.items()))
    print(f"{len(wrong)} wrong answers", *wrong[:5], sep="\n  ")
    return 1 if wrong or at[99] > LIMIT * 1000 else 0


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Many games at once at a web table.")
    parser.add_argument("base")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--warm", type=float, default=10, help="seconds not counted")
    parser.add_argument("--profile", default="streak")
    given = parser.parse_args()
    return asyncio.run(
        run(
            given.base.rstrip("/"),
            given.games,
            given.seconds,
            given.warm,
            given.profile,
        )
    )


if __name__ == "__main__":
    sys.exit(main())
