"""Archives, read."""
