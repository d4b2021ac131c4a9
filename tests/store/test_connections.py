"""Short connections: two processes side by side, a busy store, a newer store, a new store."""

from __future__ import annotations

import stat
import subprocess
import sys
import textwrap
from contextlib import contextmanager

import duckdb
import pytest
from sqlalchemy import text

from store.connections import StoreBusyError
from store.duckdb_store import DuckDbStore
from store.migrations import KNOWN, StoreNewerError
from tests.conftest import created
from tests.contract.staged import stage


def make(path):
    return DuckDbStore.create(path, store_id="s", tenant_id="t", key=bytes(32), first=created())


@contextmanager
def holder(path, seconds):
    """Another process that has the file open for so long, or until the end of the test."""
    script = f"""
        import duckdb, sys, time
        held = duckdb.connect({str(path)!r})
        print("held", flush=True)
        time.sleep({seconds})
        held.close()
    """
    child = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert child.stdout.readline() == "held\n"
        yield child
    finally:
        child.kill()
        child.wait()
        child.stdout.close()


def test_a_busy_store_names_its_holder_and_says_that_nothing_was_saved(tmp_path, chance):
    path = tmp_path / "store.duckdb"
    make(path)
    patient = DuckDbStore(path, patience=0.3)
    entry = stage(patient, chance, "a")
    with holder(path, 60) as child, pytest.raises(StoreBusyError) as busy:
        patient.append(entry)
    assert f"PID {child.pid}" in str(busy.value)
    assert "python" in str(busy.value)
    assert "Nothing was saved" in str(busy.value)
    assert patient.head().size == 1


def test_a_store_that_is_let_go_in_time_is_written_to(tmp_path, chance):
    path = tmp_path / "store.duckdb"
    store = make(path)
    entry = stage(store, chance, "a")
    with holder(path, 0.5):
        store.append(entry)
    assert store.head().size == 2


def test_nobody_holds_the_file_between_two_calls(tmp_path, chance):
    path = tmp_path / "store.duckdb"
    store = make(path)
    store.append(stage(store, chance, "a"))
    with holder(path, 60):
        pass
    assert store.head().size == 2


def test_a_held_store_is_let_go_at_the_end_even_after_an_error(tmp_path):
    path = tmp_path / "store.duckdb"
    store = make(path)

    def fails():
        with store.held():
            store.head()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fails()
    with holder(path, 60):
        pass


def test_a_newer_store_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "store.duckdb"
    make(path)
    with duckdb.connect(str(path)) as connection:
        connection.execute("drop trigger log_identity_no_update on log_identity")
        connection.execute(f"update log_identity set version = {KNOWN + 1}")
    before = path.read_bytes()
    with pytest.raises(StoreNewerError, match=rf"schema {KNOWN + 1}, this program knows {KNOWN}"):
        DuckDbStore(path)
    assert path.read_bytes() == before


def test_a_missing_store_is_not_created_by_looking(tmp_path):
    with pytest.raises(FileNotFoundError, match="Nothing was created"):
        DuckDbStore(tmp_path / "store.duckdb")
    assert not list(tmp_path.iterdir())


def test_a_new_store_is_private_and_never_replaces_one(tmp_path):
    path = tmp_path / "t" / "store.duckdb"
    make(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with pytest.raises(FileExistsError, match="Nothing was changed"):
        make(path)


@pytest.mark.parametrize(
    "query",
    [
        "select * from read_csv('/etc/hostname')",
        "copy (select 1) to '/tmp/leak.csv'",
        "attach '/tmp/other.duckdb'",
        "install httpfs",
        "set enable_external_access = true",
    ],
)
def test_a_store_connection_reaches_nothing_outside_its_file(tmp_path, query):
    store = make(tmp_path / "store.duckdb")
    with pytest.raises(Exception, match=r"(?i)disabled|cannot|not allowed|locked|permission"):
        store.rows(query)


def test_text_is_stored_uncompressed_so_that_a_scan_can_find_it(tmp_path, chance):
    path = tmp_path / "store.duckdb"
    store = make(path)
    marker = "a marker that must be findable on the disk"
    store.append(stage(store, chance, *[f"{marker} {n}" for n in range(300)]))
    with store._opener.work() as connection:
        connection.execute(text("checkpoint"))
    assert path.read_bytes().count(marker.encode()) >= 300
