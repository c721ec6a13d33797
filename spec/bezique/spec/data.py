"""Data: where the files that are not Python lie, in a checkout and in a wheel.

A *data folder* belongs to one part of the namespace.  In a checkout it lies on
the surface, in that part's source root, where people who never read Python find
it; a wheel carries it inside the part's package.

    checkout     spec/rules          next to  spec/bezique/spec/data.py
    wheel        bezique/spec/rules  next to  bezique/spec/data.py

An editable install runs the checkout's own files, so it counts as a checkout.

Source: `[tool.hatch.build.targets.wheel.force-include]` in pyproject.toml.
"""

from pathlib import Path

__all__ = [
    "MissingDataError",
    "data_folder",
    "rules_folder",
    "sentences_folder",
    "sources_folder",
]


class MissingDataError(FileNotFoundError):
    """A data folder is in none of the places where it may lie.

    Attributes:
        code: The error's code, `missing-data`.
        part: The part of the namespace whose data was asked for.
        name: The folder's name.
        tried: The places looked at, in order.
    """

    code = "missing-data"

    def __init__(self, part: str, name: str, tried: tuple[Path, ...]) -> None:
        self.part = part
        self.name = name
        self.tried = tried
        super().__init__(part, name, tried)

    def __str__(self) -> str:
        """Return the text, made from the fields."""
        places = " or ".join(str(place) for place in self.tried)
        return (
            f"{self.part}/{self.name}: expected a folder at {places}, "
            f"got none [{self.code}]"
        )


def data_folder(module_file: str | Path, name: str) -> Path:
    """Return the data folder `name` of the part that a module belongs to.

    Args:
        module_file: The `__file__` of a module that lies directly in its part's
            package.
        name: The folder's name, such as `rules`.

    Returns:
        An absolute path of a folder that exists.

    Raises:
        MissingDataError: The folder is in neither place.

    >>> data_folder(__file__, "rules").name
    'rules'
    """
    package = Path(module_file).resolve().parent
    part = package.name
    tried = [package / name]
    source_root = package.parent.parent
    # A wheel's package lies in site-packages, where a folder of the same name
    # would be somebody else's; only a source root is called like its part.
    if source_root.name == part:
        tried.append(source_root / name)
    for place in tried:
        if place.is_dir():
            return place
    raise MissingDataError(part, name, tuple(tried))


def rules_folder() -> Path:
    """Return the folder of the rules: one file a profile, on a common base.

    Raises:
        MissingDataError: The install has no such folder.
    """
    return data_folder(__file__, "rules")


def sentences_folder() -> Path:
    """Return the folder of the sentences that say the rules in each language.

    Raises:
        MissingDataError: The install has no such folder.
    """
    return data_folder(__file__, "sentences")


def sources_folder() -> Path:
    """Return the folder of the documents, their statements and the readings.

    Raises:
        MissingDataError: The install has no such folder.
    """
    return data_folder(__file__, "sources")
