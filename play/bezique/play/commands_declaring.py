"""The command `plan`: in which order cards declare the most.

It prints what `bezique.solver.declaring` answers.
"""

import json
from typing import Annotated

import typer

from bezique.play.commands_endgame import AsJson, RulesFiles


def plan(
    profile: Annotated[str, typer.Argument(metavar="PROFILE", help="The table.")],
    cards: Annotated[
        list[str],
        typer.Argument(metavar="CARD…", help="The hand, such as QS QS JD or Q♠ J♦."),
    ],
    *,
    trump: Annotated[
        str, typer.Option("--trump", metavar="SUIT", help="The trump suit, or none.")
    ] = "none",
    tricks: Annotated[
        int, typer.Option("--tricks", min=1, max=8, help="How many tricks are won.")
    ] = 3,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", metavar="NAME=VALUE", help="An option of the table."),
    ] = None,
    as_json: AsJson = False,
    rules: RulesFiles = None,
) -> None:
    """Say how much a hand can declare over some won tricks, and in which order.

    The hand keeps its cards and gets no others.
    """
    from bezique.engine.errors import BadRequestError
    from bezique.engine.library import Library
    from bezique.engine.moves import legal
    from bezique.play.alike import distinct
    from bezique.play.begin import read_options
    from bezique.solver.declaring import best_order, hand_alone
    from bezique.solver.notation import printed, read_hand, read_suit

    table = Library(rules or []).rules(profile, read_options(option or []))
    hand = read_hand(table, " ".join(cards))
    if len(hand) > table.hand_size:
        where, most = "cards", f"at most {table.hand_size} cards"
        raise BadRequestError(where, most, f"{len(hand)}")
    suit = read_suit(table, trump, "--trump")
    if suit is None and table.turns_up:
        where, expected = "--trump", "a suit: this table turns a card up"
        raise BadRequestError(where, expected, trump)
    position = hand_alone(table, hand, suit)
    found = best_order(position, tricks, lambda at: distinct(at, legal(at)))
    told = [
        {"meld": item.meld, "points": table.points[item.meld],
         "cards": [str(card) for card in table.sort(item.cards)]}
        for item in found.melds
    ]  # fmt: skip
    if as_json:
        print(json.dumps({"points": found.points, "melds": told}))
        return
    print(f"{found.points} points")
    for number, item in enumerate(found.melds, 1):
        shown = " ".join(map(printed, table.sort(item.cards)))
        print(f"{number}. {item.meld} {shown}: {table.points[item.meld]}")
