"""What the documents say, played: expected values are theirs or counted by hand.

Numbers such as D2.63 are statements; rows are those of the register of readings.
"""

import pytest

from bezique.engine import (
    Position,
    apply,
    cut_for_deal,
    deal,
    legal,
    new_series,
    shuffled,
    start,
)
from tests.engine.table import (
    PROFILES,
    do,
    menu,
    new_hand,
    paid,
    points,
    refused,
    rules_of,
    scene,
    scored,
    take,
    told,
)

LOW = "8S1 8H1 8C1 9C1 9H1 7H1 7C1"
"""Seven cards that lose to any ace or king led."""


# --- reuse of cards (rows 4 to 8) --------------------------------------------------------


def kings_queen_sequence(profile: str) -> Position:
    """Return diamonds trumps, four kings in hand, the rest of the sequence to come."""
    return scene(
        profile,
        trump="D",
        south="KD1 KS1 KH1 KC1 AD1 TD1 AS1",
        north=LOW,
        stock="QD1 7S1 JD1 9S1 8D1 9D1",
    )


@pytest.mark.parametrize("profile", ["cady", "boussac", "luso", "streak"])
def test_kings_then_marriage_then_sequence_score_370(profile: str) -> None:
    """D2.61-65: four kings 80, queen of trumps 40, ace ten jack 250, together 370."""
    position = kings_queen_sequence(profile)

    first = told(position, "declare four-kings KD1 KS1 KH1 KC1")
    position = do(position, "declare four-kings KD1 KS1 KH1 KC1")
    position = take(position, "AS1", "8S1")
    second = told(position, "declare royal-marriage KD1 QD1")
    position = do(position, "declare royal-marriage KD1 QD1")
    position = take(position, "KC1", "8C1")
    third = told(position, "declare sequence AD1 TD1 KD1 QD1 JD1")
    position = do(position, "declare sequence AD1 TD1 KD1 QD1 JD1")

    assert first == ["south 80 four-kings"]
    assert second == ["south 40 royal-marriage"]
    assert third == ["south 250 sequence"]
    # Where brisques count with the trick, the ace of spades has brought 10 more.
    assert points(position)[0] == 370 + (10 if profile in ("luso", "streak") else 0)


@pytest.mark.parametrize("profile", ["cady", "boussac", "luso", "streak"])
def test_another_queen_renews_no_marriage(profile: str) -> None:
    """D2.66, D2.45: the king has served in its class, whichever queen it stands by."""
    position = scene(
        profile,
        trump="D",
        south="QD2",
        south_table="KD1",
        scored=scored("royal-marriage KD1 QD1"),
    )

    assert refused(position, "declare royal-marriage KD1 QD2") == "declare/reuse"
    assert menu(position) == set()


def royal(profile: str) -> Position:
    """Return spades trumps and the whole sequence in south's hand."""
    return scene(
        profile,
        trump="S",
        south="AS1 TS1 KS1 QS1 JS1 AH1 AC1",
        north=LOW,
        stock="7D1 7D2 8D1 8D2",
    )


@pytest.mark.parametrize("profile", ["streak", "cady", "boussac", "luso"])
def test_royal_marriage_then_sequence_scores_290(profile: str) -> None:
    """D0.36, D2.41, D4.21: 40 first and 250 later."""
    position = do(royal(profile), "declare royal-marriage KS1 QS1")

    position = take(position, "AH1", "8H1")

    assert told(position, "declare sequence AS1 TS1 KS1 QS1 JS1") == [
        "south 250 sequence"
    ]


@pytest.mark.parametrize("profile", ["streak", "cady", "boussac", "luso"])
def test_sequence_first_scores_250_and_bars_the_marriage(profile: str) -> None:
    """D0.36, D0.25, D2.41, D4.22: the other way round the 40 are lost."""
    position = do(royal(profile), "declare sequence AS1 TS1 KS1 QS1 JS1")

    position = take(position, "AH1", "8H1")

    assert refused(position, "declare royal-marriage KS1 QS1") == "declare/reuse"


def test_fresh_king_and_queen_marry_after_a_sequence() -> None:
    """Row 7: what scored in the sequence stays barred, a fresh pair does not."""
    position = scene(
        trump="S",
        south="KS2 QS2",
        south_table="AS1 TS1 KS1 QS1 JS1",
        scored=scored("sequence AS1 TS1 KS1 QS1 JS1"),
    )

    assert menu(position) == {"declare royal-marriage KS2 QS2"}


def test_scored_king_joins_four_kings() -> None:
    """D0.38, D2.44, D4.23: reuse in another class."""
    position = scene(
        south="KS1 KH1 KC1",
        south_table="KD1 QD1",
        trump="D",
        scored=scored("royal-marriage KD1 QD1"),
    )

    assert told(position, "declare four-kings KD1 KS1 KH1 KC1") == [
        "south 80 four-kings"
    ]


BOTH = "QS1 QS2 JD1 JD2"


def beziques(profile: str, *melds: str) -> Position:
    """Return all four cards held, of which some melds have scored and lie on the table."""
    cards = {card for meld in melds for card in meld.split()[1:]}
    shown = [card for card in BOTH.split() if card in cards]
    rest = [card for card in BOTH.split() if card not in cards]
    return scene(
        profile,
        trump="H",
        south=" ".join(rest),
        south_table=" ".join(shown),
        scored=scored(*melds),
    )


FIRST, SECOND = "bezique QS1 JD1", "bezique QS2 JD2"


