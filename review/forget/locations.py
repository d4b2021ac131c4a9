"""A place that holds or held copies of what is forgotten: one row of a plan or of a report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from review.forget.statuses import LocationKind, Status

TYPED: Final = "store:questions"
"""Id of the place that holds what people typed to a model."""

LOST: Final = "request_file"
"""Id of the place that stands for the file about a request, where it was lost."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the search of one place found. Numbers and digests only."""

    tool: str = ""
    version: int = 0
    files_scanned: int = 0
    bytes: int = 0
    patterns: int = 0
    hits: int = 0
    control_hits: int = 0
    sha256_after: str = ""


@dataclass(frozen=True, slots=True)
class Confirmation:
    """What a person says was done elsewhere: shown as said, never as done."""

    by: str
    """Reviewer id."""

    name: str
    """As the installation knows the reviewer."""

    at: str
    what: str = "removed"
    """``removed``, or the four conditions of a backup: ``beyond_use``."""

    evidence: str = ""
    """Commitment of the words or the link given as evidence; empty for none."""

    statement: str = ""
    """Digest of the signed statement."""


@dataclass(frozen=True, slots=True)
class Location:
    """One place. The fields are those of the trust specification, section 4."""

    location_id: str
    """Stable within a request: ``store``, ``backup:ID``, ``export:ID``, ``os:swap``, …"""

    kind: LocationKind
    status: Status
    path_hint: str = ""
    """Relative to the workspace, of our own names only; empty outside of it."""

    items: int = 0
    """Rows of the request of which copies are or were there; 0 when nobody can count."""

    method: str = ""
    """A code: ``rewrite``, ``deleted``, ``published_again``, ``dropped``, ``none``."""

    evidence: Evidence = Evidence()
    recipient: str = ""
    """Who has it: the id of a door, an agent or a system; empty for nobody outside."""

    told_at: str = ""
    delete_by: str = ""
    """Last day on which the copy may exist, YYYY-MM-DD."""

    residual_reason: str = ""
    """A code for why something may be left: see the catalogue ``forget.reason.*``."""

    next_step: str = ""
    """A code for what to do: see the catalogue ``forget.step.*``."""

    confirmed: tuple[Confirmation, ...] = field(default=())

    def as_json(self) -> dict[str, Any]:
        """As plain values."""
        return {**asdict(self), "kind": str(self.kind), "status": str(self.status)}


def read_location(told: Mapping[str, Any]) -> Location:
    """The place that ``Location.as_json`` told.

    Raises:
        KeyError, TypeError, ValueError: If it is none.
    """
    return Location(
        **{
            **told,
            "kind": LocationKind(told["kind"]),
            "status": Status(told["status"]),
            "evidence": Evidence(**told["evidence"]),
            "confirmed": tuple(Confirmation(**one) for one in told["confirmed"]),
        }
    )
