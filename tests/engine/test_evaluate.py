"""What expressions mean: each kind of node, None among them, against hand-counted values."""

from typing import Any

import pytest

from bezique.engine import Rules
from bezique.engine.evaluate import Meaning, lacks
from bezique.spec.load import load_text
from tests.engine.table import do, rules_of, scene, scored


def worth(expression: str, **fields: object) -> Any:  # noqa: ANN401
    """Return what an expression is worth in a scene with spades trumps."""
    given: dict[str, Any] = {
        "trump": "S",
        "south": "AS1 KH1",
        "south_table": "KS1 QS1",
        "north": "8C1 9C1 7C1 8C2",
        "scored": scored("royal-marriage KS1 QS1"),
        "points": (40, 10),
        **fields,
    }
    text = (
        "profile: asked\nbased_on: cady\nsource: a test\n"
        f"terms: {{answer: {expression!r}}}\n"
    )
    rules = Rules(load_text(text, "asked.yaml"))
    position = scene(**given).changed(rules=rules)
    return Meaning(position, "south").term("answer")


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("1 + 2 * 3 - 4", 3),
        ("7 // 2 + 7 % 2", 4),
        ("max(3, 5) - min(3, 5)", 2),
        ("hand == 1 and phase == declare", True),
        ("not (hand == 1) or dealer == north", True),
        ("total(me) - total(other(me))", 30),
        ("points(north)", 10),
        ("leader == south", True),
        ("led is None", True),
        ("rank(led) == K", False),
        ("rank(led) is None", True),
        ("rank(led) > K", False),
        ("len(held(me))", 4),
        ("len(hidden(me)) * 10 + len(table(me))", 22),
        ("sum(1 for c in held(me) if suit(c) == trump)", 3),
        ("len({suit(c) for c in held(me)})", 2),
        ("sum(spent(c, 'court') for c in held(me))", 2),
        ("max(total(p) for p in seats)", 40),
        ("any(spent(c, 'kings') > 0 for c in held(me))", False),
        ("all(suit(c) in (S, H) for c in held(me))", True),
        ("table(me) <= held(me)", True),
        ("held(me) <= table(me)", False),
        ("5 if trump == H else 6", 6),
        ("len(scored)", 1),
        ("len(stock) - left", 0),
        ("len(won(taker))", 0),
        ("sum(m.points for m in scored)", 40),
        ("sum(m.level for m in scored if m.family == 'court')", 1),
        ("reading('growth') == 'grow'", True),
        ("seven + brisque", 20),
        ("len([m for m in scored if m.seat == north])", 0),
        ("lacks(me)", 3),
        ("opposite(trump) == D", True),
    ],
)
def test_expression_is_worth(expression: str, value: object) -> None:
    """Counted by hand from the scene."""
    found = worth(expression)

    assert found == value


def test_nobody_leads_a_level_match() -> None:
    """`leader` is None, and nobody's total orders with nothing."""
    assert worth("leader is None", points=(40, 40)) is True
    assert worth("total(leader) >= 0", points=(40, 40)) is False


def test_binding_set_is_the_first_that_holds_a_card() -> None:
    """Its name is the clause that a refusal gives."""
    position = scene(
        phase="follow", trump="S", turn="north", led="KH1", north="AH1 QH1 7S1"
    )

    name, cards = Meaning(position, "north").binding_set()

    assert name == "strict/heads"
    assert {str(card) for card in cards} == {"AH1"}


def test_card_played_or_not_drawn_yet_is_not_lacking() -> None:
    """A hand of eight is full with seven cards while the eighth is on the table."""
    position = scene(
        "boussac",
        phase="lead",
        trump="S",
        south="AH1 AC1 AD1 TH1 TC1 TD1 KH1 KC1",
        stock="8D1 8D2",
    )
    followed = do(position, "play AH1")
    declaring = do(followed, f"play {min(followed.hidden['north'])}")

    for stage in (position, followed, declaring):
        here = Meaning(stage, "south")
        assert (lacks(here, "south"), lacks(here, "north")) == (0, 0)
    assert lacks(Meaning(position, "south"), None) is None


def test_rules_are_equal_when_the_same_is_played_under_them() -> None:
    """A default that is named changes nothing; another option does."""
    plain, named = rules_of("luso"), rules_of("luso", target=1000)

    assert plain == named
    assert hash(plain) == hash(named)
    assert plain != rules_of("luso", target=1500)
    assert repr(rules_of("luso", target=1500)) == "Rules(luso, target=1500)"
