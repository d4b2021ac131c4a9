"""Mem0's SQLite history and OpenMemory's zip: made here, because both are binary."""

import io
import json
import sqlite3
import warnings
import zipfile
from contextlib import closing

import pytest

from importers import catalogue, openmemory
from importers.archive import choice as archives
from importers.mem0 import history as mem0_history
from importers.source import SourceRefusedError, from_bytes
from store.cells import Edge, EdgeKind
from store.records import Failed, FailReason, Nothing, NothingReason, RemarkCode

PYTHON = (
    "CREATE TABLE history (id TEXT PRIMARY KEY, memory_id TEXT, old_memory TEXT, new_memory TEXT,"
    " event TEXT, created_at DATETIME, updated_at DATETIME, is_deleted INTEGER, actor_id TEXT,"
    " role TEXT)"
)
TYPESCRIPT = (
    "CREATE TABLE memory_history (id INTEGER PRIMARY KEY AUTOINCREMENT, memory_id TEXT,"
    " previous_value TEXT, new_value TEXT, action TEXT, created_at TEXT, updated_at TEXT,"
    " is_deleted INTEGER)"
)
TIME = "2026-03-01T08:00:00+00:00"


def database(schema, table, *rows):
    with closing(sqlite3.connect(":memory:")) as made:
        made.execute(schema)
        for row in rows:
            made.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)
        made.commit()
        return from_bytes("history.db", made.serialize())


def test_python_rows_become_versions_with_places_in_the_table(told):
    source = database(
        PYTHON,
        "history",
        ("a", "m", None, "Склад — Коледино", "ADD", TIME, None, 0, None, "user"),
        ("b", "m", "Склад — Коледино", "Склад — Казань", "UPDATE", TIME, TIME, 0, "ana", "user"),
        ("c", "m", "Склад — Казань", None, "DELETE", TIME, TIME, 1, None, None),
    )
    reading = told(source)
    first, second, third = reading.found
    assert first.source_id == "mem0:m#a"
    assert second.edges == (Edge(EdgeKind.SUPERSEDES, "mem0:m#a"),)
    assert second.foreign["claimed_writer"] == "ana"
    assert third == Nothing(NothingReason.TOMBSTONE)
    assert [one.place.member for one in reading.reads] == [f"history/rowid={n}" for n in (1, 2, 3)]
    assert {(one.place.start, one.place.end) for one in reading.reads} == {(0, source.size)}
    assert json.loads(reading.reads[0].raw)["new_memory"] == "Склад — Коледино"
    assert set(reading.remarks) == {RemarkCode.NO_OWNER, RemarkCode.NO_BYTE_RANGES}


def test_the_typescript_table_is_read_too(told):
    source = database(
        TYPESCRIPT,
        "memory_history",
        (1, "m", None, "tea", "ADD", TIME, TIME, 0),
        (2, "m", "tea", "coffee", "UPDATE", TIME, TIME, 0),
    )
    first, second = told(source).found
    assert (first.source_id, second.edges) == (
        "mem0:m#1",
        (Edge(EdgeKind.SUPERSEDES, "mem0:m#1"),),
    )


def test_a_row_of_bytes_or_without_event_fails_alone(told):
    source = database(
        PYTHON,
        "history",
        ("a", "m", None, b"\x00\x01", "ADD", TIME, None, 0, None, "user"),
        ("b", "m", None, "text", None, TIME, None, 0, None, "user"),
        ("c", "m", None, "text", "ADD", TIME, None, 0, None, "user"),
    )
    bytes_, no_event, good = told(source).found
    assert bytes_ == Failed(FailReason.FIELD_INVALID, name="history")
    assert no_event == Failed(FailReason.FIELD_MISSING, name="event")
    assert good.claim == "text"


def test_a_database_in_write_ahead_mode_is_read_without_its_log(told, tmp_path):
    path = tmp_path / "history.db"
    with closing(sqlite3.connect(path)) as made:
        made.execute("PRAGMA journal_mode = WAL")
        made.execute(PYTHON)
        made.execute(
            "INSERT INTO history VALUES ('a','m',NULL,'tea','ADD',?,NULL,0,NULL,NULL)", (TIME,)
        )
        made.commit()
    before = path.read_bytes()
    assert [one.claim for one in told(path).found] == ["tea"]
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["history.db"]


def test_a_view_that_calls_itself_history_is_not_read(told):
    source = database("CREATE TABLE new_memory (a)", "new_memory", (1,))
    (found,) = told(source, "mem0_history").found
    assert found == Failed(FailReason.WRONG_SHAPE)


