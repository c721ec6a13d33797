"""`solve` in the referee protocol and at the command line, `analyse`, `endings`."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from bezique.engine.codec import position_json, record_json
from bezique.engine.dealing import deal, shuffled
from bezique.engine.moves import apply
from bezique.engine.position import start
from bezique.engine.record import Record
from bezique.engine.referee import Referee
from bezique.play.cli import app
from bezique.solver.endgame import solve
from bezique.solver.operation import card_rows, line_rows, solve_request
from tests.solver.scenes import LIBRARY, PRINTED, cards, ending, paid, rules_of
from tests.solver.test_analyse import played

Run = Callable[..., str]


@pytest.fixture
def run() -> Run:
    """Return what a command prints; its exit code must be the one expected."""

    def printed(*arguments: str, given: str = "", code: int = 0) -> str:
        done = CliRunner().invoke(app, list(arguments), input=given)
        assert done.exit_code == code, done.output
        return done.output

    return printed


def answer(**request: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return a referee's answer."""
    referee = Referee(LIBRARY, "0", {"solve": solve_request})
    reply = referee.answer(json.dumps(request))
    assert reply is not None
    found: dict[str, Any] = json.loads(reply)
    return found


# --- the protocol ---------------------------------------------------------------------------


def test_the_referee_solves() -> None:
    """Margin for the player to move, and a line that pays it."""
    position = ending(PRINTED)

    reply = answer(op="solve", position=position_json(position))

    assert reply["ok"]["margin"] == -70
    assert paid(position, cards(position, " ".join(reply["ok"]["line"]))) == -70


def test_the_referee_says_that_it_can_solve() -> None:
    """The capability is listed."""
    assert "solve" in answer(op="hello")["ok"]["capabilities"]


def test_an_open_stock_is_a_bad_position() -> None:
    """Which is said with the number of cards."""
    begun = start(rules_of("streak"), "north")
    position, _ = apply(begun, deal(begun, shuffled(begun.rules, 1)))

    reply = answer(op="solve", position=position_json(position))

    assert reply["error"]["code"] == "bad-position"
    assert "48 cards still to be drawn" in reply["error"]["message"]


def test_a_request_without_position_is_bad() -> None:
    """The field is named."""
    assert answer(op="solve")["error"]["code"] == "bad-request"


# --- the command line -----------------------------------------------------------------------


def test_solve_prints_cards_and_line(run: Run, tmp_path: Path) -> None:
    """The margin, each class of cards, the best line trick by trick."""
    file = tmp_path / "ending.txt"
    file.write_text(
        "profile: luso\ntrump: ♥\nsouth: A♠ 8♥\nnorth: K♠ 7♥\n", encoding="utf-8"
    )

    lines = run("solve", str(file)).splitlines()

    assert lines[0] == "south to move: +20"
    assert lines[2].split() == ["cards", "margin", "match"]
    assert [line.split()[:2] for line in lines[3:5]] == [["A♠", "+20"], ["8♥", "+20"]]
    assert [line.split() for line in lines[6:9]] == [
        ["trick", "south", "north"],
        ["1", "A♠", "*", "K♠"],
        ["2", "8♥", "*", "7♥"],
    ]


def test_solve_reads_standard_input_and_tells_more(run: Run) -> None:
    """`-` and `-v`: nodes, time and what answered."""
    out = run("solve", "-", "-v", given=PRINTED)

    assert out.startswith("north to move: -70")
    assert " nodes, " in out


def test_solve_prints_json(run: Run) -> None:
    """The reply of the protocol, with every card."""
    found = json.loads(run("solve", "-", "--json", given=PRINTED))

    assert found["margin"] == -70
    assert sorted(card for row in found["cards"] for card in row["cards"]) == sorted(
        str(card) for card in ending(PRINTED).hidden["north"]
    )


def test_solve_warns_where_points_are_not_all(run: Run) -> None:
    """Both at the target: the last trick may take the match."""
    position = position_json(
        ending("north: Q♣ A♠ Q♥\nsouth: K♣ A♦ J♥", "boussac", turn_up=False)
    )
    position["points"] = {
        "south": {"hand": 1010, "match": 1010},
        "north": {"hand": 990, "match": 990},
    }

    out = run("solve", "-", given=json.dumps(position))

    assert "north to move: +10" in out
    assert out.splitlines()[3].split() == ["Q♣", "-10", "won"]
    assert "winner of the last trick" in out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("south: A♠ K♠\nnorth: 7♦", "equal sizes"),
        ("south: A♠ 1♠\nnorth: 7♦", "a card such as"),
        ("{", "expected JSON"),
    ],
)
def test_solve_refuses_with_one_message(run: Run, text: str, message: str) -> None:
    """Exit code 2 and the reason."""
    assert message in run("solve", "-", given=text, code=2)


def test_analyse_prints_every_strict_card(run: Run, tmp_path: Path) -> None:
    """As a table with sums, and as JSON."""
    record = played("streak", 7)
    file = tmp_path / "record.json"
    file.write_text(json.dumps(record_json(record)), encoding="utf-8")

    lines = run("analyse", str(file)).splitlines()
    found = json.loads(run("analyse", str(file), "--json"))

    assert lines[0].split()[:4] == ["hand", "trick", "seat", "card"]
    assert len(lines) == 1 + 16 + 2
    assert lines[-1].startswith("given away: south ")
    assert len(found["cards"]) == 16
    assert found["given_away"] == {
        seat: sum(row["given_away"] for row in found["cards"] if row["seat"] == seat)
        for seat in ("south", "north")
    }


def test_analyse_refuses_a_record_that_breaks_the_rules(
    run: Run, tmp_path: Path
) -> None:
    """The step is told."""
    record = played("streak", 7)
    file = tmp_path / "record.json"
    broken = Record(
        record.rules, record.dealer, (*record.actions[:5], *record.actions[6:])
    )
    file.write_text(json.dumps(record_json(broken)), encoding="utf-8")

    assert "step 5" in run("analyse", str(file), code=2)


def test_endings_are_built_and_checked(run: Run, tmp_path: Path) -> None:
    """To a file or to standard output, the same lines."""
    file = tmp_path / "endings.jsonl"

    run(
        "endings",
        "build",
        "4",
        "--seed",
        "9",
        "--cards",
        "3",
        "--jobs",
        "1",
        "--out",
        str(file),
    )
    out = run("endings", "build", "4", "--seed", "9", "--cards", "3", "--jobs", "1")

    assert file.read_text(encoding="utf-8") == out
    assert run("endings", "check", str(file)) == "4 endings accepted\n"


def test_wrong_endings_are_refused(run: Run, tmp_path: Path) -> None:
    """Exit code 2, the line and why."""
    file = tmp_path / "endings.jsonl"
    run("endings", "build", "1", "--cards", "3", "--jobs", "1", "--out", str(file))
    head, line = file.read_text(encoding="utf-8").splitlines()
    written = json.loads(line)
    written["margin"] += 10
    file.write_text(f"{head}\n{json.dumps(written)}\n", encoding="utf-8")

    assert "line 2: RefusedError: at least" in run(
        "endings", "check", str(file), code=2
    )


# --- rows ---------------------------------------------------------------------------------------


def test_a_line_from_the_middle_of_a_trick() -> None:
    """The card already led stands in the first row."""
    position = ending("profile: luso\ntrump: ♥\nnorth: K♠ 7♥\nled: A♠\nsouth: 8♥")
    solution = solve(position)

    assert line_rows(position, solution) == [("1", "A♠ *", "K♠"), ("2", "8♥ *", "7♥")]
    assert card_rows(solution) == [("K♠", "-20", "open")]
