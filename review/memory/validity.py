"""How much a cell is worth now, V in [0, 1], by its status and its independent confirmations.

Source: the gate's specification, section 2 (validity), after CALM; age alone changes nothing.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import numpy as np
import numpy.typing as npt

from review.memory.columns import Bools, Ints


class Status(StrEnum):
    """Where a cell stands at a moment of world time."""

    CANDIDATE = "CANDIDATE"
    ACTIVE = "ACTIVE"
    STABLE = "STABLE"
    SUPERSEDED = "SUPERSEDED"
    STALE = "STALE"


CANDIDATE: Final = 0.50
"""Of a staged cell, in a simulation only."""

ACTIVE: Final = 0.70
STABLE: Final = 0.85
PER_CONFIRMATION: Final = 0.05
SUPERSEDED_AT_MOST: Final = 0.15
STALE_AT_MOST: Final = 0.40


def validity(
    *, durable: Bools, sources: Ints, superseded: Bools, stale: Bools
) -> npt.NDArray[np.float64]:
    """V of cells.

    Args:
        durable: Approved by a standing decision; shape ``(n,)``.
        sources: Independent sources that say the same, itself included; 1 or more.
        superseded: Closed at the moment.
        stale: Its footing has fallen at the moment.

    Returns:
        0.50 for a candidate, 0.70 for one source, 0.85 for two, 0.05 more for each further one up
        to 1.0; at most 0.15 when superseded and 0.40 when stale. Shape ``(n,)``.
    """
    confirmed = np.minimum(STABLE + PER_CONFIRMATION * (sources - 2), 1.0)
    worth = np.where(sources >= 2, confirmed, ACTIVE)
    worth = np.where(durable, worth, CANDIDATE)
    worth = np.where(stale, np.minimum(worth, STALE_AT_MOST), worth)
    return np.where(superseded, np.minimum(worth, SUPERSEDED_AT_MOST), worth)


def status(*, durable: bool, sources: int, superseded: bool, stale: bool) -> Status:
    """The word for one cell; superseded goes before stale, and both before stable."""
    if not durable:
        return Status.CANDIDATE
    if superseded:
        return Status.SUPERSEDED
    if stale:
        return Status.STALE
    return Status.STABLE if sources >= 2 else Status.ACTIVE
