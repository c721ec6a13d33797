"""Obligations: what is proved of a table.

Each is one question with a name: something holds in all sensible situations, or something can
happen in one.  The answer is `proved`, `refuted` (with a counterexample that the interpreter
confirms where it is a position) or `undecided`.

    duties      never empty; every set binds somewhere
    actions     each can be done; each condition can be the one that refuses
    verdicts    no two hold together
    tricks      one card wins; of identical cards the first
    compiled    code equals the rules (`bezique.solver.proof.equivalence`)
    tables      the kernel's tables equal the rules
    invariants  zones, reuse, points
"""

import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations, product
from types import SimpleNamespace
from typing import Any

import z3

from bezique.engine.action import Action
from bezique.engine.cards import Card
from bezique.engine.codec import action_json, position_json
from bezique.engine.compiler.expressions import Folding
from bezique.engine.draft import Draft
from bezique.engine.errors import BeziqueError
from bezique.engine.evaluate import Meaning
from bezique.engine.frozen import FrozenDict
from bezique.engine.moves import refusal
from bezique.engine.position import Melded, Position, start
from bezique.engine.rules import Rules, Setting
from bezique.solver.endgame import solve
from bezique.solver.proof.answer import Answer, Question, Result
from bezique.solver.proof.beyond import beside_cards
from bezique.solver.proof.equivalence import Equivalence
from bezique.solver.proof.explore import TooManyPathsError
from bezique.solver.proof.field import Again, Field
from bezique.solver.proof.greatest import most_in_a_hand
from bezique.solver.proof.listing import asks_which_seat, left_out
from bezique.solver.proof.meaning import Symbolic
from bezique.solver.proof.mismatch import UNDECIDED, Mismatch
from bezique.solver.proof.search import Limits, ask, solver
from bezique.solver.proof.seats import told_apart
from bezique.solver.proof.situation import Situation, found
from bezique.solver.proof.unrolled import MOST, UndecidedError, bounds, extended
from bezique.solver.proof.values import (
    Guard,
    both,
    cases,
    equal,
    no,
    some,
    truth,
)
from bezique.solver.proof.zones import Silent, one_zone
from bezique.solver.strict import BeyondTablesError, strict
from bezique.spec import core, tree
from bezique.spec.core import Profile

COMPILED = (
    "tricks",
    "duties",
    "conditions",
    "histories",
    "effects",
    "ends",
    "listing",
)
"""The parts of the code that plays, each of which equals the rules."""


def settings(profile: Profile) -> Iterator[dict[str, Setting]]:
    """Yield the settings under which a profile is proved: the default, then each option changed.

    A whole number that `Rules.numbers` names stays at its default: proofs leave it open.
    """
    yield {}
    open_ = Rules(profile).numbers
    for option in profile.options:
        for value in option.values or ():
            if value != option.default and option.name not in open_:
                yield {option.name: value}


