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
from bezique.spec.static import asked_values, settle, static_value
from bezique.spec.tree import Expression

Setting = bool | int | str
MOST_RULES = 160
"""Of how many tables is kept what is made of their rules; those played last count."""


class Rules:
    """The rules of a table: a profile and its options.

    Args:
        profile: A checked profile (`bezique.spec.load`).
        options: Named options; those absent take the profile's default.

    Raises:
        BadOptionError: An option the profile has not, or a value it does not allow.
    """

    def __init__(
        self, profile: Profile, options: Mapping[str, Setting] | None = None
    ) -> None:
        self.profile = profile
        self.seats: tuple[str, ...] = profile.seats
        """The seats in the order of play."""
        self._rounds = {
            seat: self.seats[at:] + self.seats[:at]
            for at, seat in enumerate(self.seats)
        }
        self._after = {
            seat: in_turn[1 % len(self.seats)] for seat, in_turn in self._rounds.items()
        }
        given = dict(options or {})
        known = {option.name: option for option in profile.options}
        for name, value in given.items():
            _check_option(profile.name, known, name, value)
        self.given: dict[str, Setting] = {
            name: given[name] for name in known if name in given
        }
        """The options that were named, in the profile's order."""
        self.options: dict[str, Setting] = {
            name: given.get(name, option.default) for name, option in known.items()
        }
        """Every option with its value, in the profile's order."""
        self.values: dict[str, bool | int] = settle(profile, self.options)
        """The named values, with those that options set."""
        self.picked: dict[str, str] = {
            name: str(self.options.get(name, choice.picked))
            for name, choice in profile.choices.items()
        }
        """The reading that holds for each choice."""
        self._key = (profile.name, profile.digest, tuple(sorted(self.options.items())))
        self._hash = hash(self._key)

    def __eq__(self, other: object) -> bool:
        """Return whether the other has the same profile, digest and options."""
        return isinstance(other, Rules) and self._key == other._key

    def __hash__(self) -> int:
        """Return a hash of profile, digest and options."""
        return self._hash

    def __repr__(self) -> str:
        """Return the profile and the options that are not the default."""
        changed = [
            f"{option.name}={self.options[option.name]}"
            for option in self.profile.options
            if self.options[option.name] != option.default
        ]
        return f"Rules({', '.join([self.profile.name, *changed])})"

    def reading(self, choice: str) -> Expression:
        """Return the expression that holds for a choice."""
        return self.profile.choices[choice].values[self.picked[choice]]

    def after(self, seat: str) -> str:
        """Return the seat that plays after `seat`."""
        return self._after[seat]

    def from_seat(self, seat: str) -> tuple[str, ...]:
        """Return all seats in the order of play, `seat` first."""
        return self._rounds[seat]

    @cached_property
    def hand_size(self) -> int:
        """Return how many cards each player is dealt."""
        return static_value(self.profile.deal.hand_size, self.values)

    @cached_property
    def turns_up(self) -> bool:
        """Return whether a card is turned up after the deal."""
        return bool(static_value(self.profile.deal.turn_up, self.values))

    @cached_property
    def numbers(self) -> frozenset[str]:
        """Return the named values that an option sets to one of several whole numbers.

        Those that decide the deck or the deal are left out: they make another table.
        """
        deck, deal = self.profile.deck, self.profile.deal
        decided = asked_values((deck.packs, deal.hand_size, deal.turn_up))
        return frozenset(
            option.name
            for option in self.profile.options
            if option.of == "value" and option.name not in decided
            and all(type(value) is int for value in option.values or ())
        )  # fmt: skip

    @cached_property
    def has_rulings(self) -> bool:
        """Return whether a referee may record a table played by people."""
        profile = self.profile
        rulings = any(action.ruling for action in profile.actions.values())
        return rulings or bool(profile.waivers)

    @cached_property
    def emptied(self) -> dict[str, tuple[tuple[str, object], ...]]:
        """Return the parts of the state that last for a trick or a hand, with what they then hold."""
        parts = self.profile.state
        return {
            per: tuple(
                (part.name, part.type.empty) for part in parts if part.per == per
            )
            for per in ("trick", "hand")
        }

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
    def name_place(self) -> dict[str, int]:
        """Return each seat's, rank's, suit's and meld's place in the rules."""
        deck = self.profile.deck
        names = (*self.seats, *deck.ranks, *deck.suits, *self.profile.melds)
        return {name: index for index, name in enumerate(names)}

    @cached_property
    def strength(self) -> dict[str, int]:
        """Return the strength of each rank; more is stronger."""
        ranks = self.profile.deck.ranks
        return {rank: len(ranks) - index for index, rank in enumerate(ranks)}

    @cached_property
    def points(self) -> dict[str, int]:
        """Return what each meld scores."""
        return {
            name: static_value(meld.points, self.values)
            for name, meld in self.profile.melds.items()
        }

    def sort(self, cards: frozenset[Card] | set[Card]) -> list[Card]:
        """Return cards in card order, unknown ones last."""
        last = len(self.pack)
        return sorted(cards, key=lambda card: (self.place.get(card, last), -card.copy))


def _check_option(
    profile: str, known: Mapping[str, Option], name: str, value: object
) -> None:
    """Refuse an option that the profile has not or a value it does not allow."""
    if name not in known:
        options = ", ".join(known) or "(there are none)"
        raise BadOptionError(profile, name, value, f"one of the options {options}")
    option = known[name]
    if option.values is None:
        least, most = option.min or 0, option.max
        # A truth value is an `int` to Python, not to a table.
        allowed = (
            type(value) is int and least <= value and (most is None or value <= most)
        )
        expected = f"a whole number from {least}" + (f" to {most}" if most else "")
    else:
        allowed = any(type(value) is type(v) and value == v for v in option.values)
        expected = f"one of {', '.join(map(_written, option.values))}"
    if not allowed:
        raise BadOptionError(profile, name, value, expected)


def _written(value: Setting) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
