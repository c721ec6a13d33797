"""Rubicon bezique: a table of another book, from a scratch rule file alone.

The numbers of laws are those of Hoyle's Games Modernized (1909).  Expected points and
results are counted by hand from them.
"""

import io
import json
import subprocess
import sys
from typing import Any

import pytest

from bezique.engine import (
    Library,
    Position,
    Referee,
    apply,
    deal,
    new_series,
    position_json,
    shuffled,
    start,
)
from bezique.spec.data import rules_folder
from tests.engine.players import play
from tests.engine.table import (
    action,
    chosen,
    do,
    menu,
    points,
    refused,
    scene,
    scored,
    told,
)

FILE = rules_folder() / "experimental" / "rubicon.yaml"
LIBRARY = Library([FILE])
RULES = LIBRARY.rules("rubicon")


def club(**fields: object) -> Position:
    """Return a scene at the rubicon table."""
    return scene("rubicon", LIBRARY, **fields)


def last_trick(south: int, north: int, **won: str) -> Position:
    """Return the last trick of a hand before south wins it; the totals are without it."""
    return club(
        phase="follow", turn="south", led="9H1", south="AH1", trump="S", points=(south, north),
        **won,
    )  # fmt: skip


# --- results (the laws on the score of a game) ------------------------------------------

WORKED = [(1510, 1240, 800), (1550, 1520, 600), (1320, 620, 3200)]


@pytest.mark.parametrize(("won", "lost", "result"), WORKED)
def test_worked_results(won: int, lost: int, result: int) -> None:
    """Hundreds of the difference and 500; a near thing; a rubicon (law 57 and after)."""
    before = last_trick(won - 50, lost)

    after, events = apply(before, action(before, "play AH1"))

    assert points(after) == (won, lost)
    assert after.winner == "south"
    assert [event.fields["worth"] for event in events if event.name == "match"] == [
        result
    ]
    assert new_series(RULES).after_match(after).shown() == {"balance": str(result)}


def test_loser_below_a_hundred_pays_a_hundred_more() -> None:
    """1200 against 90: 12 hundreds and none, 1300, and 100 more make 2600."""
    before = last_trick(1150, 90)

    _, events = apply(before, action(before, "play AH1"))

    assert [event.fields["worth"] for event in events if event.name == "match"] == [
        2600
    ]


def test_level_totals_are_decided_by_brisques() -> None:
    """Two brisques for south, the ace just won being one, against one for north."""
    before = last_trick(1150, 1200, south_won="TS1", north_won="TC1")

    assert told(before, "play AH1") == [
        "south 50 last-trick", "south 20 brisques", "north 10 brisques",
    ]  # fmt: skip


def test_brisques_save_the_loser_from_the_rubicon() -> None:
    """980 and two brisques are 1000; with one they would not count."""
    saved = last_trick(1250, 980, north_won="TC1 AC1")
    lost = last_trick(1250, 980, north_won="TC1")

    assert "north 20 brisques" in told(saved, "play AH1")
    assert told(lost, "play AH1") == ["south 50 last-trick"]


# --- carte blanche (laws 24-26) -----------------------------------------------------------


def blank() -> Position:
    """Return a dealt hand of south, who leads, without a court card."""
    return club(
        phase="lead", winner_of_last_trick=None,
        south="AS1 AH1 AC1 TS1 TH1 TC1 9S1 9H1 8S1", north="KD1 KD2 KD3 KD4 QD1 QD2 QD3 QD4 JC1",
        stock="7C1 KC1 7D1 QC1 KS1 JC2 7H1 JC3 7H2 JC4",
    )  # fmt: skip


def test_carte_blanche_scores_50_before_a_card_is_played() -> None:
    """Only a hand without king, queen and jack, and once a deal."""
    before = blank()

    assert told(before, "carte-blanche") == ["south 50 carte-blanche"]
    assert refused(do(before, "carte-blanche"), "carte-blanche") == "carte-blanche/once"
    assert refused(do(before, "play AH1"), "carte-blanche") == "carte-blanche/no-court"


def test_carte_blanche_goes_on_with_each_draw_until_a_court_card_comes() -> None:
    """South draws a seven, again 50; then a king ends it for good."""
    once = do(blank(), "carte-blanche", "play AC1", "play KD1", "draw")
    assert told(once, "carte-blanche") == ["south 50 carte-blanche"]
    again = do(once, "carte-blanche", "play AS1", "play KD2", "draw")

    assert points(again)[0] == 100
    assert told(again, "carte-blanche") == ["south 50 carte-blanche"]
    king = do(again, "carte-blanche", "play AH1", "play KD3", "draw")
    assert refused(king, "carte-blanche") == "carte-blanche/no-court"
    gone = do(king, "play KS1", "play KD4", "draw")
    assert refused(gone, "carte-blanche") == "carte-blanche/unbroken"


