"""Spec: the rules of bezique as data, loaded, checked and explained.

A rule file (`spec/rules/*.yaml`) is read into a `Profile`, the checked rules of one
table, from which everything else is made.  docs/language.md explains such files.

>>> load("cady").melds["four-aces"].size
4
"""

from bezique.spec.core import Profile
from bezique.spec.load import built_in, load, load_file, load_text, names
from bezique.spec.problem import Mark, Problem, RulesError
from bezique.spec.schema import rule_file_schema
from bezique.spec.show import show_expression, show_profile, show_statement

__all__ = [
    "Mark",
    "Problem",
    "Profile",
    "RulesError",
    "built_in",
    "load",
    "load_file",
    "load_text",
    "names",
    "rule_file_schema",
    "show_expression",
    "show_profile",
    "show_statement",
]
