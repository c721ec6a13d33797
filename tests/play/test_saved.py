"""Saved games: always whole on the disk, and read back as they were."""

import json
from pathlib import Path

import pytest

from bezique.engine.errors import BeziqueError
from bezique.engine.library import Library
from bezique.engine.moves import apply, legal
from bezique.engine.position import start
from bezique.engine.rules import Rules
from bezique.engine.series import new_series
from bezique.play.match import Match
from bezique.play.saved import (
    FileError,
    cuts,
    first_dealer,
    free_place,
    lot,
    new_game,
    read_saved,
    write,
)  # fmt: skip


@pytest.fixture
def rules() -> Rules:
    """Return the rules of a table."""
    return Library().rules("streak")


def played(rules: Rules, actions: int) -> Match:
    """Return a match in which the first legal action was taken some times."""
    match = Match(new_game(rules, "seed"))
    for _ in range(actions):
        position = match.position
        deal = position.phase == "deal"
        match.do(match.saved.dealt(position) if deal else legal(position)[0])
    return match


def test_game_is_read_back_as_it_was(rules: Rules, tmp_path: Path) -> None:
    """Record, seed, series and number of the match survive the file."""
    match = played(rules, 20)
    file = tmp_path / "game.json"

    write(file, match.saved)

    assert read_saved(Library(), file) == match.saved
    assert Match(read_saved(Library(), file)).position == match.position


def test_interrupted_write_leaves_the_old_file(
    rules: Rules, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A write that fails half way changes nothing and leaves nothing behind."""
    file = tmp_path / "game.json"
    write(file, played(rules, 3).saved)
    before = file.read_bytes()

    def broken(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("os.fsync", broken)
    with pytest.raises(KeyboardInterrupt):
        write(file, played(rules, 9).saved)

    assert file.read_bytes() == before
    assert list(tmp_path.iterdir()) == [file]


def test_later_hands_follow_from_the_seed(rules: Rules) -> None:
    """A game taken up again deals what it would have dealt."""
    one, two = Match(new_game(rules, "a")), Match(new_game(rules, "a"))
    other = Match(new_game(rules, "b"))

    deals = [m.saved.dealt(m.position.changed(hand=2)) for m in (one, two, other)]

    assert deals[0] == deals[1] != deals[2]


def test_higher_cut_deals_and_equal_ranks_cut_again() -> None:
    """In forty cuts the dealer has the higher last card, earlier ones being equal (D2.06)."""
    order = ["A", "T", "K", "Q", "J", "9", "8", "7"]
    rules = Library().rules("cady")
    tied = 0

    for seed in range(40):
        shown, dealer = cuts(rules, str(seed), 1)
        for cards in shown[:-1]:
            assert cards["south"].rank == cards["north"].rank
            tied += 1
        south, north = (
            order.index(shown[-1][seat].rank) for seat in ("south", "north")
        )
        assert south != north
        assert dealer == ("south" if south < north else "north")

    assert tied > 0


def test_lot_falls_on_both_seats() -> None:
    """The lot is a function of the seed and favours nobody for good (D3.25)."""
    rules = Library().rules("boussac")

    assert {lot(rules, str(seed), 1) for seed in range(20)} == {"south", "north"}
    assert first_dealer(new_series(rules), "3", 1) == lot(rules, "3", 1)


def test_machine_deals_the_first_match(rules: Rules) -> None:
    """In the streak game no card is cut: north deals (D0.16)."""
    assert first_dealer(new_series(rules), "x", 1) == "north"


def test_free_place_does_not_exist_yet(rules: Rules) -> None:
    """A second game of one seed does not fall upon the first."""
    first = free_place("cady-7")
    write(first, played(rules, 1).saved)

    assert free_place("cady-7") != first
    assert free_place("../../etc/x").parent == first.parent


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"bezique": 9}, "bezique: expected the version 1, got 9"),
        ({"seed": 7}, "seed: expected a text, got 7"),
        ({"dealer": "east"}, "dealer: expected one of south, north, got 'east'"),
        (
            {"series": {}},
            "series.matches: expected a whole number or null, got nothing",
        ),
        (
            {"rules": {"digest": "000000000000"}},
            "expected those of the record, '000000000000'",
        ),
        ({"profile": "whist"}, "profile: expected one of"),
        ({"actions": [{"do": "draw"}]}, "step 0: "),
    ],
)
def test_broken_game_is_refused(
    change: dict[str, object], told: str, rules: Rules, tmp_path: Path
) -> None:
    """What is wrong with a file is said, and where."""
    file = tmp_path / "game.json"
    write(file, played(rules, 2).saved)
    written = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps(written | change), encoding="utf-8")

    with pytest.raises(BeziqueError) as caught:
        read_saved(Library(), file)

    assert told in str(caught.value)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"{", ":1:2: expected JSON"),
        (b"\xff", "expected UTF-8 text"),
        (b"[" * 100_000, "expected JSON"),
        (b"[]", "file: expected a game, got a list"),
    ],
)
def test_other_file_is_refused(data: bytes, told: str, tmp_path: Path) -> None:
    """A file that is no game gets a message, whatever is in it."""
    file = tmp_path / "game.json"
    file.write_bytes(data)

    with pytest.raises(BeziqueError) as caught:
        read_saved(Library(), file)

    assert told in str(caught.value)


def test_folder_is_no_place_for_a_game(rules: Rules, tmp_path: Path) -> None:
    """What cannot be written is told with its place."""
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")

    with pytest.raises(FileError, match="expected a place to write"):
        write(blocked / "game.json", played(rules, 0).saved)


def test_seats_see_what_the_engine_lets_them(rules: Rules) -> None:
    """The deal shows a seat its own cards and none of the other's."""
    match = played(rules, 1)
    begun = start(rules, "north")
    after, _ = apply(begun, match.saved.record.actions[0])

    assert match.view("south").hidden["south"] == after.hidden["south"]
    assert not any(card.known for card in match.view("south").hidden["north"])
