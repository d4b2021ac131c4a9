"""What model help is set to, and what it has spent."""
