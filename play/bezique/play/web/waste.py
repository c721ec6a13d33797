"""Waste: memory in rings, looked for without keeping players waiting.

Python looks through everything it keeps for rings of objects that nothing holds any more,
the longer the more games are at hand.  Here only what is new since the last time is looked
through, and what stays is put aside.  Games that are let go of are no rings, and are freed
at once; what else was put aside and became waste is found when memory has doubled since the
last look at everything.  Such a look takes as long as Python's own.
"""

import asyncio
import gc
import sys

EVERY = 1.0
"""How many seconds pass between two looks."""
LEAST = 4_000_000
"""By how many blocks memory grows at least before the next look at everything."""


async def tidy(every: float = EVERY, least: int = LEAST) -> None:
    """Look for waste until cancelled; then everything is as Python has it of itself."""
    kept = 0
    try:
        while True:
            await asyncio.sleep(every)
            whole = sys.getallocatedblocks() > kept + max(kept, least)
            if whole:
                gc.unfreeze()
            gc.collect()
            if whole:
                kept = sys.getallocatedblocks()
            gc.freeze()
    finally:
        gc.unfreeze()
