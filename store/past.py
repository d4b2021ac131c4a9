"""The signed events of an open store, in order, each with the statement that it names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from sqlalchemy import Connection, select
from sqlmodel import Session, col

from store import asking, projections
from store.events import SIGNED_TYPES, Event, read_event
from store.statements import SignedStatement
from store.tables import EventRow

_TOGETHER: Final = 100
_SIGNATURES: Final = (
    "select statement_sha256 as key, statement, sshsig from log_signature"
    " where statement_sha256 in (select unnest(:wanted::varchar[]))"
)


def signed_events(connection: Connection, start: int, stop: int | None = None) -> list[Event]:
    """The events in ``[start, stop)`` that have an effect only with a signature, in order."""
    wanted = (
        select(EventRow)
        .where(col(EventRow.seq) >= start)
        .where(col(EventRow.type).in_(SIGNED_TYPES))
        .order_by(col(EventRow.seq))
    )
    if stop is not None:
        wanted = wanted.where(col(EventRow.seq) < stop)
    with Session(connection) as session:
        return [read_event(row.canon, row.h) for row in session.execute(wanted).scalars()]


def with_signatures(
    connection: Connection, events: Sequence[Event]
) -> Iterator[tuple[Event, SignedStatement | None]]:
    """Each event with the statement that it names, as it was signed, if the store holds it.

    Statements are read some at a time: all of them may be larger than memory.
    """
    for start in range(0, len(events), _TOGETHER):
        some = events[start : start + _TOGETHER]
        named = [one.body.get("statement") for one in some]
        values = {"wanted": [one for one in named if isinstance(one, str)]}
        found = asking.rows(projections.driver(connection), _SIGNATURES, values=values)
        held = {
            one["key"]: SignedStatement(bytes(one["statement"]), str(one["sshsig"]))
            for one in found
        }
        yield from ((one, held.get(sha256)) for one, sha256 in zip(some, named, strict=True))
