"""The table: what a player is shown, held to the documents."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from bezique.engine.frozen import FrozenDict
from bezique.engine.library import Library
from bezique.play.web.sitting import Entry
from tests.play.web.conftest import Browser
from tests.play.web.player import Player, Table, at_random, offered
from tests.tables import telling


def shown(table: Table) -> dict[str, str]:
    """Return the numbers of the series."""
    return {item["name"]: item["value"] for item in table["shown"]}


def draw_without(table: Table) -> str:
    """Choose to draw without declaring or announcing more; else what is offered first."""
    draws = [item["move"] for item in table["menu"] if item["kind"] == "draw"]
    return draws[0] if draws else offered(table)[0]


def playing(trick: int) -> Callable[[Table], bool]:
    """Return whether a card is to be played to a trick of that number, or a later one."""
    return lambda t: t["phase"] in ("lead", "follow") and t["trick_number"] >= trick


def texts(table: Table, code: str) -> list[str]:
    """Return what the log says of a code."""
    return [item["text"] for item in table["log"] if item["code"] == code]


# --- the game of D0 --------------------------------------------------------------------------


def test_streak_begins_with_nothing(client: TestClient) -> None:
    """D0.01-04: streak 0, best a dash; D0.30: level 1."""
    table = Player(client).table

    assert table["wins"] == 0
    assert shown(table) == {"level": "1", "score": "0.0000", "best": "–"}  # noqa: RUF001
    assert table["level"] == 1


def test_machine_deals_the_first_match_and_the_player_leads(client: TestClient) -> None:
    """D0.14, D0.16: eight cards each, the next turned up; 47 and the turned one are left."""
    player = Player(client)
    assert player.table["dealer"] == "machine"
    assert player.table["dealer_text"] == "Da la máquina."

    table = player.step()

    assert (table["phase"], table["turn"]) == ("lead", "me")
    assert len(table["mine"]["cards"]) == table["other"]["hidden"] == 8
    assert table["trump"]["suit"] == table["turn_up"]["suit"]
    assert table["stock"] == {"open": True, "count": 48}


def test_count_of_the_stock_fits_the_trick(client: TestClient) -> None:
    """Two cards a trick: 48 before the first, 0 in the last eight (D0.19, D0.26)."""
    player = Player(client)
    player.step()
    seen = set()
    while player.table["strict_left"] is None:
        if player.table["phase"] == "lead":
            seen.add((player.table["trick_number"], player.table["stock"]["count"]))
        player.step()

    assert seen
    assert all(count == 48 - 2 * (trick - 1) for trick, count in seen)
    assert player.table["stock"] == {"open": False, "count": 0}
    assert player.table["strict_left"] == {"trick": 1, "of": 8}
    assert player.table["mine"]["table"] == player.table["other"]["table"] == []


def test_any_card_may_be_played_while_there_is_a_stock(client: TestClient) -> None:
    """D0.17; the line above the hand says so."""
    player = Player(client)
    player.until(lambda table: table["phase"] == "follow")

    cards = player.table["mine"]["cards"]

    assert all(card["playable"] and card["reason"] is None for card in cards)
    assert player.table["line"]["text"]


def test_last_tricks_darken_what_may_not_be_played_and_say_why(
    client: TestClient,
) -> None:
    """D0.09, D0.26: follow and beat, else follow, else trump, else any."""
    player = Player(client)
    seen = 0
    for _ in range(200):
        table = player.step()
        if table["phase"] == "follow" and table["strict_left"]:
            (led,) = table["trick"]
            cards = table["mine"]["cards"]
            assert {c["id"] for c in cards if c["playable"]} == binding(
                cards, led, table["trump"]["suit"]
            )
            assert all(
                c["playable"] or (c["reason"] and c["move"] is None) for c in cards
            )
            seen += 1
        if seen == 4:
            return
    message = "no strict tricks were met"
    raise AssertionError(message)


def binding(cards: list[Table], led: Table, trump: str) -> set[str]:
    """Return the cards that D0.26 lets a player follow with."""
    order = "ATKQJ987"
    suit = [c for c in cards if c["suit"] == led["suit"]]
    beating = [c for c in suit if order.index(c["rank"]) < order.index(led["rank"])]
    trumps = [c for c in cards if c["suit"] == trump]
    return {c["id"] for c in beating or suit or trumps or cards}


def test_panel_shows_what_may_be_declared_and_the_way_on(client: TestClient) -> None:
    """D0.08: with cards and points, and one entry to draw without."""
    player = Player(client)
    player.until(lambda table: len(table["menu"]) > 1)

    menu = player.table["menu"]

    assert [item["pass"] for item in menu] == [False] * (len(menu) - 1) + [True]
    assert menu[-1]["title"] == "Sin combinación — robar"
    points = {"marriage": 20, "royal-marriage": 40, "bezique": 40, "seven": 10}
    for item in menu[:-1]:
        name = item["move"].split(":")[1] if item["kind"] == "declare" else item["kind"]
        assert item["points"] == points.get(name, item["points"]) > 0
        assert item["cards"]
    assert player.table["line"]["text"].startswith("Has ganado")


def test_turn_without_a_choice_passes(client: TestClient) -> None:
    """Who has nothing to declare is not asked to draw."""
    player = Player(client)
    for _ in range(80):
        assert [item["pass"] for item in player.table["menu"]] != [True]
        player.step()


def test_declared_cards_lie_on_the_table_and_can_be_played(client: TestClient) -> None:
    """D0.22."""
    player = Player(client)
    player.until(lambda t: t["mine"]["table"] and t["phase"] in ("lead", "follow"))

    table = player.table
    laid = {card["id"] for card in table["mine"]["table"]}
    there = {card["id"] for card in table["mine"]["cards"] if card["place"] == "table"}

    assert laid == there
    assert all(
        card["playable"] for card in table["mine"]["cards"] if card["id"] in laid
    )


def test_match_is_decided_as_the_document_says(client: TestClient) -> None:
    """D0.27-29: 400 and ahead after one hand, else the higher total of two."""
    player = Player(client)
    table = player.finish()

    points = {who: table["scores"][who]["match"] for who in ("me", "machine")}
    results = table["results"]
    first = results[0]
    early = (
        max(first["me"], first["machine"]) >= 400 and first["me"] != first["machine"]
    )
    assert len(results) == (1 if early else 2)
    assert points == {who: sum(r[who] for r in results) for who in points}
    ahead = (
        "draw"
        if points["me"] == points["machine"]
        else max(points, key=points.__getitem__)
    )
    assert table["result"]["winner"] == ahead
    assert table["result"]["margin"] == abs(points["me"] - points["machine"])
    assert table["finished"]["me"] == results[-1]["me"]
    assert sum(row["me"] for row in table["finished"]["rows"]) == results[-1]["me"]


@pytest.mark.long
def test_first_dealer_alternates_from_match_to_match(client: TestClient) -> None:
    """D0.16: the machine, the player, the machine."""
    player = Player(client)
    dealers = []
    for _ in range(3):
        dealers.append(player.table["dealer"])
        player.finish()
        player.step()

    assert dealers == ["machine", "me", "machine"]


@pytest.mark.long
def test_win_raises_the_level_and_counts_its_margin(browser: Browser) -> None:
    """D0.30-31: 1 + wins, four decimals of margins; the first win of some browser."""
    for seed in range(30):
        player = Player(browser())
        table = player.finish(careful(seed))
        if table["result"]["winner"] == "me":
            break
    else:
        message = "nobody won"
        raise AssertionError(message)

    after = {item["name"]: item["value"] for item in table["result"]["shown"]}
    margin = table["result"]["margin"]
    player.step()

    assert after == {
        "level": "2",
        "score": f"1.{margin:04d}",
        "best": f"1.{margin:04d}",
    }
    assert player.table["level"] == 2
    assert player.table["wins"] == 1


def careful(seed: int):  # type: ignore[no-untyped-def]  # noqa: ANN201
    """Return a player who declares the dearest and else plays by chance."""
    choose = at_random(seed)
    return lambda table: table["menu"][0]["move"] if table["menu"] else choose(table)


@pytest.mark.long
def test_loss_ends_the_streak(client: TestClient) -> None:
    """D0.30: level 1 again, score 0."""
    player = Player(client)
    for _ in range(12):
        table = player.finish(at_random(5))
        after = {item["name"]: item["value"] for item in table["result"]["shown"]}
        if table["result"]["winner"] != "me":
            assert (after["level"], after["score"]) == ("1", "0.0000")
            return
        player.step()
    message = "chance never lost"
    raise AssertionError(message)


# --- giving up ---------------------------------------------------------------------------------


def test_match_that_is_given_up_ends_the_streak(
    app: FastAPI, client: TestClient
) -> None:
    """It is lost (D0.30): level 1, score 0, the best as it was; the log has an entry of its own."""
    player = Player(client)
    game = player.url.rsplit("/", 1)[1]
    sitting = app.state.desk._held[game].sitting
    won = {"matches": 3, "wins": 3, "margins": 870, "best": 30870}
    sitting.now.series = replace(sitting.now.series, numbers=FrozenDict(won))
    before = {item["name"]: item["value"] for item in player.get()["shown"]}
    assert before == {"level": "4", "score": "3.0870", "best": "3.0870"}  # D0.31
    assert player.table["resign"] is False  # nothing is dealt yet
    player.until(playing(4))
    assert player.table["resign"] is True

    table = player.post("resign")

    assert table["phase"] == "over"
    assert (table["result"]["winner"], table["result"]["resigned"]) == ("machine", True)
    after = {item["name"]: item["value"] for item in table["result"]["shown"]}
    assert after == {"level": "1", "score": "0.0000", "best": "3.0870"}
    assert table["wins"] == 0
    assert table["resign"] is False
    assert app.state.desk.store.entries(game)[-1] == Entry("resign", {"seat": "south"})
    assert texts(table, "resign") == ["Abandonas la partida."]
    player.step()
    assert player.table["match"] == 2
    assert (
        player.table["dealer"] == "machine"
    )  # after four matches, as after none (D0.16)


def test_match_can_be_given_up_between_its_hands(client: TestClient) -> None:
    """The hand that is over keeps its sheet."""
    player = Player(client, "luso", level="1")
    player.until(lambda table: table["phase"] == "deal" and table["hand"] == 2)
    sheet = player.table["finished"]

    table = player.post("resign")

    assert table["result"]["winner"] == "machine"
    assert {**table["finished"], "review": ""} == {**sheet, "review": ""}


def test_match_in_practice_that_was_given_up_can_be_taken_back(
    client: TestClient,
) -> None:
    """As any other choice of the player's."""
    player = Player(client, "cady", mode="practice", level="1")
    player.until(playing(2))
    before = player.table["mine"]["cards"]
    player.post("resign")

    table = player.post("undo")

    assert table["phase"] in ("lead", "follow")
    assert table["mine"]["cards"] == before
    assert table["resign"] is True


