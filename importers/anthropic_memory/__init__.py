"""Anthropic's memory tool and its stores, read."""
