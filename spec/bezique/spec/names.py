"""Names: what the names of a rule file stand for, and each of them only once.

Terms and choices use each other, so they are read when they are first asked for; one
that is asked for while it is being read goes in a circle.

Terms
    signature   a name with its letters: `beats(c, d)`
    letter      a parameter name with the type it has throughout the file
"""

from collections.abc import Callable
from functools import partial
from typing import Literal, TypeVar

from bezique.spec import core
from bezique.spec.grammar import read_expression
from bezique.spec.kinds import BOOL, CARD, INT, SUIT, Type, type_from
from bezique.spec.notes import Notes
from bezique.spec.scope import RESERVED, Definition, Scope, constants
from bezique.spec.source import Path
from bezique.spec.surface import ProfileText
from bezique.spec.syntax import BrokenError, FaultError, refuse
from bezique.spec.tree import Expression
from bezique.spec.vocabulary import FACTS

__all__ = ["NEEDED_TERMS", "Names"]

NEEDED_TERMS: dict[str, tuple[Type, ...]] = {"stock_open": (), "beats": (CARD, CARD)}
"""Terms that the language itself asks for: may seats draw, which card takes a trick."""

T = TypeVar("T", core.Term, core.Choice)


class Names:
    """The names of one file."""

    def __init__(self, form: ProfileText, notes: Notes) -> None:
        self.form, self.notes = form, notes
        self.ranks = tuple(form.deck.ranks.split())
        self.suits = tuple(form.deck.suits.split())
        self.seats = tuple(form.seats.split())
        self.letters = self._letters()
        self.state = self._state()
        self.families = tuple(
            dict.fromkeys(meld.family for meld in form.melds.values())
        )
        self.readings = {
            _name(signature): tuple(values)
            for signature, values in form.choices.items()
        }
        self._terms: dict[str, core.Term | None] = {}
        self._choices: dict[str, core.Choice | None] = {}
        self._busy: list[str] = []
        self._check_once()
        values = {
            name: BOOL if isinstance(value, bool) else INT
            for name, value in form.values.items()
        }
        self.scope = Scope(
            facts=FACTS,
            state={item.name: item.type for item in self.state},
            values=values,
            definitions=self._definitions(),
            constants=constants(self.ranks, self.suits, self.seats),
            families=self.families,
            readings=self.readings,
        )
        self.static = Scope(values=values)

    def terms(self) -> dict[str, core.Term]:
        """Return every sound term in the order of the file."""
        return _sound(self.form.terms, self.term)

    def choices(self) -> dict[str, core.Choice]:
        """Return every sound choice in the order of the file."""
        return _sound(self.form.choices, self.choice)

    def term(self, signature: str) -> core.Term:
        """Return a term.

        Raises:
            BrokenError: It has a problem, which is noted.
            FaultError: It is asked for while it is being read.
        """

        def make() -> core.Term:
            path: Path = ("terms", signature)
            parameters = self._parameters(signature)
            text = self.form.terms[signature]
            with self.notes.at(path):
                body = read_expression(text, self._inside(parameters))
                return core.Term(name=name, parameters=parameters, body=body)
            raise BrokenError(name)

        name = _name(signature)
        return self._once_read(name, self._terms, "terms that end", make)

    def choice(self, signature: str) -> core.Choice:
        """Return a choice.

        Raises:
            BrokenError: It has a problem, which is noted.
            FaultError: It is asked for while it is being read.
        """

        def make() -> core.Choice:
            parameters = self._parameters(signature)
            kind, values = self._values(signature, parameters)
            picked = self._picked(name, signature, tuple(values))
            return core.Choice(
                name=name,
                parameters=parameters,
                type=kind,
                values=values,
                picked=picked,
            )

        name = _name(signature)
        return self._once_read(name, self._choices, "choices that end", make)

    def _values(
        self, signature: str, parameters: tuple[core.Parameter, ...]
    ) -> tuple[Type, dict[str, Expression]]:
        """Return the readings of a choice and the type that they have in common."""
        path: Path = ("choices", signature)
        scope = self._inside(parameters)
        values: dict[str, Expression] = {}
        kind: Type | None = None
        given = self.form.choices[signature]
        if not given:
            self.notes.key_problem(path, "at least one reading", "none", "shape")
        for name, text in given.items():
            with self.notes.at((*path, name)):
                found = read_expression(text, scope)
                joined = kind.joined(found.type) if kind else found.type
                if joined is None:
                    got = f"{found.type} ({text})"
                    expected = f"readings of one type, {kind}"
                    refuse(expected, got, "type")
                kind = joined
                values[name] = found
        if kind is None or len(values) < len(given):
            raise BrokenError(_name(signature))
        return kind, values

    def _picked(self, name: str, signature: str, values: tuple[str, ...]) -> str:
        """Return the reading that the file picks, or some other after a problem."""
        picked = self.form.readings.get(name)
        expected = f"one of {', '.join(values)}"
        if picked is None:
            path: Path = ("choices", signature)
            expected = f"a reading that picks {expected}"
            self.notes.key_problem(path, expected, "none", "reading-missing")
        elif picked in values:
            return picked
        else:
            path = ("readings", name)
            self.notes.problem(path, expected, repr(picked), "unknown-reading")
        return values[0]

    def _once_read(
        self, name: str, done: dict[str, T | None], wanted: str, make: Callable[[], T]
    ) -> T:
        if name in self._busy:
            circle = " → ".join([*self._busy[self._busy.index(name) :], name])
            refuse(wanted, f"the circle {circle}", "term-cycle")
        if name not in done:
            self._busy.append(name)
            done[name] = None
            try:
                done[name] = make()
            finally:
                self._busy.pop()
        found = done[name]
        if found is None:
            raise BrokenError(name)
        return found

    def _inside(self, parameters: tuple[core.Parameter, ...]) -> Scope:
        return self.scope.with_parameters({item.name: item.type for item in parameters})

    def _parameters(self, signature: str) -> tuple[core.Parameter, ...]:
        """Return the parameters of a signature; unknown letters are noted elsewhere."""
        return tuple(
            core.Parameter(name=letter, type=self.letters[letter])
            for letter in _letters_of(signature)
            if letter in self.letters
        )

    def _letters(self) -> dict[str, Type]:
        letters: dict[str, Type] = {}
        for letter, text in self.form.letters.items():
            kind = type_from(text)
            if kind is None:
                expected = "a type such as Card or set of Card"
                path: Path = ("letters", letter)
                self.notes.problem(path, expected, repr(text), "unknown-type")
            else:
                letters[letter] = kind
        return letters

    def _state(self) -> tuple[core.State, ...]:
        parts: list[core.State] = []
        for name, item in self.form.state.items():
            path: Path = ("state", name, "type")
            kind = type_from(item.type)
            if kind is None:
                expected = "a type such as Suit or None, set of Card"
                self.notes.problem(path, expected, repr(item.type), "unknown-type")
            elif not (kind.optional or kind.item or kind.kind in ("Bool", "Int")):
                expected = "a type that can be empty: Bool, Int, a set, a list, or None"
                self.notes.problem(path, expected, str(kind), "no-empty-value")
            else:
                part = core.State(
                    name=name,
                    type=kind,
                    per=item.per,
                    unless_empty=item.unless_empty,
                )
                parts.append(part)
        return tuple(parts)

    def _definitions(self) -> dict[str, Definition]:
        definitions: dict[str, Definition] = {}

        def define(
            signature: str, where: Literal["term", "choice"], kind: Callable[[], Type]
        ) -> None:
            kinds = tuple(item.type for item in self._parameters(signature))
            definitions[_name(signature)] = Definition(where, kinds, kind)

        def term_type(signature: str) -> Type:
            return self.term(signature).body.type

        def choice_type(signature: str) -> Type:
            return self.choice(signature).type

        for signature in self.form.terms:
            define(signature, "term", partial(term_type, signature))
        for signature in self.form.choices:
            define(signature, "choice", partial(choice_type, signature))
        for name in self.form.tables:
            definitions[name] = Definition("table", (SUIT,), lambda: SUIT)
        return definitions

    def _check_once(self) -> None:
        """Note every name that stands for two things, and every unknown letter."""
        taken: dict[str, tuple[str, Path]] = {
            name: (what, ()) for name, what in RESERVED.items()
        }
        text = self.notes.text

        def below(path: Path) -> bool:
            return text.key_mark(path).file != text.mark(()).file

        def take(name: str, path: Path, what: str) -> None:
            if name not in taken:
                taken[name] = (what, path)
                return
            earlier, before = taken[name]
            # The file that lies above the others is the one to mend.
            if before and below(path) and not below(before):
                earlier, path = what, before
            expected, got = "a name not used yet", f"{name}, which is {earlier}"
            self.notes.key_problem(path, expected, got, "name-twice")

        for names, path, what in (
            (self.ranks, ("deck", "ranks"), "a rank"),
            (self.suits, ("deck", "suits"), "a suit"),
            (self.seats, ("seats",), "a seat"),
        ):
            for name in dict.fromkeys(names):
                take(name, path, what)
        form = self.form
        for section, signatures, what in (
            ("state", form.state, "a part of the state"),
            ("values", form.values, "a value"),
            ("tables", form.tables, "a table"),
            ("terms", form.terms, "a term"),
            ("choices", form.choices, "a choice"),
            ("letters", form.letters, "a letter"),
        ):
            for signature in signatures:
                here: Path = (section, signature)
                take(_name(signature), here, what)
                self._check_letters(here, _letters_of(signature))

    def _check_letters(self, path: Path, letters: list[str]) -> None:
        for index, letter in enumerate(letters):
            if letter not in self.form.letters:
                expected = f"a letter of the file ({', '.join(self.form.letters)})"
                self.notes.key_problem(path, expected, letter, "unknown-letter")
            if letter in letters[:index]:
                expected, got = "each letter once", f"{letter} again"
                self.notes.key_problem(path, expected, got, "name-twice")


def _name(signature: str) -> str:
    return signature.partition("(")[0]


def _letters_of(signature: str) -> list[str]:
    inside = signature.partition("(")[2].rstrip(")")
    return inside.split(", ") if inside else []


def _sound(
    signatures: dict[str, str] | dict[str, dict[str, str]], read: Callable[[str], T]
) -> dict[str, T]:
    found: dict[str, T] = {}
    for signature in signatures:
        try:
            found[_name(signature)] = read(signature)
        except FaultError:  # it is noted where it stands
            continue
    return found
