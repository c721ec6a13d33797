"""Overlays: a rule file laid over the file it is based on.

A profile says `based_on: base` and then only what differs: mappings are merged key by
key, everything else is replaced, and `null` takes an item of the base away.  Each item
keeps the mark of the file that gave it.
"""

from collections.abc import Callable, Mapping
from pathlib import Path as FilePath

from bezique.spec.problem import Mark, Problem
from bezique.spec.source import Path, Plain, Text, read_text

type_names = {dict: "a mapping", list: "a list", str: "a text", bool: "a truth value", int: "a number"}

# Below these keys `null` is a value of the language (an expression `None`), not a removal.
_NULL_IS_A_VALUE = {"start", "winner"}


def flatten(file: FilePath, known: Mapping[str, FilePath], read: Callable[[FilePath], Text] | None = None) -> Text:
    """Return a rule file laid over its bases, with all their problems.

    Args:
        file: The rule file.
        known: Files by the names that `based_on` may use.
        read: How a file is read; the default reads UTF-8 from the disk.
    """
    return _flatten(file, known, read or read_file, ())


def read_file(file: FilePath) -> Text:
    """Return a rule file with marks; one that cannot be read is a problem."""
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        return Text(problems=[Problem(Mark(str(file), 1, 1), "a readable file", error.strerror or "an error", "(file)", "file")])
    except UnicodeDecodeError as error:
        return Text(problems=[Problem(Mark(str(file), 1, 1), "UTF-8", f"the byte {error.object[error.start]:#04x} at {error.start}", "(file)", "encoding")])
    return read_text(text, file.name)


def _flatten(file: FilePath, known: Mapping[str, FilePath], read: Callable[[FilePath], Text], below: tuple[str, ...]) -> Text:
    text = read(file)
    if not isinstance(text.value, dict):
        if not text.problems:
            got = type_names.get(type(text.value), "nothing")
            text.problems.append(Problem(Mark(file.name, 1, 1), "a mapping", got, "(file)", "shape"))
        return text
    base_name = text.value.pop("based_on", None)
    if base_name is None:
        return text
    mark = text.marks[("based_on",)]
    if not isinstance(base_name, str) or base_name not in known:
        text.problems.append(Problem(mark, f"a base ({', '.join(sorted(known))})", repr(base_name), "based_on", "unknown-base"))
        return text
    base_file = known[base_name]
    chain = (*below, str(file.resolve()))
    if str(base_file.resolve()) in chain:
        names = " over ".join([*(FilePath(name).stem for name in chain), base_name])
        text.problems.append(Problem(mark, "bases that end", f"the circle {names}", "based_on", "overlay-cycle"))
        return text
    base = _flatten(base_file, known, read, chain)
    merged = Text(marks=dict(base.marks), problems=[*base.problems, *text.problems])
    merged.marks[()] = text.marks[()]
    merged.value = _merge(base.value, text.value, (), text, merged)
    return merged


def _merge(base: Plain, over: Plain, path: Path, text: Text, merged: Text) -> Plain:
    """Return `over` laid upon `base`, moving marks along."""
    if not isinstance(base, dict) or not isinstance(over, dict) or path[:1] == ("sentences",) and len(path) > 1 and not over:
        for old in [mark for mark in merged.marks if mark[: len(path)] == path]:
            del merged.marks[old]
        merged.marks.update({at: mark for at, mark in text.marks.items() if at[: len(path)] == path})
        return over
    result = dict(base)
    for key, value in over.items():
        at = (*path, key)
        if value is None and key not in _NULL_IS_A_VALUE:
            if key not in base:
                merged.problems.append(Problem(text.marks[at], "null only for an item of the base", f"{key}, which the base has not", ".".join(map(str, at)), "nothing-to-remove"))
            result.pop(key, None)
            continue
        if key not in base:
            merged.marks.update({there: mark for there, mark in text.marks.items() if there[: len(at)] == at})
            result[key] = value
        else:
            result[key] = _merge(base[key], value, at, text, merged)
    return result
