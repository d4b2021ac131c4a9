"""What Mem0's versions do differently from each other, one test for each."""

import gzip
import io
import json
import sqlite3
import zipfile
from contextlib import closing

import pytest

from importers import catalogue, openmemory
from importers.source import SourceRefusedError, from_bytes
from store.cells import Edge, EdgeKind, Interval, Kind, Precision, Proposal
from store.records import Failed, FailReason, Nothing, NothingReason, RemarkCode
from store.trajectories import StepKind, Trajectory

TIME = "2026-03-01T08:00:00+00:00"
ROW = {"id": "1", "memory": "Uses DuckDB", "hash": "h", "user_id": "ana", "created_at": TIME}


def read(told, value):
    source = from_bytes("mem0.json", json.dumps(value, ensure_ascii=False).encode())
    assert catalogue.detect(source).name == "mem0"
    return told(source)


@pytest.mark.parametrize("written", ["2025-06-01T10:00:00-07:00", "2024-01-02T03:04:05.123-08:00"])
def test_older_rows_have_times_of_the_pacific(told, written):
    (found,) = read(told, {"results": [{**ROW, "created_at": written, "metadata": None}]}).found
    assert found.written_at == written
    assert "metadata" not in found.foreign


def test_version_one_gives_a_bare_list(told):
    assert read(told, [ROW]).found[0].source_id == "mem0:1"


def test_relations_of_the_old_graph_mode_stand_beside_the_rows(told):
    relation = {"source": "ana", "relationship": "works_at", "target": "shop"}
    row, fact = read(told, {"results": [ROW], "relations": [relation]}).found
    assert (row.claim, fact.claim) == ("Uses DuckDB", "ana works at shop")


def test_a_relation_without_a_word_fails_alone(told):
    relations = [{"source": "ana", "target": "shop"}]
    row, bad = read(told, {"results": [ROW], "relations": relations}).found
    assert isinstance(row, Proposal)
    assert bad == Failed(FailReason.FIELD_MISSING, name="relationship")


@pytest.mark.parametrize(("rows", "warned"), [(19, False), (20, True), (21, False)])
def test_exactly_twenty_rows_are_the_default_page(told, rows, warned):
    listed = [{**ROW, "id": str(n)} for n in range(rows)]
    for value in (listed, {"results": listed}):
        assert (RemarkCode.TRUNCATED_AT_20 in read(told, value).remarks) is warned


def test_twenty_rows_of_a_counted_page_are_not_cut(told):
    listed = [{**ROW, "id": str(n)} for n in range(20)]
    page = {"count": 20, "next": None, "previous": None, "results": listed}
    assert read(told, page).remarks == {}


def test_an_expiration_date_ends_validity_and_a_bad_one_fails_its_row(told):
    dated, bad = read(
        told,
        [{**ROW, "expiration_date": "2026-12-31"}, {**ROW, "expiration_date": "soon"}],
    ).found
    assert dated.valid == Interval(None, "2026-12-31", Precision.DAY)
    assert dated.expires_at == "2026-12-31"
    assert bad == Failed(FailReason.TIME_INVALID, name="expiration_date")


def test_a_qdrant_payload_has_data_in_place_of_memory(told):
    payload = {name: value for name, value in ROW.items() if name != "memory"}
    payload |= {"data": "Ships on Mondays", "text_lemmatized": "ship monday"}
    (found,) = read(told, [payload]).found
    assert found.claim == "Ships on Mondays"


def test_promoted_fields_are_scope_and_claims(told):
    more = {"agent_id": "ops", "run_id": "r", "actor_id": "boss", "role": "user"}
    (found,) = read(told, {"results": [{**ROW, **more}]}).found
    assert found.scope == {"user": "ana", "agent": "ops", "run": "r"}
    assert found.foreign["claimed_writer"] == "boss"
    assert found.foreign["claimed_tenant"] == "ana"


def test_a_bundle_that_holds_fewer_rows_than_it_counts_is_remarked(told):
    bundle = {"version": 1, "kind": "mem0_oss_qdrant_export", "record_count": 2, "records": [ROW]}
    assert read(told, bundle).remarks[RemarkCode.COUNTS_DIFFER] == 1
    assert RemarkCode.COUNTS_DIFFER not in read(told, {**bundle, "record_count": 1}).remarks


