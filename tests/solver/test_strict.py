"""What the rules say of the strict tricks, asked clause by clause."""

from pathlib import Path

import pytest

from bezique.engine.moves import apply, legal
from bezique.engine.position import Position, start
from bezique.solver import BeyondTablesError, tables_fit
from bezique.solver.batch import with_suit
from bezique.solver.strict import Strict, strict
from bezique.solver.tables import tables
from tests.solver.scenes import PROFILES, cards, changed_rules, ending, play, rules_of


def asked(profile: str, trump: str | None = "H") -> Strict:
    """Return the strict tricks of a profile."""
    return strict(with_suit(start(rules_of(profile), "south"), trump))


def beats(found: Strict, face: str, led: str) -> bool:
    """Return whether a face beats a led face."""
    return found.beats[found.index[led]][found.index[face]]


# --- who takes a trick -----------------------------------------------------------------------


def test_the_ten_ranks_as_each_table_has_it() -> None:
    """Above the king (D0.12, D2.05, D3.10), or below the jack (D4.05)."""
    for profile in ("streak", "cady", "boussac"):
        assert beats(asked(profile), "TS", "KS")
    for profile in ("luso", "luso-blind", "luso-four-pack"):
        assert not beats(asked(profile), "TS", "JS")


@pytest.mark.parametrize("profile", PROFILES)
def test_identical_cards_do_not_beat_each_other(profile: str) -> None:
    """The first played wins (D4.10-11 are silent; all other documents)."""
    found = asked(profile)

    assert not any(found.beats[face][face] for face in range(len(found.faces)))


@pytest.mark.parametrize("profile", PROFILES)
def test_trumps_beat_other_suits_and_nothing_else_does(profile: str) -> None:
    """A card of another plain suit never wins."""
    found = asked(profile)

    assert beats(found, "7H", "AS")
    assert not beats(found, "AS", "7H")
    assert not beats(found, "AC", "7S")
    assert [found.ruling[found.index[name]] for name in ("7H", "AS")] == [True, False]


def test_without_trumps_no_suit_rules() -> None:
    """Then a card of another suit never beats (D3.24, D4.32)."""
    assert not any(asked("luso-blind", None).ruling)


# --- what must be played ---------------------------------------------------------------------------


@pytest.mark.parametrize("profile", PROFILES)
def test_the_duty_is_beat_follow_trump_any(profile: str) -> None:
    """Follow and beat, else follow, else trump, else any card (D0.26, D2.20, D3.38-40, D4.29-30)."""
    found = asked(profile)
    led = found.index["QS"]
    members = [
        {face for face, at in found.index.items() if rows[led][at]}
        for rows in found.sets
    ]

    assert members[0] >= {"AS", "KS"}
    assert "JS" not in members[0]
    assert members[1] == {face for face in found.index if face.endswith("S")}
    assert members[2] == {face for face in found.index if face.endswith("H")}
    assert len(members[3]) == 32


def test_codes_put_beats_and_duty_together() -> None:
    """Bit 0: it beats the led card; bits 1 to 3: it is in the first, second, third set."""
    made = tables(asked("streak"))
    at = {name: face for face, name in enumerate(made.names)}

    assert made.codes[at["KS"]][at["AS"]] == 0b0111
    assert made.codes[at["AS"]][at["KS"]] == 0b0100
    assert made.codes[at["AS"]][at["7H"]] == 0b1001
    assert made.codes[at["AS"]][at["AC"]] == 0b0000


# --- what is paid -------------------------------------------------------------------------------------


@pytest.mark.parametrize("profile", PROFILES)
def test_aces_and_tens_are_worth_ten(profile: str) -> None:
    """Every brisque is 10 (D0.13, D2.52, D3.47, D4.12); nothing else is worth anything."""
    made = tables(asked(profile))

    assert {
        name: worth for name, worth in zip(made.names, made.worth, strict=True) if worth
    } == {rank + suit: 10 for rank in "AT" for suit in "SHCD"}


def test_the_last_trick_pays_ten_or_fifty() -> None:
    """Ten, but fifty with four packs (D4.48)."""
    assert {profile: asked(profile).last for profile in PROFILES} == {
        "boussac": 10,
        "cady": 10,
        "luso": 10,
        "luso-blind": 10,
        "luso-four-pack": 50,
        "streak": 10,
    }


def test_brisques_close_the_hand_where_they_are_counted_then() -> None:
    """`closing` is what won cards still pay at the end of the hand (D2.52, D3.45)."""
    ace = rules_of("cady").cards["AS1"]

    assert {profile: asked(profile).closing(ace) for profile in PROFILES} == {
        "boussac": 10,
        "cady": 10,
        "luso": 0,
        "luso-blind": 0,
        "luso-four-pack": 0,
        "streak": 0,
    }


