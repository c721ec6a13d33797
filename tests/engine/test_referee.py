"""The referee: every operation, and every kind of line that should never have come.

A hostile line gets one short error, and the next good line is answered as ever.
"""

import copy
import io
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from bezique.engine import Referee, deal, legal, position_json, shuffled, start
from bezique.engine.codec import action_json
from bezique.engine.errors import BadPositionError
from bezique.engine.referee import LONGEST_ID, LONGEST_LINE, error_json
from tests.engine.table import (
    LIBRARY,
    PROFILES,
    new_hand,
    rules_of,
    scene,
    scored,
    walk,
)

LONGEST_ERROR = 600
CODES = {
    "bad-request",
    "unknown-profile",
    "bad-option",
    "bad-position",
    "illegal-action",
}
REFEREE = Referee(LIBRARY, "0")


def ask(request: object) -> Any:  # noqa: ANN401
    """Return the reply to one request."""
    reply = REFEREE.answer(json.dumps(request))
    assert reply is not None
    return json.loads(reply)


def ok(request: object) -> Any:  # noqa: ANN401
    """Return what a request that is granted gives."""
    reply = ask(request)
    assert "error" not in reply, reply
    return reply["ok"]


def error(request: object) -> Any:  # noqa: ANN401
    """Return the error that a request gives."""
    return ask(request)["error"]


def served(*lines: bytes) -> list[Any]:
    """Return the replies to lines as they come over a stream."""
    replies = io.BytesIO()
    REFEREE.serve(io.BytesIO(b"".join(lines)), replies)
    return [json.loads(line) for line in replies.getvalue().splitlines()]


# --- operations -------------------------------------------------------------------------


def test_hello_tells_profiles_with_their_options() -> None:
    """Values where they are listed, `min` where any whole number goes."""
    told = ok({"op": "hello"})

    assert (told["protocol"], told["implementation"], told["version"]) == (
        1,
        "bezique",
        "0",
    )
    assert set(told["profiles"]) >= set(PROFILES)
    assert told["profiles"]["streak"] == {"options": {}}
    assert told["profiles"]["luso"] == {
        "options": {"target": {"default": 1000, "values": [1000, 1500]}}
    }
    assert told["profiles"]["boussac"]["options"] == {
        "target": {"default": 1000, "min": 1},
        "hand_size": {"default": 8, "values": [8, 9, 10]},
        "turn_up": {"default": True, "values": [True, False]},
        "draw_order": {"default": "winner", "values": ["winner", "fixed"]},
        "bezique_pair": {
            "default": "spade-queen",
            "values": ["spade-queen", "trump-queen"],
        },
    }
    assert told["capabilities"] == ["view", "lenient"]


def test_more_operations_are_capabilities() -> None:
    """Whoever adds `solve` tells so."""
    more = Referee(LIBRARY, "0", {"solve": lambda _, request: {"margin": len(request)}})

    reply = json.loads(more.answer('{"op":"hello"}') or "")
    solved = json.loads(more.answer('{"op":"solve"}') or "")

    assert reply["ok"]["capabilities"] == ["solve", "view", "lenient"]
    assert solved == {"ok": {"margin": 1}}


def test_start_gives_the_match_before_its_first_deal() -> None:
    """Everything empty, chance to deal, options as they were named."""
    position = ok({"op": "start", "profile": "cady", "options": {}, "dealer": "north"})

    assert position == {
        "position": {
            "profile": "cady",
            "options": {},
            "hand": 1,
            "phase": "deal",
            "turn": "chance",
            "dealer": "north",
            "trump": None,
            "turn_up": None,
            "stock": [],
            "hidden": {"south": [], "north": []},
            "table": {"south": [], "north": []},
            "led": None,
            "won": {"south": [], "north": []},
            "scored": [],
            "pending": [],
            "declared": False,
            "sevens": [],
            "winner_of_last_trick": None,
            "last_trick": None,
            "points": {
                "south": {"hand": 0, "match": 0},
                "north": {"hand": 0, "match": 0},
            },
            "results": [],
            "revoked": [],
            "barred": [],
            "winner": None,
        }
    }