@pytest.mark.parametrize(
    ("profile", "melds", "allowed"),
    [
        ("streak", (FIRST,), True),  # D0.37: 40 + 500
        ("cady", (FIRST,), True),  # D2.42
        ("boussac", (FIRST,), True),
        ("luso", (FIRST,), False),  # D4.24-25: all four at the same time
        ("luso-blind", (FIRST,), False),
        ("luso-four-pack", (FIRST,), False),
        ("streak", (FIRST, SECOND), False),  # row 4: no hidden card is left
        ("cady", (FIRST, SECOND), True),  # D2.42: 40 + 40 + 500
        ("boussac", (FIRST, SECOND), True),
        ("luso", (FIRST, SECOND), False),
    ],
)
def test_double_bezique_after_singles(
    profile: str, melds: tuple[str, ...], *, allowed: bool
) -> None:
    """Row 4: whether singles grow into a double, 500 on top of what they scored."""
    position = beziques(profile, *melds)

    clause = refused(position, f"declare double-bezique {BOTH}")

    if allowed:
        paying = told(position, f"declare double-bezique {BOTH}")
        assert paying == ["south 500 double-bezique"]
    else:
        assert clause == "bezique/growth"


def test_single_then_double_scores_540_in_play() -> None:
    """D0.37, D2.42: 40 and, after another trick, 500."""
    for profile in ("streak", "cady"):
        position = scene(
            profile, trump="H", south=f"{BOTH} AC1 8D1 9D1", north=LOW, stock="7S1 7S2"
        )
        position = do(position, f"declare {FIRST}")
        before = points(position)[0]
        position = scene(
            profile,
            trump="H",
            south="QS2 JD2 8D1 9D1",
            south_table="QS1 JD1",
            scored=scored(FIRST),
            points=(before, 0),
        )

        position = do(position, f"declare double-bezique {BOTH}")

        assert points(position) == (540, 0)


def test_two_singles_then_double_scores_580_in_play() -> None:
    """D2.42: both forties are kept."""
    position = scene(
        trump="H",
        south=f"{BOTH} AC1 AC2 AH1",
        north=LOW,
        stock="7S1 7S2 7D1 7D2 8D1 8D2",
    )

    position = take(do(position, f"declare {FIRST}"), "AC1", "8C1")
    position = take(do(position, f"declare {SECOND}"), "AC2", "9C1")
    position = do(position, f"declare double-bezique {BOTH}")

    assert points(position) == (580, 0)


@pytest.mark.parametrize("profile", PROFILES)
def test_all_four_at_once_score_500_and_bar_singles(profile: str) -> None:
    """D2.43, D0.25: 500, and a single with any of those cards never again."""
    position = beziques(profile)

    paying = told(position, f"declare double-bezique {BOTH}")
    after = beziques(profile, f"double-bezique {BOTH}")

    assert paying == ["south 500 double-bezique"]
    assert refused(after, f"declare {FIRST}") == "declare/reuse"


@pytest.mark.parametrize("profile", PROFILES)
def test_scored_queen_makes_no_bezique_with_another_jack(profile: str) -> None:
    """D2.39, D4.24: a card never serves twice on one level."""
    position = beziques(profile, FIRST)

    assert refused(position, "declare bezique QS1 JD2") == "declare/reuse"
    assert refused(position, f"declare {SECOND}") is None


# --- what a declaration needs (rows 2 and 3) ------------------------------------------------


def test_four_of_a_kind_needs_four_suits_in_streak_alone() -> None:
    """D0.21 against D2.31 and D4.04."""
    two_spades = "AS1 AS2 AH1 AC1"

    allowed = {
        profile: refused(
            scene(profile, trump="D", south=two_spades),
            f"declare four-aces {two_spades}",
        )
        for profile in PROFILES
    }

    assert allowed == {
        "streak": "four/suits",
        "cady": None,
        "boussac": None,
        "luso": None,
        "luso-blind": None,
        "luso-four-pack": None,
    }


@pytest.mark.parametrize(
    ("profile", "clause"), [("streak", "declare/bring"), ("cady", None)]
)
def test_declaration_from_tabled_cards_alone(profile: str, clause: str | None) -> None:
    """D0.23: in the streak game at least one card comes from the hidden ones."""
    tabled = "KS1 QS1 KH1 QH1 KC1 QC1 KD1"
    melds = ("marriage KS1 QS1", "marriage KH1 QH1", "royal-marriage KC1 QC1")
    position = scene(
        profile, trump="C", south_table=tabled, scored=scored(*melds, "bezique QS2 JD1")
    )

    assert refused(position, "declare four-kings KS1 KH1 KC1 KD1") == clause


def test_one_declaration_a_trick() -> None:
    """D0.20, D2.35, D3.34, D4.19."""
    for profile in PROFILES:
        position = scene(profile, trump="S", south="KH1 QH1 KC1 QC1")
        position = do(position, "declare marriage KH1 QH1")

        assert refused(position, "declare marriage KC1 QC1") == "declare/one-a-trick"
        assert menu(position) == set()


