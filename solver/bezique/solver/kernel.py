"""The kernel: the exact endgame in compiled code, one workspace of int64 a thread.

All compiled code is in this file, so that numba's cache, which looks at one file, notices
every change.  The algorithm is that of `bezique.solver.twin`, which says it in plain Python;
both visit the same nodes and give the same answers.

A hand is a mask: bit `i` is its card `i`, cards in the order of `bezique.solver.tables`.
Everything that the rules say about two hands is worked out once, at the root, into a
workspace `w` of numbers:

    SEEN   for each side and each set of cards the *other* side may still hold, three masks
           of the side's own cards in one number: `linked` (card i is as good as card i + 1),
           `sure` (led, it wins) and `top` (it wins whoever leads)
    SUMS   for each side and each set of its own cards, what they are worth
    CARD   for each card, four masks of the other side's cards in one number: those that beat
           it when it is led, and the first three sets of the follower's duty
    TABLE  what is known of positions met before: a tag, a lower and an upper bound

Numbers in fields of 15 bits hold a mask each.  A table entry is generation, position
(side, both masks), lower bound, upper bound; a new root makes a new generation, so the table
is cleared only when generations run out.

Terms
    side    0 leads first; `p` is the side that leads now, `q` the other
    a, b    the masks of what `p` and `q` still hold
    margin  what `p` gains from now on less what `q` gains
"""

from collections.abc import Callable
from typing import Any

import numba
from numba import int64, types
from numba.core import cgutils
from numba.extending import intrinsic

MOST_CARDS = 10
MOST_POINTS = 1023  # of an ending; bounds have 11 bits
MOST_SETS = 4  # of a duty; the last holds every card

FIELD = 15
MASK = (1 << FIELD) - 1
SIDE = MOST_CARDS  # a side's part of a table begins at side << SIDE
SEEN = 0
SUMS = SEEN + (2 << SIDE)
CARD = SUMS + (2 << SIDE)
FACE = CARD + 32  # the face of each card, as `CARD`
RULING = FACE + 32  # for each side the mask of its cards of a ruling suit
SCORING = RULING + 2  # for each side the mask of its cards that are worth something
LEAST = SCORING + 2  # for each side the least that a scoring card is worth
LAST = LEAST + 2
GENERATION = LAST + 1
NODES = GENERATION + 1
TABLE = NODES + 1
TABLE_BITS = 11
SIZE = TABLE + (1 << TABLE_BITS)

VALUE = 11  # bits of a bound
OFFSET = 1 << (VALUE - 1)
POSITION = 2 * MOST_CARDS + 1  # bits of a side and two masks
GENERATIONS = 1 << (63 - POSITION - 2 * VALUE)
FAR = 1 << 20  # beyond every margin

Array = Any  # of int64; numpy names no type that numba and mypy both know
Jitted = Callable[..., Any]


W = types.Array(types.int64, 1, "C")
T = types.Array(types.int64, 2, "C")
E = types.Array(types.int64, 3, "C")


def _jit(signature: Any) -> Callable[[Callable[..., Any]], Jitted]:  # noqa: ANN401
    """Compile a function for these types, now; from the cache or into it where one can be written."""

    def compiled(function: Callable[..., Any]) -> Jitted:
        try:
            return numba.njit(signature, nogil=True, cache=True)(function)
        except (RuntimeError, OSError):  # no folder for the cache, or a full one
            return numba.njit(signature, nogil=True)(function)

    return compiled


@intrinsic
def _count(_: Any, x: Any) -> Any:  # noqa: ANN401, ARG001
    """Return the number of bits set."""
    return types.int64(types.int64), lambda _c, builder, _s, arguments: builder.ctpop(
        arguments[0]
    )


@intrinsic
def _lowest(_: Any, x: Any) -> Any:  # noqa: ANN401, ARG001
    """Return the place of the lowest bit set."""
    return types.int64(types.int64), lambda _c, builder, _s, arguments: builder.cttz(
        arguments[0], cgutils.true_bit
    )


