"""What somebody changed on the server: read from its catalogue, and by counting rows.

A schema's owner can change all of it. Signatures and the chain do not depend on what is read here;
it says whether the server itself still keeps the log from change, and what else it keeps.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, LiteralString

from psycopg import sql

from store.postgres import schema
from store.postgres.place import Database
from store.postgres.rows import GROWING, ONCE
from store.postgres.schema import ARRIVED

_CATALOGUE: Final = "set local search_path = pg_catalog"
"""A schema may hold functions that are called like the server's own."""

_TRIGGERS: Final = (
    "select c.relname, t.tgname, t.tgtype, t.tgenabled in ('O', 'A') and t.tgqual is null"
    " and t.tgattr::text = '' and p.pronamespace = c.relnamespace and p.proname = 'append_only'"
    " and p.prosrc = %s and l.lanname = 'plpgsql'"
    " from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_proc p on p.oid = t.tgfoid"
    " join pg_language l on l.oid = p.prolang join pg_namespace n on n.oid = c.relnamespace"
    " where n.nspname = %s and not t.tgisinternal"
)
_BEFORE: Final = 2
_KINDS: Final = {"update": 16, "delete": 8, "truncate": 32}
"""Bits of a trigger's type. Source: ``src/include/catalog/pg_trigger.h``."""

_RELATIONS: Final = (
    "select c.relname, c.relkind::text, c.relpersistence::text, c.relrowsecurity,"
    " exists (select 1 from pg_inherits i where i.inhparent = c.oid),"
    " exists (select 1 from pg_rewrite r where r.ev_class = c.oid)"
    " from pg_class c join pg_namespace n on n.oid = c.relnamespace"
    " where n.nspname = %s and c.relkind in ('r', 'v', 'm', 'p', 'f') order by 1"
)
_COLUMNS: Final = (
    "select c.relname, a.attname, a.atttypid = 'bytea'::regtype,"
    " a.attstorage in ('e', 'p') and a.attstattarget = 0"
    " from pg_attribute a join pg_class c on c.oid = a.attrelid"
    " join pg_namespace n on n.oid = c.relnamespace where n.nspname = %s and a.attnum > 0"
)
_INDEXES: Final = (
    "select x.relname from pg_index i join pg_class c on c.oid = i.indrelid"
    " join pg_class x on x.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace"
    " left join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]"
    " where n.nspname = %s and c.relname = any(%s) and not i.indisprimary"
    " and (i.indnatts > 1 or a.attname is distinct from %s) order by 1"
)


@dataclass
class Tampered:
    """What was found."""

    wrong: list[str] = field(default_factory=list)
    """What a server that only a console wrote to does not show."""

    odd: list[str] = field(default_factory=list)
    """What changes nothing of the log, and keeps or may keep contents where nobody counts them."""


def found(database: Database, name: str, counted: Mapping[str, int], size: int) -> Tampered:
    """Look at the schema ``name`` in the present transaction, which only reads.

    Args:
        database: Its search path is another one afterwards, to the end of the transaction.
        name: Of the schema.
        counted: How many rows of each table belong to the store.
        size: How many events its log has.

    Raises:
        psycopg.Error: If a table is not there.
    """
    database.execute(_CATALOGUE)
    told = Tampered()
    _guards(database, name, told)
    _shapes(database, name, told)
    for table, count in counted.items():
        there = _number(database, name, table, "true")
        if there != count:
            told.wrong.append(f"{table} has {there} rows, of which {count} belong to the store")
    for table, (_columns, by) in GROWING.items():
        if by == ARRIVED and _number(database, name, table, "arrived not between 0 and %s", size):
            told.wrong.append(f"rows of {table} say that they came with an event that is none")
    for table in ONCE:
        if _number(database, name, table, "true") != 1:
            told.wrong.append(f"{table} has not one row")
    return told


def _guards(database: Database, name: str, told: Tampered) -> None:
    rows = database.execute(_TRIGGERS, [schema.BODY, name]).fetchall()
    good = {(table, trigger, kind) for table, trigger, kind, fits in rows if fits}
    ours = {(table, f"{table}_no_{act}", _BEFORE | _KINDS[act]) for table, act in schema.guarded()}
    for table, act in schema.guarded():
        if (table, f"{table}_no_{act}", _BEFORE | _KINDS[act]) not in good:
            told.wrong.append(f"{table} can be changed by {act.upper()} on the server")
    told.odd += sorted(
        f"{table} has a trigger that is not ours: {trigger}"
        for table, trigger, kind, _fits in rows
        if (table, trigger, kind) not in ours
    )


def _shapes(database: Database, name: str, told: Tampered) -> None:
    ours, plain = {*schema.names(), schema.WAITING}, set[str]()
    for table, kind, lasting, hides, has_heirs, has_rules in _all(database, _RELATIONS, name):
        if table not in ours:
            told.odd.append(f"there is a table that is not ours: {table}")
            continue
        if kind == "r" and not hides and not has_heirs and lasting == "p":
            plain.add(table)
        if has_rules and kind == "r":
            told.odd.append(f"{table} has a rule that is not ours")
    told.wrong += [f"{table} is not the plain table that it was" for table in sorted(ours - plain)]
    kept = {(table, column): rest for table, column, *rest in _all(database, _COLUMNS, name)}
    for table, columns in schema.BYTES.items():
        for column in columns:
            is_bytes, is_open = kept.get((table, column), (False, False))
            if not is_bytes:
                told.wrong.append(f"{table}.{column} does not keep bytes")
            elif not is_open:
                told.odd.append(f"{table}.{column} may be packed or sampled")
    for (index,) in _all(database, _INDEXES, name, list(schema.CONTENTS), ARRIVED):
        told.odd.append(f"there is an index that is not ours: {index}")


def _all(database: Database, query: LiteralString, *values: object) -> list[tuple[Any, ...]]:
    return database.execute(query, values).fetchall()


def _number(
    database: Database, name: str, table: str, where: LiteralString, *values: object
) -> int:
    query = sql.SQL("select count(*) from {} where {}").format(
        sql.Identifier(name, table), sql.SQL(where)
    )
    ((count,),) = database.execute(query, values).fetchall()
    return int(count)
