"""Cells as columns, and the life of each: what begins, closes, falls and is confirmed."""
