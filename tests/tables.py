"""Which tables the quick suite asks, where asking every table takes long.

Those it leaves out are marked `long`: the long suite asks them.
"""

from collections.abc import Iterable

import pytest

TELLING = ("boussac", "luso-four-pack", "streak")
"""Tables far apart: tricks counted last and claims, four packs, a match without a target."""


def telling(tables: Iterable[str], quickly: Iterable[str] = TELLING) -> list[object]:
    """Return tables as parameters of a test, `long` but for those asked quickly."""
    quick, tables = set(quickly), tuple(tables)
    assert quick & set(tables), f"none of {tables} is asked quickly"
    return [
        pytest.param(name, marks=[] if name in quick else [pytest.mark.long])
        for name in tables
    ]
