"""Broken rule files: every fault has its exact message, place and code.

The expected messages are written by hand from the text above them: lines and columns
are counted, not computed.  `{base.NAME}` is where base.yaml gives NAME, since items
that no overlay touches keep the mark of the file below.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, get_args

import pytest

from bezique.spec import RulesError, load_file, load_text
from bezique.spec.codes import Code
from bezique.spec.data import rules_folder

EFFECTS = "put, show, swap, draw, fill, gather, pay, carry_out, win"
FAMILIES = "court, bezique, aces, kings, queens, jacks"
STATE = "trump, scored, pending, declared, sevens, revoked, barred, taken"
PROFILES = "base, boussac, cady, luso, luso-blind, luso-four-pack, rules, streak"
PLAIN = "expected true, false, null, a whole number, or quotes:"
APART = "which YAML readers take differently"
LONG = "left" + " + left" * 400


class Broken(NamedTuple):
    """A text and what is wrong with it; the lines before the text are not counted."""

    name: str
    text: str
    messages: list[str]


def file_case(name: str, text: str, *messages: str) -> Broken:
    """Return a case whose text is the whole file."""
    return Broken(name, text, [f"rules.yaml:{message}" for message in messages])


def cady_case(name: str, text: str, *messages: str) -> Broken:
    """Return a case whose text, from line 2 on, is laid over the profile cady."""
    return file_case(name, f"based_on: cady\n{text}\n", *messages)


CASES = [
    # --- the file as a text ---
    file_case(
        "empty", "", "1:1: expected a mapping, got an empty file @ (file) [yaml-empty]"
    ),
    file_case(
        "a list at the top",
        "- a\n",
        "1:1: expected a mapping, got a list @ (file) [shape]",
    ),
    file_case(
        "null at the top",
        "null\n",
        "1:1: expected a mapping, got null @ (file) [shape]",
    ),
    file_case(
        "not YAML",
        "values: {ace: 11",
        "1:17: expected YAML, got expected ',' or '}', but got '<stream end>'"
        " @ (file) [yaml-syntax]",
    ),
    file_case(
        "a character that YAML forbids",
        "source: a\nprofile: \x07",
        "2:10: expected characters that YAML allows, got the character 0x0007"
        " @ (file) [yaml-syntax]",
    ),
    file_case(
        "two documents",
        "---\na: 1\n---\nb: 2\n",
        "3:1: expected one YAML document, got another @ (file) [yaml-documents]",
    ),
    file_case(
        "deep nesting",
        "a: " + "[" * 41 + "]" * 41,
        "1:44: expected at most 40 levels, got one more @ (file) [yaml-depth]",
    ),
    file_case(
        "a huge file",
        "#" * 200_001,
        "1:1: expected a file of at most 200000 characters, got 200001"
        " @ (file) [file-size]",
    ),
    cady_case(
        "half a character",
        'source: "\\ud83c"',
        "2:9: expected whole characters, got '\\ud83c' @ source [yaml-syntax]",
    ),
    cady_case(
        "an anchor",
        "values: {ace: &x 11}",
        "2:15: expected the value itself, got the anchor &x @ (file) [yaml-anchor]",
    ),
    cady_case(
        "an alias",
        "values: {ace: &x 11, brisque: *x}",
        "2:15: expected the value itself, got the anchor &x @ (file) [yaml-anchor]",
        "2:31: expected the value itself, got the alias *x @ (file) [yaml-alias]",
    ),
    cady_case(
        "a tag",
        "source: !!str D2",
        "2:9: expected the value itself, got the tag tag:yaml.org,2002:str"
        " @ (file) [yaml-tag]",
    ),
    cady_case(
        "a list as key",
        "[a]: 1",
        "2:1: expected a name as key, got a collection @ (file) [yaml-key]",
    ),
    cady_case(
        "a key twice",
        "values:\n  ace: 11\n  ace: 12",
        "4:3: expected each key once, got 'ace' again @ values [yaml-duplicate]",
    ),
    cady_case(
        "the word no",
        "values: {turn_up: no}",
        f"2:19: {PLAIN} 'no', got no, {APART} @ values.turn_up [yaml-surprise]",
    ),
    cady_case(
        "a number with a leading zero",
        "values: {ace: 010}",
        f"2:15: {PLAIN} '010', got 010, {APART} @ values.ace [yaml-surprise]",
    ),
    cady_case(
        "a number with a point",
        "values: {ace: 1.5}",
        f"2:15: {PLAIN} '1.5', got 1.5, {APART} @ values.ace [yaml-surprise]",
    ),
    cady_case(
        "a date",
        "source: 1896-01-01",
        f"2:9: {PLAIN} '1896-01-01', got 1896-01-01, {APART} @ source [yaml-surprise]",
    ),
    cady_case(
        "nothing",
        "source:",
        f"2:8: {PLAIN} '', got nothing, {APART} @ source [yaml-surprise]",
    ),
    cady_case(
        "the key on",
        "values: {on: 1}",
        f"2:10: expected the key in quotes: 'on', got on, {APART}"
        " @ values [yaml-surprise]",
    ),
    cady_case(
        "a number of 16 digits",
        "values: {ace: 1234567890123456}",
        "2:15: expected a whole number of at most 15 digits, got 16 digits"
        " @ values.ace [yaml-number]",
    ),
    # --- overlays ---
    file_case(
        "an unknown base",
        "based_on: nowhere\n",
        f"1:11: expected a base ({PROFILES}), got 'nowhere' @ based_on [unknown-base]",
    ),
    file_case(
        "a file based on itself",
        "based_on: rules\n",
        "1:11: expected bases that end, got the circle rules over rules"
        " @ based_on [overlay-cycle]",
    ),
    cady_case(
        "null for what the base has not",
        "values: {speed: null}",
        "2:10: expected null only for an item of the base,"
        " got 'speed', which the base has not @ values.speed [nothing-to-remove]",
    ),
    # --- shape ---
    cady_case(
        "an unknown key",
        "colour: red",
        "2:1: expected a key of the language, got 'colour' @ colour [unknown-key]",
    ),
    cady_case(
        "a missing key",
        "melds: {pair: {family: pairs, level: 1, cards: 2 Q}}",
        "2:15: expected the key 'points', got none @ melds.pair.points [missing-key]",
    ),
    cady_case(
        "a list for a mapping",
        "values: [1]",
        "2:9: expected a mapping, got a list @ values [shape]",
    ),
    cady_case(
        "a text for a value",
        "values: {ace: eleven}",
        "2:15: expected true or false or a whole number, got 'eleven'"
        " @ values.ace [shape]",
    ),
    cady_case(
        "a name with a capital",
        "readings: {growth: Grow}",
        "2:20: expected a name such as four-kings, got 'Grow'"
        " @ readings.growth [shape]",
    ),
    cady_case(
        "a key that is no clause",
        "invariants: {position: true}",
        "2:14: expected a clause such as strict/heads, got 'position'"
        " @ invariants.position [shape]",
    ),
    cady_case(
        "a moment that never comes",
        "after: {late/x: {upon: noon, do: []}}",
        "2:24: expected 'deal', 'play', 'trick', 'draw', 'closed', 'hand'"
        " or 'change', got 'noon' @ after.late/x.upon [shape]",
    ),
    cady_case(
        "a number for a statement",
        "actions: {draw: {do: [7]}}",
        "2:23: expected a text, got 7 @ actions.draw.do[0] [shape]",
    ),
    cady_case(
        "level zero",
        "melds: {bezique: {level: 0}}",
        "2:26: expected a number from 1 up, got 0 @ melds.bezique.level [shape]",
    ),
    cady_case(
        "an unknown way to the first dealer",
        "series: {dealer: {by: vote}}",
        "2:23: expected 'cut', 'lot', 'rule', got 'vote' @ series.dealer.by [shape]",
    ),
    # --- expressions ---
    cady_case(
        "an unknown name",
        "terms:\n  spare: left - drawn",
        "3:17: expected a known name, got drawn @ terms.spare [unknown-name]",
    ),
    cady_case(
        "an unknown name in quotes",
        'terms: {spare: "left - drawn"}',
        "2:24: expected a known name, got drawn @ terms.spare [unknown-name]",
    ),
    cady_case(
        "an unknown name in a folded text",
        "terms:\n  spare: >-\n    left -\n    drawn",
        "3:10: expected a known name, got drawn @ terms.spare [unknown-name]",
    ),
    cady_case(
        "an unknown function",
        "terms: {best: max(totl(p) for p in seats)}",
        "2:19: expected a known function or term, got totl(p)"
        " @ terms.best [unknown-name]",
    ),
    cady_case(
        "a number for a truth value",
        "verdict:\n  match/target: {if: best + 1}",
        "3:22: expected a value of type Bool, got Int (best + 1)"
        " @ verdict.match/target.if [type]",
    ),
    cady_case(
        "a suit compared with a rank",
        "terms: {odd(c): suit(c) == rank(c)}",
        "2:28: expected a value of type Suit, got Rank (rank(c)) @ terms.odd(c) [type]",
    ),
    cady_case(
        "readings of two types",
        "choices: {luck: {good: true, bad: 7}}\nreadings: {luck: good}",
        "2:35: expected readings of one type, Bool, got Int (7)"
        " @ choices.luck.bad [type]",
    ),
    cady_case(
        "a loop over a number",
        "actions: {draw: {do: [{for: x in left, do: []}]}}",
        "2:34: expected a set or list, got Int (left) @ actions.draw.do[0].for [type]",
    ),
    cady_case(
        "an operator too many",
        "terms: {spare: left + * 2}",
        "2:23: expected an expression, got '* 2' @ terms.spare [syntax]",
    ),
    cady_case(
        "an operator that is not of the language",
        "terms: {spare: left ** 2}",
        "2:16: expected one of + - * // % |, got left ** 2 @ terms.spare [syntax]",
    ),
    cady_case(
        "a form that is not of the language",
        'terms: {spare: "left + (lambda: 1)"}',
        "2:25: expected an expression of the rules language, got lambda: 1"
        " @ terms.spare [syntax]",
    ),
    cady_case(
        "a comment in an expression",
        'terms: {spare: "left # what is left"}',
        "2:22: expected signs of the language, got the character '#'"
        " @ terms.spare [syntax]",
    ),
    cady_case(
        "an empty expression",
        'terms: {spare: ""}',
        "2:17: expected an expression, got nothing @ terms.spare [syntax]",
    ),
    cady_case(
        "a huge expression",
        f"terms: {{spare: {LONG}}}",
        "2:16: expected at most 2000 characters, got 2804 characters"
        " @ terms.spare [expression-size]",
    ),
    cady_case(
        "a deep expression",
        f"terms: {{odd: {'not ' * 60}turn_up}}",
        "2:14: expected at most 40 levels, got a deeper text"
        " @ terms.odd [expression-depth]",
    ),
    cady_case(
        "too many arguments of a term",
        "terms: {far(c): 'heads(c, c)'}",
        "2:18: expected heads(Card), got 2 arguments @ terms.far(c) [arguments]",
    ),
    cady_case(
        "too many arguments of an effect",
        "actions: {draw: {do: ['draw(me)']}}",
        "2:24: expected draw without arguments, got 1 argument"
        " @ actions.draw.do[0] [arguments]",
    ),
    cady_case(
        "an unknown effect",
        "actions: {draw: {do: [drawn()]}}",
        f"2:23: expected an effect ({EFFECTS}), got drawn"
        " @ actions.draw.do[0] [unknown-effect]",
    ),
    cady_case(
        "an unknown part of the state",
        "actions: {draw: {do: [trumps = S]}}",
        f"2:23: expected a part of the state ({STATE}), got trumps"
        " @ actions.draw.do[0] [unknown-state]",
    ),
    cady_case(
        "an expression for a statement",
        "actions: {draw: {do: [left]}}",
        "2:23: expected an assignment or an effect, got left"
        " @ actions.draw.do[0] [statement]",
    ),
    cady_case(
        "a family that no meld has",
        "terms: {royal(m): m.family == 'cort'}",
        f"2:31: expected one of {FAMILIES}, got 'cort' @ terms.royal(m) [unknown-word]",
    ),
    cady_case(
        "an unknown part of a meld",
        "terms: {royal(m): m.worth == 20}",
        "2:19: expected a part of a meld (cards, family, level, points, name, seat),"
        " got worth @ terms.royal(m) [unknown-part]",
    ),
    cady_case(
        "the reading of an unknown choice",
        "terms: {lucky: \"reading('luck') == 'good'\"}",
        "2:25: expected the name of a choice, got 'luck'"
        " @ terms.lucky [unknown-choice]",
    ),
    cady_case(
        "the largest of perhaps none",
        "terms: {top: max(worth(c) for c in trick)}",
        "2:36: expected max over the seats, got list of Card (trick)"
        " @ terms.top [maybe-empty]",
    ),
    cady_case(
        "a divisor that may be zero",
        "terms: {half: left // hand}",
        "2:23: expected a number from 1 to divide by, got hand @ terms.half [divisor]",
    ),
    cady_case(
        "points that are not known before the deal",
        'melds: {bezique: {points: "10 if 1 in (1, 2) else 20"}}',
        "2:28: expected a value known before any card is dealt,"
        " got 10 if 1 in (1, 2) else 20 @ melds.bezique.points [not-static]",
    ),
    cady_case(
        "a variable that hides a fact",
        "terms: {same: any(left == 1 for left in trick)}",
        "2:33: expected a new name for the variable, got left, which is a fact"
        " @ terms.same [shadow]",
    ),
    cady_case(
        "terms in a circle",
        "terms:\n  one: two\n  two: three\n  three: one",
        "5:10: expected terms that end, got the circle one → two → three → one"
        " @ terms.three [term-cycle]",
    ),
    cady_case(
        "terms upon terms",
        "terms:\n  t0: turn_up\n"
        + "\n".join(f"  t{n}: not t{n - 1}" for n in range(1, 61)),
        "53:8: expected at most 100 levels with its terms written out,"
        " got t50 with 101 @ terms.t50 [term-depth]",
    ),
    # --- the parts of a profile ---
    cady_case(
        "a letter of no type",
        "letters: {x: Crad}",
        "2:14: expected a type such as Card or set of Card, got 'Crad'"
        " @ letters.x [unknown-type]",
    ),
    cady_case(
        "state that cannot be emptied",
        "state: {banker: {type: Seat, per: hand}}",
        "2:24: expected a type that can be empty: Bool, Int, a set, a list, or None,"
        " got Seat @ state.banker.type [no-empty-value]",
    ),
    cady_case(
        "an action that takes a number",
        "actions: {bid: {takes: {amount: Int}, if: {}, do: []}}",
        "2:33: expected Card, Meld, Seat, Suit, Rank, Bool or a list of words,"
        " got 'Int' @ actions.bid.takes.amount [unknown-type]",
    ),
    cady_case(
        "an unknown letter",
        "terms: {far(x): true}",
        "2:9: expected a letter of the file (c, d, exchange, m, s, q, j, p), got x"
        " @ terms.far(x) [unknown-letter]",
    ),
    cady_case(
        "a value with the name of a term",
        "values: {best: 3}",
        "2:10: expected a name not used yet, got best, which is a term"
        " @ values.best [name-twice]",
    ),
    cady_case(
        "a term with the name of a fact",
        "terms: {led: true}",
        "2:9: expected a name not used yet, got led, which is a fact"
        " @ terms.led [name-twice]",
    ),
    cady_case(
        "a term that the language needs",
        "terms: {'beats(c, d)': null}",
        "{base.stock_open}: expected the term beats(Card, Card), true or false,"
        " got none @ terms [missing-term]",
    ),
    cady_case(
        "a table without a suit",
        "tables: {twin: {S: H, H: S, C: D}}",
        "2:10: expected every suit of the deck (S H C D) once on each side, got no D"
        " @ tables.twin [table]",
    ),
    cady_case(
        "a choice without a reading",
        "choices: {luck: {good: true, bad: false}}",
        "2:11: expected a reading that picks one of good, bad, got none"
        " @ choices.luck [reading-missing]",
    ),
    cady_case(
        "an unknown reading",
        "readings: {growth: wild}",
        "2:20: expected one of grow, fresh, at-once, got 'wild'"
        " @ readings.growth [unknown-reading]",
    ),
    cady_case(
        "a reading of an unknown choice",
        "readings: {luck: good}",
        "2:12: expected the name of a choice, got luck"
        " @ readings.luck [unknown-choice]",
    ),
    cady_case(
        "a rank twice",
        "deck: {ranks: A T K Q J 9 8 7 7}",
        "2:15: expected each name once, got 7 again @ deck.ranks [deck]",
    ),
    cady_case(
        "two cards of one name",
        "deck: {ranks: A T K Q J 9 8 7 AS, suits: S H C D SS}\n"
        "tables: {opposite: {SS: SS}}",
        "2:42: expected ranks and suits that give each card its own name,"
        " got two cards ASS @ deck.suits [deck]",
    ),
    cady_case(
        "one seat",
        "seats: south",
        "2:8: expected at least two seats, got one @ seats [seats]",
    ),
    cady_case(
        "brackets left open in cards",
        "melds: {bezique: {cards: Q(q}}",
        "2:26: expected cards such as K(s), 2 Q(q), 4 A, got 'Q(q'"
        " @ melds.bezique.cards [card-pattern]",
    ),
    cady_case(
        "an unknown rank",
        "melds: {bezique: {cards: Q(q) X(j)}}",
        "2:31: expected a rank of the deck (A, T, K, Q, J, 9, 8, 7), got X"
        " @ melds.bezique.cards [unknown-rank]",
    ),
    cady_case(
        "an unknown suit",
        "melds: {bezique: {cards: Q(q) J(z)}}",
        "2:33: expected a suit of the deck or a letter for suits"
        " (S, H, C, D; s, q, j), got z @ melds.bezique.cards [unknown-suit]",
    ),
    cady_case(
        "an option of nothing",
        "options: {speed: {min: 1}}",
        "2:11: expected the name of a value or choice, got speed"
        " @ options.speed [unknown-option]",
    ),
    cady_case(
        "an option without its default",
        "options: {target: {values: [500, 1500]}}",
        "2:28: expected the default 1000 among the values, got 500, 1500"
        " @ options.target.values [option]",
    ),
    cady_case(
        "an option with neither values nor limits",
        "options: {target: {}}",
        "2:19: expected `values`, or for a whole number `min`, got neither"
        " @ options.target [option]",
    ),
    cady_case(
        "an option of another kind than its default",
        "options: {target: {values: [1000, many]}}",
        "2:35: expected a whole number like the default 1000, got 'many'"
        " @ options.target.values[1] [option]",
    ),
    cady_case(
        "limits that leave the default out",
        "options: {target: {min: 1500, max: 2000}}",
        "2:19: expected limits around the default 1000, got 1500 to 2000"
        " @ options.target [option]",
    ),
    cady_case(
        "limits for the size of hands",
        "options: {hand_size: {min: 6}}",
        "2:22: expected listed values, since the deal depends on them, got limits"
        " @ options.hand_size [option]",
    ),
    cady_case(
        "a duty of an unknown set",
        "duties: {free: {sets: [any, any_card]}}",
        "2:24: expected a term of one card, got any @ duties.free.sets[0] [unknown-set]",
    ),
    cady_case(
        "a duty that may be empty",
        "duties:\n  strict: {sets: [heads, follows]}",
        "3:26: expected a last set that holds every card,"
        " got follows, which may hold none @ duties.strict.sets[1] [duty-empty]",
    ),
    cady_case(
        "a set after which nothing binds",
        "duties:\n  strict: {sets: [any_card, heads, any_card]}",
        "3:19: expected the set of every card last,"
        " got any_card, after which nothing binds"
        " @ duties.strict.sets[0] [duty-dead]",
    ),
    cady_case(
        "a last duty with a condition",
        "duties: {strict: {when: stock_open}}",
        "2:25: expected true for the last duty, got stock_open"
        " @ duties.strict.when [duty-open]",
    ),
    cady_case(
        "a waiver of an unknown clause",
        "waivers: {revoke/noted: {waives: play/suit, do: []}}",
        "2:34: expected a condition of an action, got play/suit"
        " @ waivers.revoke/noted.waives [unknown-clause]",
    ),
    cady_case(
        "a player at no seat",
        "series: {player: west}",
        "2:18: expected a seat (south, north), got west @ series.player [unknown-seat]",
    ),
    cady_case(
        "packets that make another hand",
        "deal: {packets: {8: 3 2 2}}",
        "2:21: expected packets that make 8 cards, got '3 2 2'"
        " @ deal.packets.8 [packets]",
    ),
    # --- the profile as a whole ---
    cady_case(
        "a hand size without packets",
        "values: {hand_size: 7}",
        "{base.packets}: expected packets for hands of 7, got 8, 9, 10"
        " @ deal.packets [packets]",
    ),
    cady_case(
        "no pack at all",
        "deck: {packs: 0}",
        "2:15: expected at least one pack, got 0 @ deck.packs [packs]",
    ),
    cady_case(
        "hands larger than the deck",
        "deal: {hand_size: 40, packets: {40: 40}}",
        "2:19: expected hands that 64 cards can fill, got hands of 40"
        " @ deal.hand_size [hand-size]",
    ),
    # 64 cards, three hands of eight: 40 are left, one more than 13 rounds of three.
    cady_case(
        "a stock that comes out uneven",
        "seats: south east north\ndeal: {hand_size: 8}",
        "3:19: expected a stock that 3 seats draw evenly, got 40 cards left"
        " @ deal.hand_size [stock-uneven]",
    ),
    cady_case(
        "a meld that no hand can hold",
        "melds:\n  eight-aces: {family: aces, level: 2, cards: 8 A, points: 200}",
        "3:47: expected at most 7 cards, which a player declares from, got 8"
        " @ melds.eight-aces.cards [meld-too-large]",
    ),
    cady_case(
        "more cards of a rank than the packs hold",
        "melds:\n"
        "  three-aces: {family: aces, level: 2, cards: A(S) 2 A(S), points: 200}",
        "3:47: expected at most 2 of A, which the packs hold, got 3"
        " @ melds.three-aces.cards [meld-too-many]",
    ),
    cady_case(
        "a list of what scored by another name",
        "state: {scored: {type: set of Card}}\nactions: {declare: {do: [draw()]}}\n"
        "choices:\n"
        "  reuse(m): {cross-marriages: null, the-pair: null}\n"
        "  sequence_after(m): {required: true}\n"
        "  plain_grows(m): {never: true}",
        "2:24: expected a part scored of type list of Meld, which `spent` reads,"
        " got set of Card @ state.scored.type [unknown-state]",
    ),
    # --- the sentences it brings ---
    cady_case(
        "a sentence with a bare number",
        "sentences:\n  en:\n    last-trick/points: The last trick scores 10 points.",
        "4:24: expected the slot {last_trick}, with which the rule counts,"
        " got a sentence without it"
        " @ sentences.en.last-trick/points [sentence-value]",
        "4:46: expected a slot for a number, got '10'"
        " @ sentences.en.last-trick/points [sentence-number]",
    ),
    cady_case(
        "a sentence with a card's name",
        "sentences: {en: {play/when: A king is played in turn.}}",
        "2:31: expected a slot for a rank, suit or card, got 'king'"
        " @ sentences.en.play/when [sentence-name]",
    ),
    cady_case(
        "a slot that nothing fills",
        "sentences:\n  en:\n    play/when: One plays {gladly}.",
        "4:26: expected a slot that the rules fill in cady, got '{gladly}'"
        " @ sentences.en.play/when [sentence-slot]",
    ),
    cady_case(
        "a sentence for no rule",
        "sentences: {en: {play/fair: One plays fair.}}",
        "2:29: expected a rule of the profile, got 'play/fair'"
        " @ sentences.en.play/fair [sentence-stale]",
    ),
    cady_case(
        "sentences in a language without a file",
        "sentences: {tlh: {play/when: bIQaw.}}",
        "2:18: expected one of en, es, fr, pt, got 'tlh'"
        " @ sentences.tlh [unknown-language]",
    ),
]


def base_places() -> dict[str, str]:
    """Return `base.yaml:line:column` of some items, found by reading its lines."""
    lines = (rules_folder() / "base.yaml").read_text(encoding="utf-8").split("\n")
    # A block mapping begins with its first key, one in brackets with the bracket.
    wanted = {"stock_open": r"  (?=stock_open:)", "packets": r"  packets: (?=\{)"}
    places: dict[str, str] = {}
    for name, pattern in wanted.items():
        [(number, match)] = [
            (number, match)
            for number, line in enumerate(lines, 1)
            if (match := re.match(pattern, line))
        ]
        places[name] = f"base.yaml:{number}:{match.end() + 1}"
    return places


def filled(messages: list[str]) -> Iterator[str]:
    """Yield messages with the places of base.yaml filled in."""
    places = base_places()
    for message in messages:
        name = re.match(r"rules\.yaml:\{base\.(\w+)\}", message)
        yield places[name[1]] + message[name.end() :] if name else message


def problems_of(text: str) -> list[str]:
    """Return the problems of a text, in the order given."""
    with pytest.raises(RulesError) as caught:
        load_text(text)
    return [str(problem) for problem in caught.value.problems]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_broken_file_has_this_message_and_no_other(case: Broken) -> None:
    """The message says what was expected and got, where, and under which code."""
    assert problems_of(case.text) == list(filled(case.messages))


def test_file_that_does_not_exist_is_a_problem(tmp_path: Path) -> None:
    """The system's reason stands in the message."""
    file = tmp_path / "none.yaml"

    with pytest.raises(RulesError) as caught:
        load_file(file)

    assert str(caught.value) == (
        f"{file}:1:1: expected a readable file, got No such file or directory"
        " @ (file) [file]"
    )


