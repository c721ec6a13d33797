"""The written form: what cannot be read, and where it stands."""

import copy
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bezique.engine import (
    BadPositionError,
    BadRequestError,
    BeziqueError,
    IllegalActionError,
    Library,
    Record,
    action_json,
    deal,
    position_json,
    read_action,
    read_event,
    read_position,
    read_record,
    record_json,
    shuffled,
    start,
)
from bezique.engine.frozen import FrozenDict
from tests.engine.table import LIBRARY, action, new_hand, rules_of, scene, scored

if TYPE_CHECKING:
    from collections.abc import Callable


def written() -> dict[str, Any]:
    """Return a position rich in fields."""
    return position_json(
        scene(
            trump="S",
            south="KH1",
            south_table="KS1 QS1",
            scored=scored("royal-marriage KS1 QS1"),
        )
    )


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("hand", "1", "position.hand: expected the number of the hand, got '1'"),
        ("hand", True, "position.hand: expected the number of the hand, got True"),
        ("phase", 1, "position.phase: expected a phase, got 1"),
        ("phase", "tea", "phase: expected one of deal, lead, follow, declare, over, got 'tea'"),
        ("turn", "west", "turn: expected one of south, north, got 'west'"),
        ("dealer", None, "position.dealer: expected a seat, got None"),
        ("stock", {}, "position.stock: expected a list of cards, got a mapping of 0"),
        ("stock", [1], "position.stock: expected the name of a card, got 1"),
        ("stock", ["AS9"], "stock: expected a card of the pack, got 'AS9'"),
        ("hidden", {"south": []}, "position.hidden.north: expected a value, got nothing"),
        ("hidden", {"south": ["KH1", "KH1"], "north": []}, "hidden.south: expected each card once, got 'KH1 twice'"),
        ("points", {"south": 1, "north": 2}, "position.points.south: expected an object with hand and match, got 1"),
        ("trump", "X", "trump: expected one of S, H, C, D, got 'X'"),
        ("declared", 1, "position.declared: expected true or false, got 1"),
        ("scored", [{"seat": "south", "meld": "flush", "cards": []}], "scored: expected a meld of cady, got 'flush'"),
        ("sevens", ["7S1", "7S1"], "sevens: expected each member once, got 'one twice'"),
        ("results", [[]], "position.results: expected an object by seat, got a list of 0"),
        ("partial", 1, "position.partial: expected true or false, got 1"),
        ("profile", None, "position.profile: expected the name of a profile, got None"),
        ("options", [], "position.options: expected an object of options, got a list of 0"),
    ],
)  # fmt: skip
def test_unreadable_field_is_told_with_its_place(
    field: str, value: object, message: str
) -> None:
    """What was expected there, and what was got."""
    with pytest.raises(BeziqueError) as caught:
        read_position(LIBRARY, {**written(), field: value})

    assert str(caught.value) == message


@pytest.mark.parametrize("field", sorted(set(written()) - {"partial", "options"}))
def test_missing_field_is_told(field: str) -> None:
    """Every field but `partial` and `options` must be there."""
    position = written()
    del position[field]

    with pytest.raises(
        BadRequestError, match=f"position.{field}: expected .*, got nothing"
    ):
        read_position(LIBRARY, position)


def test_sets_read_in_any_order() -> None:
    """The order of a hand means nothing."""
    position = written()
    other = copy.deepcopy(position)
    other["table"]["south"].reverse()
    other["hidden"]["north"].reverse()

    assert read_position(LIBRARY, other) == read_position(LIBRARY, position)


def test_strange_names_are_read_and_left_to_the_rules() -> None:
    """A meld or a copy that the table has not is refused as an action, not as a text."""
    position = scene(trump="S", south="KH1 QH1")

    third = read_action(
        position, {"do": "declare", "meld": "marriage", "cards": ["KH3", "QH1"]}
    )
    strange = read_action(
        position, {"do": "declare", "meld": "flush", "cards": ["KH1"]}
    )

    assert str(third) == "declare marriage KH3 QH1"
    assert str(strange) == "declare flush KH1"


@pytest.mark.parametrize(
    "name",
    [
        "",
        "K",
        "KH",
        "KH0",
        "KH01",
        "KHx",
        "XX1",
        "KH1 ",
        "kh1",
        "KH\N{SUPERSCRIPT ONE}",
        "KH1" * 30,
    ],
)
def test_text_that_names_no_card_is_refused(name: str) -> None:
    """Rank, suit and a copy from 1, and nothing else."""
    position = scene(trump="S", south="KH1")

    with pytest.raises(BadRequestError):
        read_action(position, {"do": "play", "card": name})


