"""The twin: the exact endgame in plain Python.

The kernel's algorithm, said so that it can be read: the same answers and the same number of
nodes, some eighty times slower.  It answers where there is no kernel, while the kernel is
being compiled, and for rules that the kernel has no room for; its numbers have no limits.

A hand is a mask: bit `i` is its card `i`, in the order of `bezique.solver.tables`.  The side
that leads is `p` and holds `a`, the other is `q` and holds `b`.

Why it is fast enough to be exact
    linked cards   Two neighbours in a hand that are worth the same and that no card of the
                   other side tells apart can change places in every line of play: one of
                   them is enough.
    bounds         A *sure* card wins when it is led, whatever else is played, so all of them
                   can be led one after the other; a *top* card wins whoever leads.  What they
                   win is a lower bound for the leader, an upper one for the other side.
    window         Fail-soft alpha-beta: a value outside the window is a bound for the next time.
    table          2,048 entries, the newest wins its place.

Source: architecture of the kernel, `docs/endgame.md`.
"""

from collections.abc import Iterable, Iterator
from itertools import pairwise

from bezique.solver.tables import Ending

FAR = 1 << 60  # beyond every margin
TABLE_BITS = 11
SPREAD = 2654435761  # 2**32 / golden ratio, odd: neighbours land far apart


class Twin:
    """Searches one ending.

    Args:
        ending: The two hands; side 0 leads.
        last: Points for the last trick, where they are not those of the tables.
    """

    def __init__(self, ending: Ending, last: int | None = None) -> None:
        faces, tables = ending.faces, ending.tables
        self.size = len(faces[0])
        self.full = (1 << self.size) - 1
        self.led = ending.led
        self.last = tables.last if last is None else last
        self.nodes = 0
        self.worth = [[tables.worth[face] for face in hand] for hand in faces]
        self.scoring = [_mask(points > 0 for points in row) for row in self.worth]
        self.least = [
            min((points for points in row if points), default=0) for row in self.worth
        ]
        self.ruling = [_mask(tables.ruling[face] for face in hand) for hand in faces]
        self.sums = [_sums(row) for row in self.worth]
        codes = tables.codes
        # wins[p][i]: the cards of the other side that beat card i of p when it is led.
        self.wins = [
            [_mask(codes[c][d] & 1 for d in faces[1 - p]) for c in faces[p]]
            for p in (0, 1)
        ]
        # sets[p][i]: the sets of the duty that a led card i of p lays on the other side.
        self.sets = [
            [[_mask(codes[c][d] >> number & 1 for d in faces[1 - p]) for number in range(1, tables.sets)] for c in faces[p]]
            for p in (0, 1)
        ]  # fmt: skip
        self.linked, self.sure, self.top = (
            [_Seen(self.size, *part(codes, faces, self.worth, p)) for p in (0, 1)]
            for part in (_links, _sures, _tops)
        )
        self._table: dict[int, tuple[int, int, int]] = {}

    def margin(self) -> int:
        """Return the margin of the player to move."""
        if self.led is None:
            return self.search(0, self.full, self.full, -FAR, FAR)
        worst = FAR
        for j in _bits_down(
            self._first_of_linked(1, self.replies(0, self.full, self.led), self.full)
        ):
            worst = min(
                worst, self.after(0, self.full, self.full, self.led, j, -FAR, worst)
            )
        return -worst

    # --- the search ------------------------------------------------------------------------

    def replies(self, p: int, b: int, i: int) -> int:
        """Return the cards of `b` that may answer card `i` of side `p`."""
        for cards in self.sets[p][i]:
            if b & cards:
                return b & cards
        return b

    def search(self, p: int, a: int, b: int, alpha: int, beta: int) -> int:
        """Return the margin of `p`, who leads: exact within the window, else a bound beyond it."""
        self.nodes += 1
        q = 1 - p
        total = self.sums[p][a] + self.sums[q][b] + self.last
        sure = a & self.sure[p][b]
        if sure == a:
            return total
        left = a.bit_count()
        if left == 1:
            return -total
        low, high = self._bounds(p, a, b, sure, total)
        if low >= beta:
            return low
        if high <= alpha or low == high:
            return high
        place = (p << 2 * ROOM) | (a << ROOM) | b
        at = ((place * SPREAD) & 0xFFFFFFFF) >> (32 - TABLE_BITS)
        entry = self._table.get(at)
        if entry is not None and entry[0] == place:
            low, high = max(low, entry[1]), min(high, entry[2])
            if low >= beta or low == high:
                return low
            if high <= alpha:
                return high
        if low > alpha:
            alpha = low - 1
        floor, beta = alpha, min(beta, high)
        best = -FAR
        for i in self._leads(p, a, b):
            lower = max(best, alpha)
            worst = FAR
            for j in self._answers(p, a, b, i):
                worst = min(worst, self.after(p, a, b, i, j, lower, min(worst, beta)))
                if worst <= lower:
                    break
            best = max(best, worst)
            if best >= beta:
                break
        if best >= beta:
            low = best
        elif best <= floor:
            high = best
        else:
            low = high = best
        self._table[at] = (place, low, high)
        return best

    def after(
        self, p: int, a: int, b: int, i: int, j: int, alpha: int, beta: int
    ) -> int:
        """Return the margin of `p`, who has led card `i`, once the other has answered `j`."""
        q = 1 - p
        trick = self.worth[p][i] + self.worth[q][j]
        left_a, left_b = a & ~(1 << i), b & ~(1 << j)
        if self.wins[p][i] >> j & 1:
            return -trick - (
                self.search(q, left_b, left_a, -beta - trick, -alpha - trick)
                if left_a
                else self.last
            )
        return trick + (
            self.search(p, left_a, left_b, alpha - trick, beta - trick)
            if left_a
            else self.last
        )

    def _bounds(self, p: int, a: int, b: int, sure: int, total: int) -> tuple[int, int]:
        q = 1 - p
        left = a.bit_count()
        fall = max(0, sure.bit_count() - left + (b & self.scoring[q]).bit_count())
        gain = self.sums[p][sure] + fall * self.least[q]
        top = b & self.top[q][a]
        fall = max(0, top.bit_count() - left + (a & self.scoring[p]).bit_count())
        back = self.sums[q][top] + fall * self.least[p]
        return 2 * gain - total, total - 2 * back

    def _leads(self, p: int, a: int, b: int) -> Iterator[int]:
        """Yield the leads worth trying: what scores first, ruling suits last, strong cards first."""
        leads = self._first_of_linked(p, a, b)
        first = leads & self.scoring[p] & ~self.ruling[p]
        yield from _bits_up(first)
        yield from _bits_up(leads ^ first)

    def _answers(self, p: int, a: int, b: int, i: int) -> Iterator[int]:
        """Yield the answers worth trying: what scores first if the trick can be won, weak cards first."""
        q = 1 - p
        allowed = self.replies(p, b, i)
        answers = self._first_of_linked(q, allowed, a)
        scoring = answers & self.scoring[q]
        first = scoring if allowed & self.wins[p][i] else answers ^ scoring
        yield from _bits_down(first)
        yield from _bits_down(answers ^ first)

    def _first_of_linked(self, p: int, cards: int, others: int) -> int:
        """Return the cards without those that are as good as a stronger one among them.

        In every run of links the sum carries from the first card held over all the others.
        """
        links = self.linked[p][others]
        return cards & ~((cards & links) + links)

    def beaten(self, p: int, i: int, j: int) -> bool:
        """Return whether card `j` of the other side beats a led card `i` of side `p`."""
        return bool(self.wins[p][i] >> j & 1)

    def links(self, p: int, others: int) -> int:
        """Return which cards of `p` are as good as the next while the other side holds `others`."""
        return self.linked[p][others]

    # --- the root --------------------------------------------------------------------------

    def lead_margins(self, p: int, a: int, b: int) -> dict[int, int]:
        """Return the margin of `p` after each lead worth trying."""
        margins = {}
        for i in _bits_up(self._first_of_linked(p, a, b)):
            worst = FAR
            for j in _bits_down(self._first_of_linked(1 - p, self.replies(p, b, i), a)):
                worst = min(worst, self.after(p, a, b, i, j, -FAR, worst))
            margins[i] = worst
        return margins

    def reply_margins(self, p: int, a: int, b: int, i: int) -> dict[int, int]:
        """Return the margin of `p`, who has led `i`, after each answer worth trying."""
        answers = self._first_of_linked(1 - p, self.replies(p, b, i), a)
        return {j: self.after(p, a, b, i, j, -FAR, FAR) for j in _bits_up(answers)}


