"""Solver: the search for best play, built on the engine."""