class Table:
    """The obligations of one table.

    Args:
        rules: Rules with options settled.
        limits: How much each question may cost.
        me: The seat that acts; the first unless given.
    """

    def __init__(
        self, rules: Rules, limits: Limits | None = None, me: str | None = None
    ) -> None:
        self.rules = rules
        self.limits = limits or Limits()
        self.me = me or rules.seats[0]
        self._fields: dict[tuple[str, int], Field] = {}

    def field(self, phase: str, slots: int = 0) -> "Field":
        """Return the open situations of a phase, made once."""
        if (phase, slots) not in self._fields:
            self._fields[phase, slots] = Field(
                self.rules, phase, self.me, slots, self.limits
            )
        return self._fields[phase, slots]

    def questions(self) -> Iterator[tuple[str, Question]]:
        """Yield every obligation by name.

        What asks for a seat on turn is asked of the first, and where rules tell seats apart of
        each other one as well.
        """
        yield "invariants/seats-alike-or-each", self._alike
        yield from self._acting()
        for part in COMPILED:
            yield f"compiled/{part}", partial(self._compiled, part)
        yield "tables/equal-the-rules", self._tables
        yield "invariants/zones", lambda: one_zone(self.rules, self.limits)
        yield "invariants/points-are-told", self._told
        yield "invariants/most-declared", self._most
        yield f"endings/bound-of-{MOST}", self._endings

    def _acting(self) -> Iterator[tuple[str, Question]]:
        """Yield the obligations about a seat on turn."""
        yield from self._of_one()
        if told_apart(self.rules):
            for seat in self.rules.seats[1:]:
                other = Table(self.rules, self.limits, seat)
                for name, question in other._of_one():
                    yield f"{name} by {seat}", question

    def _of_one(self) -> Iterator[tuple[str, Question]]:
        yield from self._duties()
        yield from self._actions()
        yield "verdicts/exclusive", self._verdicts
        yield "invariants/never-again", self._never_again
        yield "tricks/one-winner", self._one_winner
        yield "tricks/identical-first", self._identical

    def _alike(self) -> Answer:
        """Nothing tells seats apart, or all that is asked of the first is asked of each other one."""
        told = told_apart(self.rules)
        if not told:
            return Answer("proved", "no clause tells one seat from another")
        names = [name for name, _ in self._acting()]
        for (name, _), seat in product(self._of_one(), self.rules.seats[1:]):
            if f"{name} by {seat}" not in names:
                return Answer("refuted", f"{told[0]}: {name} is not asked of {seat}")
        return Answer("proved", f"each seat is proved by itself: {told[0]}")

    def results(self, *, code: bool = True) -> Iterator[Result]:
        """Yield the answer to every obligation; those of the code only if asked."""
        for name, question in self.questions():
            if not code and name.startswith(
                ("compiled/", "tables/", "invariants/", "endings/")
            ):
                continue
            began = time.perf_counter()
            answer = question()
            yield Result(
                self.rules.profile.name, dict(self.rules.given), name, answer.verdict, answer.detail,
                round(time.perf_counter() - began, 3), answer.counterexample,
            )  # fmt: skip

    # --- duties and actions ----------------------------------------------------------------

    def _duties(self) -> Iterator[tuple[str, Question]]:
        yield "duties/never-empty", self._never_empty
        for duty in self.rules.profile.duties:
            for name in duty.sets:
                clause = f"{duty.name}/{name}"
                yield (
                    f"duties/{clause}/binds",
                    partial(self._binds, clause),
                )

    def _never_empty(self) -> Answer:
        for phase in ("follow", "lead"):
            field = self.field(phase)
            bound = [guard for _, guard, _ in field.here.binding()]
            answer = field.never(no(some(*bound)), partial(_binds_by, cards=False))
            if answer.verdict != "proved":
                return answer
            twice = some(*(both(one, two) for one, two in combinations(bound, 2)))
            # The interpreter looks no further than the first that binds: it finds no second.
            answer = field.never(twice, lambda *_: False)
            if answer.verdict != "proved":
                return answer
        return Answer("proved", "in every hand one set, and only one, binds")

    def _binds(self, clause: str) -> Answer:
        undecided = None
        for phase in ("follow", "lead"):
            field = self.field(phase)
            guard = next(
                guard for name, guard, _ in field.here.binding() if name == clause
            )
            answer = field.once(guard, partial(_binds_by, clause=clause))
            if answer.verdict == "proved":
                return answer
            if answer.verdict == "undecided":
                undecided = undecided or answer
        return undecided or Answer("refuted", "no hand is bound by it")

    def _actions(self) -> Iterator[tuple[str, Question]]:
        for action in self.rules.profile.actions.values():
            folded = {clause.id: self._constant(clause) for clause in action.conditions}
            if any(
                folded[clause.id] is False
                and not isinstance(clause.test, tree.Constant)
                for clause in action.conditions
            ):
                continue  # the readings of this table leave no such action
            yield (
                f"actions/{action.name}/possible",
                partial(self._possible, action),
            )
            for clause in action.conditions:
                if folded[clause.id] is None:
                    yield (
                        f"actions/{clause.id}/refuses",
                        partial(self._refuses, action, clause),
                    )

    def _constant(self, clause: core.Clause) -> bool | None:
        """Return what a condition is worth at this table whatever happens, None if that varies."""
        folded = Folding(self.rules).folded(clause.test)
        return bool(folded.value) if isinstance(folded, tree.Constant) else None

    def _possible(self, action: core.Action) -> Answer:
        return self._somewhere(
            lambda field, arguments: field.allowed(action, arguments),
            action,
            partial(_can, lenient=action.ruling),
        )

    def _refuses(self, action: core.Action, clause: core.Clause) -> Answer:
        if action.ruling and (shown := self._between_hands(action, clause)):
            return Answer("proved", "before a deal", shown)
        before = action.conditions[: action.conditions.index(clause)]

        def alone(field: "Field", arguments: dict[str, Any]) -> Guard:
            holds = both(*(field.here.guard(item.test, arguments) for item in before))
            return both(holds, no(field.here.guard(clause.test, arguments)))

        return self._somewhere(alone, action, partial(_refused_by, clause=clause))

    def _between_hands(
        self, action: core.Action, clause: core.Clause
    ) -> dict[str, Any] | None:
        """Return the start of a match, and a ruling that a condition refuses there, if there is one.

        Nobody acts between two hands, but a ruling can be asked for at any time.
        """
        position = start(self.rules, self.me)
        here = Meaning(position, None)
        for arguments in self.field("declare").open.of(action):
            done = Action(action.name, FrozenDict(arguments))
            found = refusal(position, done, lenient=True)
            if here.holds(clause.test, arguments):
                continue
            if found is not None and found.clause == clause.id:
                return {
                    **position_json(position),
                    "action": action_json(self.rules, done),
                }
        return None

    def _somewhere(
        self,
        goal: Callable[["Field", dict[str, Any]], Guard],
        action: core.Action,
        again: Again,
    ) -> Answer:
        undecided = None
        for slots in (0, 1, 2):
            for phase in ("declare", "follow", "lead"):
                field = self.field(phase, slots)
                for arguments in field.open.of(action):
                    answer = field.once(
                        goal(field, arguments), again, action.name, arguments
                    )
                    if answer.verdict == "proved":
                        return answer
                    if answer.verdict == "undecided":
                        undecided = undecided or answer
        return undecided or Answer(
            "refuted", "no situation with up to two melds on record"
        )

    # --- verdicts and tricks ------------------------------------------------------------------

    def _verdicts(self) -> Answer:
        field = self.field("over")
        rules, here = self.rules, field.here
        tests = [here.guard(verdict.test) for verdict in rules.profile.verdict]

        def hold(
            position: Position,
            _: Action,
            *,
            asked: tuple[core.Verdict, ...],
            least: int,
        ) -> bool:
            at = Meaning(position, self.me)
            return sum(at.holds(verdict.test) for verdict in asked) >= least

        answer = field.never(
            some(*(both(one, two) for one, two in combinations(tests, 2))),
            partial(hold, asked=rules.profile.verdict, least=2),
        )
        if answer.verdict != "proved":
            return answer
        for verdict, test in zip(rules.profile.verdict, tests, strict=True):
            answer = field.once(test, partial(hold, asked=(verdict,), least=1))
            if answer.verdict == "refuted":
                return Answer("refuted", f"{verdict.id} never holds")
            if answer.verdict != "proved":
                return answer
        return Answer(
            "proved", f"{len(tests)} verdicts, never two at once, each somewhere"
        )

    def _one_winner(self) -> Answer:
        def goal(here: Symbolic, card: Card, other: Any) -> Guard:
            wins, back = here.term("beats", card, other), here.term("beats", other, card)  # fmt: skip
            return both(truth(wins), truth(back))

        def again(here: Meaning, card: Card, other: Card) -> bool:
            wins, back = here.term("beats", card, other), here.term("beats", other, card)  # fmt: skip
            return bool(wins and back)

        return self._of_two(goal, again, "beat each other") or Answer(
            "proved", "of two cards never both beat the other, whatever is trumps"
        )

    def _identical(self) -> Answer:
        def goal(here: Symbolic, card: Card, other: Any) -> Guard:
            return both(truth(here.term("beats", card, card)), equal(other, card))

        def again(here: Meaning, card: Card, other: Card) -> bool:
            return bool(here.term("beats", card, other))

        return self._of_two(
            goal, again, "are alike, and one beats the other"
        ) or Answer(
            "proved", "a card never beats its like: the first played keeps the trick"
        )

    def _of_two(
        self,
        goal: Callable[[Symbolic, Card, Any], Guard],
        again: Callable[[Meaning, Card, Card], bool],
        told: str,
    ) -> Answer | None:
        """Return what is wrong of some two faces, where the interpreter says so too; None if nothing is."""
        situation = Situation(self.rules, "lead", self.me, slots=0, any_option=True)
        faces = [card for card in self.rules.pack if card.copy == 1]
        open_ = situation.space.choice("other", faces)
        here = Symbolic(situation, self.me)
        apart = solver(situation.space.ctx, situation.space.constraints, self.limits)
        for card in faces:
            match ask(apart, goal(here, card, open_)):
                case "no":
                    continue
                case "undecided":
                    return Answer("undecided", f"{card.face}: not answered within the limit")  # fmt: skip
            model = apart.model()
            other = found(model, open_)
            at = Meaning(situation.position(model), self.me)
            sure = again(at, card, other)
            return Answer("refuted" if sure else "undecided", f"{card.face} and {other.face} {told}")  # fmt: skip
        return None

    # --- code and tables ---------------------------------------------------------------------

    def _compiled(self, part: str) -> Answer:
        paths = functions = 0
        asked: list[str] = []
        for me in self.rules.seats:
            equivalence = Equivalence(self.rules, limits=self.limits, me=me)
            try:
                mismatch = next(getattr(equivalence, part)(), None)
            except TooManyPathsError as error:
                return Answer("undecided", str(error))
            if mismatch is not None:
                return _parted(mismatch)
            paths += equivalence.paths
            functions += equivalence.functions
            asked.append(me)
            # The list costs most of all: where its code asks for no seat, one stands for all.
            if part == "listing" and not asks_which_seat(equivalence.code):
                break
        detail = f"{paths} paths of {functions or 'its'} functions"
        if part == "listing":
            detail += f", {' and '.join(asked)} on turn"
            if melds := left_out(self.rules):
                detail += f"; left out, as they take melds: {', '.join(melds)}"
        return Answer("proved", detail)

    def _tables(self) -> Answer:
        """Compare the kernel's tables with the rules, for every card on every card."""
        position = _closed(self.rules)
        try:
            read = strict(position)
        except BeziqueError as error:
            return Answer("proved", f"no tables: {error}")
        body = self.rules.profile.terms["beats"].body
        if more := beside_cards(Folding(self.rules), body):
            told = ", ".join(more)
            return Answer("undecided", f"who takes a trick hangs on more than cards: {told}")  # fmt: skip
        faces = [card for card in self.rules.pack if card.copy == 1]
        index = read.index
        for trump in (None, *self.rules.profile.deck.suits):
            here_read = strict(
                position.changed(
                    state=type(position.state)({**position.state, "trump": trump})
                )
            )
            for card, led in product(faces, faces):
                table = SimpleNamespace(
                    rules=self.rules,
                    state={**position.state, "trump": trump},
                    trick=(led,),
                )
                if (
                    bool(Meaning(table, None).term("beats", card, led))
                    != here_read.beats[index[led.face]][index[card.face]]
                ):
                    return Answer(
                        "refuted", f"{card.face} on {led.face}, trumps {trump}"
                    )
        return Answer(
            "proved",
            f"{len(faces) ** 2} pairs under {len(self.rules.profile.deck.suits) + 1} trumps",
        )

    # --- invariants -----------------------------------------------------------------------------

    def _never_again(self) -> Answer:
        """A card never scores in a family at a level it has reached there, where the table reads reuse so."""
        action = next(
            (
                item
                for item in self.rules.profile.actions.values()
                if any(_scores(statement) for statement in item.do)
            ),
            None,
        )
        if action is None:
            return Answer("proved", "nothing scores melds")
        field = self.field("declare", 2)
        for arguments in field.open.of(action):
            meld = next(
                value for value in arguments.values() if hasattr(value, "cards")
            )
            rule = self.rules.profile.melds[meld.meld]
            again = some(
                *(
                    both(inside, _at_least(field.here.spent(card, rule.family), rule.level))
                    for card, inside in meld.cards.members.items()
                )
            )  # fmt: skip
            answer = field.never(
                both(field.allowed(action, arguments), again),
                _scores_again,
                action.name,
                arguments,
            )
            if (
                answer.verdict == "refuted"
                and self.rules.picked.get("reuse")
                != self.rules.profile.choices["reuse"].picked
            ):
                return Answer("proved", "another reading of reuse is picked")
            if answer.verdict != "proved":
                return answer
        return Answer("proved", "for every meld, with up to two melds on record")

    def _told(self) -> Answer:
        """What `pay` adds to a hand and a match is what its event says, for all numbers."""
        ctx = z3.Context()
        before, points = z3.Int("before", ctx), z3.Int("points", ctx)
        draft = Draft.__new__(Draft)
        draft.rules, draft.phase, draft.events, draft.me = (
            self.rules,
            "lead",
            [],
            self.me,
        )
        draft.code = Silent(self.rules)
        draft.hand_points = dict.fromkeys(self.rules.seats, before)
        draft.match_points = dict.fromkeys(self.rules.seats, before)
        draft.pay(self.me, points, "anything")
        event = draft.events[0].fields
        wrong = z3.Or(
            draft.hand_points[self.me] - before != event["points"], draft.match_points[self.me] - before != event["points"],
            *(draft.hand_points[seat] != before for seat in self.rules.seats if seat != self.me),
        )  # fmt: skip
        found = solver(ctx, (), self.limits)
        answer = ask(found, wrong)
        verdicts = {"no": "proved", "yes": "refuted"}
        alike = "hand, match and event alike, nobody else paid"
        return Answer(
            verdicts.get(answer, "undecided"), alike if answer == "no" else ""
        )

    def _most(self) -> Answer:
        """Return a bound on what a seat can score in a hand, by counting how often cards can serve."""
        bound, parts = most_in_a_hand(self.rules, self.limits)
        if bound is None:
            return Answer("undecided", "no bound found")
        numbers = self.field("declare").situation.rules.points.values()
        told = " at the default of its options" if any(map(z3.is_expr, numbers)) else ""
        return Answer(
            "proved",
            f"no seat declares more than {bound} points in a hand{told}: {parts}",
        )

    def _endings(self) -> Answer:
        """Bound what the leader can gain in any ending of three cards a side."""
        try:
            known = bounds(self.rules, MOST - 1, self.limits)
            bound = extended(self.rules, known, MOST, self.limits)
        except BeyondTablesError as error:
            return Answer("proved", f"no tables: {error}")
        except UndecidedError as error:
            return Answer("undecided", str(error))
        for position, margin in (
            (known.richest, known.greatest),
            (known.poorest, known.least),
        ):
            if solve(position).margin != margin:
                return Answer(
                    "refuted", f"the search gives another margin than {margin}", position_json(position)
                )  # fmt: skip
        return Answer(
            "proved",
            f"no ending of {MOST} cards a side gains or loses the leader more than {bound}; "
            f"of {MOST - 1} just {known.least} to {known.greatest}",
        )


