"""Whether a file that was found is a job of ours: its name, its numbers, its places.

Anything may lie in the folder of jobs. What fails here is treated as if it were not there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from console.job_words import Step
from console.jobs import MEMBERS, ROWS, Job, Part
from store.records import Outcome

_WHOLE: Final = 2**53


def is_ours(job: Job, name: str, uploads: Path) -> bool:
    """Whether ``job`` can have been written for the file called ``name``.

    Args:
        job: What the file says, already of the right types.
        name: The id that the file's name gives.
        uploads: The folder of what was uploaded for that id.
    """
    return (
        job.id == name
        and _is_moment(job.created_at)
        and all(_is_moment(one) for one in (job.started_at, job.ended_at) if one)
        and (job.pid == 0 or 1 < job.pid < _WHOLE)
        and _are_counts((job.attempts,))
        and all(_is_part(part, len(job.sources)) for part in job.parts)
        and (not job.uploaded or all(_is_inside(one.path, uploads) for one in job.sources))
    )


def _is_part(part: Part, sources: int) -> bool:
    numbers = (part.size, part.bytes_read, part.records_read, part.batches, part.runs, part.files)
    return (
        0 <= part.source < sources
        and _are_counts(numbers)
        and _are_outcomes(part.counts)
        and all(_are_outcomes(one.counts) for one in part.earlier)
        and _are_counts(part.remarks.values())
        and part.steps.keys() == set(Step)
        and _are_counts(told.records for told in part.steps.values())
        and len(part.rows) <= ROWS
        and len(part.members) <= MEMBERS
        and all(_are_counts((row.line, row.start, row.end, row.column)) for row in part.rows)
    )


def _are_outcomes(counts: Mapping[Outcome, int]) -> bool:
    return counts.keys() == set(Outcome) and _are_counts(counts.values())


def _are_counts(numbers: Iterable[int]) -> bool:
    return all(0 <= one < _WHOLE for one in numbers)


def _is_moment(stamp: str) -> bool:
    try:
        found = datetime.fromisoformat(stamp)
        found.astimezone(UTC)  # the first and the last year have moments that are none in UTC
    except (ValueError, OverflowError):
        return False
    return found.tzinfo is not None


def _is_inside(path: str, folder: Path) -> bool:
    """Whether it is a file right in ``folder``, by its real name."""
    try:
        return Path(path).resolve().parent == folder.resolve()
    except (OSError, RuntimeError, ValueError):
        return False
