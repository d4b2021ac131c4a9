import json
from pathlib import Path

import pytest

from importers import catalogue
from importers.lightmem import importer as lightmem
from importers.source import from_bytes
from store.cells import Interval, Kind, Proposal, SourceType
from store.records import Failed, FailReason, Nothing, NothingReason, Read, RemarkCode

from .test_import_places import check
from .test_import_shared_samples import SAMPLES

ONE, TWO = "7c9e0000-0000-4000-8000-000000000001", "7c9e0000-0000-4000-8000-000000000002"
MODIFIED = "2026-04-01T00:00:00Z"


def entry(**changes):
    return {
        "id": ONE,
        "time_stamp": "2026-03-01T09:00:00.500",
        "topic_id": 1,
        "topic_summary": "",
        "category": "",
        "subcategory": "",
        "memory_class": "",
        "memory": "Ирина бегает по утрам",
        "original_memory": "Я бегаю по утрам",
        "compressed_memory": "",
        "hit_time": 0,
        "update_queue": [],
        "float_time_stamp": 1772355600.5,
        "weekday": "Sun",
        "speaker_id": "speaker_a",
        "speaker_name": "Irina",
        "consolidated": False,
    } | changes


def other(**changes):
    return entry(id=TWO, memory="Irina moved the lamp", original_memory="", **changes)


def source(value, **how):
    return from_bytes("entries", json.dumps(value, **how).encode(), modified_at=MODIFIED)


def payload(row):
    return {key: row[key] for key in row if key not in ("id", "hit_time", "update_queue")}


def point(row, **more):
    return {"id": row["id"], "vector": [0.25] * 4, "payload": payload(row)} | more


def test_an_entry_is_a_model_s_extraction_with_what_was_said_as_evidence(told):
    made = source([entry()], ensure_ascii=False, indent=2)
    (read,) = told(made).reads
    found = read.found
    assert found.claim == "Ирина бегает по утрам"
    assert (found.kind, found.source_type) == (Kind.FACT, SourceType.MODEL_EXTRACTION)
    assert found.source_id == f"lightmem:{ONE}"
    assert [json.loads(read.raw[one.start : one.end]) for one in found.evidence] == [
        "Я бегаю по утрам",
        "Ирина бегает по утрам",
    ]
    assert found.foreign["claimed_writer"] == "Irina"


def test_times_are_said_to_be_made_up_and_are_no_world_time(told):
    reading = told(source([entry()]))
    assert RemarkCode.TIMES_MADE_UP in reading.remarks
    (found,) = reading.found
    assert found.written_at == "2026-03-01T09:00:00.500+00:00"
    assert RemarkCode.TIME_ZONE_ASSUMED in found.remarks
    assert found.valid == Interval()


@pytest.mark.parametrize(
    ("changes", "written"),
    [
        ({"time_stamp": None}, "2026-03-01T09:00:00.500000+00:00"),
        ({"time_stamp": None, "float_time_stamp": 0}, MODIFIED),
        ({"time_stamp": "2026/03/01 (Sun) 09:00"}, "2026-03-01T09:00:00+00:00"),
    ],
    ids=["epoch", "zero is none", "session form"],
)
def test_other_forms_of_the_time(told, changes, written):
    (found,) = told(source([entry(**changes)])).found
    assert found.written_at == written


def test_an_unknown_speaker_is_nobody(told):
    reading = told(source([entry(speaker_id="unknown", speaker_name="Unknown")]))
    assert "claimed_writer" not in reading.found[0].foreign
    assert reading.remarks[RemarkCode.NO_OWNER] == 1


def test_a_speaker_without_a_name_is_known_by_the_id(told):
    (found,) = told(source([entry(speaker_name="Unknown")])).found
    assert found.foreign["claimed_writer"] == "speaker_a"


