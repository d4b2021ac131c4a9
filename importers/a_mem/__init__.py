"""A-MEM, read."""
