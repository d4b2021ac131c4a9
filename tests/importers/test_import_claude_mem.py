import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from importers import catalogue
from importers.claude_mem import db
from importers.claude_mem import importer as claude_mem
from importers.source import SourceRefusedError, from_bytes, from_path
from store.cells import Kind, Proposal, SourceType
from store.records import Failed, FailReason, Nothing, NothingReason, Read, RemarkCode
from store.trajectories import RunStatus, StepKind, Trajectory

from .conftest import DATA, Told

SAMPLES = Path(__file__).resolve().parents[3] / "shared" / "samples" / "claude_mem"
EXPORT = DATA / "claude_mem" / "export.json"
ROW = {
    "id": 1,
    "memory_session_id": "mem-1",
    "project": "shop",
    "type": "discovery",
    "facts": '["One"]',
    "narrative": "n",
    "created_at": "2026-01-31T10:00:00.000Z",
    "created_at_epoch": 1769853600000,
}


def export(*rows, **more):
    told = {"observations": list(rows), "totalObservations": len(rows), "prompts": []} | more
    return Told(claude_mem.read(from_bytes("e.json", json.dumps(told).encode())))


def claims(reading):
    return [one.claim for one in reading.found if isinstance(one, Proposal)]


@pytest.fixture
def reading():
    return Told(claude_mem.read(from_path(EXPORT)))


def test_each_fact_in_a_json_string_is_a_claim_of_its_own(reading):
    first, second, empty, number = reading.found[:4]
    assert first.claim == "Склад принимает до 18:00"
    assert second.claim == 'He said "later"'
    assert empty == Nothing(NothingReason.EMPTY_TEXT)
    assert number == Failed(FailReason.FIELD_INVALID, name="facts")
    assert (first.kind, first.source_type) == (Kind.FACT, SourceType.MODEL_EXTRACTION)
    assert first.source_id.startswith("claude-mem:mem-1/1#")
    assert first.written_at == "2026-01-31T10:00:00.000Z"
    assert reading.remarks[RemarkCode.ENCODED_TWICE] == 2


def test_concepts_are_scope_and_files_are_entities(reading):
    first = reading.found[0]
    assert first.scope == {"project": "shop", "concepts": "gotcha, how-it-works"}
    assert first.entities == ("src/a.py", "src/b.py")


def test_the_run_of_a_fact_is_the_person_s_session_and_its_prompt(reading):
    first = reading.found[0]
    assert (first.foreign["session"], first.foreign["prompt_number"]) == ("s-1", 2)
    assert first.foreign["claimed_writer"] == "explore"


def test_evidence_is_the_fact_and_the_narrative(reading):
    read = reading.reads[1]
    fact, narrative = (read.raw[one.start : one.end].decode() for one in read.found.evidence)
    assert json.loads(f'"{json.loads(f"{chr(34)}{fact}{chr(34)}")}"') == 'He said "later"'
    assert narrative == "Проверено звонком."
    raw, (span, _) = reading.reads[0].raw, reading.found[0].evidence
    assert raw.index(b'"facts"') < span.start


def test_without_facts_the_old_text_or_the_title_is_the_claim(reading):
    decision, old = reading.found[4:6]
    assert (decision.claim, decision.kind) == ("One file per tenant", Kind.DECISION)
    assert old.claim == "Старая запись, одной строкой"


def test_comma_text_lists_files_and_concepts(reading):
    decision = reading.found[4]
    assert decision.entities == ("src/c.py", "src/d.py")
    assert decision.scope["concepts"] == "trade-off, isolation"


def test_older_names_of_the_session_ids_are_read(reading):
    assert reading.found[4].foreign["session"] == "s-2"
    assert reading.found[4].source_id.startswith("claude-mem:mem-2/2#")


def test_epochs_in_seconds_are_read_by_their_size_and_a_year_apart_is_remarked(reading):
    assert reading.found[4].written_at == "2026-01-31T11:00:00.000Z"
    assert reading.remarks[RemarkCode.COUNTS_DIFFER] == 1
    only_epoch = export({**ROW, "created_at": None, "created_at_epoch": 1769853600})
    assert only_epoch.found[0].written_at == "2026-01-31T10:00:00+00:00"


