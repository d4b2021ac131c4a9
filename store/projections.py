"""Tables that pages query: made from the log, disposable, and never the authority.

Batch items are projected by one SQL statement that reads their canonical bytes, so a rebuild over
a million of them stays a query. Decisions are projected from ``store.standing``, which has
verified their signatures; nothing else moves an item's stage.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import duckdb
import pandas as pd
from sqlalchemy import Connection, text

from store.events import Event
from store.statements import DecisionStatement

_FEW: Final = 32
"""Rows that are inserted as values of a statement at most."""

_TABLES: Final = {
    "proj_item": """
        item varchar, rev bigint, latest boolean, seq bigint, n bigint, import varchar,
        importer varchar, kind varchar, source_type varchar, digest varchar, text_c varchar,
        provenance_c varchar, scope_c varchar, facts_c varchar, conclusion_c varchar,
        raw_c varchar, place_c varchar, valid_from varchar, valid_to varchar,
        expires_at varchar, verbatim boolean, immutable boolean, content_key varchar,
        source_key varchar, look_key varchar, line bigint, start_byte bigint, end_byte bigint,
        flags varchar, worst bigint, lane_hint varchar, work_order bigint, recorded_at varchar,
        stage varchar, decided_at varchar,
        primary key (item, rev)""",
    "proj_record": """
        seq bigint, n bigint, import varchar, importer varchar, outcome varchar, reason varchar,
        item varchar, kind varchar, source_type varchar, field varchar, place_column bigint,
        raw_c varchar, place_c varchar, line bigint, start_byte bigint, end_byte bigint,
        recorded_at varchar, primary key (seq, n)""",
    "proj_run": """
        item varchar primary key, seq bigint, n bigint, import varchar, importer varchar,
        run_c varchar, analysis_c varchar, analyser varchar, raw_c varchar, place_c varchar,
        content_key varchar, source_key varchar, session_key varchar, steps bigint,
        accepts bigint, rejects bigint, edits bigint, ending varchar, line bigint,
        start_byte bigint, end_byte bigint, recorded_at varchar""",
    "proj_edge": """
        item varchar, rev bigint, kind varchar, target varchar, strength varchar,
        asserter varchar""",
    "proj_import": """
        seq bigint primary key, import varchar, importer varchar, importer_version varchar,
        source_c varchar, policy varchar, written bigint, nothing_extracted bigint,
        already_known bigint, refused bigint, parse_failed bigint, last boolean,
        recorded_at varchar""",
    "proj_decision": """
        item varchar, rev bigint, seq bigint, decision varchar, from_stage varchar,
        to_stage varchar, reason varchar, note_c varchar, reviewer varchar, signed_at varchar,
        mode varchar, list_sha256 varchar, statement varchar, nonce varchar,
        primary key (item, rev, seq)""",
    "proj_link": """
        seq bigint, place bigint, kind varchar, item varchar, rev bigint, target varchar,
        target_rev bigint, verdict varchar, strength varchar, reviewer varchar,
        signed_at varchar, statement varchar, primary key (seq, place)""",
    "proj_root": "size bigint primary key, root blob",
    "proj_peak": "place bigint, peak blob",
}

_SHAPE: Final = (
    '{"type":"VARCHAR","n":"BIGINT","item":"VARCHAR","rev":"BIGINT","digest":"VARCHAR",'
    '"key":"VARCHAR","ext":"VARCHAR","look":"VARCHAR","raw":"VARCHAR","place":"VARCHAR",'
    '"line":"BIGINT","start":"BIGINT","end":"BIGINT","flags":"JSON","worst":"BIGINT",'
    '"lane":"VARCHAR","order":"BIGINT",'
    '"reason":"VARCHAR","kind":"VARCHAR","source_type":"VARCHAR","field":"VARCHAR",'
    '"column":"BIGINT","run":"VARCHAR","analysis":"VARCHAR","analyser":"VARCHAR",'
    '"session":"VARCHAR","steps":"BIGINT","decisions":["BIGINT"],"ending":"VARCHAR",'
    '"artifact":{"kind":"VARCHAR","source_type":"VARCHAR","text":"VARCHAR",'
    '"provenance":"VARCHAR","scope":"VARCHAR","facts":"VARCHAR","conclusion":"VARCHAR",'
    '"valid_from":"VARCHAR","valid_to":"VARCHAR","expires_at":"VARCHAR","verbatim":"BOOLEAN",'
    '"immutable":"BOOLEAN","edges":[["VARCHAR"]]}}'
)

_OPENED: Final = f"""
    create or replace temp table opened as
    select l.seq, e.recorded_at, e.body, from_json(decode(l.canon), '{_SHAPE}') as leaf
    from log_leaf l
    join (
        select seq, recorded_at, json_extract(decode(canon), '$.body') as body
        from log_event where type = 'import.staged' and seq >= :start
    ) e on e.seq = l.seq
    where l.seq >= :start"""

_ITEMS: Final = """
    insert into proj_item
    select leaf.item, leaf.rev, true, seq, leaf.n, body->>'$.import', body->>'$.importer',
        leaf.artifact.kind, leaf.artifact.source_type, leaf.digest, leaf.artifact.text,
        leaf.artifact.provenance, leaf.artifact.scope, leaf.artifact.facts,
        leaf.artifact.conclusion, leaf.raw, leaf.place, leaf.artifact.valid_from,
        leaf.artifact.valid_to, leaf.artifact.expires_at, leaf.artifact.verbatim,
        leaf.artifact.immutable, leaf.key, leaf.ext, leaf.look, leaf.line, leaf."start",
        leaf."end", leaf.flags::varchar, leaf.worst, leaf.lane, leaf."order",
        recorded_at, 'staged', null
    from opened where leaf.type = 'write.written'"""

_RECORDS: Final = """
    insert into proj_record
    select seq, leaf.n, body->>'$.import', body->>'$.importer', substr(leaf.type, 7),
        leaf.reason, leaf.item, leaf.kind, leaf.source_type, leaf.field, leaf."column",
        leaf.raw, leaf.place, leaf.line, leaf."start", leaf."end", recorded_at
    from opened where leaf.type not in ('write.written', 'run.written')"""

_RUNS: Final = """
    insert into proj_run
    select leaf.item, seq, leaf.n, body->>'$.import', body->>'$.importer', leaf.run,
        leaf.analysis, leaf.analyser, leaf.raw, leaf.place, leaf.key, leaf.ext, leaf.session,
        leaf.steps, leaf.decisions[1], leaf.decisions[2], leaf.decisions[3], leaf.ending,
        leaf.line, leaf."start", leaf."end", recorded_at
    from opened where leaf.type = 'run.written'"""

_EDGES: Final = """
    insert into proj_edge
    select item, rev, edge[1], edge[2], edge[3], edge[4]
    from (
        select leaf.item as item, leaf.rev as rev, unnest(leaf.artifact.edges) as edge
        from opened where leaf.type = 'write.written' and len(leaf.artifact.edges) > 0
    )"""

_LATEST: Final = """
    update proj_item set latest = false
    where latest and item in (
        select leaf.item from opened where leaf.type = 'write.written' and leaf.rev > 1
    ) and rev < (select max(p.rev) from proj_item p where p.item = proj_item.item)"""

_IMPORTS: Final = """
    insert into proj_import
    select seq, b->>'$.import', b->>'$.importer', b->>'$.importer_version', b->>'$.source',
        b->>'$.policy', (b->>'$.counts.written')::bigint,
        (b->>'$.counts.nothing_extracted')::bigint, (b->>'$.counts.already_known')::bigint,
        (b->>'$.counts.refused')::bigint, (b->>'$.counts.parse_failed')::bigint,
        (b->>'$.last')::boolean, recorded_at
    from (
        select seq, recorded_at, json_extract(decode(canon), '$.body') as b
        from log_event where type = 'import.staged' and seq >= :start
    )"""

_DECISION: Final = (
    *("item", "rev", "seq", "decision", "from_stage", "to_stage", "reason", "note_c", "reviewer"),
    *("signed_at", "mode", "list_sha256", "statement", "nonce"),
)

_DECIDED: Final = """
    update proj_item set stage = decided.stage, decided_at = $moment
    from (select unnest($items) as item, unnest($revs) as rev, unnest($stages) as stage) decided
    where proj_item.item = decided.item and proj_item.rev = decided.rev
        and proj_item.item between $first and $last"""
"""Ids grow with time, so the range leaves out most of the table unread."""


def create(connection: Connection) -> None:
    """Make the empty projection tables."""
    for name, columns in _TABLES.items():
        connection.execute(text(f"create table {name} ({columns})"))


def add_missing(connection: Connection) -> None:
    """Make the tables that a store of an earlier version lacks: nothing in its log fills them."""
    found = connection.execute(
        text("select table_name from information_schema.tables where table_name like 'proj_%'")
    ).scalars()
    there = set(found)
    for name, columns in _TABLES.items():
        if name not in there:
            connection.execute(text(f"create table {name} ({columns})"))


def clear(connection: Connection) -> None:
    """Throw every projection away."""
    for name in _TABLES:
        connection.execute(text(f"drop table if exists {name}"))
    create(connection)


def names() -> tuple[str, ...]:
    """The projection tables."""
    return tuple(_TABLES)


def add_batches(connection: Connection, start: int) -> None:
    """Project the batches from event ``start`` on."""
    values = {"start": start}
    connection.execute(text(_OPENED), values)
    for statement in (_ITEMS, _RECORDS, _RUNS, _EDGES, _LATEST):
        connection.execute(text(statement))
    connection.execute(text("drop table opened"))
    connection.execute(text(_IMPORTS), values)


def add_decisions(
    connection: Connection, event: Event, statement: DecisionStatement, sha256: str
) -> None:
    """Project decisions that were found to stand."""
    rows = [
        (
            *(v.item, v.rev, event.seq, str(v.decision), str(v.came_from), str(v.goes_to)),
            *(v.reason, v.note, statement.reviewer, statement.signed_at),
            *(v.mode, v.list_sha256, sha256, v.nonce),
        )
        for v in statement.verdicts
    ]
    insert_lists(connection, "proj_decision", _DECISION, rows)
    items = [v.item for v in statement.verdicts]
    values = {
        "items": items,
        "revs": [v.rev for v in statement.verdicts],
        "stages": [str(v.goes_to) for v in statement.verdicts],
        "moment": statement.signed_at,
        "first": min(items),
        "last": max(items),
    }
    driver(connection).execute(_DECIDED, values)


def add_roots(connection: Connection, roots: Sequence[tuple[int, bytes]]) -> None:
    """Keep the Merkle root of the log at each size."""
    insert_few(connection, "proj_root", ("size", "root"), roots)


def insert_few(
    connection: Connection, table: str, columns: Sequence[str], rows: Sequence[tuple[Any, ...]]
) -> None:
    """``insert`` of rows as tuples. A few go without a frame, which costs five times as much."""
    if len(rows) > _FEW:
        insert(connection, table, pd.DataFrame(rows, columns=list(columns)))
    elif rows:
        row = f"({', '.join('?' for _ in columns)})"
        told = f"insert into {table} ({', '.join(columns)}) values " + ", ".join([row] * len(rows))
        connection.exec_driver_sql(told, tuple(value for one in rows for value in one))


def insert_lists(
    connection: Connection, table: str, columns: Sequence[str], rows: Sequence[tuple[Any, ...]]
) -> None:
    """``insert`` of some hundred rows as tuples: a frame of them costs twice as much."""
    if rows:
        told = ", ".join("unnest(?)" for _ in columns)
        lists = [list(column) for column in zip(*rows, strict=True)]
        query = f"insert into {table} ({', '.join(columns)}) select {told}"
        driver(connection).execute(query, lists)


def insert(connection: Connection, table: str, rows: pd.DataFrame) -> None:
    """Add a frame's rows to a table, columns by name, in the present transaction."""
    if not len(rows):
        return
    columns = ", ".join(f'"{name}"' for name in rows.columns)
    with_frame(
        connection, "arriving", rows, f"insert into {table} ({columns}) select * from arriving"
    )


def with_frame(connection: Connection, name: str, rows: pd.DataFrame, statement: str) -> None:
    """Run a statement that reads ``rows`` under ``name``."""
    raw = driver(connection)
    raw.register(name, rows)
    try:
        connection.execute(text(statement))
    finally:
        raw.unregister(name)


def driver(connection: Connection) -> duckdb.DuckDBPyConnection:
    """DuckDB's own connection under SQLAlchemy's, in the same transaction."""
    wrapped: Any = connection.connection.driver_connection
    found: duckdb.DuckDBPyConnection = getattr(wrapped, "_ConnectionWrapper__c", wrapped)
    return found
