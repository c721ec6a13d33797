"""Measure compiled rules against the interpreter, on whole random hands.

    python benchmarks/compiled/run.py             about twenty seconds
    python benchmarks/compiled/run.py --hands 5

Both play the same hands: the same deals, the same choices.  Deals are made before the
clock starts.  A figure is the best of several runs, in processor time.
`schnapsen` (PyPI), if installed, plays random games in the same process for scale.
"""

import argparse
import platform
import random
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / part) for part in ("spec", "engine")]

from bezique.engine import (  # noqa: E402
    Library,
    Position,
    Rules,
    apply,
    deal,
    legal,
    shuffled,
    start,
)
from bezique.engine.code import Code, Interpreted  # noqa: E402
from bezique.engine.compiler.compiled import Compiled  # noqa: E402

RUNS = 5


def main() -> None:
    """Print every measurement."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hands", type=int, default=20, help="hands a run")
    hands = parser.parse_args().hands
    print(f"python {platform.python_version()}, {platform.machine()}, best of {RUNS}")
    print(f"{'table':16}{'action':>9}{'card':>9}{'interpreted':>13}{'times':>7}")
    library = Library()
    for name in library.names:
        rules = library.rules(name)
        dealt = [first_deal(rules, seed) for seed in range(hands)]
        fast, actions, cards = measured(dealt, Compiled(rules))
        slow, _, _ = measured(dealt[: max(1, hands // 5)], Interpreted(rules), runs=2)
        per_hand = fast / len(dealt)
        slow_hand = slow / max(1, hands // 5)
        quick_part, _, _ = measured(dealt[: max(1, hands // 5)], Compiled(rules))
        print(
            f"{name:16}{micro(fast / actions)}{micro(fast / cards)}"
            f"{micro(slow_hand / (cards / len(dealt))):>13}{slow / quick_part:7.1f}"
            f"    {1e3 * per_hand:.2f} ms a hand"
        )
    schnapsen()


def first_deal(rules: Rules, seed: int) -> Position:
    """Return the first hand of a match, dealt."""
    before = start(rules, rules.seats[seed % len(rules.seats)])
    return apply(before, deal(before, shuffled(rules, seed)))[0]


def play(position: Position, code: Code, chance: random.Random) -> Iterator[str]:
    """Play a hand at random and yield the names of its actions."""
    hand = position.hand
    while not position.over and position.hand == hand:
        choices = legal(position, code=code)
        done = choices[chance.randrange(len(choices))]
        position, _ = apply(position, done, code=code)
        yield done.name


def measured(
    dealt: list[Position], code: Code, runs: int = RUNS
) -> tuple[float, int, int]:
    """Return the seconds of the best run, and its actions and cards."""
    names: list[str] = []

    def once() -> None:
        names.clear()
        for seed, position in enumerate(dealt):
            names.extend(play(position, code, random.Random(seed)))

    return best(once, runs), len(names), names.count("play")


def best(task: Callable[[], object], runs: int = RUNS) -> float:
    """Return the processor time of the quickest of some runs, after one unmeasured."""
    task()
    times = []
    for _ in range(runs):
        before = time.process_time()
        task()
        times.append(time.process_time() - before)
    return min(times)


def micro(seconds: float) -> str:
    """Return a time in microseconds, in a column."""
    return f"{1e6 * seconds:6.1f} µs"


def schnapsen() -> None:
    """Print what a card costs in random games of schnapsen, if it is installed."""
    try:
        from schnapsen.bots import RandBot  # noqa: PLC0415
        from schnapsen.game import SchnapsenGamePlayEngine  # noqa: PLC0415
    except ImportError:
        print("schnapsen is not installed (pip install schnapsen)")
        return
    moves = 0

    class Counting(RandBot):  # type: ignore[misc]
        """A random player that counts its moves."""

        def get_move(self, perspective: object, leader_move: object) -> object:
            """Return a random move."""
            nonlocal moves
            moves += 1
            return super().get_move(perspective, leader_move)

    engine = SchnapsenGamePlayEngine()

    def once() -> None:
        nonlocal moves
        moves = 0
        chance = random.Random(1)
        one, two = Counting(chance), Counting(chance)
        for _ in range(100):
            engine.play_game(one, two, chance)

    print(
        f"schnapsen {micro(best(once) / moves)} a move, {moves / 100:.1f} moves a game"
    )


if __name__ == "__main__":
    main()
