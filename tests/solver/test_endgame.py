"""The endgame: exact margins, every card's value, one best line."""

import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bezique.engine.dealing import deal, shuffled
from bezique.engine.moves import apply, legal
from bezique.engine.position import Position, start
from bezique.solver import (
    BadEndingError,
    BeyondTablesError,
    StockOpenError,
    TooManyCardsError,
    compiled,
    margin,
    minimax,
    solve,
)
from bezique.solver.endgame import Method, Solution
from tests.solver.scenes import (
    BOTH_AT_THE_TARGET,
    PRINTED,
    PROFILES,
    cards,
    changed_rules,
    drawn,
    ending,
    half_played,
    paid,
    rules_of,
    with_points,
)
from tests.tables import telling

METHODS: tuple[Method, ...] = ("kernel", "twin")


def values(solution: Solution) -> dict[str, int]:
    """Return the margin of every card."""
    return {str(card): item.margin for item in solution.classes for card in item.cards}


def worked_out(position: Position) -> dict[str, int]:
    """Return the margin of every card by full-width minimax over the reference interpreter."""
    return {
        str(action.arguments["card"]): value
        for action, value in minimax.margins(position).items()
    }


def agrees(position: Position) -> None:
    """Kernel and twin give minimax's margin for every legal card, in as many nodes; the line pays it."""
    truth = worked_out(position)

    kernel, twin = (solve(position, method) for method in METHODS)

    assert kernel.method == "kernel"
    assert twin.method == "twin"
    for found in (kernel, twin):
        assert found.margin == max(truth.values())
        assert values(found) == truth
        assert paid(position, found.line) == found.margin
    assert kernel.nodes == twin.nodes
    assert kernel.classes == twin.classes


# --- exact -----------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_printed_deal_is_70_for_south(method: Method) -> None:
    """South takes 60 points of brisques more than North, and the last trick at 10."""
    found = solve(ending(PRINTED), method)

    assert found.margin == -70


def test_printed_deal_is_60_without_the_last_trick(tmp_path: Path) -> None:
    """The same deal where the last trick pays nothing: the brisques alone."""
    rules = changed_rules(
        tmp_path, "based_on: streak\nsource: D0\nvalues: {last_trick: 0}\n"
    )
    position = ending(PRINTED)

    found = solve(position.changed(rules=rules))

    assert found.margin == -60


@pytest.mark.parametrize("profile", telling(PROFILES))
def test_small_endings_are_those_of_minimax(profile: str) -> None:
    """Every card of endings of 1 to 4 cards has the value that playing out every line gives."""
    chance = random.Random(f"small {profile}")
    rules = rules_of(profile)

    for size, count in ((1, 4), (2, 25), (3, 12), (4, 2)):
        for _ in range(count):
            agrees(drawn(rules, size, chance))


@pytest.mark.parametrize("profile", PROFILES)
def test_endings_in_the_middle_of_a_trick_are_those_of_minimax(profile: str) -> None:
    """The player who is to follow has exact values too."""
    chance = random.Random(f"half {profile}")
    rules = rules_of(profile)

    for _ in range(8):
        agrees(half_played(drawn(rules, chance.choice((2, 3)), chance), chance))


@pytest.mark.long
@pytest.mark.parametrize("profile", PROFILES)
def test_many_endings_are_those_of_minimax(profile: str) -> None:
    """Hundreds of endings of each of 2 to 5 cards, in each profile."""
    chance = random.Random(f"many {profile}")
    rules = rules_of(profile)

    for size, count in ((2, 250), (3, 250), (4, 120), (5, 20)):
        for _ in range(count):
            position = drawn(rules, size, chance)
            agrees(half_played(position, chance) if chance.random() < 0.3 else position)


@pytest.mark.long
@pytest.mark.parametrize("profile", PROFILES)
def test_larger_endings_are_those_of_minimax(profile: str) -> None:
    """Endings of 6 cards, and a few of 7 and 8, where tricks are paid as they are won."""
    chance = random.Random(f"larger {profile}")
    rules = rules_of(profile)
    at_once = profile not in ("boussac", "cady")
    sizes = ((6, 60), (7, 4), (8, 2)) if at_once else ((6, 30),)

    for size, count in sizes:
        for _ in range(count):
            position = drawn(rules, size, chance)

            truth = minimax.margin(position, {}, forget_won=at_once)

            assert solve(position, "kernel").margin == truth
            assert solve(position, "twin").margin == truth


