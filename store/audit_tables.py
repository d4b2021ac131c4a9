"""The part of verification that looks at the vault and the projections. Reads only."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import duckdb

from store import listings, tables
from store.audit_erasures import Erasures, erasures
from store.audit_log import Audit
from store.forget_standing import contents_of
from store.listings import Listing
from store.stages import Stage
from store.vault import commit


@dataclass
class Payloads:
    """What the vault holds against what the log commits to."""

    opened: int = 0
    bad: list[str] = field(default_factory=list)
    orphans: list[str] = field(default_factory=list)
    erasures: Erasures = field(default_factory=Erasures)


def payloads(connection: duckdb.DuckDBPyConnection, audit: Audit) -> Payloads:
    """Open every payload against its commitment, and find what is missing or left over."""
    found, seen = Payloads(), set[bytes]()
    rows = connection.execute("select commitment, salt, role, body from vault_payload")
    while chunk := rows.fetchmany(5_000):
        for commitment, salt, role, body in chunk:
            try:
                opens = commit(role, bytes(salt), bytes(body)) == commitment
            except (ValueError, UnicodeEncodeError):
                opens = False
            if not opens:
                found.bad.append(f"content {commitment[:12]} does not open to its commitment")
                seen.add(_raw(commitment))
                continue
            found.opened += 1
            seen.add(_raw(commitment))
            if _raw(commitment) not in audit.commitments:
                found.orphans.append(f"content {commitment[:12]} belongs to no event")
    missing = audit.commitments - seen
    found.erasures = erasures(connection, audit, seen, missing)
    requested = {bytes.fromhex(one) for one in contents_of(audit.standing.forgets)}
    found.bad += [
        f"content {commitment.hex()[:12]} is missing without an erasure"
        for commitment in sorted(missing - requested)[:10]
    ]
    return found


def unsigned_approvals(connection: duckdb.DuckDBPyConnection, audit: Audit) -> list[str]:
    """Items that a table calls durable and no verified signature does."""
    rows = connection.execute(
        f"select item, rev, digest from proj_item where stage = '{Stage.DURABLE}'"
    ).fetchall()
    return [
        f"item {item} is listed as durable without a signature over it"
        for item, rev, digest in rows
        if audit.standing.stage_of(item, rev) != Stage.DURABLE
        or audit.standing.items[item].artifact != digest
    ]


def projections(connection: duckdb.DuckDBPyConnection, audit: Audit) -> list[str]:
    """Where the tables that pages query differ from the fold of the log."""
    wrong = [
        f"the rows of {table} are not the ones that the log implies"
        for table in listings.COLUMNS
        if _listing(connection, table) != audit.listings[table]
    ]
    latest: dict[str, int] = {}
    for item, rev in audit.items:
        latest[item] = max(rev, latest.get(item, 0))
    rows = connection.execute("select item, rev, stage, latest from proj_item")
    while chunk := rows.fetchmany(5_000):
        for item, rev, stage, last in chunk:
            if stage != audit.standing.stage_of(item, rev):
                wrong.append(f"item {item} is listed as {stage}")
            elif last != (latest.get(item) == rev):
                wrong.append(f"item {item} is listed under the wrong revision")
    roots = connection.execute("select root from proj_root order by size").fetchall()
    if [bytes(row[0]) for row in roots] != audit.roots[1:]:
        wrong.append("the list of heads differs from the log's")
    return wrong


def _listing(connection: duckdb.DuckDBPyConnection, table: str) -> Listing:
    found = Listing()
    rows = connection.execute(f"select {listings.COLUMNS[table]} from {table}")
    while chunk := rows.fetchmany(5_000):
        for row in chunk:
            try:
                found.add(listings.stored_row(table, row))
            except (ValueError, TypeError):
                found.count -= 1
    return found


def missing_triggers(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """Log tables that the database would let somebody change."""
    found = {
        (str(table), str(event))
        for table, event, sql in connection.execute(
            "select table_name, event_manipulation, sql from duckdb_triggers()"
            " where action_timing = 'BEFORE'"
        ).fetchall()
        if re.search(r'"?error"?\(', str(sql)) and " WHEN " not in str(sql).upper()
    }
    return [
        f"{table} can be changed by {act.lower()}"
        for table in tables.APPEND_ONLY
        for act in ("UPDATE", "DELETE")
        if (table, act) not in found
    ]


def _raw(commitment: str) -> bytes:
    try:
        return bytes.fromhex(commitment)
    except ValueError:
        return commitment.encode("utf-8", "replace")
