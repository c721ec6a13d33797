"""Differences: where two tables part, each with a smallest situation that shows it.

Two tables are laid over each other: first what differs by itself (values, melds, ranks), then
for each clause that is not the same whether any situation tells the difference, in what may
be done, what is paid, who wins, what is seen.  A witness is a position and an action that the
reference interpreter treats differently under the two rules; where none is found,
`bezique.solver.proof.beyond` says whether there can be any.

Terms
    matter    what differs: `legal`, `points`, `trick`, `result`, `view`, `course`
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from types import SimpleNamespace
from typing import Any

from bezique.engine.action import Action
from bezique.engine.cards import Card
from bezique.engine.compiler.expressions import Folding
from bezique.engine.evaluate import Meaning
from bezique.engine.frozen import FrozenDict
from bezique.engine.moves import refusal
from bezique.engine.rules import Rules
from bezique.solver.proof import beyond, said
from bezique.solver.proof.effects import Execution, apart
from bezique.solver.proof.ground import Ground, Key
from bezique.solver.proof.reaction import ReactionSearch
from bezique.solver.proof.search import Limits
from bezique.solver.proof.seats import told_apart
from bezique.solver.proof.situation import grows
from bezique.solver.proof.values import (
    Guard,
    alike,
    both,
    equal,
    no,
    some,
    truth,
)
from bezique.solver.proof.witness import PHASES, Difference, Witness, verdict_on
from bezique.spec import core, tree

COPIES = 2  # of a face: more of them tell no more about a trick
HANDS = 3  # a witness of another end of the match lies in one of the first


@dataclass
class Comparison:
    """Two tables over the same cards, seats and phases."""

    one: Rules
    two: Rules
    limits: Limits = field(default_factory=Limits)
    pool: dict[Any, "Ground"] = field(default_factory=dict)
    slots: int = 3

    def __post_init__(self) -> None:
        self._grounds: dict[Any, Ground] = {}
        self.folded = tuple(
            Folding(rules, settled=True) for rules in (self.one, self.two)
        )

    @cached_property
    def pack(self) -> tuple[Card, ...]:
        """Return the cards that both tables have."""
        return min(self.one.pack, self.two.pack, key=len)

    def ground(self, phase: str, slots: int = 1, *, rulings: bool = False) -> "Ground":
        """Return the ground on which situations of a phase are searched, made once."""
        return self._ground((phase, slots, rulings))

    def free(self, phase: str, *, rulings: bool = False) -> "Ground":
        """Return the ground without melds that asks nothing of the second table, made once."""
        return self._ground((phase, 0, rulings), free=True)

    @cached_property
    def alike(self) -> bool:
        """Return whether neither table tells one seat from another, so that the first stands for all."""
        return not (told_apart(self.one) or told_apart(self.two))

    def _ground(
        self, key: Key, *, free: bool = False, me: str | None = None
    ) -> "Ground":
        me = me or self.one.seats[0]
        about = key, free, me
        if about not in self._grounds:
            # A pooled ground knows what its second table took for sensible: it must be the same.
            pooled = *about, self._sense
            ground = self.pool.get(pooled)
            if ground is None:
                ground = Ground(self.one, self.two, self.pack, self.limits, key, me, free=free)  # fmt: skip
            self._grounds[about] = self.pool[pooled] = ground.over(self.two)
        return self._grounds[about]

    @cached_property
    def _sense(self) -> str:
        """Return, as a text, all of the second table that its grounds depend on."""
        two = self.two
        return repr((
            [self.spread(1, clause.test) for clause in two.profile.invariants],
            [sorted(grows(two, rulings=rulings)) for rulings in (False, True)],
            [(meld.name, meld.cards) for meld in two.profile.melds.values()],
            two.profile.state, len(two.pack),
        ))  # fmt: skip

    @property
    def acting(self) -> tuple[str, ...]:
        """Return the seats to ask: the first, or each where a table tells them apart."""
        return self.one.seats[:1] if self.alike else self.one.seats

    def everywhere(self, phase: str, slots: Iterable[int] = (0,)) -> Iterator["Ground"]:
        """Yield the grounds of a phase without rulings, the plainest first, for each seat to ask."""
        for number, me in product(slots, self.acting):
            yield self._ground((phase, number, False), me=me)

    def grounds(
        self,
        phases: Iterable[str],
        slots: Iterable[int],
        *,
        ruling: bool = False,
    ) -> Iterator["Ground"]:
        """Yield the grounds to search, the plainest first.

        Where both tables have rulings, those of a recorded table come last; for a ruling itself
        there are no others.
        """
        recorded = self.one.has_rulings and self.two.has_rulings
        for rulings in dict.fromkeys((ruling, recorded)):
            for number, phase, me in product(slots, phases, self.acting):
                yield self._ground((phase, number, rulings), me=me)

    def same(self, one: Any, two: Any) -> bool:
        """Return whether two expressions are the same once settings and terms are put in."""
        return self.spread(0, one) == self.spread(1, two)

    def spread(self, side: int, node: Any) -> Any:
        """Return an expression with the bodies of its terms beside it, so that equal ones mean the same."""
        folding = self.folded[side]
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
        for matter in (
            self.tricks,
            self.legal,
            self.points,
            self.results,
            self.views,
            self.course,
        ):
            for difference in matter():
                yield difference
                # Each clause is a question of its own.
                for ground in self._grounds.values():
                    ground.afresh()

    def tricks(self) -> Iterator[Difference]:
        """Yield whether a trick can fall to the other side."""
        strengths = [rules.profile.deck.ranks for rules in (self.one, self.two)]
        bodies = [rules.profile.terms["beats"].body for rules in (self.one, self.two)]
        if strengths[0] == strengths[1] and self.same(*bodies):
            return
        if any(map(beyond.beside_cards, self.folded, bodies)):
            yield self._taken()
            return
        for trump in (*reversed(self.one.profile.deck.suits), None):
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
        proved = beyond.EQUIVALENT if self.alike else beyond.BOUND
        yield Difference("trick", "beats", proved)

    def _taken(self) -> Difference:
        """Return whether a trick falls to the other side in some situation of the one that follows."""
        playing = _playing(self.one)
        undecided = False
        for ground in self.everywhere("follow") if playing else ():
            name, card = playing or ("", "")
            led = ground.situation.trick[0]
            for arguments in ground.arguments(self.one.profile.actions[name]):
                wins = [
                    here.term("beats", arguments[card], led) for here in ground.here
                ]
                allowed = [ground.allowed(side, name, arguments) for side in (0, 1)]
                goal = both(*allowed, no(alike(*map(truth, wins))))
                witness = ground.witness(goal, arguments, name, said.taker)
                if witness is not None and witness.action is not None:
                    played = witness.action.arguments[card]
                    told = f"{played} on {witness.one_position.trick[0]}"
                    return Difference("trick", "beats", "differs", witness, told)
                undecided |= ground.undecided
        verdict = verdict_on(None, undecided, beyond.BOUND)
        return Difference("trick", "beats", verdict)

    def _beats(self, rules: Rules, card: Card, led: Card, trump: str | None) -> bool:
        table = SimpleNamespace(rules=rules, state={"trump": trump}, trick=(led,))
        return bool(Meaning(table, None).term("beats", card, led))

    def _trick_witness(
        self, led: Card, card: Card, trump: str | None
    ) -> Witness | None:
        playing = _playing(self.one)
        if playing is None:
            return None
        name, parameter = playing
        action = Action(name, FrozenDict({parameter: card}))
        for ground in self.everywhere("follow"):
            here = ground.situation
            goal = both(
                equal(here.trick[0], led),
                equal(here.state["trump"], trump),
                here.held(ground.me).has(card),
            )
            witness = ground.witness(
                goal,
                {parameter: card},
                name,
                lambda position, _: said.taker(position, action),
            )
            if witness is not None:
                return witness
        return None

    def legal(self) -> Iterator[Difference]:
        """Yield the clauses of actions that differ."""
        one, two = self.one.profile, self.two.profile
        for name in dict.fromkeys((*one.actions, *two.actions)):
            rules = [table.actions.get(name) for table in (one, two)]
            if rules[0] is None or rules[1] is None:
                yield self._only_one(name, rules[0] or rules[1])  # type: ignore[arg-type]
                continue
            yield from self._conditions(name, rules[0], rules[1])

    def _only_one(self, name: str, rule: core.Action) -> Difference:
        undecided = False
        for ground in self.grounds(PHASES, (1,), ruling=rule.ruling):
            for arguments in ground.arguments(rule):
                allowed = [ground.allowed(side, name, arguments) for side in (0, 1)]
                witness = ground.witness(
                    no(alike(*allowed)),
                    arguments,
                    name,
                    said.legality,
                )
                if witness is not None:
                    return Difference("legal", name, "differs", witness)
                undecided |= ground.undecided
        side = 0 if name in self.one.profile.actions else 1
        proved = beyond.answer(
            self,
            rule,
            lambda ground, arguments: beyond.allowed(
                self, ground, side, name, arguments
            ),
            (),
        )
        sure = proved == beyond.EQUIVALENT or not undecided
        return Difference("legal", name, proved if sure else "undecided")

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
                    yield from self._duties(name, one, two)
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
        proved = beyond.clause(self, name, rule, tests)
        if proved == beyond.EQUIVALENT:
            return Difference("legal", clause, proved)
        undecided = False
        slots = range(self.slots + 1)
        for ground in self.grounds(PHASES, slots, ruling=rule.ruling):
            for arguments in ground.arguments(rule):
                sides = [
                    True
                    if test is None or not ground.knows(side, arguments)
                    else ground.here[side].guard(test, arguments)
                    for side, test in enumerate(tests)
                ]
                allowed = [ground.allowed(side, name, arguments) for side in (0, 1)]
                goal = both(no(alike(*sides)), no(alike(*allowed)))
                witness = ground.witness(goal, arguments, name, said.legality)
                if witness is not None:
                    return Difference("legal", clause, "differs", witness)
                undecided |= ground.undecided
        return Difference("legal", clause, "undecided" if undecided else proved)

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
        tests = [self._fits(side, name) for side in (0, 1)]
        proved = beyond.clause(self, name, rule, tests)
        if proved == beyond.EQUIVALENT:
            return Difference("legal", f"meld/{meld}", proved)
        undecided = False
        for ground in self.everywhere("declare", (0, 1, 2)):
            arguments = {parameter: ground.open.meld(meld)}
            allowed = [ground.allowed(side, name, arguments) for side in (0, 1)]
            fits = [here.fits(arguments[parameter]) for here in ground.here]
            goal = both(no(alike(*fits)), no(alike(*allowed)))
            witness = ground.witness(goal, arguments, name, said.legality)
            if witness is not None:
                return Difference("legal", f"meld/{meld}", "differs", witness)
            undecided |= ground.undecided
        return Difference("legal", f"meld/{meld}", "undecided" if undecided else proved)

    def _fits(self, side: int, name: str) -> Any:
        """Return the condition of an action that asks for the shape of a meld, if there is one."""
        rule = (self.one, self.two)[side].profile.actions[name]
        return next(
            (
                clause.test
                for clause in rule.conditions
                if isinstance(clause.test, tree.Call) and clause.test.function == "fits"
            ),
            None,
        )

    def _duties(
        self, name: str, rule: core.Action, other: core.Action
    ) -> Iterator[Difference]:
        if self._duty_code(0) == self._duty_code(1):
            return
        witness, undecided = None, False
        for ground in self.everywhere("follow"):
            for arguments in ground.arguments(rule):
                allowed = [ground.allowed(side, name, arguments) for side in (0, 1)]
                goal = no(alike(*allowed))
                witness = witness or ground.witness(
                    goal, arguments, name, said.legality
                )
                undecided |= ground.undecided
        clause = "duties"
        if witness is not None and witness.action is not None:
            refused = refusal(witness.one_position, witness.action) or refusal(
                witness.two_position, witness.action
            )
            clause = refused.clause if refused else clause
        asked = [
            (side, condition.test)
            for side, action in enumerate((rule, other))
            for condition in action.conditions
        ]
        proved = beyond.answer(
            self,
            rule,
            lambda ground, arguments: no(
                alike(*(ground.allowed(side, name, arguments) for side in (0, 1)))
            ),
            asked,
        )
        yield Difference(
            "legal", clause, verdict_on(witness, undecided, proved), witness
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
        melds = one.profile.melds, two.profile.melds
        carried = all(
            self._same_statements(melds[0][name].do, melds[1][name].do)
            for name in melds[0]
            if name in melds[1]
        )
        for name in actions[0]:
            if name in actions[1] and not (
                self._same_statements(actions[0][name].do, actions[1][name].do)
                and (carried or not _does(actions[0][name], "carry_out"))
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
        test = self.folded[side].folded(reaction.test)
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
        undecided = False
        for ground in self.everywhere("declare"):
            arguments = {parameter: ground.open.meld(meld)}
            goal = both(*(ground.allowed(side, name, arguments) for side in (0, 1)))
            witness = ground.witness(goal, arguments, name, said.paid)
            if witness is not None:
                return Difference("points", f"meld/{meld}", "differs", witness)
            undecided |= ground.undecided
        verdict = verdict_on(None, undecided, beyond.BOUND)
        return Difference("points", f"meld/{meld}", verdict)

    def _paid_action(self, name: str) -> Difference:
        undecided = False
        rule = self.one.profile.actions[name]
        for ground in self.grounds(PHASES, (0, 1), ruling=rule.ruling):
            for arguments in ground.arguments(rule):
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
                goal = both(allowed, some(*apart(self.one.seats, *done)))
                witness = ground.witness(goal, arguments, name, said.outcome)
                if witness is not None:
                    return Difference("points", f"{name}/do", "differs", witness)
                undecided |= ground.undecided
        return Difference(
            "points", f"{name}/do", "undecided" if undecided else beyond.BOUND
        )

    def _reaction(self, clause: str, sides: list[core.Reaction | None]) -> Difference:
        return ReactionSearch(self, clause, sides).difference()

    def results(self) -> Iterator[Difference]:
        """Yield verdicts that differ: the same totals, another end."""
        one, two = self.one.profile.verdict, self.two.profile.verdict
        if [(v.id, *self._ends(0, v)) for v in one] == [
            (v.id, *self._ends(1, v)) for v in two
        ]:
            return
        witness, undecided = None, False
        for ground in self.everywhere("over"):
            goal = both(_unlike_ends(ground), ground.situation.hand <= HANDS)
            witness = witness or ground.witness(
                goal,
                {},
                None,
                lambda position, _, me=ground.me: said.verdict(position, me),
            )
            undecided |= ground.undecided
        names = ", ".join(dict.fromkeys(verdict.id for verdict in (*one, *two)))
        asked = [
            (side, part)
            for side, verdicts in enumerate((one, two))
            for verdict in verdicts
            for part in (verdict.test, verdict.winner)
        ]
        proved = beyond.answer(
            self, None, lambda ground, _: _unlike_ends(ground), asked, ("over",)
        )
        if [self.spread(0, v.worth) for v in one] != [
            self.spread(1, v.worth) for v in two
        ]:
            proved = beyond.BOUND
        verdict = verdict_on(witness, undecided, proved)
        yield Difference("result", names, verdict, witness)

    def _ends(self, side: int, verdict: core.Verdict) -> tuple[Any, ...]:
        parts = (verdict.test, verdict.winner, verdict.worth)
        return tuple(self.spread(side, part) for part in parts)

    def course(self) -> Iterator[Difference]:
        """Yield what differs in the course of a hand or a match, which no situation is searched for.

        Who draws first has a witness; the rest is only said.
        """
        profiles = self.one.profile, self.two.profile
        draws = [table.draw_first for table in profiles]
        if not self.same(*draws):
            yield self._drawing(draws)
        parts: dict[str, list[Any]] = {
            "deal": [table.deal for table in profiles],
            "series": [table.series for table in profiles],
            "waivers": [table.waivers for table in profiles],
            "state": [table.state for table in profiles],
        }
        for name, (one, two) in parts.items():
            if not self._alike(one, two):
                yield Difference("course", name, beyond.BOUND)

    def _drawing(self, draws: list[Any]) -> Difference:
        drawing = (
            n for n, rule in self.one.profile.actions.items() if _does(rule, "draw")
        )
        name = next(drawing, None)
        undecided = False
        for ground in self.everywhere("declare") if name else ():
            firsts = [
                here.value(draw) for here, draw in zip(ground.here, draws, strict=True)
            ]
            allowed = (ground.allowed(side, str(name), {}) for side in (0, 1))
            goal = both(*allowed, no(equal(*firsts)))
            witness = ground.witness(goal, {}, name, said.told)
            if witness is not None:
                return Difference("course", "draw/first", "differs", witness)
            undecided |= ground.undecided
        verdict = verdict_on(None, undecided, beyond.BOUND)
        return Difference("course", "draw/first", verdict)

    def _alike(self, one: Any, two: Any) -> bool:
        """Return whether two parts of profiles are the same once settings and terms are put in."""
        if isinstance(one, tuple) and isinstance(two, tuple):
            return len(one) == len(two) and all(map(self._alike, one, two))
        if isinstance(one, tree.Node) and isinstance(two, tree.Node):
            fields = type(one).model_fields
            if "type" in fields and not isinstance(one, core.State):
                return self.same(one, two)
            return type(one) is type(two) and all(
                self._alike(getattr(one, name), getattr(two, name)) for name in fields
            )
        return bool(one == two)

    def views(self) -> Iterator[Difference]:
        """Yield zones that one table shows and the other does not."""
        for zone, test in self.one.profile.views.items():
            other = self.two.profile.views[zone]
            if self.same(test, other):
                continue
            undecided = False
            for ground, owner in product(self.everywhere("lead"), self.one.seats):
                me = ground.me
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
                    lambda position, _, zone=zone, me=me: said.seen(position, zone, me),
                )
                if witness is not None:
                    yield Difference("view", f"views/{zone}", "differs", witness)
                    break
                undecided |= ground.undecided
            else:
                verdict = verdict_on(None, undecided, beyond.BOUND)
                yield Difference("view", f"views/{zone}", verdict)


def _unlike_ends(ground: Ground) -> Guard:
    """Return that a hand ends the match at one table only, or for somebody else."""
    ends = [ground.ending(side) for side in (0, 1)]
    return some(
        no(alike(ends[0][0], ends[1][0])),
        both(ends[0][0], ends[1][0], no(equal(ends[0][1], ends[1][1]))),
    )


def _playing(rules: Rules) -> tuple[str, str] | None:
    """Return the action that puts a card to the trick, and its parameter; None where none does."""
    for action in rules.profile.actions.values():
        cards = [item.name for item in action.takes if item.type.kind == "Card"]
        if _does(action, "put") and len(action.takes) == len(cards) == 1:
            return action.name, cards[0]
    return None


def _does(action: core.Action, effect: str) -> bool:
    """Return whether an action has an effect whatever else is the case."""
    return any(
        isinstance(part, tree.Do) and part.effect == effect for part in action.do
    )