@pytest.mark.parametrize(
    ("cards", "meld", "worth"),
    [
        ("AS1 TS1 KS1 QS1 JS1", "sequence", 250),
        ("KS1 QS1", "royal-marriage", 40),
        ("KH1 QH1", "marriage", 20),
        ("QS1 JD1", "bezique", 40),
        ("QS1 QS2 JD1 JD2", "double-bezique", 500),
        ("AS1 AH1 AC1 AD1", "four-aces", 100),
        ("KS1 KH1 KC1 KD1", "four-kings", 80),
        ("QS1 QH1 QC1 QD1", "four-queens", 60),
        ("JS1 JH1 JC1 JD1", "four-jacks", 40),
    ],
)
@pytest.mark.parametrize("profile", PROFILES)
def test_melds_score_what_the_tables_say(
    profile: str, cards: str, meld: str, worth: int
) -> None:
    """D0.21, D2.25-33, D3.12-23, D4.04, and four tens nothing (D2.32)."""
    position = scene(profile, trump="S", south=f"{cards} TH1 TC1")

    assert told(position, f"declare {meld} {cards}") == [f"south {worth} {meld}"]


def test_four_tens_are_no_meld() -> None:
    """D2.32: nothing is offered for them."""
    for profile in PROFILES:
        position = scene(profile, trump="S", south="TS1 TH1 TC1 TD1")

        assert menu(position) == set()


def test_four_packs_know_larger_melds() -> None:
    """D4.43-50: plain sequence 150, triple bezique 1500, quadruple 4500."""
    three = "QS1 QS2 QS3 JD1 JD2 JD3"
    plain = scene("luso-four-pack", trump="S", south="AH1 KH1 QH1 JH1 TH1")
    triple = scene("luso-four-pack", trump="H", south=three)
    four = scene("luso-four-pack", trump="H", south=f"{three} QS4 JD4")

    assert told(plain, "declare plain-sequence AH1 KH1 QH1 JH1 TH1") == [
        "south 150 plain-sequence"
    ]
    assert told(triple, f"declare triple-bezique {three}") == [
        "south 1500 triple-bezique"
    ]
    assert told(four, f"declare quadruple-bezique {three} QS4 JD4") == [
        "south 4500 quadruple-bezique"
    ]


def test_plain_sequence_scores_again_once_its_suit_is_trumps() -> None:
    """Row 32, D4.20: a higher meld of the same cards; in trumps it is never a plain one."""
    cards = "AH1 KH1 QH1 JH1 TH1"
    before = scene("luso-four-pack", trump=None, south=cards)
    after = scene(
        "luso-four-pack",
        trump="H",
        south_table=cards,
        scored=scored(f"plain-sequence {cards}"),
    )

    assert refused(before, f"declare plain-sequence {cards}") is None
    assert told(after, f"declare sequence {cards}") == ["south 250 sequence"]
    assert refused(after, f"declare plain-sequence {cards}") == "plain-sequence/suit"


# --- the sevens (rows 9, 10, 13, 31) -----------------------------------------------------------


def with_seven(profile: str, **given: object) -> Position:
    """Return spades trumps, a king turned up, the seven of trumps in south's hand."""
    return scene(
        profile, **{"trump": "S", "turn_up": "KS1", "south": "7S1 KH1 QH1", **given}
    )


@pytest.mark.parametrize(
    ("profile", "ways"),
    [
        ("streak", {"seven 7S1 exchange"}),  # D0.20: exchanged whenever it can be
        ("cady", {"seven 7S1", "seven 7S1 exchange"}),  # D2.48
        ("boussac", {"seven 7S1 exchange"}),  # D3.29
        ("luso", {"seven 7S1", "seven 7S1 exchange"}),  # D4.15-16
    ],
)
def test_ways_of_the_seven(profile: str, ways: set[str]) -> None:
    """Row 9: ten points, the turned card for the hand, the seven in its place."""
    position = with_seven(profile)

    after = do(position, "seven 7S1 exchange")

    assert menu(position, "seven") == ways
    assert told(position, "seven 7S1 exchange") == ["south 10 seven"]
    assert str(after.turn_up) == "7S1"
    assert "KS1" in map(str, after.hidden["south"])


@pytest.mark.parametrize(
    ("profile", "ways"),
    [
        ("streak", {"seven 7S2"}),
        ("cady", {"seven 7S2"}),
        ("boussac", set()),
        ("luso", {"seven 7S2"}),
    ],
)
def test_seven_is_never_exchanged_for_a_seven(profile: str, ways: set[str]) -> None:
    """Row 10, D0.20: shown it scores, except where only the exchange does (D3.29)."""
    position = with_seven(profile, turn_up="7S1", south="7S2", sevens=["7S1"])

    assert menu(position, "seven") == ways


def test_sevens_are_worth_nothing_where_no_card_is_turned() -> None:
    """D4.33, D4.37."""
    for profile in ("luso-blind", "luso-four-pack"):
        position = scene(profile, trump="S", south="7S1")

        assert menu(position, "seven") == set()
        assert do(position, "draw", "play 7S1").state["sevens"] == frozenset()


@pytest.mark.parametrize("profile", ["streak", "cady", "luso"])
def test_seven_goes_beside_the_declaration(profile: str) -> None:
    """Row 31, D0.20, D2.49: before it and after it."""
    position = with_seven(profile)

    seven_first = do(position, "seven 7S1 exchange", "declare marriage KH1 QH1")
    meld_first = do(position, "declare marriage KH1 QH1", "seven 7S1 exchange")

    assert points(seven_first) == points(meld_first) == (30, 0)


def test_seven_is_the_turn_s_declaration_in_boussac() -> None:
    """Row 31, D3.34: nothing else is shown or counted in that turn."""
    position = with_seven("boussac")

    seven_first = do(position, "seven 7S1 exchange")
    meld_first = do(position, "declare marriage KH1 QH1")

    assert refused(seven_first, "declare marriage KH1 QH1") == "declare/one-a-trick"
    assert refused(meld_first, "seven 7S1 exchange") == "seven/one-a-trick"


