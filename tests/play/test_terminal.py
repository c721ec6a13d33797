"""The terminal game: played by feeding it lines, left and taken up again."""

import json
import re
import signal
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from rich.cells import cell_len

from bezique.engine.library import Library
from bezique.engine.moves import legal
from bezique.play.match import Match
from bezique.play.saved import read_saved
from tests.tables import telling

if TYPE_CHECKING:
    import subprocess

    from typer.testing import Result

Run = Callable[..., "Result"]
Start = Callable[..., "subprocess.Popen[bytes]"]

PROFILES = Library().names
RESULT = re.compile(
    r"(You win|The machine wins) the match by [0-9]+\.|The match is a draw\."
)
CARD = re.compile(r"(?:10|[AKQJ987])[♠♥♣♦]")


def position_of(file: Path) -> Match:
    """Return the match that a file holds."""
    return Match(read_saved(Library(), file))


@pytest.mark.parametrize(
    "profile",
    [
        name if name == "streak" else pytest.param(name, marks=pytest.mark.long)
        for name in PROFILES
    ],
)
def test_whole_match_is_played_by_ones(profile: str, run: Run, tmp_path: Path) -> None:
    """A player who always types 1 comes to the end of a match, and is told who won."""
    file = tmp_path / "game.json"
    begun = ["--profile", profile, "--seed", "4", "--record", file]
    result = run("play", *begun, typed="1\n" * 40)

    while not position_of(file).position.over:
        view = position_of(file).view("south")
        # No more lines than the hand has tricks, so that no second match begins.
        tricks = len(view.held("south")) + view.left // 2
        result = run("play", "--resume", file, typed="1\n" * max(tricks, 1))
        assert result.exit_code == 0, result.output

    assert RESULT.search(result.output)
    assert "another match" in result.output
    assert sum(map(len, position_of(file).position.won.values())) % 32 == 0


def test_match_ends_with_result_series_and_another(run: Run, tmp_path: Path) -> None:
    """After the match: who won and by how much, the series, and another match (D0.31)."""
    file = tmp_path / "game.json"
    result = run(
        "play",
        "--profile",
        "streak",
        "--seed",
        "4",
        "--record",
        file,
        typed="1\n" * 80,
    )
    said = result.output

    assert result.exit_code == 0
    assert RESULT.search(said)
    assert re.search(r"level [1-5] · streak [0-9]+\.[0-9]{4} · best", said)
    assert "another match" in said
    written = json.loads(file.read_text(encoding="utf-8"))
    assert written["match"] >= 2
    # D0.16: the machine deals the first match, then the first dealer alternates.
    dealers = [item["dealer"] for item in (*written["earlier"], written)]
    assert dealers == [("north", "south")[n % 2] for n in range(len(dealers))]
    assert written["series"]["matches"] == written["match"] - 1


@pytest.mark.parametrize("profile", telling(["streak", "cady"]))
def test_game_left_and_resumed_is_the_game_played_through(
    profile: str, run: Run, tmp_path: Path
) -> None:
    """End of input keeps the game; what follows is as if nobody had left."""
    through, parts = tmp_path / "through.json", tmp_path / "parts.json"

    def actions(file: Path) -> Any:  # noqa: ANN401
        return json.loads(file.read_text(encoding="utf-8"))["actions"]

    run(
        "play",
        "--profile",
        profile,
        "--seed",
        "9",
        "--record",
        through,
        typed="1\n2\n1\n" * 5,
    )
    first = run(
        "play",
        "--profile",
        profile,
        "--seed",
        "9",
        "--record",
        parts,
        typed="1\n2\n1\n",
    )
    left = position_of(parts).position
    again = run("play", "--resume", parts)
    assert position_of(parts).position == left
    run("play", "--resume", parts, typed="1\n2\n1\n" * 4)

    assert (first.exit_code, again.exit_code) == (0, 0)
    assert f"--resume {parts}" in first.output.replace("\n", "")
    assert "The game goes on." in again.output
    assert again.output.count("╭") == 1
    assert actions(parts) == actions(through)
    assert position_of(parts).position == position_of(through).position


def test_interrupt_leaves_with_130_and_keeps_the_game(
    begin: Start, tmp_path: Path
) -> None:
    """Ctrl-C at the prompt loses nothing and shows no traceback."""
    file = tmp_path / "game.json"
    process = begin("play", "--profile", "streak", "--seed", "2", "--record", file)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"1\n")
    process.stdin.flush()
    seen = b""
    while seen.count(b" ?]") < 2:  # the second prompt, or the end of the output
        piece = process.stdout.read1(4096)  # type: ignore[attr-defined]
        assert piece, seen.decode()
        seen += piece

    process.send_signal(signal.SIGINT)
    rest, errors = process.communicate(timeout=20)

    assert process.returncode == 130
    assert errors == b""
    assert b"The game is kept." in rest
    assert len(position_of(file).saved.record.actions) > 2


