"""The strength of one clause, for ``review.strength``."""
