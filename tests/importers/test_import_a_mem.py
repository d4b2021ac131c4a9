import json
import pickle
from dataclasses import replace
from pathlib import Path

import pytest

from importers import catalogue
from importers.a_mem import importer as a_mem
from importers.source import from_bytes
from store.cells import Kind, Proposal, SourceType
from store.records import (
    Barred,
    BarRule,
    Failed,
    FailReason,
    Nothing,
    NothingReason,
    Read,
    RemarkCode,
)

from .test_import_places import check
from .test_import_shared_samples import SAMPLES

MODIFIED = "2026-04-01T00:00:00Z"
ONE, TWO = "5b0c1d8e-0000-4000-8000-000000000001", "5b0c1d8e-0000-4000-8000-000000000002"


def note(**changes):
    return {
        "content": "Склад закрывается в 18:00",
        "id": ONE,
        "keywords": ["склад", "часы"],
        "links": [TWO],
        "retrieval_count": 3,
        "timestamp": "202603011200",
        "last_accessed": "202603051200",
        "context": "Working hours",
        "evolution_history": [],
        "category": "Uncategorized",
        "tags": ["logistics", "hours"],
    } | changes


def other(**changes):
    return note(content="Tea is in the second cupboard", id=TWO, links=[], **changes)


def source(value, **how):
    return from_bytes("notes", json.dumps(value, **how).encode(), modified_at=MODIFIED)


def lines(*rows):
    data = b"\n".join(json.dumps(row, ensure_ascii=False).encode() for row in rows)
    return from_bytes("notes", data)


def chroma(row):
    flat = {
        key: json.dumps(value) if isinstance(value, list | dict) else str(value)
        for key, value in row.items()
    }
    return {"id": row["id"], "document": row["content"], "metadata": flat}


def places_hold(made):
    data = made.content
    for read in a_mem.read(made):
        if isinstance(read, Read):
            assert data[read.place.start : read.place.end] == read.raw
            assert read.place.line == data.count(b"\n", 0, read.place.start) + 1


def test_a_note_is_a_fact_with_its_keywords_as_entities_and_tags_and_context_as_scope(told):
    (found,) = told(source([note()], ensure_ascii=False)).found
    assert found.claim == "Склад закрывается в 18:00"
    assert (found.kind, found.source_type) == (Kind.FACT, SourceType.FOREIGN_MEMORY)
    assert found.source_id == f"a-mem:{ONE}"
    assert found.entities == ("склад", "часы")
    assert found.scope == {"context": "Working hours", "tags": "logistics, hours"}
    assert found.foreign["retrieval_count"] == 3


def test_default_context_and_category_say_nothing(told):
    (found,) = told(source([note(context="General")])).found
    assert "context" not in found.scope
    assert "category" not in found.foreign


def test_a_category_that_names_a_preference_is_followed(told):
    (found,) = told(source([note(category="User preferences")])).found
    assert found.kind is Kind.PROFILE_PREFERENCE
    assert found.foreign["category"] == "User preferences"


@pytest.mark.parametrize("written", ["202603011200", 202603011200])
def test_twelve_digits_are_a_local_time_and_no_epoch(told, written):
    (found,) = told(source([note(timestamp=written)])).found
    assert found.written_at == "2026-03-01T12:00:00+00:00"
    assert RemarkCode.TIME_ZONE_ASSUMED in found.remarks


def test_a_note_without_a_time_takes_the_files_time(told):
    (found,) = told(source([note(timestamp=None)])).found
    assert found.written_at == "2026-04-01T00:00:00Z"
    assert RemarkCode.WRITTEN_AT_ASSUMED in found.remarks


def test_links_are_relations_and_no_edges(told):
    reading = told(source([note(), other()]))
    assert reading.found[0].edges == ()
    assert reading.found[0].foreign["related"] == [f"a-mem:{TWO}"]
    assert RemarkCode.DANGLING_LINK not in reading.remarks


def test_links_as_an_annotated_object_are_read(told):
    (first, _) = told(source([note(links={TWO: "same topic"}), other()])).found
    assert first.foreign["related"] == [f"a-mem:{TWO}"]


