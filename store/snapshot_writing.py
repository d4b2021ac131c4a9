"""Writes a snapshot of what is durable into a new database file.

It takes from the store what verified signatures stand behind, in slices, so that memory stays
flat. The file is whole and closed when this returns; who publishes it is asked elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import duckdb
import pandas as pd

from store import canonical, merkle, snapshot_tables
from store.database import configured
from store.events import SIGNED_TYPES, EventType
from store.log import DamagedStoreError, Readable
from store.standing import Standing

_CELLS: Final = 50_000
_EVENTS: Final = 20_000
_SHARED: Final = ("vault_payload", "log_event")
"""Tables in which two slices may name the same row."""

_NEWEST: Final = (EventType.POLICY_CHANGED, EventType.GATE_FITTED)


def write(path: Path, store: Readable, standing: Standing, texts: Mapping[str, bytes]) -> None:
    """Fill ``path``, which is not there yet, with what ``standing`` says is durable.

    Args:
        path: The new file.
        store: What is published, held open.
        standing: Which decisions stand; its position is how many events are shown.
        texts: What readers need besides: see ``snapshot_tables.PARAMETERS``.

    Raises:
        store.log.DamagedStoreError: If something durable is not in the store as it was signed.
        OSError, duckdb.Error: If the file cannot be written.
    """
    with duckdb.connect(str(path)) as connection:
        configured(connection)
        connection.execute("begin")
        for name, columns in snapshot_tables.TABLES.items():
            connection.execute(f"create table {name} ({columns})")
        names = ["store", "tenant", "version"]
        told = pd.DataFrame(
            [(store.store_id, store.tenant_id, snapshot_tables.VERSION)], columns=names
        )
        _insert(connection, "log_identity", told)
        for name, body in texts.items():
            connection.execute("insert into pub_text values (?, ?)", [name, body])
        _cells(connection, store, standing)
        _log(connection, store, standing.position)
        connection.execute("commit")
        connection.execute("checkpoint")


def _cells(connection: duckdb.DuckDBPyConnection, store: Readable, standing: Standing) -> None:
    wanted = pd.DataFrame(list(standing.durable()), columns=["item", "rev", "digest"])
    wanted = wanted.astype({"item": "str", "rev": "int64", "digest": "str"})
    batches: set[int] = set()
    for start in range(0, len(wanted), _CELLS):
        some = {"wanted": wanted.iloc[start : start + _CELLS]}
        items = store.frame(snapshot_tables.DURABLE_ITEMS, some)
        if len(items) != len(some["wanted"]):
            msg = (
                "something that was signed is not in the list. Nothing was published. Run verify."
            )
            raise DamagedStoreError(msg)
        batches.update(items["seq"].tolist())
        _insert(connection, "proj_item", items)
        _insert(connection, "log_leaf", store.frame(snapshot_tables.DURABLE_LEAVES, some))
        _insert(connection, "vault_payload", store.frame(snapshot_tables.DURABLE_PAYLOADS, some))
    seqs = pd.DataFrame({"seq": pd.Series(sorted(batches), dtype="int64")})
    _insert(connection, "log_event", store.frame(snapshot_tables.BATCH_EVENTS, {"wanted": seqs}))


def _log(connection: duckdb.DuckDBPyConnection, store: Readable, size: int) -> None:
    kinds = pd.DataFrame({"type": list(SIGNED_TYPES)})
    newest = pd.DataFrame({"type": [str(one) for one in _NEWEST]})
    events = store.frame(snapshot_tables.EVENTS, {"kinds": kinds, "newest": newest})
    _insert(connection, "log_event", events)
    _insert(connection, "log_signature", store.frame(snapshot_tables.SIGNATURES))
    _insert(connection, "pub_artifact", store.frame(snapshot_tables.SIGNED_ARTIFACTS))
    policies = [bytes(one) for one in events[events["type"] == EventType.POLICY_CHANGED]["canon"]]
    for canon in policies:
        _policy(connection, store, canon)
    for start in range(0, size, _EVENTS):
        stop = min(start + _EVENTS, size)
        found = store.frame(snapshot_tables.EVENT_BYTES, start=start, stop=stop)
        found["hash"] = [merkle.leaf_hash(bytes(canon)) for canon in found["canon"]]
        _insert(connection, "pub_leaf_hash", found[["seq", "hash"]])


def _policy(connection: duckdb.DuckDBPyConnection, store: Readable, canon: bytes) -> None:
    """The text of the policy in force, under the commitment that its event names."""
    commitment = canonical.decode(canon)["body"]["policy"]
    payload = store.payloads([commitment])[commitment]
    connection.execute(
        "insert into vault_payload values (?, ?, ?, ?) on conflict do nothing",
        [commitment, payload.salt, str(payload.role), payload.body],
    )


def _insert(connection: duckdb.DuckDBPyConnection, table: str, rows: pd.DataFrame) -> None:
    if not len(rows):
        return
    columns = ", ".join(f'"{name}"' for name in rows.columns)
    connection.register("arriving", rows)
    again = " on conflict do nothing" if table in _SHARED else ""
    try:
        connection.execute(
            f"insert into {table} ({columns}) select {columns} from arriving{again}"
        )
    finally:
        connection.unregister("arriving")