def test_game_without_a_place_is_kept_among_the_data(run: Run, data_home: Path) -> None:
    """Leaving tells where the game is and how to go on with it."""
    result = run("play", "--profile", "cady", "--seed", "7", typed="q\n")

    assert result.exit_code == 0
    assert (data_home / "bezique" / "cady-7.json").exists()
    assert "cady-7.json" in result.output.replace("\n", "")


def test_file_that_exists_is_not_overwritten(run: Run, tmp_path: Path) -> None:
    """A record is never lost to a new game of the same name."""
    file = tmp_path / "game.json"
    file.write_text("precious", encoding="utf-8")

    result = run("play", "--profile", "cady", "--record", file)

    assert result.exit_code == 2
    assert file.read_text(encoding="utf-8") == "precious"
    assert "expected a new file, got one that exists" in result.stderr


def test_pages_are_shown_on_request(run: Run) -> None:
    """Melds with points, last trick, scores, rules, help; anything else is explained."""
    typed = "t\n1\nm\nt\ns\nr\n?\nx\n99\n0\nq\n"
    said = run("play", "--profile", "cady", "--seed", "5", typed=typed).output

    assert "No trick has been played in this hand." in said
    assert re.search(r"Double bezique +Q♠ Q♠ J♦ J♦ +500", said)
    assert re.search(r"takes? the trick \S+ \S+\.", said)
    assert re.search(r"match +\d+ +\d+", said)
    assert "the score sheet" in said
    assert said.count("Type a number from 1 to 8, or one of m t s r ? q.") == 3


def test_menu_after_a_trick_has_cards_and_points(run: Run) -> None:
    """What may be declared is listed, the dearest first, and drawing last (D0.08, D0.21)."""
    said = run(
        "play", "--profile", "streak", "--seed", "7", typed="1\n1\n1\n1\n"
    ).output

    # Deal 7/1/1 gives south K♥ Q♥, hearts being trumps; A♥ wins the second trick.
    assert re.search(r"1 Royal marriage: K♥ Q♥ +\+40\n +2 Draw", said)
    assert "You +40  royal marriage" in said
    assert "K♥*" in said


@pytest.mark.parametrize("profile", PROFILES)
def test_screen_names_only_cards_that_the_player_may_see(
    profile: str, run: Run, tmp_path: Path
) -> None:
    """Before the first play: the own hand, the turn-up, cards cut and shown, no other."""
    file = tmp_path / "game.json"
    said = run("play", "--profile", profile, "--seed", "11", "--record", file).output
    match = position_of(file)
    view = match.view("south")
    box = said[said.index("╭") :]

    known = {*view.held("south"), *view.trick, *view.last_trick, *view.table["north"]}
    known |= {view.turn_up} if view.turn_up else set()
    faces = {card.face.replace("T", "10") for card in known}
    signs = dict(zip("♠♥♣♦", "SHCD", strict=True))
    shown = {face[:-1] + signs[face[-1]] for face in CARD.findall(box)}

    assert shown
    assert shown <= faces


def test_stock_is_counted_only_where_the_table_shows_it(run: Run) -> None:
    """At one table nobody may count the stock (D3.36); at the others it is shown."""
    hidden = run("play", "--profile", "boussac", "--seed", "1").output
    shown = run("play", "--profile", "cady", "--seed", "1").output

    assert "stock open" in hidden
    assert not re.search(r"stock \d", hidden)
    assert "stock 48" in shown


def test_cards_cut_for_the_deal_are_shown(run: Run) -> None:
    """Both cards are named, and who deals (D2.06)."""
    said = run("play", "--profile", "cady", "--seed", "5").output

    found = re.search(r"Cut for the deal: you (\S+), the machine (\S+)\.\n(.*)\n", said)
    assert found
    order = ["A", "10", "K", "Q", "J", "9", "8", "7"]
    mine, other = (order.index(found[n].rstrip("♠♥♣♦")) for n in (1, 2))
    assert found[3] == ("You deal." if mine < other else "The machine deals.")


def test_lot_is_told(run: Run) -> None:
    """Where the lot decides, that is said (D3.25)."""
    assert "The lot decides who deals." in run("play", "--profile", "boussac").output