def test_byte_that_is_not_utf_8_is_found_in_its_line(tmp_path: Path) -> None:
    """An é in Latin-1 is the byte 0xe9, here the ninth of its line."""
    file = tmp_path / "broken.yaml"
    file.write_bytes(b"based_on: cady\nsource: \xe9cart\xe9\n")

    with pytest.raises(RulesError) as caught:
        load_file(file)

    assert str(caught.value) == (
        "broken.yaml:2:9: expected UTF-8, got the byte 0xe9 @ (file) [encoding]"
    )


def test_two_files_based_on_each_other_are_a_circle(tmp_path: Path) -> None:
    """The circle is told from the file that was asked for."""
    (tmp_path / "hen.yaml").write_text("source: a\nbased_on: egg\n", encoding="utf-8")
    (tmp_path / "egg.yaml").write_text("based_on: hen\n", encoding="utf-8")

    with pytest.raises(RulesError) as caught:
        load_file(tmp_path / "hen.yaml")

    assert str(caught.value) == (
        "egg.yaml:1:11: expected bases that end, got the circle hen over egg over hen"
        " @ based_on [overlay-cycle]"
    )


def test_all_faults_of_a_file_are_told_at_once_in_order() -> None:
    """Faults of the text, of names, of expressions and of duties come together."""
    text = (
        "based_on: cady\n"
        "readings: {growth: wild}\n"
        "source: no\n"
        "terms: {spare: left - drawn, 'far(x)': true}\n"
        "duties: {strict: {sets: [heads, follows]}}\n"
        "verdict: {match/target: {if: bst > 1, winner: lead}}\n"
        "sentences: {en: {play/when: One takes 7 tricks.}}\n"
    )

    found = problems_of(text)

    assert found == [
        (
            "rules.yaml:2:20: expected one of grow, fresh, at-once, got 'wild'"
            " @ readings.growth [unknown-reading]"
        ),
        f"rules.yaml:3:9: {PLAIN} 'no', got no, {APART} @ source [yaml-surprise]",
        (
            "rules.yaml:4:23: expected a known name, got drawn"
            " @ terms.spare [unknown-name]"
        ),
        (
            "rules.yaml:4:30: expected a letter of the file"
            " (c, d, exchange, m, s, q, j, p), got x @ terms.far(x) [unknown-letter]"
        ),
        (
            "rules.yaml:5:33: expected a last set that holds every card,"
            " got follows, which may hold none @ duties.strict.sets[1] [duty-empty]"
        ),
        (
            "rules.yaml:6:30: expected a known name, got bst"
            " @ verdict.match/target.if [unknown-name]"
        ),
        (
            "rules.yaml:6:47: expected a value of type Seat or None, got Phase (lead)"
            " @ verdict.match/target.winner [type]"
        ),
        (
            "rules.yaml:7:39: expected a slot for a number, got '7'"
            " @ sentences.en.play/when [sentence-number]"
        ),
    ]


