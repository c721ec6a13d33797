"""Errors: why a position has no exact answer here."""

from bezique.engine.errors import BeziqueError


class EndingError(BeziqueError):
    """A position that cannot be solved."""

    code = "bad-position"


class StockOpenError(EndingError):
    """Cards are still to be drawn: not both hands are known."""

    def __init__(self, left: int) -> None:
        self.left = left
        super().__init__(
            f"stock: expected a closed stock, got {left} cards still to be drawn"
        )


class BadEndingError(EndingError):
    """A position in which no two hands of one size are to be played out."""

    def __init__(self, where: str, expected: str, got: str) -> None:
        self.where, self.expected, self.got = where, expected, got
        super().__init__(f"{where}: expected {expected}, got {got}")


class TooManyCardsError(EndingError):
    """Hands too large to be searched in any useful time."""

    def __init__(
        self,
        size: int,
        most: int,
        why: str = "each card makes the search about five times longer",
    ) -> None:
        self.size, self.most, self.why = size, most, why
        super().__init__(f"hands: expected at most {most} cards, got {size}: {why}")
