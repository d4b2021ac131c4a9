"""Which cell answers a question in free text, where columns cannot tell."""
