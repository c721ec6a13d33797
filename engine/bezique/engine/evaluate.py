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

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations, product
from typing import Any

from bezique.engine.cards import Card
from bezique.engine.position import Melded
from bezique.engine.rules import Rules
from bezique.spec import tree
from bezique.spec.core import Clause, Meld
from bezique.spec.tree import Expression

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
        return _BY_KIND[node.kind](self, node, names)

    def holds(self, node: Expression, names: Names = EMPTY) -> bool:
        """Return whether a condition is true here."""
        return bool(self.value(node, names))

    def term(self, name: str, *arguments: object) -> Any:  # noqa: ANN401
        """Return what a term of the rules is worth for some arguments."""
        term = self.rules.profile.terms[name]
        return self.value(term.body, dict(zip((p.name for p in term.parameters), arguments, strict=True)))

    # --- one function a node kind ---------------------------------------------------------

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
        profile = self.rules.profile
        if node.where == "table":
            return profile.tables[node.name].get(arguments[0])
        if node.where == "term":
            term = profile.terms[node.name]
            return self.value(term.body, dict(zip((p.name for p in term.parameters), arguments, strict=True)))
        choice = profile.choices[node.name]
        return self.value(self.rules.reading(node.name), dict(zip((p.name for p in choice.parameters), arguments, strict=True)))

    def _call(self, node: tree.Call, names: Names) -> object:
        arguments = [self.value(argument, names) for argument in node.arguments]
        return _FUNCTIONS[node.function](self, *arguments)

    def _part(self, node: tree.Part, names: Names) -> object:
        melded: Melded = self.value(node.of, names)
        meld = self.rules.profile.melds[melded.meld]
        match node.name:
            case "cards":
                return melded.cards
            case "seat":
                return melded.seat
            case "points":
                return self.rules.points[melded.meld]
        return getattr(meld, node.name)

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
        return _ARITHMETIC[node.sign](self.value(node.left, names), self.value(node.right, names))

    def _either(self, node: tree.Either, names: Names) -> object:
        return self.value(node.then if self.value(node.test, names) else node.other, names)

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

    # --- functions with a meaning of their own -----------------------------------------------

    def spent(self, card: Card | None, family: str) -> int:
        """Return the highest level at which a card has scored in a family; 0 when it has not."""
        melds = self.rules.profile.melds
        levels = (melds[item.meld].level for item in self.table.state["scored"] if card in item.cards and melds[item.meld].family == family)
        return max(levels, default=0)

    def binding_set(self) -> tuple[str, frozenset[Card]]:
        """Return the clause that binds the player who acts, and the cards that obey it.

        The first duty whose `when` holds; of its sets the first that holds a card of the hand.
        """
        hand = self.table.held(self.me)
        for duty in self.rules.profile.duties:
            if self.holds(duty.when):
                for name in duty.sets:
                    cards = frozenset(card for card in hand if self.term(name, card))
                    if cards:
                        return f"{duty.name}/{name}", cards
        return "play/duty", frozenset()

    def bindings(self, meld: Meld, cards: frozenset[Card]) -> Iterator[dict[str, str]]:
        """Yield the suits that a meld's open suits can stand for, so that it takes just these cards."""
        for suits in product(self.rules.profile.deck.suits, repeat=len(meld.variables)):
            named = dict(zip(meld.variables, suits, strict=True))
            if _takes(meld, named, cards):
                yield named

    def misfit(self, melded: Melded) -> str | None:
        """Return the clause by which cards are not this meld, or None when they are."""
        meld = self.rules.profile.melds.get(melded.meld)
        if meld is None:
            return "meld/unknown"
        failing = f"meld/{meld.name}"
        for named in self.bindings(meld, melded.cards):
            clause = self.first_failing(meld.conditions, {**named, "m": melded})
            if clause is None:
                return None
            failing = clause.id
        return failing

    def first_failing(self, conditions: tuple[Clause, ...], names: Names) -> Clause | None:
        """Return the first condition that does not hold, or None."""
        return next((clause for clause in conditions if not self.holds(clause.test, names)), None)

    def melds_among(self, cards: frozenset[Card]) -> Iterator[Melded]:
        """Yield every meld that some of the cards make up by their faces, each set once."""
        for meld in self.rules.profile.melds.values():
            seen: set[frozenset[Card]] = set()
            for suits in product(self.rules.profile.deck.suits, repeat=len(meld.variables)):
                named = dict(zip(meld.variables, suits, strict=True))
                parts = []
                for part in meld.cards:
                    suit = part.suit or named.get(part.variable or "")
                    fitting = [card for card in self.rules.sort(cards) if card.rank == part.rank and (suit is None or card.suit == suit)]
                    parts.append(tuple(combinations(fitting, part.count)))
                for chosen in product(*parts):
                    taken = frozenset(card for part_cards in chosen for card in part_cards)
                    if len(taken) == meld.size and taken not in seen:
                        seen.add(taken)
                        yield Melded(self.me or "", meld.name, taken)


def _takes(meld: Meld, named: Mapping[str, str], cards: frozenset[Card]) -> bool:
    """Return whether the cards are exactly those of the meld's pattern, its suits being named."""
    if len(cards) != meld.size:
        return False
    rest = set(cards)
    # Parts with a suit first: what they leave must fill the parts of any suits.
    for part in sorted(meld.cards, key=lambda part: part.suit is None and part.variable is None):
        suit = part.suit or named.get(part.variable or "")
        fitting = [card for card in rest if card.rank == part.rank and (suit is None or card.suit == suit)]
        if len(fitting) < part.count:
            return False
        rest.difference_update(fitting[: part.count])
    return not rest


def _zone(name: str) -> Callable[[Meaning, str | None], frozenset[Card]]:
    return lambda here, seat: getattr(here.table, name)[seat] if seat is not None else frozenset()


def _leader(here: Meaning) -> str | None:
    totals = here.table.match_points
    most = max(totals.values())
    ahead = [seat for seat in here.rules.seats if totals[seat] == most]
    return ahead[0] if len(ahead) == 1 else None


def lacks(here: Meaning, seat: str | None) -> int | None:
    """Return how many cards a seat is short of its full hand, its card in the trick not counted."""
    if seat is None:
        return None
    played = here.table.phase == "declare" or (here.table.phase == "follow" and seat in _players(here))
    return here.rules.hand_size - played - len(here.table.held(seat))


def _players(here: Meaning) -> tuple[str, ...]:
    """Return the seats that have played to the unfinished trick."""
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
    "held": lambda here, seat: here.table.held(seat) if seat is not None else frozenset(),
    "hidden": _zone("hidden"),
    "table": _zone("table"),
    "won": _zone("won"),
    "total": lambda here, seat: here.table.match_points.get(seat),
    "points": lambda here, seat: here.table.hand_points.get(seat),
    "other": lambda here, seat: seat and here.rules.after(seat),
    "spent": Meaning.spent,
    "lacks": lacks,
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

_BY_KIND: dict[str, Callable[[Meaning, Any, Names], Any]] = {
    "constant": Meaning._constant,
    "literal": Meaning._constant,
    "name": Meaning._name,
    "apply": Meaning._apply,
    "call": Meaning._call,
    "part": Meaning._part,
    "not": Meaning._not,
    "logic": Meaning._logic,
    "compare": Meaning._compare,
    "member": Meaning._member,
    "sum": Meaning._sum,
    "either": Meaning._either,
    "group": Meaning._group,
    "each": Meaning._each,
}
