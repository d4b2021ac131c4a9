"""Forgetting: what a request covers, how it is carried out, and what is left of it."""
