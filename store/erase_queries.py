"""Queries that an erasure asks, like those of ``store.queries``."""

from __future__ import annotations

from typing import Final

ENDED: Final = (
    "select json_extract_string(decode(canon), '$.body.forget') as forget from log_event"
    " where type = 'forget.completed'"
)
"""Forget requests that were carried out in full."""

IS_WAITING: Final = (
    "select count(*) as n from information_schema.tables where table_name = 'vault_condemned'"
)

WAITING: Final = (
    "select c.commitment, c.salt, c.role, c.body from vault_condemned c"
    " join wanted w on w.commitment = c.commitment"
)
"""Contents that wait for the rewrite. ``wanted(commitment)`` says which."""

ROWS: Final = "select count(*) as n, coalesce(max(rowid) + 1, 0) as stop from vault_payload"

KEPT: Final = "select body from vault_payload where rowid >= :start and rowid < :stop"
"""What stays, in slices."""

CONTROLS: Final = (
    "select body, salt from vault_payload where octet_length(body) between 12 and 4000"
    " and rowid % :step = 0 order by role <> 'text', rowid limit :most"
)
"""Rows that stay, spread over the table: they have to be found in the file."""
