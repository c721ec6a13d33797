"""Fields: the values of JSON objects, with their types made sure of.

Whoever writes a position by hand hears where a value stands, what was expected there and
what was got.
"""

from collections.abc import Mapping
from typing import Any, TypeAlias

from bezique.engine.errors import NOTHING, BadRequestError

Json: TypeAlias = dict[str, Any]
Kinds: TypeAlias = type | tuple[type, ...]


def field(
    written: Mapping[str, Any], name: str, kinds: Kinds, expected: str, where: str = ""
) -> Any:  # noqa: ANN401
    """Return a field of a JSON object.

    Args:
        written: The object.
        name: The field.
        kinds: What the value may be; `object` is anything.  A truth value is no number.
        expected: The same in words.
        where: Where the object stands.

    Raises:
        BadRequestError: The field is missing or of another type.

    >>> field({"hand": 1}, "hand", int, "a whole number")
    1
    """
    place = f"{where}.{name}" if where else name
    if name not in written:
        raise BadRequestError(where=place, expected=expected, got=NOTHING)
    return of_kind(written[name], kinds, expected, place)


def of_kind(value: object, kinds: Kinds, expected: str, where: str) -> Any:  # noqa: ANN401
    """Return a value that must be of some type.

    Raises:
        BadRequestError: It is of another type.
    """
    wanted = kinds if isinstance(kinds, tuple) else (kinds,)
    is_truth = isinstance(value, bool) and not {bool, object} & set(wanted)
    if is_truth or not isinstance(value, wanted):
        raise BadRequestError(where=where, expected=expected, got=value)
    return value
