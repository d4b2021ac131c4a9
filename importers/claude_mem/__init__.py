"""claude-mem, read."""
