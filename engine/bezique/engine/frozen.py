"""A mapping that does not change and can be hashed."""

from typing import Any, NoReturn, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class FrozenDict(dict[K, V]):
    """A `dict` without the ways to change it, hashable when its values are.

    >>> hash(FrozenDict(a=1, b=2)) == hash(FrozenDict(b=2, a=1))
    True
    """

    def __hash__(self) -> int:  # type: ignore[override]
        """Return a hash of the items, whatever their order."""
        return hash(frozenset(self.items()))

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:  # noqa: ANN401
        message = "a FrozenDict does not change"
        raise TypeError(message)

    __setitem__ = __delitem__ = update = setdefault = _refuse
    clear = pop = popitem = __ior__ = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        """Let copies and pickles be made through the constructor."""
        return type(self), (dict(self),)