@intrinsic
def _highest(_: Any, x: Any) -> Any:  # noqa: ANN401, ARG001
    """Return the place of the highest bit set."""

    def code(_c: Any, builder: Any, _s: Any, arguments: Any) -> Any:  # noqa: ANN401
        zeros = builder.ctlz(arguments[0], cgutils.true_bit)
        return builder.sub(zeros.type(63), zeros)

    return types.int64(types.int64), code


@intrinsic
def _at(_: Any, w: Any, i: Any) -> Any:  # noqa: ANN401, ARG001
    """Return `w[i]` for an index known not to be negative.

    Numba wraps a signed index that may be negative; leaving that out where it is hot made
    the search a tenth faster (10.2 to 9.0 us an ending of 8 cards, 2026-11).
    """

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ANN401
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        return builder.load(builder.gep(array.data, [arguments[1]]))

    return types.int64(w, types.int64), code


@_jit(types.void(W, W, W, T, T, int64))
def set_up(
    w: Array, one: Array, two: Array, relation: Array, faces: Array, last: int
) -> None:
    """Work out everything about two hands of faces; `one` leads.

    `relation[c, d]` is the code of `d` against a led `c`: bit 0, it beats it; bits 1 to 3,
    it is in the first, second, third set of the duty.  `faces` has the rows place, worth and
    ruling (`bezique.solver.tables`).
    """
    n = one.shape[0]
    w[LAST] = last
    w[NODES] = 0
    w[GENERATION] += 1
    if w[GENERATION] >= GENERATIONS:
        w[GENERATION] = 1
        for at in range(TABLE, SIZE):
            w[at] = 0
    for p in range(2):
        hand = one if p == 0 else two
        base = FACE + (p << 4)
        for i in range(n):  # sorted as they come: hands are short
            face = hand[i]
            to = base + i
            while to > base and faces[0, w[to - 1]] > faces[0, face]:
                w[to] = w[to - 1]
                to -= 1
            w[to] = face
        ruling = scoring = 0
        least = FAR
        sums = SUMS + (p << SIDE)
        w[sums] = 0
        for i in range(n):
            face = w[base + i]
            worth = faces[1, face]
            if faces[2, face]:
                ruling |= 1 << i
            if worth:
                scoring |= 1 << i
                least = min(least, worth)
            for mask in range(1 << i):
                w[sums + (1 << i) + mask] = w[sums + mask] + worth
        w[RULING + p] = ruling
        w[SCORING + p] = scoring
        w[LEAST + p] = least
    full = (1 << n) - 1
    for p in range(2):
        mine = FACE + (p << 4)
        theirs = FACE + ((1 - p) << 4)
        linked = 0
        for i in range(n):
            face = w[mine + i]
            win = first = second = third = 0
            for j in range(n):
                code = relation[face, w[theirs + j]]
                win |= (code & 1) << j
                first |= (code >> 1 & 1) << j
                second |= (code >> 2 & 1) << j
                third |= (code >> 3 & 1) << j
            w[CARD + (p << 4) + i] = (
                win | first << FIELD | second << 2 * FIELD | third << 3 * FIELD
            )
            if i + 1 < n and faces[1, face] == faces[1, w[mine + i + 1]]:
                linked |= 1 << i
        seen = SEEN + (p << SIDE)
        w[seen] = linked | full << FIELD | full << 2 * FIELD
        for j in range(n):
            other = w[theirs + j]
            parted = beaten = caught = 0
            for i in range(n):
                face = w[mine + i]
                code = relation[face, other]
                answer = relation[other, face]
                if (linked >> i) & 1:
                    below = w[mine + i + 1]
                    if (
                        code != relation[below, other]
                        or answer != relation[other, below]
                    ):
                        parted |= 1 << i
                beaten |= (code & 1) << i
                caught |= ((code & 1) | (1 ^ (answer & 1))) << i
            keep = ~(parted | beaten << FIELD | caught << 2 * FIELD)
            for mask in range(1 << j):
                w[seen + (1 << j) + mask] = w[seen + mask] & keep