@pytest.mark.parametrize("profile", ["cady", "luso"])
def test_shown_seven_is_exchanged_later_without_points(profile: str) -> None:
    """Row 9, D2.50-51: one bonus a physical card."""
    position = do(with_seven(profile), "seven 7S1")

    assert points(position) == (10, 0)
    assert menu(position, "seven") == {"seven 7S1 exchange"}
    assert told(position, "seven 7S1 exchange") == []


@pytest.mark.parametrize(
    ("profile", "paying"),
    [("cady", ["south 10 seven"]), ("streak", []), ("luso", []), ("boussac", [])],
)
@pytest.mark.parametrize("stock", ["", "8D1 8D2"])
def test_seven_played(profile: str, paying: list[str], stock: str) -> None:
    """D2.48: in that table alone a seven scores by being played, in either phase."""
    position = scene(profile, phase="lead", trump="S", south="7S1 8H1", stock=stock)
    again = scene(
        profile, phase="lead", trump="S", south="7S1 8H1", stock=stock, sevens=["7S1"]
    )

    assert told(position, "play 7S1") == paying
    assert told(again, "play 7S1") == []


@pytest.mark.parametrize("profile", ["streak", "cady", "boussac", "luso"])
def test_dealer_scores_a_turned_seven_once(profile: str) -> None:
    """Row 13, D0.15, D2.48, D3.28, D4.09: ten at once, and that card never again."""
    rules = rules_of(profile)
    pack = [card for card in shuffled(rules, 1) if str(card) != "7D2"]
    pack.insert(16, rules.cards["7D2"])
    position = start(rules, "north")

    after, events = apply(position, deal(position, pack))

    assert paid(events) == ["north 10 turn-up-seven"]
    assert after.state["sevens"] == {rules.cards["7D2"]}
    assert after.state["trump"] == "D"


# --- waiting announcements (rows 25 and 37) ------------------------------------------------------


def waiting() -> Position:
    """Return four queens waiting, and a bezique that has just scored."""
    position = scene(
        trump="H",
        south="QS1 QH1 QC1 QD1 JD1 AS1 KS1",
        north=LOW,
        stock="7D1 7D2 8D1 8D2 9D1 9D2",
    )
    return do(
        position, "declare bezique QS1 JD1", "announce four-queens QS1 QH1 QC1 QD1"
    )


def test_announcement_shows_cards_and_scores_nothing_yet() -> None:
    """D2.36, D2.38: it waits beside a declaration that scores."""
    position = waiting()

    assert points(position) == (40, 0)
    assert [str(item) for item in position.state["pending"]] == [
        "four-queens QC1 QD1 QH1 QS1"
    ]
    assert {str(card) for card in position.table["south"]} == {
        "QS1",
        "QH1",
        "QC1",
        "QD1",
        "JD1",
    }


def test_what_waits_cannot_be_announced_again() -> None:
    """One announcement of the same meld and cards is enough."""
    clause = refused(waiting(), "announce four-queens QS1 QH1 QC1 QD1")

    assert clause == "announce/again"


def test_waiting_cards_are_shared() -> None:
    """Row 37: a second announcement may use a card of the first."""
    position = do(waiting(), "announce marriage KS1 QS1")

    assert len(position.state["pending"]) == 2


def test_waiting_announcement_scores_after_a_later_trick() -> None:
    """D2.36: an ordinary declaration of the same meld and cards."""
    position = take(waiting(), "AS1", "8S1")

    assert told(position, "declare four-queens QS1 QH1 QC1 QD1") == [
        "south 60 four-queens"
    ]
    assert do(position, "declare four-queens QS1 QH1 QC1 QD1").state["pending"] == ()


def test_playing_a_waiting_card_loses_the_announcement() -> None:
    """D2.37."""
    position = do(waiting(), "draw", "play QC1")

    assert position.state["pending"] == ()


def test_score_that_bars_a_waiting_announcement_loses_it() -> None:
    """Row 25: a sequence scored bars the marriage that waits with its king and queen."""
    position = scene(trump="S", south="AS1 TS1 KS1 QS1 JS1 8H1 9H1")
    position = do(position, "announce royal-marriage KS1 QS1")

    position = do(position, "declare sequence AS1 TS1 KS1 QS1 JS1")

    assert position.state["pending"] == ()


def test_end_of_the_stock_loses_what_waits() -> None:
    """D2.18-19, D2.37: the cards return to the hand, the scores stay."""
    position = scene(
        trump="H", south="QS1 QH1 QC1 QD1 AS1", north="8S1", stock="7D1 7D2"
    )
    position = do(position, "announce four-queens QS1 QH1 QC1 QD1", "draw")

    assert position.state["pending"] == ()
    assert position.table == {"south": frozenset(), "north": frozenset()}
    assert position.phase == "lead"
    assert menu(position, "declare") == set()


def test_announcing_is_for_cady_alone() -> None:
    """D2.36: no other document lets an announcement wait."""
    have = {p: "announce" in rules_of(p).profile.actions for p in PROFILES}

    assert [name for name, has in have.items() if has] == ["cady"]


