"""The report of a forget request: what was erased, what is left and where, what nobody can know.

It holds ids, digests, counts, offsets and codes, and no word of what was erased. Its numbers are
counted again from the store after the run; its headline is computed, never typed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from review.forget import shapes
from review.forget.locations import Location, read_location
from review.forget.plan import RowKind, Why
from review.forget.statuses import BUCKETS, Bucket, Status
from store import canonical

FORMAT: Final = "memory-console-forget-report/1"


class BadReportError(ValueError):
    """A file that is no report of ours, or was altered."""


@dataclass(frozen=True, slots=True)
class ReportRow:
    """One record of the request, in exactly one status."""

    id: str
    kind: RowKind
    why: Why
    depth: int
    status: Status
    contents: int
    """Contents that went with it."""

    gone: int
    """How many of them neither the vault nor the waiting table holds any more."""

    checked_by: str = ""
    """``scan``, ``row_and_salt`` or empty: how it is known that they are gone."""

    hold: tuple[str, str] | None = None

    @property
    def bucket(self) -> Bucket:
        """Erased, left or unknown."""
        return BUCKETS[self.status]


@dataclass(frozen=True, slots=True)
class Head:
    """What a report begins with."""

    forget_id: str
    requested_by: str
    """Reviewer id of who signed."""

    reference: str
    """The asking person's case number, as it was given."""

    due: str
    statement_sha256: tuple[str, ...]
    """Of every signed part."""

    started: str
    ended: str
    """RFC 3339, UTC."""

    store_root_before: str
    store_root_after: str
    items_requested: int
    """Rows of the scope itself."""

    items_erased: int
    derivatives_erased: int
    derivatives_withdrawn: int
    needs_decision: int
    """Rows with equal or near text that nobody decided on."""

    missing: int
    """Ids that were asked for and that nothing here has."""

    unlinked: int
    answers_given: int
    scope_by: tuple[str, ...] = ()
    """Which parts of a scope were stated, by name; never their values."""


@dataclass(frozen=True)
class Report:
    """Everything that can be said of one request."""

    head: Head
    rows: tuple[ReportRow, ...]
    locations: tuple[Location, ...]
    outcome: str = "completed"
    """``completed``: everything that was signed is out of the store; ``partial``: not so."""

    checked_at: str = ""
    """When it was last looked at again; empty for never."""

    def counts(self) -> Counter[Bucket]:
        """Rows by bucket: the three add up to all rows."""
        return Counter(row.bucket for row in self.rows)

    def statuses(self) -> Counter[Status]:
        """Rows by status."""
        return Counter(row.status for row in self.rows)

    def left(self) -> tuple[Location, ...]:
        """Places that hold or may hold copies, but not what is always listed."""
        ours = (one for one in self.locations if not one.location_id.startswith("always:"))
        gone = (Status.ERASED, Status.ERASED_UNVERIFIED)
        return tuple(one for one in ours if one.status not in gone)

    def always(self) -> tuple[Location, ...]:
        """What is listed in every report: places that nobody here can look into."""
        return tuple(one for one in self.locations if one.location_id.startswith("always:"))

    def location(self, location_id: str) -> Location | None:
        """The place of this id."""
        return next((one for one in self.locations if one.location_id == location_id), None)

    def as_json(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "format": FORMAT,
            "head": asdict(self.head),
            "outcome": self.outcome,
            "checked_at": self.checked_at,
            "counts": {str(name): self.counts()[name] for name in Bucket},
            "rows": [_told(row) for row in self.rows],
            "locations": [one.as_json() for one in self.locations],
        }

    def encode(self) -> bytes:
        """The exact bytes of which the log holds the digest."""
        return canonical.encode(self.as_json())


def read_report(told: Mapping[str, Any]) -> Report:
    """The report that ``Report.as_json`` told.

    Raises:
        BadReportError: If it is none, or its counts are not those of its rows.
    """
    try:
        if told["format"] != FORMAT:
            msg = "this report is of a newer format."
            raise BadReportError(msg)
        shapes.ending(told)
        shapes.head(told["head"])
        head = dict(told["head"])
        for name in ("statement_sha256", "scope_by"):
            head[name] = tuple(head[name])
        report = Report(
            head=Head(**head),
            rows=tuple(_read(one) for one in told["rows"]),
            locations=tuple(map(_read_location, told["locations"])),
            outcome=str(told["outcome"]),
            checked_at=str(told["checked_at"]),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, BadReportError):
            raise
        msg = f"this is no forget report of ours ({type(error).__name__})."
        raise BadReportError(msg) from error
    if {str(name): report.counts()[name] for name in Bucket} != dict(told["counts"]):
        msg = "the counts of this report are not those of its rows."
        raise BadReportError(msg)
    return report


def counted(rows: Iterable[ReportRow]) -> dict[Bucket, int]:
    """How many rows stand in each bucket."""
    found = Counter(row.bucket for row in rows)
    return {bucket: found[bucket] for bucket in Bucket}


def _told(row: ReportRow) -> dict[str, Any]:
    return {
        **asdict(row),
        "kind": str(row.kind),
        "why": str(row.why),
        "status": str(row.status),
        "hold": None if row.hold is None else list(row.hold),
    }


def _read(told: Mapping[str, Any]) -> ReportRow:
    shapes.row(told)
    return ReportRow(
        **{
            **told,
            "kind": RowKind(told["kind"]),
            "why": Why(told["why"]),
            "status": Status(told["status"]),
            "hold": None if told["hold"] is None else tuple(told["hold"]),
        }
    )


def _read_location(told: Mapping[str, Any]) -> Location:
    shapes.location(told)
    return read_location(told)
