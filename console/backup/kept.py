"""A backup as people are told of it: how old, by when it has to be deleted, and where it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any


class Whereabouts(StrEnum):
    """What is known of a backup's folder. A closed list."""

    HERE = "here"
    """In the workspace."""

    ELSEWHERE = "elsewhere"
    """In the folder that was named for it, outside of the workspace."""

    GONE = "gone"
    """Not where it was written: somebody moved or deleted it."""


@dataclass(frozen=True, slots=True)
class Kept:
    """One backup that was written and of which nobody recorded that it was deleted."""

    backup: str
    """Its id."""

    written_at: str
    delete_by: str
    """The last day, UTC, on which it may exist: YYYY-MM-DD."""

    events: int
    """Of its log."""

    bytes: int
    """Of its store's file; 0 where it cannot be read."""

    where: Whereabouts
    folder: str
    """Relative to the workspace where it is in it, else the whole path. A name of this machine."""

    def overdue(self, today: date) -> bool:
        """Whether it should have been deleted before ``today``, UTC."""
        return self.delete_by < today.isoformat()

    def days_left(self, today: date) -> int:
        """Days until it has to be gone; negative when that is past."""
        return (date.fromisoformat(self.delete_by) - today).days

    def as_json(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "backup": self.backup,
            "written_at": self.written_at,
            "delete_by": self.delete_by,
            "events": self.events,
            "bytes": self.bytes,
            "where": str(self.where),
            "folder": self.folder,
        }


Backups = Callable[[], Sequence[Kept]]
"""Tells the backups of one tenant, newest first."""


def overdue(backups: Iterable[Kept], today: date) -> tuple[Kept, ...]:
    """Those that should be gone by now."""
    return tuple(one for one in backups if one.overdue(today))
