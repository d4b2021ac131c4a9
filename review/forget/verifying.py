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

from review.forget import lost, reporting, wording
from review.forget.ground import Ground, Rewritten
from review.forget.locations import Location
from review.forget.origins import present
from review.forget.places import evidence
from review.forget.report import Report, ReportRow
from review.forget.running import NoSuchRequestError
from review.forget.started import BadRequestFileError, Started, file_of, read
from review.forget.statuses import Status
from review.text.skeleton import Sought, maker
from store import forget_queries
from store.log import Store
from store.stages import Stage
from store.vault import Role

_NOTHING: Final = Rewritten(0, 0, 0, old_overwritten=False, payloads=())
_GONE: Final = (Status.ERASED, Status.ERASED_UNVERIFIED)
_TEXTS: Final = "select commitment from vault_payload where role = 'text'"


def again(store: Store, ground: Ground, report: Report, *, now: str) -> Report:
    """``report`` as it would be told now. Nothing is written."""
    looked = ground.look(_NOTHING)
    rows = tuple(_rows(store, report, _begun(store, ground, report.head.forget_id)))
    groups = {wording.place(group.location_id): group for group in looked.groups}
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


def without_report(store: Store, ground: Ground, forget: str, *, now: str) -> Report:
    """What can still be told of a request whose report is not here. Nothing is written.

    Its rows are those of the file about it. Where that is lost, too, its records and contents are
    those that were signed; what had been withdrawn, retained or left to a person is not known.

    Raises:
        NoSuchRequestError: If nobody signed it.
    """
    request = store.standing().forgets.get(forget)
    if request is None:
        raise NoSuchRequestError
    done = reporting.Done(request, _NOTHING, (), ground.look(_NOTHING))
    begun = _begun(store, ground, forget) or lost.rebuilt(store, request)
    told = reporting.make(store, begun, done, now=now)
    rows = tuple(_doubted(told.rows)) if came_back(store, forget) else told.rows
    return replace(told, rows=rows, checked_at=now)


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


def _begun(store: Store, ground: Ground, forget: str) -> Started | None:
    """Which contents each row had: by the file about the request, else by what was signed."""
    request = store.standing().forgets.get(forget)
    data = ground.read(file_of(forget))
    if data is not None:
        try:
            begun = read(data, forget)
        except BadRequestFileError:
            begun = None
        if begun is not None and (request is None or begun.plan_sha256 == request.plan_sha256):
            return begun
    return None if request is None else lost.rebuilt(store, request)


def _rows(store: Store, report: Report, begun: Started | None) -> Iterator[ReportRow]:
    """Each row counted again: contents that are back are a failure, whatever the report said."""
    standing = store.standing()
    contents = {} if begun is None else {row.id: row for row in begun.rows}
    wanted = [c for row in contents.values() for c in row.contents]
    held = present(store, wanted) | reporting.waiting(store, wanted)
    for row in report.rows:
        told = contents.pop(row.id, None)
        if row.status is Status.WITHDRAWN_PENDING_REVIEW:
            stands = standing.items.get(row.id)
            again = stands is not None and stands.stage is Stage.DURABLE
            # a person approved it again
            yield replace(row, status=Status.UNKNOWN_LINEAGE) if again else row
        elif row.status not in _GONE:
            yield row
        elif told is None:
            # nobody can tell any more which contents it had: nothing is claimed of it
            yield replace(row, status=Status.ERASED_UNVERIFIED, checked_by="")
        else:
            back = sum(content in held for content in told.contents)
            gone = max(row.contents - back, 0)
            yield replace(row, gone=gone, status=Status.FAILED if back else row.status)
    for told in contents.values():  # of a request whose file is lost: what no row is known to own
        if back := sum(content in held for content in told.contents):
            here = len(told.contents)
            yield ReportRow(told.id, told.kind, told.why, 0, Status.FAILED, here, here - back)


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
