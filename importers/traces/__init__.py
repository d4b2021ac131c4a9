"""Traces, read."""
