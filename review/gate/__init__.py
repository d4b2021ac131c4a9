"""Candidates, their numbers, and the verdict on each."""
