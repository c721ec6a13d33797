"""Pages: what each address answers, as a page and as JSON, to its owner and to others."""

import json
import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from bezique.engine.library import Library
from bezique.play.web.app import create_app
from bezique.play.web.store import Batch
from bezique.play.web.words import LANGUAGES
from tests.play.web.conftest import Browser, settings
from tests.play.web.player import JSON, Player, Table, at_random, first_offered, offered


def test_root_leads_to_the_language_that_is_asked_for(client: TestClient) -> None:
    """Spanish, unless the browser or the cookie says otherwise; the cookie first."""
    french = {"accept-language": "de, fr;q=0.8, en;q=0.5"}

    assert client.get("/").headers["location"] == "/es/"
    assert client.get("/", headers=french).headers["location"] == "/fr/"
    client.post("/es/settings", data={"lang": "pt"})
    assert client.get("/", headers=french).headers["location"] == "/pt/"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_start_page_says_how_every_table_differs(client: TestClient, lang: str) -> None:
    """In a sentence of the rules, with every option and its values."""
    start = client.get(f"/{lang}/", headers=JSON).json()["start"]

    found = {item["name"]: item for item in start["profiles"]}
    assert set(found) == set(Library().names)
    assert all(
        len(item["differs"]) > 20 and "{" not in item["differs"]
        for item in found.values()
    )
    assert [o["name"] for o in found["boussac"]["options"]] == [
        "target", "hand_size", "turn_up", "draw_order", "bezique_pair",
    ]  # fmt: skip


def test_action_without_script_leads_back_to_the_table(client: TestClient) -> None:
    """Every post of a page is answered 303, and the table is a page."""
    begun = client.post("/es/games", data={"profile": "streak"})
    url = begun.headers["location"]
    table = client.get(url, headers=JSON).json()

    dealt = client.post(f"{url}/deal", data={"seq": table["seq"], "depth": ""})
    page = client.get(url)

    assert begun.status_code == dealt.status_code == 303
    assert dealt.headers["location"] == url
    assert page.status_code == 200
    assert page.headers["content-type"].startswith("text/html")
    assert 'method="post"' in page.text


def test_second_click_gets_the_table_and_does_nothing(client: TestClient) -> None:
    """409, as JSON and as a page; the move was made once."""
    player = Player(client)
    player.step()
    form = {"seq": player.table["seq"], "move": offered(player.table)[0]}
    url = f"{player.url}/moves"

    first = client.post(url, data=form, headers=JSON)
    second = client.post(url, data=form, headers=JSON)
    page = client.post(url, data=form)

    assert first.status_code == 200
    assert second.status_code == page.status_code == 409
    assert second.json()["error"]["code"] == "stale"
    assert second.json()["table"]["seq"] == first.json()["seq"]
    assert second.json()["table"]["mine"] == first.json()["mine"]
    assert page.headers["content-type"].startswith("text/html")


@pytest.mark.parametrize(
    "move", ["play:ZZ9", "declare:marriage:KS1.QS1", "", "draw", "deal"]
)
def test_move_that_is_not_offered_is_refused(client: TestClient, move: str) -> None:
    """409 and the table as it is, whatever somebody writes."""
    player = Player(client)
    player.step()
    form = {"seq": player.table["seq"], "move": move}

    answer = client.post(f"{player.url}/moves", data=form, headers=JSON)

    assert answer.status_code in (409, 422)
    assert player.get()["seq"] == player.table["seq"]


@pytest.mark.parametrize(
    "form",
    [
        {"profile": "whist"},
        {},
        {"profile": "streak", "mode": "war"},
        {"profile": "streak", "level": "6"},
        {"profile": "luso", "option.target": "7"},
        {"profile": "luso", "option.nothing": "7"},
        {"profile": "boussac", "option.target": "9" * 30},
        {"profile": "boussac", "option.turn_up": "maybe"},
    ],
)
def test_game_that_no_table_has_is_refused(
    client: TestClient, form: dict[str, str]
) -> None:
    """422, and a message; no game is begun."""
    answer = client.post("/es/games", data=form, headers=JSON)

    assert answer.status_code == 422
    assert answer.json()["error"]["message"]
    assert client.get("/es/", headers=JSON).json()["start"]["games"] == []


