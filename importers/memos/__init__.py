"""MemOS, read."""