# --- tricks (rows 14 to 16 and 33) ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("led", "reply", "winner"),
    [
        ("AH1", "TH1", "south"),
        ("TH1", "KH1", "south"),  # the ten is above the king (D0.12, D2.05, D3.10)
        ("KH1", "TH1", "north"),
        ("QH1", "KH1", "north"),
        ("KH1", "KH2", "south"),  # identical: the first wins (D0.12, D2.13, D3.35)
        ("AH1", "7S1", "north"),  # a trump takes it (D0.18)
        ("7S1", "AH1", "south"),
        ("9S1", "8S1", "south"),
        ("7H1", "AC1", "south"),  # another plain suit never wins (row 33)
    ],
)
def test_winner_of_a_trick(led: str, reply: str, winner: str) -> None:
    """D0.12, D0.18, D2.05, D2.13, D3.35; spades are trumps."""
    for profile in ("streak", "cady", "boussac"):
        position = scene(
            profile, phase="lead", trump="S", south=led, north=reply, stock="8D1 8D2"
        )

        assert do(position, f"play {led}", f"play {reply}").taker == winner


@pytest.mark.parametrize("profile", ["luso", "luso-blind", "luso-four-pack"])
def test_ten_is_below_the_jack_in_luso(profile: str) -> None:
    """D4.05."""
    position = scene(
        profile, phase="lead", trump="S", south="TH1", north="JH1", stock="8D1 8D2"
    )

    assert do(position, "play TH1", "play JH1").taker == "north"


@pytest.mark.parametrize(
    ("led", "hand", "legal_cards"),
    [
        ("KH1", "AH1 QH1 7S1", "AH1"),  # follow and beat
        ("AH1", "TH1 KH1 7S1", "TH1 KH1"),  # cannot beat: follow
        ("AH2", "AH1 KH1 7S1", "AH1 KH1"),  # an identical card does not beat
        ("AH1", "7S1 AC1 8S1", "7S1 8S1"),  # no heart: trump
        ("AH1", "AC1 9C1 9D1", "AC1 9C1 9D1"),  # neither: any
        ("8S1", "AH1 7S1 9S1", "9S1"),  # trumps led
        ("AS1", "AH1 7S1 9S1", "7S1 9S1"),
    ],
)
def test_strict_tricks(led: str, hand: str, legal_cards: str) -> None:
    """Row 16, D0.26, D2.20, D3.38-40, D4.29-30; spades are trumps."""
    for profile in PROFILES:
        position = scene(
            profile, phase="follow", trump="S", turn="north", led=led, north=hand
        )

        assert menu(position, "play") == {
            f"play {card}" for card in legal_cards.split()
        }


def test_any_card_goes_while_the_stock_is_open() -> None:
    """D0.17, D2.12, D3.37, D4.10."""
    for profile in PROFILES:
        position = scene(
            profile,
            phase="follow",
            trump="S",
            turn="north",
            led="AH1",
            north="TH1 7S1 AC1",
            stock="8D1 8D2",
        )

        assert len(menu(position, "play")) == 3


@pytest.mark.parametrize("profile", PROFILES)
def test_when_brisques_count(profile: str) -> None:
    """Row 14: with the trick (D0.13, D4.12) or after the last one (D2.52, D3.45)."""
    at_once = profile not in ("cady", "boussac")
    position = scene(
        profile, phase="lead", trump="S", south="AH1", north="TH1", stock="8D1 8D2"
    )
    position = do(position, "play AH1")

    assert told(position, "play TH1") == (["south 20 brisques"] if at_once else [])


@pytest.mark.parametrize("profile", ["cady", "boussac"])
def test_brisques_of_the_hand_are_told_before_the_last_trick(profile: str) -> None:
    """D2.52-53, D3.44-47: ten each, an ace no more than a ten; then ten for the last trick."""
    position = scene(
        profile,
        phase="lead",
        trump="S",
        south="AH1",
        north="8H1",
        south_won="TH1 7D1",
        north_won="AC1 TC1",
    )
    position = do(position, "play AH1")

    assert told(position, "play 8H1") == [
        "south 20 brisques",
        "north 20 brisques",
        "south 10 last-trick",
    ]


@pytest.mark.parametrize("profile", PROFILES)
def test_last_trick_pays(profile: str) -> None:
    """D0.13, D2.53, D3.44, D4.31: 10; D4.52-53: 50 with four packs."""
    position = scene(profile, phase="lead", trump="S", south="KH1", north="8H1")
    worth = 50 if profile == "luso-four-pack" else 10

    assert told(do(position, "play KH1"), "play 8H1") == [f"south {worth} last-trick"]


# --- the first marriage without a turned card (row 17) ------------------------------------------------


@pytest.mark.parametrize("profile", ["luso-blind", "luso-four-pack", "boussac"])
def test_first_marriage_makes_trumps(profile: str) -> None:
    """D4.32, D3.24: it scores 40, and later marriages of other suits 20."""
    options = {"turn_up": False} if profile == "boussac" else {}
    position = scene(profile, options=options, south="KH1 QH1 KC1 QC1")

    after = do(position, "declare royal-marriage KH1 QH1")
    later = scene(
        profile,
        options=options,
        trump="H",
        south="KC1 QC1",
        south_table="KH1 QH1",
        scored=scored("royal-marriage KH1 QH1"),
    )

    assert menu(position) == {
        "declare royal-marriage KH1 QH1",
        "declare royal-marriage KC1 QC1",
    }
    assert points(after) == (40, 0)
    assert after.state["trump"] == "H"
    assert menu(later) == {"declare marriage KC1 QC1"}


