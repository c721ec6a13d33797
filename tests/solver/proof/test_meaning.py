"""Symbolic values mean what the interpreter says, and positions survive the way through Z3."""

from itertools import islice
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bezique.engine.evaluate import Meaning
from bezique.engine.melds import candidates
from bezique.engine.position import Melded, Position
from bezique.engine.rules import Rules
from bezique.solver.proof.meaning import Symbolic
from bezique.solver.proof.search import Limits, solver
from bezique.solver.proof.situation import Situation, holds
from bezique.solver.proof.values import both, equal, members, no, some
from tests.engine.players import play
from tests.engine.table import PROFILES, rules_of

PHASES = ("declare", "follow", "lead")
SLOW = settings(
    max_examples=2,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)


def steered(rules: Rules, seed: int, step: int) -> Position:
    """Return a position of a steered match in which a seat is on turn."""
    steps = play(rules, seed, "eager" if seed % 2 else "patient")
    found = [at for at, *_ in islice(steps, step + 9) if at.phase in PHASES]
    return found[-1]


def slots(position: Position) -> int:
    """Return how long the longest list of the state is."""
    lists = (v for v in position.state.values() if isinstance(v, tuple))
    return max((len(v) for v in lists), default=0)


def zones(position: Position) -> dict[str, frozenset[Any]]:
    """Return the cards of every zone by the names that a situation gives zones."""
    found = {
        "stock": frozenset(position.stock),
        "turn_up": frozenset({position.turn_up} - {None}),
    }
    for zone in ("hidden", "table", "won"):
        for seat, cards in getattr(position, zone).items():
            found[f"{zone}.{seat}"] = cards
    return found | {
        f"trick.{number}": frozenset({card})
        for number, card in enumerate(position.trick)
    }


def pinned(position: Position) -> tuple[Situation, Any]:
    """Return a situation and a model of it that is just a position."""
    me = str(position.turn)
    here = Situation(position.rules, position.phase, me, slots=slots(position))
    places = {card: zone for zone, cards in zones(position).items() for card in cards}
    guards = [
        place.where(places.get(card, "out")) for card, place in here._places.items()
    ]
    guards += [equal(here.dealer, position.dealer), equal(here.taker, position.taker)]
    guards.append(here.hand == position.hand)
    for seat in position.rules.seats:
        guards.append(here.hand_points[seat] == position.hand_points[seat])
        guards.append(here.match_points[seat] == position.match_points[seat])
    for name, value in position.state.items():
        if isinstance(value, tuple):
            items = list(members(here.state[name]))
            guards += [
                both(there, equal(item, known))
                for (item, there), known in zip(items, value, strict=False)
            ]
            guards += [no(there) for _, there in items[len(value) :]]
        else:
            guards.append(equal(here.state[name], value))
    found = solver(here.space.ctx, here.space.constraints, Limits())
    found.add(*(guard for guard in guards if guard is not True))
    assert str(found.check()) == "sat"
    return here, found.model()


def arguments(position: Position, kind: str) -> list[Any]:
    """Return a few values that an action may take: cards held and not, melds held and scored."""
    rules, me = position.rules, str(position.turn)
    if kind == "Card":
        return [*rules.sort(position.held(me))[:4], *rules.pack[::13]]
    if kind == "Meld":
        made = [Melded(me, *item) for item in candidates(rules, position.held(me))]
        lists = [v for v in position.state.values() if isinstance(v, tuple)]
        return [*made[:6], *(melded for items in lists for melded in items[:3])]
    return [False, True] if kind == "Bool" else list(rules.seats)


def disagreements(position: Position) -> list[str]:
    """Return the conditions of which the interpreter says another thing than the symbols."""
    here, model = pinned(position)
    me = str(position.turn)
    symbolic, meaning = Symbolic(here, me), Meaning(position, me)
    wrong, asked = [], 0
    for action in position.rules.profile.actions.values():
        if action.ruling:
            continue
        given_: list[dict[str, Any]] = [{}]
        for parameter in action.takes:
            values = arguments(position, parameter.type.kind)
            given_ = [{**g, parameter.name: v} for g in given_ for v in values]
        for names in given_:
            for clause in action.conditions:
                asked += 1
                ours = holds(model, symbolic.guard(clause.test, names))
                if ours != meaning.holds(clause.test, names):
                    wrong.append(f"{clause.id} of {names}: symbols say {ours}")
    assert asked > 10
    return wrong


@pytest.mark.parametrize(("name", "step"), [("cady", 40), ("streak", 8)])
def test_conditions_mean_the_same_to_symbols(name: str, step: int) -> None:
    """On positions of play each condition of each action holds for both or for neither."""
    assert disagreements(steered(rules_of(name), 1, step)) == []


@pytest.mark.long
@settings(SLOW, max_examples=30)
@given(st.integers(0, 99), st.integers(0, 90), st.sampled_from(PROFILES))
def test_conditions_mean_the_same_anywhere(seed: int, step: int, name: str) -> None:
    """The same at any moment of any match."""
    assert disagreements(steered(rules_of(name), seed, step)) == []


@SLOW
@given(st.integers(0, 99), st.integers(0, 90))
def test_a_model_gives_its_position_back(seed: int, step: int) -> None:
    """Zones, state, points and turn come out of a model as they went in."""
    position = steered(rules_of("cady"), seed, step)
    here, model = pinned(position)

    again = here.position(model)

    assert zones(again) == zones(position).copy()
    assert (again.turn, again.dealer, again.taker) == (
        position.turn,
        position.dealer,
        position.taker,
    )
    assert again.match_points == position.match_points
    for name, value in position.state.items():
        if isinstance(value, tuple):
            assert set(again.state[name]) == set(value)
        else:
            assert again.state[name] == value


@SLOW
@given(st.integers(0, 99), st.integers(0, 90))
def test_positions_of_play_are_sensible(seed: int, step: int) -> None:
    """What is required of open situations holds of positions that play leads to."""
    position = steered(rules_of("cady"), seed, step)
    here, model = pinned(position)

    broken = [g for g in here.sensible() if not holds(model, g)]

    assert broken == []


def test_guards_that_are_known_stay_plain() -> None:
    """Python's truth values come out as Python's, without a term."""
    assert both(True, True) is True  # noqa: FBT003 - guards
    assert both(True, False) is False  # noqa: FBT003 - guards
    assert some(False, True) is True  # noqa: FBT003 - guards
    assert no(False) is True  # noqa: FBT003 - guards
