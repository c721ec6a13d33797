"""Honest: packs are bound before they are dealt, and no answer names a card out of sight."""

import hashlib
import re
from collections.abc import Iterator
from functools import cache

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from bezique.engine.cards import Card
from bezique.engine.dealing import cut
from bezique.engine.library import Library
from bezique.play.opponents import _cards_in
from bezique.play.web import thinking
from bezique.play.web.sitting import Sitting
from bezique.play.web.words import WebWords
from bezique.spec.language import language
from tests.play.web.conftest import Browser
from tests.play.web.player import JSON, Player, at_random, first_offered
from tests.tables import telling

PROFILES = Library().names
PHYSICAL = re.compile(r"\b([AKQJT987][SHCD][1-8])\b")
FACE = re.compile(r"\b([AKQJT987][SHCD])\b")
SIGNS = dict(zip("♠♥♣♦", "SHCD", strict=True))
SHORT = re.compile(r"(10|[AKQJ987RDVC])\s?([♠♥♣♦])")


def test_commitment_binds_the_pack_that_is_dealt(client: TestClient) -> None:
    """SHA-256 of "SALT:CARDS", shown before the deal; the cut pack is what was dealt (D0.14)."""
    player = Player(client)
    shown = player.table["commitment"]
    player.step(depth=17)
    while not player.get(f"/commitments/{shown['match']}/{shown['hand']}")["opened"]:
        player.step()

    opened = player.get(f"/commitments/{shown['match']}/{shown['hand']}")

    pack = opened["pack"]
    turned = pack[17:] + pack[:17]
    text = f"{opened['salt']}:{' '.join(pack)}"
    dealt = player.get("/record.json?match=1")["actions"][0]
    assert hashlib.sha256(text.encode()).hexdigest() == shown["hash"] == opened["hash"]
    assert opened["text"] == text
    assert len(set(pack)) == 64
    assert opened["depth"] == 17
    # Packets of three, two and three, the non-dealer (the player) first; the next is turned.
    assert dealt["south"] == [*turned[0:3], *turned[6:8], *turned[10:13]]
    assert dealt["north"] == [*turned[3:6], *turned[8:10], *turned[13:16]]
    assert dealt["turn_up"] == turned[16]
    assert dealt["stock"] == turned[17:]


def test_commitment_stays_shut_while_the_hand_is_played(client: TestClient) -> None:
    """The hash and the cut, nothing else."""
    player = Player(client)
    player.step(depth=5)

    shut = player.get("/commitments/1/1")

    assert shut["opened"] is False
    assert [shut[name] for name in ("salt", "pack", "text")] == [None, None, None]
    assert shut["depth"] == 5


def test_cut_makes_another_deal_of_the_same_pack(
    browser: Browser, app: FastAPI
) -> None:
    """Neither side alone makes the deal."""
    desk = app.state.desk
    rules = desk.library.rules("cady")

    pack = [rules.cards[name] for name in desk.chance.pack(rules)]

    deals = {tuple(cut(pack, depth)) for depth in range(1, 64)}
    assert len(deals) == 63
    assert browser is not None


@pytest.mark.parametrize("depth", ["0", "64", "-3", "999999999999", "x"])
def test_cut_that_leaves_no_card_is_refused(client: TestClient, depth: str) -> None:
    """A cut leaves a card on each side of 64."""
    player = Player(client)
    form = {"seq": player.table["seq"], "depth": depth}

    answer = client.post(f"{player.url}/deal", data=form, headers=JSON)

    assert answer.status_code in (403, 422)
    assert player.get()["phase"] == "deal"


@pytest.mark.parametrize("profile", ["cady", "boussac"])
def test_both_cut_for_the_deal_and_the_higher_card_deals(
    client: TestClient, profile: str
) -> None:
    """D2.06: equal cards are cut again; the cards are shown.  D3.25: the lot is drawn so too."""
    player = Player(client, profile)
    assert player.table["phase"] == "dealer"
    bound = player.table["commitment"]
    table = player.until(lambda table: bool(table["phase"] != "dealer"))

    last = table["cuts"][-1]
    order = "ATKQJ987"
    mine, machines = (order.index(last[who]["rank"]) for who in ("me", "machine"))
    assert table["dealer"] == ("me" if mine < machines else "machine")
    assert all(
        item["me"]["rank"] == item["machine"]["rank"] for item in table["cuts"][:-1]
    )
    if len(table["cuts"]) == 1:
        opened = player.get("/commitments/1/0")
        assert opened["hash"] == bound["hash"]
        assert opened["pack"][opened["depth"] - 1] == last["me"]["id"]


# --- no answer names a card out of sight -----------------------------------------------------


