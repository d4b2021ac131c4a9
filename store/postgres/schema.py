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

from store import migrations, tables
from store.log import DamagedStoreError
from store.postgres.place import Database, Place

ARRIVED: Final = "arrived"
"""The column that says with which event a row came."""

WAITING: Final = "vault_condemned"
"""Contents that wait for the rewrite, as in ``store.condemning``; always there, mostly empty."""

CONTENTS: Final = ("vault_payload", WAITING)
"""Tables that hold contents."""

_NOT_HERE: Final = "log_append_only"
"""DuckDB's triggers write to it; those of PostgreSQL call a function."""

BYTES: Final = {
    "log_event": ("canon",),
    "log_leaf": ("canon",),
    "log_signature": ("statement",),
    "vault_payload": ("body", "salt"),
    WAITING: ("body", "salt"),
}
"""Of each table that has bytes the columns with them."""

_LATER: Final = ("log_signature", "log_decision_guard", "vault_payload", "vault_lineage")
"""Tables whose own columns do not say with which event a row came."""

BODY: Final = " begin raise exception '% is append-only', tg_table_name; end "
"""What the triggers of the log's tables run."""

_FUNCTION: Final = f"create function append_only() returns trigger language plpgsql as $${BODY}$$"
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
    for name, columns in BYTES.items():
        for column in columns:
            told = f"alter table {name} alter column {column} set"
            database.execute(_plain(f"{told} storage external"))
            database.execute(_plain(f"{told} statistics 0"))
    database.execute(_plain(_FUNCTION))
    for name, act in guarded():
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


def identity(database: Database, place: Place) -> tuple[str, str]:
    """Ids of the store that is there, and of its tenant, if this program can read it.

    Raises:
        FileNotFoundError: If there is none.
        store.migrations.StoreNewerError: If a later version of this program wrote it.
        store.log.DamagedStoreError: If it says that it is several.
    """
    found = version(database)
    if found is None:
        msg = f"no store in schema {place.schema}. Nothing was created."
        raise FileNotFoundError(msg)
    if found > migrations.KNOWN:
        raise migrations.StoreNewerError(found)
    rows = database.execute("select store, tenant from log_identity").fetchall()
    if len(rows) != 1:
        msg = f"the schema {place.schema} names {len(rows)} stores. Run verify."
        raise DamagedStoreError(msg)
    return str(rows[0][0]), str(rows[0][1])


def guarded() -> list[tuple[str, str]]:
    """Each table of the log, with each act that it refuses."""
    return [(name, act) for name in tables.APPEND_ONLY for act in _ACTS]


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


def _plain(text: str) -> sql.SQL:
    """A statement of this module's own words; nothing of it comes from outside."""
    return sql.SQL(text)
