"""Targets that are not there, for tests."""

from typing import Any

from bezique.conformance.target import FaultError

Json = dict[str, Any]


class Silent:
    """A target that never answers."""

    def ask(self, request: Json) -> Json:
        """Hang, at once."""
        raise FaultError(kind="hang", detail=str(request["op"]))
