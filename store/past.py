"""What stood at an earlier moment: the same fold, stopped at a position of the log."""

from __future__ import annotations

from sqlalchemy import Connection, select
from sqlmodel import Session, col

from store import appending
from store.events import Event, read_event
from store.standing import Standing
from store.statements import SignedStatement
from store.tables import EventRow, SignatureRow


def signed_events(connection: Connection, start: int, stop: int | None = None) -> list[Event]:
    """The events in ``[start, stop)`` that have an effect only with a signature, in order."""
    wanted = (
        select(EventRow)
        .where(col(EventRow.seq) >= start)
        .where(col(EventRow.type).in_(appending.SIGNED_TYPES))
        .order_by(col(EventRow.seq))
    )
    if stop is not None:
        wanted = wanted.where(col(EventRow.seq) < stop)
    with Session(connection) as session:
        return [read_event(row.canon, row.h) for row in session.execute(wanted).scalars()]


def signature_of(connection: Connection, event: Event) -> SignedStatement | None:
    """The statement that ``event`` names, as it was signed, if the store holds it."""
    sha256 = event.body.get("statement")
    with Session(connection) as session:
        row = session.get(SignatureRow, sha256) if isinstance(sha256, str) else None
        return None if row is None else SignedStatement(row.statement, row.sshsig)


def take_until(connection: Connection, standing: Standing, size: int) -> Standing:
    """``standing``, which has seen nothing yet, after the first ``size`` events."""
    judge = appending.Judge(connection)
    for event in signed_events(connection, 0, size):
        judge.take(standing, event, signature_of(connection, event))
    standing.position = size
    return standing
