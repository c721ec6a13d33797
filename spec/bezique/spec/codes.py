"""Codes: the short names of the faults that rule files can have.

A *code* tells programs which fault a problem is, whatever its wording.  The page
docs/language.md explains each, and the type checker sees that no other is used.
"""

from typing import Literal, TypeAlias

Code: TypeAlias = Literal[
    # the file as a text
    "file",
    "encoding",
    "file-size",
    "yaml-syntax",
    "yaml-documents",
    "yaml-empty",
    "yaml-depth",
    "yaml-anchor",
    "yaml-alias",
    "yaml-tag",
    "yaml-key",
    "yaml-duplicate",
    "yaml-surprise",
    "yaml-number",
    # the file as an overlay
    "unknown-base",
    "overlay-cycle",
    "nothing-to-remove",
    # its shape
    "shape",
    "missing-key",
    "unknown-key",
    # expressions and statements
    "expression-size",
    "expression-depth",
    "syntax",
    "statement",
    "type",
    "arguments",
    "unknown-name",
    "unknown-word",
    "unknown-part",
    "unknown-choice",
    "unknown-effect",
    "unknown-state",
    "maybe-empty",
    "divisor",
    "not-static",
    "shadow",
    "term-cycle",
    "term-depth",
    # the parts of a profile
    "unknown-type",
    "no-empty-value",
    "unknown-letter",
    "name-twice",
    "missing-term",
    "table",
    "reading-missing",
    "unknown-reading",
    "deck",
    "seats",
    "card-pattern",
    "unknown-rank",
    "unknown-suit",
    "unknown-option",
    "option",
    "unknown-set",
    "duty-empty",
    "duty-dead",
    "duty-open",
    "unknown-clause",
    "unknown-seat",
    "packets",
    # the profile as a whole
    "packs",
    "hand-size",
    "stock-uneven",
    "meld-too-large",
    "meld-too-many",
    # the sentences it brings
    "unknown-language",
    "sentence-stale",
    "sentence-slot",
    "sentence-number",
    "sentence-name",
    "sentence-value",
]
"""Every code, by the stage that finds the fault."""
