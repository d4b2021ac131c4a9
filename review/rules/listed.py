"""Which candidates a list shows."""

from __future__ import annotations

from enum import StrEnum


class Show(StrEnum):
    """Which candidates are listed."""

    ALL = "all"
    REACHED = "reached"
    """Every threshold is reached; the text and the rest may still be missing."""

    BELOW = "below"
