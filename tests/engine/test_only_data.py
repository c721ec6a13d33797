"""The rules are data: under other names the engine plays the same game.

Names of ranks, suits, seats, melds and families are drawn anew and put in their places in
the rule file, laid flat; then every legal action, event, refusal and position is the same
but for the names.  Tables made on the fly change a rule each, with no change of code.
"""

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import bezique.engine
from bezique.engine import (
    Position,
    Rules,
    action_json,
    apply,
    deal,
    event_json,
    legal,
    position_json,
    read_action,
    shuffled,
    start,
    status,
    view,
)
from bezique.spec.load import built_in, load, load_text
from bezique.spec.overlay import flatten
from tests.engine.table import PROFILES, chosen, menu, new_hand, walk
from tests.tables import telling

NAME = st.from_regex(r"[B-Y][b-z]{1,3}", fullmatch=True)
SEAT = st.from_regex(r"z[a-z]{2,4}", fullmatch=True)
MELD = st.from_regex(r"z[a-z]{2,4}(-[a-z]{1,3})?", fullmatch=True)
RESERVED = {
    "None",
    "True",
    "Card",
    "Suit",
    "Seat",
    "Meld",
    "Rank",
    "Bool",
    "Int",
    "Word",
}


class _Flat(yaml.SafeDumper):
    """Writes everything out: rule files know no anchors."""

    def ignore_aliases(self, _: object) -> bool:
        """Return that nothing is written as an alias."""
        return True


@cache
def flat(profile: str) -> str:
    """Return the rule file of a profile laid flat, as a YAML text."""
    known = built_in()
    value = flatten(known[profile], known).value
    return yaml.dump(value, Dumper=_Flat, sort_keys=False, width=10**6)


class Renaming:
    """Other names for the names of a profile.

    Args:
        profile: A built-in profile.
        words: As many new names as there are ranks, suits, seats, melds and families.
    """

    def __init__(self, profile: str, new: Mapping[str, list[str]]) -> None:
        old = load(profile)
        families = list(dict.fromkeys(meld.family for meld in old.melds.values()))
        self.ranks = dict(zip(old.deck.ranks, new["ranks"], strict=True))
        self.suits = dict(zip(old.deck.suits, new["suits"], strict=True))
        self.seats = dict(zip(old.seats, new["seats"], strict=True))
        self.melds = dict(zip(old.melds, new["melds"], strict=False))
        self.families = dict(zip(families, new["families"], strict=False))
        text = self.rule_file(flat(profile))
        self.old, self.new = Rules(old), Rules(load_text(text, "renamed.yaml"))
        self.names = {**self.suits, **self.seats, **self.melds}
        for card in self.old.pack:
            name = self.ranks[card.rank] + self.suits[card.suit] + str(card.copy)
            self.names[str(card)] = name

    def rule_file(self, text: str) -> str:
        """Return the rule file with the new names."""
        value = yaml.safe_load(text)
        melds = {
            self.melds[name]: {**meld, "family": self.families[meld["family"]]}
            for name, meld in value["melds"].items()
        }
        renamed = self.everywhere({**value, "melds": melds}, self.in_text)
        return yaml.dump(renamed, Dumper=_Flat, sort_keys=False, width=10**6)

    def in_text(self, text: str) -> str:
        """Return a text of the rule file with ranks, suits, seats, families renamed."""
        words = {**self.ranks, **self.suits, **self.seats}
        words = {word: name for word, name in words.items() if not word.isdigit()}
        if re.fullmatch(r"[A-Z0-9 ]+", text) and " ".join(self.ranks) == text:
            return " ".join(self.ranks.values())
        text = re.sub(r"(?<=rank\(c\) == )\d+", lambda m: self.ranks[m[0]], text)
        text = re.sub(r"'([a-z-]+)'", self._family, text)
        return re.sub(r"\b[A-Za-z]+\b", lambda m: words.get(m[0], m[0]), text)

    def _family(self, match: re.Match[str]) -> str:
        return f"'{self.families.get(match[1], match[1])}'"

    def everywhere(self, value: Any, to: Callable[[str], str]) -> Any:  # noqa: ANN401
        """Return a plain value with every text, keys too, turned into another."""
        if isinstance(value, str):
            return to(value)
        if isinstance(value, list):
            return [self.everywhere(item, to) for item in value]
        if isinstance(value, dict):
            return {
                self.everywhere(key, to): self.everywhere(item, to)
                for key, item in value.items()
            }
        return value

    def mapped(self, written: Any) -> Any:  # noqa: ANN401
        """Return a JSON value of the old table as the new table would write it."""
        return self.everywhere(written, lambda text: self.names.get(text, text))


