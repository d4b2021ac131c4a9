"""The named points of a forget run, in order. A run may end at any of them and go on later."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum


class RunPoint(StrEnum):
    """What has just been done. Each name is a place where tests kill the process."""

    KEPT = "kept"
    """The file about the request is written; nothing is signed."""

    WITHDRAWN = "withdrawn"
    PART_SIGNED = "part_signed"
    """The first part stands; from here on its records are not served."""

    SIGNED = "signed"
    DENIED = "denied"
    """Readers of the last snapshot know what not to serve."""

    GUARDED = "guarded"
    COPIED = "copied"
    REPLACED = "replaced"
    OVERWRITTEN = "overwritten"
    """Three points of the rewrite: see ``store.erase_points``, which has the others."""

    REWRITTEN = "rewritten"
    TAKEN_AWAY = "taken_away"
    LISTED = "listed"
    LOOKED = "looked"
    REPORTED = "reported"
    """The report is written and the log does not know of it yet."""


Watch = Callable[[RunPoint], None]
"""Is told each point when it has been reached."""


def unwatched(point: RunPoint) -> None:
    """Nobody watches."""
