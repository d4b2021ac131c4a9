"""What an erasure tells: its named points, in order, and what it did.

A program may end at any of the points and go on later.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum


class Point(StrEnum):
    """What has just been done. Each name is a place where tests kill the process."""

    BEGUN = "begun"
    OPENED = "opened"
    CHECKPOINTED = "checkpointed"
    CLOSED = "closed"
    ATTACHED = "attached"
    """The old file is held for reading; nobody can write to it until it is replaced."""

    SHAPED = "shaped"
    """The new file has the tables, without a row."""

    COPIED = "copied"
    GUARDED = "guarded"
    """The copy has its append-only triggers."""

    CHECKED = "checked"
    SYNCED = "synced"
    LINKED = "linked"
    """The old file has a second name."""

    REPLACED = "replaced"
    SETTLED = "settled"
    OVERWRITTEN = "overwritten"
    """The old file's bytes are overwritten; its second name is still there."""

    UNLINKED = "unlinked"


Reached = Callable[[Point], None]
"""Is told each point when it has been reached."""


def unwatched(point: Point) -> None:
    """Nobody watches."""


@dataclass(frozen=True, slots=True)
class Erasure:
    """What an erasure did to the bytes of a store. It holds no content."""

    rows: int
    """Contents that were still there; those that an earlier attempt erased do not count."""

    size_before: int
    """Bytes of what was written anew: the store's file, or the tables that hold contents."""

    size_after: int
    old_overwritten: bool
    """Whether the old bytes were overwritten before they were given back."""