@_jit(int64(W, int64, int64, int64))
def replies(w: Array, p: int, b: int, i: int) -> int:
    """Return the cards of `b` that may answer card `i` of side `p`."""
    card = _at(w, CARD + (p << 4) + i)
    allowed = b & (card >> FIELD) & MASK
    if allowed == 0:
        allowed = b & (card >> 2 * FIELD) & MASK
        if allowed == 0:
            allowed = b & (card >> 3 * FIELD)
            if allowed == 0:
                allowed = b
    return allowed


@_jit(int64(W, int64, int64, int64, int64, int64))
def search(w: Array, p: int, a: int, b: int, alpha: int, beta: int) -> int:
    """Return the margin of `p`, who leads: exact within the window, else a bound beyond it."""
    q = 1 - p
    w[NODES] += 1
    total = (
        _at(w, SUMS + (p << SIDE) + a) + _at(w, SUMS + (q << SIDE) + b) + _at(w, LAST)
    )
    seen = _at(w, SEEN + (p << SIDE) + b)
    sure = a & (seen >> FIELD)
    if sure == a:
        return total
    left = _count(a)
    if left == 1:
        return -total
    a_scoring = a & _at(w, SCORING + p)
    b_scoring = b & _at(w, SCORING + q)
    # Leading the sure cards wins them, and as many cards of the other side fall.
    gain = _at(w, SUMS + (p << SIDE) + sure)
    fall = _count(sure) - left + _count(b_scoring)
    if fall > 0:
        gain += fall * _at(w, LEAST + q)
    low = 2 * gain - total
    if low >= beta:
        return low
    # The top cards of the other side win whenever they are played.
    back = _at(w, SEEN + (q << SIDE) + a)
    top = b & (back >> 2 * FIELD)
    gain = _at(w, SUMS + (q << SIDE) + top)
    fall = _count(top) - left + _count(a_scoring)
    if fall > 0:
        gain += fall * _at(w, LEAST + p)
    high = total - 2 * gain
    if high <= alpha or low == high:
        return high
    place = (p << 2 * MOST_CARDS) | (a << MOST_CARDS) | b
    tag = (_at(w, GENERATION) << (POSITION + 2 * VALUE)) | (place << 2 * VALUE)
    at = TABLE + (((place * 2654435761) & 0xFFFFFFFF) >> (32 - TABLE_BITS))
    entry = _at(w, at) ^ tag
    if 0 <= entry < (1 << 2 * VALUE):
        low = max(low, (entry >> VALUE) - OFFSET)
        high = min(high, (entry & ((1 << VALUE) - 1)) - OFFSET)
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
    if low > alpha:
        alpha = low - 1
    floor = alpha
    beta = min(beta, high)
    best = -FAR
    links = seen & MASK
    back_links = back & MASK
    # Of linked cards only the first held is tried: the sum carries over the others.
    rest = a & ~((a & links) + links)
    tries = rest & a_scoring & ~_at(w, RULING + p)
    rest ^= tries
    if tries == 0:
        tries = rest
        rest = 0
    while tries:
        i = _lowest(tries)
        tries &= tries - 1
        if tries == 0:
            tries = rest
            rest = 0
        answers = replies(w, p, b, i)
        lost = answers & _at(w, CARD + (p << 4) + i)
        answers &= ~((answers & back_links) + back_links)
        left_a = a & ~(1 << i)
        worth_a = _at(w, SUMS + (p << SIDE) + (1 << i))
        worst = FAR
        lower = max(best, alpha)
        first = answers & b_scoring
        then = answers ^ first
        if lost == 0:
            first, then = then, first
        if first == 0:
            first = then
            then = 0
        while first:
            j = _highest(first)
            first ^= 1 << j
            if first == 0:
                first = then
                then = 0
            left_b = b & ~(1 << j)
            trick = worth_a + _at(w, SUMS + (q << SIDE) + (1 << j))
            upper = min(worst, beta)
            if lost & (1 << j):
                value = -trick - search(
                    w, q, left_b, left_a, -upper - trick, -lower - trick
                )
            else:
                value = trick + search(
                    w, p, left_a, left_b, lower - trick, upper - trick
                )
            if value < worst:
                worst = value
                if worst <= lower:
                    break
        if worst > best:
            best = worst
            if best >= beta:
                break
    if best >= beta:
        low = best
    elif best <= floor:
        high = best
    else:
        low = best
        high = best
    w[at] = tag | (low + OFFSET) << VALUE | (high + OFFSET)
    return best


