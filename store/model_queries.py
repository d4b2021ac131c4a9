"""Queries over what models proposed, asked like those of ``store.queries``."""

from __future__ import annotations

from typing import Final

from store.queries import OPEN_STAGES

_TOLD: Final = (
    "with told as (select e.seq, e.canon, e.h, b.h as before,"
    " json_extract(decode(e.canon), '$.body') as body from log_event e"
    " join log_event b on b.seq = e.seq - 1 where e.type = 'model.proposed')"
)
_COLUMNS: Final = "seq, canon, h, before"

BY_KEY: Final = f"{_TOLD} select {_COLUMNS} from told where body->>'$.key' = :key order by seq"
"""Records that say that they answer exactly this request, oldest first."""

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

ABOUT_NOTHING: Final = (
    f"{_TOLD} select seq, json_extract_string(decode(canon), '$.recorded_at') as recorded_at,"
    " body->>'$.proposal' as content from told where json_array_length(body->'$.items') = 0"
    " and json_array_length(body->'$.runs') = 0 order by seq"
)
"""Contents of requests that are about no record, such as typed questions: they have no lineage."""

_UNASKED: Final = (
    f"{_TOLD}, asked as (select seq as at, unnest(body->>'$.items[*]') as item from told"
    " where body->>'$.job' = 'claim'), known as (select q.item, q.look_key from asked a"
    " join proj_item q on q.item = a.item and q.latest and a.at > q.seq)"
    " select {columns} from proj_item p where p.latest"
    f" and p.stage in {OPEN_STAGES} and p.item not in (select item from known)"
    " and p.look_key not in (select look_key from known where look_key <> '')"
)
UNASKED: Final = _UNASKED.format(columns="p.item") + " order by p.seq desc, p.n desc limit :limit"
"""Records that wait and no model has answered about since they were staged as they are, nor about
one of equal words, the newest first."""

UNASKED_COUNT: Final = _UNASKED.format(columns="count(*) as n")
