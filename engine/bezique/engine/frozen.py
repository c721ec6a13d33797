"""A mapping that does not change and can be hashed."""

from typing import Any, NoReturn, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class FrozenDict(dict[K, V]):
    """A `dict` without the ways to change it, hashable when its values are."""

    def __hash__(self) -> int:  # type: ignore[override]
        """Return a hash of the items, whatever their order."""
        return hash(frozenset(self.items()))

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:  # noqa: ANN401
        message = "a FrozenDict does not change"
        raise TypeError(message)

    __setitem__ = __delitem__ = clear = pop = popitem = setdefault = update = __ior__ = _refuse  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        """Let copies and pickles be made through the constructor."""
        return type(self), (dict(self),)
