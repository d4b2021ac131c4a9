"""What may be said of one record or one place after a forget request. Closed lists.

Source: the trust specification, section 4.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class Status(StrEnum):
    """What became of a record, or of a place that holds or held copies of it."""

    ERASED = "erased"
    """Rewritten, searched for and not found, and every control was found."""

    ERASED_UNVERIFIED = "erased_unverified"
    """Its rows and salts are gone; the search proves nothing: too short, or no control."""

    WITHDRAWN_PENDING_REVIEW = "withdrawn_pending_review"
    """Made from what was erased and from other sources: not served until a person approves it."""

    PUT_BEYOND_USE = "put_beyond_use"
    """A backup of which all four conditions are recorded."""

    OUTSIDE_CONTROL = "outside_control"
    UNKNOWN_LINEAGE = "unknown_lineage"
    """Nobody recorded what it was made from, or it has the same words and nobody decided on it."""

    RETAINED_BY_DUTY = "retained_by_duty"
    FAILED = "failed"


class Bucket(StrEnum):
    """Every record of a request stands in exactly one of these."""

    ERASED = "erased"
    LEFT = "left"
    """It is there, and we know where."""

    UNKNOWN = "unknown"
    """We cannot know."""


BUCKETS: Final = {
    Status.ERASED: Bucket.ERASED,
    Status.ERASED_UNVERIFIED: Bucket.ERASED,
    Status.WITHDRAWN_PENDING_REVIEW: Bucket.LEFT,
    Status.PUT_BEYOND_USE: Bucket.LEFT,
    Status.OUTSIDE_CONTROL: Bucket.LEFT,
    Status.RETAINED_BY_DUTY: Bucket.LEFT,
    Status.FAILED: Bucket.LEFT,
    Status.UNKNOWN_LINEAGE: Bucket.UNKNOWN,
}


class LocationKind(StrEnum):
    """What sort of place holds or held copies. The list of the trust specification, and ours."""

    STORE = "store"
    WAL = "wal"
    SNAPSHOT = "snapshot"
    INDEX = "index"
    STAGING = "staging"
    """Drafts, spools, uploads and jobs: copies on the way in."""

    BACKUP = "backup"
    EXPORT = "export"
    GIT = "git"
    AGENT_READ = "agent_read"
    """What was handed to an agent, or kept by its door."""

    OS = "os"
    """What the system, the disk and other programs keep."""