def test_options_are_echoed_in_the_order_of_the_rules() -> None:
    """The same request gives the same bytes, whatever was asked before."""
    first = {"op": "start", "profile": "boussac", "dealer": "north"}
    one = {**first, "options": {"target": 500, "hand_size": 9}}
    two = {**first, "options": {"hand_size": 9, "target": 500}}

    assert REFEREE.answer(json.dumps(one)) == REFEREE.answer(json.dumps(two))
    assert ok(two)["position"]["options"] == {"target": 500, "hand_size": 9}


def test_legal_lists_actions_of_the_player_to_move() -> None:
    """One for every choice of physical cards; none for chance."""
    position = position_json(scene(trump="S", south="KH1 KH2 QH1"))
    before = position_json(start(rules_of("cady"), "north"))

    actions = ok({"op": "legal", "position": position})["actions"]

    assert {"do": "declare", "meld": "marriage", "cards": ["KH2", "QH1"]} in actions
    assert {"do": "announce", "meld": "marriage", "cards": ["KH1", "QH1"]} in actions
    assert {"do": "draw"} in actions
    assert len(actions) == 5
    assert ok({"op": "legal", "position": before}) == {"actions": []}


def test_apply_gives_the_next_position_and_its_events() -> None:
    """A royal marriage of 40."""
    position = position_json(scene(trump="S", south="KS1 QS1"))
    done = {"do": "declare", "meld": "royal-marriage", "cards": ["QS1", "KS1"]}

    reply = ok({"op": "apply", "position": position, "action": done})

    assert reply["position"]["table"]["south"] == ["KS1", "QS1"]
    assert reply["position"]["points"]["south"] == {"hand": 40, "match": 40}
    assert reply["position"]["scored"] == [
        {"seat": "south", "meld": "royal-marriage", "cards": ["KS1", "QS1"]}
    ]
    assert reply["position"]["declared"] is True
    assert reply["events"] == [
        {"event": "show", "seat": "south", "cards": ["KS1", "QS1"]},
        {"event": "points", "seat": "south", "points": 40, "for": "royal-marriage"},
    ]


def test_refused_action_names_its_clause() -> None:
    """`illegal-action`, with the clause it breaks."""
    position = position_json(scene(trump="S", south="KS1 QS1"))
    done = {"do": "declare", "meld": "marriage", "cards": ["KS1", "QS1"]}

    refused = error({"op": "apply", "position": position, "action": done})

    assert refused["code"] == "illegal-action"
    assert refused["clause"] == "marriage/plain-suit"
    assert refused["message"].startswith("illegal declare marriage KS1 QS1: ")


def test_refused_condition_is_written_out() -> None:
    """What was tried, what was expected, and the clause."""
    position = position_json(scene(trump="H", south="KS1 QS1"))
    done = {"do": "play", "card": "KS1"}

    refused = error({"op": "apply", "position": position, "action": done})

    assert refused["message"] == (
        "illegal play KS1: expected phase in (lead, follow) [play/when]"
    )


def record(profile: str) -> dict[str, Any]:
    """Return a whole hand as a request."""
    rules = rules_of(profile)
    steps = list(walk(rules, 4, steered=True, hands=1))
    actions = [action_json(rules, done) for _, done, _, _ in steps]
    return {
        "op": "play",
        "profile": profile,
        "dealer": steps[0][0].dealer,
        "actions": actions,
    }


def test_play_replays_a_record() -> None:
    """`legal` counts before the action: none before the deal, eight cards to lead."""
    request = record("cady")

    reply = ok(request)

    assert [step["legal"] for step in reply["steps"][:2]] == [0, 8]
    assert len(reply["steps"]) == len(request["actions"])
    assert reply["position"]["phase"] == "deal"
    assert "seen" not in reply["steps"][0]


