"""JSON: reading it."""
