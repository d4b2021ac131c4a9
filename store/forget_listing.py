"""The list of what was asked to be forgotten, as a store's log and its signatures tell it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from store import canonical, forget_list
from store.events import EventType
from store.forget_list import ForgetList, Heard
from store.log_store import LogStore
from store.statements import SignedStatement

_AS: Final = {
    str(EventType.REVIEWER_ADDED): EventType.REVIEWER_ADDED,
    str(EventType.REVIEWER_REVOKED): EventType.REVIEWER_REVOKED,
    str(EventType.FORGET_REQUESTED): EventType.FORGET_REQUESTED,
    str(EventType.FORGET_REPLAYED): EventType.FORGET_REQUESTED,
    str(EventType.FORGET_GUARDED): EventType.FORGET_GUARDED,
}
_QUERY: Final = (
    "select e.canon, s.statement_sha256, s.statement, s.sshsig from log_event e"
    " left join log_signature s"
    " on s.statement_sha256 = json_extract_string(decode(e.canon), '$.body.statement')"
    f" where e.type in ({', '.join(repr(kind) for kind in _AS)}) order by e.seq"
)


def of_store(store: LogStore) -> ForgetList:
    """Everything in the log that a restored store has to hear and that stands."""
    with store.held():
        used = store.standing().used
        rows = store.rows(_QUERY)
    told = (_heard(row, used) for row in rows)
    return ForgetList(store.store_id, store.tenant_id, tuple(one for one in told if one))


def keep(store: LogStore) -> ForgetList:
    """Bring the list beside a store's file up to date, and return it.

    Raises:
        store.forget_list.ForgetListError: If what is there holds something that the log does not:
            the store was put back to an earlier state.
        OSError: If it cannot be written.
    """
    told = of_store(store)
    if store.beside is not None:
        forget_list.write(forget_list.beside(store.beside), told)
    return told


def _heard(row: Mapping[str, Any], used: set[str]) -> Heard | None:
    event = canonical.decode(bytes(row["canon"]))
    kind = _AS[event["type"]]
    if kind == EventType.FORGET_GUARDED:
        body = event["body"]
        return Heard(kind, forget=body["forget"], keys=tuple(body["keys"]))
    if row["statement_sha256"] not in used:
        return None
    return Heard(kind, SignedStatement(bytes(row["statement"]), str(row["sshsig"])))