def test_what_a_summary_learned_is_an_insight_and_the_rest_is_kept(reading):
    summary, empty = reading.found[8:10]
    assert (summary.kind, summary.claim) == (
        Kind.INSIGHT,
        "Приёмка закрывается раньше по пятницам",
    )
    assert summary.source_type is SourceType.AGENT_SUMMARY
    assert summary.foreign["completed"] == "a note"
    assert summary.source_id == "claude-mem:summary/mem-1/5"
    assert empty == Nothing(NothingReason.EMPTY_TEXT)


def test_a_prompt_is_a_run_of_one_step_and_its_session_is_told_by_it(reading):
    told, other = reading.found[6:8]
    prompt = reading.found[10]
    assert told == Nothing(NothingReason.DISTILLED_ELSEWHERE)
    assert [step.kind for step in prompt.steps] == [StepKind.INPUT]
    assert prompt.steps[0].text == "проверь склад"
    assert prompt.run == {"session": "s-1", "prompt": "1"}
    assert prompt.decisions == ()
    assert isinstance(other, Trajectory)
    assert (other.status, other.ended_at) == (RunStatus.FAILED, "2026-01-31T11:30:00.000Z")


def test_it_is_the_result_of_a_search_and_names_no_owner(reading):
    assert {
        RemarkCode.SEARCH_RESULT,
        RemarkCode.NO_OWNER,
        RemarkCode.MODEL_MADE,
        RemarkCode.NO_DECISIONS,
    } <= reading.remarks.keys()


def test_a_count_that_is_not_what_the_file_holds_is_remarked():
    assert export(ROW, totalObservations=54).remarks[RemarkCode.COUNTS_DIFFER] == 1
    assert RemarkCode.COUNTS_DIFFER not in export(ROW).remarks


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (None, ["n title"]),
        ("[]", ["n title"]),
        ("null", ["n title"]),
        (["a", "b"], ["a", "b"]),
        ("One, with a comma", ["One, with a comma"]),
        ("- one\n- two\n", ["one", "two"]),
    ],
)
def test_facts_of_any_writing(value, told):
    assert claims(export({**ROW, "facts": value, "title": "n title"})) == told


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"facts": '["cut'}, Failed(FailReason.FIELD_INVALID, name="facts")),
        ({"facts": 7}, Failed(FailReason.FIELD_INVALID, name="facts")),
        ({"concepts": "[1]"}, Failed(FailReason.FIELD_INVALID, name="concepts")),
        ({"files_read": {}}, Failed(FailReason.FIELD_INVALID, name="files_read")),
        ({"created_at": "soon"}, Failed(FailReason.TIME_INVALID, name="created_at")),
        (
            {"created_at": None, "created_at_epoch": "soon"},
            Failed(FailReason.TIME_INVALID, name="created_at_epoch"),
        ),
        ({"project": 1}, Failed(FailReason.FIELD_INVALID, name="project")),
    ],
)
def test_one_bad_row_leaves_its_neighbour(change, fault):
    bad, good = export({**ROW, **change}, {**ROW, "id": 2}).found
    assert (bad, good.claim) == (fault, "One")


def test_rows_of_an_unknown_sort_are_counted():
    reading = export({"id": 1}, ROW)
    assert reading.found[0] == Nothing(NothingReason.UNKNOWN_TYPE)
    assert reading.remarks[RemarkCode.UNKNOWN_TYPES] == 1


def test_the_answer_of_a_search_holds_summaries_under_sessions():
    summary = {"id": 3, "memory_session_id": "m", "request": "r", "learned": "Learned it"}
    reading = export(ROW, sessions=[summary])
    assert claims(reading) == ["One", "Learned it"]


@pytest.mark.parametrize("wrap", [json.dumps, lambda rows: "\n".join(map(json.dumps, rows))])
def test_bare_lists_and_lines_are_read(wrap):
    source = from_bytes("rows", wrap([ROW, {**ROW, "id": 2}]).encode())
    assert catalogue.detect(source).name == "claude_mem"
    assert claims(Told(catalogue.open_reading(source).records)) == ["One", "One"]


