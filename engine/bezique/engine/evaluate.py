"""The meaning of expressions: the reference interpreter.

Short and slow on purpose: one function a node kind, nothing clever.  Whatever is fast is
compared with this.

Every expression has a value.  None stands for what is absent (no trumps, no card led):
a function of None is None, or no cards where it would give cards; an order that involves
None does not hold.

Terms
    table     a `Position`, or a `Draft` of the next one
    names     the parameters in force: what `c`, `card` or `m` stands for
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from bezique.engine.cards import Card
from bezique.engine.melds import bindings
from bezique.engine.position import Melded
from bezique.spec import tree
from bezique.spec.core import Choice, Clause, Term
from bezique.spec.tree import Expression

if TYPE_CHECKING:
    from bezique.engine.rules import Rules

Names = Mapping[str, Any]
EMPTY: Names = {}


class Meaning:
    """What expressions mean on a table for the seat that acts.

    Args:
        table: A `Position` or a `Draft`.
        me: The acting seat; None where nobody acts.
    """

    def __init__(self, table: Any, me: str | None) -> None:  # noqa: ANN401
        self.table = table
        self.rules: Rules = table.rules
        self.me = me

    def value(self, node: Expression, names: Names = EMPTY) -> Any:  # noqa: ANN401
        """Return what an expression is worth here."""
        return self._BY_KIND[node.kind](self, node, names)

    def holds(self, node: Expression, names: Names = EMPTY) -> bool:
        """Return whether a condition is true here."""
        return bool(self.value(node, names))

    def term(self, name: str, *arguments: object) -> Any:  # noqa: ANN401
        """Return what a term of the rules is worth for some arguments."""
        term = self.rules.profile.terms[name]
        return self.value(term.body, _named(term, arguments))

    # --- one function a node kind ------------------------------------------------------

    def _constant(self, node: tree.Constant, _: Names) -> object:
        return node.value

    def _name(self, node: tree.Name, names: Names) -> object:
        match node.where:
            case "parameter":
                return names[node.name]
            case "state":
                return self.table.state[node.name]
            case "value":
                return self.rules.values[node.name]
        return _FACTS[node.name](self)

    def _apply(self, node: tree.Apply, names: Names) -> object:
        arguments = [self.value(argument, names) for argument in node.arguments]
        match node.where:
            case "table":
                return self.rules.profile.tables[node.name].get(arguments[0])
            case "term":
                return self.term(node.name, *arguments)
            case "choice":
                choice = self.rules.profile.choices[node.name]
                reading = self.rules.reading(node.name)
                return self.value(reading, _named(choice, arguments))

    def _call(self, node: tree.Call, names: Names) -> object:
        arguments = [self.value(argument, names) for argument in node.arguments]
        return _FUNCTIONS[node.function](self, *arguments)

    def _part(self, node: tree.Part, names: Names) -> object:
        melded: Melded = self.value(node.of, names)
        # Cards and seat first: they can be asked of a meld that the table does not know.
        match node.name:
            case "cards":
                return melded.cards
            case "seat":
                return melded.seat
            case "points":
                return self.rules.points[melded.meld]
        return getattr(self.rules.profile.melds[melded.meld], node.name)

    def _not(self, node: tree.Not, names: Names) -> bool:
        return not self.value(node.of, names)

    def _logic(self, node: tree.Logic, names: Names) -> bool:
        values = (self.value(item, names) for item in node.items)
        return all(values) if node.word == "and" else any(values)

    def _compare(self, node: tree.Compare, names: Names) -> bool:
        left, right = self.value(node.left, names), self.value(node.right, names)
        if node.sign in ("==", "!="):
            return bool(left == right) == (node.sign == "==")
        if left is None or right is None:
            return False
        if node.left.type.kind == "Rank":
            left, right = self.rules.strength[left], self.rules.strength[right]
        return _ORDER[node.sign](left, right)

    def _member(self, node: tree.Member, names: Names) -> bool:
        return self.value(node.item, names) in self.value(node.group, names)

    def _sum(self, node: tree.Sum, names: Names) -> object:
        left, right = self.value(node.left, names), self.value(node.right, names)
        return _ARITHMETIC[node.sign](left, right)

    def _either(self, node: tree.Either, names: Names) -> object:
        branch = node.then if self.value(node.test, names) else node.other
        return self.value(branch, names)

    def _group(self, node: tree.Group, names: Names) -> object:
        items = [self.value(item, names) for item in node.items]
        return tuple(items) if node.type.kind == "list" else frozenset(items)

    def _each(self, node: tree.Each, names: Names) -> object:
        def bodies() -> Iterator[Any]:
            for item in self.value(node.group, names):
                inner = {**names, node.variable: item}
                if node.test is None or self.value(node.test, inner):
                    yield self.value(node.body, inner)

        return _FOLDS[node.fold](bodies())

    _BY_KIND: ClassVar[dict[str, Callable[["Meaning", Any, Names], Any]]] = {
        "literal": _constant,
        "name": _name,
        "apply": _apply,
        "call": _call,
        "part": _part,
        "not": _not,
        "logic": _logic,
        "compare": _compare,
        "member": _member,
        "sum": _sum,
        "either": _either,
        "group": _group,
        "each": _each,
    }

    # --- functions with a meaning of their own -----------------------------------------

    def lacks(self, seat: str | None) -> int | None:
        """Return how many cards a seat is short of its full hand."""
        return lacks(self, seat)

    def spent(self, card: Card | None, family: str) -> int:
        """Return the highest level at which a card has scored in a family, 0 for never.

        What has scored is the part `scored` of the state, which the language demands of
        rules that ask this.
        """
        melds = self.rules.profile.melds
        levels = (
            melds[item.meld].level
            for item in self.table.state["scored"]
            if card in item.cards and melds[item.meld].family == family
        )
        return max(levels, default=0)

    def binding_set(self) -> tuple[str, frozenset[Card]]:
        """Return the clause that binds the player who acts, and the cards that obey it.

        The first duty whose `when` holds counts, and of its sets the first that holds a
        card of the hand.
        """
        hand = self.table.held(self.me)
        for duty in self.rules.profile.duties:
            if self.holds(duty.when):
                for name in duty.sets:
                    cards = frozenset(card for card in hand if self.term(name, card))
                    if cards:
                        return f"{duty.name}/{name}", cards
        return "play/duty", frozenset()

    def misfit(self, melded: Melded) -> str | None:
        """Return the clause by which cards are not this meld, or None when they are."""
        meld = self.rules.profile.melds.get(melded.meld)
        if meld is None:
            return "meld/unknown"
        failing = f"meld/{meld.name}"
        for named in bindings(self.rules, meld, melded.cards):
            clause = self.first_failing(meld.conditions, {**named, "m": melded})
            if clause is None:
                return None
            failing = clause.id
        return failing

    def first_failing(
        self, conditions: tuple[Clause, ...], names: Names
    ) -> Clause | None:
        """Return the first condition that does not hold, or None."""
        failing = (
            clause for clause in conditions if not self.holds(clause.test, names)
        )
        return next(failing, None)


def _named(of: Term | Choice, arguments: Iterable[object]) -> Names:
    """Return the arguments by the names of the parameters."""
    return dict(zip((item.name for item in of.parameters), arguments, strict=True))


def _zone(name: str) -> Callable[[Meaning, str | None], frozenset[Card]]:
    return lambda here, seat: (
        getattr(here.table, name)[seat] if seat is not None else frozenset()
    )


def _leader(here: Meaning) -> str | None:
    totals = here.table.match_points
    most = max(totals.values())
    ahead = [seat for seat in here.rules.seats if totals[seat] == most]
    return ahead[0] if len(ahead) == 1 else None


def lacks(here: Meaning, seat: str | None) -> int | None:
    """Return how many cards a seat is short of its full hand.

    A card that it has played to the trick, or not drawn yet, is not lacking.
    """
    if seat is None:
        return None
    waits = here.table.phase == "declare" or seat in _players(here)
    return here.rules.hand_size - waits - len(here.table.held(seat))


def _players(here: Meaning) -> tuple[str, ...]:
    """Return the seats that have played to the unfinished trick."""
    if not here.table.trick:
        return ()
    order = here.rules.from_seat(here.table.turn)
    return order[len(order) - len(here.table.trick) :]


_FACTS: dict[str, Callable[[Meaning], Any]] = {
    "hand": lambda here: here.table.hand,
    "phase": lambda here: here.table.phase,
    "me": lambda here: here.me,
    "dealer": lambda here: here.table.dealer,
    "seats": lambda here: here.rules.seats,
    "leader": _leader,
    "led": lambda here: here.table.trick[0] if here.table.trick else None,
    "trick": lambda here: tuple(here.table.last_trick),
    "taker": lambda here: here.table.taker,
    "turned": lambda here: here.table.turn_up,
    "stock": lambda here: tuple(here.table.stock),
    "left": lambda here: here.table.left,
}

_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "rank": lambda _, card: card and card.rank,
    "suit": lambda _, card: card and card.suit,
    "held": lambda here, seat: (
        here.table.held(seat) if seat is not None else frozenset()
    ),
    "hidden": _zone("hidden"),
    "table": _zone("table"),
    "won": _zone("won"),
    "total": lambda here, seat: here.table.match_points.get(seat),
    "points": lambda here, seat: here.table.hand_points.get(seat),
    "other": lambda here, seat: seat and here.rules.after(seat),
    "spent": lambda here, card, family: here.spent(card, family),
    "lacks": lambda here, seat: here.lacks(seat),
    "obeys": lambda here, card: card in here.binding_set()[1],
    "fits": lambda here, melded: here.misfit(melded) is None,
    "reading": lambda here, choice: here.rules.picked[choice],
    "len": lambda _, group: len(group),
    "max": lambda _, one, two: max(one, two),
    "min": lambda _, one, two: min(one, two),
}

_ORDER: dict[str, Callable[[Any, Any], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}

_ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "//": lambda a, b: a // b if b else 0,  # total: a division by nothing gives nothing
    "%": lambda a, b: a % b if b else 0,
    "|": lambda a, b: a | b,
}

_FOLDS: dict[str, Callable[[Iterator[Any]], Any]] = {
    "all": all,
    "any": any,
    "sum": sum,
    "max": lambda values: max(values, default=0),
    "min": lambda values: min(values, default=0),
    "set": frozenset,
    "list": tuple,
}
