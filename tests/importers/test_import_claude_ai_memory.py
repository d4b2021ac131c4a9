import json
from pathlib import Path

import pytest

from importers import catalogue
from importers.claude_ai import memory, memory_text
from importers.source import from_bytes, from_path
from store.cells import Kind, Proposal, SourceType
from store.records import Failed, FailReason, Nothing, NothingReason, Read, RemarkCode

from .conftest import DATA, Told
from .test_import_places import check

SAMPLES = Path(__file__).resolve().parents[3] / "shared" / "samples" / "claude_ai_export"
MEMORY = (
    '**Work context**\n\nВедёт магазин.\n\n- Пишет "коротко"\n- Second item\n\n'
    "**Brief history**\n\n*Recent months*\n\nMoved the warehouse.\n\n*Earlier*\nOne line under it."
)
ENTRY = {
    "conversations_memory": MEMORY,
    "project_memories": {"p-1": "**State**\n\nElektrostal from March."},
    "account_uuid": "acc-1",
}
PROJECT = {
    "uuid": "p-1",
    "name": "Warehouse",
    "description": "moves",
    "prompt_template": "Отвечай по-русски.\n\n- Never guess tariffs.",
    "created_at": "2026-01-05T20:55:32.499880+00:00",
    "updated_at": "2026-02-05T20:55:32.499880+00:00",
    "creator": {"uuid": "u-1", "full_name": "Demo User"},
    "docs": [
        {
            "uuid": "d-1",
            "filename": "tariffs.md",
            "content": "# Tariffs\n\n45 RUB per unit",
            "created_at": "2026-01-06T00:00:00Z",
        }
    ],
}


def read(value, **kept):
    data = json.dumps(value, **kept).encode()
    assert catalogue.detect(from_bytes("x", data)).name == "claude_ai_memory"
    return Told(memory.read(from_bytes("x", data)))


def claims(reading):
    return [one.claim for one in reading.found if isinstance(one, Proposal)]


def test_a_memory_is_cut_by_its_bold_sections_and_paragraphs():
    reading = read([ENTRY])
    told = [(one.foreign["section"], one.claim) for one in reading.found]
    assert told == [
        ("Work context", "Ведёт магазин."),
        ("Work context", 'Пишет "коротко"'),
        ("Work context", "Second item"),
        ("Brief history > Recent months", "Moved the warehouse."),
        ("Brief history > Earlier", "One line under it."),
        ("State", "Elektrostal from March."),
    ]


def test_every_claim_of_a_memory_is_an_insight_without_sources():
    reading = read([ENTRY])
    assert {one.kind for one in reading.found} == {Kind.INSIGHT}
    assert {one.source_type for one in reading.found} == {SourceType.AGENT_SUMMARY}
    assert all(RemarkCode.INSIGHT_ONLY in one.remarks for one in reading.found)
    assert reading.remarks.keys() >= {
        RemarkCode.INSIGHT_ONLY,
        RemarkCode.NO_TIMES,
        RemarkCode.SOURCE_LINK_ABSENT,
    }


def test_scope_is_the_account_or_the_project():
    *account, project = read([ENTRY]).found
    assert {one.scope["account"] for one in account} == {"acc-1"}
    assert project.scope == {"project": "p-1"}
    assert project.foreign["claimed_tenant"] == "acc-1"
    assert project.source_id.startswith("claude-ai:memory/acc-1/p-1#")


def test_the_time_is_the_file_s():
    data = json.dumps([ENTRY]).encode()
    source = from_bytes("m", data, modified_at="2026-03-01T00:00:00Z")
    found = Told(memory.read(source)).found[0]
    assert found.written_at == "2026-03-01T00:00:00Z"
    assert RemarkCode.WRITTEN_AT_ASSUMED in found.remarks


def test_the_newer_memory_files_are_read():
    files = [
        {"path": "/work.md", "content": "- one", "updated_at": "2026-03-02T00:00:00Z"},
        "plain words",
        {"path": "/empty.md", "content": ""},
        {"path": "/null.md", "content": None},
        7,
    ]
    reading = read({"conversations_memory": "", "project_memories": {}, "memory_files": files})
    assert claims(reading) == ["one", "plain words"]
    first = reading.found[0]
    assert (first.written_at, first.foreign["path"]) == ("2026-03-02T00:00:00Z", "/work.md")
    assert [type(one) for one in reading.found[2:]] == [Nothing, Nothing, Failed]


def test_instructions_and_documents_of_a_project_are_references():
    reading = read([PROJECT])
    assert claims(reading) == ["Отвечай по-русски.", "Never guess tariffs.", "45 RUB per unit"]
    instruction, _, document = reading.found
    assert {one.kind for one in reading.found} == {Kind.REFERENCE}
    assert {one.source_type for one in reading.found} == {SourceType.DOCUMENT}
    assert instruction.scope == document.scope == {"project": "p-1"}
    assert instruction.written_at == "2026-02-05T20:55:32.499880+00:00"
    assert document.written_at == "2026-01-06T00:00:00Z"
    assert document.foreign["filename"] == "tariffs.md"
    assert document.foreign["section"] == "Tariffs"
    assert document.source_id.startswith("claude-ai:project/p-1/doc/d-1#")
    assert reading.remarks == {RemarkCode.REFERENCE_ONLY: 3}


def test_the_creator_of_a_project_is_not_taken():
    assert "Demo User" not in str([one.foreign for one in read([PROJECT]).found])


