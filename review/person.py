"""Who acts at a desk, and how somebody without an identity, or in a hurry, is refused."""

from __future__ import annotations

from dataclasses import dataclass


class ReadOnlyError(PermissionError):
    """Nobody is named as reviewer, so nothing can be decided."""

    def __init__(self) -> None:
        """Say what to do."""
        super().__init__(
            "No reviewer identity is set, so you can look but not decide. Nothing was recorded. "
            "Make one with: memory-console reviewer new"
        )


class NotForBulkError(ValueError):
    """A frozen list holds a record that needs a single look."""


@dataclass(frozen=True, slots=True)
class Person:
    """Who acts, from the process's configuration."""

    reviewer: str
    name: str
