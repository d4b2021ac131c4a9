"""Takes contents that a person signed to have forgotten out of reach, in the same transaction.

Their rows move from the vault to a table that no query of ours reads, so that nothing in scope is
served from the moment the request stands. There they wait for the rewrite of the file, which needs
their bytes once more to look for them. The table exists only while something waits in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import pandas as pd
from sqlalchemy import Connection, text

from store import projections
from store.events import EventType, Happening
from store.forget_standing import ForgetStanding
from store.forget_statements import ForgetStatement
from store.signers import NotAcceptedError
from store.stages import Stage
from store.vault import Role

TABLE: Final = "vault_condemned"
KEPT_ROLES: Final = (Role.POLICY,)
"""Contents that no request takes: without its policy a store cannot be opened."""

_MAKE: Final = f"create table if not exists {TABLE} as select * from vault_payload where false"
_PLACES: Final = "select rowid, role from vault_payload where commitment in "
_MOVE: Final = (
    f"insert into {TABLE} select * from vault_payload where rowid in (select unnest($places))"
)
_TAKE: Final = "delete from vault_payload where rowid in (select unnest($places))"
_FEW: Final = 500
"""Contents that are named one by one, which lets the index find them."""

_MARK: Final = (
    f"update proj_item set stage = '{Stage.ERASED}', decided_at = forgotten_now.signed_at"
    " from forgotten_now where proj_item.item = forgotten_now.item"
    " and proj_item.item between $first and $last"
)
"""Ids grow with time, so the range leaves out what it can unread."""

_HERE: Final = (
    "select count(*) from vault_payload p join condemned_now c on c.commitment = p.commitment"
)


class NotFinishedError(ValueError):
    """A completion was to be recorded, and it does not hold. The message says what is left."""


def refuse_kept(connection: Connection, statement: ForgetStatement) -> None:
    """Refuse a request for content that a store cannot be without.

    Raises:
        NotAcceptedError: If one of its contents is a policy.
    """
    kept = set(map(str, KEPT_ROLES))
    if any(role in kept for _, role in _found(connection, statement.contents)):
        msg = "the write policy's text cannot be forgotten: the store cannot be opened without it."
        raise NotAcceptedError(msg)


def condemn(connection: Connection, statement: ForgetStatement) -> None:
    """Let an accepted statement take effect on the vault and on what pages list. Idempotent."""
    kept = set(map(str, KEPT_ROLES))
    found = _found(connection, statement.contents)
    places = [place for place, role in found if role not in kept]
    if places:
        connection.execute(text(_MAKE))
        raw = projections.driver(connection)
        raw.execute(_MOVE, {"places": places})
        raw.execute(_TAKE, {"places": places})
    if statement.items:
        _mark(connection, statement)


def _mark(connection: Connection, statement: ForgetStatement) -> None:
    items = sorted(one.item for one in statement.items)
    raw = projections.driver(connection)
    frame = pd.DataFrame({"item": items, "signed_at": statement.signed_at}).astype("str")
    raw.register("forgotten_now", frame)
    try:
        raw.execute(_MARK, {"first": items[0], "last": items[-1]})
    finally:
        raw.unregister("forgotten_now")


def _found(connection: Connection, commitments: Sequence[str]) -> list[tuple[int, str]]:
    """Where in the vault's table each content is, and its role. What is gone is absent."""
    raw, found = projections.driver(connection), list[tuple[int, str]]()
    for start in range(0, len(commitments), _FEW):
        some = list(commitments[start : start + _FEW])
        marks = ", ".join("?" for _ in some)
        found += raw.execute(f"{_PLACES}({marks})", some).fetchall()
    return found


def examine_completion(
    connection: Connection, forgets: ForgetStanding, happening: Happening
) -> None:
    """Whether an event may be recorded now, if it ends a forget request.

    Raises:
        NotFinishedError: If no such request stands; for a completion, also if a part of it was
            not signed, or if some of its content is still in the store.
    """
    if happening.type not in (EventType.FORGET_COMPLETED, EventType.FORGET_PARTIAL):
        return
    request = forgets.get(str(happening.body.get("forget")))
    if request is None:
        msg = f"there is no forget request {happening.body.get('forget')}. Nothing was saved."
        raise NotFinishedError(msg)
    if happening.type != EventType.FORGET_COMPLETED:
        return
    if not request.whole:
        msg = (
            f"forget request {request.forget} stands with {len(request.standing)} of "
            f"{request.parts} parts. It is not completed."
        )
        raise NotFinishedError(msg)
    left = _count(connection, _frame(request.contents)) + len(
        waiting(connection) & request.contents
    )
    if left:
        msg = f"{left} contents of forget request {request.forget} are still in the store."
        raise NotFinishedError(msg)


def waiting(connection: Connection) -> frozenset[str]:
    """Commitments whose content waits for the rewrite."""
    there = connection.execute(
        text("select count(*) from information_schema.tables where table_name = :name"),
        {"name": TABLE},
    ).scalar_one()
    if not there:
        return frozenset()
    return frozenset(connection.execute(text(f"select commitment from {TABLE}")).scalars())


def _frame(commitments: Iterable[str]) -> pd.DataFrame:
    return pd.DataFrame({"commitment": sorted(commitments)}).astype("str")


def _count(connection: Connection, wanted: pd.DataFrame, query: str = _HERE) -> int:
    if not len(wanted):
        return 0
    raw = projections.driver(connection)
    raw.register("condemned_now", wanted)
    try:
        return int(connection.execute(text(query)).scalar_one())
    finally:
        raw.unregister("condemned_now")
