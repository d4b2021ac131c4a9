"""The named points of an erasure, in order. A program may end at any of them and go on later."""

from __future__ import annotations

from collections.abc import Callable
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
