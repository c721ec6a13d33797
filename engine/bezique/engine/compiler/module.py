"""A module of Python for the rules of a table: one function a clause.

The module is text first, made from the tree with options settled; `compiled` makes it code
and registers the text with `linecache`, so that tracebacks, debuggers and
`bezique compile PROFILE` show it.  It is made when rules are first used, never kept in files.

    term_heads(at, me, c)          a term
    if_declare__one_a_trick(at, me, m) a clause; its docstring is its id and its sentence
    legal_declare(at, me, hand)    the legal ways to take an action, in a phase that allows it
    listed_lead(at, me, hand)      all that is legal in a phase
    do_declare(at, me, given)      the effects of an action; `given` holds its arguments
    upon_play(at, me, given)       all that happens by itself upon a card played
"""

from collections.abc import Iterable, Iterator, Mapping

from bezique.engine.code import listed
from bezique.engine.compiler import naming
from bezique.engine.compiler.decided import (
    possible_cards,
    possible_in,
    settled_by_phase,
)
from bezique.engine.compiler.expressions import (
    Folding,
    Text,
    holds_always,
    safe,
)
from bezique.engine.compiler.sets import BeyondMasksError, Leaf, SetTables
from bezique.engine.confine import confines, mentions
from bezique.engine.rules import Rules
from bezique.spec import tree
from bezique.spec.core import Action, Clause, Duty, Meld, Parameter
from bezique.spec.kinds import INT, PHASES
from bezique.spec.sentences import sentence
from bezique.spec.tree import Expression, Statement
from bezique.spec.vocabulary import REACTION_PARAMETERS

INDENT = "    "
_HELD = "at.hidden[me] | at.table[me]"
_ALL = "return hand"


