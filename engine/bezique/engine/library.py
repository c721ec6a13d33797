"""The library: the profiles at hand by name, built in or from a user's rule files."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from bezique.engine.errors import UnknownProfileError
from bezique.engine.rules import Rules, Setting
from bezique.spec.core import Profile
from bezique.spec.load import load, load_file, names

_MOST_RULES = 500
"""How many tables are kept; a client that asks for ever new options costs no more."""


class Library:
    """Profiles by name.

    Args:
        files: Rule files whose profiles join the built-in ones; one of the same name
            as a built-in profile takes its place.
        profiles: Profiles already loaded, which join them in the same way.

    Raises:
        RulesError: With every problem of the first file that has any.
    """

    def __init__(
        self, files: Iterable[Path] = (), profiles: Iterable[Profile] = ()
    ) -> None:
        given = tuple(files)
        self._own: dict[str, Profile] = {}
        for file in given:
            profile = load_file(file, given)
            self._own[profile.name] = profile
        self._own |= {profile.name: profile for profile in profiles}
        self._rules: dict[str, Rules] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of all profiles, built-in ones first."""
        return tuple(dict.fromkeys((*names(), *self._own)))

    def profile(self, name: object) -> Profile:
        """Return a profile.

        Raises:
            UnknownProfileError: There is none of that name.
        """
        if not isinstance(name, str) or name not in self.names:
            raise UnknownProfileError(name, self.names)
        return self._own[name] if name in self._own else load(name)

    def rules(
        self, name: object, options: Mapping[str, Setting] | None = None
    ) -> Rules:
        """Return the rules of a profile with its options settled.

        Raises:
            UnknownProfileError: There is no profile of that name.
            BadOptionError: An option or its value is not allowed.
        """
        profile = self.profile(name)
        key = json.dumps([profile.name, options or {}], sort_keys=True, default=repr)
        if key not in self._rules:
            if len(self._rules) >= _MOST_RULES:
                self._rules.clear()
            self._rules[key] = Rules(profile, options)
        return self._rules[key]
