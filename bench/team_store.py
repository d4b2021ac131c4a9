"""A store in PostgreSQL beside the same store as a file: opening, asking, appending, erasing.

The file is filled as ``bench.filling`` says and its rows are copied into a schema of their own,
which is dropped at the end. Every figure is of the store on the server, its baseline that of the
file in the same run. Opening reads the whole store into memory on a server, once a process.
"""

from __future__ import annotations

import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

import psycopg
from psycopg import sql

from bench import filling
from bench.rows import Row
from store.duckdb_store import DuckDbStore
from store.events import ActorKind, EventType, Happening
from store.log import Entry
from store.log_store import LogStore
from store.postgres import copying
from store.postgres.place import Place, place_of
from store.postgres_store import PostgresStore

_Got = TypeVar("_Got")

_TIMES: Final = 100
_WHEN: Final = "2026-03-10T12:00:00.000000Z"
_SOME: Final = "select commitment from vault_payload order by commitment limit :most"


def measure(count: int, words: str) -> list[Row]:
    """Rows for ``count`` cells.

    Args:
        count: How many cells.
        words: How to connect to a database in which a schema may be made and dropped.
    """
    with tempfile.TemporaryDirectory(prefix="memory-console-team-") as folder:
        world = filling.filled(Path(folder), count).world
        place = place_of(words, f"bench-{random.SystemRandom().randrange(1 << 30):08x}")
        try:
            return _measured(world.store, place, count)
        finally:
            with psycopg.connect(place.conninfo, autocommit=True) as raw:
                raw.execute(
                    sql.SQL("drop schema if exists {} cascade").format(
                        sql.Identifier(place.schema)
                    )
                )


def _measured(file: DuckDbStore, place: Place, count: int) -> list[Row]:
    name = f"{count:,} cells, on a server"

    def row(measure: str, value: float, baseline: float | None = None) -> Row:
        return Row("T1", name, measure, value, baseline, "", None)

    with file.copyable() as copy:
        filled, _ = _timed(lambda: copying.fill(place, copy))
    trust = file._trust
    assert file.path is not None
    path = file.path

    def at_file() -> LogStore:
        return DuckDbStore(path, trust=trust)

    def at_server() -> LogStore:
        return PostgresStore(place, trust=trust)

    as_file, one = _timed(lambda: _read(at_file()))
    on_server, team = _timed(lambda: _read(at_server()))
    rows = [
        row("copying it there, s", filled),
        row("opening it in a new process and judging it, s", on_server, as_file),
    ]
    some = [str(found["commitment"]) for found in one.rows(_SOME, most=count)]
    for told, act in (
        ("end of the log, p95, ms", lambda store, _n: store.head()),
        ("one content, p95, ms", lambda store, n: store.payloads([some[n]])),
        ("an append, p95, ms", lambda store, _n: store.append(_entry())),
    ):
        rows.append(row(told, _p95(team, act), _p95(one, act)))
    other = at_server()
    _read(other)

    def seen(_store: LogStore, _n: int) -> None:
        team.append(_entry())
        other.head()

    rows.append(row("an append and another console's next look, p95, ms", _p95(team, seen)))
    gone = some[: max(count // 100, 1)]
    on_server, _ = _timed(lambda: team.erase(gone))
    as_file, _ = _timed(lambda: one.erase(gone))
    return [*rows, row("erasing 1 % as many contents as cells, s", on_server, as_file)]


def _entry() -> Entry:
    """An event that changes nothing that stands."""
    told = {"backup": "b-none", "found": False}
    kind = EventType.BACKUP_DELETED
    return Entry(Happening(kind, _WHEN, "p-bench", ActorKind.PROCESS, "p-bench", told))


def _read(store: LogStore) -> LogStore:
    store.standing()
    return store


def _p95(store: LogStore, act: Callable[[LogStore, int], object]) -> float:
    taken = [_timed(lambda n=n: act(store, n))[0] * 1000 for n in range(_TIMES)]  # type: ignore[misc]
    return statistics.quantiles(taken, n=20)[-1]


def _timed(act: Callable[[], _Got]) -> tuple[float, _Got]:
    began = time.perf_counter()
    got = act()
    return time.perf_counter() - began, got
