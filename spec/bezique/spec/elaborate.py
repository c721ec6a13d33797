"""Elaboration: the texts of a flattened rule file become a typed `Profile`.

All parts are read even when some fail, so that one look shows every problem.

Order matters only for names: the deck, the letters, the state and the values first,
then terms and choices (on demand, since they use each other), then everything that uses them.
"""

import contextlib
import re
from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from pydantic import ValidationError

from bezique.spec import core, grammar, surface, tree
from bezique.spec.grammar import Definition, FaultError, Scope
from bezique.spec.kinds import BOOL, INT, MELD, NONE, SEAT, SUIT, Type, type_from
from bezique.spec.patterns import read_pattern
from bezique.spec.problem import Mark, Problem
from bezique.spec.source import Path, Text, path_text
from bezique.spec.tree import Expression, Statement
from bezique.spec.vocabulary import FACTS, REACTION_PARAMETERS, SERIES_FACTS

T = TypeVar("T")

_EXPECTED = {
    "missing": "this key",
    "extra_forbidden": "one of the keys of the language",
    "string_type": "a text",
    "int_type": "a whole number",
    "bool_type": "true or false",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "list_type": "a list",
}
_NOWHERE: Expression = tree.Constant(type=NONE, value=None)


def shaped(text: Text) -> surface.ProfileText | None:
    """Return the file's surface, or None after noting what is wrong with its shape."""
    try:
        return surface.ProfileText.model_validate(text.value)
    except ValidationError as error:
        for fault in error.errors(include_url=False):
            path = _known_path(tuple(fault["loc"]), text)
            mark = text.marks[path]
            shown = path_text(path)
            if fault["type"] in ("missing", "extra_forbidden"):
                key = str(fault["loc"][-1])
                shown = path_text((*path, key)) if path[-1:] != (key,) else shown
                expected, got, code = (f"the key {key!r}", "none", "missing-key") if fault["type"] == "missing" else ("a key of the language", repr(key), "unknown-key")
            else:
                expected = _EXPECTED.get(fault["type"]) or fault["msg"].removeprefix("Input should be ").removeprefix("Value error, ").removeprefix("String should ")
                got, code = repr(fault["input"]) if not isinstance(fault["input"], dict | list) else f"a {type(fault['input']).__name__}", "shape"
            text.problems.append(Problem(mark, expected, got, shown, code))
        return None


def _known_path(loc: tuple[str | int, ...], text: Text) -> Path:
    """Return the longest part of a location that the file has; models' tags are left out."""
    path: Path = ()
    for step in loc:
        if (*path, step) in text.marks:
            path = (*path, step)
    return path


