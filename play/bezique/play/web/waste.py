"""Waste: memory in rings, looked for without ever keeping players waiting.

Python looks through everything it keeps for rings of objects that nothing holds any more,
the longer the more games are at hand.  Here only what is new since the last time is looked
through, and what stays is put aside; games that are let go of are no rings, and are freed
at once.  Rings that were put aside before they became waste wait for the next whole look.
"""

import asyncio
import gc
from itertools import count

EVERY = 1.0
"""How many seconds pass between two looks."""
WHOLE = 3600
"""Which look in a row is at everything."""


async def tidy(every: float = EVERY, whole: int = WHOLE) -> None:
    """Look for waste until cancelled; then everything is as Python has it of itself."""
    try:
        for number in count(1):
            await asyncio.sleep(every)
            if number % whole == 0:
                gc.unfreeze()
            gc.collect()
            gc.freeze()
    finally:
        gc.unfreeze()
