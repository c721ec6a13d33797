"""Words: the short forms of case files mean one thing each."""

import pytest

from bezique.conformance import expand, words
from bezique.conformance.case import Facts
from bezique.conformance.words import CaseError
from bezique.engine.library import Library

RULES = Library().rules("cady")


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("play KS2", {"do": "play", "card": "KS2"}),
        (
            "declare marriage KS QS",
            {"do": "declare", "meld": "marriage", "cards": ["KS1", "QS1"]},
        ),
        ("seven 7D", {"do": "seven", "card": "7D1", "exchange": False}),
        ("exchange 7D", {"do": "seven", "card": "7D1", "exchange": True}),
        ("draw", {"do": "draw"}),
        (
            "ruling too-few-cards north",
            {"do": "ruling", "irregularity": "too-few-cards", "seat": "north"},
        ),
    ],
)
def test_action_is_written_out(text: str, written: dict[str, object]) -> None:
    """A short action stands for one action of the protocol."""
    assert words.action(text, RULES) == written


def test_deal_is_filled_up() -> None:
    """A deal that names some cards deals the whole pack, each card once."""
    dealt = words.action("deal south KS QS turn_up 9D stock AS", RULES)

    cards = [*dealt["south"], *dealt["north"], dealt["turn_up"], *dealt["stock"]]
    assert len(dealt["south"]) == len(dealt["north"]) == 8
    assert dealt["stock"][0] == "AS1"
    assert sorted(cards) == sorted(map(str, RULES.pack))


def test_steps_joined_by_semicolons_are_steps() -> None:
    """A semicolon joins steps; what a step brings stands behind its arrow."""
    first, second = words.steps(
        ("play KS; play TS => north 10 brisques, north 10 seven",), RULES
    )

    assert (first.text, first.points) == ("play KS", ())
    assert second.points == ("north 10 brisques", "north 10 seven")


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("declare", True),
        ("declare marriage", True),
        ("declare bezique", False),
        ("declare marriage QS KS", True),
        ("play", False),
    ],
)
def test_action_cut_short_fits_all_it_begins(text: str, fits: bool) -> None:  # noqa: FBT001
    """A text cut short stands for every action that goes on from it."""
    assert (
        words.fits(
            {"do": "declare", "meld": "marriage", "cards": ["KS1", "QS1"]}, text, RULES
        )
        is fits
    )


@pytest.mark.parametrize("text", ["sing KS", "play K", "play KS17"])
def test_unreadable_word_is_an_error(text: str) -> None:
    """What is no action or no card is told with what was expected."""
    with pytest.raises(CaseError, match="expected a"):
        words.action(text, RULES)


def test_what_is_left_out_is_filled_in() -> None:
    """A position of a case is whole enough for the protocol."""
    written = expand.position(
        Facts(phase="declare", trump="D", south="KS QS | KH"), RULES
    )

    assert written["hidden"]["south"] == ["KS1", "QS1"]
    assert written["table"]["south"] == ["KH1"]
    assert len(written["hidden"]["north"]) == 3
    assert len(written["stock"]) == 2
    assert (written["turn"], written["winner_of_last_trick"], written["partial"]) == (
        "south",
        "south",
        True,
    )


def test_low_cards_fill_in() -> None:
    """What fills in is never a card that could be declared or exchanged."""
    written = expand.position(
        Facts(phase="declare", trump="D", south="KS QS KH KC KD QD QC"), RULES
    )

    filled = [*written["hidden"]["north"], *written["stock"]]
    assert {card[0] for card in filled} <= {"8", "9"}


def test_card_of_another_pack_is_an_error() -> None:
    """A case that names a card its table has not cannot be read."""
    with pytest.raises(CaseError, match="expected a card of cady, got 'KS3'"):
        expand.position(Facts(south="KS3"), RULES)