def test_no_sequence_before_there_are_trumps() -> None:
    """Row 17: no sequence in trumps; a plain one counts in any suit."""
    cards = "AH1 KH1 QH1 JH1 TH1"

    blind = scene("luso-blind", south=cards)
    four = scene("luso-four-pack", south=cards)

    assert menu(blind) == {"declare royal-marriage KH1 QH1"}
    assert refused(blind, f"declare sequence {cards}") == "sequence/trumps"
    assert refused(four, f"declare plain-sequence {cards}") is None


def test_without_trumps_the_last_tricks_have_none() -> None:
    """Row 17: no marriage all hand."""
    position = scene(
        "luso-blind", phase="follow", turn="north", led="AH1", north="7S1 8C1"
    )

    assert menu(position, "play") == {"play 7S1", "play 8C1"}


# --- the deal and the draw (rows 18, 19, 22 to 24, 29) -------------------------------------------------


@pytest.mark.parametrize(
    ("profile", "options", "packets"),
    [
        ("streak", {}, (3, 2, 3)),
        ("cady", {}, (3, 2, 3)),
        ("luso", {}, (3, 2, 3)),
        ("boussac", {"hand_size": 9}, (3, 3, 3)),
        ("boussac", {"hand_size": 10}, (3, 2, 3, 2)),
        ("luso-four-pack", {}, (3, 3, 3)),
        ("luso-four-pack", {"hand_size": 8}, (3, 2, 3)),
    ],
)
def test_packets(
    profile: str, options: dict[str, int], packets: tuple[int, ...]
) -> None:
    """Row 18, D2.07, D3.27, D4.07: to the non-dealer first; the next card is turned."""
    rules = rules_of(profile, **options)
    position = start(rules, "south")

    done = deal(position, rules.pack)

    expected: dict[str, list[str]] = {"north": [], "south": []}
    rest = [str(card) for card in rules.pack]
    for packet in packets:
        for seat in expected:
            expected[seat] += rest[:packet]
            rest = rest[packet:]
    turned = rest.pop(0) if rules.turns_up else None
    got = {seat: list(map(str, done.arguments[seat])) for seat in expected}
    assert got == expected
    assert done.arguments["turn_up"] == (rules.cards[turned] if turned else None)
    assert [str(card) for card in done.arguments["stock"]] == rest


def test_sizes_of_the_packs() -> None:
    """D0.11, D2.04: 64 cards, 47 left face down (D2.08); D4.34: 128 and none turned."""
    cady, four = new_hand(rules_of("cady")), new_hand(rules_of("luso-four-pack"))

    assert (len(cady.rules.pack), len(cady.stock)) == (64, 47)
    assert (len(four.rules.pack), len(four.stock), four.turn_up) == (128, 110, None)


def test_cut_for_deal() -> None:
    """Row 19, D2.06, D4.06: the higher card deals, equal ones are cut again."""
    cady, luso = rules_of("cady"), rules_of("luso")
    ten, king, other = (cady.cards[name] for name in ("TS1", "KH1", "KC2"))

    assert cut_for_deal(cady, {"south": ten, "north": king}) == "south"
    assert cut_for_deal(luso, {"south": ten, "north": king}) == "north"
    assert cut_for_deal(cady, {"south": other, "north": king}) is None


@pytest.mark.parametrize("profile", PROFILES)
def test_non_dealer_leads_and_the_dealer_changes(profile: str) -> None:
    """D2.06, D2.09, D3.26, D4.10: the other deals the next hand."""
    position = new_hand(rules_of(profile), dealer="south")
    last = scene(profile, phase="lead", trump="S", south="8H1", north="9H1")

    after = do(last, "play 8H1", "play 9H1")

    assert position.turn == "north"
    assert (last.dealer, after.dealer) == ("north", "south")
    assert (after.phase, after.turn, after.hand) == ("deal", "chance", 2)


def test_loser_draws_the_turned_card_last() -> None:
    """D2.17, D4.26-27: the last covered card to the winner, the turned one to the loser."""
    position = do(scene(trump="S", turn_up="KS1", stock="8D1", south="AH1"), "draw")

    assert "8D1" in map(str, position.hidden["south"])
    assert "KS1" in map(str, position.hidden["north"])


def test_who_draws_first_in_boussac() -> None:
    """Row 22, D3.31-33: the winner, or by agreement always the non-dealer."""
    draws = {}
    for order in ("winner", "fixed"):
        position = scene(
            "boussac",
            options={"draw_order": order},
            trump="S",
            dealer="south",
            south="AH1",
            stock="8D1 8D2",
        )
        draws[order] = "8D1" in map(str, do(position, "draw").hidden["south"])

    assert draws == {"winner": True, "fixed": False}


def test_bezique_of_the_trump_queen() -> None:
    """Row 23, D3.59-60: with hearts trumps the pair is Q♥ and J♣."""
    by_trumps = {"S": "QS1 JD1", "H": "QH1 JC1", "C": "QC1 JH1", "D": "QD1 JS1"}
    for trump, pair in by_trumps.items():
        position = scene(
            "boussac",
            options={"bezique_pair": "trump-queen"},
            trump=trump,
            south="QS1 JD1 QH1 JC1 QC1",
        )
        extra = scene(
            "boussac",
            options={"bezique_pair": "trump-queen"},
            trump=trump,
            south=pair,
        )
        found = {item for item in menu(position) if "bezique" in item}

        assert all(set(pair.split()) == set(item.split()[2:]) for item in found)
        assert refused(extra, f"declare bezique {pair}") is None


