"""Graphiti, read."""
