"""LightMem, read."""
