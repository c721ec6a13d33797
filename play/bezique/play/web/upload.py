"""Uploads: a file that somebody gives, read with care."""

import json

from bezique.engine.errors import BadRequestError
from bezique.engine.library import Library
from bezique.play.web.kept import Kept, read_kept

MOST_ACTIONS = 5000
"""More than any match needs; each is tried, which takes time."""


def read_upload(library: Library, data: bytes) -> Kept:
    """Return the record that a file holds.

    Raises:
        BeziqueError: It is no record, or breaks the rules.
    """
    try:
        written = json.loads(data.decode("utf-8"))
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        got = type(error).__name__
        raise BadRequestError(where="record", expected="a JSON file", got=got) from None
    actions = written.get("actions") if isinstance(written, dict) else None
    if isinstance(actions, list) and len(actions) > MOST_ACTIONS:
        expected = f"at most {MOST_ACTIONS} actions"
        raise BadRequestError(
            where="record.actions", expected=expected, got=len(actions)
        )
    return read_kept(library, written)
