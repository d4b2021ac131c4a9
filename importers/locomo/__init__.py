"""LoCoMo, read."""
