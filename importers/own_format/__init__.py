"""Our own format, read."""
