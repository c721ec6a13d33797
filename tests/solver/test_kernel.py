"""The kernel: node counts, limits, batches, threads, caches."""

import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bezique.engine.cards import Card
from bezique.solver import compiled, every_trump, fits, kernel_fits, solve_many, tables
from bezique.solver.batch import Variants, with_suit
from bezique.solver.endgame import solve
from bezique.solver.tables import Ending
from bezique.solver.twin import Twin
from tests.solver.scenes import PROFILES, changed_rules, drawn, ending, rules_of

ROOT = Path(__file__).parents[2]
Array = Any


def dealt(
    variants: Variants, count: int, cards: int, seed: int, *, none: bool = True
) -> tuple[Array, Array]:
    """Return many endings as faces, and their variants, from a fixed seed; `none`: some without trumps."""
    chance = random.Random(seed)
    pack = [variants.face(card) for card in variants.rules.pack]
    hands = np.array([chance.sample(pack, 2 * cards) for _ in range(count)], np.int64)
    which = np.array(
        [chance.randrange(len(variants.suits) - (not none)) for _ in range(count)]
    )
    return hands.reshape(count, 2, cards), which


def in_python(code: str, **environment: str) -> str:
    """Return what a Python of its own prints."""
    roots = [str(ROOT / part) for part in ("spec", "engine", "solver")]
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:0] = {roots}\n{code}"],
        env={"PATH": "/usr/bin:/bin", **environment},
        capture_output=True,
        text=True,
        check=True,
        timeout=100,
    )
    return done.stdout.strip()


def test_nodes_of_a_fixed_seed_are_few() -> None:
    """10,000 random endings of 8 cards take at most 320 nodes each, and always as many.

    Where a card is turned up there are always trumps; endings without take two fifths more.
    """
    variants = every_trump(rules_of("streak"))
    hands, which = dealt(variants, 10_000, 8, seed=1, none=False)
    nodes, again = np.zeros(10_000, np.int64), np.zeros(10_000, np.int64)

    margins = solve_many(variants, hands, which, nodes=nodes)

    assert nodes.mean() <= 320
    assert (solve_many(variants, hands, which, nodes=again) == margins).all()
    assert (again == nodes).all()


@pytest.mark.parametrize("profile", PROFILES)
def test_twin_visits_the_same_nodes(profile: str) -> None:
    """The same margin in the same number of nodes, ending by ending."""
    variants = every_trump(rules_of(profile))
    hands, which = dealt(variants, 40, 8, seed=2)
    nodes = np.zeros(40, np.int64)
    margins = solve_many(variants, hands, which, nodes=nodes)

    for row, variant, margin, count in zip(hands, which, margins, nodes, strict=True):
        made = variants.tables[variant]
        one, two = (
            tuple(sorted(map(int, hand), key=made.place.__getitem__)) for hand in row
        )
        twin = Twin(Ending(made, (one, two), None))
        assert twin.margin() == margin
        assert twin.nodes == count


def test_a_batch_says_what_solve_says() -> None:
    """Margins from arrays are those of positions, with a card led or without."""
    rules = rules_of("luso")
    variants = every_trump(rules)
    chance = random.Random("batch")
    rows, which, led, truth = [], [], [], []
    for number in range(60):
        position = drawn(rules, 5, chance)
        leader = str(position.turn)
        trump = chance.choice(variants.suits)
        position = with_suit(position, trump)
        hands = [
            sorted(position.hidden[seat]) for seat in (leader, rules.after(leader))
        ]
        first = chance.choice(hands[0]) if number % 2 else None
        if first is not None:
            hidden = {**position.hidden, leader: position.hidden[leader] - {first}}
            position = position.changed(
                phase="follow",
                turn=rules.after(leader),
                trick=(first,),
                hidden=type(position.hidden)(hidden),
            )
        truth.append(solve(position, "twin").margin)
        rows.append([[variants.face(card) for card in hand] for hand in hands])
        which.append(variants.suits.index(trump))
        led.append(-1 if first is None else variants.face(first))

    margins = solve_many(variants, np.array(rows), np.array(which), led=np.array(led))

    assert list(margins) == truth


