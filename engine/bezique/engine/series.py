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
        return None if rule is None else str(_worth(self, rule, {}))

    def shown(self) -> dict[str, str]:
        """Return the numbers shown between matches, written with their decimals; none is `–`."""
        return {item.name: _written(_worth(self, item.value, {}), item.decimals) for item in self.rules.profile.series.shows}

    def after_match(self, position: Position) -> "Series":
        """Return the series after a finished match.

        Raises:
            ValueError: The match is not over.
        """
        if position.winner is None:
            message = f"a finished match: expected a winner or a draw, got phase {position.phase}"
            raise ValueError(message)
        totals = sorted(position.match_points.values())
        winner = None if position.winner == DRAW else position.winner
        facts = {"winner": winner, "margin": totals[-1] - totals[-2], "player": self.player}
        after = self
        for tally in self.rules.profile.series.state:
            numbers = {**after.numbers, tally.name: _worth(after, tally.next, facts)}
            after = replace(after, numbers=FrozenDict(numbers))
        return after


def new_series(rules: Rules) -> Series:
    """Return the series before its first match."""
    return Series(rules, FrozenDict({tally.name: tally.start for tally in rules.profile.series.state}))


def _worth(series: Series, node: Expression, facts: dict[str, Any]) -> Any:  # noqa: ANN401
    """Return what an expression of the series is worth; its facts are those of a finished match."""
    table = SimpleNamespace(rules=series.rules, state=series.numbers)
    return Meaning(table, None).value(_with_facts(node), {"player": series.player, **facts})


def _with_facts(node: Any) -> Any:  # noqa: ANN401
    """Return the expression with its facts taken as parameters: here they come from outside."""
    if isinstance(node, tree.Name) and node.where == "fact":
        return node.model_copy(update={"where": "parameter"})
    if isinstance(node, tree.Node):
        return node.model_copy(update={name: _with_facts(getattr(node, name)) for name in type(node).model_fields})
    return tuple(map(_with_facts, node)) if isinstance(node, tuple) else node


def _written(value: int | None, decimals: int) -> str:
    if value is None:
        return "–"  # noqa: RUF001  (the dash that stands for no number yet)
    return str(value) if decimals == 0 else f"{value // 10**decimals}.{value % 10**decimals:0{decimals}d}"
