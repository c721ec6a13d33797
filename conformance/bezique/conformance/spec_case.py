"""What the rules say beside the protocol: the pack, packets, the cut, the series, options.

These are asked of the engine itself; no other program is expected to answer them.
"""

from typing import Any

from bezique.conformance.case import SpecCase
from bezique.conformance.words import card, cards, fillers
from bezique.engine.dealing import cut_for_deal, deal
from bezique.engine.errors import BadOptionError
from bezique.engine.evaluate import Meaning
from bezique.engine.frozen import FrozenDict
from bezique.engine.position import DRAW, start
from bezique.engine.referee import option_json
from bezique.engine.rules import Rules
from bezique.engine.series import new_series

Json = dict[str, Any]


def answer(case: SpecCase, rules: Rules) -> Json:
    """Return what the engine says to a case's question."""
    return _ANSWERS[case.ask](case.given, rules)


def facts_asked(case: SpecCase, rules: Rules) -> Json:
    """Return of the answer just what a case expects something of."""
    found = answer(case, rules)
    return {name: found.get(name) for name in case.expected}


def _pack(_: Json, rules: Rules) -> Json:
    faces = {item.face for item in rules.pack}
    return {
        "cards": len(rules.pack),
        "copies": len(rules.pack) // len(faces),
        "ranks": " ".join(rules.profile.deck.ranks),
        "suits": " ".join(rules.profile.deck.suits),
    }


def _packets(given: Json, rules: Rules) -> Json:
    first = cards(given["pack"])
    rest = [text for text in fillers(rules, None) if text not in first]
    pack = [rules.cards[text] for text in (*first, *rest)]
    dealt = deal(start(rules, given["dealer"]), pack).arguments
    told = {seat: " ".join(str(item) for item in dealt[seat]) for seat in rules.seats}
    stock: tuple[object, ...] = dealt["stock"]
    turned = dealt["turn_up"]
    return {
        **told,
        "turn_up": str(turned) if turned else None,
        "stock": len(stock),
        "first_of_stock": str(stock[0]),
    }


def _cut(given: Json, rules: Rules) -> Json:
    return {
        "dealer": cut_for_deal(
            rules, {seat: rules.cards[card(text)] for seat, text in given.items()}
        )
    }


def _series(given: Json, rules: Rules) -> Json:
    series = new_series(rules)
    dealers = [series.first_dealer]
    for match in given["matches"]:
        points = FrozenDict({seat: int(match[seat]) for seat in rules.seats})
        south, north = points["south"], points["north"]
        winner = DRAW if south == north else "south" if south > north else "north"
        over = start(rules, "north").changed(
            phase="over", turn=None, match_points=points, winner=winner
        )
        series = series.after_match(over)
        dealers.append(series.first_dealer)
    return {"shown": series.shown(), "dealers": dealers}


def _options(given: Json, rules: Rules) -> Json:
    told: Json = {option.name: option_json(option) for option in rules.profile.options}
    try:
        Rules(rules.profile, given.get("set", {}))
    except BadOptionError:
        return {**told, "accepted": False}
    return {**told, "accepted": True}


def _first_dealer(_: Json, rules: Rules) -> Json:
    return {"by": rules.profile.series.by}


def _counter(_: Json, rules: Rules) -> Json:
    here = Meaning(start(rules, rules.seats[0]), None)
    return {
        "shown": here.holds(
            rules.profile.views["count"], {"p": rules.seats[0], "owner": rules.seats[0]}
        )
    }


_ANSWERS = {
    "pack": _pack,
    "packets": _packets,
    "cut": _cut,
    "series": _series,
    "options": _options,
    "first-dealer": _first_dealer,
    "counter": _counter,
}