@pytest.mark.parametrize("profile", Library().names)
def test_match_of_every_table_can_be_given_up(client: TestClient, profile: str) -> None:
    """The match after it begins as after any other."""
    player = Player(client, profile, level="1")
    player.until(lambda table: table["phase"] in ("lead", "follow"))

    assert player.post("resign")["result"]["winner"] == "machine"
    player.step()
    assert player.table["match"] == 2


# --- the log -----------------------------------------------------------------------------------


def test_trick_is_said_with_a_pause_between_its_cards(client: TestClient) -> None:
    """A screen reader gets whole names, parted by a comma."""
    player = Player(client)
    player.until(lambda table: table["trick_number"] == 1 and table["turn"] == "me")

    player.step()
    player.until(lambda table: bool(table["last_trick"]))

    first, second = (card["name"] for card in player.table["last_trick"]["cards"])
    assert f"{first}, {second}." in player.table["said"]


def test_last_trick_is_told_of_its_own_hand(client: TestClient) -> None:
    """So are its points and the brisques: hand 1, trick 32, though hand 2 is to be dealt."""
    player = Player(client, "cady", level="1")
    player.until(lambda table: table["phase"] == "deal" and table["hand"] == 2)

    log = player.table["log"]
    last = [item for item in log if item["n"] == log[-1]["n"]]

    assert {item["hand"] for item in log} == {1}
    assert {"play", "trick", "points", "hand-over"} <= {item["code"] for item in last}
    assert {item["trick"] for item in last} == {32}