class Elaboration:
    """One reading of one flattened file. `profile()` gives the result or None."""

    def __init__(self, form: surface.ProfileText, text: Text) -> None:
        self.form, self.text = form, text
        self.ranks, self.suits = tuple(form.deck.ranks.split()), tuple(form.deck.suits.split())
        self.seats = tuple(form.seats.split())
        self.constants = grammar.constants(self.ranks, self.suits, self.seats)
        self.values: dict[str, Type] = {name: BOOL if isinstance(value, bool) else INT for name, value in form.values.items()}
        self.letters = self._letters()
        self.state = self._state()
        self.families = tuple(dict.fromkeys(meld.family for meld in form.melds.values()))
        self._terms: dict[str, core.Term | None] = {}
        self._choices: dict[str, core.Choice | None] = {}
        self._busy: list[str] = []
        self.definitions = self._definitions()
        readings = {name.split("(")[0]: tuple(values) for name, values in form.choices.items()}
        self.scope = Scope(
            facts=FACTS, state={item.name: item.type for item in self.state}, values=self.values, definitions=self.definitions,
            constants=self.constants, families=self.families, readings=readings,
        )  # fmt: skip
        self.static = Scope(values=self.values, constants=self.constants, readings=readings)

    # --- problems ---------------------------------------------------------------------

    def problem(self, path: Path, expected: str, got: str, code: str, column: int = 0) -> None:
        """Note a problem at an item of the file."""
        at = path
        while at not in self.text.marks:
            at = at[:-1]
        mark: Mark = self.text.marks[at]
        self.text.problems.append(Problem(mark.shifted(column), expected, got, path_text(path), code))

    @contextlib.contextmanager
    def at(self, path: Path) -> Iterator[None]:
        """Note a fault in a text of the file as a problem there."""
        try:
            yield
        except FaultError as fault:
            self.problem(path, fault.expected, fault.got, fault.code, fault.column)

    def expression(self, path: Path, text: str, scope: Scope, expected: Type | None = BOOL) -> Expression:
        """Return a typed expression; after a problem, one that stands for nothing."""
        with self.at(path):
            return grammar.read_expression(text, scope, expected)
        return _NOWHERE

    def statements(self, path: Path, items: list[surface.StatementText], scope: Scope) -> tuple[Statement, ...]:
        """Return the statements of a list."""
        found: list[Statement] = []
        for index, item in enumerate(items):
            here = (*path, index)
            if isinstance(item, str):
                with self.at(here):
                    found.append(grammar.read_statement(item, scope))
            elif isinstance(item, surface.WhenText):
                test = self.expression((*here, "if"), item.if_, scope)
                found.append(tree.When(test=test, then=self.statements((*here, "do"), item.do, scope), other=self.statements((*here, "else"), item.else_, scope)))
            else:
                name, group_text = item.for_.split(" in ", 1)
                group = self.expression((*here, "for"), group_text, scope, None)
                if group.type.item is None:
                    if group is not _NOWHERE:
                        self.problem((*here, "for"), "a set or list", f"{group.type} ({group_text})", "type", len(name) + 4)
                    continue
                inner = scope.with_parameters({name: group.type.item})
                found.append(tree.ForEach(variable=name, group=group, body=self.statements((*here, "do"), item.do, inner)))
        return tuple(found)

    def clauses(self, path: Path, tests: Mapping[str, str], scope: Scope) -> tuple[core.Clause, ...]:
        """Return named conditions in order."""
        return tuple(core.Clause(id=name, test=self.expression((*path, name), text, scope)) for name, text in tests.items())

    # --- names ------------------------------------------------------------------------

    def _letters(self) -> dict[str, Type]:
        letters: dict[str, Type] = {}
        for letter, text in self.form.letters.items():
            kind = type_from(text)
            if kind is None:
                self.problem(("letters", letter), "a type such as Card or set of Card", repr(text), "unknown-type")
            else:
                letters[letter] = kind
        return letters

    def _state(self) -> tuple[core.State, ...]:
        parts: list[core.State] = []
        for name, item in self.form.state.items():
            kind = type_from(item.type)
            if kind is None:
                self.problem(("state", name, "type"), "a type such as Suit or None, set of Card", repr(item.type), "unknown-type")
            elif not (kind.optional or kind.item or kind.kind in ("Bool", "Int")):
                self.problem(("state", name, "type"), "a type with an empty value (optional, set, list, Bool or Int)", str(kind), "no-empty-value")
            else:
                parts.append(core.State(name=name, type=kind, per=item.per, unless_empty=item.unless_empty))
        return tuple(parts)

    def _parameters(self, path: Path, signature: str) -> tuple[str, tuple[core.Parameter, ...]]:
        name, _, inside = signature.rstrip(")").partition("(")
        parameters: list[core.Parameter] = []
        for letter in filter(None, inside.split(", ")):
            kind = self.letters.get(letter) or (BOOL if letter == "exchange" else None)
            if kind is None:
                self.problem(path, f"letters of the file ({', '.join(self.letters)})", repr(letter), "unknown-letter")
            else:
                parameters.append(core.Parameter(name=letter, type=kind))
        return name, tuple(parameters)

    def _definitions(self) -> dict[str, Definition]:
        definitions: dict[str, Definition] = {}
        taken: dict[str, str] = {name: "a fact" for name in FACTS} | {name: "a function" for name in (*grammar.FUNCTIONS, "len", "max", "min", "reading", "fits")}
        for section, names in (("state", self.form.state), ("values", self.form.values)):
            for name in names:
                self._once(taken, name, (section, name), section)

        def define(section: str, signature: str, where: str, kind: Callable[[str], Type]) -> None:
            name, parameters = self._parameters((section, signature), signature)
            self._once(taken, name, (section, signature), section)
            definitions[name] = Definition(where, tuple(item.type for item in parameters), lambda: kind(name))

        for signature in self.form.terms:
            define("terms", signature, "term", lambda name: self.term(name).body.type)
        for signature in self.form.choices:
            define("choices", signature, "choice", lambda name: self.choice(name).type)
        for name, entries in self.form.tables.items():
            self._once(taken, name, ("tables", name), "tables")
            definitions[name] = Definition("table", (SUIT,), lambda: SUIT)
            for word in {*entries, *entries.values()} | set(self.suits):
                if word not in self.suits or word not in entries:
                    self.problem(("tables", name), f"every suit of the deck once ({' '.join(self.suits)})", repr(word), "table")
                    break
        for letter in self.form.letters:
            self._once(taken, letter, ("letters", letter), "letters")
        for name in self.constants:
            section = "seats" if name in self.seats else "deck"
            self._once(taken, name, (section,), "the deck, seats and phases")
        return definitions

    def _once(self, taken: dict[str, str], name: str, path: Path, section: str) -> None:
        if name in taken:
            self.problem(path, f"a name not used yet, for {section}", f"{name!r}, which is {taken[name]} already", "name-twice")
        taken.setdefault(name, f"in {section}")

    def _on_demand(self, kind: str, name: str, done: dict[str, T | None], make: Callable[[], T]) -> T:
        if name in self._busy:
            circle = " → ".join([*self._busy[self._busy.index(name) :], name])
            raise FaultError("terms that end", f"the circle {circle}", f"{kind}-cycle")
        if name not in done:
            self._busy.append(name)
            done[name] = None
            try:
                done[name] = make()
            finally:
                self._busy.pop()
        found = done[name]
        if found is None:
            raise FaultError(f"a sound {kind}", f"{name}, which has a problem of its own", f"broken-{kind}")
        return found

    def term(self, name: str) -> core.Term:
        """Return a term, read when first used."""
        signature = next(key for key in self.form.terms if key.split("(")[0] == name)

        def make() -> core.Term:
            _, parameters = self._parameters(("terms", signature), signature)
            inner = self.scope.with_parameters({item.name: item.type for item in parameters})
            try:
                return core.Term(name=name, parameters=parameters, body=grammar.read_expression(self.form.terms[signature], inner))
            except FaultError as fault:
                if not fault.code.startswith("broken-"):
                    self.problem(("terms", signature), fault.expected, fault.got, fault.code, fault.column)
                raise FaultError("a sound term", name, "broken-term") from None

        return self._on_demand("term", name, self._terms, make)

    def choice(self, name: str) -> core.Choice:
        """Return a choice, read when first used."""
        signature = next(key for key in self.form.choices if key.split("(")[0] == name)

        def make() -> core.Choice:
            path: Path = ("choices", signature)
            _, parameters = self._parameters(path, signature)
            inner = self.scope.with_parameters({item.name: item.type for item in parameters})
            values: dict[str, Expression] = {}
            kind: Type | None = None
            broken = False
            for value, text in self.form.choices[signature].items():
                try:
                    found = grammar.read_expression(text, inner)
                    if kind and kind.kind == "None" and found.type.kind != "None":
                        kind = found.type.maybe()
                    elif kind and not kind.maybe().accepts(found.type):
                        raise FaultError(f"all values of one type ({kind})", f"{found.type} ({text})", "type")
                    kind = (kind.maybe() if found.type.optional or found.type.kind == "None" else kind) if kind else found.type
                    values[value] = found
                except FaultError as fault:
                    broken = True
                    if not fault.code.startswith("broken-"):
                        self.problem((*path, value), fault.expected, fault.got, fault.code, fault.column)
            if broken or kind is None:
                raise FaultError("a sound choice", name, "broken-choice")
            picked = self.form.readings.get(name)
            if picked is None:
                self.problem(path, f"a reading that picks one of {', '.join(values)}", "none", "reading-missing")
                picked = next(iter(values))
            elif picked not in values:
                self.problem(("readings", name), f"one of {', '.join(values)}", repr(picked), "unknown-reading")
                picked = next(iter(values))
            return core.Choice(name=name, parameters=parameters, type=kind, values=values, picked=picked)

        return self._on_demand("choice", name, self._choices, make)

    # --- parts ------------------------------------------------------------------------

    def deck(self) -> core.Deck:
        """Return the deck."""
        for key, names in (("ranks", self.ranks), ("suits", self.suits)):
            for name in names:
                if not re.fullmatch(r"[A-Za-z0-9]+", name):
                    self.problem(("deck", key), "names of letters and digits", repr(name), "deck")
            if len(set(names)) != len(names):
                self.problem(("deck", key), "each name once", self.form.deck.ranks if key == "ranks" else self.form.deck.suits, "deck")
        kinds = [rank + suit for rank in self.ranks for suit in self.suits]
        if len(set(kinds)) != len(kinds):
            self.problem(("deck",), "ranks and suits that make unlike cards", "two cards of one name", "deck")
        return core.Deck(ranks=self.ranks, suits=self.suits, packs=self.expression(("deck", "packs"), self.form.deck.packs, self.static, INT))

    def options(self) -> tuple[core.Option, ...]:
        """Return what players may choose."""
        found: list[core.Option] = []
        for name, item in self.form.options.items():
            path: Path = ("options", name)
            default: bool | int | str
            if name in self.form.values:
                default, of = self.form.values[name], "value"
                kind = type(default)
                for index, value in enumerate(item.values or []):
                    if type(value) is not kind:
                        self.problem((*path, "values", index), f"a {'truth value' if kind is bool else 'whole number'} like the default {default}", repr(value), "option")
            elif name in self.scope.readings:
                default, of = self.form.readings.get(name, ""), "choice"
                for index, value in enumerate(item.values or []):
                    if value not in self.scope.readings[name]:
                        self.problem((*path, "values", index), f"one of {', '.join(self.scope.readings[name])}", repr(value), "option")
            else:
                self.problem(path, "the name of a value or choice", repr(name), "unknown-option")
                continue
            if item.values is not None and default not in item.values:
                self.problem((*path, "values"), f"the default {default} among the values", str(item.values), "option")
            if item.values is None and (isinstance(default, bool | str) or item.min is None):
                self.problem(path, "`values`, or for a whole number `min`", "neither", "option")
            if item.values is None and item.min is not None and not isinstance(default, str) and not item.min <= default <= (item.max or default):
                self.problem(path, f"limits around the default {default}", f"{item.min} to {item.max}", "option")
            values = tuple(item.values) if item.values is not None else None
            found.append(core.Option.model_validate({"name": name, "of": of, "default": default, "values": values, "min": item.min, "max": item.max}))
        return tuple(found)

    def melds(self) -> dict[str, core.Meld]:
        """Return the melds by name."""
        found: dict[str, core.Meld] = {}
        for name, item in self.form.melds.items():
            path: Path = ("melds", name)
            pattern: tuple[core.CardPattern, ...] = ()
            with self.at((*path, "cards")):
                pattern = read_pattern(item.cards, self.constants, self.letters)
            open_suits = {part.variable: SUIT for part in pattern if part.variable}
            scope = self.scope.with_parameters({**open_suits, "m": MELD})
            found[name] = core.Meld(
                name=name, family=item.family, level=item.level, cards=pattern,
                points=self.expression((*path, "points"), item.points, self.static, INT),
                conditions=self.clauses((*path, "if"), item.if_, scope),
                do=self.statements((*path, "do"), item.do, scope),
            )  # fmt: skip
        return found

    def duties(self) -> tuple[core.Duty, ...]:
        """Return the duties in order; each ends in a set that every card is in."""
        found: list[core.Duty] = []
        for name, item in self.form.duties.items():
            path: Path = ("duties", name)
            for index, set_name in enumerate(item.sets):
                definition = self.definitions.get(set_name)
                if definition is None or definition.where != "term" or [kind.kind for kind in definition.parameters] != ["Card"]:
                    self.problem((*path, "sets", index), "a term of one card", repr(set_name), "unknown-set")
                    continue
                with contextlib.suppress(FaultError):
                    body = self.term(set_name).body
                    if body.type != BOOL:
                        self.problem((*path, "sets", index), "a term that is true or false", f"{set_name}, {body.type}", "type")
                    always = isinstance(body, tree.Constant) and body.value is True
                    if always != (index == len(item.sets) - 1):
                        got = f"{set_name}, which may hold no card" if not always else f"{set_name}, after which nothing binds"
                        expected = "a last set that holds every card" if not always else "the set of every card last"
                        self.problem((*path, "sets", index), expected, got, "duty-empty" if not always else "duty-dead")
            found.append(core.Duty(name=name, when=self.expression((*path, "when"), item.when, self.scope), sets=tuple(item.sets)))
        if found and found[-1].when is not _NOWHERE and not (isinstance(found[-1].when, tree.Constant) and found[-1].when.value is True):
            self.problem(("duties", found[-1].name, "when"), "true for the last duty", self.form.duties[found[-1].name].when, "duty-open")
        return tuple(found)

    def actions(self) -> dict[str, core.Action]:
        """Return the actions by name."""
        found: dict[str, core.Action] = {}
        for name, item in self.form.actions.items():
            path: Path = ("actions", name)
            takes: list[core.Parameter] = []
            for parameter, text in item.takes.items():
                kind = Type(kind="Word", words=tuple(text)) if isinstance(text, list) else type_from(text)
                if kind is None or kind.optional or (kind.kind not in ("Card", "Meld", "Seat", "Bool", "Suit", "Rank") and not kind.words):
                    self.problem((*path, "takes", parameter), "Card, Meld, Seat, Suit, Rank, Bool or a list of words", repr(text), "unknown-type")
                else:
                    takes.append(core.Parameter(name=parameter, type=kind))
            scope = self.scope.with_parameters({parameter.name: parameter.type for parameter in takes})
            conditions = self.clauses((*path, "if"), item.if_, scope)
            found[name] = core.Action(name=name, takes=tuple(takes), conditions=conditions, do=self.statements((*path, "do"), item.do, scope), ruling=item.ruling)
        return found

    def waivers(self, actions: Mapping[str, core.Action]) -> tuple[core.Waiver, ...]:
        """Return what a referee of a recorded table lets pass."""
        found: list[core.Waiver] = []
        for name, item in self.form.waivers.items():
            path: Path = ("waivers", name)
            action = next((a for a in actions.values() if item.waives in [clause.id for clause in a.conditions]), None)
            if action is None:
                self.problem((*path, "waives"), "a condition of an action", repr(item.waives), "unknown-clause")
                continue
            scope = self.scope.with_parameters({parameter.name: parameter.type for parameter in action.takes})
            found.append(core.Waiver(id=name, waives=item.waives, test=self.expression((*path, "if"), item.if_, scope), do=self.statements((*path, "do"), item.do, scope)))
        return tuple(found)

    def reactions(self) -> tuple[core.Reaction, ...]:
        """Return what happens by itself, in order."""
        found: list[core.Reaction] = []
        for name, item in self.form.after.items():
            scope = self.scope.with_parameters(REACTION_PARAMETERS[item.upon])
            path: Path = ("after", name)
            found.append(core.Reaction(id=name, upon=item.upon, test=self.expression((*path, "if"), item.if_, scope), do=self.statements((*path, "do"), item.do, scope)))
        return tuple(found)

    def verdicts(self) -> tuple[core.Verdict, ...]:
        """Return the ways a match ends, in order."""
        return tuple(
            core.Verdict(
                id=name,
                test=self.expression(("verdict", name, "if"), item.if_, self.scope),
                winner=self.expression(("verdict", name, "winner"), item.winner, self.scope, SEAT.maybe()),
            )
            for name, item in self.form.verdict.items()
        )

    def deal(self) -> core.Deal:
        """Return how a hand begins."""
        item = self.form.deal
        packets: dict[int, tuple[int, ...]] = {}
        for size, text in item.packets.items():
            numbers = text.split()
            if not size.isdecimal() or not all(number.isdecimal() for number in numbers) or sum(map(int, numbers)) != int(size):
                self.problem(("deal", "packets", size), f"packets that make {size} cards", repr(text), "packets")
            else:
                packets[int(size)] = tuple(map(int, numbers))
        return core.Deal(
            hand_size=self.expression(("deal", "hand_size"), item.hand_size, self.static, INT),
            packets=packets,
            first=self.expression(("deal", "first"), item.first, self.scope, SEAT),
            turn_up=self.expression(("deal", "turn_up"), item.turn_up, self.static),
            next_dealer=self.expression(("deal", "next_dealer"), item.next_dealer, self.scope, SEAT),
        )

    def series(self) -> core.Series:
        """Return what goes from match to match."""
        item = self.form.series
        numbers = {name: INT if tally.start is not None else INT.maybe() for name, tally in item.state.items()}
        scope = Scope(facts=SERIES_FACTS, state=numbers, values=self.values, constants=self.constants)
        player = item.player or self.seats[0]
        if player not in self.seats:
            self.problem(("series", "player"), f"a seat ({', '.join(self.seats)})", repr(player), "unknown-name")
        path: Path = ("series",)
        dealer = None
        if isinstance(item.dealer, surface.ByRuleText):
            dealer = self.expression((*path, "dealer", "seat"), item.dealer.seat, scope, SEAT)
        return core.Series(
            player=player, by=item.dealer.by, dealer=dealer,
            state=tuple(
                core.Tally(name=name, start=tally.start, next=self.expression((*path, "state", name, "next"), tally.next, scope, numbers[name]))
                for name, tally in item.state.items()
            ),
            shows=tuple(
                core.Shown(name=name, value=self.expression((*path, "shows", name, "value"), shown.value, scope, INT.maybe()), decimals=shown.decimals)
                for name, shown in item.shows.items()
            ),
        )  # fmt: skip

    def views(self) -> dict[str, Expression]:
        """Return who sees which zone."""
        scope = self.scope.with_parameters({"p": SEAT, "owner": SEAT})
        given = self.form.views.model_dump()
        return {zone: self.expression(("views", zone), text, scope) for zone, text in given.items()}

    def profile(self) -> core.Profile:
        """Return the typed profile; problems are in the text."""
        form = self.form
        for name in ("stock_open", "beats"):
            if name not in self.definitions:
                self.problem(("terms",), f"the term {name}", "none", "missing-term")
        for signature in form.terms:
            with contextlib.suppress(FaultError):
                self.term(signature.split("(")[0])
        for signature in form.choices:
            with contextlib.suppress(FaultError):
                self.choice(signature.split("(")[0])
        for name in form.readings:
            if name not in self.scope.readings:
                self.problem(("readings", name), "the name of a choice", repr(name), "unknown-choice")
        actions = self.actions()
        return core.Profile(
            name=form.profile, version=form.version, source=form.source, deck=self.deck(), seats=self.seats,
            values=form.values, options=self.options(), tables=form.tables, state=self.state,
            terms={name: term for name, term in self._terms.items() if term}, choices={name: choice for name, choice in self._choices.items() if choice},
            melds=self.melds(), duties=self.duties(), actions=actions, waivers=self.waivers(actions), after=self.reactions(),
            verdict=self.verdicts(), deal=self.deal(), draw_first=self.expression(("draw", "first"), form.draw.first, self.scope, SEAT.maybe()),
            series=self.series(), views=self.views(), invariants=self.clauses(("invariants",), form.invariants, self.scope), sentences=form.sentences,
        )  # fmt: skip