def test_a_consolidated_entry_says_that_its_text_was_merged(told):
    reading = told(source([entry(consolidated=True), other()]))
    assert RemarkCode.REWRITTEN_TEXT in reading.found[0].remarks
    assert reading.remarks[RemarkCode.REWRITTEN_TEXT] == 1


def test_candidates_for_an_update_are_no_edges(told):
    (found,) = told(source([entry(update_queue=[{"id": TWO, "score": 0.71}])])).found
    assert found.edges == ()
    assert found.foreign["update_queue"] == [{"id": TWO, "score": "0.71"}]


def test_an_old_entry_without_speaker_and_flags_is_read(told):
    left_out = ("float_time_stamp", "weekday", "speaker_id", "speaker_name", "consolidated")
    old = {key: value for key, value in entry().items() if key not in left_out}
    made = source([old])
    assert catalogue.detect(made).name == "lightmem"
    assert told(made).found[0].source_id == f"lightmem:{ONE}"


def test_a_class_that_names_a_kind_is_followed(told):
    found = told(source([entry(memory_class="event"), other(category="Preferences")])).found
    assert [one.kind for one in found] == [Kind.EVENT, Kind.PROFILE_PREFERENCE]


def test_qdrant_points_keep_the_id_and_lose_the_vector(told):
    made = source([point(entry()), point(other())])
    assert catalogue.detect(made).name == "lightmem"
    reading = told(made)
    assert [one.source_id for one in reading.found] == [f"lightmem:{ONE}", f"lightmem:{TWO}"]
    assert reading.found[0].foreign["vector_dimensions"] == 4
    assert reading.remarks[RemarkCode.VECTORS_DROPPED] == 2


def test_a_scroll_of_qdrant_is_read(told):
    made = source({"result": {"points": [point(entry())], "next_page_offset": None}, "time": 0.1})
    assert catalogue.detect(made).name == "lightmem"
    assert [one.claim for one in told(made).found] == ["Ирина бегает по утрам"]


def test_bare_payloads_have_no_ids_and_say_so(told):
    made = source([payload(entry())])
    assert catalogue.detect(made).name == "lightmem"
    (found,) = told(made).found
    assert RemarkCode.NO_IDS in found.remarks
    assert found.source_id == told(source([payload(other()), payload(entry())])).found[1].source_id


@pytest.mark.parametrize("wrap", [list, lambda rows: rows[0]], ids=["in a list", "alone"])
@pytest.mark.parametrize("indent", [None, 1])
def test_a_table_of_columns_gives_a_record_for_each_row(told, wrap, indent):
    rows = [entry(), other()]
    table = {name: [row[name] for row in rows] for name in entry()}
    made = source(wrap([table]), indent=indent)
    assert catalogue.detect(made).name == "lightmem"
    reading = told(made)
    assert [one.source_id for one in reading.found] == [f"lightmem:{ONE}", f"lightmem:{TWO}"]
    for read in reading.reads:
        assert made.content[read.place.start : read.place.end] == read.raw
        assert json.loads(read.raw) == read.found.claim
        assert read.found.written_at == "2026-03-01T09:00:00.500+00:00"


def test_columns_of_different_length_are_remarked_and_every_text_is_read(told):
    table = {"memory": ["one", None, "three"], "id": [ONE], "time_stamp": ["2026-03-01T09:00:00"]}
    reading = told(source([table | {"topic_id": [1], "hit_time": [0]}]))
    assert reading.remarks[RemarkCode.COUNTS_DIFFER] == 1
    assert [type(one) for one in reading.found] == [Proposal, Failed, Proposal]
    assert reading.found[2].written_at == MODIFIED


def test_columns_of_questions_are_not_ours():
    table = {"question_id": ["q"], "question": ["?"], "haystack_sessions": [[]], "answer": ["a"]}
    assert not lightmem.recognises(source([table]).head())


