"""A door's own recalls, with every number, so that it can say afterwards why it said what.

They live in the door's folder and hold what was asked; the newest are kept. The record that counts
is the one in the log, which the console makes of the batch in the spool.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any, Final

from review.auditing.recorded import Recorded, from_value
from review.gate.reasons import sentence
from store import canonical, whole_files

KEPT: Final = 200
_FOLDER: Final = "recalls"
_ID: Final = re.compile(r"[0-9A-Z]{26}")


class NoSuchRecallError(LookupError):
    """There is no such recall of this door, or it is too long ago."""

    def __init__(self) -> None:
        """Say how many are kept."""
        super().__init__(f"No such recall of this door. It keeps its last {KEPT}.")


class DoorRecalls:
    """The recalls of one door."""

    def __init__(self, folder: Path) -> None:
        """For the door that lives in ``folder``."""
        self._folder = folder / _FOLDER

    def keep(self, recall: str, body: bytes) -> None:
        """Keep what was recorded of a recall; the oldest one goes."""
        self._folder.mkdir(exist_ok=True, mode=0o700)
        whole_files.put(self._folder / f"{recall}.json", body, lasting=False)
        names = [name for name in os.listdir(self._folder) if name.endswith(".json")]
        if len(names) > KEPT:
            for old in sorted(names)[:-KEPT]:
                (self._folder / old).unlink(missing_ok=True)

    def read(self, recall: str) -> Recorded:
        """What was recorded.

        Raises:
            NoSuchRecallError: If it is not kept here.
        """
        if _ID.fullmatch(recall) is None:
            raise NoSuchRecallError
        try:
            return from_value(canonical.decode((self._folder / f"{recall}.json").read_bytes()))
        except (OSError, KeyError, TypeError, ValueError) as error:
            raise NoSuchRecallError from error


def explained(told: Recorded) -> dict[str, Any]:
    """The verdict on every candidate, with its numbers and its reasons in words and codes."""
    return {
        "asked_at": told.asked_at,
        "log_size": told.size,
        "parts": [
            {
                "question": part.question,
                "intent": part.intent,
                "candidates": [
                    {
                        "id": one.item,
                        "rev": one.rev,
                        "status": one.status,
                        "validation_state": "unverified",
                        "admitted": one.admitted,
                        "handed_over": one.admitted and one.item not in part.left_out,
                        "h": one.h,
                        "F": one.score,
                        "theta": one.theta,
                        **one.parts,
                        "fitted": one.fitted,
                        "bars": [str(bar) for bar in one.bars],
                        "reasons": [
                            {"code": reason.code, "say": sentence(reason, "en")}
                            for reason in one.reasons
                        ],
                        "valid_from": one.valid[0],
                        "valid_to": one.valid[1],
                    }
                    for one in part.scored
                ],
                "excluded": dict(part.excluded),
                "not_known": [{"parameter": gap[0], "of": gap[1]} for gap in part.gaps],
            }
            for part in told.parts
        ],
    }
