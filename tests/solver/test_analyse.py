"""Analysis: what each card of the strict tricks gave away."""

import random

import pytest

from bezique.engine.dealing import deal, shuffled
from bezique.engine.moves import apply, legal
from bezique.engine.position import CHANCE, Position, start
from bezique.engine.record import Record, replay
from bezique.solver import EndingError, minimax, solve
from bezique.solver.analyse import analyse, given_away, judgement_json, judgement_row
from tests.solver.scenes import play, rules_of


def played(profile: str, seed: int, *, well: bool = False) -> Record:
    """Return a record of one hand: the stock drawn without declaring, then the strict tricks.

    The last tricks are played at random, or as the solver says.
    """
    chance = random.Random(seed)
    record = Record(rules_of(profile), "north")
    position = start(record.rules, record.dealer)
    while position.hand == 1 and not position.over:
        if position.turn == CHANCE:
            action = deal(position, shuffled(record.rules, seed))
        elif position.phase == "declare":
            action = next(item for item in legal(position) if item.name == "draw")
        elif well and position.left == 0:
            action = play(solve(position).best.cards[0])
        else:
            action = chance.choice(
                [item for item in legal(position) if item.name == "play"]
            )
        record = record.then(action)
        position, _ = apply(position, action)
    return record


def strict_positions(record: Record) -> dict[int, Position]:
    """Return the positions before each card of the strict tricks, by step."""
    at = start(record.rules, record.dealer)
    found = {}
    for number, step in enumerate(replay(record)):
        if at.phase in ("lead", "follow") and at.left == 0:
            found[number] = at
        at = step.position
    return found


@pytest.mark.parametrize("profile", ["streak", "cady", "luso"])
def test_every_strict_card_is_judged(profile: str) -> None:
    """Sixteen cards of eight tricks; what each gave away is the best value less its own."""
    record = played(profile, 1)

    judged = analyse(record)

    positions = strict_positions(record)
    assert [item.step for item in judged] == list(positions)
    assert [item.trick for item in judged] == [
        trick for trick in range(1, 9) for _ in "12"
    ]
    for item in judged:
        at = positions[item.step]
        assert item.seat == at.turn
        assert item.most == solve(at, "twin").margin
        assert item.given_away >= 0
    for item in judged[-6:]:  # the last three tricks, by minimax
        values = {
            a.arguments["card"]: v
            for a, v in minimax.margins(positions[item.step]).items()
        }
        assert item.given_away == max(values.values()) - values[item.card]


def test_what_was_given_away_adds_up() -> None:
    """The margin reached is the best margin less one's own gifts plus the other's."""
    record = played("streak", 7)
    judged = analyse(record)
    first = judged[0]
    positions = strict_positions(record)
    at = positions[first.step]
    end = replay(record)[-1].position
    before = at.match_points

    me, other = first.seat, at.rules.after(first.seat)
    gained = {seat: end.match_points[seat] - before[seat] for seat in at.rules.seats}
    gifts = given_away(judged, record.rules)

    assert gained[me] - gained[other] == first.most - gifts[me] + gifts[other]
    assert sum(gifts.values()) > 0


def test_best_play_gives_nothing_away() -> None:
    """Cards that the solver picks are judged faultless."""
    record = played("luso", 3, well=True)

    assert given_away(analyse(record), record.rules) == {"south": 0, "north": 0}


def test_judgements_are_written() -> None:
    """As JSON and as a row of words; the better card is named only where there is one."""
    record = played("streak", 7)
    judged = analyse(record)
    gift = next(item for item in judged if item.given_away)
    good = next(
        item for item in judged if not item.given_away and not item.worse_outcome
    )

    written = judgement_json(gift)

    assert written["given_away"] == gift.most - written["margin"] > 0
    assert written["best"] == [str(card) for card in gift.best.cards]
    assert judgement_row(gift)[5:] == (str(gift.given_away), judgement_row(gift)[6])
    assert judgement_row(gift)[6] != ""
    assert judgement_row(good)[5:] == ("", "")


def test_an_unfinished_record_is_judged_as_far_as_it_goes() -> None:
    """Nothing before the stock is closed; then card by card."""
    record = played("streak", 1)
    steps = list(strict_positions(record))
    cut = Record(record.rules, record.dealer, record.actions[: steps[3]])

    assert len(analyse(cut)) == 3
    assert (
        analyse(Record(record.rules, record.dealer, record.actions[: steps[0]])) == ()
    )


def test_a_revoke_is_told_with_its_step() -> None:
    """A recorded table may hold a card against the duty (D3.41-42): it is no card to be judged."""
    record = played("boussac", 5)
    against = {
        step: at.held(str(at.turn)) - {a.arguments["card"] for a in legal(at)}
        for step, at in strict_positions(record).items()
    }
    step = next(step for step, held in against.items() if held)
    revoke = play(min(against[step]))
    actions = (*record.actions[:step], revoke)
    bad = Record(record.rules, record.dealer, actions, lenient=True)

    with pytest.raises(EndingError, match=f"step {step}: .* against the duty"):
        analyse(bad)