def test_a_damaged_database_is_one_failed_record(told):
    whole = database(PYTHON, "history", ("a", "m", None, "tea", "ADD", TIME, None, 0, None, None))
    broken = from_bytes("history.db", whole.content[:4096] + b"\xff" * 8192)
    assert any(isinstance(one, Failed) for one in told(broken, "mem0_history").found)
    with pytest.raises(SourceRefusedError, match="header is cut"):
        told(from_bytes("history.db", whole.content[:50]), "mem0_history")


def test_a_database_over_the_limit_is_refused(told, monkeypatch):
    monkeypatch.setattr(mem0_history, "MAX_BYTES", 4_096)
    with pytest.raises(SourceRefusedError, match="Nothing was imported"):
        told(database(PYTHON, "history"), "mem0_history")


ROW = {"id": "1", "user_id": "u", "app_id": "p", "content": "Склад — Коледино", "state": "active",
       "created_at": TIME, "updated_at": TIME, "category_ids": ["c"]}  # fmt: skip
BACKUP = {
    "user": {"user_id": "ana", "email": "ana@example.com"},
    "apps": [{"id": "p", "name": "cursor"}],
    "categories": [{"id": "c", "name": "work"}],
    "memories": [ROW, {**ROW, "id": "2", "state": "deleted"}, {**ROW, "id": "3", "content": 5}],
}


def packed(entries, **how):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, content in entries:
            archive.writestr(name, content, **how)
    return from_bytes("backup.zip", stream.getvalue())


@pytest.mark.parametrize("folder", ["", "export/"])
def test_a_backup_is_read_at_places_in_its_unpacked_file(told, folder):
    content = json.dumps(BACKUP, ensure_ascii=False, indent=1).encode()
    reading = told(packed([(f"{folder}memories.json", content), ("memories.jsonl.gz", b"x")]))
    good, deleted, wrong = reading.found
    assert (good.source_id, good.scope) == ("mem0:1", {"user": "u", "app": "cursor"})
    assert good.foreign["categories"] == ["work"]
    assert deleted == Nothing(NothingReason.TOMBSTONE)
    assert wrong == Failed(FailReason.FIELD_INVALID, name="content")
    for read in reading.reads:
        assert content[read.place.start : read.place.end] == read.raw
        assert read.place.member == openmemory.MEMBER


def test_a_backup_without_memories_is_one_failed_record(told):
    (found,) = told(packed([("other.json", "{}")]), "openmemory").found
    assert found == Failed(FailReason.WRONG_SHAPE)


def _symlink():
    link = zipfile.ZipInfo("link")
    link.external_attr = 0o120777 << 16
    return link


@pytest.mark.parametrize(
    ("entries", "why"),
    [
        ([("../memories.json", "{}")], "leads out"),
        ([("/memories.json", "{}")], "path on some machine"),
        ([("a\\memories.json", "{}")], "path on some machine"),
        ([("c:memories.json", "{}")], "path on some machine"),
        ([("memories.json", "{}"), ("Memories.json", "{}")], "same name"),
        ([("n" * 201, "{}")], "longer than 200"),
        ([(_symlink(), "/etc/passwd")], "link or a device"),
        ([("memories.json", b"[" + b" " * 5_000_000 + b"]")], "more than 100 times"),
    ],
)
def test_an_archive_that_breaks_a_bound_is_refused_as_a_whole(told, entries, why):
    with pytest.raises(SourceRefusedError, match=why):
        told(packed(entries), "openmemory")


def test_an_archive_of_too_many_entries_is_refused(told, monkeypatch):
    monkeypatch.setattr(archives, "MAX_ENTRIES", 2)
    with pytest.raises(SourceRefusedError, match="more than 2 entries"):
        told(packed([(str(n), "x") for n in range(3)]), "openmemory")


def test_entries_that_overlap_are_refused(told):
    content = bytearray(packed([("a", b"x" * 500), ("memories.json", b"{}")]).content)
    second = content.rindex(b"PK\x01\x02")
    content[second + 42 : second + 46] = (5).to_bytes(4, "little")
    with pytest.raises(SourceRefusedError):
        told(from_bytes("backup.zip", bytes(content)), "openmemory")


def test_a_broken_archive_is_refused(told):
    with pytest.raises(SourceRefusedError, match="zip structure is broken"):
        told(from_bytes("backup.zip", b"PK\x03\x04" + b"memories.json" * 9), "openmemory")


def test_both_are_recognised_by_content():
    assert catalogue.detect(database(PYTHON, "history")).name == "mem0_history"
    assert catalogue.detect(packed([("memories.json", "{}")])).name == "openmemory"