def test_play_tells_what_a_seat_saw() -> None:
    """A card drawn by the other is `??`; its own is named."""
    reply = ok({**record("cady"), "seat": "south"})

    deals = [event for event in reply["steps"][0]["seen"] if event["event"] == "deal"]
    draws = [
        event
        for step in reply["steps"]
        for event in step["seen"]
        if event["event"] == "draw"
    ]

    assert {event["seat"]: set(event["cards"]) == {"??"} for event in deals} == {
        "south": False,
        "north": True,
    }
    assert {event["card"] == "??" for event in draws if event["seat"] == "north"} == {
        True
    }
    assert {event["card"] == "??" for event in draws if event["seat"] == "south"} == {
        False
    }


def test_play_names_the_step_at_which_it_stopped() -> None:
    """Counted from 0, for what is illegal and for what cannot be read."""
    request = record("cady")
    twice = {**request, "actions": [*request["actions"][:3], request["actions"][2]]}
    unread = {**request, "actions": [*request["actions"][:2], {"do": "play"}]}

    assert (error(twice)["step"], error(twice)["code"]) == (3, "illegal-action")
    assert (error(unread)["step"], error(unread)["code"]) == (2, "bad-request")


def test_view_hides_what_the_seat_may_not_see() -> None:
    """Counts stay true; won tricks are hidden where looking is forbidden."""
    for profile in ("boussac", "cady"):
        position = position_json(
            scene(profile, trump="S", south="AH1", north="8H1", south_won="TH1 7H1")
        )

        seen = ok({"op": "view", "position": position, "seat": "south"})["position"]

        assert seen["hidden"] == {"south": ["AH1"], "north": ["??"]}
        assert seen["stock"] == ["??"] * len(position["stock"])
        assert seen["won"]["south"] == (
            ["??"] * 2 if profile == "boussac" else ["TH1", "7H1"]
        )


def test_position_given_is_never_changed() -> None:
    """A request can be repeated."""
    position = position_json(scene(trump="S", south="KS1 QS1"))
    request = {"op": "apply", "position": position, "action": {"do": "draw"}}
    before = copy.deepcopy(request)

    assert ok(request) == ok(request)
    assert request == before


def test_ids_are_echoed() -> None:
    """With replies and with errors, whatever short value they are."""
    for identity in (1, "a", None, [1, {"b": 2}], 1.5, "\ud800"):
        assert ask({"op": "hello", "id": identity})["id"] == identity
        assert ask({"op": "dance", "id": identity})["id"] == identity
    assert "id" not in ask({"op": "hello"})


def test_long_id_is_refused() -> None:
    """It would be echoed in every error."""
    reply = ask({"op": "hello", "id": "x" * 1000})

    assert reply["error"]["code"] == "bad-request"
    assert "id" not in reply


def test_quit_ends_it() -> None:
    """No reply, and nothing after it is read."""
    replies = served(b'{"op":"hello"}\n', b'{"op":"quit"}\n', b'{"op":"hello"}\n')

    assert len(replies) == 1


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        ({"op": "start", "profile": "whist", "dealer": "north"}, "unknown-profile"),
        ({"op": "start", "profile": "cady", "dealer": "west"}, "bad-request"),
        ({"op": "start", "profile": "cady"}, "bad-request"),
        (
            {
                "op": "start",
                "profile": "luso",
                "options": {"target": 7},
                "dealer": "north",
            },
            "bad-option",
        ),
        (
            {"op": "start", "profile": "cady", "options": {"x": 1}, "dealer": "north"},
            "bad-option",
        ),
        (
            {
                "op": "start",
                "profile": "boussac",
                "options": {"target": True},
                "dealer": "north",
            },
            "bad-option",
        ),
        (
            {
                "op": "start",
                "profile": "boussac",
                "options": {"turn_up": 1},
                "dealer": "north",
            },
            "bad-option",
        ),
        ({"op": "dance"}, "bad-request"),
        ({}, "bad-request"),
        ([], "bad-request"),
    ],
)
def test_codes_of_errors(request_: object, code: str) -> None:
    """Each kind of fault has its own."""
    assert error(request_)["code"] == code


