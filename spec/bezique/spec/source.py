"""Rule text: YAML read with the place of every item.

Only the part of YAML that reads the same to everybody is allowed: mappings with
unlike keys, lists, texts, whole numbers, `true`, `false` and `null`.  Anchors, tags
and the plain words that YAML 1.1 and 1.2 read differently (`no`, `010`, `1:30`) are
problems, not surprises.

Terms
    path    keys and list indices from the top of the file, a tuple
    marks   path → `Mark` of the item there
    keys    path → `Mark` of the key under which the item stands

Source: YAML 1.2.2, chapter 10; YAML 1.1, "Language-Independent Types".
"""

import re
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, TypeAlias

import yaml

from bezique.spec.codes import Code
from bezique.spec.problem import Mark, Problem, shortened

__all__ = ["Path", "Plain", "Text", "is_plain", "path_text", "read_text"]

Path: TypeAlias = tuple[str | int, ...]
Plain: TypeAlias = "bool | int | str | list[Plain] | dict[str, Plain] | None"

DEEPEST = 40
LARGEST = 200_000
LONGEST_NUMBER = 15

_WHOLE = re.compile(r"-?(0|[1-9][0-9]*)")
_WORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None}
# What some YAML reader takes for a truth value, a number, a date or nothing at all.
_SURPRISE = re.compile(
    r"""(?x) ~ | (?i: y | n | yes | no | on | off | true | false | null )
      | [-+]?0[0-9_]+ | [-+]?0[xob][0-9a-fA-F_]+ | \+[0-9]+ | -0
      | [-+]?[0-9]+_[0-9_]*
      | [-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?
      | [-+]?(\.[0-9]+|[0-9][0-9_]*\.[0-9_]*)([eE][-+]?[0-9]+)?
      | [-+]?[0-9]+[eE][-+]?[0-9]+
      | [-+]?\.(?i:inf) | \.(?i:nan)
      | [0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt\ ].*)? | = | <<"""
)
_HALF = re.compile("[\ud800-\udfff]")
_QUOTES = ("'", '"')


@dataclass
class Text:
    """A file that has been read: its plain value, its marks, its problems."""

    value: Plain = None
    marks: dict[Path, Mark] = field(default_factory=dict)
    keys: dict[Path, Mark] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def mark(self, path: Path) -> Mark:
        """Return the place of an item, or of the nearest item around it."""
        while path not in self.marks:
            path = path[:-1]
        return self.marks[path]

    def key_mark(self, path: Path) -> Mark:
        """Return the place of an item's key, or else of the item."""
        return self.keys.get(path) or self.mark(path)


def read_text(text: str, file: str) -> Text:
    """Return the value of a YAML text with marks.

    It never raises: a text that is not YAML gives the value None and a problem.

    Args:
        text: One YAML document.
        file: The name that marks and problems give.
    """
    # The common base is read with every profile, and reading YAML is slow.
    found = _read(text, file)
    return Text(
        value=deepcopy(found.value),
        marks=dict(found.marks),
        keys=dict(found.keys),
        problems=list(found.problems),
    )


@lru_cache(maxsize=32)
def _read(text: str, file: str) -> Text:
    reading = _Reading(file)
    if len(text) > LARGEST:
        reading.fault(
            Mark(file, 1, 1),
            f"a file of at most {LARGEST} characters",
            str(len(text)),
            "file-size",
        )
        return reading.text
    node = None
    try:
        node = _compose(text, reading)
    except yaml.composer.ComposerError as error:
        mark = reading.at(error.problem_mark)
        reading.fault(mark, "one YAML document", "another", "yaml-documents")
    except yaml.MarkedYAMLError as error:
        mark = reading.at(error.problem_mark or error.context_mark)
        got = shortened(error.problem or "something else")
        reading.fault(mark, "YAML", got, "yaml-syntax")
    except yaml.reader.ReaderError as error:
        before = text[: error.position]
        mark = Mark(file, before.count("\n") + 1, len(before.rpartition("\n")[2]) + 1)
        got = f"the character {error.character:#06x}"
        reading.fault(mark, "characters that YAML allows", got, "yaml-syntax")
    except _TooDeepError as error:
        mark = reading.at(error.mark)
        reading.fault(mark, f"at most {DEEPEST} levels", "one more", "yaml-depth")
    except ValueError as error:  # such as a code point beyond Unicode in "\UFFFFFFFF"
        got = shortened(str(error))
        reading.fault(Mark(file, 1, 1), "YAML", got, "yaml-syntax")
    else:
        if node is None:
            mark = Mark(file, 1, 1)
            reading.fault(mark, "a mapping", "an empty file", "yaml-empty")
    if node is not None:
        reading.text.value = reading.value(node, ())
    return reading.text


def path_text(path: Path) -> str:
    """Return a path as people write it.

    >>> path_text(("melds", "sequence", "do", 0))
    'melds.sequence.do[0]'
    """
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        else:
            text += f".{step}" if text else step
    return shortened(text) or "(file)"


def is_plain(text: str) -> bool:
    """Return whether every YAML reader takes a word without quotes for a text.

    >>> is_plain("four-aces"), is_plain("no"), is_plain("7"), is_plain("1896-01-01")
    (True, False, False, False)
    """
    return not (_SURPRISE.fullmatch(text) or _WHOLE.fullmatch(text) or text in _WORDS)


