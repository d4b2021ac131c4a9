"""Records that say the same: how they are found, compared, and linked."""
