"""Experience in three layers: runs, a reading of each, insights across them.

Runs never change. A reading and an insight can be made again at any time, as new records; the old
ones stay where they are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from review import analysis, insights, runs
from review.identities import stamp
from review.insights import Built
from review.runs import Kept, RunPage, RunsWanted
from review.staged.placing import Writer
from review.staged.staging import Receipt
from store.events import ActorKind, EventType, Happening
from store.log import Entry, Store
from store.records import Reading
from store.vault import Payload, Role

_TOGETHER = 1_000


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """What building insights came to."""

    built: Built
    receipt: Receipt | None
    """Of staging them; None when there was nothing to stage."""


class Experience:
    """The runs of one store, and what is made of them."""

    def __init__(self, store: Store, writer: Writer, stage: Callable[[Reading], Receipt]) -> None:
        """``stage`` stages a reading under the policy in force."""
        self._store, self._writer, self._stage = store, writer, stage

    def page(self, wanted: RunsWanted, number: int = 1) -> RunPage:
        """One page of runs, newest first."""
        return runs.page(self._store, wanted, number)

    def run(self, item: str) -> Kept:
        """One run in full.

        Raises:
            review.runs.NoSuchRunError: If there is none of this id.
        """
        return runs.run_of(self._store, item)

    def count_of(self, import_id: str) -> int:
        """How many runs one import brought."""
        return runs.count_of(self._store, import_id)

    def endings(self) -> dict[str, int]:
        """How many runs ended how."""
        return runs.endings(self._store)

    def build(self) -> Rebuilt:
        """Propose insights from all runs, and stage them; what is known stays as it is."""
        built = insights.built(runs.everything(self._store))
        if not built.proposals:
            return Rebuilt(built, None)
        now = stamp(self._writer.clock())
        return Rebuilt(built, self._stage(insights.reading_of(built, now=now)))

    def read_again(self) -> int:
        """Read every run again whose last reading another version made; says how many.

        The readings are recorded as new events; the runs and the earlier readings stay.
        """
        changed: list[tuple[str, Payload]] = []
        for kept in runs.everything(self._store):
            if kept.run is None:
                continue
            fresh = analysis.analysed(kept.run)
            if kept.analysis != fresh:
                body = analysis.spelled(fresh)
                salt = self._writer.chance(32)
                changed.append((kept.item, Payload(Role.ANALYSIS, salt, body)))
        for start in range(0, len(changed), _TOGETHER):
            self._record(changed[start : start + _TOGETHER])
        return len(changed)

    def _record(self, changed: list[tuple[str, Payload]]) -> None:
        happening = Happening(
            EventType.RUN_ANALYSED,
            recorded_at=stamp(self._writer.clock()),
            actor=self._writer.process,
            actor_kind=ActorKind.PROCESS,
            process=self._writer.process,
            body={
                "analyser": analysis.ANALYSER,
                "readings": [[item, payload.commitment] for item, payload in changed],
            },
        )
        self._store.append(Entry(happening, payloads=[payload for _, payload in changed]))
