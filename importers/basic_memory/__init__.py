"""Basic Memory, read."""
