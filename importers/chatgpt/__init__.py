"""ChatGPT exports, read."""