@st.composite
def renamings(draw: st.DrawFn, profile: str) -> Renaming:
    """Draw new names for a profile."""
    names = draw(st.lists(NAME, min_size=12, max_size=12, unique=True))
    lower = draw(st.lists(SEAT, min_size=2, max_size=2, unique=True))
    melds = draw(st.lists(MELD, min_size=24, max_size=24, unique=True))
    faces = {rank + suit for rank in names[:8] for suit in names[8:]}
    assume(not RESERVED & set(names) and len(faces) == 32)
    assume(not set(lower) & set(melds))
    return Renaming(
        profile,
        {
            "ranks": names[:8],
            "suits": names[8:],
            "seats": lower,
            "melds": melds[:16],
            "families": melds[16:],
        },
    )


def check_same_game(renaming: Renaming, seed: int, hands: int) -> None:
    """Play one match at both tables side by side."""
    old = start(renaming.old, renaming.old.seats[seed % 2])
    new = start(renaming.new, renaming.new.seats[seed % 2])
    step = 0
    while not old.over and (old.phase != "deal" or old.hand <= hands):
        step += 1
        if old.phase == "deal":
            pack = shuffled(renaming.old, f"{seed}/{step}")
            done = action_json(renaming.old, deal(old, pack))
        else:
            choices = [action_json(renaming.old, item) for item in legal(old)]
            others = [action_json(renaming.new, item) for item in legal(new)]
            assert others == renaming.mapped(choices)
            done = choices[chosen(seed, step, len(choices))]
        old, events = apply(old, read_action(old, done))
        new, told = apply(new, read_action(new, renaming.mapped(done)))
        assert [event_json(renaming.new, item) for item in told] == renaming.mapped(
            [event_json(renaming.old, item) for item in events]
        )
        assert same(position_json(new)) == same(renaming.mapped(position_json(old)))
        for seat, other in renaming.seats.items():
            seen = position_json(view(old, seat))
            assert same(position_json(view(new, other))) == same(renaming.mapped(seen))


def same(written: dict[str, Any]) -> dict[str, Any]:
    """Return a written position without the name of its profile's rules."""
    return {**written, "profile": "any"}


@pytest.mark.parametrize(
    "profile", telling(["cady", "streak", "luso-four-pack"], ["cady", "streak"])
)
@given(data=st.data())
@settings(max_examples=1, deadline=None)
def test_same_game_under_other_names(profile: str, data: st.DataObject) -> None:
    """Legal actions, events and positions of a whole hand are those of the old names."""
    renaming = data.draw(renamings(profile))

    check_same_game(renaming, data.draw(st.integers(0, 10**6)), hands=1)


@pytest.mark.long
@pytest.mark.parametrize("profile", PROFILES)
@given(data=st.data())
@settings(max_examples=6, deadline=None)
def test_same_matches_under_other_names(profile: str, data: st.DataObject) -> None:
    """The same over whole matches."""
    renaming = data.draw(renamings(profile))

    check_same_game(renaming, data.draw(st.integers(0, 10**6)), hands=99)


# --- tables made on the fly ---------------------------------------------------------------


def table(changes: str) -> Rules:
    """Return cady's rules with some changes laid over them."""
    text = f"profile: home\nbased_on: cady\nsource: a table at home\n{changes}\n"
    return Rules(load_text(text, "home.yaml"))


OVERLAYS = {
    "points": "melds: {bezique: {points: 100}}",
    "tens": "melds: {four-tens: {family: tens, level: 1, cards: 4 T, points: 90}}",
    "order": "deck: {ranks: T A K Q J 9 8 7}",
    "follow": "duties: {strict: {sets: [follows, any_card]}}",
    "one pack": "values: {packs: 1}\nmelds: {double-bezique: null}",
    "four packs": "values: {packs: 4}",
    "hand": "values: {hand_size: 6}\ndeal: {packets: {6: 2 2 2}}",
    "last": "values: {last_trick: 50}",
    "target": "values: {target: 300}",
    "suits": "deck: {suits: S H C D X}\ntables: {opposite: {S: X, X: D, D: S}}",
}


@pytest.mark.parametrize("name", OVERLAYS)
def test_table_made_on_the_fly_plays_a_match(name: str) -> None:
    """A random match of each comes to its end, every position sound."""
    rules = table(OVERLAYS[name])
    last = None

    for _, _, after, _ in walk(rules, 3, steered=True):
        assert status(after) == ()
        last = after

    assert last is not None
    assert last.winner in (*rules.seats, "draw")
    assert max(last.match_points.values()) >= rules.values["target"]


