"""Errors: what the engine refuses, and why.

Each has the code that the referee protocol gives it.  The text is made from the
fields: what was tried, what was expected, what was got, which clause.
"""

MOST_PROBLEMS = 8
LONGEST_VALUE = 60


class _Nothing:
    """Stands for a value that is not there."""

    def __repr__(self) -> str:
        return "nothing"


NOTHING = _Nothing()


class BeziqueError(ValueError):
    """Whatever the engine refuses. `code` is the protocol's word for it.

    `clause` is the clause of the rules that refuses; `step` counts, from 0, the action
    of a record at which it happened.
    """

    code = "bad-request"
    clause: str | None = None
    step: int | None = None


class BadRequestError(BeziqueError):
    """A value that cannot be read: where it stands, what was expected, what was got."""

    def __init__(self, where: str, expected: str, got: object) -> None:
        self.where, self.expected, self.got = where, expected, got
        super().__init__(f"{where}: expected {expected}, got {shortened(got)}")


class UnknownProfileError(BeziqueError):
    """No rules of that name are loaded."""

    code = "unknown-profile"

    def __init__(self, name: object, known: tuple[str, ...]) -> None:
        self.name, self.known = name, known
        names = ", ".join(known)
        super().__init__(f"profile: expected one of {names}, got {shortened(name)}")


class BadOptionError(BeziqueError):
    """An option the profile has not, or a value it does not allow."""

    code = "bad-option"

    def __init__(self, profile: str, name: str, value: object, expected: str) -> None:
        self.profile, self.name, self.value = profile, name, value
        self.expected = expected
        super().__init__(
            f"option {shortened(name)} of {profile}: "
            f"expected {expected}, got {shortened(value)}"
        )


class BadPositionError(BeziqueError):
    """A position that cannot be; `problems` holds every reason."""

    code = "bad-position"

    def __init__(self, problems: tuple[str, ...]) -> None:
        self.problems = problems
        told = "; ".join(problems[:MOST_PROBLEMS])
        more = len(problems) - MOST_PROBLEMS
        super().__init__(f"{told}; and {more} more" if more > 0 else told)


class IllegalActionError(BeziqueError):
    """An action that the rules refuse, with the clause that refuses it."""

    code = "illegal-action"
    clause: str

    def __init__(self, action: object, clause: str, why: str) -> None:
        self.action, self.clause, self.why = action, clause, why
        super().__init__(f"illegal {action}: {why} [{clause}]")


def shortened(value: object) -> str:
    """Return a value's repr in ASCII, of at most 60 characters.

    >>> shortened("queen"), shortened([1, 2]), shortened(NOTHING)
    ("'queen'", 'a list of 2', 'nothing')
    """
    match value:
        case list():
            return f"a list of {len(value)}"
        case dict():
            return f"a mapping of {len(value)}"
        case str():
            text = ascii(value[: LONGEST_VALUE + 20])
        case None | bool() | int() | float() | _Nothing():
            text = repr(value)
        case _:
            text = f"a {type(value).__name__}"
    return text if len(text) <= LONGEST_VALUE else text[: LONGEST_VALUE - 3] + "..."
