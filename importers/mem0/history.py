"""Reads Mem0's SQLite history: table ``history`` (Python) or ``memory_history`` (TypeScript).

Its ``messages`` are evidence, see ``mem0_messages``. How the file is opened, and what stands for
the bytes of a row, is told in ``sqlite_tables``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from importers import sqlite_tables
from importers.faults import RecordFaultError
from importers.mem0 import messages
from importers.mem0.changes import Changes, span_of
from importers.source import Head, Source
from importers.sqlite_tables import Row, Tables
from store.cells import Proposal
from store.records import Nothing, Read, Remark, RemarkCode

VERSION: Final = "2"
CANNOT_TELL: Final = (RemarkCode.NO_OWNER, RemarkCode.NO_BYTE_RANGES)
MAX_BYTES: Final = 20 * 1024 * 1024
TABLES: Final = ("history", "memory_history")


def recognises(head: Head) -> bool:
    """Whether this is an SQLite file that names one of Mem0's history tables."""
    return head.data.startswith(sqlite_tables.MAGIC) and (
        b"new_memory" in head.data or b"memory_history" in head.data
    )


def read(source: Source) -> Iterator[Read | Remark]:
    """One ``Read`` per row, in the order they were inserted, then the runs of the messages.

    Raises:
        SourceRefusedError: If the file is over ``MAX_BYTES``, its header is cut, or its table has
            columns that are computed.
    """

    def rows(tables: Tables) -> Iterator[Read | Remark]:
        table = next((one for one in TABLES if one in tables.names), None)
        if table is None:
            yield sqlite_tables.broken(tables.size)
            return
        found = tables.rows(table)
        changes = Changes(modified_at=source.modified_at)
        yield from (Remark(code) for code in CANNOT_TELL)
        yield from (_read(row, changes) for row in found)
        yield from messages.read(tables)

    yield from sqlite_tables.read(source, rows, limit=MAX_BYTES)


def _read(row: Row, changes: Changes) -> Read:
    if row.fault is not None:
        return Read(row.place, row.raw, row.fault)
    try:
        found: Proposal | Nothing = changes.found(row.record, span_of(row.record, row.raw))
    except RecordFaultError as fault:
        return Read(row.place, row.raw, fault.failed)
    return Read(row.place, row.raw, found)
