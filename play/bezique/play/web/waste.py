"""Waste: memory in rings, looked for without keeping players waiting.

Python looks through everything it keeps for rings of objects that nothing holds any more,
the longer the more games are at hand.  Here only what is new since the last time is looked
through, and what stays is put aside.  Games that are let go of are no rings, and are freed
at once; what else was put aside and became waste is found when as much has been put aside
as was kept after the last look at everything.  Such a look takes as long as Python's own.
"""

import asyncio
import gc

EVERY = 1.0
"""How many seconds pass between two looks."""
LEAST = 1_000_000
"""How many objects are put aside at least before the next look at everything."""


async def tidy(every: float = EVERY, least: int = LEAST) -> None:
    """Look for waste until cancelled; then everything is as Python has it of itself."""
    kept = aside = 0
    try:
        while True:
            await asyncio.sleep(every)
            whole = aside > max(kept, least)
            if whole:
                gc.unfreeze()
            gc.collect()
            left = len(gc.get_objects())
            kept, aside = (left, 0) if whole else (kept, aside + left)
            gc.freeze()
    finally:
        gc.unfreeze()