def test_carte_blanche_not_called_at_first_is_lost() -> None:
    """Without the first 50 there is none after a draw."""
    silent = do(blank(), "play AC1", "play KD1", "draw")

    assert refused(silent, "carte-blanche") == "carte-blanche/unbroken"


# --- melds (laws 27-48) -------------------------------------------------------------------


def test_first_marriage_or_sequence_makes_trumps() -> None:
    """The first scored marriage is royal; a first sequence scores 250."""
    marriage = club(south="KH1 QH1")
    sequence = club(south="AH1 TH1 KH1 QH1 JH1")

    assert told(marriage, "declare royal-marriage KH1 QH1") == [
        "south 40 royal-marriage"
    ]
    assert do(marriage, "declare royal-marriage KH1 QH1").state["trump"] == "H"
    assert told(sequence, "declare sequence AH1 TH1 KH1 QH1 JH1") == [
        "south 250 sequence"
    ]
    assert do(sequence, "declare sequence AH1 TH1 KH1 QH1 JH1").state["trump"] == "H"


def test_plain_sequence_is_150_once_there_are_trumps() -> None:
    """In another suit than trumps."""
    table = club(south="AH1 TH1 KH1 QH1 JH1", trump="S")

    assert told(table, "declare plain-sequence AH1 TH1 KH1 QH1 JH1") == [
        "south 150 plain-sequence"
    ]


def broken(fourth: str) -> Position:
    """Return a hand with four kings scored, of which one is gone, and another king."""
    kings = "KS1 KH1 KC1"
    gone = {"north_won": "KD1"} if fourth != "KD1" else {}
    return club(
        south_table=kings if gone else f"{kings} KD1", south="KD2", trump="S",
        scored=scored("four-kings KS1 KH1 KC1 KD1"), **gone,
    )  # fmt: skip


def test_broken_meld_is_formed_again() -> None:
    """A king of the four is played; another makes 80 once more (law 34)."""
    assert told(broken("KD2"), "declare four-kings KS1 KH1 KC1 KD2") == [
        "south 80 four-kings"
    ]


def test_meld_that_is_whole_is_not_formed_again() -> None:
    """A fifth king beside four that still lie there scores nothing (law 34)."""
    assert (
        refused(broken("KD1"), "declare four-kings KS1 KH1 KC1 KD2") == "declare/reuse"
    )


def test_marriages_cross() -> None:
    """Two kings and two queens of a suit make four marriages, never the same twice (law 35)."""
    table = club(
        south_table="KH1 QH1 KH2 QH2", trump="S",
        scored=scored("marriage KH1 QH1", "marriage KH2 QH2"),
    )  # fmt: skip

    assert menu(table) == {"declare marriage KH1 QH2", "declare marriage KH2 QH1"}


def test_sequence_after_its_marriage_and_not_before() -> None:
    """A marriage extends to a sequence (law 36); its king and queen never marry (law 37)."""
    married = club(
        south="AH1 TH1 JH1", south_table="KH1 QH1", trump="H", scored=scored("royal-marriage KH1 QH1")
    )  # fmt: skip
    after = club(
        south="KH2 QH2", south_table="AH1 TH1 KH1 QH1 JH1", trump="H",
        scored=scored("sequence AH1 TH1 KH1 QH1 JH1"),
    )  # fmt: skip

    assert told(married, "declare sequence AH1 TH1 KH1 QH1 JH1") == [
        "south 250 sequence"
    ]
    assert menu(after) == {"declare royal-marriage KH2 QH2"}


def test_beziques_unite_later() -> None:
    """Single, single, double, triple, quadruple: each scores in full (law 38)."""
    table = club(
        south_table="QS1 JD1 QS2 JD2 QS3 JD3", south="QS4 JD4", trump="C",
        scored=scored("bezique QS1 JD1", "bezique QS2 JD2"),
    )  # fmt: skip
    pairs = [f"QS{copy} JD{copy}" for copy in range(1, 5)]

    for count, name, value in (
        (2, "double-bezique", 500), (3, "triple-bezique", 1500), (4, "quadruple-bezique", 4500),
    ):  # fmt: skip
        text = f"declare {name} {' '.join(pairs[:count])}"
        assert told(table, text) == [f"south {value} {name}"]


def waiting(**fields: object) -> Position:
    """Return a turn to declare with four queens announced."""
    return club(
        south_table="QC1 QC2 QD2 QS1", trump="S", stock="9D1 9D2 9D3 9D4",
        pending=scored("four-queens QC1 QC2 QD2 QS1"), **fields,
    )  # fmt: skip


