"""Overlays: a rule file laid over the file it is based on.

A profile says `based_on: base` and then only what differs: mappings are merged key by
key, everything else is replaced, and `null` takes an item of the base away.  Each item
keeps the mark of the file that gave it.
"""

from collections.abc import Callable, Mapping
from pathlib import Path as FilePath

from bezique.spec.codes import Code
from bezique.spec.problem import Mark, Problem, shortened
from bezique.spec.source import Path, Plain, Text, path_text, read_text

__all__ = ["flatten", "read_file"]

_NAMES = {
    dict: "a mapping",
    list: "a list",
    str: "a text",
    bool: "a truth value",
    int: "a whole number",
    type(None): "null",
}


def flatten(
    file: FilePath,
    known: Mapping[str, FilePath],
    read: Callable[[FilePath], Text] | None = None,
) -> Text:
    """Return a rule file laid over its bases, with all their problems.

    Args:
        file: The rule file.
        known: Files by the names that `based_on` may use.
        read: How a file is read; the default reads UTF-8 from the disk.
    """
    return _flatten(file, known, read or read_file, ())


def read_file(file: FilePath) -> Text:
    """Return a rule file with marks; one that cannot be read is a problem."""

    def broken(mark: Mark, expected: str, got: str, code: Code) -> Text:
        return Text(problems=[Problem(mark, expected, got, "(file)", code)])

    try:
        content = file.read_bytes()
    except OSError as error:
        got = error.strerror or "an error"
        return broken(Mark(str(file), 1, 1), "a readable file", got, "file")
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        column = error.start - content.rfind(b"\n", 0, error.start)
        got = f"the byte {content[error.start]:#04x}"
        return broken(Mark(file.name, line, column), "UTF-8", got, "encoding")
    return read_text(text, file.name)


def _flatten(
    file: FilePath,
    known: Mapping[str, FilePath],
    read: Callable[[FilePath], Text],
    below: tuple[FilePath, ...],
) -> Text:
    text = read(file)

    def fault(expected: str, got: str, path: Path, code: Code) -> Text:
        text.problems.append(
            Problem(text.mark(path), expected, got, path_text(path), code)
        )
        return Text(problems=text.problems)

    if not isinstance(text.value, dict):
        if text.problems:
            return Text(problems=text.problems)
        return fault("a mapping", _NAMES[type(text.value)], (), "shape")
    here: Path = ("based_on",)
    base_name = text.value.pop("based_on", None)
    if here not in text.marks:
        return text
    if not isinstance(base_name, str) or base_name not in known:
        got = shortened(repr(base_name))
        return fault(f"a base ({', '.join(sorted(known))})", got, here, "unknown-base")
    base_file = known[base_name]
    chain = (*below, file.resolve())
    if base_file.resolve() in chain:
        names = " over ".join([*(path.stem for path in chain), base_name])
        return fault("bases that end", f"the circle {names}", here, "overlay-cycle")
    base = _flatten(base_file, known, read, chain)
    if not isinstance(base.value, dict):
        return Text(problems=[*base.problems, *text.problems])
    merged = Text(
        marks={**base.marks, (): text.marks[()]},
        keys=dict(base.keys),
        problems=[*base.problems, *text.problems],
    )
    merged.value = _merge(base.value, text.value, (), text, merged)
    return merged


def _merge(base: Plain, over: Plain, path: Path, text: Text, merged: Text) -> Plain:
    """Return `over` laid upon `base`, moving marks along."""
    # A sentence in no language at all takes the place of the one below it.
    wordless = path[:1] == ("sentences",) and len(path) > 1 and not over
    if not isinstance(base, dict) or not isinstance(over, dict) or wordless:
        _move(path, text, merged)
        return over
    result = dict(base)
    for key, value in over.items():
        at = (*path, key)
        if value is None and not _may_be_null(at):
            if key not in base:
                expected = "null only for an item of the base"
                got = f"{key!r}, which the base has not"
                mark = text.keys[at]
                merged.problems.append(
                    Problem(mark, expected, got, path_text(at), "nothing-to-remove")
                )
            result.pop(key, None)
        elif key in base:
            result[key] = _merge(base[key], value, at, text, merged)
        else:
            _move(at, text, merged)
            result[key] = value
    return result


def _may_be_null(path: Path) -> bool:
    """Return whether null is a value there, and so takes nothing away."""
    return (path[0], path[-1]) in {("verdict", "winner"), ("series", "start")}


def _move(path: Path, text: Text, merged: Text) -> None:
    """Let the marks at and below a path be those of the upper file."""
    for old, new in ((merged.marks, text.marks), (merged.keys, text.keys)):
        for at in [at for at in old if at[: len(path)] == path]:
            del old[at]
        old.update({at: mark for at, mark in new.items() if at[: len(path)] == path})
