"""Phoenix, read."""
