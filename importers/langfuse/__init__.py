"""Langfuse, read."""