def test_options_are_settled_at_the_start(client: TestClient) -> None:
    """Ten cards and no turned card, as the form said."""
    form = {"option.hand_size": "10", "option.turn_up": "false", "option.target": "300"}
    player = Player(client, "boussac", **form)
    player.until(lambda table: table["phase"] in ("lead", "follow"))

    assert len(player.table["mine"]["cards"]) == 10
    assert player.table["turn_up"] is None
    options = {
        item["name"]: item["value"] for item in player.table["profile"]["options"]
    }
    assert (options["target"], options["turn_up"]) == (300, False)


@pytest.mark.parametrize(
    "place",
    ["", "/hint", "/why", "/melds", "/rules", "/record.json", "/review/1/1", "/commitments/1/1", "/resign"],
)  # fmt: skip
def test_nobody_sees_the_game_of_another(browser: Browser, place: str) -> None:
    """404, exactly as where there is no game."""
    player, other = Player(browser()), browser()
    nobodys = "/es/games/" + "0" * 32

    answers = [other.get(url + place, headers=JSON) for url in (player.url, nobodys)]

    assert [answer.status_code for answer in answers] == [404, 404]
    assert answers[0].json() == answers[1].json()


@pytest.mark.parametrize("place", ["moves", "deal", "cut", "next", "undo", "resign"])
def test_nobody_moves_in_the_game_of_another(browser: Browser, place: str) -> None:
    """404, and nothing has happened."""
    player, other = Player(browser()), browser()
    form = {"seq": player.table["seq"], "depth": "9", "move": "draw"}

    answer = other.post(f"{player.url}/{place}", data=form, headers=JSON)

    assert answer.status_code == 404
    assert player.get()["seq"] == player.table["seq"]


def test_games_of_others_are_not_listed(browser: Browser) -> None:
    """Start page and history know one's own games alone."""
    mine = browser()
    Player(mine)

    other = browser().get("/es/", headers=JSON).json()["start"]["games"]

    assert other == []
    assert len(mine.get("/es/", headers=JSON).json()["start"]["games"]) == 1


def test_two_tabs_see_one_table(client: TestClient) -> None:
    """What one does the other sees; it cannot do the same again."""
    player = Player(client)
    old = player.table["seq"]
    player.step()

    late = client.post(
        f"{player.url}/deal", data={"seq": old, "depth": ""}, headers=JSON
    )

    assert late.status_code == 409
    assert late.json()["table"]["seq"] == player.table["seq"]


def test_second_server_on_the_same_games_answers_with_what_the_first_has_done(
    tmp_path: Path,
) -> None:
    """409 and the table as the other server left it; nothing is lost or done twice."""
    with (
        TestClient(create_app(settings(tmp_path)), follow_redirects=False) as one,
        TestClient(create_app(settings(tmp_path)), follow_redirects=False) as two,
    ):
        first = Player(one)
        two.cookies.update(one.cookies)
        first.step()
        old = two.get(first.url, headers=JSON).json()
        form = {"seq": old["seq"], "move": offered(old)[0]}
        first.post("moves", move=offered(old)[0])

        late = two.post(f"{first.url}/moves", data=form, headers=JSON)
        page = two.post(f"{first.url}/moves", data=form)
        seen = two.get(first.url, headers=JSON).json()

    assert old["seq"] < first.table["seq"]
    assert late.status_code == page.status_code == 409
    assert late.json()["table"]["seq"] == seen["seq"] == first.table["seq"]
    assert late.json()["table"]["mine"] == first.table["mine"]
    assert "data-seq=" in page.text


def test_server_that_loses_a_race_answers_with_the_table_of_the_winner(
    tmp_path: Path,
) -> None:
    """The other server writes between a move and its being kept: 409, and that table."""
    made = create_app(settings(tmp_path))
    with (
        TestClient(made, follow_redirects=False) as one,
        TestClient(create_app(settings(tmp_path)), follow_redirects=False) as two,
    ):
        first = Player(one)
        two.cookies.update(one.cookies)
        first.step()
        form = {"seq": first.table["seq"], "move": offered(first.table)[0]}
        keep = made.state.desk.store.append
        faster: list[Table] = []

        def late(batch: Batch) -> object:
            if not faster:
                answer = two.post(f"{first.url}/moves", data=form, headers=JSON)
                faster.append(answer.json())
            return keep(batch)

        made.state.desk.store.append = late
        answer = one.post(f"{first.url}/moves", data=form, headers=JSON)

    assert answer.status_code == 409
    assert answer.json()["error"]["code"] == "stale"
    assert answer.json()["table"]["seq"] == faster[0]["seq"]
    assert answer.json()["table"]["mine"] == faster[0]["mine"]


