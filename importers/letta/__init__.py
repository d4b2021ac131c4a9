"""Letta, read."""
