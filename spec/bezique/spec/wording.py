"""Wording: checks that sentences say the rules, all of them, and nothing besides.

Codes
    sentence-slot       a slot that nothing fills, or braces that are no slot
    sentence-number     a digit outside a slot
    sentence-name       the name of a rank, suit or card outside a slot
    sentence-value      a rule counts with a number that its sentence does not name
    sentence-missing    something has no sentence in a language
    sentence-stale      a sentence for something that no profile has
    sentence-shape      a language file that is not of the right shape
    unknown-language    a rule file's own sentences in a language without a file
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from bezique.spec.core import Option, Profile
from bezique.spec.language import (
    Language,
    language,
    languages,
    read_language,
    source_of,
)
from bezique.spec.outline import outline
from bezique.spec.problem import Mark, Problem
from bezique.spec.sentences import SLOT, slot_text
from bezique.spec.source import Path, Text, path_text
from bezique.spec.subjects import reasons_paid, subjects
from bezique.spec.words import card_groups

_OPTION_SLOTS = frozenset({"value", "values", "label", "min", "max"})
_DUTY_SLOTS = frozenset({"card", "suit", "trump"})
_HEADINGS = (
    "table-meld", "table-cards", "table-points",
    "option-default", "option-from", "option-between", "option-line",
)  # fmt: skip


@dataclass(frozen=True)
class _Written:
    """A text somebody wrote: where, what, about which subject, for which profiles."""

    path: Path
    text: str
    id: str
    profiles: tuple[Profile, ...]
    needs: frozenset[str] = frozenset()
    slots: frozenset[str] = (
        frozenset()
    )  # allowed here besides the slots of the profiles


@dataclass
class _Checker:
    """Collects the problems of one file's texts in one language."""

    lang: str
    words: Language
    text: Text
    source: str | None
    problems: list[Problem] = field(default_factory=list)

    def note(
        self,
        path: Path,
        expected: str,
        got: str,
        code: str,
        column: int = 0,
        token: str = "",
    ) -> None:
        at = path
        while at and at not in self.text.marks:
            at = at[:-1]
        mark = self.text.marks[at]
        if token and self.source is not None:
            mark = _place(
                self.source, mark, token, self.written_before(path, column, token)
            )
        elif token:
            mark = mark.shifted(column)
        self.problems.append(Problem(mark, expected, got, path_text(path), code))

    def written_before(self, path: Path, column: int, token: str) -> int:
        """Return how often the token stands in the text before the column."""
        value = self.text.value
        for step in path:
            value = (
                value[step]
                if isinstance(value, dict) and isinstance(step, str)
                else value
            )
        return str(value)[:column].count(token)

    def check_literals(self, path: Path, text: str) -> None:
        """Note numbers and names that stand outside slots."""
        for at, token, code in literals(self.words, text):
            expected = (
                "a slot for a number"
                if code == "sentence-number"
                else "a slot for a rank, suit or card"
            )
            self.note(path, expected, repr(token), code, at, token)

    def check(self, item: _Written) -> None:
        """Note what is wrong with one text."""
        self.check_literals(item.path, item.text)
        for brace in re.finditer(
            r"[{}]", SLOT.sub(lambda m: "." * len(m[0]), item.text)
        ):
            self.note(
                item.path,
                "braces around a slot only",
                repr(brace[0]),
                "sentence-slot",
                brace.start(),
                brace[0],
            )
        used: set[str] = set()
        for slot in SLOT.finditer(item.text):
            used.add(slot[1])
            if slot[1] in item.slots:
                continue
            for profile in item.profiles:
                found = slot_text(profile, self.lang, item.id, slot[1], {})
                if found is None or (slot[2] is not None and not found.isdigit()):
                    expected = (
                        "a slot that the rules fill"
                        if found is None
                        else "a number before the two forms"
                    )
                    self.note(
                        item.path,
                        f"{expected} in {profile.name}",
                        repr(slot[0]),
                        "sentence-slot",
                        slot.start(),
                        slot[0],
                    )
                    break
        for name in sorted(
            item.needs - used - self.said_by_readings(used, item.profiles)
        ):
            self.note(
                item.path,
                f"the slot {{{name}}}, with which the rule counts",
                "a sentence without it",
                "sentence-value",
            )

    def said_by_readings(
        self, used: Iterable[str], profiles: Iterable[Profile]
    ) -> set[str]:
        """Return the slots in the sentences of readings that a sentence takes in."""
        found: set[str] = set()
        for name in used:
            choice = name.removeprefix("choice.")
            texts = (
                list(self.words.choices.get(choice, {}).values())
                if name != choice
                else []
            )
            for profile in profiles:
                own = profile.sentences.get(self.lang, {})
                texts += [
                    text
                    for key, text in own.items()
                    if key.startswith(f"choice/{choice}/")
                ]
            found |= {slot[1] for text in texts for slot in SLOT.finditer(text)}
        return found


