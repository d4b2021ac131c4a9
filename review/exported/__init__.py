"""Rules that left: what is kept of each, and the list of them."""