def _parted(mismatch: Mismatch) -> Answer:
    """Return the answer where code and rules say different things."""
    undecided = mismatch.compiled == UNDECIDED
    shown = mismatch.position
    return Answer(
        "undecided" if undecided else "refuted",
        f"{mismatch.what} ({mismatch.arguments}): code says {mismatch.compiled}, rules {mismatch.rules}",
        None if shown is None else position_json(shown),
    )


# --- asked again of the interpreter ------------------------------------------------------------


def _binds_by(
    position: Position, _: Action, *, clause: str = "", cards: bool = True
) -> bool:
    """Return whether a set, any unless named, binds the seat on turn; or whether none does."""
    name, bound = Meaning(position, position.turn).binding_set()
    return bool(bound) == cards and clause in ("", name)


def _can(position: Position, action: Action, *, lenient: bool) -> bool:
    """Return whether an action is legal."""
    return refusal(position, action, lenient=lenient) is None


def _refused_by(position: Position, action: Action, *, clause: core.Clause) -> bool:
    """Return whether an action is refused, a condition being the first that fails."""
    rule = position.rules.profile.actions[action.name]
    here = Meaning(position, position.turn)
    failing = (
        item.id
        for item in rule.conditions
        if not here.holds(item.test, action.arguments)
    )
    return next(failing, None) == clause.id and not _can(
        position, action, lenient=rule.ruling
    )


def _scores_again(position: Position, action: Action) -> bool:
    """Return whether a meld can be declared with a card that has scored as much in its family."""
    here, melds = Meaning(position, position.turn), position.rules.profile.melds
    return _can(position, action, lenient=False) and any(
        here.spent(card, melds[value.meld].family) >= melds[value.meld].level
        for value in action.arguments.values()
        if isinstance(value, Melded)
        for card in value.cards
    )


def _at_least(value: Any, level: int) -> Guard:
    return some(*(guard for case, guard in cases(value) if case >= level))


def _scores(statement: tree.Statement) -> bool:
    return (
        isinstance(statement, tree.Assign)
        and statement.name == "scored"
        and statement.sign == "+="
    )


def _closed(rules: Rules) -> Position:
    """Return a position of the strict tricks, one card in each hand."""
    position = start(rules, rules.seats[0])
    cards = [card for card in rules.pack if card.copy == 1]
    hands = FrozenDict(
        {seat: frozenset({cards[number]}) for number, seat in enumerate(rules.seats)}
    )
    return position.changed(
        phase="lead",
        turn=rules.seats[0],
        hidden=hands,
        partial=True,
        taker=rules.seats[0],
    )
