"""Spec: the rules of bezique as data, loaded, checked and explained."""