ROOM = 10  # bits of a mask in the number of a position, as in the kernel


class _Seen(dict[int, int]):
    """A mask of a side's cards for each set of cards the other side may hold, made when asked.

    It is `start` without `lost[j]` for every card `j` of that set.
    """

    def __init__(self, size: int, start: int, lost: list[int]) -> None:
        super().__init__({0: start})
        self.size, self.lost = size, lost

    def __missing__(self, others: int) -> int:
        lowest = others & -others
        self[others] = found = (
            self[others ^ lowest] & ~self.lost[lowest.bit_length() - 1]
        )
        return found


Codes = tuple[tuple[int, ...], ...]
Faces = tuple[tuple[int, ...], tuple[int, ...]]
Part = tuple[int, list[int]]


def _links(codes: Codes, faces: Faces, worth: list[list[int]], p: int) -> Part:
    """Return which cards are as good as the next, and which card of the other side parts them."""
    mine, theirs = faces[p], faces[1 - p]
    start = _mask(worth[p][i] == worth[p][i + 1] for i in range(len(mine) - 1))
    return start, [
        _mask(
            codes[c][d] != codes[n][d] or codes[d][c] != codes[d][n]
            for c, n in pairwise(mine)
        )
        for d in theirs
    ]


def _sures(codes: Codes, faces: Faces, _: list[list[int]], p: int) -> Part:
    """Return all cards, and which of them each card of the other side beats."""
    return (1 << len(faces[p])) - 1, [
        _mask(codes[c][d] & 1 for c in faces[p]) for d in faces[1 - p]
    ]


def _tops(codes: Codes, faces: Faces, _: list[list[int]], p: int) -> Part:
    """Return all cards, and which of them do not win against each card of the other side, whoever leads."""
    return (1 << len(faces[p])) - 1, [
        _mask(codes[c][d] & 1 or not codes[d][c] & 1 for c in faces[p])
        for d in faces[1 - p]
    ]


def _mask(bits: Iterable[int]) -> int:
    return sum(1 << i for i, bit in enumerate(bits) if bit)


def _sums(worth: list[int]) -> list[int]:
    sums = [0]
    for points in worth:
        sums += [points + before for before in sums]
    return sums


def _bits_up(mask: int) -> Iterator[int]:
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1


def _bits_down(mask: int) -> Iterator[int]:
    while mask:
        highest = mask.bit_length() - 1
        yield highest
        mask ^= 1 << highest