def literals(words: Language, text: str) -> Iterator[tuple[int, str, str]]:
    """Yield the digits, names and cards of a text that stand outside slots.

    A short form that is a letter, such as A, counts only where it cannot be the first
    word of a sentence.

    Returns:
        Of each one where it begins, what it is, and the code of the problem.
    """
    bare = SLOT.sub(_noun_of, text)
    for number in re.finditer(r"\d+", bare):
        yield number.start(), number[0], "sentence-number"
    nouns = (*words.ranks.values(), *words.suits.values())
    names = {name for noun in nouns for name in (noun.one, noun.many)}
    name_pattern = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    for name in (
        re.finditer(rf"\b(?:{name_pattern})\b", bare, re.IGNORECASE) if names else ()
    ):
        yield name.start(), name[0], "sentence-name"
    signs = {noun.short for noun in nouns if not noun.short.isalnum()}
    codes = {rank + suit for rank in words.ranks for suit in words.suits}
    shorts = {noun.short for noun in nouns if noun.short.isalpha()}
    for word in re.finditer(r"\w+|\S", bare):
        first = re.search(r"(^|[.!?:;][\s]+)\W*$", bare[: word.start()]) is not None
        if (
            word[0] in signs
            or (word[0] in codes and not word[0].isdigit())
            or (word[0] in shorts and not first)
        ):
            yield word.start(), word[0], "sentence-name"


def check_language(
    source: str, file: str, profiles: Iterable[Profile]
) -> list[Problem]:
    """Return the problems of a language file.

    Args:
        source: The file's text.
        file: The name that problems give.
        profiles: The profiles that it has to speak for.
    """
    words, text = read_language(source, file)
    if words is None:
        return sorted(set(text.problems))
    tables = tuple(profiles)
    checker = _Checker(words.language, words, text, source, list(text.problems))
    if words.language != file.removesuffix(".yaml"):
        checker.note(
            ("language",), file.removesuffix(".yaml"), words.language, "sentence-shape"
        )
    for item in _texts(words, tables):
        checker.check(item)
    given = {path for path in text.marks if len(path) > 1}
    needed = _needed(tables)
    for path in sorted(set(needed) - given):
        checker.note(
            path,
            f"words for {path_text(path)} of {needed[path]}",
            "none",
            "sentence-missing",
        )
    for path in sorted(p for p in given if len(p) == _depth(p) and p not in needed):
        checker.note(
            path,
            "words for something that a profile has",
            path_text(path),
            "sentence-stale",
        )
    return sorted(set(checker.problems))


def check_languages(profiles: Iterable[Profile]) -> list[Problem]:
    """Return the problems of all language files."""
    tables = tuple(profiles)
    return [
        problem
        for lang in languages()
        for problem in check_language(source_of(lang), f"{lang}.yaml", tables)
    ]


def check_literals(sentences: Mapping[str, Mapping[str, str]], text: Text) -> None:
    """Note numbers and names in a rule file's own sentences, whatever else is wrong with it.

    What slots a sentence needs is only known of a sound profile; a bare number is not.
    """
    for lang in sorted(set(sentences) & set(languages())):
        checker = _Checker(lang, language(lang), text, None)
        for name, sentence in sentences[lang].items():
            checker.check_literals(("sentences", lang, name), sentence)
        text.problems += checker.problems


def check_profile_sentences(profile: Profile, text: Text) -> list[Problem]:
    """Return the problems of the sentences that a rule file brings itself.

    Args:
        profile: The profile of the file.
        text: The file, with marks for `sentences`.
    """
    found: list[Problem] = []
    for lang, sentences in profile.sentences.items():
        if lang not in languages():
            checker = _Checker(lang, language(lang), text, None)
            checker.note(
                ("sentences", lang),
                f"one of {', '.join(languages())}",
                repr(lang),
                "unknown-language",
            )
            found += checker.problems
            continue
        checker = _Checker(lang, language(lang), text, None)
        known = subjects(profile)
        for name, sentence in sentences.items():
            path: Path = ("sentences", lang, name)
            if name not in known:
                checker.note(
                    path, "a rule of the profile", repr(name), "sentence-stale"
                )
                continue
            checker.check(_Written(path, sentence, name, (profile,), known[name]))
        found += checker.problems
    return sorted(set(found))


