"""Certificates: true margins are accepted, planted wrong ones refused."""

import random
from pathlib import Path

import pytest

from bezique.engine.position import Position
from bezique.solver.certificate import Certificate, certificate
from bezique.solver.checker import RefusedError, check
from tests.solver.scenes import (
    PRINTED,
    PROFILES,
    drawn,
    ending,
    half_played,
    rules_of,
)
from tests.tables import telling


def checks(position: Position, proof: Certificate) -> None:
    """Replay a certificate."""
    check(position, proof.margin, proof.at_least, proof.at_most)


@pytest.mark.parametrize("profile", telling(PROFILES))
def test_true_margins_are_accepted_and_wrong_ones_refused(profile: str) -> None:
    """In each profile, from a lead or the middle of a trick: the margin, and neither more nor less."""
    chance = random.Random(f"certificate {profile}")
    rules = rules_of(profile)

    for size in (1, 2, 3, 4):
        position = drawn(rules, size, chance)
        position = half_played(position, chance) if size % 2 else position
        proof = certificate(position)

        checks(position, proof)

        for planted in (proof.margin + 10, proof.margin - 10):
            wrong = Certificate(planted, proof.at_least, proof.at_most)
            with pytest.raises(RefusedError, match=f"expected {planted} for"):
                checks(position, wrong)


def test_kernel_and_twin_write_the_same_certificate() -> None:
    """Digit for digit, whatever searched."""
    position = drawn(rules_of("streak"), 6, random.Random("same"))

    assert certificate(position, method="kernel") == certificate(
        position, method="twin"
    )


def test_printed_deal_is_certified() -> None:
    """The whole deal of eight cards a hand, against every reply."""
    position = ending(PRINTED)

    checks(position, certificate(position))


def test_a_short_certificate_by_hand() -> None:
    """South leads A♠ (choice 0) or 8♥ (choice 1); North has to follow, so nothing else is chosen."""
    position = ending("profile: luso\ntrump: ♣\nsouth: A♠ 8♥\nnorth: K♠ 7♥")

    check(position, 20, "0", "")
    check(position, 20, "1", "")


def test_a_worse_strategy_is_refused() -> None:
    """7♥ first draws the trump A♣ and leaves 9♠ the last trick: 10 each.

    9♠ first wins 8♠ and nothing, and loses 7♥ to A♣ with the last trick: 20 behind.
    """
    position = ending("trump: ♣\nsouth: 9♠ 7♥\nnorth: 8♠ A♣")

    check(position, 0, "1", "")
    with pytest.raises(RefusedError, match="at least: expected 0 for south, got -20"):
        check(position, 0, "0", "")


FAULTS = {
    "digits left over": ("00", ""),
    "expected a digit below, got none": ("", ""),
    "expected a digit below, got 7": ("7", ""),
    "expected a digit below, got x": ("x", ""),
}


@pytest.mark.parametrize(("text", "strategies"), FAULTS.items())
def test_what_is_no_strategy_is_refused(text: str, strategies: tuple[str, str]) -> None:
    """Too many digits, too few, or none of a legal card."""
    position = ending("profile: luso\ntrump: ♣\nsouth: A♠ 8♥\nnorth: K♠ 7♥")

    with pytest.raises(RefusedError, match=text):
        check(position, 20, *strategies)


def test_the_checker_is_short_and_knows_no_search() -> None:
    """Under 100 lines, with nothing of the solver imported."""
    folder = Path(__file__).parents[2] / "solver" / "bezique" / "solver"
    text = (folder / "checker.py").read_text(encoding="utf-8")

    assert len(text.splitlines()) < 100
    assert "bezique.solver" not in "".join(
        line for line in text.splitlines() if "import" in line
    )


@pytest.mark.long
@pytest.mark.parametrize("profile", PROFILES)
def test_many_certificates_are_accepted(profile: str) -> None:
    """Whole hands of eight cards in each profile; planted margins are refused."""
    chance = random.Random(f"certificates {profile}")

    for _ in range(12):
        position = drawn(rules_of(profile), 8, chance)
        proof = certificate(position)
        checks(position, proof)
        wrong = Certificate(proof.margin + 10, proof.at_least, proof.at_most)
        with pytest.raises(RefusedError):
            checks(position, wrong)
