"""Copies that the log knows of, and the places that nobody here can look into.

What people typed to a model is one of these places: it is kept with the model's answer, and nobody
recorded whom it is about. A person ticks what the preview finds in it; the rest is told as kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from review.forget.alike import Use
from review.forget.finding import frame
from review.forget.locations import LOST, TYPED, Location
from review.forget.origins import present
from review.forget.plan import Foreseen, PlanRow
from review.forget.statuses import LocationKind, Status
from store import export_queries, forget_queries
from store.log import Store
from store.model_queries import ABOUT_NOTHING


def _always(name: str, kind: LocationKind, status: Status = Status.OUTSIDE_CONTROL) -> Location:
    return Location(
        f"always:{name}", kind, status, method="none", residual_reason=name, next_step="none"
    )


ALWAYS: Final = (
    _always("skeleton", LocationKind.STORE, Status.RETAINED_BY_DUTY),
    _always("guard", LocationKind.STORE, Status.RETAINED_BY_DUTY),
    _always("memory", LocationKind.OS),
    _always("disk", LocationKind.OS),
    _always("screens", LocationKind.OS),
    _always("models", LocationKind.AGENT_READ),
    _always("git", LocationKind.GIT),
    _always("copies", LocationKind.OS),
)
"""Listed in every report. Ids, times, digests and edges stay, so that the log still verifies;
keyed digests stay, so that the text does not come back; the rest is out of our reach.
"""


REBUILT: Final = Location(
    LOST,
    LocationKind.INDEX,
    Status.UNKNOWN_LINEAGE,
    path_hint="forgets",
    method="none",
    residual_reason="request_lost",
    next_step="none",
)
"""The file about a request is not there: what stood in it alone is not known any more."""


def logged(
    store: Store, rows: Sequence[PlanRow], used: Iterable[Use], *, before: int
) -> tuple[Location, ...]:
    """Backups, exported rules and answers that hold or may hold what is forgotten.

    Args:
        store: Whose log tells of them.
        rows: Of the plan.
        used: Answers that had a row in their context.
        before: Position of the request: only backups that hold no later event are told. One that
            was copied before it and recorded after it holds what was forgotten, too.
    """
    going = {row.id for row in rows if row.foreseen is Foreseen.ERASED}
    touched = going | {row.id for row in rows if row.foreseen is Foreseen.WITHDRAWN}
    quoting = _quoting(store, touched)
    told = [
        Location(
            f"backup:{row['backup']}",
            LocationKind.BACKUP,
            Status.OUTSIDE_CONTROL,
            items=len(going),
            method="none",
            delete_by=str(row["delete_by"] or ""),
            residual_reason="backup",
            next_step="delete_backup",
        )
        for row in store.rows(forget_queries.BACKUPS)
        if int(row["size"]) <= before and going
    ]
    told += [
        Location(
            f"export:{export.export}",
            LocationKind.EXPORT,
            Status.OUTSIDE_CONTROL,
            items=1,
            method="none",
            told_at=export.signed_at,
            residual_reason="export_withdrawn" if export.withdrawn else "export",
            next_step="remove_export",
        )
        for export in store.standing().exports.values()
        if export.item in touched or export.content in quoting
    ]
    return (*told, *_answers(used), *_typed(store, rows))


def _typed(store: Store, rows: Sequence[PlanRow]) -> list[Location]:
    """Questions that were typed to a model and stay."""
    kept = present(store, (str(row["content"]) for row in store.rows(ABOUT_NOTHING)))
    kept -= {c for row in rows if row.foreseen is Foreseen.ERASED for c in row.contents}
    if not kept:
        return []
    return [
        Location(
            TYPED,
            LocationKind.STORE,
            Status.UNKNOWN_LINEAGE,
            items=len(kept),
            method="none",
            residual_reason="typed_questions",
            next_step="tick_questions",
        )
    ]


def _quoting(store: Store, items: Iterable[str]) -> set[str]:
    """Contents of bundles that quote words of these cells and runs, of whatever cell they are."""
    found = store.rows(export_queries.MADE_FROM, {"wanted": frame(items, "item")})
    wanted = {"wanted": frame((str(row["content"]) for row in found), "commitment")}
    return {str(row["child"]) for row in store.rows(export_queries.EXPORTED_FROM, wanted)}


def _answers(used: Iterable[Use]) -> list[Location]:
    """One place for each reader: answers that were given cannot be taken back."""
    doors: dict[str, int] = {}
    for use in used:
        doors[use.door] = doors.get(use.door, 0) + 1
    return [
        Location(
            f"answers:{door or 'desk'}",
            LocationKind.AGENT_READ,
            Status.OUTSIDE_CONTROL,
            items=count,
            method="none",
            recipient=door,
            residual_reason="answer_given",
            next_step="tell_recipient",
        )
        for door, count in sorted(doors.items())
    ]