def test_lines_and_a_wrapped_list_give_the_same(told):
    lines = b"\n".join(json.dumps(one).encode() for one in (entry(), other()))
    for made in (from_bytes("x", lines), source({"memories": [entry(), other()]}, indent=3)):
        assert catalogue.detect(made).name == "lightmem"
        reading = told(made)
        assert [one.source_id for one in reading.found] == [f"lightmem:{ONE}", f"lightmem:{TWO}"]
        for read in reading.reads:
            assert made.content[read.place.start : read.place.end] == read.raw


@pytest.mark.parametrize("indent", [None, 2])
def test_one_entry_alone_is_read(told, indent):
    made = source(entry(), indent=indent)
    assert catalogue.detect(made).name == "lightmem"
    assert len(told(made).found) == 1


def test_an_entry_appended_twice_is_a_copy_and_a_changed_one_is_remarked(told):
    reading = told(source([entry(), entry(), entry(memory="else")]))
    assert reading.remarks[RemarkCode.IDS_REPEATED] == 1
    assert len({one.source_id for one in reading.found}) == 1


@pytest.mark.parametrize(
    ("bad", "fault"),
    [
        (entry(memory=4), Failed(FailReason.FIELD_INVALID, name="memory")),
        (entry(memory=None), Failed(FailReason.FIELD_MISSING, name="memory")),
        (entry(time_stamp="noon"), Failed(FailReason.TIME_INVALID, name="time_stamp")),
        (entry(original_memory=[]), Failed(FailReason.FIELD_INVALID, name="original_memory")),
        (entry(id=[1]), Failed(FailReason.FIELD_INVALID, name="id")),
        (entry(payload="x"), Failed(FailReason.FIELD_INVALID, name="payload")),
        (None, Failed(FailReason.WRONG_SHAPE)),
        (entry(memory=""), Nothing(NothingReason.EMPTY_TEXT)),
    ],
)
def test_one_bad_entry_leaves_its_neighbours(told, bad, fault):
    reading = told(source([other(), bad, entry()]))
    assert [type(one) for one in reading.found] == [Proposal, type(fault), Proposal]
    assert reading.found[1] == fault


def test_a_cut_file_keeps_what_came_before(told):
    cut = source([entry(), other()]).content[:-50]
    reading = told(from_bytes("cut", cut), "lightmem")
    assert [type(one) for one in reading.found] == [Proposal, Failed]
    assert reading.remarks[RemarkCode.TAIL_CUT] == 1


def test_an_empty_file_and_an_empty_list_hold_no_entry(told):
    assert told(from_bytes("x", b""), "lightmem").reads == []
    assert told(from_bytes("x", b"[]"), "lightmem").reads == []


@pytest.mark.parametrize(
    "foreign",
    [
        {"id": "1", "memory": "x", "hash": "h", "metadata": None, "created_at": None},
        {"id": "1", "memory": "x", "metadata": {"status": "activated"}},
        {"id": "1", "vector": [0.1], "payload": {"id": "1", "memory": "x", "metadata": {}}},
        {"content": "x", "keywords": [], "links": [], "tags": []},
    ],
)
def test_records_of_other_systems_are_not_claimed(foreign):
    assert not lightmem.recognises(source([foreign]).head())


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[[[[", b"\x80\x04abc", b"\xff\xfe[", b'[{"memory"']
)
def test_detection_survives_any_bytes(content):
    assert lightmem.recognises(from_bytes("x", content).head()) is False


@pytest.mark.shared
@pytest.mark.skipif(not SAMPLES.is_dir(), reason="no samples beside the checkout")
def test_every_entry_of_the_sample_is_read_and_the_questions_are_left_alone():
    reads = check(Path(SAMPLES, "lightmem", "memory_entries.json"))
    assert [type(one.found) for one in reads] == [Proposal, Proposal]
    questions = from_bytes("q", Path(SAMPLES, "lightmem", "code_single.json").read_bytes())
    assert not lightmem.recognises(questions.head())
    assert all(
        isinstance(one.found, Failed) for one in lightmem.read(questions) if type(one) is Read
    )
