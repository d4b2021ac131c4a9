"""SQLite files made to exhaust the reader, or to fail where neighbours should not."""

import resource
import sqlite3
import time
from contextlib import closing

import pytest

from importers.source import SourceRefusedError, from_bytes
from store.records import Failed, FailReason

COLUMNS = (
    "id TEXT, memory_id TEXT, old_memory TEXT, new_memory TEXT, event TEXT, created_at DATETIME,"
    " updated_at DATETIME, is_deleted INTEGER, actor_id TEXT, role TEXT"
)
TIME = "2026-03-01T08:00:00+00:00"


def history(*claims, extra=""):
    with closing(sqlite3.connect(":memory:")) as made:
        made.execute(f"CREATE TABLE history ({COLUMNS}{extra})")
        for n, claim in enumerate(claims):
            made.execute(
                "INSERT INTO history (id, memory_id, new_memory, event, created_at, is_deleted)"
                " VALUES (?, ?, ?, 'ADD', ?, 0)",
                (f"r{n}", f"m{n}", claim, TIME),
            )
        made.commit()
        return from_bytes("history.db", made.serialize())


def told_of(found):
    return [one.reason if isinstance(one, Failed) else one.claim for one in found]


@pytest.mark.parametrize("kept", ["VIRTUAL", "STORED"])
def test_a_column_that_is_computed_refuses_the_whole_source_and_takes_no_memory(told, kept):
    calm = f", g TEXT GENERATED ALWAYS AS (printf('%.*c', 000000004, 'x')) {kept}"
    made = history("tea", extra=calm).content
    source = from_bytes("history.db", made.replace(b"000000004", b"400000000"))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(SourceRefusedError, match="computed columns"):
        told(source, "mem0_history")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000  # kB


def test_a_table_that_is_virtual_is_not_read(told):
    with closing(sqlite3.connect(":memory:")) as made:
        made.execute("CREATE VIRTUAL TABLE history USING fts5(memory_id, new_memory, event)")
        made.commit()
        source = from_bytes("history.db", made.serialize())
    assert told(source, "mem0_history").found == [Failed(FailReason.WRONG_SHAPE)]


def test_a_row_over_the_limits_fails_alone(told):
    source = history("tea", "x" * 70_000, "y" * 3_000_000, "milk")
    assert told_of(told(source, "mem0_history").found) == [
        "tea",
        FailReason.TOO_LONG,
        FailReason.TOO_LONG,
        "milk",
    ]


def test_a_number_that_is_infinite_fails_its_row_alone(told):
    source = history("tea", "milk", extra=", weight REAL DEFAULT 1.5")
    with closing(sqlite3.connect(":memory:")) as made:
        made.deserialize(source.content)
        made.execute("UPDATE history SET weight = 9e999 WHERE id = 'r0'")
        made.commit()
        source = from_bytes("history.db", made.serialize())
    found = told(source, "mem0_history").found
    assert told_of(found) == [FailReason.NOT_A_NUMBER, "milk"]


def test_a_text_that_is_not_utf8_fails_its_row_alone(told):
    with closing(sqlite3.connect(":memory:")) as made:
        made.deserialize(history("tea", "milk").content)
        made.execute("UPDATE history SET new_memory = CAST(x'ff41' AS TEXT) WHERE id = 'r0'")
        made.commit()
        source = from_bytes("history.db", made.serialize())
    assert told_of(told(source, "mem0_history").found) == [FailReason.FIELD_INVALID, "milk"]


def test_a_column_called_rowid_does_not_name_the_place(told):
    reading = told(history("tea", extra=", rowid TEXT DEFAULT 'their words'"), "mem0_history")
    assert [one.place.member for one in reading.reads] == ["history/rowid=1"]


def test_twenty_thousand_rows_are_read_in_seconds(told):
    source = history(*(f"tea {n}" for n in range(20_000)))
    began = time.process_time()
    assert len(told(source, "mem0_history").found) == 20_000
    assert time.process_time() - began < 10


def test_a_name_in_the_schema_that_is_no_utf8_is_one_failure(told):
    with closing(sqlite3.connect(":memory:")) as made:
        made.execute(f"CREATE TABLE history ({COLUMNS})")
        made.execute("CREATE INDEX index_zz ON history (memory_id)")
        made.commit()
        broken = made.serialize().replace(b"index_zz", b"index_\xc3\x28")
    broken = broken.replace(b"ON history (memory_id)", b"ON history (memory_xx)")
    found = told(from_bytes("history.db", broken), "mem0_history").found
    assert found == [Failed(FailReason.WRONG_SHAPE)]