class Module:
    """Writes the module of one table."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.folding = Folding(rules)
        self.texts = Text(rules)
        self.sets = SetTables(rules)
        self.obeying = "obeying(at, me)"
        """The text of the cards of `hand` that obey."""
        self.lines: list[str] = []

    def source(self) -> str:
        """Return the whole text of the module."""
        profile = self.rules.profile
        settings = ", ".join(
            f"{name}={value}" for name, value in self.rules.options.items()
        )
        self.lines = [
            f'"""{profile.name}, rules {profile.version}, digest {profile.digest}{f" ({settings})" if settings else ""}."""',
            "",
        ]
        self._terms()
        self._melds()
        self._duties()
        self._actions()
        self._reactions()
        self._rest()
        return "\n".join(self.lines).rstrip() + "\n"

    # --- parts -----------------------------------------------------------------------------

    def _terms(self) -> None:
        """Write the terms and choices that something still calls once constants are worked out."""
        for where, name in self._called():
            parameters, body = self.folding.body(where, name)
            folded = self.folding.folded(body)
            note = f"{name}({', '.join(parameters)})" if parameters else name
            if where == "choice":
                note += f": the reading {self.rules.picked[name]}"
            self._function(
                naming.of(where, name),
                ("at", "me", *map(safe, parameters)),
                note,
                self._answer(folded),
            )

    def _answer(self, value: Expression) -> list[str]:
        """Return the lines that answer with a value; `all` and `any` as loops, which are faster."""
        if not isinstance(value, tree.Each) or value.fold not in ("all", "any"):
            return [f"return {self.texts.text(value)}"]
        loop = [f"for {safe(value.variable)} in {self.texts.text(value.group)}:"]
        if value.test is not None:
            loop.append(f"{INDENT}if not {self.texts.text(value.test)}:")
            loop.append(f"{INDENT * 2}continue")
        if value.fold == "any":
            loop.append(f"{INDENT}if {self.texts.text(value.body)}:")
            return [*loop, f"{INDENT * 2}return True", "return False"]
        loop.append(f"{INDENT}if not {self.texts.text(value.body)}:")
        return [*loop, f"{INDENT * 2}return False", "return True"]

    def _called(self) -> list[tuple[str, str]]:
        """Return terms and choices in the order of the file, those never called left out."""
        wanted: set[tuple[str, str]] = {("term", "stock_open"), ("term", "beats")}
        open_nodes: list[object] = [self.folding.folded(body) for body in self._roots()]
        open_nodes += [
            self.folding.folded(self.folding.body(*item)[1]) for item in wanted
        ]
        while open_nodes:
            for where, name in _applied(open_nodes.pop()):
                if (where, name) not in wanted:
                    wanted.add((where, name))
                    open_nodes.append(
                        self.folding.folded(self.folding.body(where, name)[1])
                    )
        profile = self.rules.profile
        order = [("term", name) for name in profile.terms] + [
            ("choice", name) for name in profile.choices
        ]
        return [item for item in order if item in wanted]

    def _roots(self) -> Iterator[Expression]:
        """Yield every expression of the rules that is not itself in a term."""
        profile = self.rules.profile
        for duty in profile.duties:
            yield duty.when
            for name in duty.sets:
                yield profile.terms[name].body
        groups: list[Meld | Action] = [
            *profile.melds.values(),
            *profile.actions.values(),
        ]
        for group in groups:
            for clause in group.conditions:
                yield clause.test
            yield from _in_statements(group.do)
        for rule in profile.after:
            yield rule.test
            yield from _in_statements(rule.do)
        for verdict in profile.verdict:
            yield from (
                verdict.test,
                verdict.winner,
                *([verdict.worth] if verdict.worth else []),
            )
        yield from (profile.deal.first, profile.deal.next_dealer, profile.draw_first)

    def _melds(self) -> None:
        for meld in self.rules.profile.melds.values():
            arguments = ("at", "me", *map(safe, meld.variables), "m")
            called = naming.of_meld_conditions(meld.name, meld.conditions)
            self._conditions(called, meld.conditions, arguments)
            if meld.do:
                self._effects(
                    naming.of_meld_effects(meld.name),
                    meld.do,
                    ("at", "me", *map(safe, meld.variables), "m"),
                    f"What {meld.name} does.",
                )

    def _duties(self) -> None:
        """Write each duty as mask arithmetic, and the cards that obey where it binds."""
        lines = [f"hand = {_HELD}"]
        free: list[str] = []
        binds = False
        for duty in self.rules.profile.duties:
            when = self.folding.folded(duty.when)
            always = isinstance(when, tree.Constant)
            if always and not when.value:
                continue
            body = self._duty(duty)
            if always:
                lines += body
                break
            lines += [f"if {self.texts.text(when)}:", *_indented(body)]
            binds = binds or body != [_ALL]
            if not binds:
                free.append(self.texts.text(when))
        if free:
            self.obeying = f"(hand if {' or '.join(free)} else obeying(at, me))"
        self._function(
            "obeying",
            ("at", "me"),
            "The cards of the hand that obey the duty in force.",
            lines,
        )

    def _duty(self, duty: Duty) -> list[str]:
        try:
            leaves = self.sets.arguments(duty)
            names = self.sets.names(duty)
            for name in names:
                self.sets.table(name)
        except BeyondMasksError:
            return self._duty_by_cards(duty)
        if not names:
            return [_ALL]
        self.lines += ["", *self.sets.source(duty).splitlines(), ""]
        numbers = ", ".join(
            [
                "mask(hand)",
                *(f"NUMBER[{leaf.name!r}][{self._leaf(leaf)}]" for leaf in leaves),
            ]
        )
        return [f"return faces(hand, {naming.of('duty', duty.name)}({numbers}))"]

    def _leaf(self, leaf: Leaf) -> str:
        kind = (
            INT
            if leaf.where == "fact"
            else next(
                part.type for part in self.rules.profile.state if part.name == leaf.name
            )
        )
        text = self.texts.text(
            tree.Name.model_validate(
                {"type": kind, "where": leaf.where, "name": leaf.name}
            )
        )
        return (
            f"face_of({text})"
            if leaf.name in ("led", "turned") or kind.kind == "Card"
            else text
        )

    def _duty_by_cards(self, duty: Duty) -> list[str]:
        """Return a duty whose sets depend on too much for masks: card by card."""
        lines: list[str] = []
        for name in duty.sets:
            body = self.folding.folded(self.rules.profile.terms[name].body)
            if isinstance(body, tree.Constant):
                if body.value:
                    return [*lines, _ALL]
                continue
            parameter = safe(self.rules.profile.terms[name].parameters[0].name)
            lines += [
                f"cards = frozenset({parameter} for {parameter} in hand if {self.texts.text(body)})",
                "if cards:",
                f"{INDENT}return cards",
            ]
        return lines

    def _actions(self) -> None:
        for action in self.rules.profile.actions.values():
            arguments = tuple(safe(parameter.name) for parameter in action.takes)
            called = naming.of_conditions(action)
            self._conditions(called, action.conditions, ("at", "me", *arguments))
            tests: list[str] = []
            for clause in action.conditions:
                folded = self.folding.folded(clause.test)
                if not holds_always(folded):
                    tests += [
                        f"if not {_asked(called[clause.id], arguments)}:",
                        f"{INDENT}return {clause.id!r}",
                    ]
            self._function(
                naming.of("failing", action.name),
                ("at", "me", *arguments),
                f"The first condition of {action.name} that does not hold.",
                [*tests, "return None"],
            )
            if not action.ruling:
                self._legal(action, called, arguments)
            self._effects(
                naming.of("do", action.name),
                action.do,
                ("at", "me", "given"),
                f"What {action.name} does.",
                taken=[parameter.name for parameter in action.takes],
            )
        for phase in PHASES:
            self._listed(phase)

    def _listed(self, phase: str) -> None:
        """Write what is legal in a phase: the actions that it does not refuse for good."""
        ways = [
            f"*{naming.of('legal', action.name)}(at, me, hand)"
            for action in self.rules.profile.actions.values()
            if not action.ruling and possible_in(self.rules, action, phase)
        ]
        self._function(
            naming.of("listed", phase),
            ("at", "me", "hand"),
            f"All that is legal in phase {phase}; `hand` is held(me).",
            ["return (", *(f"{INDENT}{way}," for way in ways), ")"] if ways else ["return ()"],
        )  # fmt: skip

    def _legal(
        self, action: Action, called: Mapping[str, str], arguments: tuple[str, ...]
    ) -> None:
        """Write the legal ways to take an action: what is general first, then each choice of cards."""
        names = [parameter.name for parameter in action.takes]
        lines: list[str] = []
        # Of each parameter, the conditions that can be asked once it and those before are chosen.
        rest: list[list[str]] = [[] for _ in names]
        for clause in action.conditions:
            folded = self.folding.folded(clause.test)
            if holds_always(folded) or settled_by_phase(self.rules, action, clause):
                continue
            said = [name for name in names if mentions(folded, {name})]
            if any(_fits(clause.test, parameter) for parameter in action.takes):
                continue  # its domain is of melds that fit
            if not said:
                lines += [
                    f"if {self._fails(folded)}:  # {clause.id}",
                    f"{INDENT}return ()",
                ]
            elif not any(
                self._within(clause.test, parameter, action)
                for parameter in action.takes
            ):
                asked = (safe(name) if name in said else "None" for name in names)
                rest[names.index(said[-1])].append(
                    _asked(called[clause.id], tuple(asked))
                )
        way = naming.of("way", action.name)
        domains = [self._domain(action, parameter) for parameter in action.takes]
        if len(domains) == 1 and not rest[0]:
            lines.append(f"return map({way}, {domains[0]})")
        else:
            key = arguments[0] if len(arguments) == 1 else f"({', '.join(arguments)})"
            loops: list[str] = []
            for name, domain, tests in zip(arguments, domains, rest, strict=True):
                loops.append(f"for {name} in {domain}")
                if tests:
                    loops.append(f"if {' and '.join(tests)}")
            if loops:
                lines += ["return [", *_indented([f"{way}({key})", *loops]), "]"]
            else:
                lines.append(f"return [{way}({key})]")
        self._function(
            naming.of("legal", action.name),
            ("at", "me", "hand"),
            f"The legal ways to {action.name}, in a phase that allows it; `hand` is held(me).",
            lines,
        )

    def _fails(self, folded: Expression) -> str:
        """Return the text of the opposite of a condition."""
        if isinstance(folded, tree.Not):
            return self.texts.text(folded.of)
        return self.texts.text(tree.Not(type=folded.type, of=folded))

    def _within(
        self, test: Expression, parameter: Parameter, action: Action
    ) -> str | None:
        """Return the text of the set that a condition confines a parameter to."""
        match test:
            case tree.Call(
                function="obeys", arguments=(tree.Name(where="parameter", name=name),)
            ) if name == parameter.name:
                return self.obeying
        group = confines(test, parameter, action)
        return None if group is None else self.texts.text(self.folding.folded(group))

    def _domain(self, action: Action, parameter: Parameter) -> str:
        if parameter.type.kind not in ("Card", "Meld"):
            return repr(listed(self.rules, parameter))
        groups = [
            text
            for clause in action.conditions
            if (text := self._within(clause.test, parameter, action))
        ]
        groups = ["hand" if text == f"({_HELD})" else text for text in groups]
        if self.obeying in groups:
            # Cards that obey are cards of the hand.
            groups = [text for text in groups if text != "hand"]
        if parameter.type.kind == "Meld":
            cards = " & ".join(groups) or "PACK"
            if any(_fits(clause.test, parameter) for clause in action.conditions):
                return f"melds_that_fit(at, me, {cards})"
            return f"likenesses_among(me, {cards})"
        if possible_cards(self.rules, action, parameter) != frozenset(self.rules.pack):
            groups.insert(0, naming.of_possible(action.name, parameter.name))
        return f"sorted({' & '.join(groups) or 'PACK'}, key=place)"

    def _reactions(self) -> None:
        profile = self.rules.profile
        for upon, parameters in REACTION_PARAMETERS.items():
            lines: list[str] = []
            for reaction in profile.after:
                test = self.folding.folded(reaction.test)
                if reaction.upon != upon or (
                    isinstance(test, tree.Constant) and not test.value
                ):
                    continue
                body = self._statements(reaction.do) or ["pass"]
                lines.append(f"# {reaction.id}")
                lines += (
                    body
                    if isinstance(test, tree.Constant)
                    else [f"if {self.texts.text(test)}:", *_indented(body)]
                )
            if lines:
                self._function(
                    f"upon_{upon}",
                    ("at", "me", "given"),
                    f"What happens by itself upon: {upon}.",
                    [*_taken(parameters), *lines],
                )

    def _rest(self) -> None:
        profile = self.rules.profile
        lines: list[str] = []
        for verdict in profile.verdict:
            test, winner = (
                self.folding.folded(verdict.test),
                self.folding.folded(verdict.winner),
            )
            worth = (
                "None"
                if verdict.worth is None
                else self.texts.text(self.folding.folded(verdict.worth))
            )
            lines += [
                f"if {self.texts.text(test)}:  # {verdict.id}",
                f"{INDENT}return True, {self.texts.text(winner)}, {worth}",
            ]
        self._function(
            "verdict",
            ("at", "me"),
            "Whether the match has ended with this hand, who has won, what it is worth.",
            [*lines, "return False, None, None"],
        )
        for name, body in (
            ("first", profile.deal.first),
            ("next_dealer", profile.deal.next_dealer),
            ("draw_first", profile.draw_first),
        ):
            text = self.texts.text(self.folding.folded(body))
            note = f"The seat of: {name.replace('_', ' ')}."
            self._function(f"seat_{name}", ("at", "me"), note, [f"return {text}"])

    # --- functions ---------------------------------------------------------------------------

    def _conditions(
        self,
        called: Mapping[str, str],
        clauses: Iterable[Clause],
        arguments: tuple[str, ...],
    ) -> None:
        for clause in clauses:
            test = self.folding.folded(clause.test)
            self._function(
                called[clause.id],
                arguments,
                f"{clause.id}: {sentence(self.rules.profile, 'en', clause.id, self.rules.values)}",
                [f"return {self.texts.text(test)}"],
            )

    def _effects(
        self,
        name: str,
        statements: tuple[Statement, ...],
        arguments: tuple[str, ...],
        note: str,
        taken: Iterable[str] = (),
    ) -> None:
        lines = self._statements(statements)
        self._function(name, arguments, note, [*_taken(taken), *lines])

    def _statements(self, statements: tuple[Statement, ...]) -> list[str]:
        lines: list[str] = []
        for statement in statements:
            match statement:
                case tree.Assign(name=name, sign=sign, value=value):
                    folded = self.folding.folded(value)
                    line = self._assignment(name, sign, self.texts.text(folded))
                    if sign == "=" and _sifted(folded, name):
                        # Of nothing nothing can be taken away.
                        group = tree.Name(type=folded.type, where="state", name=name)
                        lines += [f"if {self.texts.text(group)}:", INDENT + line]
                    else:
                        lines.append(line)
                case tree.Do(effect=effect, arguments=arguments):
                    lines.append(
                        f"at.{effect}({', '.join(self.texts.text(self.folding.folded(item)) for item in arguments)})"
                    )
                case tree.When(test=test, then=then, other=other):
                    decided = self.folding.folded(test)
                    if isinstance(decided, tree.Constant):
                        lines += self._statements(then if decided.value else other)
                        continue
                    lines += [
                        f"if {self.texts.text(decided)}:",
                        *_indented(self._statements(then)),
                    ]
                    if other:
                        lines += ["else:", *_indented(self._statements(other))]
                case tree.ForEach(variable=variable, group=group, body=body):
                    lines += [
                        f"for {safe(variable)} in in_order({self.texts.text(self.folding.folded(group))}):",
                        *_indented(self._statements(body)),
                    ]
        return lines

    def _assignment(self, name: str, sign: str, value: str) -> str:
        return f"at.assign({name!r}, {sign!r}, {value})"

    def _function(
        self, name: str, arguments: Iterable[str], note: str, body: list[str]
    ) -> None:
        quoted = note.replace("\\", "\\\\").replace('"""', "'''")
        self.lines += [
            "",
            f"def {name}({', '.join(arguments)}):",
            f'{INDENT}"""{quoted}"""',
            *_indented(body),
            "",
        ]


