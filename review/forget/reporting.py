"""Makes the report of a run, from the store as it is afterwards and from the search.

Nothing in it is what a call said that it did.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final

from review.forget import outside, places, wording
from review.forget.alike import Use, uses
from review.forget.finding import frame
from review.forget.ground import Looked, Rewritten, Taken
from review.forget.locations import Location
from review.forget.origins import present
from review.forget.plan import Foreseen, PlanRow, RowKind, Why
from review.forget.report import Head, Report, ReportRow
from review.forget.started import Started
from review.forget.statuses import Status
from store import erase_queries, forget_queries
from store.forget_standing import Request
from store.log import Store
from store.scans import ScanStatus
from store.stages import Stage
from store.standing import Standing
from store.vault import Role

COMPLETED: Final = "completed"
PARTIAL: Final = "partial"
BY_SCAN: Final = "scan"
BY_ROW: Final = "row_and_salt"

_WORDS: Final = frozenset(
    (
        *(Role.TEXT, Role.CONCLUSION, Role.RAW, Role.NOTE, Role.RUN),
        *(Role.ANSWER, Role.RECALL, Role.SOURCE),
    )
)
"""Roles that hold words of their own. The rest, such as a scope, is the same in many records."""


@dataclass(frozen=True, slots=True)
class Done:
    """What a run did and found."""

    request: Request
    rewritten: Rewritten
    taken: tuple[Taken, ...]
    looked: Looked
    arrived: tuple[str, ...] = ()
    """Records of the same words that were staged while the request was carried out."""

    proven: frozenset[str] = frozenset()
    """Rows that an earlier attempt of the same request showed to be erased by its search."""


def file_of(forget: str) -> str:
    """Name of the file that holds a report."""
    return f"{forget}.report.json"


def make(store: Store, begun: Started, done: Done, *, now: str) -> Report:
    """The report of a run that has just ended, counted again from the store."""
    standing, head = store.standing(), store.head()
    rows = tuple(_rows(store, begun, done, standing))
    used = uses(store, [row.id for row in begun.erased if row.kind is RowKind.ITEM])
    locations = _locations(store, begun, done, used, before=_asked_at(store, done.request))
    failed = any(row.status is Status.FAILED for row in rows)
    failed = failed or any(one.status is Status.FAILED for one in locations)
    return Report(
        head=_head(begun, done, rows, used, root_after=head.root, now=now),
        rows=rows,
        locations=locations,
        outcome=PARTIAL if failed or not done.request.whole else COMPLETED,
    )


def _asked_at(store: Store, request: Request) -> int:
    """Position of the event from which on it was asked for: a later backup does not hold it."""
    for row in store.rows(forget_queries.FORGET_EVENTS):
        if json.loads(row["canon"])["body"].get("statement") == request.statements[0]:
            return int(row["seq"])
    return store.head().size


def _rows(store: Store, begun: Started, done: Done, standing: Standing) -> Iterable[ReportRow]:
    wanted = [content for row in begun.erased for content in row.contents]
    held = present(store, wanted) | waiting(store, wanted)
    judge = done.looked.scan.judge(_paths(done.looked))
    words = {one.commitment for one in done.rewritten.payloads if one.role in _WORDS}
    for row in begun.rows:
        if row.foreseen is Foreseen.GIVEN:
            continue
        status, checked = _status(row, standing, held, judge, words)
        if status is Status.ERASED_UNVERIFIED and row.id in done.proven:
            status, checked = Status.ERASED, BY_SCAN
        yield ReportRow(
            id=row.id,
            kind=row.kind,
            why=row.why,
            depth=row.depth,
            status=status,
            contents=len(row.contents),
            gone=sum(content not in held for content in row.contents),
            checked_by=checked,
            hold=row.hold,
        )
    known = {row.id for row in begun.rows}
    for item in done.arrived:
        if item not in known:
            yield ReportRow(item, RowKind.ITEM, Why.EQUAL_TEXT, 0, Status.UNKNOWN_LINEAGE, 0, 0)


def waiting(store: Store, wanted: Iterable[str]) -> set[str]:
    """Which of these contents still wait for the rewrite of the file."""
    if not store.rows(erase_queries.IS_WAITING)[0]["n"]:
        return set()
    asked = {"wanted": frame(wanted, "commitment")}
    return {str(row["commitment"]) for row in store.rows(erase_queries.WAITING, asked)}


def _paths(looked: Looked) -> list[str]:
    """Files that decide what may be said of a row."""
    return [
        path
        for group in looked.groups
        if group.location_id in looked.rows_in
        for path in group.paths
    ]


def _status(
    row: PlanRow,
    standing: Standing,
    held: set[str],
    judge: Callable[[str], ScanStatus],
    words: set[str],
) -> tuple[Status, str]:
    stage = standing.stage_of(row.id, row.rev)
    if row.foreseen is Foreseen.RETAINED:
        return Status.RETAINED_BY_DUTY, ""
    if row.foreseen is Foreseen.WITHDRAWN:
        served = stage == Stage.DURABLE
        return (Status.FAILED if served else Status.WITHDRAWN_PENDING_REVIEW), ""
    if row.foreseen in (Foreseen.NEEDS_DECISION, Foreseen.UNKNOWN):
        return Status.UNKNOWN_LINEAGE, ""
    if any(content in held for content in row.contents):
        return Status.FAILED, ""
    if row.kind is RowKind.ITEM and stage != Stage.ERASED:
        return Status.FAILED, ""
    found = {content: judge(content) for content in row.contents}
    if ScanStatus.FOUND in found.values():
        return Status.FAILED, BY_SCAN
    bare = row.kind is RowKind.CONTENT
    told = [status for content, status in found.items() if bare or content in words]
    if told and all(status == ScanStatus.CLEAN for status in told):
        return Status.ERASED, BY_SCAN
    return Status.ERASED_UNVERIFIED, BY_ROW


def _head(
    begun: Started,
    done: Done,
    rows: tuple[ReportRow, ...],
    used: tuple[Use, ...],
    *,
    root_after: str,
    now: str,
) -> Head:
    gone = (Status.ERASED, Status.ERASED_UNVERIFIED)
    asked = [row for row in rows if row.depth == 0 and row.status is not Status.UNKNOWN_LINEAGE]
    derived = [row for row in rows if row.why is Why.DERIVED]
    return Head(
        forget_id=begun.forget,
        requested_by=done.request.by,
        reference=begun.reference,
        due=begun.due,
        statement_sha256=done.request.statements,
        started=begun.started_at,
        ended=now,
        store_root_before=begun.root,
        store_root_after=root_after,
        items_requested=len(asked),
        items_erased=sum(row.status in gone for row in asked),
        derivatives_erased=sum(row.status in gone for row in derived),
        derivatives_withdrawn=sum(
            row.status is Status.WITHDRAWN_PENDING_REVIEW for row in derived
        ),
        needs_decision=sum(row.status is Status.UNKNOWN_LINEAGE for row in rows),
        missing=begun.missing,
        unlinked=begun.unlinked,
        answers_given=len(used),
        scope_by=begun.scope_by,
    )


def _locations(
    store: Store, begun: Started, done: Done, used: tuple[Use, ...], *, before: int
) -> tuple[Location, ...]:
    taken = {one.location_id: one for one in done.taken}
    searched = [
        places.searched(
            group, done.looked.scan, done.rewritten, taken.pop(group.location_id, None)
        )
        for group in done.looked.groups
    ]
    by_id = {one.location_id: one for one in searched if one is not None}
    told = [_joined(one, by_id) for one in outside.logged(store, begun.rows, used, before=before)]
    told += [places.done_with(one) for one in taken.values()]
    told += [outside.REBUILT] if begun.rebuilt else []
    told += [*done.looked.always, *outside.ALWAYS]
    return tuple(map(wording.shown, (*by_id.values(), *told)))


def _joined(logged: Location, searched: dict[str, Location]) -> Location:
    """A copy that the log knows of, with what the search of its files found."""
    found = searched.pop(logged.location_id, None)
    if found is None:
        return logged
    return replace(logged, path_hint=found.path_hint, evidence=found.evidence)