def meeting(rules: Rules, **hands: str) -> Position:
    """Return a hand dealt so that the seats hold the named cards first of all."""
    wanted = {seat: hands.get(seat, "").split() for seat in rules.seats}
    named = {card for cards in wanted.values() for card in cards}
    rest = [card for card in map(str, rules.pack) if card not in named]
    # The last card of the pack that nobody holds is turned up.
    turned = rest.pop() if rules.turns_up else None
    for cards in wanted.values():
        missing = rules.hand_size - len(cards)
        cards.extend(rest[:missing])
        del rest[:missing]
    position = start(rules, "north")
    written_deal = {"do": "deal", **wanted, "turn_up": turned, "stock": rest}
    return apply(position, read_action(position, written_deal))[0]


def played(position: Position, *cards: str) -> Position:
    """Return the position after some cards."""
    for card in cards:
        done = read_action(position, {"do": "play", "card": card})
        position, _ = apply(position, done)
    return position


def worth(position: Position, meld: str, cards: str) -> int:
    """Return what a declaration pays."""
    done = {"do": "declare", "meld": meld, "cards": cards.split()}
    after, _ = apply(position, read_action(position, done))
    seat = position.turn or ""
    return after.hand_points[seat] - position.hand_points[seat]


def test_other_points_are_paid() -> None:
    """A bezique of 100."""
    position = meeting(table(OVERLAYS["points"]), south="QS1 JD1 AH1", north="8H1")

    assert worth(played(position, "AH1", "8H1"), "bezique", "QS1 JD1") == 100


def test_new_meld_is_offered_and_paid() -> None:
    """Four tens 90, which no built-in table counts."""
    tens = "TS1 TH1 TC1 TD1"
    position = meeting(table(OVERLAYS["tens"]), south=f"{tens} AH1", north="8H1")
    after = played(position, "AH1", "8H1")

    assert worth(after, "four-tens", tens) == 90
    assert "declare four-tens TC1 TD1 TH1 TS1" in menu(after)


def test_other_order_of_ranks_wins_tricks() -> None:
    """A ten above the ace."""
    position = meeting(table(OVERLAYS["order"]), south="AH1", north="TH1")

    assert played(position, "AH1", "TH1").taker == "north"


def test_other_duty_binds() -> None:
    """Follow suit and no more: a lower card of the suit, or anything."""
    rules = table(OVERLAYS["follow"])
    ending = [
        p
        for p, _, _, _ in walk(rules, 5, hands=1)
        if p.phase == "follow" and not p.left
    ]

    for position in ending:
        led, seat = position.trick[0], position.turn or ""
        hand = position.held(seat)
        expected = {c for c in hand if c.suit == led.suit} or hand
        assert menu(position, "play") == {f"play {card}" for card in expected}
    assert len(ending) == 8


def test_other_packs_and_hands_are_dealt() -> None:
    """32 or 128 cards, hands of six."""
    sizes = {
        name: (len(rules.pack), rules.hand_size, len(new_hand(rules).stock))
        for name in ("one pack", "four packs", "hand")
        for rules in [table(OVERLAYS[name])]
    }

    assert sizes == {
        "one pack": (32, 8, 15),
        "four packs": (128, 8, 111),
        "hand": (64, 6, 51),
    }


def test_last_trick_of_fifty_is_paid() -> None:
    """Told as ever, with its own points."""
    steps = list(walk(table(OVERLAYS["last"]), 5, hands=1))
    told = [
        e.fields["points"] for e in steps[-1][3] if e.fields.get("for") == "last-trick"
    ]

    assert told == [50]


# --- nothing of the game in the code -----------------------------------------------------


def constants(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the texts in the code of a folder, documentation aside."""
    for file in sorted(folder.rglob("*.py")):
        tree = ast.parse(file.read_text("utf-8"))
        prose = {
            id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)
        }
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and id(node) not in prose
            ):
                yield file.name, node.value


def names_of_the_game() -> set[str]:
    """Return the names of profiles, melds, families and cards."""
    names: set[str] = set()
    for name in PROFILES:
        rules = Rules(load(name))
        profile = rules.profile
        names |= {name, *profile.melds}
        names |= {meld.family for meld in profile.melds.values()}
        names |= {card.face for card in rules.pack} | set(rules.cards)
    return names


def test_code_names_no_meld_no_card_and_no_profile() -> None:
    """What is played stands in the rule files alone."""
    folder = Path(bezique.engine.__file__).parent
    # The game itself has the name of one of its melds.
    names = names_of_the_game() - {"bezique"}

    found = [
        (file, word)
        for file, text in constants(folder)
        for word in re.findall(r"[A-Za-z0-9-]+", text)
        if word in names
    ]

    assert found == []
