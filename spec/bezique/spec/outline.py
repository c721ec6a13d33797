"""The outline: in which order a page says the rules, for every language and table.

Terms
    part    a paragraph, a list, a table or the options, below a heading
    idle    said of a rule that does nothing at a table, such as what a seven may do
            where sevens are worth nothing
"""

from collections.abc import Mapping
from functools import cache
from typing import Literal

from pydantic import Field

from bezique.spec.core import Profile
from bezique.spec.data import sentences_folder
from bezique.spec.language import Words
from bezique.spec.problem import RulesError
from bezique.spec.source import read_text
from bezique.spec.static import settle
from bezique.spec.subjects import choices_used
from bezique.spec.words import Options, melds_shown, picked


class Part(Words):
    """One thing below a heading; exactly one of its fields is filled."""

    say: tuple[str, ...] = ()
    bullets: tuple[str, ...] = Field(default=(), alias="list")
    table: Literal["melds"] | None = None
    options: Literal["all"] | None = None
    rest: Literal["rules"] | None = None

    @property
    def ids(self) -> tuple[str, ...]:
        """Return the rules that the part says."""
        return self.say + self.bullets


class Section(Words):
    """A heading and what stands below it."""

    heading: str
    parts: tuple[Part, ...]


class Idle(Words):
    """Rules that do nothing where all of `when` holds, or where `without` is absent."""

    ids: tuple[str, ...]
    when: dict[str, bool | int | str] = Field(default_factory=dict)
    without: str | None = None


class Outline(Words):
    """The whole page."""

    sections: tuple[Section, ...]
    idle: tuple[Idle, ...]


@cache
def outline() -> Outline:
    """Return the outline of `spec/sentences/outline.yaml`.

    Raises:
        RulesError: The file is not YAML as rule files write it.
    """
    source = (sentences_folder() / "outline.yaml").read_text(encoding="utf-8")
    text = read_text(source, "outline.yaml")
    if text.problems:
        raise RulesError(text.problems)
    return Outline.model_validate(text.value, strict=False)


def idle_rules(profile: Profile, options: Options) -> frozenset[str]:
    """Return the clauses, choices and melds that do nothing under some options."""
    values: dict[str, bool | int] = settle(profile, options)
    found: set[str] = set()
    for rule in outline().idle:
        absent = rule.without is not None and rule.without not in {
            *profile.melds,
            *profile.actions,
        }
        if absent or (
            rule.when
            and all(
                _now(profile, values, options, k) == v for k, v in rule.when.items()
            )
        ):
            found |= set(rule.ids)
    unused = set(profile.choices) - choices_used(profile)
    found |= {f"choice/{name}" for name in unused}
    shown = {meld.name for meld in melds_shown(profile, options)}
    return frozenset(
        found | {f"meld/{name}" for name in profile.melds if name not in shown}
    )


def _now(
    profile: Profile, values: Mapping[str, bool | int], options: Options, name: str
) -> bool | int | str | None:
    if name in values:
        return values[name]
    return picked(profile, name, options) if name in profile.choices else None
