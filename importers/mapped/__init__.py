"""Tables that a person maps, read."""