def test_table_is_chosen_from_a_list(run: Run) -> None:
    """Without --profile the tables are listed with what makes them different."""
    said = run("play", "--plain", typed="9\n2\n").output

    assert said.count("Type a number") == 1
    assert "Bezique after Cady · match 1" in said
    assert run("play", "--plain", typed="q\n").exit_code == 0
    assert run("play", "--plain").exit_code == 0


def test_same_seed_and_same_choices_give_the_same_game(
    run: Run, tmp_path: Path
) -> None:
    """Nothing but the seed is left to chance."""
    one = run(
        "play",
        "--profile",
        "luso",
        "--seed",
        "3",
        "--record",
        tmp_path / "a",
        typed="1\n" * 9,
    )
    two = run(
        "play",
        "--profile",
        "luso",
        "--seed",
        "3",
        "--record",
        tmp_path / "b",
        typed="1\n" * 9,
    )

    assert one.output.replace("/a", "/b") == two.output


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("es", ["Máquina", "mazo", "triunfo", "Robas"]),
        ("pt", ["Máquina", "monte", "trunfo", "Compras "]),
        ("fr", ["Machine", "talon", "atout", "Vous piochez"]),
        ("en", ["Machine", "stock", "trumps", "You draw"]),
    ],
)
def test_every_language_fits_eighty_columns(
    lang: str, words: list[str], run: Run
) -> None:
    """Whole screens in each language, without colour in a pipe, no line too long."""
    typed = "?\nm\ns\nt\n" + "1\n" * 12
    result = run(
        "play", "--profile", "cady", "--lang", lang, "--seed", "4", typed=typed
    )
    told = result.output.split("bezique play --resume")[0]

    assert result.exit_code == 0
    assert all(word in told for word in words)
    assert "\x1b" not in told
    assert [line for line in told.splitlines() if cell_len(line) > 80] == []


def test_leaving_says_how_to_go_on(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the command that was called, in the same language."""
    first, second = tmp_path / "one.json", tmp_path / "two.json"
    words = ("play", "--profile", "cady", "--lang", "pt", "--record")

    named = run(*words, first, typed="q\n").output
    monkeypatch.setenv("BEZIQUE_COMMAND", "python3 run.py")
    by_file = run(*words, second, typed="q\n").output

    assert named.endswith(f"  bezique play --resume {first} --lang pt\n")
    assert by_file.endswith(f"  python3 run.py play --resume {second} --lang pt\n")


def test_widest_hand_fits_eighty_columns(run: Run) -> None:
    """Ten cards, or nine with more melds, in the wordiest language."""
    for words in (["boussac", "--option", "hand_size=10"], ["luso-four-pack"]):
        typed = "m\n" + "1\n" * 4
        said = run(
            "play", "--profile", *words, "--lang", "pt", "--seed", "4", typed=typed
        )
        told = said.output.split("bezique play --resume")[0]

        assert [line for line in told.splitlines() if cell_len(line) > 80] == []


def test_duty_is_said_with_its_reason(run: Run, tmp_path: Path) -> None:
    """In the last tricks the line says what must be played, and why (D0.09, D0.26).

    Cards that may not be played have no number.
    """
    file = tmp_path / "game.json"
    said = run(
        "play", "--profile", "streak", "--seed", "6", "--record", file, typed="1\n" * 38
    ).output
    orders = re.findall(r"▸ (Follow suit|Trump)[^\n]* – [^\n]+", said)  # noqa: RUF001

    assert "The stock is gone: the last tricks begin." in said
    assert orders
    for hand in re.findall(r"\n(  .*\(.*\).*)\n▸ (?:Follow|Trump)", said):
        assert re.search(r"\d (?:10|[AKQJ987])[♠♥♣♦]", hand)


def test_numbers_are_the_legal_actions(run: Run, tmp_path: Path) -> None:
    """The prompt offers as many numbers as there are choices that differ."""
    file = tmp_path / "game.json"
    said = run(
        "play", "--profile", "cady", "--seed", "8", "--record", file, typed="1\n2\n1\n"
    ).output
    match = position_of(file)
    last = re.findall(r"\[1(?:-(\d+))? · \?\]", said)[-1] or "1"

    faces = {
        str(a).replace("1", "").replace("2", "") for a in legal(match.view("south"))
    }
    assert int(last) >= len(faces) - 1 > 0


def test_options_that_contradict_a_resumed_game_are_refused(
    run: Run, tmp_path: Path
) -> None:
    """The kept game settles its rules."""
    result = run("play", "--resume", tmp_path / "x", "--seed", "3")

    assert result.exit_code == 2
    assert "which the game settles" in result.stderr
