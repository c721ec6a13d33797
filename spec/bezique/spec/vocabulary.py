"""The vocabulary: facts, functions and effects that the language itself gives.

They speak of tricks, zones, seats and points, which every table has; what a table calls
a bezique or a brisque is not here but in the rule files.

Terms
    zone    where a card is: stock, turn-up, hidden, table, trick, won
    left    the number of cards still to be drawn, the turned-up card included
"""

from bezique.spec.kinds import (
    BOOL,
    CARD,
    CARD_LIST,
    CARDS,
    INT,
    MELD,
    PHASE,
    RANK,
    SEAT,
    SEATS,
    SUIT,
    WORD,
    Type,
)

FACTS: dict[str, Type] = {
    "hand": INT,  # which hand of the match, from 1
    "phase": PHASE,
    "me": SEAT,  # the seat that acts
    "dealer": SEAT,
    "seats": SEATS,
    "leader": SEAT.maybe(),  # the seat ahead in the match; None when level
    "led": CARD.maybe(),
    "trick": CARD_LIST,  # the trick just finished, in the order played
    "taker": SEAT.maybe(),  # the winner of the last trick
    "turned": CARD.maybe(),
    "stock": CARD_LIST,
    "left": INT,
}
"""What an expression may ask of any position, by name."""

SERIES_FACTS: dict[str, Type] = {
    "winner": SEAT.maybe(),
    "margin": INT,
    "player": SEAT,
    "worth": INT,
}
"""What the series may ask besides its own numbers: how the match ended."""

FUNCTIONS: dict[str, tuple[tuple[Type, ...], Type]] = {
    "rank": ((CARD,), RANK),
    "suit": ((CARD,), SUIT),
    "held": ((SEAT,), CARDS),  # hidden and table together
    "hidden": ((SEAT,), CARDS),
    "table": ((SEAT,), CARDS),
    "won": ((SEAT,), CARDS),
    "total": ((SEAT,), INT),  # points in the match
    "points": ((SEAT,), INT),  # points in this hand
    "other": ((SEAT,), SEAT),  # the next seat
    "spent": (
        (CARD, WORD),
        INT,
    ),  # highest level the card has scored at in a family; 0: none
    "lacks": ((SEAT,), INT),  # how many cards the seat is short of its full hand
    "obeys": ((CARD,), BOOL),  # is the card in the set that binds the player?
}
"""Functions of fixed types. An argument that is None gives None (of a zone: no cards)."""

SPECIAL_FUNCTIONS = ("len", "max", "min", "reading", "fits")
"""Functions whose types depend on their arguments; the grammar knows them."""

MELD_PARTS: dict[str, Type] = {
    "cards": CARDS,
    "family": WORD,
    "level": INT,
    "points": INT,
    "name": WORD,
    "seat": SEAT,
}

EFFECTS: dict[str, tuple[Type, ...]] = {
    "put": (CARD,),  # play a card to the trick; the last one decides it
    "show": (CARDS,),  # lay cards of the hand on the table
    "swap": (CARD,),  # change a card of the hand for the turned-up one
    "draw": (),  # every seat draws one card
    "fill": (SEAT,),  # a seat draws up to its full hand
    "gather": (),  # the cards on the table return to the hands
    "pay": (SEAT.maybe(), INT, WORD),  # points for a seat, with the reason events give
    "carry_out": (MELD,),  # what the meld itself does, such as making trumps
    "win": (SEAT.maybe(),),  # the match ends; None is a draw
}

REACTION_PARAMETERS: dict[str, dict[str, Type]] = {
    "deal": {},
    "play": {"card": CARD},
    "trick": {},
    "draw": {},
    "closed": {},
    "hand": {},
    "change": {},
}
"""When reactions happen, and what they may speak of: after a deal, a card played, a trick
finished, cards drawn, the stock ended, a hand ended, any change."""
