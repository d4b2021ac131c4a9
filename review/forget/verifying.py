"""Looks again, later: rows, files and their controls, what came back, and copies elsewhere.

The erased words are not known any more, so nothing can search for them unless somebody brings
them. What can be said without: their rows and salts are not there, every file can be searched
because its control is found, and no record that is here has a keyed digest of what was erased.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from review.forget import reporting
from review.forget.ground import Ground, Rewritten
from review.forget.locations import Location
from review.forget.origins import present
from review.forget.places import evidence
from review.forget.report import Report, ReportRow
from review.forget.started import BadRequestFileError, Started, file_of, read
from review.forget.statuses import Status
from review.text.skeleton import Sought, maker
from store import forget_queries
from store.log import Store
from store.stages import Stage
from store.vault import Role

_GONE: Final = (Status.ERASED, Status.ERASED_UNVERIFIED)
_TEXTS: Final = "select commitment from vault_payload where role = 'text'"


def again(store: Store, ground: Ground, report: Report, *, now: str) -> Report:
    """``report`` as it would be told now. Nothing is written."""
    looked = ground.look(Rewritten(0, 0, 0, old_overwritten=False, payloads=()))
    begun = _begun(ground, report)
    rows = tuple(_rows(store, report, begun))
    groups = {group.location_id: group for group in looked.groups}
    places = []
    for one in report.locations:
        group = groups.get(one.location_id)
        if group is None or one.kind.value == "backup":
            places.append(one)
            continue
        files = [file for file in looked.scan.files if file.path in set(group.paths)]
        told = replace(one, evidence=evidence(files, looked.scan))
        places.append(_judged(told, all(str(file.status) == "clean" for file in files)))
    back = came_back(store, report.head.forget_id)
    if back:
        rows = tuple(_doubted(rows))
    return replace(report, rows=rows, locations=tuple(places), checked_at=now)


def came_back(store: Store, forget: str) -> int:
    """How many claims that are here have a keyed digest of what this request erased."""
    keys = {
        bytes.fromhex(key)
        for row in store.rows(forget_queries.FORGET_EVENTS)
        if row["type"] == "forget.guarded"
        for body in (json.loads(row["canon"])["body"],)
        if body["forget"] == forget
        for key in body["keys"]
    }
    if not keys:
        return 0
    sought = Sought(maker(store.digest_key()), frozenset(keys), "")
    commitments = [str(row["commitment"]) for row in store.rows(_TEXTS)]
    return sum(
        payload.role is Role.TEXT and sought.has(payload.body.decode("utf-8", "replace"))
        for payload in store.payloads(commitments).values()
    )


def _begun(ground: Ground, report: Report) -> Started | None:
    data = ground.read(file_of(report.head.forget_id))
    if data is None:
        return None
    try:
        return read(data, report.head.forget_id)
    except BadRequestFileError:
        return None


def _rows(store: Store, report: Report, begun: Started | None) -> Iterator[ReportRow]:
    """Each row counted again: contents that are back are a failure, whatever the report said."""
    standing = store.standing()
    contents = {} if begun is None else {row.id: row for row in begun.rows}
    wanted = [c for row in contents.values() for c in row.contents]
    held = present(store, wanted) | reporting.waiting(store, wanted)
    for row in report.rows:
        told = contents.get(row.id)
        if told is None or row.status not in (*_GONE, Status.WITHDRAWN_PENDING_REVIEW):
            yield row
            continue
        gone = sum(content not in held for content in told.contents)
        status: Status = row.status
        if row.status in _GONE and gone < len(told.contents):
            status = Status.FAILED
        if row.status is Status.WITHDRAWN_PENDING_REVIEW and (
            standing.stage_of(row.id, told.rev) == Stage.DURABLE
        ):
            status = Status.UNKNOWN_LINEAGE  # a person approved it again
        yield replace(row, gone=gone, status=status)


def _judged(one: Location, clean: bool) -> Location:
    if one.status is Status.ERASED and not clean:
        return replace(
            one,
            status=Status.ERASED_UNVERIFIED,
            residual_reason="no_control",
            next_step="check_again",
        )
    return one


def _doubted(rows: tuple[ReportRow, ...]) -> Iterator[ReportRow]:
    """Erased rows when the same words are here again: nothing is claimed of them any more."""
    for row in rows:
        if row.status is Status.ERASED:
            yield replace(row, status=Status.ERASED_UNVERIFIED, checked_by=reporting.BY_ROW)
        else:
            yield row
