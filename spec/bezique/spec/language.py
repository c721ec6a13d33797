"""Languages: one file each, with the names of things and a sentence for every rule.

A file `spec/sentences/<lang>.yaml` holds nothing but words.  What its sentences may
contain is said in `bezique.spec.sentences`, what they must contain in
`bezique.spec.wording`, and in which order a page says them in `outline.yaml`.

Terms
    noun      a name in the singular and the plural: one king, many kings
    symbol    a noun with a short form for tables and cards: K, ♠
    pattern   how the cards of a meld are said: `{cards} of trumps`
"""

import re
from functools import cache

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bezique.spec.data import sentences_folder
from bezique.spec.problem import Mark, Problem, RulesError
from bezique.spec.source import Text, path_text, read_text

FALLBACK = "en"


class Words(BaseModel):
    """What all parts of a language file share: frozen, nothing extra."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Noun(Words):
    """A name in the singular and the plural."""

    one: str
    many: str


class Symbol(Noun):
    """A noun with a short form."""

    short: str


class About(Words):
    """A table's title, and in one sentence how it differs from the others."""

    title: str
    differs: str


class Labels(Words):
    """What an option is called, and its values that are not plain numbers."""

    label: str
    values: dict[str, str] = Field(default_factory=dict)


class Order(Words):
    """A duty as an order (`do`) and as the reason why a card is refused."""

    do: str
    reason: str


class Language(Words):
    """The words of one language."""

    language: str
    name: str
    ranks: dict[str, Symbol]
    suits: dict[str, Symbol]
    seats: dict[str, str]
    melds: dict[str, Noun]
    profiles: dict[str, About]
    headings: dict[str, str]
    patterns: dict[str, str]
    reasons: dict[str, str]
    sentences: dict[str, str]
    choices: dict[str, dict[str, str]]
    options: dict[str, Labels]
    duties: dict[str, Order]


def languages() -> tuple[str, ...]:
    """Return the codes of the languages that have a file, in alphabetical order."""
    files = sorted(sentences_folder().glob("*.yaml"))
    return tuple(f.stem for f in files if re.fullmatch(r"[a-z]{2,3}", f.stem))


@cache
def source_of(lang: str) -> str:
    """Return the text of a language's file."""
    return (sentences_folder() / f"{lang}.yaml").read_text(encoding="utf-8")


@cache
def language(lang: str) -> Language:
    """Return the words of a language; one without a file speaks English.

    Raises:
        RulesError: The file does not have the shape of a language file.
    """
    code = lang if lang in languages() else FALLBACK
    words, text = read_language(source_of(code), f"{code}.yaml")
    if words is None or text.problems:
        raise RulesError(text.problems)
    return words


def read_language(source: str, file: str) -> tuple[Language | None, Text]:
    """Return the words of a text and the text with its marks and problems.

    Args:
        source: The YAML.
        file: The name that problems give.
    """
    text = read_text(source, file)
    if text.problems and text.value is None:
        return None, text
    try:
        return Language.model_validate(text.value), text
    except ValidationError as error:
        for fault in error.errors(include_url=False):
            at = fault["loc"]
            while at not in text.marks and at:
                at = at[:-1]
            mark = text.marks.get(at, Mark(file, 1, 1))
            missing = fault["type"] == "missing"
            expected = (
                "this key" if missing else fault["msg"].removeprefix("Input should be ")
            )
            got = "none" if missing else type(fault["input"]).__name__
            code = "sentence-missing" if missing else "sentence-shape"
            where = path_text(fault["loc"])
            text.problems.append(Problem(mark, expected, got, where, code))
        return None, text
