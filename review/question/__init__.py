"""What a question asks about: its moments, its parts, and whether two tasks are the same."""