def _asked(called: str, arguments: tuple[str, ...]) -> str:
    """Return the text that asks a condition."""
    return f"{called}({', '.join(('at', 'me', *arguments))})"


def _indented(lines: Iterable[str]) -> list[str]:
    return [INDENT + line for line in lines]


def _taken(names: Iterable[str]) -> list[str]:
    """Return the lines that take arguments by their names."""
    return [f"{safe(name)} = given[{name!r}]" for name in names]


def _sifted(value: Expression, name: str) -> bool:
    """Return whether a value is a part of the state without some of its members."""
    match value:
        case tree.Each(
            fold="list" | "set",
            variable=variable,
            group=tree.Name(where="state", name=group),
            body=tree.Name(where="parameter", name=item),
        ):
            return group == name and item == variable
    return False


def _fits(test: Expression, parameter: Parameter) -> bool:
    """Return whether a condition is that a meld fits, and nothing else."""
    match test:
        case tree.Call(
            function="fits", arguments=(tree.Name(where="parameter", name=name),)
        ):
            return name == parameter.name
    return False


def _applied(part: object) -> Iterator[tuple[str, str]]:
    """Yield the terms and choices that an expression calls."""
    for node in tree.nodes(part):
        if isinstance(node, tree.Apply) and node.where != "table":
            yield node.where, node.name


