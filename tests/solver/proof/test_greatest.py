"""The greatest totals, by the optimiser and by trying every order; the documents' claims."""

import pytest

from bezique.engine.cards import Card
from bezique.engine.rules import Rules
from bezique.solver.declaring import best_order, hand_alone
from bezique.solver.proof.claims import answers, claims
from bezique.solver.proof.greatest import greatest, most_in_a_hand
from bezique.solver.proof.search import Limits
from tests.engine.table import PROFILES, chosen, rules_of

HONOURS = ("Q", "K", "J", "A", "T")


def hand(rules: Rules, seed: int, size: int) -> tuple[Card, ...]:
    """Return cards of melds, drawn by a seed: queens and jacks of the bezique among them."""
    pack = [card for card in rules.pack if card.rank in HONOURS and card.suit in "SD"]
    return tuple(pack.pop(chosen(seed, number, len(pack))) for number in range(size))


def named(rules: Rules, text: str) -> tuple[Card, ...]:
    """Return cards by their names in the protocol."""
    return tuple(rules.cards[name] for name in text.split())


@pytest.mark.parametrize(("name", "total"), [("streak", 540), ("cady", 580)])
def test_two_beziques_bring(name: str, total: int) -> None:
    """Single then double is 540 (D0.37); where singles may each score first, 580 (D2.42)."""
    rules = rules_of(name)

    plan = greatest(rules, named(rules, "QS1 QS2 JD1 JD2"), "H", 3)

    assert plan.points == total
    assert sum(rules.points[melded.meld] for melded in plan.melds) == total


@pytest.mark.parametrize("seed", range(4))
def test_the_optimiser_agrees_with_trying_every_order(seed: int) -> None:
    """On hands of six honours over two tricks both find the same total."""
    rules = rules_of(("cady", "streak")[seed % 2])
    cards, trump = hand(rules, seed, 6), "SD"[seed // 2]

    assert greatest(rules, cards, trump, 2).points == (
        best_order(hand_alone(rules, cards, trump), 2).points
    )


def test_no_cards_bring_nothing() -> None:
    """A hand without a meld has an empty plan."""
    rules = rules_of("cady")

    plan = greatest(rules, named(rules, "7S1 8S1 9H1"), "H", 3)

    assert (plan.points, plan.melds) == (0, ())


def test_a_seat_cannot_declare_more_than_the_bound() -> None:
    """What a steered hand declares stays below the proved bound of its table."""
    bound, parts = most_in_a_hand(rules_of("cady"), Limits())

    assert bound is not None
    # Two sequences in trumps and two double beziques alone are possible with all the cards.
    assert bound >= 2 * 250 + 500
    assert "sequence" in parts


@pytest.mark.parametrize("name", ["streak"])
def test_claims_are_answered_as_marked(name: str) -> None:
    """Every claim of the documents about a table is proved, or refuted where marked false."""
    found = dict(answers(rules_of(name)))

    assert found
    assert {item.verdict for item in found.values()} == {"proved"}


@pytest.mark.long
@pytest.mark.parametrize("name", PROFILES)
def test_claims_of_every_profile_are_answered_as_marked(name: str) -> None:
    """The same for each profile that has claims."""
    belong = [claim for claim in claims() if name in claim.profiles]
    found = list(answers(rules_of(name)))

    assert len(found) == len(belong)
    assert [item for item in found if item[1].verdict != "proved"] == []


def test_a_false_claim_shows_what_is_true_instead() -> None:
    """D0.37 is false at the Portuguese table, and the answer says which total is right."""
    detail = [
        answer.detail
        for name, answer in answers(rules_of("luso"))
        if name == "claims/D0.37/greatest"
    ]

    assert len(detail) == 1
    assert detail[0].startswith("false as stated")
