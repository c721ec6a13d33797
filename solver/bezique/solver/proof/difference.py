"""Differences: where two tables part, each with a smallest situation that shows it.

Two tables are laid over each other: first what differs by itself (values, melds, ranks), then
for each clause that is not the same whether any situation tells the difference, in what may
be done, what is paid, who wins, what is seen.  A witness is a position and an action that the
reference interpreter treats differently under the two rules; where there is none, Z3 has
proved that there is none among sensible positions.

Terms
    matter    what differs: `legal`, `points`, `trick`, `result`, `view`, `course`
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from types import SimpleNamespace
from typing import Any

import z3

from bezique.engine.action import Action
from bezique.engine.cards import Card
from bezique.engine.compiler.expressions import Folding
from bezique.engine.dealing import deal
from bezique.engine.errors import IllegalActionError
from bezique.engine.evaluate import Meaning
from bezique.engine.frozen import FrozenDict
from bezique.engine.moves import apply, refusal
from bezique.engine.position import Position, start
from bezique.engine.rules import Rules
from bezique.engine.status import status
from bezique.solver.proof.effects import Effects, Execution
from bezique.solver.proof.meaning import Symbolic
from bezique.solver.proof.search import Limits, ask, preferred, smallest, solver
from bezique.solver.proof.situation import Situation, found, holds
from bezique.solver.proof.values import (
    Guard,
    ListOf,
    MeldOf,
    SetOf,
    alike,
    both,
    cases,
    equal,
    if_else,
    implied,
    members,
    no,
    some,
    truth,
)
from bezique.spec import core, tree

UPON_A_PLAY = ("play", "trick", "hand")
COPIES = 2  # of a face: more of them tell no more about a trick
HANDS = 3  # a witness of another end of the match lies in one of the first


@dataclass(frozen=True)
class Witness:
    """A situation that tells two tables apart.

    `one` and `two` say in words what each does there; `cards` is its size.
    """

    one_position: Position
    two_position: Position
    action: Action | None
    one: str
    two: str

    @property
    def cards(self) -> int:
        """Return how many cards are in play in it."""
        position = self.one_position
        zones = (
            *position.hidden.values(),
            *position.table.values(),
            *position.won.values(),
        )
        return (
            sum(map(len, zones))
            + len(position.stock)
            + len(position.trick)
            + (position.turn_up is not None)
        )


@dataclass(frozen=True)
class Difference:
    """A clause that differs, and whether it can be told.

    `verdict` is `differs` (with a witness), `equivalent` (proved) or `undecided`.
    """

    matter: str
    clause: str
    verdict: str
    witness: Witness | None = None
    note: str = ""


@dataclass
class Comparison:
    """Two tables over the same cards, seats and phases."""

    one: Rules
    two: Rules
    limits: Limits = field(default_factory=Limits)
    pool: dict[tuple[str, int], "Ground"] = field(default_factory=dict)
    slots: int = 3

    def __post_init__(self) -> None:
        self._grounds: dict[tuple[str, int], Ground] = {}
        self._folded = (Folding(self.one), Folding(self.two))

    @cached_property
    def pack(self) -> tuple[Card, ...]:
        """Return the cards that both tables have."""
        return min(self.one.pack, self.two.pack, key=len)

    def ground(self, phase: str, slots: int = 1) -> "Ground":
        """Return the ground on which situations of a phase are searched, made once."""
        key = (phase, slots)
        if key not in self._grounds:
            known = self.pool.get(key)
            ground = known.over(self.two) if known else Ground(self, phase, slots)
            self._grounds[key] = self.pool[key] = ground
        return self._grounds[key]

    def same(self, one: Any, two: Any) -> bool:
        """Return whether two expressions are the same once settings and terms are put in."""
        return self.spread(0, one) == self.spread(1, two)

    def spread(self, side: int, node: Any) -> Any:
        """Return an expression with the bodies of its terms beside it, so that equal ones mean the same."""
        folding = self._folded[side]
        folded = folding.folded(node) if isinstance(node, tree.Node) else node
        return folded, tuple(self._bodies(folding, folded, set()))

    def _bodies(
        self, folding: Folding, node: Any, done: set[tuple[str, str]]
    ) -> Iterator[Any]:
        if (
            isinstance(node, tree.Apply)
            and node.where != "table"
            and (node.where, node.name) not in done
        ):
            done.add((node.where, node.name))
            body = folding.folded(folding.body(node.where, node.name)[1])
            yield node.where, node.name, body
            yield from self._bodies(folding, body, done)
        profile = folding.rules.profile
        if isinstance(node, tree.Apply) and node.where == "table":
            yield node.name, tuple(sorted(profile.tables[node.name].items()))
        asks_melds = isinstance(node, tree.Call) and node.function in ("spent", "fits")
        if asks_melds or isinstance(node, tree.Part):
            for meld in profile.melds.values():
                yield meld.name, meld.family, meld.level
        if isinstance(node, tree.Part) and node.name == "points":
            yield tuple(folding.rules.points.items())
        if isinstance(node, tree.Compare) and node.left.type.kind == "Rank":
            yield profile.deck.ranks
        if isinstance(node, tree.Node):
            for name in type(node).model_fields:
                yield from self._bodies(folding, getattr(node, name), done)
        elif isinstance(node, tuple):
            for item in node:
                yield from self._bodies(folding, item, done)

    # --- what differs ------------------------------------------------------------------------

    def differences(self) -> Iterator[Difference]:
        """Yield every difference, matter by matter."""
        yield from self.tricks()
        yield from self.legal()
        yield from self.points()
        yield from self.results()
        yield from self.views()

    def tricks(self) -> Iterator[Difference]:
        """Yield whether a trick can fall to the other side."""
        strengths = [rules.profile.deck.ranks for rules in (self.one, self.two)]
        bodies = [rules.profile.terms["beats"].body for rules in (self.one, self.two)]
        if strengths[0] == strengths[1] and self.same(*bodies):
            return
        for trump in (None, *self.one.profile.deck.suits):
            for led in self.pack:
                for card in self.pack:
                    if card == led or card.copy > COPIES:
                        continue
                    wins = [
                        self._beats(rules, card, led, trump)
                        for rules in (self.one, self.two)
                    ]
                    if wins[0] != wins[1]:
                        witness = self._trick_witness(led, card, trump)
                        yield Difference(
                            "trick", "beats", "differs", witness, f"{card} on {led}"
                        )
                        return
        yield Difference("trick", "beats", "equivalent")

    def _beats(self, rules: Rules, card: Card, led: Card, trump: str | None) -> bool:
        table = SimpleNamespace(rules=rules, state={"trump": trump}, trick=(led,))
        return bool(Meaning(table, None).term("beats", card, led))

    def _trick_witness(
        self, led: Card, card: Card, trump: str | None
    ) -> Witness | None:
        ground = self.ground("follow", 0)
        here = ground.situation
        goal = both(
            equal(here.trick[0], led),
            equal(here.state["trump"], trump),
            here.held(ground.me).has(card),
        )
        play = self.one.profile.actions.get("play")
        if play is None:
            return None
        action = Action("play", FrozenDict({"card": card}))
        return ground.witness(
            goal, {"card": card}, "play", lambda position, _: _taker(position, action)
        )

    def legal(self) -> Iterator[Difference]:
        """Yield the clauses of actions that differ."""
        one, two = self.one.profile, self.two.profile
        for name in dict.fromkeys((*one.actions, *two.actions)):
            rules = [table.actions.get(name) for table in (one, two)]
            if any(rule is not None and rule.ruling for rule in rules):
                continue
            if rules[0] is None or rules[1] is None:
                yield self._only_one(name, rules[0] or rules[1])  # type: ignore[arg-type]
                continue
            yield from self._conditions(name, rules[0], rules[1])

    def _only_one(self, name: str, rule: core.Action) -> Difference:
        for phase in ("declare", "lead", "follow"):
            ground = self.ground(phase)
            for arguments in ground.arguments(rule):
                allowed = [ground.allowed(side, name, arguments) for side in (0, 1)]
                witness = ground.witness(
                    no(alike(*allowed)),
                    arguments,
                    name,
                    _legality,
                )
                if witness is not None:
                    return Difference("legal", name, "differs", witness)
        return Difference("legal", name, "equivalent")

    def _conditions(
        self, name: str, one: core.Action, two: core.Action
    ) -> Iterator[Difference]:
        clauses = (
            {clause.id: clause.test for clause in one.conditions},
            {clause.id: clause.test for clause in two.conditions},
        )
        for clause in dict.fromkeys((*clauses[0], *clauses[1])):
            tests = [side.get(clause) for side in clauses]
            asked = [test.function for test in tests if isinstance(test, tree.Call)]
            match asked:
                case ["fits", "fits"]:
                    yield from self._forms(name, one)
                case ["obeys", "obeys"]:
                    yield from self._duties(name, one)
                case _:
                    if (
                        tests[0] is None
                        or tests[1] is None
                        or not self.same(tests[0], tests[1])
                    ):
                        yield self._clause(name, one, clause, tests)

    def _clause(
        self, name: str, rule: core.Action, clause: str, tests: list[Any]
    ) -> Difference:
        undecided = False
        for slots in range(self.slots + 1):
            for phase in ("declare", "follow", "lead"):
                ground = self.ground(phase, slots)
                for arguments in ground.arguments(rule):
                    sides = [
                        True
                        if test is None or not ground.knows(side, arguments)
                        else ground.here[side].guard(test, arguments)
                        for side, test in enumerate(tests)
                    ]
                    goal = both(
                        no(alike(*sides)),
                        no(
                            alike(
                                *(
                                    ground.allowed(side, name, arguments)
                                    for side in (0, 1)
                                )
                            )
                        ),
                    )
                    witness = ground.witness(goal, arguments, name, _legality)
                    if witness is not None:
                        return Difference("legal", clause, "differs", witness)
                    undecided |= ground.undecided
        return Difference("legal", clause, "undecided" if undecided else "equivalent")

    def _forms(self, name: str, rule: core.Action) -> Iterator[Difference]:
        melds = self.one.profile.melds, self.two.profile.melds
        for meld in dict.fromkeys((*melds[0], *melds[1])):
            sides = [side.get(meld) for side in melds]
            if (
                sides[0] is not None
                and sides[1] is not None
                and self._same_meld(sides[0], sides[1])
            ):
                continue
            yield self._meld(name, rule, meld)

    def _same_meld(self, one: core.Meld, two: core.Meld) -> bool:
        return one.cards == two.cards and len(one.conditions) == len(two.conditions) and all(
            a.id == b.id and self.same(a.test, b.test) for a, b in zip(one.conditions, two.conditions, strict=True)
        )  # fmt: skip

    def _meld(self, name: str, rule: core.Action, meld: str) -> Difference:
        parameter = next(item.name for item in rule.takes if item.type.kind == "Meld")
        undecided = False
        for slots in (0, 1, 2):
            ground = self.ground("declare", slots)
            arguments = {parameter: ground.meld(meld)}
            allowed = [ground.allowed(side, name, arguments) for side in (0, 1)]
            fits = [here.fits(arguments[parameter]) for here in ground.here]
            goal = both(no(alike(*fits)), no(alike(*allowed)))
            witness = ground.witness(goal, arguments, name, _legality)
            if witness is not None:
                return Difference("legal", f"meld/{meld}", "differs", witness)
            undecided |= ground.undecided
        return Difference(
            "legal", f"meld/{meld}", "undecided" if undecided else "equivalent"
        )

    def _duties(self, name: str, rule: core.Action) -> Iterator[Difference]:
        if self._duty_code(0) == self._duty_code(1):
            return
        ground = self.ground("follow", 0)
        for arguments in ground.arguments(rule):
            allowed = [ground.allowed(side, name, arguments) for side in (0, 1)]
            witness = ground.witness(no(alike(*allowed)), arguments, name, _legality)
            clause = "duties"
            if witness is not None and witness.action is not None:
                refused = refusal(witness.one_position, witness.action) or refusal(
                    witness.two_position, witness.action
                )
                clause = refused.clause if refused else clause
            yield Difference(
                "legal",
                clause,
                "differs"
                if witness
                else "undecided"
                if ground.undecided
                else "equivalent",
                witness,
            )

    def _duty_code(self, side: int) -> Any:
        rules = (self.one, self.two)[side]
        return rules.profile.deck.ranks, tuple(
            (self.spread(side, duty.when), tuple(self.spread(side, rules.profile.terms[name].body) for name in duty.sets)) for duty in rules.profile.duties
        )  # fmt: skip

    def points(self) -> Iterator[Difference]:
        """Yield where the same action pays differently: melds, and what happens by itself."""
        one, two = self.one, self.two
        for meld in one.profile.melds:
            if meld in two.points and one.points[meld] != two.points[meld]:
                yield self._paid_meld(meld)
        actions = one.profile.actions, two.profile.actions
        for name in actions[0]:
            if name in actions[1] and not self._same_statements(
                actions[0][name].do, actions[1][name].do
            ):
                yield self._paid_action(name)
        reactions = [
            {item.id: item for item in rules.profile.after} for rules in (one, two)
        ]
        for clause in dict.fromkeys((*reactions[0], *reactions[1])):
            sides = [side.get(clause) for side in reactions]
            if (
                sides[0] is not None
                and sides[1] is not None
                and self._same_reaction(sides[0], sides[1])
            ):
                continue
            if all(
                side is None or self._never(number_, side)
                for number_, side in enumerate(sides)
            ):
                continue
            yield self._reaction(clause, sides)

    def _never(self, side: int, reaction: core.Reaction) -> bool:
        test = self._folded[side].folded(reaction.test)
        return isinstance(test, tree.Constant) and not test.value

    def _same_statements(self, one: Any, two: Any) -> bool:
        return self._unfolded(0, one) == self._unfolded(1, two)

    def _unfolded(self, side: int, statements: Any) -> Any:
        found_: list[Any] = []
        for statement in statements:
            match statement:
                case tree.Assign(name=name, sign=sign, value=value):
                    found_.append((name, sign, self.spread(side, value)))
                case tree.Do(effect=effect, arguments=arguments):
                    found_.append(
                        (effect, tuple(self.spread(side, item) for item in arguments))
                    )
                case tree.When(test=test, then=then, other=other):
                    spread = self.spread(side, test)
                    if isinstance(spread[0], tree.Constant):
                        found_ += self._unfolded(
                            side, then if spread[0].value else other
                        )
                    else:
                        found_.append(
                            (
                                spread,
                                self._unfolded(side, then),
                                self._unfolded(side, other),
                            )
                        )
                case tree.ForEach(variable=variable, group=group, body=body):
                    found_.append(
                        (variable, self.spread(side, group), self._unfolded(side, body))
                    )
        return found_

    def _same_reaction(self, one: core.Reaction, two: core.Reaction) -> bool:
        return (
            one.upon == two.upon
            and self.same(one.test, two.test)
            and self._same_statements(one.do, two.do)
        )

    def _paid_meld(self, meld: str) -> Difference:
        ground = self.ground("declare", 0)
        name = next(
            item.name
            for item in self.one.profile.actions.values()
            if any(p.type.kind == "Meld" for p in item.takes)
        )
        parameter = next(
            item.name
            for item in self.one.profile.actions[name].takes
            if item.type.kind == "Meld"
        )
        arguments = {parameter: ground.meld(meld)}
        goal = both(*(ground.allowed(side, name, arguments) for side in (0, 1)))
        witness = ground.witness(goal, arguments, name, _paid)
        return Difference(
            "points",
            f"meld/{meld}",
            "differs" if witness else "undecided" if ground.undecided else "equivalent",
            witness,
        )

    def _paid_action(self, name: str) -> Difference:
        undecided = False
        for slots in (0, 1):
            for phase in ("declare", "follow", "lead"):
                ground = self.ground(phase, slots)
                for arguments in ground.arguments(self.one.profile.actions[name]):
                    if not all(ground.knows(side, arguments) for side in (0, 1)):
                        continue
                    allowed = both(
                        *(ground.allowed(side, name, arguments) for side in (0, 1))
                    )
                    done = [
                        Execution(ground.situation, ground.me, rules).run(
                            rules.profile.actions[name].do, arguments
                        )
                        for rules in (self.one, self.two)
                    ]
                    goal = both(allowed, some(*_apart(self.one.seats, *done)))
                    witness = ground.witness(goal, arguments, name, _outcome)
                    if witness is not None:
                        return Difference("points", f"{name}/do", "differs", witness)
                    undecided |= ground.undecided
        return Difference(
            "points", f"{name}/do", "undecided" if undecided else "equivalent"
        )

    def _reaction(self, clause: str, sides: list[core.Reaction | None]) -> Difference:
        return ReactionSearch(self, clause, sides).difference()

    def results(self) -> Iterator[Difference]:
        """Yield verdicts that differ: the same totals, another end."""
        one, two = self.one.profile.verdict, self.two.profile.verdict
        if [(v.id, self.spread(0, v.test), self.spread(0, v.winner)) for v in one] == [
            (v.id, self.spread(1, v.test), self.spread(1, v.winner)) for v in two
        ]:
            return
        ground = self.ground("over", 0)
        ends = [ground.ending(side) for side in (0, 1)]
        goal = some(
            no(alike(ends[0][0], ends[1][0])),
            both(ends[0][0], ends[1][0], no(equal(ends[0][1], ends[1][1]))),
        )
        witness = ground.witness(
            both(goal, ground.situation.hand <= HANDS), {}, None, _verdict
        )
        names = ", ".join(dict.fromkeys(verdict.id for verdict in (*one, *two)))
        yield Difference(
            "result",
            names,
            "differs" if witness else "undecided" if ground.undecided else "equivalent",
            witness,
        )

    def views(self) -> Iterator[Difference]:
        """Yield zones that one table shows and the other does not."""
        for zone, test in self.one.profile.views.items():
            other = self.two.profile.views[zone]
            if self.same(test, other):
                continue
            ground = self.ground("lead", 0)
            me = ground.me
            for owner in self.one.seats:
                names = {"p": me, "owner": owner}
                seen = [
                    ground.here[0].guard(test, names),
                    ground.here[1].guard(other, names),
                ]
                cards = getattr(ground.situation, zone, {})
                there = (
                    some(*cards[owner].members.values())
                    if zone in ("hidden", "table", "won")
                    else True
                )
                witness = ground.witness(
                    both(no(alike(*seen)), there),
                    {},
                    None,
                    lambda position, _, zone=zone, me=me: _seen(position, zone, me),
                )
                if witness is not None:
                    yield Difference("view", f"views/{zone}", "differs", witness)
                    break
            else:
                yield Difference(
                    "view",
                    f"views/{zone}",
                    "undecided" if ground.undecided else "equivalent",
                )


class ReactionSearch:
    """Looks for something done after which what happens by itself differs.

    Both tables' reactions upon the same thing are carried out on open situations; where points
    or state can come out unlike, an action that brings it about is the witness.
    """

    def __init__(
        self, comparison: Comparison, clause: str, sides: list[core.Reaction | None]
    ) -> None:
        self.comparison, self.clause = comparison, clause
        self.upon = next(side.upon for side in sides if side is not None)
        self.undecided = False

    def difference(self) -> Difference:
        """Return whether the reaction differs, and where."""
        witness = self._dealt() if self.upon == "deal" else self._played()
        if witness is not None:
            return Difference("points", self.clause, "differs", witness)
        return Difference(
            "points", self.clause, "undecided" if self.undecided else "equivalent"
        )

    def _dealt(self) -> Witness | None:
        """Return a deal that differs: all that matters then is who deals and what is turned up."""
        tables = (self.comparison.one, self.comparison.two)
        for dealer in tables[0].seats:
            positions = [start(rules, dealer) for rules in tables]
            for number_ in range(len(tables[0].pack)):
                said = []
                for rules, position in zip(tables, positions, strict=True):
                    pack = (*rules.pack[number_:], *rules.pack[:number_])
                    action = deal(position, pack)
                    said.append(_outcome(position, action))
                if said[0] != said[1]:
                    return Witness(positions[0], positions[1], action, *said)
        return None

    def _played(self) -> Witness | None:
        comparison = self.comparison
        tries = {
            "draw": ("declare",),
            "closed": ("declare",),
            "points": ("follow", "declare"),
        }.get(self.upon, ("follow", "lead", "declare"))
        for slots in (0, 1):
            for phase in tries:
                ground = comparison.ground(phase, slots)
                for name, rule in comparison.one.profile.actions.items():
                    if rule.ruling or name not in comparison.two.profile.actions:
                        continue
                    for arguments in ground.arguments(rule):
                        witness = self._tried(ground, name, arguments)
                        if witness is not None:
                            return witness
                        self.undecided |= ground.undecided
        return None

    def _tried(
        self, ground: "Ground", name: str, arguments: dict[str, Any]
    ) -> Witness | None:
        allowed = both(*(ground.allowed(side, name, arguments) for side in (0, 1)))
        if ask(ground.solver(), allowed) == "no":
            ground.undecided = False
            return None
        alone = self._apart(
            ground, self.upon, name, arguments, lambda clause: clause == self.clause
        )
        if alone is not False:
            # First a witness in which this clause is all that differs: there it is seen best.
            others = [
                self._apart(
                    ground, upon, name, arguments, lambda clause: clause != self.clause
                )
                for upon in UPON_A_PLAY
            ]
            goal = both(allowed, alone, *(no(other) for other in others))
            witness = ground.witness(goal, arguments, name, _outcome)
            if witness is not None:
                return witness
        apart = self._apart(ground, self.upon, name, arguments, lambda _: True)
        return ground.witness(both(allowed, apart), arguments, name, _outcome)

    def _apart(
        self,
        ground: "Ground",
        upon: str,
        name: str,
        arguments: dict[str, Any],
        only: Callable[[str], bool],
    ) -> Guard:
        """Return whether some clauses upon something come to different things."""
        one = ground.reacted(0, upon, name, arguments, only)
        two = ground.reacted(1, upon, name, arguments, only)
        if one is None or two is None:
            return False
        return some(*_apart(self.comparison.one.seats, one, two))


class Ground:
    """Situations of one phase, sensible under both tables, with a solver that knows them."""

    def __init__(self, comparison: Comparison, phase: str, slots: int) -> None:
        one, two = comparison.one, comparison.two
        self.tables = (one, two)
        self.me = one.seats[0]
        self.situation = Situation(
            one, phase, self.me, slots=slots, cards=comparison.pack, also=(two,)
        )
        space = self.situation.space
        space.require(*self.situation.sensible())
        second = Symbolic(self.situation, self.me, two)
        space.require(*(second.guard(clause.test) for clause in two.profile.invariants))
        for part in one.profile.state:
            if part.type.kind == "list":
                for meld, there in members(self.situation.state[part.name]):
                    space.require(
                        *(
                            implied(both(there, at), name in two.profile.melds)
                            for name, at in cases(meld.meld)
                        )
                    )
        self.here = (Symbolic(self.situation, self.me, one), second)
        self.limits = comparison.limits
        self.undecided = False
        self._melds: dict[str, MeldOf] = {}
        self._card: Any = None
        self._solver: z3.Solver | None = None

    def over(self, two: Rules) -> "Ground":
        """Return the same ground with another second table over the same state."""
        self.tables = (self.tables[0], two)
        self.here = (self.here[0], Symbolic(self.situation, self.me, two))
        return self

    def solver(self) -> z3.Solver:
        """Return the solver, which knows what is required so far."""
        space = self.situation.space
        if self._solver is None:
            self._solver = solver(space.ctx, (), self.limits)
            self._known = 0
        self._solver.add(*space.constraints[self._known :])
        self._known = len(space.constraints)
        return self._solver

    def meld(self, name: str) -> MeldOf:
        """Return an open meld of a name, for the seat on turn."""
        if name not in self._melds:
            space = self.situation.space
            rules = next(rules for rules in self.tables if name in rules.profile.melds)
            rule = rules.profile.melds[name]
            cards = SetOf(
                {
                    card: space.bool(f"m {name} {card}")
                    for card in self.situation.pack
                    if any(part.rank == card.rank for part in rule.cards)
                }
            )
            here = Symbolic(self.situation, self.me, rules)
            space.require(
                some(
                    *(here.shaped(rule, naming, cards) for naming in here.namings(rule))
                )
            )
            self._melds[name] = MeldOf(self.me, name, cards)
        return self._melds[name]

    def card(self) -> Any:
        """Return an open card."""
        if self._card is None:
            self._card = self.situation.space.choice("the card", self.situation.pack)
        return self._card

    def arguments(self, rule: core.Action) -> Iterator[dict[str, Any]]:
        """Yield arguments for an action: open cards, each meld, each of what can be listed."""
        found_: list[dict[str, Any]] = [{}]
        for parameter in rule.takes:
            values: list[Any]
            match parameter.type.kind:
                case "Card":
                    values = [self.card()]
                case "Meld":
                    names = dict.fromkeys(
                        name for rules in self.tables for name in rules.profile.melds
                    )
                    values = [self.meld(name) for name in names]
                case "Bool":
                    values = [False, True]
                case "Seat":
                    values = list(self.tables[0].seats)
                case "Suit":
                    values = list(self.tables[0].profile.deck.suits)
                case "Rank":
                    values = list(self.tables[0].profile.deck.ranks)
                case _:
                    values = list(parameter.type.words)
            found_ = [
                {**done, parameter.name: value} for done in found_ for value in values
            ]
        yield from found_

    def allowed(self, side: int, name: str, arguments: dict[str, Any]) -> Guard:
        """Return whether an action is legal at one of the tables."""
        rule = self.tables[side].profile.actions.get(name)
        if rule is None or not self.knows(side, arguments):
            return False
        return both(
            *(
                self.here[side].guard(clause.test, arguments)
                for clause in rule.conditions
            )
        )

    def knows(self, side: int, arguments: dict[str, Any]) -> bool:
        """Return whether one of the tables has the meld among some arguments, if any."""
        melds = self.tables[side].profile.melds
        return all(
            value.meld in melds
            for value in arguments.values()
            if isinstance(value, MeldOf)
        )

    def reacted(
        self,
        side: int,
        upon: str,
        name: str,
        arguments: dict[str, Any],
        only: Callable[[str], bool],
    ) -> Effects | None:
        """Return what happens by itself upon something that an action here brings about.

        A card put on a trick is followed through: the trick is taken, and where it was the last
        of the hand, the hand ends.
        """
        rules, here = self.tables[side], self.situation
        execution = Execution(here, self.me, rules)
        execution.run(rules.profile.actions[name].do, arguments)
        put = next(
            (moved for _, effect, moved in execution.effects.moves if effect == "put"),
            None,
        )
        execution.effects.paid = dict.fromkeys(rules.seats, 0)
        if put is None:
            return (
                execution.react(upon, only=only)
                if upon in ("draw", "closed", "change", "points")
                else None
            )
        card = put[0]
        if upon == "play" or here.phase == "lead":
            return (
                execution.react("play", {"card": card}, only=only)
                if upon == "play"
                else None
            )
        first = self.here[side].term("beats", card, here.trick[0])
        leader = next(seat for seat in rules.seats if seat != self.me)
        taker = if_else(truth(first), self.me, leader)
        trick = (here.trick[0], card)
        taken = {
            seat: SetOf(
                {
                    one: some(
                        inside,
                        both(
                            equal(taker, seat),
                            some(*(equal(one, other) for other in trick)),
                        ),
                    )
                    for one, inside in here.won[seat].members.items()
                }
            )
            for seat in rules.seats
        }
        zones = {
            zone: {
                seat: SetOf(
                    {
                        one: both(inside, no(equal(one, card)))
                        for one, inside in getattr(here, zone)[seat].members.items()
                    }
                )
                for seat in rules.seats
            }
            for zone in ("hidden", "table")
        }
        after = SimpleNamespace(
            rules=rules, hand=here.hand, phase=here.phase, turn=here.turn, dealer=here.dealer, stock=here.stock, left=here.left,
            turn_up=here.turn_up, hidden=zones["hidden"], table=zones["table"], won=taken, trick=(), last_trick=trick, taker=taker,
            hand_points=here.hand_points, match_points=here.match_points, state=execution.effects.state,
        )  # fmt: skip
        execution = Execution(after, self.me, rules)
        if upon == "hand":
            last = both(
                *(
                    no(inside)
                    for zone in zones.values()
                    for cards in zone.values()
                    for inside in cards.members.values()
                ),
                here.left.just(0),
            )
            return execution.react("hand", guard=last, only=only)
        return execution.react(upon, only=only)

    def ending(self, side: int) -> tuple[Guard, Any]:
        """Return whether the match ends here with the hand, and who has won."""
        here, rules = self.here[side], self.tables[side]
        result: Any = None
        ends: Guard = False
        for verdict in reversed(rules.profile.verdict):
            test, winner = here.guard(verdict.test), here.value(verdict.winner)
            result = if_else(test, winner, result) if ends is not False else winner
            ends = some(test, ends)
        return ends, result

    def witness(
        self, goal: Guard, arguments: dict[str, Any], name: str | None, tell: Any
    ) -> Witness | None:
        """Return the smallest situation that the interpreter, too, treats differently; or None."""
        self.undecided = False
        if goal is False:
            return None
        found_ = self.solver()
        here = self.situation
        if ask(found_, goal) == "no":
            return None
        goal = both(goal, *preferred(found_, goal, self._wishes()))
        held = here.held(self.me).members
        slots = [
            guard
            for part in here.state.values()
            if isinstance(part, ListOf)
            for _, guard in part.items
        ]
        for _ in range(6):
            model = smallest(found_, goal, [slots, list(held.values())])
            if not isinstance(model, z3.ModelRef):
                self.undecided = model == "undecided"
                return None
            positions = [here.position(model, rules) for rules in self.tables]
            action = (
                None
                if name is None
                else Action(
                    name,
                    FrozenDict(
                        {key: found(model, value) for key, value in arguments.items()}
                    ),
                )
            )
            if here.phase == "over" or not any(
                status(position) for position in positions
            ):
                said = [tell(position, action) for position in positions]
                if said[0] != said[1]:
                    return Witness(positions[0], positions[1], action, *said)
            # The interpreter does not agree that this is a difference: look further.
            goal = both(
                goal,
                no(
                    both(
                        *(alike(guard, holds(model, guard)) for guard in held.values())
                    )
                ),
            )
        self.undecided = True
        return None

    def _wishes(self) -> Iterator[Guard]:
        """Yield what makes a situation plainer, each granted if the ones before let it."""
        here = self.situation
        yield here.hand == 1
        if here.phase != "over":
            yield from (points == 0 for points in here.match_points.values())
        yield equal(here.dealer, here.rules.seats[-1])
        for seat in here.rules.seats:
            yield both(*(no(guard) for guard in here.won[seat].members.values()))
        for seat in here.rules.seats:
            yield both(*(no(guard) for guard in here.table[seat].members.values()))
        yield here.left.just(len(here.rules.seats))
        for part in here.state.values():
            if isinstance(part, SetOf):
                yield both(*(no(guard) for guard in part.members.values()))


def _apart(seats: tuple[str, ...], one: Effects, two: Effects) -> Iterator[Guard]:
    """Yield what makes two outcomes unlike: a seat's points, a part of the state."""
    for seat in seats:
        yield no(equal(one.paid[seat], two.paid[seat]))
    for name in one.state:
        if name in two.state:
            yield no(_same_value(one.state[name], two.state[name]))
    # Moves of cards: whether both make the same ones, in the same order.
    moves = [[(move, guard) for guard, move, _ in side.moves] for side in (one, two)]
    if [move for move, _ in moves[0]] != [move for move, _ in moves[1]]:
        yield True
    else:
        for (_, first), (_, second) in zip(*moves, strict=True):
            yield no(alike(first, second))