def _in_statements(statements: tuple[Statement, ...]) -> Iterator[Expression]:
    """Yield every expression in statements."""
    for statement in statements:
        match statement:
            case tree.Assign(value=value):
                yield value
            case tree.Do(arguments=arguments):
                yield from arguments
            case tree.When(test=test, then=then, other=other):
                yield test
                yield from _in_statements((*then, *other))
            case tree.ForEach(group=group, body=body):
                yield group
                yield from _in_statements(body)


def constants(rules: Rules) -> Mapping[str, object]:
    """Return the tables that the code of a module speaks of."""
    profile = rules.profile
    melds = profile.melds
    return {
        "SEATS": rules.seats,
        "AFTER": {seat: rules.after(seat) for seat in rules.seats},
        "STRENGTH": rules.strength,
        "FAMILY": {name: meld.family for name, meld in melds.items()},
        "LEVEL": {name: meld.level for name, meld in melds.items()},
        "POINTS": rules.points,
        **{
            naming.of("TABLE", name): entries
            for name, entries in profile.tables.items()
        },
        **{
            naming.of_possible(action.name, parameter.name): possible_cards(
                rules, action, parameter
            )
            for action in profile.actions.values()
            for parameter in action.takes
            if parameter.type.kind == "Card"
        },
    }
