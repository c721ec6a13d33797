"""The compiler: rules with options settled, turned into Python code when first used.

expressions   folding of what is constant; the text of an expression
sets          sets and duties as mask arithmetic
module        the text of a table's module
runtime       what that text calls
compiled      the module, running
"""