def _same_value(one: Any, two: Any) -> Guard:
    if type(one).__name__ in ("ListOf", "tuple") or type(two).__name__ in (
        "ListOf",
        "tuple",
    ):
        left, right = list(members(one)), list(members(two))
        each = [
            implied(there, some(*(both(at, equal(item, other)) for other, at in right)))
            for item, there in left
        ]
        each += [
            implied(there, some(*(both(at, equal(item, other)) for other, at in left)))
            for item, there in right
        ]
        return both(*each)
    return equal(one, two)


def _legality(position: Position, action: Action | None) -> str:
    if action is None:
        return "nothing"
    refused = refusal(position, action)
    return "legal" if refused is None else f"refused by {refused.clause}"


def _paid(position: Position, action: Action | None) -> str:
    """Return the points that an action pays, in words."""
    if action is None:
        return "nothing"
    try:
        _, events = apply(position, action)
    except IllegalActionError as error:
        return f"refused by {error.clause}"
    paid = [
        f"{event.fields['points']} to {event.fields['seat']} for {event.fields['for']}"
        for event in events
        if event.name == "points"
    ]
    return ", ".join(paid) or "no points"


def _outcome(position: Position, action: Action | None) -> str:
    """Return points and state after an action, in words."""
    if action is None:
        return "nothing"
    try:
        after, _ = apply(position, action)
    except IllegalActionError as error:
        return f"refused by {error.clause}"
    changed = [
        f"{name} {_said(value)}"
        for name, value in after.state.items()
        if value != position.state.get(name)
    ]
    shown = [
        f"{seat} shows {_said(cards)}"
        for seat, cards in after.table.items()
        if cards != position.table[seat]
    ]
    hands = " and ".join(str(len(cards)) for cards in after.hidden.values())
    course = f"then {after.phase}, {hands} cards hidden"
    return "; ".join([_paid(position, action), *changed, *shown, course])


def _said(value: Any) -> str:
    return (
        " ".join(sorted(map(str, value)))
        if isinstance(value, frozenset | tuple)
        else str(value)
    )


def _taker(position: Position, action: Action | None) -> str:
    if action is None:
        return "nothing"
    try:
        after, _ = apply(position, action)
    except IllegalActionError as error:
        return f"refused by {error.clause}"
    return f"{after.taker} takes the trick"


def _verdict(position: Position, _: Action | None) -> str:
    here = Meaning(position, None)
    for verdict in position.rules.profile.verdict:
        if here.holds(verdict.test):
            winner = here.value(verdict.winner)
            return f"the match ends: {winner or 'a draw'}"
    return "another hand"


def _seen(position: Position, zone: str, seat: str) -> str:
    here = Meaning(position, seat)
    shown = [
        owner
        for owner in position.rules.seats
        if here.holds(position.rules.profile.views[zone], {"p": seat, "owner": owner})
    ]
    return f"{seat} sees {zone} of {', '.join(shown) or 'nobody'}"