# --- the end of a match (row 20) -----------------------------------------------------------------------


def last_trick(profile: str, here: tuple[int, int], **given: object) -> Position:
    """Return the position after a last trick that brings south 10 and no brisques."""
    position = scene(
        profile, phase="lead", trump="S", south="KH1", north="8H1", points=here, **given
    )
    return do(position, "play KH1", "play 8H1")


@pytest.mark.parametrize(
    ("here", "winner"),
    [
        ((390, 100), "south"),  # 400 and ahead
        ((380, 100), None),  # 390: a second hand
        ((390, 410), "north"),  # both have 400, north is ahead
        ((390, 400), None),  # level at 400
        ((100, 400), "north"),
    ],
)
def test_first_hand_ends_the_streak_match(
    here: tuple[int, int], winner: str | None
) -> None:
    """D0.28: 400 or more and ahead."""
    position = last_trick("streak", here)

    assert position.winner == winner
    assert position.hand == (1 if winner else 2)


@pytest.mark.parametrize(
    ("earlier", "here", "winner"),
    [
        ((300, 200), (90, 100), "south"),
        ((200, 300), (90, 100), "north"),
        ((200, 300), (190, 100), "draw"),  # 400 each
    ],
)
def test_second_hand_decides_the_streak_match(
    earlier: tuple[int, int], here: tuple[int, int], winner: str
) -> None:
    """D0.29: the higher total of both hands; equal totals are a draw."""
    assert last_trick("streak", here, earlier=(earlier,)).winner == winner


@pytest.mark.parametrize(
    ("profile", "here", "winner"),
    [
        ("cady", (990, 400), "south"),  # D2.55-56
        ("cady", (980, 400), None),  # D2.58
        ("cady", (1000, 1200), "north"),
        ("cady", (1090, 1100), "draw"),  # D2.57
        ("luso", (1090, 1100), None),  # equal: another hand
        ("luso", (990, 400), "south"),
        ("luso-blind", (990, 400), "south"),
        ("boussac", (990, 400), "south"),  # unclaimed
        ("boussac", (990, 1500), "south"),  # D3.52: both: the last trick decides
        ("boussac", (900, 1500), "north"),
    ],
)
def test_target_ends_a_match(
    profile: str, here: tuple[int, int], winner: str | None
) -> None:
    """D2.55-58, D3.52, D4.03, after the hand is finished."""
    assert last_trick(profile, here).winner == winner


def test_luso_to_1500() -> None:
    """D4.03: if they wish."""
    options = {"options": {"target": 1500}}

    assert last_trick("luso", (1400, 400), **options).winner is None
    assert last_trick("luso", (1490, 400), **options).winner == "south"


def test_claim_wins_at_the_target_while_the_stock_is_open() -> None:
    """Row 20, D3.48-50: after a trick, on the total at that moment; no result is written."""
    below = scene("boussac", trump="S", points=(990, 0), south="KH1 QH1")
    after = do(below, "declare marriage KH1 QH1")

    won = do(after, "claim")

    assert refused(below, "claim") == "claim/target"
    assert refused(do(after, "draw"), "claim") == "claim/when"
    assert (won.winner, won.phase, won.turn, won.results) == ("south", "over", None, ())
    assert won.hidden == after.hidden
    assert won.state["declared"] is False


def test_target_of_boussac_is_an_option() -> None:
    """Row 21: any whole number from 1."""
    position = scene("boussac", options={"target": 10}, trump="S", points=(10, 0))

    assert do(position, "claim").winner == "south"


# --- rulings on a recorded table (rows 26 and 27) --------------------------------------------------------


def revoke() -> Position:
    """Return a strict trick of boussac in which north has to follow."""
    return scene(
        "boussac",
        phase="follow",
        turn="north",
        trump="S",
        led="AH1",
        north="KH1 8C1",
        south="TC1",
        south_won="7D1 8D1",
        north_won="AC1 TD1",
    )


def test_revoke_is_noted_and_costs_the_points_of_tricks() -> None:
    """Row 26, D3.41-42: neither brisques nor the last trick for who revoked."""
    position = revoke()

    after = do(position, "play 8C1", lenient=True)
    followed = do(position, "play KH1", lenient=True)
    ending = do(after, "play TC1")

    assert refused(position, "play 8C1") == "strict/follows"
    assert after.state["revoked"] == {"north"}
    assert followed.state["revoked"] == frozenset()
    # South wins both tricks: A♥ and 10♣; north's A♣ and 10♦ count for nobody.
    assert told(ending, "play KH1") == ["south 20 brisques", "south 10 last-trick"]
    assert do(ending, "play KH1").state["revoked"] == frozenset()


def test_last_trick_of_a_revoker_counts_for_nobody() -> None:
    """Row 26: its winner has revoked."""
    position = scene(
        "boussac",
        phase="lead",
        trump="S",
        south="AH1",
        north="8H1",
        north_won="TC1 7C1",
        revoked=["south"],
    )

    assert told(do(position, "play AH1"), "play 8H1") == ["north 10 brisques"]


def test_declarations_of_a_revoker_stand() -> None:
    """D3.42: what was marked before stays."""
    position = scene(
        "boussac",
        phase="lead",
        trump="S",
        south="AH1",
        north="8H1",
        points=(250, 0),
        revoked=["south"],
    )

    assert do(position, "play AH1", "play 8H1").results[0]["south"] == 250