def test_threads_share_a_batch() -> None:
    """Two or three threads give what one gives."""
    variants = every_trump(rules_of("streak"))
    hands, which = dealt(variants, 301, 6, seed=3)
    alone = solve_many(variants, hands, which)

    for threads in (2, 3):
        assert (solve_many(variants, hands, which, threads=threads) == alone).all()


def test_without_the_kernel_the_twin_answers_a_batch(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The same margins and nodes where numba is missing."""
    variants = every_trump(rules_of("streak"))
    hands, which = dealt(variants, 10, 5, seed=4)
    led = hands[:, 0, 2].copy()
    led[::2] = -1
    nodes, plain = np.zeros(10, np.int64), np.zeros(10, np.int64)
    margins = solve_many(variants, hands, which, led=led, nodes=nodes)
    monkeypatch.setattr(compiled, "kernel", lambda: None)

    assert (solve_many(variants, hands, which, led=led, nodes=plain) == margins).all()
    assert (plain == nodes).all()


BAD: list[tuple[str, dict[str, Any]]] = [
    ("hands: expected the shape", {"hands": np.zeros((3, 2, 11))}),
    ("hands: expected the shape", {"hands": np.zeros((3, 3, 4))}),
    ("which, led: expected the shape", {"which": np.zeros(2)}),
    (
        "hands: expected faces from 0 to 31, got 0 to 32",
        {"hands": np.full((3, 2, 1), [[0], [32]])},
    ),
    ("which: expected variants from 0 to 4", {"which": np.full(3, 5)}),
    ("led: expected a card of the leader", {"led": np.full(3, 9)}),
]


@pytest.mark.parametrize(("text", "fault"), BAD)
def test_bad_arrays_are_refused(text: str, fault: dict[str, Any]) -> None:
    """The kernel reads what it is told to; whatever is beyond its tables is refused before."""
    variants = every_trump(rules_of("streak"))
    good = {"hands": np.zeros((3, 2, 4)), "which": np.zeros(3), "led": np.full(3, -1)}

    with pytest.raises(ValueError, match=text):
        solve_many(variants, **(good | fault))


def test_limits_are_told_alike() -> None:
    """The limits that rules are held against are those of the compiled code."""
    kernel = compiled.kernel()

    assert kernel.MOST_CARDS == tables.MOST_CARDS
    assert kernel.MOST_POINTS == fits.MOST_POINTS
    assert kernel.MOST_SETS == fits.MOST_SETS
    # A sign bit, a generation, a position and two bounds in one number of 64 bits.
    assert (
        kernel.GENERATIONS.bit_length() - 1 + kernel.POSITION + 2 * kernel.VALUE == 63
    )
    assert kernel.OFFSET > kernel.MOST_POINTS
    assert 4 * kernel.FIELD < 63
    assert kernel.FIELD >= kernel.MOST_CARDS


def test_generations_run_out_unnoticed() -> None:
    """After the last generation the table is cleared and the numbers begin again."""
    kernel = compiled.kernel()
    position = ending("trump: ♣\nnorth: K♠ Q♥ A♦ 9♣ 7♦\nsouth: J♠ A♥ 9♥ 8♣ 10♦")
    before = solve(position, "kernel")
    compiled.forget()
    work = compiled.workspace()
    work[kernel.GENERATION] = kernel.GENERATIONS - 1

    after = solve(position, "kernel")

    assert work[kernel.GENERATION] == 1
    assert after == before


def test_every_profile_fits_the_kernel() -> None:
    """All six tables, at every hand size they offer."""
    for profile in PROFILES:
        assert kernel_fits(rules_of(profile)) is None
    assert kernel_fits(rules_of("boussac", hand_size=10)) is None


REASONS = {
    "values: {last_trick: 900}": "an ending may pay 1060 points; the kernel counts to 1023",
    "terms: {high(c): 'rank(c) in (A, T)'}\nduties: {strict: {sets: [heads, follows, high, ruffs, any_card]}}": "a duty of 5 sets; the kernel takes 4",
    "values: {packs: 4, hand_size: 12}\ndeal: {packets: {12: 4 4 4}}": "hands of 12 cards; the kernel takes 10",
    "readings: {ending: at-once}": "match/at-once may win upon change",
}


@pytest.mark.parametrize(("text", "reason"), REASONS.items())
def test_why_rules_do_not_fit(tmp_path: Path, text: str, reason: str) -> None:
    """The reason is told in a sentence with its numbers."""
    rules = changed_rules(tmp_path, f"based_on: streak\nsource: D0\n{text}\n")

    assert kernel_fits(rules) == reason


# --- loading -----------------------------------------------------------------------------------


def test_solving_a_little_imports_no_compiler() -> None:
    """The kernel and numba are imported when they are needed, not before."""
    code = (
        "from bezique.solver import solve\n"
        "from bezique.solver.notation import read_ending\n"
        "print(solve(read_ending('south: A♠ 8♥\\nnorth: K♠ 7♥', 'luso-blind')).method, 'numba' in sys.modules)"
    )

    assert in_python(code, PYTHONUTF8="1") == "twin False"


def test_where_numba_is_missing_the_twin_answers() -> None:
    """Asking for the kernel says why there is none."""
    code = (
        "sys.modules['numba'] = None\n"
        "from bezique.solver import BeyondTablesError, compiled, solve, warm\n"
        "from bezique.solver.notation import read_ending\n"
        "position = read_ending('south: AS 8H\\nnorth: KS 7H', 'luso-blind')\n"
        "warm(); compiled.kernel()\n"
        "print(solve(position).method)\n"
        "try: solve(position, 'kernel')\n"
        "except BeyondTablesError as error: print(error)"
    )

    first, second = in_python(code).splitlines()

    assert first == "twin"
    assert second.startswith("no kernel: ModuleNotFoundError: import of numba")


@pytest.mark.long
def test_kernel_works_where_no_cache_can_be_written(tmp_path: Path) -> None:
    """With nowhere to write it is compiled anew; the answers are the same."""
    blocked = tmp_path / "file"
    blocked.write_text("a file where a folder is wanted")
    code = (
        "import numba.core.caching as caching\n"
        "for locator in caching.CacheImpl._locator_classes: locator.from_function = classmethod(lambda *_: None)\n"
        "from bezique.solver import compiled, solve\n"
        "from bezique.solver.notation import read_ending\n"
        "assert compiled.kernel() is not None, compiled.failure()\n"
        "found = solve(read_ending('south: AS 8H\\nnorth: KS 7H', 'luso-blind'))\n"
        "print(found.method, found.margin)"
    )

    assert in_python(code, NUMBA_CACHE_DIR=str(blocked)) == "kernel 20"


@pytest.mark.long
def test_kernel_works_where_its_cache_folder_is_a_file(tmp_path: Path) -> None:
    """A cache folder that cannot be made is passed over."""
    blocked = tmp_path / "file"
    blocked.write_text("a file where a folder is wanted")
    code = (
        "from bezique.solver import compiled\n"
        "print(compiled.kernel() is not None, compiled.failure())"
    )

    assert in_python(code, NUMBA_CACHE_DIR=str(blocked / "cache")) == "True None"


def test_face_numbers_are_card_order() -> None:
    """A face is its place among the faces of the pack."""
    variants = every_trump(rules_of("luso"))

    assert variants.face(Card("A", "S", 2)) == 0
    assert variants.face(Card("7", "D", 1)) == 31
    assert variants.suits == ("S", "H", "C", "D", None)
