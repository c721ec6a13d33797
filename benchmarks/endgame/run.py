"""Measure the exact endgame: time, rate, threads, twin, start; a bridge solver beside it.

    python benchmarks/endgame/run.py              about half a minute
    python benchmarks/endgame/run.py --endings 1000 --quick

Endings have eight random cards a hand from two packs and random trumps, always the same
ones (seed 1).  What is measured is the margin: the kernel alone through `solve_many`.
`endplay` (PyPI), if installed, solves double dummy bridge with eight cards in each of four
hands: another game, here for scale.
"""

import argparse
import os
import platform
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PARTS = ("spec", "engine", "solver")
sys.path[:0] = [str(ROOT / part) for part in PARTS]

import numpy as np  # noqa: E402

from bezique.engine.library import Library  # noqa: E402
from bezique.solver import compiled, every_trump, solve_many  # noqa: E402
from bezique.solver.batch import Variants  # noqa: E402
from bezique.solver.tables import Ending  # noqa: E402
from bezique.solver.twin import Twin  # noqa: E402

CARDS = 8
REPEATS = 7
Array = Any


def main() -> None:
    """Print every measurement."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--endings", type=int, default=10_000)
    parser.add_argument("--twin", type=int, default=200, help="endings for the twin")
    parser.add_argument("--quick", action="store_true", help="no start, no endplay")
    asked = parser.parse_args()
    print(
        f"python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores"
    )
    if not asked.quick:
        starts()
    variants = every_trump(Library().rules("streak"))
    hands, which = dealt(variants, asked.endings)
    kernel = batch(variants, hands, which)
    one_by_one(variants, hands[:2000], which[:2000])
    twin(variants, hands[: asked.twin], which[: asked.twin], kernel)
    if not asked.quick:
        bridge()


def dealt(variants: Variants, count: int) -> tuple[Array, Array]:
    """Return the endings: faces and variants (the last variant, no trumps, is left out)."""
    chance = random.Random(1)
    pack = [variants.face(card) for card in variants.rules.pack]
    hands = np.array([chance.sample(pack, 2 * CARDS) for _ in range(count)], np.int64)
    which = np.array([chance.randrange(len(variants.suits) - 1) for _ in range(count)])
    return hands.reshape(count, 2, CARDS), which


def batch(variants: Variants, hands: Array, which: Array) -> float:
    """Print mean, rate and threads; return the mean in seconds."""
    count = len(hands)
    nodes = np.zeros(count, np.int64)
    solve_many(variants, hands, which, nodes=nodes)
    one = best(lambda: solve_many(variants, hands, which))
    two = best(lambda: solve_many(variants, hands, which, threads=2))
    print(
        f"nodes       mean {nodes.mean():.1f}, median {np.median(nodes):.0f}, p99 {np.quantile(nodes, 0.99):.0f}"
    )
    print(
        f"kernel      mean {one / count * 1e6:.2f} us, {nodes.sum() / one / 1e6:.1f} million nodes a second"
    )
    print(f"solve_many  {count / one:,.0f} endings a second in one thread")
    print(
        f"two threads {count / two:,.0f} endings a second, {one / two:.2f} times one thread"
    )
    return one / count


def one_by_one(variants: Variants, hands: Array, which: Array) -> None:
    """Print percentiles of single endings; the best of some runs each, calling included."""
    kernel, work = compiled.kernel(), compiled.workspace()
    compiled.forget()
    codes, rows = variants.arrays
    led = np.full(1, -1)
    out, nodes = np.zeros(1, np.int64), np.zeros(1, np.int64)
    times = []
    for number in range(len(hands)):
        part = slice(number, number + 1)
        runs = []
        for _ in range(REPEATS):
            begun = time.perf_counter_ns()
            kernel.margins(
                work, hands[part], which[part], led, codes, rows, 10, out, nodes
            )
            runs.append(time.perf_counter_ns() - begun)
        times.append(min(runs) / 1000)
    quantiles = statistics.quantiles(times, n=100)
    print(
        f"one by one  median {quantiles[49]:.1f} us, p99 {quantiles[98]:.1f} us, longest {max(times):.0f} us"
    )


def twin(variants: Variants, hands: Array, which: Array, kernel: float) -> None:
    """Print the plain twin's mean beside the kernel's on the same endings."""
    begun = time.perf_counter()
    for row, variant in zip(hands, which, strict=True):
        made = variants.tables[variant]
        one, two = (
            tuple(sorted(map(int, hand), key=made.place.__getitem__)) for hand in row
        )
        Twin(Ending(made, (one, two), None)).margin()
    mean = (time.perf_counter() - begun) / len(hands)
    same = best(lambda: solve_many(variants, hands, which)) / len(hands)
    print(
        f"twin        mean {mean * 1e6:.0f} us, {mean / same:.0f} times the kernel on the same endings"
    )
    del kernel


def starts() -> None:
    """Print how long the first answer takes, without a cache and with one."""
    code = "import time; t = time.perf_counter(); from bezique.solver import compiled; compiled.kernel(); print(time.perf_counter() - t)"
    with tempfile.TemporaryDirectory() as folder:
        path = os.pathsep.join(str(ROOT / part) for part in PARTS)
        environment = {**os.environ, "NUMBA_CACHE_DIR": folder, "PYTHONPATH": path}
        for name in ("cold start", "warm start"):
            done = subprocess.run(
                [sys.executable, "-c", code],
                env=environment,
                capture_output=True,
                text=True,
                check=True,
            )
            print(f"{name}  {float(done.stdout):.2f} s")


def bridge() -> None:
    """Print how long a double dummy solver takes with eight cards in each of four hands."""
    try:
        from endplay.dds import solve_board  # noqa: PLC0415
        from endplay.types import Deal, Denom, Player  # noqa: PLC0415
    except ImportError:
        print("endplay     not installed")
        return
    chance = random.Random(1)
    suits = "SHDC"
    boards = []
    for _ in range(100):
        cards = chance.sample(
            [suit + rank for suit in suits for rank in "AKQJT98765432"], 4 * CARDS
        )
        hands = [cards[at : at + CARDS] for at in range(0, 4 * CARDS, CARDS)]
        texts = [
            ".".join(
                "".join(card[1] for card in hand if card[0] == suit) for suit in suits
            )
            for hand in hands
        ]
        boards.append(
            Deal(
                "N:" + " ".join(texts),
                first=Player.north,
                trump=Denom(chance.randrange(4)),
            )
        )
    solve_board(boards[0])
    begun = time.perf_counter()
    for board in boards:
        solve_board(board)
    mean = (time.perf_counter() - begun) / len(boards)
    print(
        f"endplay     mean {mean * 1e6:.0f} us a board of eight cards a hand, four hands"
    )


def best(work: Callable[[], object]) -> float:
    """Return the shortest of some runs, in seconds."""
    times = []
    for _ in range(REPEATS):
        begun = time.perf_counter()
        work()
        times.append(time.perf_counter() - begun)
    return min(times)


if __name__ == "__main__":
    main()
