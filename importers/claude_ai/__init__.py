"""Claude.ai exports, read."""
