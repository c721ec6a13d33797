"""Status: everything that is wrong with a hand-made position.

A position that the engine made is sound; one that somebody wrote down may not be.  All
of its problems are told, not the first: each card in one zone, hands of the right size,
a phase that fits turn and trick, points that add up, and the invariants of the rules.

Terms
    problem     where it is, what was expected there, what was got
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain

from bezique.engine.cards import Card
from bezique.engine.errors import BadPositionError
from bezique.engine.evaluate import Meaning
from bezique.engine.melds import bindings
from bezique.engine.position import CHANCE, Melded, Position
from bezique.spec.show import show_expression

MOST_CARDS = 10
"""How many cards one problem names."""


def status(position: Position, *, lenient: bool = False) -> tuple[str, ...]:
    """Return every problem of a position, or nothing when it can be.

    Args:
        position: Any position.
        lenient: Whether it comes from a recorded table, where hands may have the wrong
            size.
    """
    checks = [_cards, _turn, _trick, _last_trick, _points, _melds, _invariants]
    if position.phase == "deal":
        checks.append(_nothing_yet)
    if not (lenient and position.rules.has_rulings):
        checks += [_hands, _stock]
    return tuple(chain.from_iterable(check(position) for check in checks))


def checked(position: Position, *, lenient: bool = False) -> Position:
    """Return the position itself.

    Raises:
        BadPositionError: With all its problems.
    """
    problems = status(position, lenient=lenient)
    if problems:
        raise BadPositionError(problems)
    return position


def _problem(where: str, expected: object, got: object) -> str:
    return f"{where}: expected {expected}, got {'null' if got is None else got}"


def _words(cards: Iterable[Card]) -> str:
    names = [str(card) for card in cards]
    more = len(names) - MOST_CARDS
    return " ".join(names[:MOST_CARDS]) + (f" and {more} more" if more > 0 else "")


def _cards(position: Position) -> Iterator[str]:
    """Yield what is wrong with the zones as a whole: each card is in one, and all are."""
    by_seat = (position.hidden, position.table, position.won)
    zones = [cards for zone in by_seat for cards in zone.values()]
    turned = () if position.turn_up is None else (position.turn_up,)
    count = Counter(chain(position.stock, position.trick, turned, *zones))
    unknown = [card for card in count if not card.known]
    twice = [card for card in position.rules.pack if count[card] > 1]
    missing = [card for card in position.rules.pack if card not in count]
    if unknown:
        yield _problem("cards", "faces", f"{len(unknown)} face down")
    if twice:
        yield _problem("cards", "each in one zone", f"more than once: {_words(twice)}")
    if position.phase == "deal":
        if count:
            yield _problem("cards", "none before the deal", count.total())
    elif missing and not position.partial and not unknown:
        yield _problem("cards", "the whole pack", f"all but {_words(missing)}")


def _turn(position: Position) -> Iterator[str]:
    """Yield what is wrong with whose turn it is, who has won and which hand it is."""
    phase, turn, taker = position.phase, position.turn, position.taker
    seats = position.rules.seats
    match phase:
        case "deal":
            expected, fits = CHANCE, turn == CHANCE
        case "over":
            expected, fits = "null", turn is None
        case _:
            expected, fits = f"one of {', '.join(seats)}", turn in seats
    if not fits:
        yield _problem("turn", f"{expected} in phase {phase}", turn)
    if (position.winner is not None) != (phase == "over"):
        winner = "one" if phase == "over" else "null"
        yield _problem("winner", f"{winner} in phase {phase}", position.winner)
    if position.hand < 1:
        yield _problem("hand", "a number from 1", position.hand)
    if phase == "declare" and taker != turn:
        yield _problem("winner_of_last_trick", f"{turn}, who declares", taker)
    if position.partial or phase not in ("lead", "follow"):
        return
    any_won = any(position.won.values())
    if any_won != (taker is not None):
        number = "a seat once" if any_won else "null before"
        yield _problem("winner_of_last_trick", f"{number} tricks are won", taker)
        return
    first = Meaning(position, None).value(position.rules.profile.deal.first)
    order = position.rules.from_seat(taker or first)
    wanted = order[len(position.trick) % len(order) if phase == "follow" else 0]
    if fits and turn != wanted:
        yield _problem("turn", f"{wanted}, as {order[0]} leads", turn)


def _trick(position: Position) -> Iterator[str]:
    """Yield what is wrong with the trick that is not finished."""
    phase, trick = position.phase, position.trick
    if phase == "follow":
        if not 1 <= len(trick) < len(position.rules.seats):
            yield _problem("led", "a card in phase follow", _words(trick) or "null")
    elif trick:
        yield _problem("led", f"null in phase {phase}", _words(trick))


def _last_trick(position: Position) -> Iterator[str]:
    """Yield what is wrong with the trick just won; a partial position may leave it out."""
    last, phase, seats = position.last_trick, position.phase, position.rules.seats
    if not last:
        if phase == "declare" and not position.partial:
            yield _problem("last_trick", "the cards of the trick just won", None)
        return
    if phase in ("deal", "follow"):
        yield _problem("last_trick", f"null in phase {phase}", _words(last))
    if len(set(last)) != len(seats) or len(last) != len(seats):
        yield _problem("last_trick", f"{len(seats)} unlike cards", _words(last))
    if position.taker is None:
        yield _problem("winner_of_last_trick", "a seat with a last trick", None)
    elif not position.partial and not set(last) <= position.won[position.taker]:
        yield _problem("last_trick", f"cards won by {position.taker}", _words(last))


def _hands(position: Position) -> Iterator[str]:
    """Yield what is wrong with the sizes of hands; the card led counts to its hand."""
    rules, phase = position.rules, position.phase
    if phase not in ("lead", "follow", "declare") or position.turn not in rules.seats:
        return
    order = rules.from_seat(position.turn)
    played = order[len(order) - len(position.trick) :] if phase == "follow" else ()
    sizes = {seat: len(position.held(seat)) + (seat in played) for seat in rules.seats}
    if len(set(sizes.values())) > 1:
        got = ", ".join(f"{seat} {size}" for seat, size in sizes.items())
        yield _problem("hands", "equal sizes", got)
        return
    size = sizes[order[0]]
    full = rules.hand_size - (phase == "declare")
    is_open = position.left >= len(rules.seats)
    if size > full:
        yield _problem("hands", f"at most {full} cards in phase {phase}", size)
    elif is_open and size < full and not position.partial:
        yield _problem("hands", f"{full} cards in phase {phase}", size)
    if size == 0 and phase != "declare":
        yield _problem("hands", "cards", "none")


def _stock(position: Position) -> Iterator[str]:
    """Yield what is wrong with the stock and with the tricks won."""
    rules, turned = position.rules, position.turn_up
    seats = len(rules.seats)
    if turned is not None and not rules.turns_up:
        yield _problem("turn_up", "null at this table", turned)
    if position.phase == "declare" and position.left < seats:
        yield _problem("stock", "cards to draw in phase declare", position.left)
    if position.phase in ("deal", "over"):
        return
    if position.left % seats:
        expected = f"with the turned card a multiple of {seats}"
        yield _problem("stock", expected, position.left)
    if position.partial:
        return
    if rules.turns_up and position.stock and turned is None:
        yield _problem("turn_up", "a card while there is a stock", None)
    for seat, cards in position.won.items():
        if len(cards) % seats:
            yield _problem(f"won.{seat}", "whole tricks", f"{len(cards)} cards")


def _points(position: Position) -> Iterator[str]:
    """Yield what does not add up."""
    before, finished = position.hand - 1, len(position.results)
    # A hand cut short has no result, so that a match that is over can have one less.
    if finished != before and (position.phase, finished) != ("over", position.hand):
        yield _problem("results", f"{before}, one for each finished hand", finished)
    for seat in position.rules.seats:
        hand, match = position.hand_points[seat], position.match_points[seat]
        earlier = sum(result[seat] for result in position.results[: max(before, 0)])
        if match != earlier + hand:
            expected = f"{earlier} of finished hands and {hand} of this one"
            yield _problem(f"points.{seat}.match", expected, match)
        if hand < 0:
            yield _problem(f"points.{seat}.hand", "a number from 0", hand)


def _melds(position: Position) -> Iterator[str]:
    """Yield the melds of the state whose cards do not make one, or were never shown."""
    rules = position.rules
    for name, value in position.state.items():
        for item in value if isinstance(value, tuple | frozenset) else ():
            if isinstance(item, Melded):
                meld = rules.profile.melds[item.meld]
                if next(bindings(rules, meld, item.cards), None) is None:
                    got = _words(rules.sort(item.cards))
                    yield _problem(name, f"the cards of a {item.meld}", got)
                others = [s for s in rules.seats if s != item.seat]
                away = {*position.stock, *chain(*map(position.held, others))}
                if away & item.cards:
                    got = _words(rules.sort(away & item.cards))
                    where = "out of the stock and the other's hand"
                    yield _problem(name, f"cards of {item.seat} {where}", got)


def _nothing_yet(position: Position) -> Iterator[str]:
    """Yield what there is before the deal and cannot be."""
    if position.taker is not None:
        yield _problem("winner_of_last_trick", "null before the deal", position.taker)
    for seat, points in position.hand_points.items():
        if points != 0:
            yield _problem(f"points.{seat}.hand", "0 before the deal", points)
    for part in position.rules.profile.state:
        if position.state[part.name] != part.type.empty:
            yield _problem(part.name, "nothing before the deal", "something")


def _invariants(position: Position) -> Iterator[str]:
    """Yield the invariants of the rules that do not hold."""
    acting = position.turn if position.turn in position.rules.seats else None
    here = Meaning(position, acting)
    for clause in position.rules.profile.invariants:
        if not here.holds(clause.test):
            yield _problem(
                clause.id, show_expression(clause.test), "a position that breaks it"
            )
