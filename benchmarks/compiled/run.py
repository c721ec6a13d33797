"""Measure compiled rules against the interpreter, and against schnapsen, on random hands.

    python benchmarks/compiled/run.py             about half a minute
    python benchmarks/compiled/run.py --hands 5

Compiled code and the interpreter play the same hands, dealt and played by the same random
numbers.  `schnapsen` (PyPI), if installed, plays random games in the same process.  Both
are timed with the deal.  A figure is that of the quickest of several runs, in processor
time; what is compared takes turns, so that a busy machine slows both alike, and every run
plays other deals.
"""

import argparse
import platform
import random
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias, cast

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / part) for part in ("spec", "engine")]

from bezique.engine import (  # noqa: E402
    Library,
    Rules,
    apply,
    deal,
    legal,
    start,
)
from bezique.engine.code import Code, Interpreted  # noqa: E402
from bezique.engine.compiler.compiled import Compiled  # noqa: E402

RUNS = 9


class Pace(NamedTuple):
    """How long a part of play takes on the average, in seconds."""

    card: float
    action: float
    hand: float


Task: TypeAlias = Callable[[int], Pace]
"""What is measured: of the number of a run, its pace."""


def main() -> None:
    """Print every measurement."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hands", type=int, default=20, help="hands a run")
    hands = parser.parse_args().hands
    print(f"python {platform.python_version()}, {platform.machine()}, best of {RUNS}")
    games = schnapsen(5 * hands)  # a game has a quarter of the cards of a hand
    if not games:
        print("schnapsen is not installed (pip install schnapsen)")
    print(
        f"{'table':16}{'a hand':>10}{'an action':>11}{'a card':>10}"
        f"{'schnapsen':>11}{'ratio':>7}{'interpreted':>13}{'times':>7}"
    )
    library = Library()
    few = max(1, hands // 5)
    for name in library.names:
        rules = library.rules(name)
        compiled = Compiled(rules)
        pace, *move = quickest([whole_hands(rules, compiled, hands), *games])
        fast, slow = quickest(
            [
                whole_hands(rules, compiled, few),
                whole_hands(rules, Interpreted(rules), few),
            ],
            runs=2,
        )
        other = micro(move[0].card) if move else ""
        ratio = f"{pace.card / move[0].card:.2f}" if move else ""
        print(
            f"{name:16}{1e3 * pace.hand:7.2f} ms{micro(pace.action):>11}"
            f"{micro(pace.card):>10}{other:>11}{ratio:>7}{micro(slow.card):>13}"
            f"{slow.card / fast.card:7.1f}"
        )


def quickest(tasks: Sequence[Task], runs: int = RUNS) -> list[Pace]:
    """Return the pace of each task's quickest run, after one unmeasured; they take turns."""
    paces = [[task(run) for task in tasks] for run in range(runs + 1)]
    return [min(of_task) for of_task in zip(*paces[1:], strict=True)]


def whole_hands(rules: Rules, code: Code, hands: int) -> Task:
    """Return the task of dealing and playing some random hands."""

    def task(run: int) -> Pace:
        chance = random.Random(run)
        before = time.process_time()
        played = [play(rules, code, chance) for _ in range(hands)]
        taken = time.process_time() - before
        actions, cards = map(sum, zip(*played, strict=True))
        return Pace(taken / cards, taken / actions, taken / hands)

    return task


def play(rules: Rules, code: Code, chance: random.Random) -> tuple[int, int]:
    """Deal and play a hand at random; return how many actions and cards were played."""
    pack = list(rules.pack)
    chance.shuffle(pack)
    position = start(rules, chance.choice(rules.seats))
    position, _ = apply(position, deal(position, pack), code=code)
    actions, cards = 0, 0
    while position.hand == 1 and position.phase != "over":
        choices = legal(position, code=code)
        done = choices[int(chance.random() * len(choices))]
        position, _ = apply(position, done, code=code)
        actions += 1
        cards += done.name == "play"
    return actions, cards


def micro(seconds: float) -> str:
    """Return a time in microseconds."""
    return f"{1e6 * seconds:.1f} µs"


def schnapsen(games: int) -> list[Task]:
    """Return the task of playing some random games, none where it is not installed."""
    try:
        from schnapsen.bots import RandBot  # noqa: PLC0415
        from schnapsen.game import SchnapsenGamePlayEngine  # noqa: PLC0415
    except ImportError:
        return []
    moves = cards = 0

    class Counting(RandBot):  # type: ignore[misc]
        """A random player that counts its moves and the cards it plays."""

        def get_move(self, perspective: object, leader_move: object) -> object:
            """Return a random move."""
            nonlocal moves, cards
            move = super().get_move(perspective, leader_move)
            moves += 1
            # To exchange the trump jack is a move, but no card played.
            cards += not move.is_trump_exchange()
            return cast("object", move)

    engine = SchnapsenGamePlayEngine()

    def task(run: int) -> Pace:
        nonlocal moves, cards
        moves = cards = 0
        chance = random.Random(run)
        one, two = Counting(chance), Counting(chance)
        before = time.process_time()
        for _ in range(games):
            engine.play_game(one, two, chance)
        taken = time.process_time() - before
        return Pace(taken / cards, taken / moves, taken / games)

    return [task]


if __name__ == "__main__":
    main()