def test_a_single_observation_over_several_lines_is_read():
    source = from_bytes("row", json.dumps(ROW, indent=2).encode())
    assert catalogue.detect(source).name == "claude_mem"
    assert claims(Told(catalogue.open_reading(source).records)) == ["One"]


def test_a_list_that_is_none_has_the_wrong_shape():
    reading = export(ROW, summaries={})
    assert reading.found == [reading.found[0], Failed(FailReason.WRONG_SHAPE)]


def test_a_cut_export_keeps_its_whole_rows():
    data = EXPORT.read_bytes()[:1400]
    reading = Told(claude_mem.read(from_bytes("e.json", data)))
    assert claims(reading)[0] == "Склад принимает до 18:00"
    assert reading.found[-1].reason is FailReason.CUT_SHORT
    assert reading.remarks[RemarkCode.TAIL_CUT] == 1


@pytest.mark.parametrize("data", [b"", b"words", b"\xff\xfe", b"{", b"[", b"[]", b"7"])
def test_broken_bytes_break_nothing(data):
    reading = Told(claude_mem.read(from_bytes("e.json", data)))
    assert all(isinstance(one, Failed) for one in reading.found)
    assert not claude_mem.recognises(from_bytes("e.json", data).head())


def test_without_a_time_the_file_s_is_assumed():
    row = {name: value for name, value in ROW.items() if not name.startswith("created")}
    source = from_bytes("e", json.dumps([row]).encode(), modified_at="2026-02-02T00:00:00Z")
    (found,) = Told(claude_mem.read(source)).found
    assert found.written_at == "2026-02-02T00:00:00Z"
    assert RemarkCode.WRITTEN_AT_ASSUMED in found.remarks


@pytest.mark.parametrize("pad", [0, 20_000])
def test_places_are_the_bytes_they_name(pad):
    rows = [{**ROW, "facts": '["Один", "Два"]', "subtitle": "p" * pad}, ROW]
    data = b"\n" + json.dumps({"observations": rows}, ensure_ascii=False, indent=1).encode()
    for read in Told(claude_mem.read(from_bytes("e", data))).reads:
        assert data[read.place.start : read.place.end] == read.raw
        assert read.place.line == data.count(b"\n", 0, read.place.start) + 1
        span = read.found.evidence[0]
        assert read.raw[span.start : span.end].decode() == read.found.claim
        assert len(read.raw) <= 8 * 1024


def test_it_is_recognised_by_content_and_claims_no_other(data):
    assert catalogue.detect(from_bytes("x", EXPORT.read_bytes())).name == "claude_mem"
    empty = b'{"totalObservations": 0, "observations": [], "prompts": []}'
    assert claude_mem.recognises(from_bytes("x", empty).head())
    langfuse = b'{"trace": {"id": "t"}, "observations": [{"id": "o", "type": "SPAN"}]}'
    assert not claude_mem.recognises(from_bytes("x", langfuse).head())
    for path in data.rglob("*"):
        if path.is_file() and "claude_mem" not in path.parts:
            head = from_path(path).head()
            assert not claude_mem.recognises(head), path
            assert not db.recognises(head), path


COLUMNS = {
    "observations": (
        "id INTEGER PRIMARY KEY, memory_session_id TEXT, project TEXT, text TEXT, type TEXT, "
        "title TEXT, subtitle TEXT, facts TEXT, narrative TEXT, concepts TEXT, files_read TEXT, "
        "files_modified TEXT, prompt_number INTEGER, created_at TEXT, created_at_epoch INTEGER, "
        "content_hash TEXT, generated_by_model TEXT, relevance_count INTEGER"
    ),
    "session_summaries": (
        "id INTEGER PRIMARY KEY, memory_session_id TEXT, project TEXT, request TEXT, "
        "investigated TEXT, learned TEXT, completed TEXT, next_steps TEXT, files_read TEXT, "
        "files_edited TEXT, notes TEXT, created_at TEXT, created_at_epoch INTEGER"
    ),
    "sdk_sessions": (
        "id INTEGER PRIMARY KEY, content_session_id TEXT, memory_session_id TEXT, project TEXT, "
        "user_prompt TEXT, started_at TEXT, started_at_epoch INTEGER, completed_at TEXT, "
        "completed_at_epoch INTEGER, status TEXT"
    ),
    "user_prompts": (
        "id INTEGER PRIMARY KEY, content_session_id TEXT, prompt_number INTEGER, "
        "prompt_text TEXT, created_at TEXT, created_at_epoch INTEGER"
    ),
}


