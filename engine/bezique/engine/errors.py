"""Errors: what the engine refuses, and why.

Each has the code that the referee protocol gives it.  The text is made from the
fields: what was tried, what was expected, what was got, which clause.
"""


class _Nothing:
    """Stands for a value that is not there."""

    def __repr__(self) -> str:
        return "nothing"


NOTHING = _Nothing()


class BeziqueError(ValueError):
    """Whatever the engine refuses. `code` is the protocol's word for it.

    `clause` is the clause of the rules that refuses; `step` counts, from 0, the action of a
    record at which it happened.
    """

    code = "bad-request"
    clause: str | None = None
    step: int | None = None


class BadRequestError(BeziqueError):
    """A value that cannot be read: `where` it stands, what was expected, what was got."""

    def __init__(self, where: str, expected: str, got: object) -> None:
        self.where, self.expected, self.got = where, expected, got
        super().__init__(f"{where}: expected {expected}, got {shortened(got)}")


class UnknownProfileError(BeziqueError):
    """No rules of that name are loaded."""

    code = "unknown-profile"

    def __init__(self, name: object, known: tuple[str, ...]) -> None:
        self.name, self.known = name, known
        super().__init__(f"profile: expected one of {', '.join(known)}, got {shortened(name)}")


class BadOptionError(BeziqueError):
    """An option the profile has not, or a value it does not allow."""

    code = "bad-option"

    def __init__(self, profile: str, name: str, value: object, expected: str) -> None:
        self.profile, self.name, self.value, self.expected = profile, name, value, expected
        super().__init__(f"option {shortened(name)} of {profile}: expected {expected}, got {shortened(value)}")


class BadPositionError(BeziqueError):
    """A position that cannot be; `problems` holds every reason."""

    code = "bad-position"

    def __init__(self, problems: tuple[str, ...]) -> None:
        self.problems = problems
        super().__init__("; ".join(problems[:8]) + (f"; and {len(problems) - 8} more" if len(problems) > 8 else ""))


class IllegalActionError(BeziqueError):
    """An action that the rules refuse, with the clause that refuses it."""

    code = "illegal-action"

    def __init__(self, action: object, clause: str, why: str) -> None:
        self.action, self.clause, self.why = action, clause, why
        super().__init__(f"illegal {action}: {why} [{clause}]")


def shortened(value: object) -> str:
    """Return a value's repr, cut to 60 characters, safe to encode."""
    if value is NOTHING:
        return repr(value)
    if isinstance(value, str):
        value = value[:80]
    elif isinstance(value, list | dict):
        return f"a {'list' if isinstance(value, list) else 'mapping'} of {len(value)}"
    text = ascii(value) if isinstance(value, str | int | float | bool | None) else f"a {type(value).__name__}"
    return text if len(text) <= 60 else text[:57] + "..."
