"""A player at the web table: a browser without a screen, that posts what it is offered."""

import random
from collections.abc import Callable
from typing import Any

from starlette.testclient import TestClient

JSON = {"accept": "application/json"}
Table = dict[str, Any]
Choose = Callable[[Table], str]


def first_offered(table: Table) -> str:
    """Choose the first declaration, else the first card that may be played."""
    return offered(table)[0]


def at_random(seed: object) -> Choose:
    """Return a player who chooses by chance."""
    chance = random.Random(str(seed))
    return lambda table: chance.choice(offered(table))


def offered(table: Table) -> list[str]:
    """Return the moves that a table offers."""
    cards = [card["move"] for card in table["mine"]["cards"] if card["move"]]
    return [item["move"] for item in table["menu"]] + cards


class Player:
    """Plays one game.

    Args:
        client: A browser of one's own.
        profile: The table; further words are the fields of the form.
    """

    def __init__(
        self, client: TestClient, profile: str = "streak", **form: str
    ) -> None:
        self.client = client
        answer = client.post(
            "/es/games", data={"profile": profile, **form}, headers=JSON
        )
        assert answer.status_code == 200, answer.text
        self.table: Table = answer.json()
        self.text = answer.text

    @property
    def url(self) -> str:
        """Return where the game is."""
        return str(self.table["url"])

    def get(self, place: str = "") -> Any:  # noqa: ANN401
        """Return what an address of the game says."""
        answer = self.client.get(self.url + place, headers=JSON)
        assert answer.status_code == 200, (place, answer.text)
        return answer.json()

    def post(self, place: str, **form: object) -> Table:
        """Post to the game as it stands, and take the table that comes back."""
        data = {"seq": str(self.table["seq"]), **{k: str(v) for k, v in form.items()}}
        answer = self.client.post(f"{self.url}/{place}", data=data, headers=JSON)
        assert answer.status_code == 200, (place, form, answer.text)
        self.table, self.text = answer.json(), answer.text
        return self.table

    def step(self, choose: Choose = first_offered, depth: int | None = 20) -> Table:
        """Do the next thing, whatever it is."""
        match self.table["phase"]:
            case "dealer":
                return self.post("cut", depth=depth or 1)
            case "deal":
                return self.post("deal", depth=depth or "")
            case "over":
                return self.post("next")
        return self.post("moves", move=choose(self.table))

    def until(
        self, reached: Callable[[Table], bool], choose: Choose = first_offered
    ) -> Table:
        """Play until a table is as wanted."""
        for _ in range(2000):
            if reached(self.table):
                return self.table
            self.step(choose)
        message = "the table was never as wanted"
        raise AssertionError(message)

    def finish(self, choose: Choose = first_offered) -> Table:
        """Play to the end of the match."""
        return self.until(lambda table: bool(table["phase"] == "over"), choose)