def test_page_of_the_late_says_so_once(client: TestClient) -> None:
    """The notice comes with the 409 alone."""
    player = Player(client)
    late = client.post(f"{player.url}/deal", data={"seq": 0, "depth": ""}, headers=JSON)

    assert late.json()["table"]["notice"]["code"] == "stale"
    assert player.get()["notice"] is None


@pytest.mark.parametrize(
    "path", ["/de/", "/es/games/xyz", "/es/nothing", "/es/plots/streak/x.svg"]
)
def test_address_that_is_none_is_not_found(client: TestClient, path: str) -> None:
    """404 as a page and as JSON."""
    assert client.get(path).status_code == 404
    assert client.get(path, headers=JSON).json()["error"]["code"] == "not-found"


def test_same_table_is_spoken_in_four_languages(client: TestClient) -> None:
    """Codes and cards stay; only texts differ."""
    player = Player(client)
    player.step()
    tables = {
        lang: client.get(player.url.replace("/es/", f"/{lang}/"), headers=JSON).json()
        for lang in LANGUAGES
    }

    codes = {json.dumps([item["code"] for item in t["log"]]) for t in tables.values()}
    moves = {json.dumps(offered(t)) for t in tables.values()}
    lines = {t["line"]["text"] for t in tables.values()}
    assert len(codes) == len(moves) == 1
    assert len(lines) == len(LANGUAGES)


def test_settings_are_kept_by_the_browser(client: TestClient) -> None:
    """Sorted by rank: strength never rises along the hand (D0.12: A 10 K Q J 9 8 7)."""
    player = Player(client)
    player.step()
    client.post("/es/settings", data={"sort": "rank", "speed": "fast", "deck": "plaid"})

    table = player.get()

    order = ["ATKQJ987".index(card["rank"]) for card in table["mine"]["cards"]]
    assert order == sorted(order)
    assert table["settings"]["speed"] == "fast"
    assert table["settings"]["deck"] == "two"


@pytest.mark.parametrize(
    ("scheme", "colours", "themes"),
    [("light", "light", 1), ("dark", "dark", 1), ("system", "light dark", 2), ("plaid", "light dark", 2)],
)  # fmt: skip
def test_light_and_dark_are_a_choice(
    client: TestClient, scheme: str, colours: str, themes: int
) -> None:
    """The page is told to be light or dark; as the system is, until the reader says so."""
    client.post("/es/settings", data={"scheme": scheme})

    html = client.get("/es/", headers={"accept": "text/html"}).text

    assert f'<meta name="color-scheme" content="{colours}">' in html
    assert html.count('name="theme-color"') == themes
    said = scheme if themes == 1 else "system"
    assert f'data-scheme="{said}"' in html


def test_refusal_at_the_door_speaks_the_language_of_the_address(
    client: TestClient,
) -> None:
    """A post from another site is refused before it is known which page it is for."""
    headers = {"sec-fetch-site": "cross-site", "accept": "text/html", "accept-language": "es"}  # fmt: skip

    answer = client.post("/fr/records", headers=headers)

    assert answer.status_code == 403
    assert '<html lang="fr"' in answer.text


@pytest.mark.parametrize(
    ("back", "leads"),
    [("/history", "/es/history"), ("/pt/history", "/es/history"), ("//evil.example", "/es/"),
     ("https://evil.example", "/es/"), ("/\\evil.example", "/es/"), ("/a\r\nb", "/es/")],
)  # fmt: skip
def test_settings_lead_back_to_this_server(
    client: TestClient, back: str, leads: str
) -> None:
    """Never to another."""
    answer = client.post("/es/settings", data={"back": back})

    assert answer.headers["location"] == leads


def test_undo_takes_a_choice_back_in_practice(client: TestClient) -> None:
    """The hand is as it was; the log has grown."""
    player = Player(client, mode="practice", level="1")
    player.step()
    before = player.table
    player.step()

    after = player.post("undo")

    assert after["mine"]["cards"] == before["mine"]["cards"]
    assert after["trick"] == before["trick"]
    assert after["seq"] > before["seq"]
    assert after["undo"] is False


def test_undo_is_refused_in_a_series(client: TestClient) -> None:
    """403: the game counts."""
    player = Player(client)
    player.step()
    player.step()

    form = {"seq": player.table["seq"]}
    answer = client.post(f"{player.url}/undo", data=form, headers=JSON)

    assert answer.status_code == 403
    assert player.table["undo"] is False