def test_too_many_cards_bar_declarations_until_corrected() -> None:
    """Row 27, D3.53."""
    position = scene("boussac", trump="S", south="KH1 QH1")
    ruling = "ruling too-many-cards south"

    barred = do(position, ruling, lenient=True)
    corrected = do(barred, "ruling count-corrected south", lenient=True)

    assert refused(position, ruling) == "action/known"
    assert barred.state["barred"] == {"south"}
    assert refused(barred, "declare marriage KH1 QH1") == "declare/barred"
    assert refused(barred, ruling, lenient=True) == "ruling/barred"
    assert refused(corrected, "declare marriage KH1 QH1") is None


def test_too_few_cards_are_drawn_from_the_stock() -> None:
    """Row 27, D3.54: up to the full hand; an odd last card of the stock is left."""
    full = new_hand(rules_of("boussac"))
    seven = sorted(full.hidden["north"])[1:]
    short = full.changed(
        hidden=full.hidden.__class__({**full.hidden, "north": frozenset(seven)}),
        partial=True,
    )

    after = do(short, "ruling too-few-cards north", lenient=True)

    assert len(after.held("north")) == 8
    assert after.left == short.left - 1
    assert refused(full, "ruling too-few-cards north", lenient=True) == "ruling/too-few"


def test_stock_that_a_ruling_ends_ends_the_turn() -> None:
    """Row 27: with one card left nobody draws or declares, and the last tricks begin."""
    position = scene(
        "boussac",
        trump="S",
        turn_up="KS1",
        stock="8D1",
        south="AH1 AC1 AD1 TH1 TC1 TD1 8S1",
        north="9H1 9C1 9D1 8H1 8C1 9S1 7C1",
    )
    short = position.changed(
        hidden=position.hidden.__class__(
            {
                **position.hidden,
                "north": position.hidden["north"] - {position.rules.cards["7C1"]},
            }
        )
    )

    after = do(short, "ruling too-few-cards north", lenient=True)

    assert (after.phase, after.turn, after.left) == ("lead", "south", 1)
    assert len(after.held("north")) == len(after.held("south")) == 7


def test_recorded_hands_may_be_unlike_and_end_with_the_shorter() -> None:
    """Row 27, D3.53: an extra card noticed at the end changes nothing."""
    position = revoke().changed(trick=())
    position = position.changed(phase="lead", turn="south", partial=True)

    after = do(position, "play TC1", "play 8C1", lenient=True)

    assert after.phase == "deal"
    assert after.results == ({"south": 20, "north": 20},)


@pytest.mark.parametrize("profile", ["cady", "streak", "luso"])
def test_lenient_changes_nothing_without_rulings(profile: str) -> None:
    """Row 26: play against the machine never allows it."""
    position = scene(
        profile, phase="follow", turn="north", trump="S", led="AH1", north="KH1 8C1"
    )

    assert refused(position, "play 8C1", lenient=True) == "strict/follows"
    assert refused(position, "ruling too-many-cards south", lenient=True) is not None


# --- from match to match (rows 19 and 30) -------------------------------------------------------------------


def finished(margin: int) -> Position:
    """Return a finished match of the streak game that south wins by a margin."""
    here = (190 + margin, 200)
    return last_trick("streak", here, earlier=((0, 0),))


def test_score_of_the_streak_game() -> None:
    """D0.31: three wins with margins of 870 together are 3.0870; D0.30: level four."""
    series = new_series(rules_of("streak"))

    for margin in (300, 250, 320):
        series = series.after_match(finished(margin))

    assert series.shown() == {"level": "4", "score": "3.0870", "best": "3.0870"}


def test_margin_part_stops_at_9999() -> None:
    """D0.31: 25 wins by 410 are 10250, of which 9999 count; D0.30: never above level 5."""
    series = new_series(rules_of("streak"))

    for _ in range(25):
        series = series.after_match(finished(410))

    assert series.shown() == {"level": "5", "score": "25.9999", "best": "25.9999"}


@pytest.mark.parametrize("margin", [-50, 0])
def test_loss_or_draw_ends_the_streak(margin: int) -> None:
    """D0.30; the best score stays."""
    series = new_series(rules_of("streak")).after_match(finished(300))

    after = series.after_match(finished(margin))

    assert after.shown() == {"level": "1", "score": "0.0000", "best": "1.0300"}


def test_nothing_is_best_before_the_first_win() -> None:
    """D0.03-04."""
    series = new_series(rules_of("streak"))

    assert series.shown() == {"level": "1", "score": "0.0000", "best": "\N{EN DASH}"}


def test_first_dealer_alternates_from_match_to_match() -> None:
    """D0.16: the machine deals the first match, then they take turns."""
    series = new_series(rules_of("streak"))
    dealers = []

    for margin in (100, -100, 0, 100):
        dealers.append(series.first_dealer)
        series = series.after_match(finished(margin))

    assert dealers == ["north", "south", "north", "south"]
    assert new_hand(rules_of("streak"), dealer="north").turn == "south"


@pytest.mark.parametrize("profile", ["cady", "boussac", "luso"])
def test_cut_or_lot_decides_elsewhere(profile: str) -> None:
    """Row 19: the rules name no seat."""
    assert new_series(rules_of(profile)).first_dealer is None


def test_legal_is_empty_for_chance_and_when_over() -> None:
    """Nobody is to move."""
    assert legal(start(rules_of("cady"), "north")) == ()
    assert legal(last_trick("cady", (990, 0))) == ()