def test_declaration_is_told_of_the_trick_that_was_won(client: TestClient) -> None:
    """And the next card of the trick after it."""
    player = Player(client)
    player.until(lambda t: any(item["kind"] == "declare" for item in t["menu"]))
    number = player.table["trick_number"]
    declare = next(i for i in player.table["menu"] if i["kind"] == "declare")
    player.post("moves", move=declare["move"])
    player.until(lambda table: table["phase"] in ("lead", "follow"))

    told = {i["code"]: i["trick"] for i in player.table["log"] if i["by"] == "me"}

    assert told["declare"] == number
    assert player.table["trick_number"] == number + 1


# --- other tables ----------------------------------------------------------------------------


def test_announcement_waits_and_is_warned_of(client: TestClient) -> None:
    """D2.34-36: announced melds wait; who plays one of their cards is told first."""
    player = Player(client, "cady", level="1")
    # Not with the last cards of the stock: what waits then is lost at once (D2.37).
    player.until(
        lambda t: (
            any(item["kind"] == "announce" for item in t["menu"])
            and t["stock"]["count"] > 4
        )
    )
    announce = next(item for item in player.table["menu"] if item["kind"] == "announce")
    assert announce["waits"]

    player.post("moves", move=announce["move"])
    player.until(lambda t: t["phase"] in ("lead", "follow"), draw_without)

    waiting = player.table["mine"]["pending"]
    ids = {card["id"] for card in announce["cards"]}
    assert [{c["id"] for c in item["cards"]} for item in waiting] == [ids]
    losing = {c["id"] for c in player.table["mine"]["cards"] if c["losing"]}
    assert losing == ids & {c["id"] for c in player.table["mine"]["cards"]}
    assert all(c["warning"] for c in player.table["mine"]["cards"] if c["id"] in losing)
    html = client.get(player.url, headers={"accept": "text/html"}).text
    mine = html[html.index('id="me"') : html.index('id="hand"')]
    assert f"en espera: {waiting[0]['title']} {waiting[0]['points']}" in mine


