"""Exported rules whose ground has fallen: what became of the source since the export.

The files stay where people put them; nobody takes them back from here. A rule whose source was
superseded, went stale, was withdrawn, rejected or forgotten is told, until a person marks the
export as withdrawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from review.graphs.graphing import Moment
from review.memory.validity import Status
from store.export_standing import StandingExport
from store.stages import Stage, Stands


class Fall(StrEnum):
    """What became of a rule's source. A closed list, the worst first."""

    FORGOTTEN = "forgotten"
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"
    SUPERSEDED = "superseded"
    STALE = "stale"
    CHANGED = "changed"
    """Another revision of it was made durable since."""


_STAGES: Final[Mapping[Stage, Fall]] = {
    Stage.ERASED: Fall.FORGOTTEN,
    Stage.REJECTED: Fall.REJECTED,
    Stage.STAGED: Fall.WITHDRAWN,
    Stage.DEFERRED: Fall.WITHDRAWN,
}
_STATUSES: Final = {Status.SUPERSEDED: Fall.SUPERSEDED, Status.STALE: Fall.STALE}


@dataclass(frozen=True, slots=True)
class Fallen:
    """One exported rule on fallen ground."""

    export: StandingExport
    fall: Fall


def fall_of(
    export: StandingExport, items: Mapping[str, Stands], statuses: Mapping[str, Status]
) -> Fall | None:
    """What became of the source of one export; None while it stands as it was.

    Args:
        export: The export.
        items: How decided items stand.
        statuses: Of the durable ones.
    """
    stands = items.get(export.item)
    if stands is None:
        return Fall.WITHDRAWN
    if stands.stage is not Stage.DURABLE:
        return _STAGES[stands.stage]
    status = statuses.get(export.item)
    if status in _STATUSES:
        return _STATUSES[status]
    if (stands.rev, stands.artifact) != (export.rev, export.artifact):
        return Fall.CHANGED
    return None


def fallen(exports: Iterable[StandingExport], moment: Moment) -> tuple[Fallen, ...]:
    """The exports on fallen ground, oldest first. Those marked as withdrawn are left out."""
    told = [one for one in exports if not one.withdrawn]
    statuses = moment.statuses({one.item for one in told}) if told else {}
    items = moment.standing.items
    found = ((one, fall_of(one, items, statuses)) for one in told)
    return tuple(Fallen(one, fall) for one, fall in found if fall is not None)
