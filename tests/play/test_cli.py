"""The command line: what each command prints, and how it refuses."""

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bezique.engine.library import Library
from bezique.spec.data import sources_folder
from bezique.spec.register import read_register

if TYPE_CHECKING:
    from typer.testing import Result

Run = Callable[..., "Result"]
Start = Callable[..., "subprocess.Popen[bytes]"]

NOBODY: dict[str, list[str]] = {"south": [], "north": []}


def position(profile: str, **fields: Any) -> str:  # noqa: ANN401
    """Return a small position as JSON text: north has led the ten of hearts."""
    zero = {"hand": 0, "match": 0}
    written = {
        "profile": profile, "options": {}, "hand": 1, "phase": "follow", "turn": "south",
        "dealer": "north", "turn_up": None, "stock": [], "led": "TH1",
        "hidden": {"south": ["AH1", "9H1", "7S1"], "north": ["7C1", "8C1"]},
        "table": NOBODY, "won": NOBODY, "winner_of_last_trick": None, "last_trick": None,
        "points": {"south": zero, "north": zero}, "results": [], "winner": None,
        "trump": "S", "scored": [], "pending": [], "declared": False, "sevens": [],
        "revoked": [], "barred": [], "partial": True,
    }  # fmt: skip
    return json.dumps(written | fields)


def play(card: str) -> str:
    """Return the action that plays a card, as JSON text."""
    return json.dumps({"do": "play", "card": card})


# --- help and refusals -------------------------------------------------------------------


def test_help_imports_nothing_heavy() -> None:
    """The list of commands needs no rules, no solver and no server."""
    code = (
        "import sys; sys.argv = ['bezique', '--help']\n"
        "from bezique.play.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "heavy = {'numba', 'z3', 'numpy', 'pydantic', 'yaml', 'babel', 'fastapi', 'starlette', 'uvicorn', 'bezique.engine'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    path = [part for part in sys.path if "bezique" not in Path(part).name]
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:] = {path!r}\n{code}"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip

    assert done.stderr == "[]\n"
    assert "perft" in done.stdout


@pytest.mark.long
def test_help_comes_within_half_a_second(begin: Start) -> None:
    """The quickest of five; a busy machine has no say."""
    times = []
    for _ in range(5):
        before = time.perf_counter()
        begin("--help").communicate()
        times.append(time.perf_counter() - before)

    assert min(times) < 0.5


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["play", "--profile", "whist"], "profile: expected one of boussac, cady,"),
        (["play", "--profile", "cady", "--option", "x"], "--option: expected name=value, got 'x'"),
        (["play", "--profile", "luso", "--option", "target=7"], "expected one of 1000, 1500, got 7"),
        (["play", "--profile", "luso", "--option", "target=1000", "--option", "target=1500"], "expected target once"),
        (["play", "--profile", "boussac", "--option", "target=0"], "expected a whole number from 1, got 0"),
        (["play", "--profile", "cady", "--lang", "tlh"], "--lang: expected one of en, es, fr, pt, got 'tlh'"),
        (["deal", "--profile", "cady", "--dealer", "east"], "--dealer: expected one of south, north, got 'east'"),
        (["replay", "/nowhere/at/all.json"], "expected a file to read, got: No such file"),
        (["why", "{", "{}"], "argument: expected JSON"),
        (["why", "{}", "{}"], "profile"),
        (["why", position("cady", led="TX9"), play("AH1")], "led: expected a card of the pack"),
        (["why", position("cady"), '{"do":"play","card":"ZZ"}'], "action.card: expected a card"),
        (["spec", "show", "whist"], "profile: expected one of"),
        (["spec", "check", "/nowhere/rules.yaml"], "rules.yaml"),
        (["deal", "--profile", "cady", "--rules", "/nowhere/rules.yaml"], "rules.yaml"),
        (["perft", "--profile", "cady", "--depth", "-1"], "depth"),
    ],
)  # fmt: skip
def test_refusal_is_one_message_and_exit_code_two(
    words: list[str], told: str, run: Run
) -> None:
    """Nothing a user gives makes a traceback."""
    result = run(*words)

    assert result.exit_code == 2
    assert told in result.stderr
    assert "Traceback" not in result.stderr


