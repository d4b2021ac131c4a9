"""Queries over what models proposed, asked like those of ``store.queries``."""

from __future__ import annotations

from typing import Final

_TOLD: Final = (
    "with told as (select seq, recorded_at, json_extract(decode(canon), '$.body') as body"
    " from log_event where type = 'model.proposed')"
)
_COLUMNS: Final = "seq, recorded_at, body::varchar as body"

BY_KEY: Final = (
    f"{_TOLD} select {_COLUMNS} from told where body->>'$.key' = :key order by seq limit 1"
)
"""The record of exactly this request, if it was ever answered."""

OF_ITEM: Final = (
    f"{_TOLD} select {_COLUMNS} from told where list_contains(body->>'$.items[*]', :item)"
    " order by seq desc limit :limit"
)
"""What was proposed over one record, newest first."""

NEWEST: Final = f"{_TOLD} select {_COLUMNS} from told order by seq desc limit :limit"
"""Everything that was proposed, newest first."""

PROPOSED_FROM: Final = (
    "select distinct l.parent, l.child from wanted w join vault_lineage l"
    " on l.parent = w.commitment where l.relation = 'proposed_from' order by l.parent, l.child"
)
"""What models proposed over the contents in ``wanted(commitment)``: it quotes them."""
