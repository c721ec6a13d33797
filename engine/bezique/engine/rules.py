"""Rules in force: a profile with its options settled.

Everything that asks for the rules of a table asks a `Rules`: which reading of a choice
holds, how many cards there are, how strong a rank is.  Two `Rules` are equal when the
same cards may be played under them: same profile, same rules digest, same options.
"""

from collections.abc import Mapping
from functools import cached_property

from bezique.engine.cards import Card, pack
from bezique.engine.errors import BadOptionError
from bezique.spec.core import Option, Profile
from bezique.spec.static import settle, static_value
from bezique.spec.tree import Expression

Setting = bool | int | str


class Rules:
    """The rules of a table: a profile and its options.

    Args:
        profile: A checked profile (`bezique.spec.load`).
        options: Named options; those absent take the profile's default.

    Raises:
        BadOptionError: An option the profile has not, or a value it does not allow.
    """

    def __init__(self, profile: Profile, options: Mapping[str, Setting] | None = None) -> None:
        self.profile = profile
        given = dict(options or {})
        self.given: dict[str, Setting] = given
        """The options that were named, as they were given."""
        known = {option.name: option for option in profile.options}
        for name, value in given.items():
            _check_option(profile.name, known, name, value)
        self.options: dict[str, Setting] = {name: given.get(name, option.default) for name, option in known.items()}
        """Every option with its value, in the profile's order."""
        self.values: dict[str, bool | int] = settle(profile, self.options)
        """The named values, with those that options set."""
        self.picked: dict[str, str] = {
            name: str(self.options.get(name, choice.picked)) for name, choice in profile.choices.items()
        }  # fmt: skip
        """The reading that holds for each choice."""
        self._key = (profile.name, profile.digest, tuple(sorted(self.options.items())))

    def __eq__(self, other: object) -> bool:
        """Return whether the other has the same profile, digest and options."""
        return isinstance(other, Rules) and self._key == other._key

    def __hash__(self) -> int:
        """Return a hash of profile, digest and options."""
        return hash(self._key)

    def __repr__(self) -> str:
        """Return the profile and the options that are not the default."""
        changed = [f"{option.name}={self.options[option.name]}" for option in self.profile.options if self.options[option.name] != option.default]
        return f"Rules({', '.join([self.profile.name, *changed])})"

    def reading(self, choice: str) -> Expression:
        """Return the expression that holds for a choice."""
        return self.profile.choices[choice].values[self.picked[choice]]

    @cached_property
    def seats(self) -> tuple[str, ...]:
        """Return the seats in the order of play."""
        return self.profile.seats

    def after(self, seat: str) -> str:
        """Return the seat that plays after `seat`."""
        return self.seats[(self.seats.index(seat) + 1) % len(self.seats)]

    def from_seat(self, seat: str) -> tuple[str, ...]:
        """Return all seats in the order of play, `seat` first."""
        at = self.seats.index(seat)
        return self.seats[at:] + self.seats[:at]

    @cached_property
    def hand_size(self) -> int:
        """Return how many cards each player is dealt."""
        return static_value(self.profile.deal.hand_size, self.values)

    @cached_property
    def turns_up(self) -> bool:
        """Return whether a card is turned up after the deal."""
        return bool(static_value(self.profile.deal.turn_up, self.values))

    @cached_property
    def pack(self) -> tuple[Card, ...]:
        """Return every card, in card order."""
        deck = self.profile.deck
        return pack(deck.ranks, deck.suits, static_value(deck.packs, self.values))

    @cached_property
    def cards(self) -> dict[str, Card]:
        """Return the cards by name."""
        return {str(card): card for card in self.pack}

    @cached_property
    def place(self) -> dict[Card, int]:
        """Return each card's place in card order."""
        return {card: index for index, card in enumerate(self.pack)}

    @cached_property
    def strength(self) -> dict[str, int]:
        """Return the strength of each rank; more is stronger."""
        ranks = self.profile.deck.ranks
        return {rank: len(ranks) - index for index, rank in enumerate(ranks)}

    @cached_property
    def points(self) -> dict[str, int]:
        """Return what each meld scores."""
        return {name: static_value(meld.points, self.values) for name, meld in self.profile.melds.items()}

    def sort(self, cards: frozenset[Card] | set[Card]) -> list[Card]:
        """Return cards in card order, unknown ones last."""
        last = len(self.pack)
        return sorted(cards, key=lambda card: (self.place.get(card, last), -card.copy))


def _check_option(profile: str, known: Mapping[str, Option], name: str, value: object) -> None:
    """Refuse an option that the profile has not or a value it does not allow."""
    if name not in known:
        raise BadOptionError(profile, name, value, f"one of the options {', '.join(known) or '(there are none)'}")
    option = known[name]
    if option.values is not None:
        if not any(type(value) is type(allowed) and value == allowed for allowed in option.values):
            raise BadOptionError(profile, name, value, f"one of {', '.join(map(_written, option.values))}")
    elif type(value) is not int or (option.min is not None and value < option.min) or (option.max is not None and value > option.max):
        limits = f"from {option.min}" + (f" to {option.max}" if option.max is not None else "")
        raise BadOptionError(profile, name, value, f"a whole number {limits}")


def _written(value: Setting) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
