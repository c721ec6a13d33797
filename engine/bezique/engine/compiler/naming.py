"""Naming: what the things of a rule file are called in the code, no two of them alike.

The first word says what a name is of.  In what follows a dash becomes an underscore and a slash
two, which a name of the rules never has.

    term_beats, choice_reuse            a term, a choice
    if_play__when                       a condition of an action
    if_announce__declare__held          one that is named after another action
    is_sequence__sequence__trumps       a condition of a meld
    set_heads, duty_strict              a set of a duty, a duty
    TABLE_partner                       a table of the rule file
    legal_play, failing_play, way_play  of an action; so `do_play`, and `meld_sequence_do`
    listed_lead                         a phase
"""

from collections.abc import Iterable

from bezique.spec.core import Action, Clause


def of(kind: str, name: str) -> str:
    """Return the name of what belongs to a name of the rules, by its kind.

    >>> of("term", "stock_open"), of("legal", "royal-claim")
    ('term_stock_open', 'legal_royal_claim')
    """
    return f"{kind}_{_word(name)}"


def of_conditions(action: Action) -> dict[str, str]:
    """Return the names of an action's conditions, by their ids."""
    own = all(clause.id.startswith(f"{action.name}/") for clause in action.conditions)
    named_after = "" if own else f"{_word(action.name)}__"
    return _conditions(f"if_{named_after}", action.conditions)


def of_meld_conditions(meld: str, conditions: Iterable[Clause]) -> dict[str, str]:
    """Return the names of a meld's conditions, by their ids."""
    return _conditions(f"{of('is', meld)}__", conditions)


def of_meld_effects(meld: str) -> str:
    """Return the name of what a meld itself does."""
    return f"{of('meld', meld)}_do"


def of_possible(action: str, parameter: str) -> str:
    """Return the name of the cards that can ever be a parameter of an action."""
    return f"POSSIBLE_{_word(action)}__{parameter}"


def _conditions(prefix: str, conditions: Iterable[Clause]) -> dict[str, str]:
    return {clause.id: prefix + _word(clause.id) for clause in conditions}


def _word(name: str) -> str:
    return name.replace("/", "__").replace("-", "_")