def test_bad_position_tells_all_problems() -> None:
    """A card twice, another missing, a phase that cannot be."""
    position = position_json(new_hand(rules_of("cady")))
    position["stock"][0] = position["stock"][1]
    position["phase"] = "declare"

    refused = error({"op": "legal", "position": position})

    assert refused["code"] == "bad-position"
    for problem in ("more than once", "the whole pack", "winner_of_last_trick"):
        assert problem in refused["message"]


# --- recorded tables ------------------------------------------------------------------------


def test_lenient_deal_may_have_hands_of_the_wrong_size() -> None:
    """Where the table has rulings; strictly it is illegal."""
    rules = rules_of("boussac")
    position = start(rules, "north")
    written = action_json(rules, deal(position, shuffled(rules, 1)))
    written["stock"].append(written["south"].pop())
    request = {"op": "apply", "position": position_json(position), "action": written}

    strict, lenient = error(request), ok({**request, "lenient": True})

    assert strict["clause"] == "deal/hands-size"
    assert len(lenient["position"]["hidden"]["south"]) == 7
    refused = error({"op": "legal", "position": lenient["position"]})
    again = ok({"op": "legal", "position": lenient["position"], "lenient": True})
    assert refused["code"] == "bad-position"
    assert len(again["actions"]) == 7


def test_lenient_deals_are_for_tables_with_rulings() -> None:
    """Elsewhere a hand of the wrong size stays illegal."""
    rules = rules_of("cady")
    position = start(rules, "north")
    written = action_json(rules, deal(position, shuffled(rules, 1)))
    written["stock"].append(written["south"].pop())
    request = {"op": "apply", "position": position_json(position), "action": written}

    assert error({**request, "lenient": True})["clause"] == "deal/hands-size"


def test_long_messages_are_cut() -> None:
    """An error line stays short however much there is to tell."""
    told = error_json(BadPositionError(tuple("\ud800" * 90 for _ in range(9))))

    assert len(json.dumps(told)) < LONGEST_ERROR - LONGEST_ID
    assert told["message"].endswith("...")


def test_rulings_are_never_listed() -> None:
    """`legal` does not offer them."""
    position = position_json(scene("boussac", trump="S", south="KH1 QH1"))

    actions = ok({"op": "legal", "position": position, "lenient": True})["actions"]

    assert {action["do"] for action in actions} == {"declare", "draw"}


def test_deal_that_is_not_the_pack_is_illegal() -> None:
    """A card twice, a card of a third pack, a hand too large, a card turned up or not."""
    rules = rules_of("cady")
    position = start(rules, "north")
    good = action_json(rules, deal(position, shuffled(rules, 1)))
    twice = {**good, "stock": [good["stock"][1], *good["stock"][1:]]}
    third = {**good, "stock": ["QS3", *good["stock"][1:]]}
    large = {
        **good,
        "south": [*good["south"], good["stock"][0]],
        "stock": good["stock"][1:],
    }
    unturned = {**good, "turn_up": None, "stock": [*good["stock"], good["turn_up"]]}

    clauses = [
        error({"op": "apply", "position": position_json(position), "action": bad})[
            "clause"
        ]
        for bad in (twice, third, large, unturned)
    ]

    assert clauses == ["deal/cards", "deal/cards", "deal/hands-size", "deal/turned"]


# --- hostile lines ---------------------------------------------------------------------------


VALUES: tuple[Any, ...] = (
    None, True, 0, -1, 10**39, 1.5, "", "??", "AS1", "AS9", "ZZ1", "south", "chance",
    "\ud800", "\x00", "é" * 70, [], [[]], ["AS1", "AS1"], [None], [1], {}, {"south": []},
    {"seat": "south"}, ["AS1"] * 200, "x" * 5000,
)  # fmt: skip


