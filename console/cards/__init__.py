"""Pieces that two or more pages draw. Memory text reaches a screen only through ``untrusted``."""