def test_forgetting_what_was_won_changes_nothing_where_tricks_are_paid_at_once() -> (
    None
):
    """The long test's minimax, which remembers positions, is the plain one."""
    chance = random.Random("forget")

    for profile in ("luso", "luso-four-pack", "streak"):
        for _ in range(2):
            position = drawn(rules_of(profile), 4, chance)

            assert minimax.margin(position, {}, forget_won=True) == minimax.margin(
                position
            )


@pytest.mark.parametrize("profile", telling(PROFILES))
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6), size=st.integers(5, 8))
def test_twin_and_kernel_agree_on_large_endings(
    profile: str, seed: int, size: int
) -> None:
    """The same margins, lines and node counts for whole hands, from a lead or within a trick."""
    chance = random.Random(seed)
    position = drawn(rules_of(profile), size, chance)
    position = half_played(position, chance) if seed % 2 else position

    kernel, twin = (solve(position, method) for method in METHODS)

    assert (kernel.margin, kernel.line, kernel.classes, kernel.nodes) == (
        twin.margin,
        twin.line,
        twin.classes,
        twin.nodes,
    )
    assert paid(position, kernel.line) == kernel.margin


def test_hands_of_ten_cards_are_solved() -> None:
    """The largest hands that a table deals (D3.27)."""
    rules = rules_of("boussac", hand_size=10)
    position = drawn(rules, 10, random.Random("ten"))

    found = solve(position, "kernel")

    assert len(found.line) == 20
    assert paid(position, found.line) == found.margin
    assert found.classes == solve(position, "twin").classes


# --- what counts ------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_an_unscored_seven_is_paid_when_it_is_played(method: Method) -> None:
    """The holder of a trump seven scores 10 by playing it, whatever the play (D2.48-50)."""
    position = ending("profile: cady\ntrump: ♥\nsouth: 7♥ 8♠\nnorth: 8♥ 9♠")

    # South: 8♠ 9♠ and 7♥ 8♥, or the same tricks the other way round: North wins both,
    # and 10 for the last trick; South has 10 for the seven.
    assert solve(position, method).margin == 0


def test_a_scored_seven_is_not_paid_again() -> None:
    """The same ending after the seven has scored."""
    position = ending("profile: cady\ntrump: ♥\nsouth: 7♥ 8♠\nnorth: 8♥ 9♠")
    scored = position.changed(
        state=type(position.state)(
            {**position.state, "sevens": frozenset(cards(position, "7H1"))}
        )
    )

    assert solve(scored).margin == -10


def test_brisques_already_won_do_not_count() -> None:
    """Where brisques count at the end of the hand, only those of tricks to come are counted."""
    position = ending("profile: cady\ntrump: ♥\nsouth: A♠\nnorth: 9♠")
    won = type(position.won)(
        {"south": frozenset(), "north": frozenset(cards(position, "AC1 TC1"))}
    )

    assert solve(position.changed(won=won)).margin == 20


def test_equal_cards_are_one_class() -> None:
    """Copies, and neighbours that no card of the other hand parts, share one value."""
    found = solve(ending("trump: ♣\nnorth: K♠ K♠ Q♠ 8♦\nsouth: J♠ A♥ 9♥ 8♥"))

    assert ("KS1", "KS2", "QS1") in {
        tuple(map(str, item.cards)) for item in found.classes
    }


def test_a_card_between_parts_two_cards() -> None:
    """With South's J♠ between them, Q♠ and 9♠ are two classes."""
    found = solve(ending("trump: ♣\nnorth: Q♠ 9♠ 8♦\nsouth: J♠ A♥ 9♥"))

    assert {tuple(map(str, item.cards)) for item in found.classes} == {
        ("QS1",),
        ("9S1",),
        ("8D1",),
    }


def test_brisques_are_never_in_one_class_with_other_cards() -> None:
    """An ace and a king below it win the same tricks, but not the same points."""
    found = solve(ending("profile: luso\ntrump: ♣\nnorth: A♠ K♠\nsouth: 9♥ 8♥"))

    assert all(len(item.cards) == 1 for item in found.classes)