def test_series_cannot_be_left_for_a_new_one(client: TestClient) -> None:
    """A second start at the same table goes on with the first; practice begins anew."""
    first = Player(client)
    first.step()

    again = Player(client)
    practice = [Player(client, mode="practice").url for _ in range(2)]

    assert again.url == first.url
    assert again.table["seq"] == first.table["seq"]
    assert len({first.url, *practice}) == 3


def test_hint_is_a_move_that_is_offered(client: TestClient) -> None:
    """With a reason in words."""
    player = Player(client)
    player.step()

    hint = player.get("/hint")["hint"]

    assert hint["move"] in offered(player.table)
    assert hint["reason"].endswith(".")
    assert hint["exact"] is False


@pytest.mark.long
def test_hint_says_in_which_order_to_declare(client: TestClient) -> None:
    """Where the hand has melds for two won tricks or more: each is held, and pays its points."""
    player = Player(client)
    plan = None
    while plan is None:
        player.step()
        if player.table["hint"]:
            plan = player.get("/hint")["hint"]["plan"]
    held = {card["id"] for card in player.table["mine"]["cards"]}

    assert len(plan["melds"]) > 1
    assert plan["points"] == sum(meld["points"] for meld in plan["melds"])
    for meld in plan["melds"]:
        assert {card["id"] for card in meld["cards"]} <= held


def test_hint_of_the_last_tricks_is_exact(client: TestClient) -> None:
    """Once the stock is gone both hands are known (D0.43)."""
    player = Player(client)
    player.until(lambda t: t["strict_left"] is not None and len(offered(t)) > 1)

    hint = player.get("/hint")["hint"]

    assert hint["exact"] is True
    assert hint["move"] in offered(player.table)


def held_marriage(table: Table) -> bool:
    """Return whether a marriage that scored is still whole in the player's hands."""
    mine = {card["id"] for card in table["mine"]["cards"]}
    return any(
        meld["name"] == "marriage" and {card["id"] for card in meld["cards"]} <= mine
        for meld in table["mine"]["scored"]
    )


def test_why_names_the_clause_and_the_history_of_cards(client: TestClient) -> None:
    """A marriage that scored cannot score again, and its cards say why (D0.23)."""
    player = Player(client, "cady", level="1")
    player.until(
        lambda t: t["phase"] == "lead" and t["stock"]["open"] and held_marriage(t),
        at_random(4),
    )

    why = player.get("/why?meld=marriage")["why"]

    refused = [item for item in why["tries"] if item["clause"] == "declare/reuse"]
    assert refused
    assert all(item["text"] for item in refused)
    assert any(card["history"] for card in refused[0]["cards"])


def test_why_says_which_cards_are_missing(client: TestClient) -> None:
    """Nobody is dealt both beziques often."""
    player = Player(client)
    player.step()

    why = player.get("/why?meld=double-bezique")["why"]

    assert all(item["legal"] is False for item in why["tries"])
    assert all(item["missing"] for item in why["tries"])


def test_melds_of_the_table_have_their_points(client: TestClient) -> None:
    """D0.21."""
    found = {m["name"]: m["points"] for m in Player(client).get("/melds")["melds"]}

    assert found == {
        "sequence": 250, "royal-marriage": 40, "marriage": 20, "bezique": 40, "double-bezique": 500,
        "four-aces": 100, "four-kings": 80, "four-queens": 60, "four-jacks": 40,
    }  # fmt: skip


def test_finished_match_is_reviewed_counted_and_given_as_a_file(
    client: TestClient,
) -> None:
    """Its record is loaded again, and says the same."""
    player = Player(client)
    table = player.finish()
    url = player.url

    review = client.get(f"{url}/review/1/1", headers=JSON).json()["review"]
    history = client.get("/es/history", headers=JSON).json()["history"]
    file = client.get(f"{url}/record.json")
    loaded = client.post(
        "/es/records", files={"record": ("match.json", file.content)}, headers=JSON
    ).json()
    again = client.get(loaded["review"], headers=JSON).json()["review"]

    assert len(review["tricks"]) == 32
    assert [trick["strict"] for trick in review["tricks"]] == [False] * 24 + [True] * 8
    assert all(
        card["margin"] is not None
        for trick in review["tricks"][24:]
        for card in trick["cards"]
    )
    assert "attachment" in file.headers["content-disposition"]
    assert again["tricks"] == review["tricks"]
    (match,) = history["matches"]
    assert (match["me"], match["machine"]) == (
        table["scores"]["me"]["match"], table["scores"]["machine"]["match"],
    )  # fmt: skip
    (level,) = history["profiles"][0]["levels"]
    assert level["played"] == 1
    svg = client.get(history["profiles"][0]["plots"][0]["url"])
    assert svg.headers["content-type"].startswith("image/svg+xml")
    assert "style" not in svg.text