def test_table_that_shows_no_count_hides_it(client: TestClient) -> None:
    """D3.36: no counter, and tricks won may not be looked at."""
    player = Player(client, "boussac", level="1")
    player.step()
    player.until(lambda t: t["phase"] in ("lead", "follow") and t["trick_number"] > 2)

    table = player.table

    assert table["stock"] == {"open": True, "count": None}
    assert table["scores"]["me"]["brisques"] is None
    assert table["last_trick"] is None or table["last_trick"]["fresh"]


def test_match_can_be_claimed(client: TestClient) -> None:
    """D3.48-50: with a target of one point, after a trick won."""
    player = Player(client, "boussac", level="1", **{"option.target": "1"})

    player.until(
        lambda t: any(item["kind"] == "claim" for item in t["menu"]), careful(3)
    )
    claim = next(item for item in player.table["menu"] if item["kind"] == "claim")
    assert claim["pass"] is False
    table = player.post("moves", move=claim["move"])

    assert table["phase"] == "over"
    assert table["result"]["winner"] == "me"


@pytest.mark.parametrize(
    "profile", telling(["luso-blind", "luso-four-pack"], ["luso-blind"])
)
def test_table_without_a_turned_card_begins_without_trumps(
    client: TestClient, profile: str
) -> None:
    """D4.32: the first marriage makes them."""
    player = Player(client, profile, level="1")
    player.until(lambda table: table["phase"] in ("lead", "follow"))
    assert player.table["turn_up"] is None
    assert player.table["trump"] is None

    player.until(lambda table: table["trump"] is not None, careful(2))

    assert texts(player.table, "trump")


def test_four_packs_have_128_cards(client: TestClient) -> None:
    """D4.34-36: nine cards each, 110 are left."""
    player = Player(client, "luso-four-pack", level="1")
    assert player.table["cut"] == {"from": 1, "to": 127}
    player.until(
        lambda table: table["phase"] in ("lead", "follow") and not table["last_trick"]
    )

    assert len(player.table["mine"]["cards"]) == 9
    assert player.table["stock"]["count"] == 110


def test_seven_is_exchanged_or_shown_as_the_table_says(client: TestClient) -> None:
    """D2.48: either way where both are possible."""
    player = Player(client, "cady", level="1")
    player.until(
        lambda t: {"seven:yes", "seven:no"} <= {"seven:" + m["move"].rsplit(":", 1)[1] for m in t["menu"] if m["kind"] == "seven"},
        lambda t: next((m for m in offered(t) if ":7" not in m), offered(t)[0]),
    )  # fmt: skip

    sevens = [item for item in player.table["menu"] if item["kind"] == "seven"]

    assert {item["points"] for item in sevens} == {10}
    assert len({item["title"] for item in sevens}) == 2


def test_level_of_other_tables_is_the_players_choice(client: TestClient) -> None:
    """One series for each level at a table."""
    first, second = Player(client, "luso", level="4"), Player(client, "luso", level="1")

    assert (first.table["level"], second.table["level"]) == (4, 1)
    assert first.url != second.url
