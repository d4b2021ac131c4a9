"""One record as a person decides on it."""
