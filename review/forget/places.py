"""What the search says of each place: found, clean, or nothing that proves anything."""

from __future__ import annotations

from typing import Final

from review.forget.ground import Group, Rewritten, Taken
from review.forget.locations import Evidence, Location
from review.forget.statuses import Status
from store.scans import TOOL, VERSION, FileScan, Scan, ScanStatus

_OF_FILES: Final = {
    ScanStatus.CLEAN: Status.ERASED,
    ScanStatus.INCONCLUSIVE: Status.ERASED_UNVERIFIED,
    ScanStatus.FOUND: Status.FAILED,
}


def searched(
    group: Group, scan: Scan, rewritten: Rewritten, taken: Taken | None
) -> Location | None:
    """One place, as the search found it; one of others that is clean is not told.

    One of others that could not be searched is: a link, a packed file or a closed folder may hold
    all of it.
    """
    paths = set(group.paths)
    files = [one for one in scan.files if one.path in paths]
    status = _worst(files)
    if not group.ours and status is ScanStatus.CLEAN:
        return None
    ours = _OF_FILES[status]
    unsought = status is ScanStatus.CLEAN and not scan.patterns
    if unsought:
        ours = (
            Status.ERASED_UNVERIFIED
        )  # nothing was looked for, so that it was not found is empty
    problem = taken.problem if taken is not None else ""
    method = taken.method if taken is not None else "none"
    if group.location_id == "store" and rewritten.size_before:
        method = "rewrite" if rewritten.old_overwritten else "rewrite_not_overwritten"
    if problem and ours is not Status.ERASED:
        ours = Status.FAILED
    return Location(
        location_id=group.location_id,
        kind=group.kind,
        status=ours if group.ours else Status.OUTSIDE_CONTROL,
        path_hint=group.hint,
        items=taken.items if taken is not None else 0,
        method=method,
        evidence=evidence(files, scan),
        residual_reason=problem
        or ("not_sought" if unsought else _reason(status, ours=group.ours)),
        next_step=_step(status, ours=group.ours),
    )


def _worst(files: list[FileScan]) -> ScanStatus:
    found = {one.status for one in files}
    for status in (ScanStatus.FOUND, ScanStatus.INCONCLUSIVE):
        if status in found:
            return status
    return ScanStatus.CLEAN


def evidence(files: list[FileScan], scan: Scan) -> Evidence:
    """What the search of some files found. The digest is that of the only file, if it is one."""
    return Evidence(
        tool=TOOL,
        version=VERSION,
        files_scanned=len(files),
        bytes=sum(one.size for one in files),
        patterns=scan.patterns,
        hits=sum(len(one.hits) for one in files),
        control_hits=sum(one.control_hits for one in files),
        sha256_after=files[0].sha256 if len(files) == 1 else "",
    )


def _reason(status: ScanStatus, *, ours: bool) -> str:
    if status is ScanStatus.FOUND:
        return "found" if ours else "file_of_others"
    return "no_control" if status is ScanStatus.INCONCLUSIVE else ""


def _step(status: ScanStatus, *, ours: bool) -> str:
    if status is ScanStatus.FOUND:
        return "run_again" if ours else "remove_file"
    return "check_again" if status is ScanStatus.INCONCLUSIVE else ""


def done_with(taken: Taken) -> Location:
    """A place of which no file is left to search."""
    return Location(
        location_id=taken.location_id,
        kind=taken.kind,
        status=Status.FAILED if taken.problem else Status.ERASED,
        path_hint=taken.hint,
        items=taken.items,
        method=taken.method,
        residual_reason=taken.problem,
        next_step="run_again" if taken.problem else "",
    )
