"""Waste: rings are freed, what is kept is put aside, and nothing stays so after the end."""

import asyncio
import gc
import sys
import weakref
from collections.abc import Callable

from bezique.play.web.waste import tidy

PATIENCE = 30
MORE = 20_000


class Ring:
    """An object that holds itself."""

    def __init__(self) -> None:
        self.itself = self


async def until(holds: Callable[[], bool]) -> None:
    """Wait until something holds."""
    async with asyncio.timeout(PATIENCE):
        while not holds():  # noqa: ASYNC110 - memory tells nobody
            await asyncio.sleep(0.01)


def test_a_ring_is_freed_and_what_stays_is_put_aside() -> None:
    """Waste goes at the next look; what is kept then waits aside, until the looks end."""

    async def play() -> None:
        gc.disable()  # what frees the ring is the look alone
        looks = asyncio.create_task(tidy(every=0.01))
        ring = Ring()
        gone = weakref.ref(ring)
        del ring
        await until(lambda: gone() is None and gc.get_freeze_count() > 0)
        looks.cancel()
        await asyncio.wait({looks})
        assert gc.get_freeze_count() == 0

    try:
        asyncio.run(play())
    finally:
        gc.enable()


def test_what_became_waste_later_goes_at_a_whole_look() -> None:
    """A ring that was put aside waits until memory has grown, and no longer."""

    async def play() -> None:
        gc.disable()
        ring = Ring()
        gone = weakref.ref(ring)
        least = sys.getallocatedblocks() + MORE
        looks = asyncio.create_task(tidy(every=0.01, least=least))
        await until(lambda: gc.get_freeze_count() > 0)
        del ring
        await asyncio.sleep(0.1)
        assert gone() is not None
        kept = [[number] for number in range(2 * MORE)]
        await until(lambda: gone() is None)
        assert len(kept) == 2 * MORE
        looks.cancel()
        await asyncio.wait({looks})

    try:
        asyncio.run(play())
    finally:
        gc.enable()
