"""Thinking: opponents in processes of their own, so that no game waits for another's.

A question is all that a seat has seen, as JSON; the answer is an action, as JSON.  Quick
levels and those that search an ending have processes apart: a long search never keeps a
quick answer waiting.
"""

import asyncio
import multiprocessing
from collections.abc import Callable, Iterable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeVar

from bezique.engine.codec import (
    action_json,
    position_json,
    read_event,
    read_position,
)
from bezique.engine.fields import Json
from bezique.engine.library import Library
from bezique.engine.moves import legal
from bezique.engine.position import Position
from bezique.engine.record import Seen
from bezique.play.levels import choose, searches

Result = TypeVar("Result")
_FILES: tuple[Path, ...] = ()


@dataclass(frozen=True)
class Question:
    """What a seat has seen of this hand, and how strong it is to play."""

    level: int
    view: Json
    heard: tuple[Json, ...]


def question(level: int, view: Position, heard: Iterable[Json]) -> Question:
    """Return a question; `view` and `heard` are all that the answer is made from."""
    return Question(level, position_json(view), tuple(heard))


def begin(files: tuple[Path, ...]) -> None:
    """Begin a worker."""
    global _FILES  # noqa: PLW0603  (a worker is told once)
    _FILES = files


@cache
def _library(files: tuple[Path, ...]) -> Library:
    return Library(files)


def library() -> Library:
    """Return the tables at hand in a worker."""
    return _library(_FILES)


def answer(asked: Question) -> Json:
    """Return the action that the seat takes."""
    view = read_position(library(), asked.view)
    heard = tuple(read_event(view.rules, event) for event in asked.heard)
    chosen = choose(asked.level, [Seen(heard, view)], legal(view))
    return action_json(view.rules, chosen)


class Thinkers:
    """The processes that think.

    Args:
        workers: How many for quick answers, and as many again for searches; 0: threads.
        files: Rule files beside the built-in ones.
    """

    def __init__(self, workers: int, files: tuple[Path, ...] = ()) -> None:
        self.workers, self.files = workers, files
        self._quick, self._deep = self._pool(), self._pool()

    def _pool(self) -> Executor:
        if self.workers == 0:
            return ThreadPoolExecutor(1, initializer=begin, initargs=(self.files,))
        return ProcessPoolExecutor(
            self.workers, multiprocessing.get_context("spawn"), begin, (self.files,)
        )

    def warm(self) -> None:
        """Let every process start and read the rules before anybody waits for it."""
        for pool in (self._quick, self._deep):
            for _ in range(self.workers):
                pool.submit(library)

    async def ask(self, asked: Question) -> Json:
        """Return the answer; a worker that has died is replaced, once."""
        deep = searches(asked.level)
        loop = asyncio.get_running_loop()
        try:
            pool = self._deep if deep else self._quick
            return await loop.run_in_executor(pool, answer, asked)
        except BrokenProcessPool:
            if deep:
                self._deep = pool = self._pool()
            else:
                self._quick = pool = self._pool()
            return await loop.run_in_executor(pool, answer, asked)

    async def run(self, work: Callable[..., Result], *given: object) -> Result:
        """Return what long work comes to, done where searches are."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._deep, work, *given)

    def close(self) -> None:
        """End the processes."""
        for pool in (self._quick, self._deep):
            pool.shutdown(wait=False, cancel_futures=True)
