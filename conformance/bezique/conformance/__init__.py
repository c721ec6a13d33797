"""Conformance: cases and a judge that hold any engine to the rulebook."""