def good_requests() -> list[dict[str, Any]]:
    """Return requests of every operation, rich in fields."""
    rich = scene(
        "cady",
        trump="S",
        turn_up="AS1",
        south="7S1 KH1 QH1",
        south_table="KS1 QS1",
        scored=scored("royal-marriage KS1 QS1"),
        points=(40, 0),
        earlier=((100, 200),),
        last_trick="AH1 8H1",
        south_won="AH1 8H1",
    )
    position = position_json(rich)
    ruled = position_json(
        scene("boussac", trump="S", barred=["north"], revoked=["south"])
    )
    dealt = record("boussac")
    dealt["actions"] = dealt["actions"][:4]
    ruling = {"do": "ruling", "irregularity": "too-many-cards", "seat": "south"}
    meld = {"do": "declare", "meld": "marriage", "cards": ["KH1", "QH1"]}
    return [
        {"op": "hello"},
        {
            "op": "start",
            "profile": "boussac",
            "options": {"target": 500},
            "dealer": "north",
        },
        {"op": "legal", "position": position},
        {"op": "legal", "position": ruled, "lenient": True},
        {"op": "apply", "position": position, "action": meld},
        {
            "op": "apply",
            "position": position,
            "action": {"do": "seven", "card": "7S1", "exchange": True},
        },
        {"op": "apply", "position": position, "action": {"do": "play", "card": "7S1"}},
        {"op": "apply", "position": ruled, "action": ruling, "lenient": True},
        {"op": "view", "position": position, "seat": "south"},
        {**dealt, "seat": "north", "options": {}},
    ]


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:  # noqa: ANN401
    """Yield the path of every value inside a JSON value."""
    items = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, item in items:
        yield (*at, key)
        yield from places(item, (*at, key))


def mutant(
    request: dict[str, Any], place: tuple[Any, ...], value: object
) -> dict[str, Any]:
    """Return a request with the value at one place replaced, or taken away."""
    changed: Any = copy.deepcopy(request)
    inner = changed
    for key in place[:-1]:
        inner = inner[key]
    if value is places and isinstance(inner, dict):
        del inner[place[-1]]
    else:
        inner[place[-1]] = None if value is places else value
    return dict(changed)


RAW: tuple[bytes, ...] = (
    b"", b" ", b"\t\r", b"{", b"}", b"[]", b"null", b'"op"', b"1", b"nonsense", b"{]",
    b'{"op":}', b'{"op":"hello"', b'{"op":"hello"}}', b"{'op':'hello'}", b'{op:"hello"}',
    b'{"op":NaN}', b'{"op":"hello","id":NaN}', b'{"op":"hello","id":Infinity}',
    b'{"op":"hello","id":-Infinity}', b'{"op":"hello","id":1e999}',
    b'{"op":"hello","id":-1e999}', b'{"op":"hello","id":' + b"9" * 5000 + b"}",
    b'{"op":"hello","id":' + b"9" * 41 + b"}", b'{"op":"hello","op":"hello"}',
    b'{"op":"start","op":"hello"}', b"\xff\xfe", b"\xc3", b'{"op":"\xff"}',
    b'{"op":"hello","id":"\xed\xa0\x80"}', b"\xef\xbb\xbf" + b'{"op":"hello"}',
    b"\x00", b'{"op":"view\x00"}', b'{"op":"\\u0000"}', b'{"op":"\\ud800"}',
    b'{"op":"start","profile":"\\udfff\\ud800","dealer":"north"}',
    b"[" * 100_000, b'{"a":' * 50_000, b'{"op":' + b"[" * 60 + b"]" * 60 + b"}",
    b'{"op":"hello","id":' + b"[" * 30_000 + b"]" * 30_000 + b"}",
    b'{"op":"legal","position":{}}', b'{"op":"' + b"\\\\" * 3000 + b'"}',
    b'{"op":"legal","position":{"profile":"cady","hand":' + b"9" * 4000 + b"}}",
)  # fmt: skip


def hostile(number: int, seed: int) -> Iterator[bytes]:
    """Yield lines that no referee should grant, or that it may only grant by chance."""
    requests = good_requests()
    by_chance = random.Random(seed)
    at = [list(places(request)) for request in requests]
    for index in range(number):
        if index < len(RAW):
            yield RAW[index]
        elif index % 10 == 0:
            yield by_chance.choice(RAW)
        elif index % 10 == 1:
            line = json.dumps(by_chance.choice(requests)).encode()
            cut = by_chance.randrange(1, len(line))
            yield by_chance.choice(
                [line[:cut], line[cut:], line[:cut] + b"\xff" + line[cut:]]
            )
        else:
            which = by_chance.randrange(len(requests))
            value = by_chance.choice([*VALUES, places])
            yield json.dumps(
                mutant(requests[which], by_chance.choice(at[which]), value)
            ).encode()


