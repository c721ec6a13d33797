"""Elaboration: the texts of a flattened rule file become a typed `Profile`.

All parts are read even when some fail, so that one look shows every problem.  What
the names mean is settled first (`bezique.spec.names`), then everything that uses them.
"""

import re
from collections.abc import Mapping

from bezique.spec import core, tree
from bezique.spec.codes import Code
from bezique.spec.kinds import BOOL, INT, MELD, SEAT, SUIT, Type, type_from
from bezique.spec.names import NEEDED_TERMS, Names
from bezique.spec.notes import NOTHING, Notes
from bezique.spec.patterns import read_pattern
from bezique.spec.scope import Scope
from bezique.spec.source import Path, Text
from bezique.spec.surface import ByRuleText, DutyText, OptionText, ProfileText
from bezique.spec.tree import Expression
from bezique.spec.vocabulary import REACTION_PARAMETERS, SERIES_FACTS

__all__ = ["Elaboration"]

TAKEN = ("Card", "Meld", "Seat", "Suit", "Rank", "Bool")
"""Types of what a player names in an action."""


class Elaboration:
    """One reading of one flattened file."""

    def __init__(self, form: ProfileText, text: Text) -> None:
        self.form = form
        self.notes = Notes(text)
        self.names = Names(form, self.notes)
        self.scope, self.static = self.names.scope, self.names.static

    def profile(self) -> core.Profile:
        """Return the typed profile; it is sound if no problem has been noted."""
        form = self.form
        terms, choices = self.names.terms(), self.names.choices()
        self._check_terms(terms)
        for name in form.readings:
            if name not in self.names.readings:
                path: Path = ("readings", name)
                expected = "the name of a choice"
                self.notes.key_problem(path, expected, name, "unknown-choice")
        actions = self.actions()
        return core.Profile(
            name=form.profile,
            version=form.version,
            source=form.source,
            deck=self.deck(),
            seats=self.names.seats,
            values=form.values,
            options=self.options(),
            tables=self.tables(),
            state=self.names.state,
            terms=terms,
            choices=choices,
            melds=self.melds(),
            duties=self.duties(),
            actions=actions,
            waivers=self.waivers(actions),
            after=self.reactions(),
            verdict=self.verdicts(),
            deal=self.deal(),
            draw_first=self.notes.expression(
                ("draw", "first"), form.draw.first, self.scope, SEAT.maybe()
            ),
            series=self.series(),
            views=self.views(),
            invariants=self.notes.clauses(("invariants",), form.invariants, self.scope),
            sentences=form.sentences,
        )

    def _check_terms(self, terms: Mapping[str, core.Term]) -> None:
        """Note a term that the language asks for and the file has not, or not so."""
        for name, kinds in NEEDED_TERMS.items():
            wanted = f"{name}({', '.join(map(str, kinds))})" if kinds else name
            expected = f"the term {wanted}, true or false"
            definition = self.scope.definitions.get(name)
            if definition is None or definition.where != "term":
                self.notes.problem(("terms",), expected, "none", "missing-term")
            elif name in terms:
                term = terms[name]
                found = tuple(item.type for item in term.parameters)
                if (found, term.body.type) != (kinds, BOOL):
                    listed = ", ".join(map(str, found))
                    got = f"{name}({listed}) of type {term.body.type}"
                    self.notes.problem(("terms",), expected, got, "missing-term")

    def deck(self) -> core.Deck:
        """Return the deck."""
        text = self.form.deck
        self._check_names("deck", ("deck", "ranks"), self.names.ranks)
        self._check_names("deck", ("deck", "suits"), self.names.suits)
        self._check_names("seats", ("seats",), self.names.seats)
        cards = [rank + suit for rank in self.names.ranks for suit in self.names.suits]
        twice = next((card for card in cards if cards.count(card) > 1), None)
        apart = len(set(self.names.ranks)) * len(set(self.names.suits)) == len(cards)
        if twice and apart:
            expected = "ranks and suits that give each card its own name"
            self.notes.problem(
                ("deck", "suits"), expected, f"two cards {twice}", "deck"
            )
        if len(self.names.seats) < 2:  # noqa: PLR2004
            self.notes.problem(("seats",), "at least two seats", "one", "seats")
        packs = self.notes.static_expression(
            ("deck", "packs"), text.packs, self.static, INT
        )
        return core.Deck(ranks=self.names.ranks, suits=self.names.suits, packs=packs)

    def tables(self) -> dict[str, dict[str, str]]:
        """Return the tables; each gives every suit a suit, and no suit two."""
        suits = self.names.suits
        for name, entries in self.form.tables.items():
            expected = f"every suit of the deck ({' '.join(suits)}) once on each side"
            words = (*entries, *entries.values())
            wrong = next((word for word in words if word not in suits), None)
            sides = (tuple(entries), tuple(entries.values()))
            lost = next(
                (f"no {suit}" for side in sides for suit in suits if suit not in side),
                None,
            )
            got = wrong or lost
            if got:
                self.notes.key_problem(("tables", name), expected, got, "table")
        return self.form.tables

    def options(self) -> tuple[core.Option, ...]:
        """Return what players may choose."""
        found: list[core.Option] = []
        for name, item in self.form.options.items():
            path: Path = ("options", name)
            default = self.form.values.get(name, self.form.readings.get(name))
            if name not in self.form.values and name not in self.names.readings:
                expected = "the name of a value or choice"
                self.notes.key_problem(path, expected, name, "unknown-option")
            elif default is not None:
                self._check_option(path, item, default, self.names.readings.get(name))
                option = core.Option(
                    name=name,
                    of="value" if name in self.form.values else "choice",
                    default=default,
                    values=None if item.values is None else tuple(item.values),
                    min=item.min,
                    max=item.max,
                )
                found.append(option)
        return tuple(found)

    def _check_option(
        self,
        path: Path,
        item: OptionText,
        default: bool | int | str,  # noqa: FBT001
        readings: tuple[str, ...] | None,
    ) -> None:
        """Note what is wrong with an option's values or limits."""
        limits = (item.min, item.max)
        if item.values is None:
            numeric = isinstance(default, int) and not isinstance(default, bool)
            if not numeric or item.min is None:
                expected = "`values`, or for a whole number `min`"
                self.notes.problem(path, expected, "neither", "option")
                return
            below = item.min <= default  # type: ignore[operator]  # it is numeric
            above = item.max is None or default <= item.max  # type: ignore[operator]
            if not (below and above):
                expected = f"limits around the default {default}"
                got = f"{item.min} to {'any' if item.max is None else item.max}"
                self.notes.problem(path, expected, got, "option")
            return
        if limits != (None, None):
            got = "`values` and limits"
            self.notes.problem(path, "either `values` or limits", got, "option")
        for index, value in enumerate(item.values):
            here = (*path, "values", index)
            if readings is not None and value not in readings:
                expected = f"one of {', '.join(readings)}"
                self.notes.problem(here, expected, repr(value), "option")
            elif readings is None and type(value) is not type(default):
                kind = "truth value" if isinstance(default, bool) else "whole number"
                expected = f"a {kind} like the default {default}"
                self.notes.problem(here, expected, repr(value), "option")
            elif value in item.values[:index]:
                self.notes.problem(here, "each value once", f"{value} again", "option")
        if default not in item.values:
            expected = f"the default {default} among the values"
            listed = ", ".join(map(str, item.values)) or "no values"
            self.notes.problem((*path, "values"), expected, listed, "option")

    def melds(self) -> dict[str, core.Meld]:
        """Return the melds by name."""
        found: dict[str, core.Meld] = {}
        for name, item in self.form.melds.items():
            path: Path = ("melds", name)
            cards: tuple[core.CardPattern, ...] = ()
            with self.notes.at((*path, "cards")):
                cards = read_pattern(
                    item.cards, self.scope.constants, self.names.letters
                )
            # After a fault in the cards any letter for suits may have been meant.
            letters = self.names.letters.items()
            suits = {letter: kind for letter, kind in letters if kind == SUIT}
            if cards:
                suits = {part.variable: SUIT for part in cards if part.variable}
            scope = self.scope.with_parameters({**suits, "m": MELD})
            found[name] = core.Meld(
                name=name,
                family=item.family,
                level=item.level,
                cards=cards,
                points=self.notes.static_expression(
                    (*path, "points"), item.points, self.static, INT
                ),
                conditions=self.notes.clauses((*path, "if"), item.if_, scope),
                do=self.notes.statements((*path, "do"), item.do, scope),
            )
        return found

    def duties(self) -> tuple[core.Duty, ...]:
        """Return the duties in order; each ends in a set that every card is in."""
        found: list[core.Duty] = []
        for name, item in self.form.duties.items():
            path: Path = ("duties", name)
            self._check_sets((*path, "sets"), item)
            when = self.notes.expression((*path, "when"), item.when, self.scope)
            found.append(core.Duty(name=name, when=when, sets=tuple(item.sets)))
        if not found:
            self.notes.key_problem(
                ("duties",), "at least one duty", "none", "duty-open"
            )
        elif found[-1].when is not NOTHING and not _always(found[-1].when):
            name = found[-1].name
            path = ("duties", name, "when")
            expected, got = "true for the last duty", self.form.duties[name].when
            self.notes.problem(path, expected, got, "duty-open")
        return tuple(found)

    def _check_sets(self, path: Path, item: DutyText) -> None:
        """Note what is wrong with the sets of a duty."""
        terms = self.names.terms()
        last = len(item.sets) - 1
        for index, name in enumerate(item.sets):
            here = (*path, index)
            definition = self.scope.definitions.get(name)
            of_card = definition and [kind.kind for kind in definition.parameters]
            if not definition or definition.where != "term" or of_card != ["Card"]:
                self.notes.problem(here, "a term of one card", name, "unknown-set")
                continue
            if name not in terms:  # its own problem is noted
                continue
            body = terms[name].body
            if body.type != BOOL:
                expected, got = "a term that is true or false", f"{name}, {body.type}"
                self.notes.problem(here, expected, got, "type")
            elif _always(body) and index != last:
                expected = "the set of every card last"
                got = f"{name}, after which nothing binds"
                self.notes.problem(here, expected, got, "duty-dead")
            elif index == last and not _always(body):
                expected = "a last set that holds every card"
                got = f"{name}, which may hold none"
                self.notes.problem(here, expected, got, "duty-empty")

    def actions(self) -> dict[str, core.Action]:
        """Return the actions by name."""
        found: dict[str, core.Action] = {}
        for name, item in self.form.actions.items():
            path: Path = ("actions", name)
            takes = self._takes((*path, "takes"), item.takes)
            scope = self.scope.with_parameters({part.name: part.type for part in takes})
            found[name] = core.Action(
                name=name,
                takes=takes,
                conditions=self.notes.clauses((*path, "if"), item.if_, scope),
                do=self.notes.statements((*path, "do"), item.do, scope),
                ruling=item.ruling,
            )
        return found

    def _takes(
        self, path: Path, takes: Mapping[str, str | list[str]]
    ) -> tuple[core.Parameter, ...]:
        found: list[core.Parameter] = []
        for name, text in takes.items():
            here = (*path, name)
            meaning = self.scope.meaning(name)
            if meaning:
                expected, got = "a new name", f"{name}, which is {meaning}"
                self.notes.key_problem(here, expected, got, "shadow")
            kind = _taken(text)
            if kind is None:
                expected = f"{', '.join(TAKEN)} or a list of words"
                got = repr(text) if text else "an empty list"
                self.notes.problem(here, expected, got, "unknown-type")
            else:
                found.append(core.Parameter(name=name, type=kind))
        return tuple(found)

    def waivers(self, actions: Mapping[str, core.Action]) -> tuple[core.Waiver, ...]:
        """Return what a referee of a recorded table lets pass."""
        found: list[core.Waiver] = []
        owner = {
            clause.id: action
            for action in actions.values()
            for clause in action.conditions
        }
        for name, item in self.form.waivers.items():
            path: Path = ("waivers", name)
            action = owner.get(item.waives)
            if action is None:
                here, expected = (*path, "waives"), "a condition of an action"
                self.notes.problem(here, expected, item.waives, "unknown-clause")
                continue
            parameters = {part.name: part.type for part in action.takes}
            scope = self.scope.with_parameters(parameters)
            waiver = core.Waiver(
                id=name,
                waives=item.waives,
                test=self.notes.expression((*path, "if"), item.if_, scope),
                do=self.notes.statements((*path, "do"), item.do, scope),
            )
            found.append(waiver)
        return tuple(found)

    def reactions(self) -> tuple[core.Reaction, ...]:
        """Return what happens by itself, in order."""
        found: list[core.Reaction] = []
        for name, item in self.form.after.items():
            path: Path = ("after", name)
            scope = self.scope.with_parameters(REACTION_PARAMETERS[item.upon])
            reaction = core.Reaction(
                id=name,
                upon=item.upon,
                test=self.notes.expression((*path, "if"), item.if_, scope),
                do=self.notes.statements((*path, "do"), item.do, scope),
            )
            found.append(reaction)
        return tuple(found)

    def verdicts(self) -> tuple[core.Verdict, ...]:
        """Return the ways a match ends, in order."""
        found: list[core.Verdict] = []
        for name, item in self.form.verdict.items():
            path: Path = ("verdict", name)
            test = self.notes.expression((*path, "if"), item.if_, self.scope)
            here, seat = (*path, "winner"), SEAT.maybe()
            winner = self.notes.expression(here, item.winner, self.scope, seat)
            worth = None
            if item.worth is not None:
                worth = self.notes.expression(
                    (*path, "worth"), item.worth, self.scope, INT
                )
            found.append(core.Verdict(id=name, test=test, winner=winner, worth=worth))
        return tuple(found)

    def deal(self) -> core.Deal:
        """Return how a hand begins."""
        item = self.form.deal

        def static(key: str, text: str, kind: Type) -> Expression:
            return self.notes.static_expression(("deal", key), text, self.static, kind)

        def seat(key: str, text: str) -> Expression:
            return self.notes.expression(("deal", key), text, self.scope, SEAT)

        packets: dict[int, tuple[int, ...]] = {}
        for size, text in item.packets.items():
            numbers = [size, *text.split()]
            sizes = [int(word) for word in numbers if re.fullmatch("[1-9][0-9]?", word)]
            if len(sizes) == len(numbers) and sum(sizes[1:]) == sizes[0]:
                packets[sizes[0]] = tuple(sizes[1:])
            else:
                expected = f"packets that make {size} cards"
                path: Path = ("deal", "packets", size)
                self.notes.problem(path, expected, repr(text), "packets")
        return core.Deal(
            hand_size=static("hand_size", item.hand_size, INT),
            packets=packets,
            first=seat("first", item.first),
            turn_up=static("turn_up", item.turn_up, BOOL),
            next_dealer=seat("next_dealer", item.next_dealer),
        )

    def series(self) -> core.Series:
        """Return what goes from match to match."""
        item = self.form.series
        numbers = {
            name: INT.maybe() if tally.start is None else INT
            for name, tally in item.state.items()
        }
        scope = Scope(
            facts=SERIES_FACTS,
            state=numbers,
            values=self.scope.values,
            constants=self.scope.constants,
        )
        path: Path = ("series",)

        def expression(part: Path, text: str, kind: Type) -> Expression:
            return self.notes.expression((*path, *part), text, scope, kind)

        seats = self.names.seats
        player = seats[0] if item.player is None else item.player
        if player not in seats:
            expected = f"a seat ({', '.join(seats)})"
            self.notes.problem((*path, "player"), expected, player, "unknown-seat")
        for name in item.state:
            meaning = "a fact" if name in SERIES_FACTS else scope.values.get(name)
            if meaning or name in scope.constants:
                got = f"{name}, which means something else"
                here = (*path, "state", name)
                self.notes.key_problem(here, "a name not used yet", got, "name-twice")
        dealer = None
        if isinstance(item.dealer, ByRuleText):
            dealer = expression(("dealer", "seat"), item.dealer.seat, SEAT)
        tallies = []
        for name, tally in item.state.items():
            value = expression(("state", name, "next"), tally.next, numbers[name])
            tallies.append(core.Tally(name=name, start=tally.start, next=value))
        shows = []
        for name, shown in item.shows.items():
            value = expression(("shows", name, "value"), shown.value, INT.maybe())
            shows.append(core.Shown(name=name, value=value, decimals=shown.decimals))
        return core.Series(
            player=player,
            by=item.dealer.by,
            dealer=dealer,
            state=tuple(tallies),
            shows=tuple(shows),
        )

    def views(self) -> dict[str, Expression]:
        """Return who sees which zone."""
        scope = self.scope.with_parameters({"p": SEAT, "owner": SEAT})
        return {
            zone: self.notes.expression(("views", zone), text, scope)
            for zone, text in self.form.views.model_dump().items()
        }

    def _check_names(self, code: Code, path: Path, names: tuple[str, ...]) -> None:
        """Note names that cannot be written in expressions, and repeated ones."""
        for index, name in enumerate(names):
            if not re.fullmatch(r"[A-Za-z0-9]+", name):
                expected = "names of letters and digits"
                self.notes.problem(path, expected, repr(name), code)
            if name in names[:index]:
                self.notes.problem(path, "each name once", f"{name} again", code)


def _always(expression: Expression) -> bool:
    return isinstance(expression, tree.Constant) and expression.value is True


def _taken(text: str | list[str]) -> Type | None:
    """Return the type of what an action takes, or None for what it cannot take."""
    if isinstance(text, list):
        return Type(kind="Word", words=tuple(text)) if text else None
    return type_from(text) if text in TAKEN else None
