"""Asks an open store one question: a query, its named values, and frames to join it with."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, Final

import duckdb
import pandas as pd

KNOWN: Final = (
    "select wanted.key, p.item from wanted join proj_item p on p.content_key = wanted.key"
    " union all"
    " select wanted.key, p.item from wanted join proj_run p on p.content_key = wanted.key"
)
BY_SOURCE: Final = (
    "select wanted.key, p.item, p.rev, p.stage, p.importer, p.seq, p.n from wanted"
    " join proj_item p on p.source_key = wanted.key and p.latest"
    " union all"
    " select wanted.key, p.item, 0, 'evidence', p.importer, p.seq, p.n from wanted"
    " join proj_run p on p.source_key = wanted.key"
    " order by seq, n"
)
_LEAVES: Final = (
    "with found as (select k.rowid as place from"
    " (select unnest(:seqs) as seq, unnest(:ordinals) as ordinal) w"
    " join log_leaf k on k.seq = w.seq and k.ordinal = w.ordinal"
    " where k.seq between :first and :last)"
    " select seq, ordinal, canon from log_leaf where rowid in (select place from found)"
)
"""Finds rows by their numbers first: a join would read the bytes of every item there is."""

_PAYLOADS: Final = "select commitment, salt, role, body from vault_payload where commitment in "
_FEW: Final = 500
"""Contents that are named one by one, which lets the index find them."""

SIZE: Final = "select count(*) as size from log_event"


def rows(
    connection: duckdb.DuckDBPyConnection,
    query: str,
    tables: Mapping[str, pd.DataFrame] | None = None,
    values: Mapping[str, object] | None = None,
) -> list[dict[str, Any]]:
    """The rows of ``query``, which names values as ``:name`` and frames by their names."""
    with _joined(connection, tables):
        found = connection.execute(_named(query), values or None)
        names = [column[0] for column in found.description]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def leaves(
    connection: duckdb.DuckDBPyConnection, places: Sequence[tuple[int, int]]
) -> dict[tuple[int, int], bytes]:
    """Bytes of batch items, by event and place in its batch. What is not there is absent."""
    if not places:
        return {}
    seqs, ordinals = [seq for seq, _ in places], [ordinal for _, ordinal in places]
    values = {"seqs": seqs, "ordinals": ordinals, "first": min(seqs), "last": max(seqs)}
    found = rows(connection, _LEAVES, values=values)
    return {(one["seq"], one["ordinal"]): bytes(one["canon"]) for one in found}


def payload_rows(
    connection: duckdb.DuckDBPyConnection, commitments: Sequence[str]
) -> list[dict[str, Any]]:
    """The rows of the vault behind commitments. What is not there is absent."""
    if len(commitments) > _FEW:
        query = f"{_PAYLOADS} (select unnest(:wanted))"
        return rows(connection, query, values={"wanted": list(commitments)})
    marks = ", ".join("?" for _ in commitments)
    found = connection.execute(f"{_PAYLOADS} ({marks})", list(commitments))
    names = ("commitment", "salt", "role", "body")
    return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def frame(
    connection: duckdb.DuckDBPyConnection,
    query: str,
    tables: Mapping[str, pd.DataFrame] | None = None,
    values: Mapping[str, object] | None = None,
) -> pd.DataFrame:
    """What ``rows`` tells, as one frame: for many rows that are worked on as columns."""
    with _joined(connection, tables):
        return connection.execute(_named(query), values or None).df()


@contextmanager
def _joined(
    connection: duckdb.DuckDBPyConnection, tables: Mapping[str, pd.DataFrame] | None
) -> Iterator[None]:
    """Let a query see frames by their names while it runs."""
    for name, table in (tables or {}).items():
        connection.register(name, table)
    try:
        yield
    finally:
        for name in tables or {}:
            connection.unregister(name)


def keys(wanted: Sequence[str]) -> pd.DataFrame:
    """A frame with one column ``key``, text even when it is empty."""
    return pd.DataFrame({"key": pd.Series(list(wanted), dtype="str")})


@lru_cache(maxsize=256)
def _named(query: str) -> str:
    """A query with ``:name`` parameters in DuckDB's own spelling."""
    return re.sub(r"(?<![:\w]):([a-z_]+)\b", r"$\1", query)
