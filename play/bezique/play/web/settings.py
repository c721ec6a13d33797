"""Settings: what a server is told when it starts."""

from dataclasses import dataclass
from pathlib import Path

LOCAL = ("127.0.0.1", "localhost", "[::1]", "::1")


@dataclass(frozen=True)
class Settings:
    """How a server is to run.

    Attributes:
        database: A URL that SQLAlchemy knows; SQLite or PostgreSQL.
        rules: Rule files whose tables join the built-in ones.
        hosts: Names under which the server answers (`Host`).
        workers: Processes that think; 0 thinks in threads of this one, for tests.
        secure: Whether the cookie is only sent over TLS.
        rate: Requests a second that one client may make for long.
        burst: Requests that it may make at once.
        seed: A text that makes all chance repeatable, for tests; never in earnest.
    """

    database: str
    rules: tuple[Path, ...] = ()
    hosts: tuple[str, ...] = LOCAL
    workers: int = 2
    secure: bool = False
    rate: float = 20.0
    burst: int = 120
    seed: str | None = None
