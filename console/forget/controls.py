"""Texts that are known to be in the databases of a workspace: the controls of a search."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import duckdb

from store.forgetting import CONTROLS, staying
from store.log_store import LogStore

_TEXTS: Final = (
    "select body, salt from vault_payload where octet_length(body) between 12 and 4000"
    f" order by hash(commitment) limit {CONTROLS}"
)


def controls(home: Path, store: LogStore, databases: list[Path]) -> dict[str, list[bytes]]:
    """For each database its controls, by its path relative to ``home``.

    A database that cannot be read has none, and nothing is claimed of it.

    Args:
        home: The workspace.
        store: Whose rows are asked through itself.
        databases: All databases that are searched, the store's among them.
    """
    told: dict[str, list[bytes]] = {}
    for path in databases:
        name = path.resolve().relative_to(home.resolve()).as_posix()
        if store.path is not None and path.resolve() == store.path.resolve():
            told[name] = staying(store)
            continue
        try:
            with duckdb.connect(str(path), read_only=True) as connection:
                rows = connection.execute(_TEXTS).fetchall()
        except duckdb.Error:
            continue
        told[name] = [bytes(value) for row in rows for value in row]
    return told
