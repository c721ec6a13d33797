"""What holds after every action of any match, however it is played.

Matches are played by number: Hypothesis draws a seed that decides deals and choices, once
at random and once steered towards declarations.  What a seat can know is worked out here
from what happened at the table, not by asking the engine for a view.
"""

import json
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bezique.engine import (
    Action,
    Card,
    Event,
    IllegalActionError,
    Position,
    Record,
    Rules,
    action_json,
    apply,
    event_json,
    legal,
    position_json,
    read_action,
    read_event,
    read_position,
    read_record,
    record_json,
    refusal,
    replay,
    seen_by,
    status,
    view,
    witnessed,
)
from bezique.engine.frozen import FrozenDict
from tests.engine.players import TABLES, Setting, play
from tests.engine.table import LIBRARY, PROFILES, card_of, rules_of, walk
from tests.tables import telling

SEEDS = st.integers(0, 10**9)
Step = tuple[Position, Action, Position, tuple[Event, ...]]


def every_card(position: Position) -> list[Card]:
    """Return the cards of all zones."""
    by_seat = (position.hidden, position.table, position.won)
    zones = [cards for zone in by_seat for cards in zone.values()]
    turned = [position.turn_up] if position.turn_up else []
    return [*position.stock, *position.trick, *turned, *chain(*zones)]


def check_zones(position: Position) -> None:
    """Each card is in exactly one zone, and nothing is wrong with the position."""
    if position.phase != "deal":
        assert sorted(every_card(position)) == sorted(position.rules.pack)
    assert status(position) == ()


def check_refusals(position: Position, done: Action) -> None:
    """What is not legal is refused and leaves the position equal."""
    before = hash(position)
    twin = position.changed()
    strangers = [
        Action("draw"),
        Action("claim"),
        Action("nothing"),
        done
        if position.phase == "over"
        else Action("play", FrozenDict({"card": Card("?", "?", 1)})),
        *(
            Action("play", FrozenDict({"card": card}))
            for card in position.rules.pack[::7]
        ),
        *(
            Action("seven", FrozenDict({"card": card, "exchange": True}))
            for card in position.rules.pack[::9]
        ),
    ]
    allowed = set(legal(position))
    for stranger in strangers:
        if stranger not in allowed:
            assert refusal(position, stranger) is not None
            with pytest.raises(IllegalActionError):
                apply(position, stranger)
    assert position == twin
    assert hash(position) == before


def check_round_trip(step: Step) -> None:
    """Positions, views, actions and events read back from JSON as they were."""
    position, done, after, events = step
    rules = position.rules
    assert read_position(LIBRARY, through_json(position_json(after))) == after
    assert read_action(position, through_json(action_json(rules, done))) == done
    for seat in rules.seats:
        seen = view(after, seat)
        assert read_position(LIBRARY, through_json(position_json(seen))) == seen
        for event in (*events, *witnessed(after, events, seat)):
            assert read_event(rules, through_json(event_json(rules, event))) == event


def through_json(written: Any) -> Any:  # noqa: ANN401
    """Return what a JSON text of the value reads as."""
    return json.loads(json.dumps(written))


class Onlooker:
    """What one seat can know: every card that it has held or seen turned up.

    `names` are the faces it can name, physical cards by their text.
    """

    def __init__(self, seat: str) -> None:
        self.seat = seat
        self.names: set[str] = set()

    def watch(self, step: Step) -> None:
        """Learn from one action, by what lies where before and after it."""
        position, done, after, _ = step
        if done.name == "deal":
            self.names = set()
        shown = [position.turn_up, after.turn_up, *position.trick, *after.trick]
        shown += [*after.last_trick, *after.table["south"], *after.table["north"]]
        shown += position.table["south"] | position.table["north"]
        shown += after.held(self.seat) | position.held(self.seat)
        if done.name in ("play", "seven"):
            shown.append(card_of(done))
        if done.name in ("declare", "announce"):
            melded = done.arguments["m"]
            assert isinstance(melded, tuple)
            shown += melded[2]
        self.names |= {str(card) for card in shown if card is not None}


def named(written: Any) -> Iterator[str]:  # noqa: ANN401
    """Yield every text in a JSON value, keys aside."""
    if isinstance(written, dict):
        for value in written.values():
            yield from named(value)
    elif isinstance(written, list):
        for value in written:
            yield from named(value)
    elif isinstance(written, str):
        yield written


def check_views(step: Step, onlookers: dict[str, Onlooker]) -> None:
    """No view and no witnessed event names, as bytes, a card the seat cannot know."""
    _, _, after, events = step
    rules = after.rules
    for seat, onlooker in onlookers.items():
        onlooker.watch(step)
        seen = view(after, seat)
        told = [event_json(rules, event) for event in witnessed(after, events, seat)]
        texts = json.dumps([position_json(seen), told]).encode()
        known = {card for card in rules.cards if f'"{card}"'.encode() in texts}
        strange = known - onlooker.names
        # A hand that ended took its cards away, but the step that ended it showed them.
        assert not strange, (seat, strange)
        if after.turn == seat:
            assert legal(seen) == legal(after)