def test_waiting_meld_dies_with_its_card() -> None:
    """A card of an announced meld is played: it scores no more (law 46)."""
    table = waiting(north="7C1 7C2 7C3")

    assert do(table, "draw").state["pending"] == table.state["pending"]
    assert do(table, "draw", "play QC1").state["pending"] == ()


def test_waiting_marriage_dies_with_the_sequence() -> None:
    """The higher meld scored first takes the lower away (laws 47, 48)."""
    table = club(
        south_table="KH1 QH1", south="AH1 TH1 JH1", trump="H",
        pending=scored("royal-marriage KH1 QH1"),
    )  # fmt: skip

    assert do(table, "declare sequence AH1 TH1 KH1 QH1 JH1").state["pending"] == ()


def test_one_declaration_a_trick_and_no_sevens() -> None:
    """A second meld waits for another trick; the seven of trumps is only a card."""
    table = do(club(south="KH1 QH1 QS1 JD1 7S1", trump="S"), "declare bezique QS1 JD1")

    assert refused(table, "declare marriage KH1 QH1") == "declare/one-a-trick"
    assert menu(table, "seven") == set()


def test_last_nine_tricks_are_strict() -> None:
    """Follow and win; else trump."""
    follows = club(phase="follow", led="9H1", south="AH1 7H1 7S1", trump="S")
    trumps = club(phase="follow", led="9H1", south="AC1 7S1", trump="S")

    assert menu(follows, "play") == {"play AH1"}
    assert menu(trumps, "play") == {"play 7S1"}


# --- the whole --------------------------------------------------------------------------


def test_four_packs_nine_cards_and_no_turned_card() -> None:
    """128 cards, nine each; one hand is a match."""
    before = start(RULES, "north")
    dealt, _ = apply(before, deal(before, shuffled(RULES, 1)))

    assert len(RULES.pack) == 128
    assert [len(cards) for cards in dealt.hidden.values()] == [9, 9]
    assert (dealt.turn_up, len(dealt.stock)) == (None, 110)


@pytest.mark.parametrize("style", ["random", "eager", "patient", "lucky"])
def test_hand_is_a_match(style: str) -> None:
    """Sixty-four tricks, then a winner or a draw."""
    steps = list(play(RULES, 3, style))

    assert sum(event.name == "trick" for step in steps for event in step[3]) == 64
    assert steps[-1][2].over
    assert steps[-1][2].hand == 1


def asked(*requests: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what `bezique referee --rules FILE` answers to requests, in a process of its own."""
    lines = "".join(json.dumps(request) + "\n" for request in requests)
    done = subprocess.run(
        [sys.executable, "-m", "bezique.play", "referee", "--rules", str(FILE)],
        input=lines, capture_output=True, text=True, check=True, timeout=60,
        env={"PYTHONPATH": ":".join(sys.path)},
    )  # fmt: skip
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_worked_results_come_over_the_protocol() -> None:
    """The referee knows the table and says what a match is worth."""
    hello, *answers = asked(
        {"op": "hello"},
        *(
            {
                "op": "apply",
                "position": position_json(last_trick(won - 50, lost)),
                "action": {"do": "play", "card": "AH1"},
            }
            for won, lost, _ in WORKED
        ),
    )

    assert "rubicon" in hello["ok"]["profiles"]
    assert [
        event["worth"]
        for answer in answers
        for event in answer["ok"]["events"]
        if event["event"] == "match"
    ] == [result for _, _, result in WORKED]


def test_match_is_played_over_the_protocol() -> None:
    """From `start` to `over` by nothing but lines."""

    def ask(request: dict[str, Any]) -> Any:  # noqa: ANN401
        out = io.BytesIO()
        Referee(LIBRARY, "1").serve(io.BytesIO(json.dumps(request).encode()), out)
        return json.loads(out.getvalue())["ok"]

    position = ask({"op": "start", "profile": "rubicon", "dealer": "north"})["position"]
    first = deal(start(RULES, "north"), shuffled(RULES, 2))
    dealt = {
        name: [str(card) for card in first.arguments[name]]
        for name in ("south", "north", "stock")
    }
    done: dict[str, Any] = {"do": "deal", **dealt, "turn_up": None}
    steps = 0
    while True:
        position = ask({"op": "apply", "position": position, "action": done})[
            "position"
        ]
        if position["phase"] == "over":
            break
        actions = ask({"op": "legal", "position": position})["actions"]
        steps += 1
        done = actions[chosen(2, steps, len(actions))]

    assert position["winner"] in ("south", "north", "draw")
    assert steps >= 128