def test_a_link_to_a_note_that_is_not_there_is_remarked(told):
    assert told(source([note()])).remarks[RemarkCode.DANGLING_LINK] == 1


def test_integer_links_of_the_papers_code_are_places_in_the_list(told):
    reading = told(source([note(links=[1, 7], importance_score=1.0), other()]))
    assert reading.found[0].foreign["related"] == [f"a-mem:{TWO}"]
    assert reading.found[0].foreign["importance_score"] == "1.0"
    assert reading.remarks[RemarkCode.DANGLING_LINK] == 1


def test_a_chroma_row_holds_its_lists_as_strings_and_its_numbers_too(told):
    reading = told(source([chroma(note()), chroma(other())]))
    plain = told(source([note(), other()]))
    for flat, found in zip(reading.found, plain.found, strict=True):
        assert flat.claim == found.claim
        assert flat.entities == found.entities
        assert flat.scope == found.scope
        assert flat.written_at == found.written_at
        assert flat.foreign["retrieval_count"] == "3"
        assert RemarkCode.ENCODED_TWICE in flat.remarks
    assert reading.remarks[RemarkCode.ENCODED_TWICE] == 2


def test_the_columns_that_a_chroma_collection_gives_are_read(told):
    rows = [chroma(note()), chroma(other())]
    columns = {
        "ids": [row["id"] for row in rows],
        "embeddings": None,
        "documents": [row["document"] for row in rows],
        "metadatas": [row["metadata"] for row in rows],
    }
    found = told(source(columns)).found
    assert [one.source_id for one in found] == [f"a-mem:{ONE}", f"a-mem:{TWO}"]


def test_the_nested_columns_of_a_chroma_search_are_read(told):
    columns = {"ids": [[ONE]], "metadatas": [[chroma(note())["metadata"]]], "distances": [[0.2]]}
    assert [one.source_id for one in told(source(columns)).found] == [f"a-mem:{ONE}"]


def test_vectors_are_dropped_and_counted(told):
    reading = told(source([chroma(note()) | {"embedding": [0.1, 0.2, 0.3]}]))
    assert reading.found[0].foreign["vector_dimensions"] == 3
    assert "embedding" not in reading.found[0].foreign
    assert reading.remarks[RemarkCode.VECTORS_DROPPED] == 1


def test_a_note_that_evolved_says_that_its_text_was_rewritten(told):
    reading = told(source([note(evolution_history=[{"action": "strengthen"}]), other()]))
    assert RemarkCode.REWRITTEN_TEXT in reading.found[0].remarks
    assert RemarkCode.REWRITTEN_TEXT not in reading.found[1].remarks


@pytest.mark.parametrize(
    "made",
    [
        source([note(), other()]),
        source([note(), other()], indent=2),
        lines(note(), other()),
        source({"memories": [note(), other()]}, indent=1),
        source({ONE: note(), TWO: other()}),
        source({ONE: note(), TWO: other()}, indent=4),
        from_bytes("bom", b"\xef\xbb\xbf" + json.dumps([note(), other()]).encode()),
        from_bytes("crlf", b"\r\n".join(json.dumps(one).encode() for one in (note(), other()))),
    ],
    ids=["list", "indented", "lines", "wrapped", "map", "map indented", "bom", "crlf"],
)
def test_the_same_notes_in_any_wrapper_give_the_same(told, made):
    assert catalogue.detect(made).name == "a_mem"
    assert [one.source_id for one in told(made).found] == [f"a-mem:{ONE}", f"a-mem:{TWO}"]
    places_hold(made)


@pytest.mark.parametrize("indent", [None, 2])
def test_one_note_alone_is_read(told, indent):
    made = source(note(), indent=indent)
    assert catalogue.detect(made).name == "a_mem"
    assert [one.source_id for one in told(made).found] == [f"a-mem:{ONE}"]


def test_a_note_without_an_id_is_known_by_its_content(told):
    row = note()
    del row["id"]
    one, two = told(source([row])).found[0], told(source([other(), row])).found[1]
    assert one.source_id == two.source_id
    assert RemarkCode.NO_IDS in one.remarks


def test_two_notes_under_one_id_are_remarked_and_copies_are_not(told):
    reading = told(lines(note(), note(), other(), note(content="else")))
    assert reading.remarks[RemarkCode.IDS_REPEATED] == 1
    assert RemarkCode.IDS_REPEATED in reading.found[3].remarks