def test_a_platform_row_keeps_its_own_fields_as_claims(told):
    row = {
        **ROW,
        "app_id": "shop",
        "session_id": "s",
        "categories": ["user_preferences"],
        "structured_attributes": {"day": 1},
        "lifecycle_state": "stale?",
    }
    (found,) = read(told, {"count": 1, "next": None, "previous": None, "results": [row]}).found
    assert found.scope == {"user": "ana", "app": "shop", "session": "s"}
    assert found.kind is Kind.PROFILE_PREFERENCE
    assert found.foreign["lifecycle_state"] == "stale?"


def markdown(told, text):
    source = from_bytes("mem0-export.md", text.encode())
    assert catalogue.detect(source).name == "mem0_markdown"
    return told(source)


def test_the_first_colon_splits_a_header_and_lists_are_commas(told):
    text = "---\nid: p1\nfiles: a.py, b:c.py\ncategories: x, y\n---\nОдин\n"
    (found,) = markdown(told, text).found
    assert found.foreign["files"] == "a.py, b:c.py"
    assert found.foreign["categories"] == "x, y"


def test_a_body_with_a_rule_or_with_pairs_between_rules_stays_whole(told):
    text = "---\nid: p1\ntype: note\nbranch: main\n---\nabove\n---\nkey: value\n---\nbelow\n"
    (found,) = markdown(told, text).found
    assert found.claim == "above\n---\nkey: value\n---\nbelow"


def test_a_header_need_not_begin_with_its_id(told):
    text = (
        "---\ntype: decision\nid: p1\nbranch: main\n---\nOne\n---\nbranch: x\nid: p2\n---\nTwo\n"
    )
    first, second = markdown(told, text).found
    assert (first.claim, first.kind, second.claim) == ("One", Kind.DECISION, "Two")


HISTORY = (
    "id TEXT PRIMARY KEY, memory_id TEXT, old_memory TEXT, new_memory TEXT, event TEXT, "
    "created_at DATETIME, updated_at DATETIME, is_deleted INTEGER"
)
MESSAGES = (
    "id TEXT PRIMARY KEY, session_scope TEXT, role TEXT, content TEXT, name TEXT, created_at TEXT"
)


def database(*rows, columns=HISTORY, messages=None):
    with closing(sqlite3.connect(":memory:")) as made:
        made.execute(f"CREATE TABLE history ({columns})")
        for row in rows:
            marks = ", ".join("?" * len(row))
            made.execute(
                f"INSERT INTO history ({', '.join(row)}) VALUES ({marks})", [*row.values()]
            )
        if messages is not None:
            made.execute(f"CREATE TABLE messages ({MESSAGES})")
            made.executemany("INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?)", messages)
        made.commit()
        return from_bytes("history.db", made.serialize())


def test_old_group_chat_columns_are_kept_as_claims(told):
    columns = f"{HISTORY}, user_id TEXT, participants TEXT, prev_value TEXT"
    row = {"id": "h", "memory_id": "m", "new_memory": "x", "event": "ADD", "created_at": TIME}
    source = database({**row, "user_id": "ana", "participants": "ana, bob"}, columns=columns)
    (found,) = told(source).found
    assert found.claim == "x"
    assert found.foreign["participants"] == "ana, bob"
    assert found.scope == {}
    assert RemarkCode.NO_OWNER in found.remarks


def test_a_batch_add_has_no_time_of_update(told):
    row = {"id": "h", "memory_id": "m", "new_memory": "x", "event": "ADD", "created_at": TIME}
    (found,) = told(database({**row, "updated_at": None})).found
    assert found.written_at == TIME


def test_an_update_supersedes_and_a_delete_is_a_tombstone(told):
    base = {"memory_id": "m", "created_at": TIME, "updated_at": TIME}
    added, updated, deleted = told(
        database(
            {**base, "id": "1", "new_memory": "a", "event": "ADD"},
            {**base, "id": "2", "old_memory": "a", "new_memory": "b", "event": "UPDATE"},
            {**base, "id": "3", "old_memory": "b", "event": "DELETE", "is_deleted": 1},
        )
    ).found
    assert updated.edges == (Edge(EdgeKind.SUPERSEDES, added.source_id),)
    assert updated.valid == added.valid == Interval()
    assert deleted == Nothing(NothingReason.TOMBSTONE)


