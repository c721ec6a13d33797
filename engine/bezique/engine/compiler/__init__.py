"""The compiler: rules with options settled, turned into Python code when first used.

expressions   folding of what is constant; the text of an expression
decided       what is decided before a position is known
sets          sets and duties as mask arithmetic
module        the text of a table's module
forms         the melds among cards
runtime       what that text calls
compiled      the module, running
"""
