"""Queries over what must not come back, asked like those of ``store.queries``."""

from __future__ import annotations

from typing import Final

GUARD_COUNT: Final = "select count(*) as n from log_event where type = 'forget.guarded'"

GUARDS: Final = (
    "select unnest(from_json(json_extract(decode(canon), '$.body.keys'), '[\"VARCHAR\"]')) as key"
    " from log_event where type = 'forget.guarded'"
)