def test_only_an_unscored_trump_seven_has_a_bonus() -> None:
    """Played for the first time in any phase, once a physical card (D2.48-51)."""
    found = asked("cady")
    pack = found.rules.cards
    state = {**found.position.state, "sevens": frozenset({pack["7H2"]})}

    assert {name for name, card in pack.items() if found.bonus(card, state)} == {"7H1"}
    assert not any(asked("streak").bonus(card, state) for card in pack.values())


def test_asking_twice_asks_the_rules_once() -> None:
    """The same state gives the same tables; another trump gives others."""
    assert asked("streak") is asked("streak")
    assert asked("streak", "S") is not asked("streak", "H")
    assert tables(asked("streak")) is tables(asked("streak"))


def taken(position: Position, line: str) -> dict[str, int]:
    """Return what each seat is paid in a line of the reference interpreter."""
    for card in cards(position, line):
        position, _ = apply(position, play(card))
    return dict(position.match_points)


def test_worth_is_what_the_interpreter_pays() -> None:
    """A trick of A♠ and 10♠ and the last trick: 20 and 10, as the tables say."""
    position = ending("profile: cady\ntrump: ♥\nsouth: A♠\nnorth: 10♠")
    found = strict(position)
    pack = position.rules.cards

    assert taken(position, "AS1 TS1") == {
        "south": found.worth(pack["AS1"]) + found.worth(pack["TS1"]) + found.last,
        "north": 0,
    }
    assert len(legal(position)) == 1


# --- beyond tables --------------------------------------------------------------------------------------

BEYOND = {
    "duties:\n  free: {when: stock_open}\n  strict: {sets: [ruffs, any_card]}": "strict/ruffs: the lead is not free",
    "terms:\n  behind(c): total(me) < 100 and follows(c)\nduties:\n  strict: {sets: [behind, any_card]}": r"the duty \(behind, any_card\) hangs on match_points",
    "terms:\n  shown(c): c in sevens and follows(c)\nduties:\n  strict: {sets: [shown, any_card]}": "hangs on which of two identical cards it is",
    "after:\n  more/trick: {upon: trick, do: [\"pay(taker, 1, 'last-trick')\"]}": "a trick pays 1 whatever its cards are",
    "after:\n  more/hand: {upon: hand, do: [\"pay(dealer, 10, 'last-trick')\"]}": "more/hand pays south for what another has taken",
    "after:\n  more/hand: {upon: hand, if: len(won(taker)) > 8, do: [\"pay(taker, 10, 'last-trick')\"]}": "more/hand hangs on won",
    "after:\n  more/trick: {upon: trick, do: [\"pay(other(taker), sum(worth(c) for c in trick), 'brisques')\"]}": "more/trick pays north for what another has taken",
    "after:\n  more/play: {upon: play, do: [\"pay(other(me), 1, 'seven')\"]}": "more/play may pay to another than the player",
    "values: {last_trick: -10}": "the last trick is worth less than nothing",
    "values: {brisque: -10}": "a card AS is worth less than nothing",
    "readings: {ending: at-once}": "match/at-once may win upon change",
}


@pytest.mark.parametrize(("text", "reason"), BEYOND.items())
def test_why_rules_are_no_matter_of_tables(
    tmp_path: Path, text: str, reason: str
) -> None:
    """The clause and what it hangs on are told."""
    rules = changed_rules(tmp_path, f"based_on: streak\nsource: D0\n{text}\n")

    with pytest.raises(BeyondTablesError, match=reason):
        tables(strict(start(rules, "south")))

    assert tables_fit(rules) is not None


def test_a_revoke_under_the_other_reading_is_beyond_tables(tmp_path: Path) -> None:
    """`late` then remembers the cards of strict tricks, which change in play."""
    rules = changed_rules(
        tmp_path, "based_on: boussac\nsource: D3\nreadings: {revoke: strict}\n"
    )

    assert tables_fit(rules) == "brisques/hand hangs on late, which changes in play"


def test_an_open_stock_is_beyond_tables() -> None:
    """Tables are for closed stocks only."""
    position = start(rules_of("streak"), "south")

    with pytest.raises(BeyondTablesError, match="the stock is not closed"):
        strict(position.changed(stock=position.rules.pack[:4]))


def test_no_rule_is_known_to_the_code() -> None:
    """No card, meld or profile is named in the solver's code (ADR 2)."""
    folder = Path(__file__).parents[2] / "solver" / "bezique" / "solver"
    names = {
        *("marriage", "sequence", "seven(", "brisque(", "'trump'", '"trump"'),
        *PROFILES,
    }
    for file in folder.glob("*.py"):
        code = "\n".join(
            line for line in file.read_text(encoding="utf-8").split('"""')[::2]
        )
        assert not [name for name in names if name in code], file.name