def test_messages_are_runs_and_no_memories(told):
    messages = [
        ("1", "user_id=ana", "user", "Где склад?", None, TIME),
        ("2", "user_id=bob", "user", "hi", "bob", TIME),
        ("3", "user_id=ana", "assistant", 'В "Коледино".', None, TIME),
        ("4", "user_id=ana", "user", "Спасибо", None, None),
        ("5", "user_id=ana", "user", None, None, TIME),
        ("6", "user_id=ana", "user", "when?", None, "soon"),
    ]
    row = {"id": "h", "memory_id": "m", "new_memory": "x", "event": "ADD", "created_at": TIME}
    reading = told(database(row, messages=messages))
    memory, first, second, empty, other, bad = reading.found
    assert isinstance(memory, Proposal)
    assert [(step.kind, step.text) for step in first.steps] == [
        (StepKind.INPUT, "Где склад?"),
        (StepKind.SAID, 'В "Коледино".'),
    ]
    assert first.run == {"session": "user_id=ana"}
    assert first.started_at == TIME
    assert (first.decisions, second.steps[0].text) == ((), "Спасибо")
    assert empty == Nothing(NothingReason.EMPTY_RUN)
    assert isinstance(other, Trajectory)
    assert bad == Failed(FailReason.TIME_INVALID, name="created_at")
    assert {RemarkCode.ONLY_RECENT, RemarkCode.NO_DECISIONS} <= reading.remarks.keys()
    raw = reading.reads[1].raw
    for step in first.steps:
        assert json.loads(b'"' + raw[step.span.start : step.span.end] + b'"') == step.text
    assert len({one.source_id for one in (first, second, other)}) == 3


def test_a_history_without_messages_says_nothing_of_them(told):
    row = {"id": "h", "memory_id": "m", "new_memory": "x", "event": "ADD", "created_at": TIME}
    assert RemarkCode.ONLY_RECENT not in told(database(row, messages=[])).remarks


OPEN = {
    "id": "1",
    "user_id": "u",
    "app_id": "p",
    "content": "Склад",
    "metadata": {},
    "state": "archived",
    "created_at": TIME,
    "updated_at": None,
    "archived_at": TIME,
    "category_ids": ["c"],
}
BACKUP = {
    "user": {"user_id": "ana", "email": "ana@example.test"},
    "apps": [{"id": "p", "name": "cursor"}],
    "categories": [{"id": "c", "name": "preferences"}],
    "memories": [OPEN, {**OPEN, "id": "2", "deleted_at": TIME}],
    "export_meta": {"version": "1"},
}


def packed(**entries):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return from_bytes("backup.zip", stream.getvalue())


def lines(*rows):
    return gzip.compress("".join(json.dumps(row) + "\n" for row in rows).encode())


COPY = {
    "id": "1",
    "content": "Склад",
    "created_at": TIME,
    "state": "archived",
    "app": "cursor",
    "categories": ["preferences"],
}


@pytest.mark.parametrize("folder", ["", "memories_export_ana/"])
def test_the_copy_in_lines_is_counted_and_deleted_rows_are_tombstones(told, folder):
    source = packed(
        **{
            f"{folder}memories.json": json.dumps(BACKUP),
            f"{folder}memories.jsonl.gz": lines(COPY, COPY),
        }
    )
    assert catalogue.detect(source).name == "openmemory"
    reading = told(source)
    kept, deleted = reading.found
    assert (kept.claim, kept.kind) == ("Склад", Kind.PROFILE_PREFERENCE)
    assert kept.foreign["state"] == "archived"
    assert "ana@example.test" not in str(reading.found)
    assert deleted == Nothing(NothingReason.TOMBSTONE)
    assert reading.remarks[RemarkCode.MEMBERS_PASSED_OVER] == 1
    assert RemarkCode.COUNTS_DIFFER not in reading.remarks


def test_a_copy_with_other_rows_is_remarked(told):
    source = packed(**{"memories.json": json.dumps(BACKUP), "memories.jsonl.gz": lines(COPY)})
    assert told(source).remarks[RemarkCode.COUNTS_DIFFER] == 1


def test_the_copy_is_read_where_it_stands_alone(told):
    source = packed(**{"memories.jsonl.gz": lines(COPY)})
    reading = told(source, "openmemory")
    (found,) = reading.found
    assert (found.claim, found.scope) == ("Склад", {"app": "cursor"})
    assert found.kind is Kind.PROFILE_PREFERENCE
    assert reading.reads[0].place.member == "memories.jsonl.gz"


def test_a_copy_that_expands_too_far_refuses_the_backup(told):
    bomb = gzip.compress(b" " * 5_000_000)
    source = packed(**{"memories.json": json.dumps(BACKUP), "memories.jsonl.gz": bomb})
    with pytest.raises(SourceRefusedError, match="expands further"):
        told(source)


def test_an_export_of_another_system_with_a_file_of_that_name_is_not_claimed():
    source = packed(**{"users.json": "[]", "conversations.json": "[]", "memories.json": "[]"})
    assert not openmemory.recognises(source.head())