def test_practice_counts_in_no_statistics(client: TestClient) -> None:
    """It is listed, marked, and nothing else."""
    player = Player(client, mode="practice", level="1")
    player.finish()

    history = client.get("/es/history", headers=JSON).json()["history"]

    assert history["matches"][0]["mode"] == "practice"
    assert history["profiles"][0]["levels"] == []


def test_practice_alone_has_a_sentence_in_place_of_the_plot_of_wins(
    client: TestClient,
) -> None:
    """There is nothing to draw: only matches in earnest are won in a row."""
    Player(client, mode="practice", level="1").finish()

    (profile,) = client.get("/en/history", headers=JSON).json()["history"]["profiles"]
    page = client.get("/en/history").text

    assert [plot["name"] for plot in profile["plots"]] == ["margins"]
    assert "practice alone" in profile["note"]
    assert profile["note"] in page
    assert "/score.svg" not in page


def test_review_shows_one_trick_and_links_to_its_neighbours(client: TestClient) -> None:
    """Without a script: the trick of the address, the first, the one before, after, the last."""
    player = Player(client, mode="practice", level="1")
    player.until(lambda table: bool(table["finished"]))
    url = f"{player.url}/review/1/1"
    review = client.get(url, headers=JSON).json()["review"]

    def links(trick: int) -> list[str]:
        page = client.get(f"{url}?trick={trick}").text
        assert page.count('class="two"') == (1 if trick else 0)
        return re.findall(r'href="\?trick=(\d+)#trick" data-go="', page)

    assert links(7) == ["0", "6", "8", "32"]
    assert links(0) == ["0", "0", "1", "32"]
    assert links(32) == links(500) == ["0", "31", "32", "32"]
    for trick in review["tricks"]:
        held, cards = trick["held"], trick["cards"]
        for card in cards:
            assert card["id"] in {one["id"] for one in held[card["by"]]}
        assert trick["taker"] == next(card["by"] for card in cards if card["wins"])
    # Eight cards before each of the first tricks, one before the last (D0.14, D0.26).
    assert [len(t["held"]["me"]) for t in review["tricks"]] == [8] * 25 + [
        *range(7, 0, -1)
    ]
    assert [t["left"] for t in review["tricks"]] == [*range(48, 0, -2), *[0] * 8]


def test_review_says_of_every_strict_card_what_exact_play_says(
    client: TestClient,
) -> None:
    """Each of the sixteen cards has a verdict on the page of its trick (D0.43)."""
    player = Player(client, mode="practice", level="1")
    player.until(lambda table: bool(table["finished"]), at_random(2))
    url = f"{player.url}/review/1/1"
    review = client.get(url, headers=JSON).json()["review"]

    for trick in review["tricks"][24:]:
        page = client.get(f"{url}?trick={trick['number']}").text
        verdicts = re.findall(r'<p class="exact"><span class="tag (\w+)">', page)
        assert verdicts == [
            "bad" if card["given_away"] or card["worse"] else "good"
            for card in trick["cards"]
        ]
    assert 'class="exact"' not in client.get(f"{url}?trick=24").text


@pytest.mark.parametrize("phase", ["lead", "follow"])
def test_match_that_is_given_up_can_be_reviewed_and_says_so(
    client: TestClient, phase: str
) -> None:
    """As far as it went, an unfinished trick too; its file says who resigned, and loads."""
    player = Player(client)
    player.until(lambda t: t["phase"] == phase and t["trick_number"] >= 3)
    tricks = player.table["trick_number"] - (phase == "lead")
    player.post("resign")

    review = client.get(f"{player.url}/review/1/1", headers=JSON).json()["review"]
    file = client.get(f"{player.url}/record.json")
    loaded = client.post(
        "/es/records", files={"record": ("x", file.content)}, headers=JSON
    ).json()
    again = client.get(loaded["review"], headers=JSON).json()["review"]

    assert len(review["tricks"]) == len(again["tricks"]) == tricks
    assert review["resigned"] == again["resigned"] == "me"
    assert file.json()["resigned"] == "south"
    assert client.get(f"{player.url}/review/1/1?trick={tricks}").status_code == 200
    bad = json.dumps({**file.json(), "resigned": "east"}).encode()
    answer = client.post("/es/records", files={"record": ("x", bad)}, headers=JSON)
    assert answer.status_code == 422