def _texts(words: Language, profiles: tuple[Profile, ...]) -> Iterator[_Written]:
    """Yield the texts of a language file that may hold slots."""
    known = {profile.name: subjects(profile) for profile in profiles}

    def about(path: Path, name: str, text: str) -> _Written:
        having = tuple(p for p in profiles if name in known[p.name])
        needs = frozenset(slot for p in having for slot in known[p.name][name])
        return _Written(path, text, name, having, needs)

    for name, text in words.sentences.items():
        yield about(("sentences", name), name, text)
    for choice, values in words.choices.items():
        for value, text in values.items():
            yield about(("choices", choice, value), f"choice/{choice}/{value}", text)
    for profile in profiles:
        about_it = words.profiles.get(profile.name)
        if about_it:
            yield _Written(
                ("profiles", profile.name, "title"), about_it.title, "", (profile,)
            )
            yield _Written(
                ("profiles", profile.name, "differs"), about_it.differs, "", (profile,)
            )
    for name, text in words.headings.items():
        yield _Written(("headings", name), text, "", profiles, slots=_OPTION_SLOTS)
    for name, text in words.patterns.items():
        yield _Written(
            ("patterns", name), text, "", (), frozenset({"cards"}), frozenset({"cards"})
        )
    for name, text in words.reasons.items():
        yield _Written(("reasons", name), text, "", profiles)
    for name, labels in words.options.items():
        having = tuple(
            p for p in profiles if name in {option.name for option in p.options}
        )
        yield _Written(("options", name, "label"), labels.label, "", having)
        for value, text in labels.values.items():
            yield _Written(("options", name, "values", value), text, "", having)
    for name, order in words.duties.items():
        yield _Written(
            ("duties", name, "do"), order.do, "", profiles, slots=_DUTY_SLOTS
        )
        yield _Written(
            ("duties", name, "reason"), order.reason, "", profiles, slots=_DUTY_SLOTS
        )


def _needed(profiles: tuple[Profile, ...]) -> Mapping[Path, str]:
    """Return the paths that a language file must have, each with a profile that asks for it."""
    found: dict[Path, str] = {}

    def need(profile: Profile, *path: str) -> None:
        found.setdefault(path, profile.name)

    for profile in profiles:
        for name in subjects(profile):
            if name.startswith("choice/"):
                need(profile, "choices", *name.split("/")[1:])
            else:
                need(profile, "sentences", name)
        for rank in profile.deck.ranks:
            need(profile, "ranks", rank)
        for suit in profile.deck.suits:
            need(profile, "suits", suit)
        for seat in profile.seats:
            need(profile, "seats", seat)
        need(profile, "profiles", profile.name)
        for meld in profile.melds.values():
            need(profile, "melds", meld.name)
            for key in _patterns_of(profile, meld.name):
                need(profile, "patterns", key)
        for reason in reasons_paid(profile):
            need(profile, "reasons", reason)
        for option in profile.options:
            need(profile, "options", option.name)
            for value in _named_values(option):
                need(profile, "options", option.name, "values", value)
        for duty in profile.duties:
            for term in duty.sets:
                need(profile, "duties", f"{duty.name}/{term}")
        for heading in (
            *(section.heading for section in outline().sections),
            *_HEADINGS,
        ):
            need(profile, "headings", heading)
    return found


def _depth(path: Path) -> int:
    """Return how long the paths of a section are that name one thing."""
    deep = path[0] == "choices" or (path[0] == "options" and path[2:3] == ("values",))
    return (4 if path[0] == "options" else 3) if deep else 2


def _named_values(option: Option) -> tuple[str, ...]:
    """Return the values of an option that are not plain numbers, as a file writes them."""
    return tuple(
        str(v).lower() for v in option.values or () if isinstance(v, bool | str)
    )


def _patterns_of(profile: Profile, meld: str) -> set[str]:
    """Return the patterns that a meld's cards need under any reading."""
    readings = [
        {name: value}
        for name, choice in profile.choices.items()
        for value in choice.values
    ]
    item = profile.melds[meld]
    return {
        key
        for options in readings
        for key, _ in card_groups(profile, item, options)
        if key != "fixed"
    }


def _noun_of(slot: re.Match[str]) -> str:
    """Return a slot blanked out, except for the two forms of its noun."""
    if slot[2] is None:
        return "_" * len(slot[0])
    return "_" * (len(slot[1]) + 2) + slot[0][len(slot[1]) + 2 :].replace(
        "|", " "
    ).replace("}", " ")


def _place(source: str, mark: Mark, token: str, before: int) -> Mark:
    """Return where a token stands that a text, beginning at a mark, has for the n-th time."""
    lines = source.splitlines(keepends=True)
    at = sum(map(len, lines[: mark.line - 1])) + mark.column - 1
    for _ in range(before + 1):
        found = source.find(token, at)
        if found < 0:
            return mark
        at = found + len(token)
    start = at - len(token)
    return Mark(
        mark.file,
        source.count("\n", 0, start) + 1,
        start - source.rfind("\n", 0, start),
    )