@pytest.mark.parametrize(
    "text",
    [
        None,
        {},
        {"do": 1},
        {"do": "play"},
        {"do": "seven", "card": "7S1"},
        {"do": "seven", "card": "7S1", "exchange": 1},
        {"do": "declare", "meld": 1, "cards": []},
        {"do": "declare", "meld": "marriage", "cards": "KH1"},
        {"do": "declare", "meld": "marriage", "cards": ["KH1", "KH1"]},
        {"do": "deal", "south": [], "north": [], "stock": []},
    ],
)
def test_action_that_cannot_be_read(text: object) -> None:
    """A field missing or of the wrong type."""
    with pytest.raises(BadRequestError):
        read_action(scene(trump="S"), text)


def test_ruling_reads_its_words() -> None:
    """Only the irregularities that the rules name."""
    position = scene("boussac", trump="S")
    good = {"do": "ruling", "irregularity": "too-many-cards", "seat": "north"}

    assert action_json(position.rules, read_action(position, good)) == good
    for bad in ({**good, "irregularity": "tea"}, {**good, "seat": "east"}):
        with pytest.raises(BadRequestError):
            read_action(position, bad)


@pytest.mark.parametrize(
    "text",
    [
        None,
        {},
        {"event": 1},
        {"event": "play", "card": "XX1"},
        {"event": "deal", "cards": 1},
    ],
)
def test_event_that_cannot_be_read(text: object) -> None:
    """No object with a name, or no cards."""
    with pytest.raises(BadRequestError):
        read_event(rules_of("cady"), text)


def test_record_keeps_what_it_was_played_under() -> None:
    """Profile, options, version and digest of the rules, dealer, actions, leniency."""
    rules = rules_of("boussac", target=500)
    position = start(rules, "north")
    record = Record(rules, "north", (deal(position, shuffled(rules, 1)),), lenient=True)

    text = record_json(record)

    assert text["profile"] == "boussac"
    assert text["options"] == {"target": 500}
    assert text["rules"] == {
        "version": rules.profile.version,
        "digest": rules.profile.digest,
    }
    assert text["lenient"] is True
    assert read_record(LIBRARY, text) == record


def test_record_with_an_illegal_action_names_its_step() -> None:
    """Counted from 0."""
    rules = rules_of("cady")
    record = record_json(
        Record(rules, "north", (deal(start(rules, "north"), rules.pack),))
    )
    record["actions"].append({"do": "draw"})

    with pytest.raises(IllegalActionError) as caught:
        read_record(LIBRARY, record)

    assert caught.value.step == 1


def test_library_reads_a_users_own_file(tmp_path: Path) -> None:
    """Its profile joins the built-in ones, and can be based on one of them."""
    file = tmp_path / "home.yaml"
    file.write_text(
        "profile: home\nbased_on: luso\nsource: home\nvalues: {last_trick: 30}\n"
    )
    library = Library([file])

    rules = library.rules("home", {"target": 1500})

    assert "home" in library.names
    assert rules.values["last_trick"] == 30
    assert library.rules("home", {"target": 1500}) is rules
    position = new_hand(rules)
    assert read_position(library, position_json(position)) == position


def test_position_is_frozen_and_hashable() -> None:
    """Equal positions have equal hashes; nothing in them changes."""
    one, two = new_hand(rules_of("cady")), new_hand(rules_of("cady"))

    assert one == two
    assert len({one, two}) == 1
    with pytest.raises(TypeError, match="does not change"):
        one.hidden["south"] = frozenset()
    with pytest.raises(AttributeError):
        one.hand = 2  # type: ignore[misc]


def test_frozen_dicts_refuse_every_change() -> None:
    """And copies of them are frozen too."""
    frozen = FrozenDict({"a": 1})
    changes: tuple[Callable[[], object], ...] = (
        lambda: frozen.update(b=2),
        lambda: frozen.pop("a"),
        lambda: frozen.setdefault("b", 2),
        frozen.clear,
        frozen.popitem,
        lambda: frozen.__delitem__("a"),
        lambda: frozen.__ior__({"b": 2}),
    )

    for change in changes:
        with pytest.raises(TypeError):
            change()
    assert copy.deepcopy(frozen) == frozen == {"a": 1}


def test_bad_position_is_an_error_of_its_own() -> None:
    """Its code tells a position that cannot be from a text that cannot be read."""
    with pytest.raises(BadPositionError) as caught:
        read_position(LIBRARY, {**written(), "turn": "west"})

    assert caught.value.code == "bad-position"


def test_actions_say_themselves() -> None:
    """As messages name them."""
    position = scene(trump="S", turn_up="AS1", south="7S1 KH1 QH1")
    texts = ["seven 7S1 exchange", "declare marriage KH1 QH1", "draw", "play KH1"]

    assert [str(action(position, text)) for text in texts] == texts