def test_quiet_end_when_the_reader_goes(begin: Start) -> None:
    """A pipe that is closed early is no fault."""
    process = begin("spec", "show", "cady")
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None

    assert b"Traceback" not in process.stderr.read()
    process.wait()
    process.stderr.close()
    assert process.stdin is not None
    process.stdin.close()


# --- deals, records, counts ----------------------------------------------------------------


def test_deal_has_every_card_once(run: Run) -> None:
    """Eight cards each, one turned up, 47 in the stock: 64 cards (D0.11, D0.14)."""
    dealt = json.loads(
        run("deal", "--profile", "streak", "--seed", "5", "--json").output
    )
    cards = [*dealt["south"], *dealt["north"], dealt["turn_up"], *dealt["stock"]]

    assert [len(dealt[zone]) for zone in ("south", "north", "stock")] == [8, 8, 47]
    assert len(set(cards)) == 64


def test_deal_is_shown_in_words(run: Run) -> None:
    """Hands, turn-up and stock have a line each, the dealer is marked."""
    said = run("deal", "--profile", "cady", "--dealer", "north", "--lang", "es").output

    assert "Norte (da)" in said
    assert "vuelta" in said


def test_game_deals_what_the_command_deals(run: Run, tmp_path: Path) -> None:
    """The first hand of a game with seed 7 is the deal 7/1/1."""
    file = tmp_path / "game.json"
    run("play", "--profile", "streak", "--seed", "7", "--record", file)
    first = json.loads(file.read_text(encoding="utf-8"))["actions"][0]
    dealer = ["--dealer", "north"]

    assert (
        json.loads(
            run(
                "deal", "--profile", "streak", "--seed", "7/1/1", *dealer, "--json"
            ).output
        )
        == first
    )


def test_replay_tells_every_step(run: Run, tmp_path: Path) -> None:
    """In words with the seats' names; as JSON a line for each action."""
    file = tmp_path / "game.json"
    run("play", "--profile", "cady", "--seed", "5", "--record", file, typed="1\n2\n1\n")
    actions = json.loads(file.read_text(encoding="utf-8"))["actions"]

    lines = [
        json.loads(line) for line in run("replay", file, "--json").output.splitlines()
    ]
    said = run("replay", file, "--lang", "fr").output

    assert [line["action"] for line in lines] == actions
    assert lines[1]["legal"] == 8
    assert "fait la levée" in said
    assert "Nord (donneur)" in said or "Sud (donneur)" in said


def test_replay_names_the_step_that_breaks_the_rules(run: Run, tmp_path: Path) -> None:
    """A record with an impossible action is refused where it goes wrong."""
    file = tmp_path / "game.json"
    run("play", "--profile", "streak", "--seed", "7", "--record", file, typed="1\n")
    written = json.loads(file.read_text(encoding="utf-8"))
    written["actions"][2] = written["actions"][1]
    file.write_text(json.dumps(written), encoding="utf-8")

    result = run("replay", file)

    assert result.exit_code == 2
    assert "step 2: illegal play" in result.stderr
    assert "[play/held]" in result.stderr


def test_perft_counts_the_first_trick(run: Run) -> None:
    """Any of 8 cards may be led and any of 8 played to it: 8, then 64 (D0.14, D0.17)."""
    counted = run("perft", "--profile", "streak", "--depth", "2", "--seed", "1").output
    ten = run(
        "perft", "--profile", "boussac", "--depth", "2", "--option", "hand_size=10"
    ).output

    assert counted == "1: 8\n2: 64\n"
    assert ten == "1: 10\n2: 100\n"


def test_perft_divides_by_the_first_action(run: Run) -> None:
    """Eight leads, eight replies each."""
    lines = run(
        "perft", "--profile", "cady", "--depth", "2", "--divide"
    ).output.splitlines()

    assert len(lines) == 9
    assert all(line.endswith(": 8") for line in lines[:-1])
    assert lines[-1] == "all: 64"


def test_compile_prints_the_code_that_plays(run: Run) -> None:
    """A module of Python, with a function for each clause."""
    printed = run("compile", "boussac", "--option", "bezique_pair=trump-queen").output

    compile(printed, "<printed>", "exec")
    assert printed.startswith('"""boussac, rules ')
    assert 'def if_claim__target(at, me):\n    """claim/target: ' in printed
    assert "def duty_strict(hand, led, trump):" in printed
    assert "TABLE_opposite" in printed


