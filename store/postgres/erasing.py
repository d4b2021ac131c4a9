"""Takes contents out of a store in PostgreSQL: deletes their rows, and writes their tables anew.

A deleted row stays in its table's file until the table is written anew (``VACUUM FULL``), which
gives the old file back to the system without overwriting it. What the server wrote before, in its
write-ahead log and in copies of it, stays: ``store.postgres.residues`` tells of that.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import psycopg

from store.erase_points import Erasure, Point, Reached
from store.postgres import schema
from store.postgres.place import Database, Line

_AT_ONCE: Final = 20_000
_SIZE: Final = (
    "select coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint from pg_class c"
    " where c.relnamespace = to_regnamespace(quote_ident(current_schema()))"
    " and c.relname = any(%s)"
)


def erase(line: Line, contents: Iterable[str], *, reached: Reached) -> Erasure:
    """Delete ``contents`` and write their tables anew. Every step can be done again.

    Args:
        line: To the store.
        contents: Commitments. Those that are not there are passed over.
        reached: Is told each point: those that a server has.

    Raises:
        store.connections.StoreBusyError: If another process appends for too long.
        store.connections.StoreAwayError: If the database cannot be reached, or goes away.
    """
    wanted = sorted(set(contents))
    with line.alone() as database:
        reached(Point.BEGUN)
        before = _size(database)
        gone = 0
        with database.transaction():
            for start in range(0, len(wanted), _AT_ONCE):
                some = [wanted[start : start + _AT_ONCE]]
                for query in (
                    "delete from vault_payload where commitment = any(%s)",
                    "delete from vault_condemned where commitment = any(%s)",
                ):
                    gone += database.execute(query, some).rowcount
        reached(Point.COPIED)
        database.execute("vacuum (full) vault_payload")
        database.execute("vacuum (full) vault_condemned")
        reached(Point.REPLACED)
        settle(database)
        reached(Point.SETTLED)
        return Erasure(gone, before, _size(database), old_overwritten=False)


def settle(database: Database) -> None:
    """Have everything in the tables' own files, and begin a new file of the write-ahead log.

    Both need a right that the server's owner may not have given; without it nothing is claimed of
    what was not written yet.
    """
    for query in ("checkpoint", "select pg_switch_wal()"):
        try:
            database.execute(query)
        except (psycopg.errors.InsufficientPrivilege, psycopg.errors.ObjectNotInPrerequisiteState):
            continue


def _size(database: Database) -> int:
    ((found,),) = database.execute(_SIZE, [list(schema.CONTENTS)]).fetchall()
    return int(found)
