"""Queries for look-alikes and links. See ``store.queries`` for how they are asked."""

from __future__ import annotations

from typing import Final

LIKENESS: Final = (
    "select p.item, p.rev, p.look_key, p.content_key,"
    " coalesce(v.told->>'$.polarity', '') as polarity,"
    " coalesce(v.told->>'$.foreign.claimed_tenant', '') as tenant"
    " from wanted w join proj_item p on p.item = w.item and p.rev = w.rev and p.digest = w.digest"
    " left join (select commitment, decode(body)::json as told from vault_payload"
    " where role = 'provenance') v on v.commitment = p.provenance_c"
)
"""What look-alikes are compared by besides their words. ``wanted`` as in ``REMEMBERED``."""

LINK_KEYS: Final = (
    "select p.item, p.rev, p.look_key, p.content_key from wanted w"
    " join proj_item p on p.item = w.item and p.rev = w.rev"
)
"""The keys of records as they were when a link between them was signed."""

LINKED_REMEMBERED: Final = (
    "select p.item, p.rev, p.seq, p.n, p.digest from wanted w"
    " join proj_item p on p.item = w.item and p.rev = w.rev"
    " join log_leaf l on l.seq = p.seq and l.ordinal = p.n"
    " where contains(decode(l.canon), '\"edges\":[[')"
)

LAST_DECIDED: Final = (
    "select max(recorded_at) as recorded_at from log_event"
    " where type in ('batch.decided', 'links.decided')"
)
"""When a person's signature was recorded last."""

ITEM_AT: Final = (
    "select rev from proj_item where item = :item and seq < :size order by rev desc limit 1"
)
"""The latest revision of an item among the first ``size`` events."""