@pytest.mark.parametrize("indent", [None, 1])
def test_a_single_object_is_read(indent):
    assert len(claims(read(PROJECT, indent=indent))) == 3
    assert len(claims(read(ENTRY, indent=indent))) == 6
    assert claims(read({"projects": [PROJECT]}, indent=indent)) == claims(read([PROJECT]))


def test_records_without_a_text_are_nothing():
    empty = {"conversations_memory": None, "project_memories": {}, "account_uuid": "a"}
    assert read([empty]).found == [Nothing(NothingReason.EMPTY_TEXT)]
    blank = {"conversations_memory": "", "project_memories": {"p": " "}}
    assert read([blank]).found == [Nothing(NothingReason.EMPTY_TEXT)]
    bare = {"uuid": "p", "name": "n", "prompt_template": "", "docs": []}
    assert read([bare]).found == [Nothing(NothingReason.EMPTY_TEXT)]


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"conversations_memory": 7}, Failed(FailReason.FIELD_INVALID, name="content")),
        ({"project_memories": ["x"]}, Failed(FailReason.WRONG_SHAPE)),
        ({"project_memories": {"p": 1}}, Failed(FailReason.FIELD_INVALID, name="content")),
        ({"memory_files": "x"}, Failed(FailReason.WRONG_SHAPE)),
    ],
)
def test_a_text_that_cannot_be_read_fails_alone(change, fault):
    reading = read([{"conversations_memory": "kept", "account_uuid": "a"} | change, ENTRY])
    assert fault in reading.found
    assert len(claims(reading)) >= 6


def test_a_document_that_is_too_long_fails_alone():
    docs = [*PROJECT["docs"], {"uuid": "d-2", "filename": "big", "content": "x" * 70_000}]
    reading = read([{**PROJECT, "docs": docs}])
    assert len(claims(reading)) == 3
    assert reading.found[-1].reason is FailReason.TOO_LONG


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"uuid": None}, Failed(FailReason.FIELD_MISSING, name="uuid")),
        ({"docs": {"a": 1}}, Failed(FailReason.WRONG_SHAPE)),
        ({"updated_at": "soon"}, Failed(FailReason.TIME_INVALID, name="updated_at")),
    ],
)
def test_one_bad_project_leaves_its_neighbour(change, fault):
    reading = read([{**PROJECT, **change}, {**PROJECT, "uuid": "p-2"}])
    assert fault in reading.found
    assert [one for one in reading.found if getattr(one, "scope", {}) == {"project": "p-2"}]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("**A**\ntext", [("A", "text")]),
        ("**A:**\n\ntext **bold** more", [("A", "text **bold** more")]),
        ("## H\n\n**A**\n\nx\n\n## I\n\ny", [("H > A", "x"), ("I > A", "y")]),
        ("**A**", []),
        ("", []),
        ("plain", [("", "plain")]),
    ],
)
def test_sections(text, told):
    assert [(one.section, one.claim) for one in memory_text.pieces(text)] == told


def test_a_cut_file_keeps_its_whole_records():
    data = json.dumps([ENTRY, ENTRY]).encode()[:-40]
    reading = Told(memory.read(from_bytes("m", data)))
    assert len(claims(reading)) == 6
    assert reading.found[-1].reason is FailReason.CUT_SHORT


@pytest.mark.parametrize("data", [b"", b"words", b"\xff", b"[]", b"[7]", b"{"])
def test_broken_bytes_break_nothing(data):
    source = from_bytes("m", data)
    assert not memory.recognises(source.head())
    assert all(isinstance(one, Failed) for one in Told(memory.read(source)).found)


def test_conversations_and_other_formats_are_not_claimed():
    chat = {"uuid": "c", "name": "n", "chat_messages": [], "account": {"uuid": "a"}}
    assert not memory.recognises(from_bytes("c", json.dumps([chat]).encode()).head())
    for path in DATA.rglob("*"):
        if path.is_file():
            assert not memory.recognises(from_path(path).head()), path


@pytest.mark.parametrize("pad", [0, 400])
def test_places_are_the_bytes_they_name(pad):
    entry = {**ENTRY, "conversations_memory": MEMORY + "\n\nfiller words" * pad}
    data = b"\n" + json.dumps([entry, PROJECT], indent=1, ensure_ascii=False).encode()
    reads = Told(memory.read(from_bytes("m", data))).reads
    assert len(reads) == 9 + pad
    for one in reads:
        assert data[one.place.start : one.place.end] == one.raw
        assert one.place.line == data.count(b"\n", 0, one.place.start) + 1
        (span,) = one.found.evidence
        told = json.loads(b'"' + one.raw[span.start : span.end] + b'"')
        assert told.removeprefix("- ") == one.found.claim


@pytest.mark.shared
@pytest.mark.skipif(not SAMPLES.is_dir(), reason="no samples beside the checkout")
@pytest.mark.parametrize(("sample", "count"), [("memories.json", 6), ("projects.json", 2)])
def test_every_record_of_a_sample_is_accounted_for(sample, count):
    reading = catalogue.open_reading(from_path(SAMPLES / sample))
    assert reading.origin.importer == "claude_ai_memory"
    found = [one.found for one in reading.records if isinstance(one, Read)]
    assert [type(one) for one in found] == [Proposal] * count
    check(SAMPLES / sample)