def test_referee_answers_each_line(run: Run) -> None:
    """One reply a line, errors too, until it is told to quit."""
    lines = ['{"op":"hello","id":1}', "nonsense", '{"op":"quit"}', '{"op":"hello"}']
    replies = [
        json.loads(line)
        for line in run("referee", typed="\n".join(lines) + "\n").stdout.splitlines()
    ]

    assert len(replies) == 2
    assert replies[0]["id"] == 1
    assert "cady" in replies[0]["ok"]["profiles"]
    assert replies[1]["error"]["code"] == "bad-request"


# --- why ---------------------------------------------------------------------------------


def test_why_names_clause_statement_and_reading(run: Run) -> None:
    """The ten led must be followed and beaten: D0.26, reading 16."""
    said = run("why", position("streak"), play("9H1")).output

    assert "not legal: play 9H1" in said
    assert "[strict/heads]" in said
    assert "must follow suit with a higher card" in said
    assert "D0.26" in said
    assert "reading beating: must" in said
    assert "#16" in said


def test_why_speaks_for_a_legal_action(run: Run) -> None:
    """The ace that beats the ten may be played, and by which duty."""
    judged = json.loads(run("why", position("streak"), play("AH1"), "--json").output)

    assert judged["legal"] is True
    assert [item["clause"] for item in judged["grounds"]] == [
        "play/when",
        "play/held",
        "strict/heads",
    ]


def test_why_reads_files_and_speaks_spanish(run: Run, tmp_path: Path) -> None:
    """Position and action may be files; statements are those of the table's own document."""
    file = tmp_path / "position.json"
    file.write_text(position("cady"), encoding="utf-8")
    action = tmp_path / "action.json"
    action.write_text(play("7S1"), encoding="utf-8")

    said = run("why", file, action, "--lang", "es").output

    assert "no permitido" in said
    assert "D2.20" in said
    assert "D0." not in said


@pytest.mark.parametrize("lang", ["es", "pt", "fr"])
def test_why_says_nothing_in_english_to_others(run: Run, lang: str) -> None:
    """The detail of the engine is English; elsewhere the sentence of the clause stands alone."""
    words = position("streak"), play("9H1")
    judged = json.loads(run("why", *words, "--json").output)

    said = run("why", *words, "--lang", lang).output

    assert judged["why"].startswith("one of ")
    assert judged["why"] in " ".join(run("why", *words).output.split())
    assert "one of" not in said
    assert f"[{judged['grounds'][0]['clause']}]" in said


def test_why_says_which_reading_forbids_a_meld(run: Run) -> None:
    """A meld of cards on the table alone brings nothing from the hand (D0.23)."""
    shown = position(
        "streak", phase="declare", led=None, stock=["9C1", "9C2"],
        hidden={"south": ["7D1"], "north": ["7C1", "8C1", "9D1"]},
        table={"south": ["KH1", "QH1"], "north": []},
        won={"south": ["7D2", "8D2"], "north": []},
        winner_of_last_trick="south", last_trick=["7D2", "8D2"],
    )  # fmt: skip
    declare = '{"do":"declare","meld":"marriage","cards":["KH1","QH1"]}'

    judged = json.loads(run("why", shown, declare, "--json").output)

    (ground,) = judged["grounds"]
    assert judged["legal"] is False
    assert ground["clause"] == "declare/bring"
    assert [
        item["value"] for item in ground["readings"] if item["choice"] == "bring"
    ] == ["one"]
    assert "D0.23" in [item["id"] for item in ground["statements"]]


# --- the rules ---------------------------------------------------------------------------


HOUSE = "profile: house\nbased_on: cady\nsource: D2\nvalues: {last_trick: 30}\n"


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """Return a rule file of the user's own."""
    file = tmp_path / "house.yaml"
    file.write_text(HOUSE, encoding="utf-8")
    return file


