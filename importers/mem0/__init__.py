"""Mem0, read."""
