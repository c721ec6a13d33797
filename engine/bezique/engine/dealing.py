"""Dealing: from a pack in order to the action `deal`.

Nothing here is left to chance: a shuffle is a pure function of a seed, so that anybody can
make the same deal again in any language.

    shuffle   the cards sorted by the SHA-256 of "seed card", seed and card name as text
    packets   as the rules say, in turn, to the seat `deal.first` names before the others
"""

import hashlib
from collections.abc import Mapping, Sequence

from bezique.engine.action import Action
from bezique.engine.cards import Card
from bezique.engine.evaluate import Meaning
from bezique.engine.frozen import FrozenDict
from bezique.engine.position import Position
from bezique.engine.rules import Rules


def shuffled(rules: Rules, seed: object) -> tuple[Card, ...]:
    """Return the pack in the order that a seed gives it, first card dealt first.

    The seed is used as text: 7 and "7" are one seed.
    """
    return tuple(
        sorted(
            rules.pack,
            key=lambda card: hashlib.sha256(
                f"{seed} {card}".encode("utf-8", "surrogatepass")
            ).digest(),
        )
    )


def cut(pack: Sequence[Card], depth: int) -> tuple[Card, ...]:
    """Return the pack with its first `depth` cards put below the rest.

    Raises:
        ValueError: A cut must leave a card on each side.
    """
    if not 0 < depth < len(pack):
        message = f"depth of a cut: expected 1 to {len(pack) - 1}, got {depth}"
        raise ValueError(message)
    return (*pack[depth:], *pack[:depth])


def deal(position: Position, pack: Sequence[Card]) -> Action:
    """Return the action that deals a pack, its first card first, in the table's packets.

    Args:
        position: In phase `deal`.
        pack: Every card once, in the order dealt; `apply` refuses anything else.
    """
    rules = position.rules
    order = rules.from_seat(Meaning(position, None).value(rules.profile.deal.first))
    hands: dict[str, tuple[Card, ...]] = dict.fromkeys(rules.seats, ())
    at = 0
    for packet in rules.profile.deal.packets[rules.hand_size]:
        for seat in order:
            hands[seat] += tuple(pack[at : at + packet])
            at += packet
    turn_up = pack[at] if rules.turns_up and at < len(pack) else None
    stock = tuple(pack[at + (turn_up is not None) :])
    return Action("deal", FrozenDict({**hands, "turn_up": turn_up, "stock": stock}))


def cut_for_deal(rules: Rules, cards: Mapping[str, Card]) -> str | None:
    """Return the seat whose cut card is highest in rank, or None when the highest are equal."""
    best = max(rules.strength[card.rank] for card in cards.values())
    highest = [seat for seat in rules.seats if rules.strength[cards[seat].rank] == best]
    return highest[0] if len(highest) == 1 else None