def test_marks_name_the_file_that_gave_the_item(tmp_path: Path) -> None:
    """In a chain of three files each fault is told of the file where it stands."""
    (tmp_path / "low.yaml").write_text(
        "based_on: cady\nterms: {low: bst}\nvalues: {ace: 1}\n", encoding="utf-8"
    )
    (tmp_path / "mid.yaml").write_text(
        "based_on: low\nterms:\n  mid: wrst\n", encoding="utf-8"
    )
    (tmp_path / "top.yaml").write_text(
        "based_on: mid\n\nverdict:\n  match/target:\n    if: tp\n", encoding="utf-8"
    )

    with pytest.raises(RulesError) as caught:
        load_file(tmp_path / "top.yaml")

    assert [str(problem) for problem in caught.value.problems] == [
        "low.yaml:2:14: expected a known name, got bst @ terms.low [unknown-name]",
        "mid.yaml:3:8: expected a known name, got wrst @ terms.mid [unknown-name]",
        (
            "top.yaml:5:9: expected a known name, got tp"
            " @ verdict.match/target.if [unknown-name]"
        ),
    ]


def test_mended_item_above_a_broken_one_hides_its_fault(tmp_path: Path) -> None:
    """What an overlay replaces is not read any more."""
    base = tmp_path / "low.yaml"
    base.write_text("based_on: cady\nterms: {low: bst}\n", encoding="utf-8")

    profile = load_text("based_on: low\nterms: {low: best}\n", base=base)

    assert str(profile.terms["low"].body.type) == "Int"


def test_every_code_has_a_broken_file() -> None:
    """No fault is without its example above; two need a real file."""
    shown = {
        message.rpartition("[")[2].rstrip("]") for c in CASES for message in c.messages
    }

    assert shown | {"file", "encoding"} == set(get_args(Code))
