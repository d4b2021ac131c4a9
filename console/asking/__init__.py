"""Asking a model about what waits: after staging, in a process of its own, within the budget."""
