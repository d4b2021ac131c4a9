"""OTLP, read."""