def check_hostile(number: int, seed: int) -> int:
    """Send hostile lines, each followed by a good one; return how many were refused."""
    refused = 0
    good = b'{"op":"start","profile":"cady","dealer":"south","id":7}\n'
    (expected,) = served(good)
    for line in hostile(number, seed):
        replies = io.BytesIO()
        REFEREE.serve(io.BytesIO(line + b"\n" + good), replies)
        lines = replies.getvalue().splitlines()
        assert len(lines) == 2, line[:200]
        reply = json.loads(lines[0])
        if "error" in reply:
            refused += 1
            assert len(lines[0]) < LONGEST_ERROR, line[:200]
            assert reply["error"]["code"] in CODES
            assert reply["error"]["message"]
        assert json.loads(lines[1]) == expected
    return refused


def test_hostile_lines_get_a_short_error_each() -> None:
    """The first lines are hostile for certain; of the mutants a few happen to be good."""
    number = 800

    assert check_hostile(number, 1) > number * 0.75


@pytest.mark.parametrize("line", [line for line in RAW if b"hello" not in line])
def test_lines_that_are_no_request_are_refused(line: bytes) -> None:
    """None of them is granted."""
    assert "error" in served(line + b"\n")[0]


@pytest.mark.long
def test_twenty_thousand_hostile_lines() -> None:
    """Mutants of every field of good requests among them."""
    assert check_hostile(20_000, 2) > 15_000


def test_line_of_ten_megabytes_gets_a_short_error() -> None:
    """It is not read into memory as a whole, and the next line is answered."""
    long = b'{"op":"hello","id":"' + b"x" * 10_000_000 + b'"}\n'

    replies = served(long, b'{"op":"hello","id":1}\n')

    assert replies[0]["error"]["code"] == "bad-request"
    assert len(json.dumps(replies[0])) < LONGEST_ERROR
    assert replies[1]["id"] == 1


@pytest.mark.parametrize("extra", [0, 1, 2, 3])
def test_lines_about_the_limit(extra: int) -> None:
    """The longest line is answered, a longer one refused, and the count of lines kept."""
    start_, end = b'{"op":"hello","x":"', b'"}'
    line = start_ + b"x" * (LONGEST_LINE - len(start_ + end) - 1 + extra) + end + b"\n"

    replies = served(line, b'{"op":"hello","id":1}\n')

    assert ("ok" in replies[0]) == (extra == 0)
    assert len(replies) == 2
    assert replies[1]["id"] == 1


def test_last_line_without_its_end_is_answered() -> None:
    """A stream may stop there."""
    assert served(b'{"op":"hello","id":3}')[0]["id"] == 3


def test_known_action_out_of_turn_is_illegal_and_unknown_one_too() -> None:
    """A refusal of the rules, not of the reader."""
    position = position_json(start(rules_of("cady"), "north"))
    for done in ({"do": "play", "card": "AS1"}, {"do": "draw"}, {"do": "dance"}):
        refused = error({"op": "apply", "position": position, "action": done})

        assert refused["code"] == "illegal-action"


def test_every_listed_action_can_be_applied() -> None:
    """`legal` and `apply` agree, over the protocol's own form."""
    for profile in PROFILES:
        position = position_json(new_hand(rules_of(profile)))
        for done in ok({"op": "legal", "position": position})["actions"]:
            assert "position" in ok(
                {"op": "apply", "position": position, "action": done}
            )


def test_view_of_the_player_to_move_lists_the_same_actions() -> None:
    """The engine answers from a view; the referee refuses a view as a position."""
    full = new_hand(rules_of("streak"))
    seen = ok({"op": "view", "position": position_json(full), "seat": full.turn})

    refused = error({"op": "legal", "position": seen["position"]})

    assert refused["code"] == "bad-position"
    assert "face down" in refused["message"]
    assert len(legal(full)) == 8
