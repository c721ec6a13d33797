"""The series: from match to match.

Who deals first, and the numbers that a row of matches keeps and shows, as the rule file's
`series` says.  A `Series` is frozen; `after_match` gives the next one.
"""

from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

from bezique.engine.evaluate import Meaning
from bezique.engine.frozen import FrozenDict
from bezique.engine.position import DRAW, Position
from bezique.engine.rules import Rules
from bezique.spec import tree
from bezique.spec.tree import Expression


@dataclass(frozen=True, slots=True)
class Series:
    """The numbers that a row of matches keeps."""

    rules: Rules
    numbers: FrozenDict[str, int | None]

    @property
    def player(self) -> str:
        """Return the seat whose series it is."""
        return self.rules.profile.series.player

    @property
    def first_dealer(self) -> str | None:
        """Return who deals the next match first; None where a cut or a lot decides."""
        rule = self.rules.profile.series.dealer
        return None if rule is None else str(_value(self, rule, {}))

    def shown(self) -> dict[str, str]:
        """Return the numbers shown between matches, with their decimals; none is a dash."""
        return {
            item.name: _written(_value(self, item.value, {}), item.decimals)
            for item in self.rules.profile.series.shows
        }

    def after_match(self, position: Position) -> "Series":
        """Return the series after a finished match.

        Raises:
            ValueError: The match is not over.
        """
        if position.winner is None:
            message = f"expected a finished match, got phase {position.phase}"
            raise ValueError(message)
        totals = sorted(position.match_points.values())
        winner = None if position.winner == DRAW else position.winner
        facts = {
            "winner": winner,
            "margin": totals[-1] - totals[-2],
            "player": self.player,
            "worth": worth(position),
        }
        after = self
        for tally in self.rules.profile.series.state:
            numbers = {**after.numbers, tally.name: _value(after, tally.next, facts)}
            after = replace(after, numbers=FrozenDict(numbers))
        return after


def worth(position: Position) -> int:
    """Return what a finished match counts, by the verdict that ended it.

    It is 0 where the verdict does not say.
    """
    here = Meaning(position, None)
    for verdict in position.rules.profile.verdict:
        if here.holds(verdict.test):
            return int(here.value(verdict.worth)) if verdict.worth is not None else 0
    return 0


def new_series(rules: Rules) -> Series:
    """Return the series before its first match."""
    tallies = rules.profile.series.state
    return Series(rules, FrozenDict({tally.name: tally.start for tally in tallies}))


def _value(series: Series, node: Expression, facts: dict[str, Any]) -> Any:  # noqa: ANN401
    """Return what an expression is worth; its facts are those of a finished match."""
    table = SimpleNamespace(rules=series.rules, state=series.numbers)
    names = {"player": series.player, **facts}
    return Meaning(table, None).value(_with_facts(node), names)


def _with_facts(node: Any) -> Any:  # noqa: ANN401
    """Return the expression with its facts as parameters: here they are given."""
    if isinstance(node, tree.Name) and node.where == "fact":
        return node.model_copy(update={"where": "parameter"})
    if isinstance(node, tree.Node):
        fields = type(node).model_fields
        parts = {name: _with_facts(getattr(node, name)) for name in fields}
        return node.model_copy(update=parts)
    return tuple(map(_with_facts, node)) if isinstance(node, tuple) else node


def _written(value: int | None, decimals: int) -> str:
    if value is None:
        return "–"  # noqa: RUF001  (the dash that stands for no number yet)
    if decimals == 0:
        return str(value)
    whole, part = divmod(value, 10**decimals)
    return f"{whole}.{part:0{decimals}d}"
