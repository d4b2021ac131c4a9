"""``verify`` for a store in PostgreSQL: its rows are read anew, and derived again like a file's.

The server's rows are copied into memory, and nothing that a console keeps is believed. What the
server itself promises, that its log's tables refuse change, is read from its catalogue.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy.exc import SQLAlchemyError

from store import migrations, projections
from store.connections import PATIENCE, Opener
from store.log_store import LogStore
from store.postgres import rows, schema, tampering
from store.postgres.place import Line, Place
from store.postgres.tampering import Tampered
from store.standing import TrustRoot
from store.verify import Check, SeenState, Verdict, VerifyReport, judged

_NAMED: Final = 3
"""Findings that are named on a line."""

SERVER: Final = "server"
"""Name of the line about what the server promises."""


def verify_place(
    place: Place,
    *,
    root: TrustRoot | None,
    pin: str | None = None,
    seen: SeenState | None = None,
    patience: float = PATIENCE,
) -> VerifyReport:
    """Verify the store at ``place``.

    Args:
        place: Where it is.
        root: The workspace's trust root; None before the first reviewer.
        pin: Fingerprint of the root, from outside the workspace.
        seen: A head seen earlier: the log must still begin with it.
        patience: Seconds to wait for the database.

    Raises:
        FileNotFoundError: If there is no store.
        store.migrations.StoreNewerError: If a later version of this program wrote it.
        store.log.DamagedStoreError: If its rows do not fit together.
        store.connections.StoreAwayError: If the database cannot be reached.
    """
    line, copy = Line(place, patience=patience), Opener(None)
    try:
        with line.snapshot() as database, copy.work() as connection:
            version = schema.version(database)
            if version is None:
                msg = f"no store in schema {place.schema}."
                raise FileNotFoundError(msg)
            if version > migrations.KNOWN:
                raise migrations.StoreNewerError(version)
            migrations.bring_up_to_date(connection)
            raw = projections.driver(connection)
            rows.take(database, raw, 0)
            rows.take_waiting(database, raw)
            counted = rows.counts(raw)
            told = tampering.found(database, place.schema, counted, counted["log_event"])
        more = [_server(told), *_projected(copy, root)]
    finally:
        line.close()
    with copy.reading() as connection:
        return judged(connection, root=root, pin=pin, seen=seen, more=more)


def _server(told: Tampered) -> Check:
    if told.wrong or told.odd:
        verdict = Verdict.FAIL if told.wrong else Verdict.WARN
        named = [*told.wrong, *told.odd]
        more = f" (+{len(named) - _NAMED} more)" if len(named) > _NAMED else ""
        return Check(SERVER, verdict, "; ".join(named[:_NAMED]) + more)
    return Check(SERVER, Verdict.PASS, "the server refuses to change or remove log rows")


def _projected(copy: Opener, root: TrustRoot | None) -> list[Check]:
    """Make the lists of the copy, as every console does; a log that is broken may not allow it."""
    with copy.reading() as connection:
        named = connection.execute("select store, tenant from log_identity").fetchall()
    try:
        ((store, tenant),) = named
        LogStore(copy, store, tenant, root).rebuild()
    except (SQLAlchemyError, ValueError, KeyError, TypeError, RuntimeError) as error:
        told = f"the lists cannot be made from the log ({type(error).__name__})"
        return [Check("lists", Verdict.FAIL, told)]
    return []
