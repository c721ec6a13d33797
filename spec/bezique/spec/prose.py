"""Prose: a table's rules as a page that teaches the game.

Every rule of the profile is said once, in the order of `spec/sentences/outline.yaml`;
what does nothing at the table is left out (`idle_rules`).  The page is Markdown.
"""

from collections.abc import Iterator

from bezique.spec.core import Option, Profile
from bezique.spec.language import language
from bezique.spec.outline import Part, idle_rules, outline
from bezique.spec.sentences import SLOT, capital, fill_slots, sentence, template
from bezique.spec.static import settle, static_value
from bezique.spec.subjects import choices_used, subjects
from bezique.spec.words import Options, cards_text, meld_name, melds_shown, picked


def prose(profile: Profile, lang: str, options: Options | None = None) -> str:
    """Return the rules of a table as a page of Markdown.

    Args:
        profile: The rules.
        lang: A language; one without a file speaks English.
        options: Options picked at the table; others have their defaults.
    """
    return _Page(profile, lang, options or {}).text()


def ids_said(
    profile: Profile, options: Options | None = None, lang: str = "en"
) -> tuple[str, ...]:
    """Return the rules that the page says, in its order; a rule twice said stands twice.

    A reading taken in by the sentence of a clause counts as said where it stands.
    """
    return tuple(_Page(profile, lang, options or {}).said())


class _Page:
    def __init__(self, profile: Profile, lang: str, options: Options) -> None:
        self.profile, self.lang, self.options = profile, lang, options
        self.idle = idle_rules(profile, options)
        self.known = set(subjects(profile))

    def has(self, name: str) -> bool:
        """Return whether a rule of the outline is said at this table."""
        if name in self.idle:
            return False
        if name.startswith("choice/"):
            return name.removeprefix("choice/") in choices_used(self.profile)
        return name in self.known

    def ids(self, part: Part) -> tuple[str, ...]:
        """Return the rules that a part says at this table."""
        if part.table:
            return tuple(
                f"meld/{meld.name}" for meld in melds_shown(self.profile, self.options)
            )
        if part.rest:
            return self.rest()
        return tuple(name for name in part.ids if self.has(name))

    def rest(self) -> tuple[str, ...]:
        """Return the clauses and readings that no part of the outline names."""
        placed = {
            name
            for section in outline().sections
            for part in section.parts
            for name in part.ids
        }
        placed |= {name for one in tuple(placed) for name in self.taken_in(one)}
        ids = (
            *self.profile.clause_ids,
            *(f"choice/{name}" for name in sorted(choices_used(self.profile))),
        )
        return tuple(
            name
            for name in ids
            if name not in placed and self.has(name) and not name.startswith("meld/")
        )

    def taken_in(self, name: str) -> Iterator[str]:
        """Yield the choices whose reading stands within the sentence of a rule."""
        for slot in SLOT.finditer(template(self.profile, self.lang, name) or ""):
            if slot[1].startswith("choice."):
                yield slot[1].replace(".", "/", 1)

    def said(self) -> Iterator[str]:
        """Yield every rule that the page says."""
        for section in outline().sections:
            for part in section.parts:
                for name in self.ids(part):
                    yield name
                    yield from self.taken_in(name)

    def say(self, name: str) -> str:
        """Return the sentence of a rule or of the reading that holds."""
        if name.startswith("choice/"):
            name = f"{name}/{picked(self.profile, name.removeprefix('choice/'), self.options)}"
        return sentence(self.profile, self.lang, name, self.options)

    def heading(self, name: str, **extra: str) -> str:
        """Return a heading with its slots filled."""
        text = language(self.lang).headings[name]
        return fill_slots(self.profile, self.lang, text, self.options, extra)

    def text(self) -> str:
        """Return the page."""
        about = language(self.lang).profiles.get(self.profile.name)
        title = about.title if about else capital(self.profile.name.replace("-", " "))
        blocks = [f"# {title}"]
        if about:
            blocks.append(
                fill_slots(self.profile, self.lang, about.differs, self.options)
            )
        for section in outline().sections:
            body = [text for part in section.parts if (text := self.part(part))]
            if body:
                blocks += [f"## {self.heading(section.heading)}", *body]
        return "\n\n".join(blocks) + "\n"

    def part(self, part: Part) -> str:
        """Return a part; nothing when none of its rules holds at this table."""
        if part.table:
            return "\n".join(self.table())
        if part.options:
            return "\n".join(
                f"- {self.option(option)}" for option in self.profile.options
            )
        sentences = [self.say(name) for name in self.ids(part)]
        if part.say:
            return " ".join(sentences)
        return "\n".join(f"- {text}" for text in sentences)

    def table(self) -> Iterator[str]:
        """Yield the lines of the table of melds."""
        yield f"| {self.heading('table-meld')} | {self.heading('table-cards')} | {self.heading('table-points')} |"
        yield "| --- | --- | ---: |"
        values = settle(self.profile, self.options)
        for meld in melds_shown(self.profile, self.options):
            cards = cards_text(self.profile, self.lang, meld, self.options)
            yield f"| {capital(meld_name(self.lang, meld.name))} | {cards} | {static_value(meld.points, values)} |"

    def option(self, option: Option) -> str:
        """Return the line of an option: what it decides and which values it has."""
        labels = language(self.lang).options.get(option.name)
        default = self.label(option, option.default)
        shown = self.heading("option-default", value=default)
        if option.values is not None:
            values = ", ".join(
                shown if v == option.default else self.label(option, v)
                for v in option.values
            )
        else:
            between = "option-from" if option.max is None else "option-between"
            values = f"{shown}, {self.heading(between, min=str(option.min), max=str(option.max))}"
        label = option.name.replace("_", " ")
        if labels:
            label = fill_slots(self.profile, self.lang, labels.label, self.options)
        return self.heading("option-line", label=label, values=values)

    def label(self, option: Option, value: bool | int | str) -> str:  # noqa: FBT001 - an option's value
        """Return a value of an option in words."""
        labels = language(self.lang).options.get(option.name)
        text = (
            labels.values.get(str(value).lower())
            if labels and isinstance(value, bool | str)
            else None
        )
        return (
            fill_slots(self.profile, self.lang, text, self.options)
            if text
            else str(value)
        )