class _TooDeepError(Exception):
    def __init__(self, mark: yaml.Mark) -> None:
        self.mark = mark


class _Loader(yaml.SafeLoader):
    """Composes nodes; what makes an item more than its value is noted and ignored."""

    def __init__(self, text: str, reading: "_Reading") -> None:
        super().__init__(text)
        self.reading = reading
        self.depth = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        event = self.peek_event()  # type: ignore[no-untyped-call]
        mark = self.reading.at(event.start_mark)
        if isinstance(event, yaml.AliasEvent):
            got = f"the alias *{event.anchor}"
            self.reading.fault(mark, "the value itself", got, "yaml-alias")
            self.get_event()  # type: ignore[no-untyped-call]
            start: Any = event.start_mark
            return yaml.ScalarNode("", "", start, start, style="'")
        if event.anchor is not None:
            got = f"the anchor &{event.anchor}"
            self.reading.fault(mark, "the value itself", got, "yaml-anchor")
            event.anchor = None
        if event.tag is not None:
            got = f"the tag {event.tag}"
            self.reading.fault(mark, "the value itself", got, "yaml-tag")
        if self.depth > DEEPEST:
            raise _TooDeepError(event.start_mark)
        self.depth += 1
        node = super().compose_node(parent, index)
        self.depth -= 1
        return node


def _compose(text: str, reading: "_Reading") -> yaml.Node | None:
    loader = _Loader(text, reading)
    try:
        return loader.get_single_node()
    finally:
        loader.dispose()


def _inside(node: yaml.ScalarNode) -> int | None:
    """Return how far right of a text's mark its first word stands, if on one line."""
    quote = 1 if node.style in _QUOTES else 0
    start, end = node.start_mark, node.end_mark
    # Folded lines and escapes make a text unlike what stands in the file.
    as_written = end.column - start.column == len(node.value) + 2 * quote
    return quote if start.line == end.line and as_written else None


class _Reading:
    """The reading of one file."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.text = Text()

    def at(self, mark: yaml.Mark | None) -> Mark:
        """Return our mark for PyYAML's, which counts from 0."""
        if mark is None:
            return Mark(self.file, 1, 1)
        return Mark(self.file, mark.line + 1, mark.column + 1)

    def fault(
        self, mark: Mark, expected: str, got: str, code: Code, path: Path = ()
    ) -> None:
        """Note a problem."""
        self.text.problems.append(Problem(mark, expected, got, path_text(path), code))

    def value(self, node: yaml.Node, path: Path) -> Plain:
        """Return the plain value of a node, noting the marks of its items."""
        mark = self.at(node.start_mark)
        self.text.marks[path] = mark
        if isinstance(node, yaml.SequenceNode):
            return [
                self.value(item, (*path, index))
                for index, item in enumerate(node.value)
            ]
        if isinstance(node, yaml.MappingNode):
            return self.mapping(node, path)
        assert isinstance(node, yaml.ScalarNode)  # noqa: S101  (the third kind)
        mark = replace(mark, inside=_inside(node))
        self.text.marks[path] = mark
        return self.scalar(node, mark, path)

    def mapping(self, node: yaml.MappingNode, path: Path) -> Plain:
        """Return the items of a mapping by their keys."""
        found: dict[str, Plain] = {}
        for key, item in node.value:
            mark = self.at(key.start_mark)
            if not isinstance(key, yaml.ScalarNode):
                self.fault(mark, "a name as key", "a collection", "yaml-key", path)
                continue
            name: str = key.value
            if self.half_character(name, mark, path):
                continue
            # Keys are names, so `7:` is the name "7"; what readers take apart is not.
            if key.style is None and (name == "" or _SURPRISE.fullmatch(name)):
                self.surprise(f"the key in quotes: '{name}'", name, mark, path)
            if name in found:
                got = f"{shortened(name)!r} again"
                self.fault(mark, "each key once", got, "yaml-duplicate", path)
                continue
            self.text.keys[(*path, name)] = mark
            found[name] = self.value(item, (*path, name))
        return found

    def scalar(self, node: yaml.ScalarNode, mark: Mark, path: Path) -> Plain:
        """Return the value of a single item."""
        text: str = node.value
        if self.half_character(text, mark, path):
            return ""
        if node.style is not None:
            return text
        if text in _WORDS:
            return _WORDS[text]
        if _SURPRISE.fullmatch(text) or text == "":
            expected = f"true, false, null, a whole number, or quotes: '{text}'"
            self.surprise(expected, text, mark, path)
        elif _WHOLE.fullmatch(text):
            if len(text) <= LONGEST_NUMBER:
                return int(text)
            expected = f"a whole number of at most {LONGEST_NUMBER} digits"
            self.fault(mark, expected, f"{len(text)} digits", "yaml-number", path)
            return 0
        return text

    def half_character(self, text: str, mark: Mark, path: Path) -> bool:
        r"""Note half of a character, which an escape such as "\ud83c" can leave alone."""
        found = _HALF.search(text)
        if found:
            expected, got = "whole characters", f"{found[0]!a}"
            self.fault(mark, expected, got, "yaml-syntax", path)
        return found is not None

    def surprise(self, expected: str, text: str, mark: Mark, path: Path) -> None:
        """Note a word that readers of YAML take for different things."""
        got = f"{shortened(text) or 'nothing'}, which YAML readers take differently"
        self.fault(mark, expected, got, "yaml-surprise", path)
