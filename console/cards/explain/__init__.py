"""From a pasted answer to its explanation."""