# --- what the match makes of it ------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_the_last_trick_is_worth_more_than_points_when_both_reach_the_target(
    method: Method,
) -> None:
    """North gives 20 points away to win the last trick and with it the match (D3.52)."""
    position = with_points(
        ending(BOTH_AT_THE_TARGET, "boussac", turn_up=False),
        {"south": 1010, "north": 990},
    )

    found = solve(position, method)

    assert found.margin == 10
    assert found.margin_decides is False
    assert [
        (str(item.cards[0]), item.margin, item.outcome) for item in found.classes
    ] == [
        ("QC1", -10, 1),
        ("AS1", 10, -1),
        ("QH1", 10, -1),
    ]


def test_far_from_the_target_points_are_all() -> None:
    """The same cards at 0 to 0: the best card is the one with the most points."""
    found = solve(ending(BOTH_AT_THE_TARGET, "boussac", turn_up=False))

    assert found.margin_decides is True
    assert found.best.margin == found.margin == 10


@pytest.mark.parametrize("profile", telling(PROFILES))
def test_outcomes_are_those_of_minimax(profile: str) -> None:
    """What every card makes of the match is what playing out every line gives, near the end of a match."""
    chance = random.Random(f"outcome {profile}")
    rules = rules_of(profile)
    near = {"streak": 400}.get(profile, 1000)

    for _ in range(8):
        points = {seat: near + 10 * chance.randint(-8, 3) for seat in rules.seats}
        position = drawn(rules, chance.choice((1, 2, 3)), chance)
        position = with_points(position, points, hand=chance.choice((1, 2)))

        found = solve(position)

        for item in found.classes:
            for card in item.cards:
                action = next(a for a in legal(position) if a.arguments["card"] == card)
                after, _ = apply(position, action)
                assert item.outcome == outcome_for(position, after)
        assert found.best.outcome == minimax.outcome(position)


def outcome_for(before: Position, after: Position) -> int:
    """Return the outcome of a position for the player who moved to it."""
    if after.phase in ("lead", "follow"):
        value = minimax.outcome(after)
        return value if after.turn == before.turn else -value
    if after.winner not in after.rules.seats:
        return 0
    return 1 if after.winner == before.turn else -1


# --- which method answers ---------------------------------------------------------------------------


def test_rules_beyond_the_kernel_are_answered_by_the_twin(tmp_path: Path) -> None:
    """A last trick of 2000 points is more than the kernel counts to."""
    rules = changed_rules(
        tmp_path, "based_on: streak\nsource: D0\nvalues: {last_trick: 2000}\n"
    )
    position = drawn(rules, 8, random.Random("beyond"))

    compiled.kernel()
    found = solve(position)

    assert found.method == "twin"
    assert paid(position, found.line) == found.margin


def test_changed_duties_and_worths_are_exact_too(tmp_path: Path) -> None:
    """Readings and sets that no profile has: aces at 11, free beating, a duty of five sets."""
    chance = random.Random("changed")
    high = "terms: {high(c): 'rank(c) in (A, T, K)'}\nduties: {strict: {sets: [heads, follows, high, ruffs, any_card]}}\n"
    texts = (
        "readings: {worth: ace-eleven}\n",
        "readings: {beating: free}\n",
        "readings: {beating: free, trumping: free}\n",
        "values: {last_trick: 0}\n",
    )

    for text in texts:
        rules = changed_rules(tmp_path, f"based_on: luso\nsource: D4\n{text}")
        for _ in range(2):
            agrees(drawn(rules, 3, chance))
    rules = changed_rules(tmp_path, f"based_on: luso\nsource: D4\n{high}")
    for _ in range(3):
        position = drawn(rules, 3, chance)
        assert values(solve(position)) == worked_out(position)


def test_rules_beyond_tables_are_answered_by_the_interpreter(tmp_path: Path) -> None:
    """Where the match may end within the hand, every line is played out."""
    rules = changed_rules(
        tmp_path, "based_on: streak\nsource: D0\nreadings: {ending: at-once}\n"
    )
    position = drawn(rules, 2, random.Random("interpreted"))

    found = solve(position)

    assert found.method == "interpreter"
    assert found.margin == minimax.margin(position)
    with pytest.raises(BeyondTablesError, match="match/at-once may win upon change"):
        solve(position, "twin")


