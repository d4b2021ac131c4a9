"""EverMemOS, read."""
