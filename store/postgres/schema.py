"""The tables of a store in PostgreSQL: those of ``store.tables``, and what only a server needs.

Every row says with which event it arrived, so that a copy can take what is new. Contents are
neither compressed nor sampled: what is erased has to be findable while it is still there, and the
statistics of a table would keep some of it. The log's tables refuse change by triggers.
"""

from __future__ import annotations

from typing import Any, Final

from psycopg import sql
from sqlalchemy import Table
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateTable
from sqlmodel import SQLModel

from store import tables
from store.postgres.place import Database, Place

ARRIVED: Final = "arrived"
"""The column that says with which event a row came."""

WAITING: Final = "vault_condemned"
"""Contents that wait for the rewrite, as in ``store.condemning``; always there, mostly empty."""

CONTENTS: Final = ("vault_payload", WAITING)
"""Tables that hold contents."""

_NOT_HERE: Final = "log_append_only"
"""DuckDB's triggers write to it; those of PostgreSQL call a function."""

_BYTES: Final = {
    "log_event": ("canon",),
    "log_leaf": ("canon",),
    "log_signature": ("statement",),
    "vault_payload": ("body", "salt"),
    WAITING: ("body", "salt"),
}
_LATER: Final = ("log_signature", "log_decision_guard", "vault_payload", "vault_lineage")
"""Tables whose own columns do not say with which event a row came."""

_FUNCTION: Final = (
    "create function append_only() returns trigger language plpgsql as "
    "$$ begin raise exception '% is append-only', tg_table_name; end $$"
)
_ACTS: Final = ("update", "delete", "truncate")


def names() -> tuple[str, ...]:
    """The tables that the models describe and that a server keeps."""
    return tuple(one.name for one in _models())


def create(database: Database, place: Place) -> None:
    """Make the schema and its empty tables, in the present transaction.

    Raises:
        psycopg.errors.DuplicateSchema: If it is there.
    """
    database.execute(sql.SQL("create schema {}").format(sql.Identifier(place.schema)))
    for table in _models():
        database.execute(_plain(str(CreateTable(table).compile(dialect=postgresql.dialect()))))  # type: ignore[no-untyped-call]
    for name in _LATER:
        database.execute(_plain(f"alter table {name} add column {ARRIVED} bigint not null"))
        database.execute(_plain(f"create index on {name} ({ARRIVED})"))
    database.execute(_plain(f"create table {WAITING} (like vault_payload including all)"))
    for name, columns in _BYTES.items():
        for column in columns:
            told = f"alter table {name} alter column {column} set"
            database.execute(_plain(f"{told} storage external"))
            database.execute(_plain(f"{told} statistics 0"))
    database.execute(_plain(_FUNCTION))
    for name, act in _guarded():
        database.execute(
            _plain(
                f"create trigger {name}_no_{act} before {act} on {name} for each statement"
                " execute function append_only()"
            )
        )


def exists(database: Database, place: Place) -> bool:
    """Whether the schema is there, whatever is in it."""
    query = "select count(*) from pg_namespace where nspname = %s"
    return database.execute(query, [place.schema]).fetchall() != [(0,)]


def version(database: Database) -> int | None:
    """Schema version of the store that is there; None if there is none."""
    ((there,),) = database.execute("select to_regclass('log_identity') is not null").fetchall()
    if not there:
        return None
    ((found,),) = database.execute("select max(version) from log_identity").fetchall()
    return None if found is None else int(found)


def missing_triggers(database: Database) -> list[str]:
    """Log tables that the server would let somebody change."""
    rows = database.execute(
        "select c.relname, t.tgname from pg_trigger t join pg_class c on c.oid = t.tgrelid"
        " join pg_proc p on p.oid = t.tgfoid"
        " where c.relnamespace = to_regnamespace(quote_ident(current_schema()))"
        " and t.tgenabled in ('O', 'A')"
        " and t.tgqual is null and p.proname = 'append_only' and p.prosrc like %s"
        " and p.pronamespace = c.relnamespace",
        ["%raise exception%is append-only%"],
    ).fetchall()
    found = set(rows)
    return [
        f"{name} can be changed by {act.upper()} on the server"
        for name, act in _guarded()
        if (name, f"{name}_no_{act}") not in found
    ]


def _models() -> list[Table]:
    metadata = SQLModel.metadata
    ours = {str(row.__tablename__) for row in _rows()}
    return [one for one in metadata.sorted_tables if one.name in ours and one.name != _NOT_HERE]


def _rows() -> list[Any]:
    return [
        one
        for one in vars(tables).values()
        if isinstance(one, type) and issubclass(one, SQLModel) and one is not SQLModel
    ]


def _guarded() -> list[tuple[str, str]]:
    return [(name, act) for name in tables.APPEND_ONLY for act in _ACTS]


def _plain(text: str) -> sql.SQL:
    """A statement of this module's own words; nothing of it comes from outside."""
    return sql.SQL(text)