def database(rows, columns=COLUMNS):
    with closing(sqlite3.connect(":memory:")) as made:
        for table, told in columns.items():
            made.execute(f"CREATE TABLE {table} ({told})")
        for table, row in rows:
            marks = ", ".join("?" * len(row))
            made.execute(
                f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})", list(row.values())
            )
        made.commit()
        return from_bytes("claude-mem.db", made.serialize())


def exported_rows():
    told = json.loads(EXPORT.read_text())
    for key, table in (
        ("observations", "observations"),
        ("sessions", "sdk_sessions"),
        ("summaries", "session_summaries"),
        ("prompts", "user_prompts"),
    ):
        for row in told[key]:
            if row["id"] in (1, 3, 7, 5, 9):
                known = COLUMNS[table]
                yield table, {name: one for name, one in row.items() if f"{name} " in known}


def test_the_database_tells_the_same_claims_under_the_same_ids(reading):
    source = database(exported_rows())
    assert catalogue.detect(source).name == "claude_mem_db"
    told = Told(catalogue.open_reading(source).records)
    exported = {one.source_id: one.claim for one in reading.found if isinstance(one, Proposal)}
    own = {one.source_id: one.claim for one in told.found if isinstance(one, Proposal)}
    assert len(own) == 4
    assert own.items() <= exported.items()
    assert told.found[0].foreign["session"] == "s-1"
    assert [type(one) for one in told.found[-2:]] == [Nothing, Trajectory]
    assert told.reads[0].place.member == "observations/rowid=1"
    for read in told.reads:
        if isinstance(read.found, Proposal):
            span = read.found.evidence[0]
            assert read.found.claim.split()[0].encode() in read.raw[span.start : span.end]


def test_the_database_keeps_what_an_export_leaves_out():
    row = {"id": 1, "facts": '["x"]', "content_hash": "h", "generated_by_model": "model-1"}
    (found,) = Told(db.read(database([("observations", row)]))).found
    assert (found.foreign["content_hash"], found.foreign["claimed_writer"]) == ("h", "model-1")


def test_an_older_database_without_facts_is_read_by_its_text():
    columns = {
        "observations": "id INTEGER, sdk_session_id TEXT, text TEXT, type TEXT",
        "session_summaries": "id INTEGER",
    }
    row = {"id": 1, "sdk_session_id": "m", "text": "Old", "type": "discovery"}
    assert claims(Told(db.read(database([("observations", row)], columns)))) == ["Old"]


def test_a_row_with_bytes_fails_alone():
    rows = [
        ("observations", {"id": 1, "facts": b"\xff"}),
        ("observations", {"id": 2, "facts": '["x"]'}),
    ]
    bad, good = Told(db.read(database(rows))).found
    assert (bad.reason, good.claim) == (FailReason.FIELD_INVALID, "x")


def test_a_database_without_its_tables_or_with_a_cut_header_is_told():
    (found,) = Told(db.read(database([], {"other": "id INTEGER"}))).found
    assert found == Failed(FailReason.WRONG_SHAPE)
    with pytest.raises(SourceRefusedError, match="header is cut"):
        list(db.read(from_bytes("x", b"SQLite format 3\0")))


@pytest.mark.shared
@pytest.mark.skipif(not SAMPLES.is_dir(), reason="no samples beside the checkout")
def test_every_record_of_the_sample_is_accounted_for():
    reading = catalogue.open_reading(from_path(SAMPLES / "windows-memories.json"))
    assert reading.origin.importer == "claude_mem"
    found = [one.found for one in reading.records if isinstance(one, Read)]
    assert [type(one) for one in found] == [Proposal] * 3 + [Nothing, Proposal, Trajectory]
