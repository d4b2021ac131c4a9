"""Reads claude-mem's database, ``~/.claude-mem/claude-mem.db``: the rows of its four tables.

The rows are those of an export, with a few columns more. How the file is opened, and what stands
for the bytes of a row, is told in ``sqlite_tables``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from importers import sqlite_tables
from importers.claude_mem.rows import Rows, Sessions
from importers.json_reading.slices import Slice
from importers.source import Head, Source
from importers.sqlite_tables import Tables
from store.records import Read, Remark, RemarkCode

VERSION: Final = "1"
CANNOT_TELL: Final = (
    RemarkCode.NO_OWNER,
    RemarkCode.NO_BYTE_RANGES,
    RemarkCode.MODEL_MADE,
    RemarkCode.NO_DECISIONS,
)
MAX_BYTES: Final = 128 * 1024 * 1024
_SESSIONS: Final = "sdk_sessions"
_PROMPTS: Final = "user_prompts"
TABLES: Final = ("observations", "session_summaries", _SESSIONS, _PROMPTS)
_NAMED: Final = (b"sdk_sessions", b"session_summaries")


def recognises(head: Head) -> bool:
    """Whether this is an SQLite file that names one of claude-mem's own tables."""
    return head.data.startswith(sqlite_tables.MAGIC) and any(one in head.data for one in _NAMED)


def read(source: Source) -> Iterator[Read | Remark]:
    """Every fact, summary, session and prompt, table by table.

    Raises:
        SourceRefusedError: If the file is over ``MAX_BYTES``, its header is cut, or a table has
            columns that are computed.
    """

    def made(tables: Tables) -> Iterator[Read | Remark]:
        return _reads(tables, source.modified_at)

    return sqlite_tables.read(source, made, limit=MAX_BYTES)


def _reads(tables: Tables, modified_at: str | None) -> Iterator[Read | Remark]:
    if not tables.names & {"observations", "session_summaries"}:
        yield sqlite_tables.broken(tables.size)
        return
    yield from (Remark(code) for code in CANNOT_TELL)
    sessions = Sessions()
    for table in (_SESSIONS, _PROMPTS):
        if table in tables.names:
            for row in tables.rows(table):
                sessions.meet(row.record)
    rows = Rows(sessions, modified_at=modified_at)
    for table in TABLES:
        for row in tables.rows(table) if table in tables.names else ():
            if row.fault is not None:
                yield Read(row.place, row.raw, row.fault)
            else:
                piece = Slice(row.place.line, row.place.start, row.place.end, row.raw)
                yield from rows.reads(row.record, piece, row.place.member)
    yield from rows.tally.remarks()
