"""Rule text: YAML read with the place of every item.

Only the part of YAML that reads the same to everybody is allowed: mappings with
unlike keys, lists, texts, whole numbers, `true`, `false` and `null`.  Anchors, tags
and the plain words that YAML 1.1 and 1.2 read differently (`no`, `010`, `1:30`) are
problems, not surprises.

Terms
    path    keys and list indices from the top of the file, a tuple
    marks   path → `Mark` of the item there
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

import yaml

from bezique.spec.problem import Mark, Problem

Path: TypeAlias = tuple[str | int, ...]
Plain: TypeAlias = "None | bool | int | str | list[Plain] | dict[str, Plain]"

DEEPEST = 40

_WHOLE = re.compile(r"-?(0|[1-9][0-9]*)")
_WORDS = {"true": True, "false": False, "null": None}
# What some YAML 1.1 reader takes for a truth value, a number, a date or nothing at all.
_SURPRISE = re.compile(
    r"""(?x) ~ | (?i: y|n|yes|no|on|off|true|false|null )
      | [-+]?0[0-9_]+ | [-+]?0[xob][0-9a-fA-F_]+ | \+[0-9]+ | [-+]?[0-9][0-9]*_[0-9_]*
      | [-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?
      | [-+]?(\.[0-9]+|[0-9][0-9_]*\.[0-9_]*)([eE][-+]?[0-9]+)? | [-+]?[0-9]+[eE][-+]?[0-9]+
      | [-+]?\.(?i:inf) | \.(?i:nan)
      | [0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt\ ].*)? | = | <<"""
)


@dataclass
class Text:
    """A file that has been read: its plain value, the marks of its items, its problems."""

    value: Plain = None
    marks: dict[Path, Mark] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


def read_text(text: str, file: str) -> Text:
    """Return the value of a YAML text with marks; every problem is in `problems`.

    Args:
        text: One YAML document.
        file: The name that marks and problems give.

    Raises:
        Nothing: a text that is not YAML gives one problem and the value None.
    """
    result = Text()
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        at = error.problem_mark or error.context_mark
        mark = Mark(file, at.line + 1, at.column + 1) if at else Mark(file, 1, 1)
        code = "yaml-alias" if isinstance(error, yaml.composer.ComposerError) else "yaml-syntax"
        expected = "one YAML document without aliases" if code == "yaml-alias" else "YAML"
        result.problems.append(Problem(mark, expected, error.problem or "something else", "(file)", code))
        return result
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        got = f"a character or depth that YAML forbids ({type(error).__name__})"
        result.problems.append(Problem(Mark(file, 1, 1), "YAML", got, "(file)", "yaml-syntax"))
        return result
    if node is None:
        result.problems.append(Problem(Mark(file, 1, 1), "a mapping", "an empty file", "(file)", "yaml-empty"))
        return result
    for at, name, code in _tokens(text):
        mark = Mark(file, at.line + 1, at.column + 1)
        result.problems.append(Problem(mark, "the value itself", name, "(file)", code))
    result.value = _value(node, (), file, result)
    return result


def path_text(path: Path) -> str:
    """Return a path as people write it: `melds.sequence.do[0]`."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text or "(file)"


def _tokens(text: str) -> Iterator[tuple[yaml.Mark, str, str]]:
    """Yield the anchors, aliases and tags of a text, which compose() has resolved away."""
    for token in yaml.scan(text, Loader=yaml.SafeLoader):
        if isinstance(token, yaml.AnchorToken):
            yield token.start_mark, f"the anchor &{token.value}", "yaml-anchor"
        elif isinstance(token, yaml.AliasToken):
            yield token.start_mark, f"the alias *{token.value}", "yaml-alias"
        elif isinstance(token, yaml.TagToken):
            yield token.start_mark, "a tag", "yaml-tag"


def _value(node: yaml.Node, path: Path, file: str, result: Text) -> Plain:
    mark = Mark(file, node.start_mark.line + 1, node.start_mark.column + 1)
    result.marks[path] = mark

    def problem(expected: str, got: str, code: str, at: Mark = mark) -> None:
        result.problems.append(Problem(at, expected, got, path_text(path), code))

    if len(path) > DEEPEST:
        problem(f"at most {DEEPEST} levels", "a deeper one", "yaml-depth")
        return None
    if isinstance(node, yaml.SequenceNode):
        return [_value(item, (*path, index), file, result) for index, item in enumerate(node.value)]
    if isinstance(node, yaml.MappingNode):
        mapping: dict[str, Plain] = {}
        for key, item in node.value:
            at = Mark(file, key.start_mark.line + 1, key.start_mark.column + 1)
            if not isinstance(key, yaml.ScalarNode):
                problem("a name as key", "a collection", "yaml-key", at)
                continue
            name = key.value
            # Keys are names, so `7:` is the name "7"; words that readers take apart are not.
            if key.style is None and _SURPRISE.fullmatch(name):
                problem(f"the key in quotes: '{name}'", f"{name}, which YAML 1.1 reads as something else", "yaml-surprise", at)
            if name in mapping:
                problem("each key once", f"{name!r} again", "yaml-duplicate", at)
                continue
            mapping[name] = _value(item, (*path, name), file, result)
        return mapping
    return _scalar(node, problem)


def _scalar(node: yaml.Node, problem: Callable[[str, str, str], None]) -> Plain:
    text: str = node.value
    if node.style is not None:
        return text
    if text in _WORDS:
        return _WORDS[text]
    if _WHOLE.fullmatch(text):
        if len(text) > 15:
            problem("a whole number of at most 15 digits", f"{len(text)} characters", "yaml-number")
            return 0
        return int(text)
    if text == "" or _SURPRISE.fullmatch(text):
        problem(f"true, false, null, a whole number, or quotes: '{text}'", f"{text or 'nothing'}, which YAML readers take differently", "yaml-surprise")
    return text

