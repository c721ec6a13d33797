"""Status: everything that is wrong with a hand-made position.

A position that the engine made is sound; one that somebody wrote down may not be.  All of
its problems are told, not the first: each card in one zone, hands of the right size, a phase
that fits turn and trick, points that add up, and the invariants of the rule file.
"""

from collections import Counter
from collections.abc import Iterator

from bezique.engine.cards import Card
from bezique.engine.errors import BadPositionError
from bezique.engine.evaluate import Meaning
from bezique.engine.position import CHANCE, Melded, Position


def status(position: Position, *, lenient: bool = False) -> tuple[str, ...]:
    """Return every problem of a position, or nothing when it can be.

    Args:
        position: Any position.
        lenient: Whether it comes from a recorded table, where hands may have the wrong size.
    """
    found = [*_cards(position), *_phase(position), *_points(position), *_state(position)]
    if not lenient:
        found += _sizes(position)
    if not found:
        here = Meaning(position, position.turn if position.turn in position.rules.seats else None)
        found += [f"the rules break: {clause.id}" for clause in position.rules.profile.invariants if not here.holds(clause.test)]
    return tuple(found)


def checked(position: Position, *, lenient: bool = False) -> Position:
    """Return the position itself.

    Raises:
        BadPositionError: With all its problems.
    """
    problems = status(position, lenient=lenient)
    if problems:
        raise BadPositionError(problems)
    return position


def _everywhere(position: Position) -> list[Card]:
    zones = [cards for zone in (position.hidden, position.table, position.won) for cards in zone.values()]
    single = [position.turn_up] if position.turn_up else []
    return [*position.stock, *position.trick, *single, *(card for cards in zones for card in cards)]


def _cards(position: Position) -> Iterator[str]:
    count = Counter(_everywhere(position))
    twice = [card for card in position.rules.pack if count[card] > 1]
    if twice:
        yield f"cards: expected each in one zone, got more than once: {_words(twice)}"
    if position.phase == "deal":
        if count:
            yield f"cards: expected none before the deal, got {sum(count.values())}"
    elif not position.partial:
        missing = [card for card in position.rules.pack if card not in count]
        if missing:
            yield f"cards: expected the whole pack, missing: {_words(missing)}"


def _words(cards: list[Card]) -> str:
    return " ".join(map(str, cards[:10])) + (f" and {len(cards) - 10} more" if len(cards) > 10 else "")


def _phase(position: Position) -> Iterator[str]:
    rules, phase, turn = position.rules, position.phase, position.turn
    seats = rules.seats
    wanted = "chance" if phase == "deal" else "null" if phase == "over" else "a seat"
    fits = turn == CHANCE if phase == "deal" else turn is None if phase == "over" else turn in seats
    if not fits:
        yield f"turn: expected {wanted} in phase {phase}, got {turn}"
    if (position.winner is not None) != (phase == "over"):
        yield f"winner: expected {'one' if phase == 'over' else 'null'} in phase {phase}, got {position.winner}"
    played = len(position.trick)
    if phase == "follow":
        if not 1 <= played < len(seats):
            yield f"led: expected a card in phase follow, got {played} cards in the trick"
    elif played:
        yield f"led: expected null in phase {phase}, got {position.trick[0]}"
    if phase == "declare":
        if position.taker != turn:
            yield f"winner_of_last_trick: expected the seat that declares, {turn}, got {position.taker}"
        if position.left < len(seats):
            yield f"stock: expected cards to draw in phase declare, got {position.left}"
    if position.hand < 1:
        yield f"hand: expected a number from 1, got {position.hand}"
    if position.taker is None and any(position.won.values()):
        yield "winner_of_last_trick: expected a seat once tricks are won, got null"
    if position.last_trick:
        if phase in ("deal", "follow"):
            yield f"last_trick: expected null in phase {phase}, got {_words(list(position.last_trick))}"
        if len(position.last_trick) != len(seats):
            yield f"last_trick: expected {len(seats)} cards, got {len(position.last_trick)}"
        elif position.taker is None or not set(position.last_trick) <= position.won[position.taker]:
            yield "last_trick: expected cards won by the winner of the last trick"
    elif phase == "declare" and not position.partial:
        yield "last_trick: expected the cards of the trick just won, got null"


def _sizes(position: Position) -> Iterator[str]:
    rules, phase = position.rules, position.phase
    seats = rules.seats
    for seat, cards in position.won.items():
        if len(cards) % len(seats) and not position.partial:
            yield f"won.{seat}: expected whole tricks, got {len(cards)} cards"
    if phase not in ("lead", "follow", "declare") or position.turn not in seats:
        return
    if position.left % len(seats):
        yield f"stock: expected an even number of cards with the turned one, got {position.left}"
    if not position.partial and (position.turn_up is not None) != (rules.turns_up and position.left > 0):
        yield f"turn_up: expected {'a card' if rules.turns_up and position.left else 'null'}, got {position.turn_up}"
    order = rules.from_seat(position.turn)
    short = order[len(order) - len(position.trick) :] if phase == "follow" else ()
    sizes = {seat: len(position.held(seat)) + (seat in short) for seat in seats}
    if len(set(sizes.values())) != 1:
        yield "hands: expected equal sizes (the card led counted), got " + ", ".join(f"{seat} {size}" for seat, size in sizes.items())
        return
    size = sizes[seats[0]]
    full = rules.hand_size - (phase == "declare")
    if position.left >= len(seats) and not position.partial and size != full:
        yield f"hands: expected {full} cards in phase {phase}, got {size}"
    if size > full:
        yield f"hands: expected at most {full} cards in phase {phase}, got {size}"
    if size == 0:
        yield "hands: expected cards, got none"


def _points(position: Position) -> Iterator[str]:
    finished = len(position.results)
    if position.phase != "over" and finished != position.hand - 1:
        yield f"results: expected {position.hand - 1}, one for each finished hand, got {finished}"
    if position.phase == "over" and finished not in (position.hand - 1, position.hand):
        yield f"results: expected {position.hand - 1} or {position.hand}, got {finished}"
    for seat in position.rules.seats:
        hand, match = position.hand_points[seat], position.match_points[seat]
        before = sum(result[seat] for result in position.results[: position.hand - 1])
        if match != before + hand:
            yield f"points.{seat}: expected match = {before} of finished hands + {hand}, got {match}"
        if hand < 0:
            yield f"points.{seat}: expected no less than 0, got {hand}"


def _state(position: Position) -> Iterator[str]:
    """Yield what is wrong with melds that the state lists: sizes, and cards no longer held."""
    rules = position.rules
    for part in rules.profile.state:
        value = position.state[part.name]
        for item in value if isinstance(value, tuple) else ():
            if isinstance(item, Melded):
                meld = rules.profile.melds[item.meld]
                here = Meaning(position, item.seat)
                if not any(True for _ in here.bindings(meld, item.cards)):
                    yield f"{part.name}: expected the cards of a {item.meld}, got {_words(rules.sort(item.cards))}"