def test_own_rules_work_on_every_command(house: Path, run: Run, tmp_path: Path) -> None:
    """`--rules FILE` adds the profile wherever profiles are named."""
    own, file = ["--rules", house], tmp_path / "game.json"
    hello = '{"op":"hello"}\n{"op":"quit"}\n'

    assert (
        run(
            "play",
            "--profile",
            "house",
            "--seed",
            "1",
            "--record",
            file,
            *own,
            typed="1\n",
        ).exit_code
        == 0
    )
    assert (
        "house"
        in json.loads(run("referee", *own, typed=hello).stdout)["ok"]["profiles"]
    )
    for words in (
        ["play", "--resume", file],
        ["replay", file],
        ["deal", "--profile", "house"],
        ["perft", "--profile", "house", "--depth", "1"],
        ["why", position("house"), play("AH1")],
        ["spec", "check"],
        ["compile", "house"],
        ["spec", "show", "house"],
        ["spec", "show", "house", "--prose", "--lang", "pt"],
        ["spec", "schema"],
        ["spec", "sources"],
    ):
        result = run(*words, *own)
        assert result.exit_code == 0, (words, result.output)


def test_record_of_other_rules_is_refused(
    house: Path, run: Run, tmp_path: Path
) -> None:
    """A game is resumed only under the rules it was begun with."""
    file = tmp_path / "game.json"
    run("play", "--profile", "house", "--record", file, "--rules", house)
    house.write_text(HOUSE.replace("30", "20"), encoding="utf-8")

    result = run("play", "--resume", file, "--rules", house)

    assert result.exit_code == 2
    assert "rules of house: expected those of the record" in result.stderr


def test_check_tells_every_problem_with_its_place(run: Run, tmp_path: Path) -> None:
    """Two faults, two lines, exit code 2; a sound file beside it is still checked."""
    broken = tmp_path / "broken.yaml"
    broken.write_text(
        "profile: broken\nbased_on: cady\nsource: D2\n"
        "melds: {marriage: {points: nonsense}}\nreadings: {growth: sideways}\n",
        encoding="utf-8",
    )
    sound = tmp_path / "house.yaml"
    sound.write_text(HOUSE, encoding="utf-8")

    result = run("spec", "check", broken, sound)

    assert result.exit_code == 2
    lines = result.stderr.splitlines()
    assert sum("broken.yaml:" in line for line in lines) >= 2
    assert any("broken.yaml:4:" in line for line in lines)
    assert "house" in result.stdout


def test_check_passes_the_built_in_rules(run: Run) -> None:
    """Every built-in profile is told with version and digest."""
    result = run("spec", "check")

    assert result.exit_code == 0
    assert len(result.stdout.splitlines()) == len(Library().names)


def test_show_prints_rules_that_load_again(run: Run, tmp_path: Path) -> None:
    """The flattened file is a rule file of the same digest."""
    file = tmp_path / "flat.yaml"
    file.write_text(run("spec", "show", "luso").stdout, encoding="utf-8")

    assert Library([file]).profile("luso").digest == Library().profile("luso").digest


def test_prose_teaches_the_table_in_a_language(run: Run) -> None:
    """A page with a title, and the option that was picked."""
    said = run(
        "spec", "show", "luso", "--prose", "--lang", "pt", "--option", "target=1500"
    ).stdout

    assert said.startswith("# Besigue português")
    assert "1500" in said


def test_schema_is_json(run: Run) -> None:
    """The schema can be given to an editor as it is printed."""
    assert json.loads(run("spec", "schema").stdout)["$schema"].startswith(
        "https://json-schema.org/"
    )


def test_sources_list_statements_with_their_clauses(run: Run) -> None:
    """Every statement has a line; nothing is open, so the command succeeds."""
    result = run("spec", "sources")

    assert result.exit_code == 0, result.stderr
    assert "meld/royal-marriage" in next(
        line for line in result.stdout.splitlines() if line.startswith("D0.21")
    )


def test_rule_that_nothing_realises_fails_the_sources(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A statement without clauses is named on stderr, and the exit code is 1."""
    folder = tmp_path / "sources"
    shutil.copytree(sources_folder(), folder)
    file = folder / "statements" / "D0.yaml"
    lines = file.read_text(encoding="utf-8").splitlines()
    at = lines.index("  - id: D0.28")
    clauses = next(n for n in range(at, at + 9) if lines[n].startswith("    clauses:"))
    lines[clauses] = "    clauses: []"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    monkeypatch.setattr("bezique.spec.register.register", lambda: read_register(folder))

    result = run("spec", "sources")

    assert result.exit_code == 1
    assert "D0.28" in result.stderr


def test_version_is_told(run: Run) -> None:
    """One line, the name and the version."""
    result = run("--version")

    assert result.exit_code == 0
    assert result.stdout.startswith("bezique ")
