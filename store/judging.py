"""Answers what the fold has to ask of an open store: artifacts that were staged, and roots."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from sqlalchemy import Connection, text

from store import asking, projections
from store.events import Event
from store.standing import Effect, Standing
from store.statements import SignedStatement

_ARTIFACTS: Final = (
    "select p.item, p.rev, p.digest from (select unnest(:items) as item, unnest(:revs) as rev) w"
    " join proj_item p on p.item = w.item and p.rev = w.rev where p.item between :first and :last"
)
"""Ids grow with time, so the range leaves out most of the table unread."""


class Judge:
    """Answers what ``store.standing`` has to ask of an open store."""

    def __init__(self, connection: Connection) -> None:
        """Ask ``connection``."""
        self.connection = connection

    def artifacts_of(self, wanted: Iterable[tuple[str, int]]) -> dict[tuple[str, int], str]:
        """Digests staged as (item, revision)."""
        return self._artifacts(_ARTIFACTS, wanted)

    def latest_artifacts_of(self, wanted: Iterable[tuple[str, int]]) -> dict[tuple[str, int], str]:
        """Digests staged as (item, revision), but of those that a later revision has replaced."""
        return self._artifacts(f"{_ARTIFACTS} and p.latest", wanted)

    def root_at(self, size: int) -> str | None:
        """Merkle root of the first ``size`` events, hex."""
        query = text("select lower(hex(root)) from proj_root where size = :size")
        found = self.connection.execute(query, {"size": size}).scalars().all()
        return None if not found or found[0] is None else str(found[0])

    def take(
        self, standing: Standing, event: Event, signed: SignedStatement | None
    ) -> Effect | None:
        """Let ``standing`` take in an event that is in the store."""
        return standing.take(event, signed, artifacts_of=self.artifacts_of, root_at=self.root_at)

    def _artifacts(
        self, query: str, wanted: Iterable[tuple[str, int]]
    ) -> dict[tuple[str, int], str]:
        """One question for a whole statement: one for each item would cost a hundred times it."""
        asked = list(dict.fromkeys(wanted))
        if not asked:
            return {}
        items, revs = [item for item, _ in asked], [rev for _, rev in asked]
        values = {"items": items, "revs": revs, "first": min(items), "last": max(items)}
        found = asking.rows(projections.driver(self.connection), query, values=values)
        return {(one["item"], one["rev"]): str(one["digest"]) for one in found}