def test_a_revoke_leaves_the_tables() -> None:
    """After a revoke (D3.41-42) tricks pay nobody; the interpreter still answers small endings."""
    position = drawn(rules_of("boussac"), 2, random.Random("revoke"))
    revoked = position.changed(
        state=type(position.state)({**position.state, "revoked": frozenset({"south"})})
    )

    found = solve(revoked)

    assert found.method == "interpreter"
    assert found.margin == minimax.margin(revoked)


def test_until_the_kernel_is_ready_the_twin_answers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nobody waits for the compiler; whoever asks often has it started."""
    started: list[bool] = []
    monkeypatch.setattr(compiled, "ready", lambda: False)
    monkeypatch.setattr(compiled, "warm", lambda: started.append(True))
    position = drawn(rules_of("streak"), 2, random.Random("cold"))

    methods = {solve(position).method for _ in range(compiled.ENOUGH)}

    assert methods == {"twin"}
    assert started


def test_threads_do_not_disturb_each_other() -> None:
    """Each thread has a workspace of its own."""
    chance = random.Random("threads")
    positions = [drawn(rules_of("streak"), 8, chance) for _ in range(60)]
    alone = [solve(position, "kernel") for position in positions]

    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda position: solve(position, "kernel"), positions))

    assert together == alone


def test_margin_is_that_of_solve() -> None:
    """The short way gives the same number, before a lead and in the middle of a trick."""
    chance = random.Random("margin")

    for _ in range(20):
        position = drawn(rules_of("cady"), 5, chance)
        assert margin(position) == solve(position).margin
        half = half_played(position, chance)
        assert margin(half) == solve(half).margin


# --- what is refused --------------------------------------------------------------------------------


def test_an_open_stock_is_refused() -> None:
    """Cards are still to be drawn: which is said, and how many."""
    rules = rules_of("streak")
    begun = start(rules, "north")
    position, _ = apply(begun, deal(begun, shuffled(rules, 1)))

    with pytest.raises(StockOpenError, match="48 cards still to be drawn"):
        solve(position)


def test_a_phase_without_a_card_to_play_is_refused() -> None:
    """Before the deal there is nothing to solve."""
    with pytest.raises(
        BadEndingError, match="phase: expected lead or follow, got deal"
    ):
        solve(start(rules_of("streak"), "north"))


def test_hands_of_unlike_sizes_are_refused() -> None:
    """The sizes are told, seat by seat."""
    position = drawn(rules_of("streak"), 3, random.Random("unlike"))
    hidden = dict(position.hidden)
    seat = str(position.turn)
    hidden[seat] = frozenset(list(hidden[seat])[:2])

    with pytest.raises(BadEndingError, match=f"got {seat} 2, .* 3"):
        solve(position.changed(hidden=type(position.hidden)(hidden)))


def test_too_many_cards_are_refused(tmp_path: Path) -> None:
    """The number, the most, and why."""
    text = "based_on: luso\nsource: D4\nvalues: {packs: 4, hand_size: 12}\ndeal: {packets: {12: 4 4 4}}\n"
    position = drawn(changed_rules(tmp_path, text), 12, random.Random("many"))

    with pytest.raises(
        TooManyCardsError, match="at most 10 cards, got 12: each card makes"
    ):
        solve(position)


def test_too_many_cards_for_the_interpreter_are_refused(tmp_path: Path) -> None:
    """The clause that keeps the tables away is named."""
    rules = changed_rules(
        tmp_path, "based_on: streak\nsource: D0\nreadings: {ending: at-once}\n"
    )
    position = drawn(rules, 7, random.Random("seven"))

    with pytest.raises(
        TooManyCardsError, match=r"at most 5 cards, got 7: .*match/at-once may win"
    ):
        solve(position)


def test_unknown_cards_are_refused() -> None:
    """A view hides the other hand; who remembers the cards fills them in first."""
    from bezique.engine.views import view  # noqa: PLC0415

    position = drawn(rules_of("streak"), 3, random.Random("view"))

    with pytest.raises(
        BadEndingError, match="expected cards with known faces, got 3 unknown"
    ):
        solve(view(position, "south"))
