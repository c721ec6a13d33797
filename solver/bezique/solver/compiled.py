"""The kernel from outside: loaded when first needed, one workspace a thread.

numba is an optional library (the extra `solver`).  Importing and compiling it takes seconds
the first time, so nobody who plays waits for it: `warm` starts it in the background, and
until it is `ready` the plain twin answers.  A program that asks a few times never loads it.

What is compiled is kept by numba: in the folder that NUMBA_CACHE_DIR names, else beside the
code, else in the user's cache folder; where none can be written it is compiled anew.
"""

import importlib
import importlib.util
import threading
from typing import Any

from bezique.solver.tables import MOST_CARDS, Ending, Tables


class _Loader:
    """Loads the kernel once, whichever thread asks first."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.module: Any = None  # compiled functions have no types
        self.failure: str | None = None
        self.thread: threading.Thread | None = None
        self.asked = 0

    def load(self) -> None:
        with self.lock:
            if self.module is None and self.failure is None:
                try:
                    self.module = importlib.import_module("bezique.solver.kernel")
                except Exception as error:  # noqa: BLE001  # a broken numba must not end a game
                    self.failure = f"{type(error).__name__}: {error}"


_LOADER = _Loader()
_LOCAL = threading.local()


def warm() -> None:
    """Begin to load the kernel in the background, unless that has been done."""
    if _LOADER.thread is None and _LOADER.module is None and _LOADER.failure is None:
        # No daemon: a process that ended in the middle of compiling would not end well.
        _LOADER.thread = threading.Thread(target=_LOADER.load, name="bezique-kernel")
        _LOADER.thread.start()


def wanted() -> None:
    """Note that the twin answers in the kernel's place; often enough, and the kernel is loaded."""
    _LOADER.asked += 1
    if _LOADER.asked >= ENOUGH:
        warm()


ENOUGH = 20


def ready() -> bool:
    """Return whether the kernel can answer at once."""
    return _LOADER.module is not None


def kernel() -> Any:  # noqa: ANN401
    """Return the kernel, waiting until it is loaded; None where it cannot be."""
    _LOADER.load()
    return _LOADER.module


def failure() -> str | None:
    """Return why the kernel could not be loaded, when that has been tried and failed."""
    return _LOADER.failure


def workspace() -> Any:  # noqa: ANN401
    """Return this thread's workspace."""
    if not hasattr(_LOCAL, "workspace"):
        import numpy as np  # noqa: PLC0415

        _LOCAL.workspace = np.zeros(kernel().SIZE, np.int64)
        _LOCAL.out = np.zeros(MOST_CARDS, np.int64)
        _LOCAL.owner = None
    return _LOCAL.workspace


def forget() -> None:
    """Give up what this thread's workspace is set up for; it is about to be used otherwise."""
    work = workspace()
    if _LOCAL.owner is not None:
        _LOCAL.owner._nodes += int(work[kernel().NODES])  # noqa: SLF001
        _LOCAL.owner = None


def arrays(made: Tables) -> tuple[Any, Any]:
    """Return tables as the kernel takes them: the codes, and the rows place, worth, ruling."""
    import numpy as np  # noqa: PLC0415

    found = _ARRAYS.get(made)
    if found is None:
        if len(_ARRAYS) > MOST_KEPT:
            _ARRAYS.clear()
        rows = [made.place, made.worth, [int(flag) for flag in made.ruling]]
        found = _ARRAYS[made] = np.array(made.codes, np.int64), np.array(rows, np.int64)
    return found


MOST_KEPT = 64
_ARRAYS: dict[Tables, tuple[Any, Any]] = {}


class Compiled:
    """Searches one ending with the kernel, as `bezique.solver.twin.Twin` does without.

    Args:
        ending: The two hands; side 0 leads.
        last: Points for the last trick, where they are not those of the tables.
    """

    def __init__(self, ending: Ending, last: int | None = None) -> None:
        import numpy as np  # noqa: PLC0415

        self._kernel = kernel()
        self._hands = [np.array(hand, np.int64) for hand in ending.faces]
        self._tables = arrays(ending.tables)
        self.last = ending.tables.last if last is None else last
        self.size = len(ending.faces[0])
        self.full = (1 << self.size) - 1
        self.led = ending.led
        self._nodes = 0
        self._mine()

    @property
    def nodes(self) -> int:
        """Return how many nodes have been searched."""
        mine = getattr(_LOCAL, "owner", None) is self
        return self._nodes + (int(workspace()[self._kernel.NODES]) if mine else 0)

    def _mine(self) -> Any:  # noqa: ANN401
        """Return the thread's workspace, set up for this ending unless it still is."""
        work = workspace()
        if _LOCAL.owner is not self:
            forget()
            self._kernel.set_up(work, *self._hands, *self._tables, self.last)
            _LOCAL.owner = self
        return work

    def margin(self) -> int:
        """Return the margin of the player to move."""
        work = self._mine()
        led = -1 if self.led is None else self.led
        return int(self._kernel.margin(work, self.size, led))

    def lead_margins(self, p: int, a: int, b: int) -> dict[int, int]:
        """Return the margin of `p` after each lead worth trying."""
        return self._read(self._kernel.lead_margins(self._mine(), p, a, b, _LOCAL.out))

    def reply_margins(self, p: int, a: int, b: int, i: int) -> dict[int, int]:
        """Return the margin of `p`, who has led `i`, after each answer worth trying."""
        return self._read(
            self._kernel.reply_margins(self._mine(), p, a, b, i, _LOCAL.out)
        )

    def replies(self, p: int, b: int, i: int) -> int:
        """Return the cards of `b` that may answer card `i` of side `p`."""
        return int(self._kernel.replies(self._mine(), p, b, i))

    def beaten(self, p: int, i: int, j: int) -> bool:
        """Return whether card `j` of the other side beats a led card `i` of side `p`."""
        return bool(self._mine()[self._kernel.CARD + (p << 4) + i] >> j & 1)

    def links(self, p: int, others: int) -> int:
        """Return which cards of `p` are as good as the next while the other side holds `others`."""
        return int(
            self._mine()[self._kernel.SEEN + (p << self._kernel.SIDE) + others]
            & self._kernel.MASK
        )

    @staticmethod
    def _read(tried: int) -> dict[int, int]:
        return {
            i: int(_LOCAL.out[i])
            for i in range(int(tried).bit_length())
            if tried >> i & 1
        }