def known(sitting: Sitting) -> set[Card]:
    """Return the cards that the player's seat can know: what it holds, sees and has witnessed."""
    now = sitting.now
    found = {card for cards in now.cuts for card in cards.values()}
    for event in now.heard.get(sitting.me, []):
        found.update(_cards_in(event))
    if now.position is not None:
        view = sitting.view
        zones = [
            *view.hidden.values(),
            *view.table.values(),
            *view.won.values(),
            view.trick,
        ]
        found.update(card for zone in zones for card in zone if card.known)
        if view.turn_up is not None:
            found.add(view.turn_up)
    return found


@cache
def long_names(lang: str) -> dict[str, str]:
    """Return the faces by their long names."""
    words = WebWords(lang, Library().rules("cady"))
    return {words.long_name(card).lower(): card.face for card in words.rules.pack}


def faces_named(text: str, lang: str) -> Iterator[str]:
    """Yield the faces that a text names: as codes, by their short and their long names."""
    yield from FACE.findall(text)
    ranks = {symbol.short: rank for rank, symbol in language(lang).ranks.items()}
    for rank, sign in SHORT.findall(text):
        if rank in ranks:
            yield ranks[rank] + SIGNS[sign]
    lowered = text.lower()
    yield from (face for name, face in long_names(lang).items() if name in lowered)


def check(app: FastAPI, player: Player, text: str, lang: str = "es") -> None:
    """Hold an answer to what the seat can know."""
    game = player.url.rsplit("/", 1)[1]
    desk = app.state.desk
    sitting = desk._held[game].sitting
    assert sitting is not None
    cards = known(sitting)
    ids = set(PHYSICAL.findall(text)) - {str(card) for card in cards}
    faces = set(faces_named(text, lang)) - {card.face for card in cards}
    # The options and the sentences of the rules name cards of no hand.
    faces -= set(faces_named(str(player.table["profile"]), lang))
    assert not ids, ids
    assert not faces, faces


def play_and_check(
    app: FastAPI, client: TestClient, profile: str, seed: int, most: int
) -> None:
    """Play by chance, and look at page and JSON at every table."""
    choose = at_random(seed)
    player = Player(client, profile, level="1")
    for number in range(most):
        if player.table["phase"] == "over":
            return
        player.step(choose, depth=1 + (seed + number) % 63)
        answers = [player.text]
        if number % 5 == 0:
            answers += [client.get(player.url + place).text for place in ("", "/hint")]
            answers.append(
                str(client.get("/es/", headers=JSON).json()["start"]["games"])
            )
        for text in answers:
            check(app, player, text)


@pytest.mark.parametrize("profile", telling(PROFILES))
def test_no_answer_names_a_card_out_of_sight(
    app: FastAPI, client: TestClient, profile: str
) -> None:
    """The first tricks of every table."""
    play_and_check(app, client, profile, 1, 14)


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("profile", PROFILES)
def test_no_answer_of_a_whole_match_names_a_card_out_of_sight(
    app: FastAPI, client: TestClient, profile: str, seed: int
) -> None:
    """Whole matches by chance: the seat's own cards, the table and the past, nothing else."""
    play_and_check(app, client, profile, seed, 1500)


def test_check_of_names_finds_a_card_out_of_sight(
    app: FastAPI, client: TestClient
) -> None:
    """The test above would see a leak: by code, short name and long name."""
    player = Player(client)
    player.step()
    game = player.url.rsplit("/", 1)[1]
    desk = app.state.desk
    sitting = desk._held[game].sitting
    assert sitting is not None
    seen = {card.face for card in known(sitting)}
    hidden = next(card for card in sitting.rules.pack if card.face not in seen)
    words = WebWords("es", sitting.rules)

    for leak in (str(hidden), hidden.face, words.card(hidden), words.long_name(hidden)):
        with pytest.raises(AssertionError):
            check(app, player, f"x {leak} y")
    check(app, player, first_offered(player.table))


def test_opponent_is_asked_with_what_its_seat_has_seen(
    app: FastAPI, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Questions name no card that only the player has seen."""
    asked: list[thinking.Question] = []
    whole = thinking.answer

    def answer(question: thinking.Question) -> dict[str, object]:
        asked.append(question)
        return whole(question)

    monkeypatch.setattr(thinking, "answer", answer)
    player = Player(client, "cady")
    player.until(lambda table: table["phase"] == "lead" and table["trick_number"] > 3)
    player.step()
    game = player.url.rsplit("/", 1)[1]
    sitting = app.state.desk._held[game].sitting

    mine = {
        card["id"] for card in player.table["mine"]["cards"] if card["place"] == "hand"
    }

    assert asked
    assert not mine & set(PHYSICAL.findall(str(asked[-1])))
    assert sitting.other == asked[-1].view["turn"]