def check_points(hand: list[Step]) -> None:
    """Brisques won make the pack's sum, and points are what the events tell."""
    total: Counter[str] = Counter()
    brisques = 0
    for _, _, _, events in hand:
        for event in events:
            if event.name == "points":
                total[event.fields["seat"]] += event.fields["points"]
                brisques += event.fields["points"] * (event.fields["for"] == "brisques")
    after = hand[-1][2]
    result = after.hand_points if after.over else after.results[-1]
    assert {seat: total[seat] for seat in after.rules.seats} == dict(result)
    if hand[-1][1].name != "claim":
        # Ten for each ace and ten: eight a pack.
        assert brisques == 10 * len(after.rules.pack) // 4


def check_match(rules: Rules, seed: int, style: str, *, hands: int = 99) -> None:
    """Play a match and check everything after every action."""
    onlookers = {seat: Onlooker(seat) for seat in rules.seats}
    hand: list[Step] = []
    for number, step in enumerate(play(rules, seed, style, hands=hands)):
        position, done, after, _ = step
        check_zones(after)
        check_views(step, onlookers)
        check_round_trip(step)
        if number % 11 == 0:
            check_refusals(position, done)
        hand.append(step)
        if after.over or after.hand != position.hand:
            check_points(hand)
            hand = []


@pytest.mark.parametrize("style", ["random", "eager"])
@pytest.mark.parametrize("profile", telling(PROFILES))
def test_a_hand_keeps_cards_points_and_secrets(profile: str, style: str) -> None:
    """Every step of a hand of each table, at random and steered."""
    check_match(rules_of(profile), 1896, style, hands=1)


@pytest.mark.long
@pytest.mark.parametrize("style", ["random", "eager", "patient", "lucky"])
@pytest.mark.parametrize("profile", PROFILES)
@given(seed=SEEDS)
@settings(max_examples=2, deadline=None)
def test_matches_keep_cards_points_and_secrets(
    profile: str, seed: int, style: str
) -> None:
    """Whole matches of each table, at random and steered."""
    check_match(rules_of(profile), seed, style)


@pytest.mark.long
@pytest.mark.parametrize(
    ("profile", "options"), TABLES, ids=lambda item: str(item).replace("'", "")
)
def test_matches_under_every_set_of_options_keep_the_same(
    profile: str, options: dict[str, Setting]
) -> None:
    """A match of each set of options in one style or another."""
    at = TABLES.index((profile, options))

    check_match(rules_of(profile, **options), at, ("random", "eager", "lucky")[at % 3])


@pytest.mark.parametrize("profile", ["streak", "cady", "luso-four-pack"])
@given(seed=SEEDS)
@settings(max_examples=1, deadline=None)
def test_brisques_and_points_of_matches_add_up(profile: str, seed: int) -> None:
    """160 a hand with two packs (D0.13, D2.52), 320 with four; points are the events'."""
    hand: list[Step] = []
    for step in walk(rules_of(profile), seed, steered=True):
        hand.append(step)
        if step[2].over or step[2].hand != step[0].hand:
            check_points(hand)
            hand = []


@pytest.mark.parametrize("profile", ["boussac", "cady", "streak"])
def test_records_replay_to_the_same_position(profile: str) -> None:
    """A record is its start and its actions; it reads back and replays to the same end."""
    rules = rules_of(profile)
    steps = list(walk(rules, 7, steered=True, hands=1))
    record = Record(rules, steps[0][0].dealer)
    for _, done, _, _ in steps:
        record = record.then(done)

    again = read_record(LIBRARY, through_json(record_json(record)))
    replayed = replay(again)

    assert again == record
    assert [step.position for step in replayed] == [after for _, _, after, _ in steps]
    assert [step.events for step in replayed] == [events for *_, events in steps]


@pytest.mark.parametrize("profile", ["boussac", "cady", "luso-four-pack"])
def test_seen_by_is_each_view_and_what_was_witnessed(profile: str) -> None:
    """The memory of a seat names no card of the other's that it never saw."""
    rules = rules_of(profile)
    steps = list(walk(rules, 11, steered=True, hands=1))
    record = Record(rules, steps[0][0].dealer, tuple(done for _, done, _, _ in steps))
    for seat in rules.seats:
        onlooker = Onlooker(seat)
        for step, seen in zip(steps, seen_by(record, seat), strict=True):
            onlooker.watch(step)
            told = [event_json(rules, event) for event in seen.events]
            cards = set(named([told, position_json(seen.view)]))
            assert cards & set(rules.cards) <= onlooker.names