@pytest.mark.parametrize(
    ("bad", "fault"),
    [
        (note(content=5), Failed(FailReason.FIELD_INVALID, name="content")),
        (note(content=None), Failed(FailReason.FIELD_MISSING, name="content")),
        (note(keywords=7), Failed(FailReason.FIELD_INVALID, name="keywords")),
        (note(keywords=[{"a": 1}]), Failed(FailReason.FIELD_INVALID, name="keywords")),
        (note(links="no list"), Failed(FailReason.FIELD_INVALID, name="links")),
        (note(category=[1]), Failed(FailReason.FIELD_INVALID, name="category")),
        (note(timestamp="yesterday"), Failed(FailReason.TIME_INVALID, name="timestamp")),
        (note(metadata=[1]), Failed(FailReason.FIELD_INVALID, name="metadata")),
        ("a word", Failed(FailReason.WRONG_SHAPE)),
        (note(content="  "), Nothing(NothingReason.EMPTY_TEXT)),
    ],
)
def test_one_bad_note_leaves_its_neighbours(told, bad, fault):
    reading = told(source([other(), bad, note()]))
    assert [type(one) for one in reading.found] == [Proposal, type(fault), Proposal]
    assert reading.found[1] == fault


def test_a_cut_list_a_cut_line_and_a_cut_map_keep_what_came_before(told):
    for whole in (
        source([note(), other()]),
        lines(note(), other()),
        source({ONE: note(), "x": 1}),
    ):
        cut = replace(whole, content=whole.content[:-30])
        reading = told(cut, "a_mem")
        assert reading.found[-1].reason is FailReason.CUT_SHORT
        assert reading.remarks[RemarkCode.TAIL_CUT] == 1
    cut_map = source({ONE: note(), TWO: other()}).content[:-40]
    reading = told(from_bytes("map", cut_map), "a_mem")
    assert [type(one) for one in reading.found] == [Proposal, Failed]


@pytest.mark.parametrize("protocol", range(6))
def test_a_pickle_is_refused_and_never_opened(told, protocol):
    made = from_bytes("memory_cache.pkl", pickle.dumps([{"MemoryNote": "x"}], protocol))
    assert catalogue.detect(made).name == "a_mem"
    assert told(made).found == [Barred(BarRule.PICKLE)]


def test_evidence_is_the_notes_own_string(data):
    made = source([note()], ensure_ascii=True)
    (read,) = [one for one in a_mem.read(made) if isinstance(one, Read)]
    (span,) = read.found.evidence
    assert json.loads(read.raw[span.start : span.end]) == read.found.claim


def test_an_empty_file_and_an_empty_list_hold_no_note(told):
    assert told(from_bytes("x", b""), "a_mem").reads == []
    assert told(from_bytes("x", b"[]"), "a_mem").reads == []


@pytest.mark.parametrize(
    "foreign",
    [
        {"content": "x", "role": "user", "tags": [], "context": "", "links": [], "keywords": []},
        {"memory": "x", "keywords": [], "links": [], "tags": []},
        {"name": "n", "content": "x", "tags": ["a"]},
        {"id": 1, "vector": [0.1], "payload": {"memory": "x", "metadata": {}}},
    ],
)
def test_records_of_other_systems_are_not_claimed(foreign):
    assert not a_mem.recognises(source([foreign]).head())


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[[[[", b"\x80", b"\x80\x04abc", b"\xff\xfe[", b'{"']
)
def test_detection_survives_any_bytes(content):
    assert a_mem.recognises(from_bytes("x", content).head()) is False


@pytest.mark.shared
@pytest.mark.skipif(not SAMPLES.is_dir(), reason="no samples beside the checkout")
@pytest.mark.parametrize("sample", ["memory_notes.json", "chroma_metadata.json"])
def test_every_note_of_the_samples_is_read(sample):
    path = Path(SAMPLES, "a_mem", sample)
    reads = check(path)
    assert [type(one.found) for one in reads] == [Proposal, Proposal]
    assert reads[0].found.written_at == "2025-03-01T12:00:00+00:00"
