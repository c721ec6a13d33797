"""Proofs: the rules put to Z3.

    values        what symbolic values are: guarded choices, sets by membership, numbers
    meaning       what every node of the rules language means for symbolic values
    situation     symbolic positions, and the concrete ones a model stands for
    obligations   what is proved of a profile
    equivalence   compiled code against the rules (with doing, listing, mismatch)
    difference    where two tables part, with smallest witnesses
    mutants       wrong rules, and whether they can be told from the right ones

Z3 is imported here and nowhere else.
"""