def test_match_that_is_given_up_counts_as_lost(client: TestClient) -> None:
    """In history and statistics; its margin is no margin of play."""
    player = Player(client)
    player.until(lambda t: t["phase"] == "lead" and t["trick_number"] >= 2)
    player.post("resign")

    history = client.get("/en/history", headers=JSON).json()["history"]

    (match,) = history["matches"]
    assert (match["winner"], match["resigned"]) == ("machine", True)
    (level,) = history["profiles"][0]["levels"]
    assert (level["played"], level["lost"], level["resigned"]) == (1, 1, 1)
    assert level["mean_margin"] is level["best_margin"] is None
    assert "given up" in client.get("/en/history").text


def test_browser_gets_its_icon(client: TestClient) -> None:
    """Where the page says, and where browsers look without asking."""
    icon = client.get("/favicon.ico")

    assert icon.status_code == 200
    assert icon.headers["content-type"].startswith("image/svg+xml")
    assert icon.content == client.get("/static/icon.svg").content


def test_hand_that_is_being_played_cannot_be_reviewed(client: TestClient) -> None:
    """Nor does its record hold its deal."""
    player = Player(client)
    player.step()

    assert client.get(f"{player.url}/review/1/1", headers=JSON).status_code == 404
    assert player.get("/record.json")["actions"] == []


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"[]", b"\xff", b'{"profile":"whist"}', b"[" * 100_000,
     b'{"profile":"cady","dealer":"north","actions":[]}',
     b'{"profile":"cady","dealer":"north","actions":[{"do":"draw"}]}'],
)  # fmt: skip
def test_file_that_is_no_record_is_refused(client: TestClient, data: bytes) -> None:
    """422 and a message."""
    answer = client.post("/es/records", files={"record": ("x", data)}, headers=JSON)

    assert answer.status_code == 422, answer.text
    assert answer.json()["error"]["message"]


def test_page_that_answers_a_post_leads_to_pages_in_other_languages(
    client: TestClient,
) -> None:
    """Its links, and the way back from the settings, lead to what can be asked for."""
    player = Player(client)
    player.step()
    late = client.post(f"{player.url}/moves", data={"seq": 0, "move": "draw"})
    wrong = client.post("/es/records", files={"record": ("x", b"")})

    assert (late.status_code, wrong.status_code) == (409, 422)
    for page in (late, wrong):
        links = re.findall(r'href="(/[a-z]{2}[^"]*)" hreflang', page.text)
        backs = re.findall(r"settings\?back=([^\"&]*)", page.text)
        assert len(links) == len(LANGUAGES)
        for link in (*links, *backs):
            assert client.get(link).status_code == 200, link


def test_loaded_record_is_its_owners(browser: Browser) -> None:
    """404 for another."""
    mine = browser()
    player = Player(mine, "luso", level="1")
    player.until(lambda t: t["phase"] == "deal" and t["hand"] == 2)
    file = mine.get(f"{player.url}/record.json").content
    url = mine.post("/es/records", files={"record": ("x", file)}, headers=JSON).json()[
        "review"
    ]

    assert mine.get(url, headers=JSON).status_code == 200
    assert browser().get(url, headers=JSON).status_code == 404


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    "place",
    ["", "/hint", "/why", "/melds", "/rules", "/commitments/1/1", "/resign"],
)
def test_every_page_of_a_game_is_painted(
    client: TestClient, lang: str, place: str
) -> None:
    """First paint is the server's."""
    player = Player(client)
    player.step()
    url = player.url.replace("/es/", f"/{lang}/")

    page = client.get(url + place)

    assert page.status_code == 200, page.text
    assert page.headers["content-type"].startswith("text/html")
    assert f'lang="{lang}"' in page.text


@pytest.mark.parametrize(
    "path", ["/es/", "/fr/settings", "/en/history", "/es/games/xyz"]
)
def test_every_other_page_is_painted(client: TestClient, path: str) -> None:
    """Also the one that says no."""
    page = client.get(path)

    assert page.headers["content-type"].startswith("text/html")
    assert "<html" in page.text


def test_first_choice_plays_on(client: TestClient) -> None:
    """The player of these tests is offered a move at every table it meets."""
    player = Player(client)
    player.step()

    assert first_offered(player.table) in offered(player.table)
