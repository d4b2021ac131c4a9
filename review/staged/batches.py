"""What one batch of an import says of itself, from the log alone: a list only finds it."""

from __future__ import annotations

from store import import_queries
from store.events import Event
from store.log import DamagedStoreError, Store


def source_of(store: Store, staged: Event) -> str:
    """Commitment of the source that a batch was read from; its import's first batch names it."""
    if staged.body["source"]:
        return str(staged.body["source"])
    found = store.rows(import_queries.FIRST_OF_IMPORT, batch=staged.body["import"])
    first = store.event(found[0]["seq"]) if found else staged
    if first.body.get("import") != staged.body["import"] or not first.body.get("source"):
        msg = f"the source of event {staged.seq} is not the one in the log. Run verify."
        raise DamagedStoreError(msg)
    return str(first.body["source"])