@_jit(int64(W, int64, int64, int64, int64, int64, int64, int64))
def after(
    w: Array, p: int, a: int, b: int, i: int, j: int, alpha: int, beta: int
) -> int:
    """Return the margin of `p`, who has led card `i`, once `q` has answered `j`."""
    q = 1 - p
    trick = w[SUMS + (p << SIDE) + (1 << i)] + w[SUMS + (q << SIDE) + (1 << j)]
    left_a = a & ~(1 << i)
    left_b = b & ~(1 << j)
    if (w[CARD + (p << 4) + i] >> j) & 1:
        if left_a == 0:
            return -trick - w[LAST]
        return -trick - search(w, q, left_b, left_a, -beta - trick, -alpha - trick)
    if left_a == 0:
        return trick + w[LAST]
    return trick + search(w, p, left_a, left_b, alpha - trick, beta - trick)


@_jit(int64(W, int64, int64, int64, int64, W))
def reply_margins(w: Array, p: int, a: int, b: int, i: int, out: Array) -> int:
    """Write what each answer to card `i` leaves to `p` into `out`; return the answers tried.

    Of cards that are as good as each other only one is tried.
    """
    links = w[SEEN + ((1 - p) << SIDE) + a] & MASK
    answers = replies(w, p, b, i)
    answers &= ~((answers & links) + links)
    rest = answers
    while rest:
        j = _lowest(rest)
        rest &= rest - 1
        out[j] = after(w, p, a, b, i, j, -FAR, FAR)
    return answers


@_jit(int64(W, int64, int64, int64, W))
def lead_margins(w: Array, p: int, a: int, b: int, out: Array) -> int:
    """Write the margin that each lead of `p` leads to into `out`; return the leads tried."""
    links = w[SEEN + (p << SIDE) + b] & MASK
    back_links = w[SEEN + ((1 - p) << SIDE) + a] & MASK
    leads = a & ~((a & links) + links)
    rest = leads
    while rest:
        i = _lowest(rest)
        rest &= rest - 1
        answers = replies(w, p, b, i)
        answers &= ~((answers & back_links) + back_links)
        worst = FAR
        while answers:
            j = _highest(answers)
            answers ^= 1 << j
            worst = min(worst, after(w, p, a, b, i, j, -FAR, worst))
        out[i] = worst
    return leads


@_jit(int64(W, int64, int64))
def margin(w: Array, n: int, led: int) -> int:
    """Return the margin of the player to move in the ending set up; `led` is a card of side 0 or -1."""
    full = (1 << n) - 1
    if led < 0:
        return search(w, 0, full, full, -FAR, FAR)
    links = w[SEEN + (1 << SIDE) + full] & MASK
    answers = replies(w, 0, full, led)
    answers &= ~((answers & links) + links)
    worst = FAR
    while answers:
        j = _highest(answers)
        answers ^= 1 << j
        worst = min(worst, after(w, 0, full, full, led, j, -FAR, worst))
    return -worst


@_jit(types.void(W, E, W, W, E, E, int64, W, W))
def margins(
    w: Array,
    hands: Array,
    which: Array,
    led: Array,
    relations: Array,
    faces: Array,
    last: int,
    out: Array,
    nodes: Array,
) -> None:
    """Write the margin of the player to move in each of many endings into `out`.

    `hands[t, 0]` are the faces of the leader (the card led among them), `hands[t, 1]` those
    of the other side; `led[t]` is the face led, or -1; `which[t]` says which of the
    `relations` and `faces` hold.
    """
    n = hands.shape[2]
    for t in range(hands.shape[0]):
        set_up(w, hands[t, 0], hands[t, 1], relations[which[t]], faces[which[t]], last)
        i = -1
        if led[t] >= 0:
            i = 0
            while w[FACE + i] != led[t]:
                i += 1
        out[t] = margin(w, n, i)
        nodes[t] = w[NODES]
