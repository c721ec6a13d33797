"""Sphinx configuration: Markdown pages, built without a network."""

import tomllib
from pathlib import Path

PROJECT = tomllib.loads(
    (Path(__file__).parent.parent / "pyproject.toml").read_text(encoding="utf-8")
)["project"]

project = "Bezique"
author = PROJECT["authors"][0]["name"]
copyright = author  # noqa: A001 - the name that Sphinx reads
version = release = PROJECT["version"]

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
]
exclude_patterns = ["_build"]
nitpicky = False

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "description"
napoleon_google_docstring = True
napoleon_numpy_docstring = False

html_theme = "furo"
html_title = "Bezique"
