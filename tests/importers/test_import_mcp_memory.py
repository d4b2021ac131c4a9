import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from importers import mcp_memory
from importers.source import from_bytes
from store.cells import Interval, Kind, Precision, Proposal
from store.records import Failed, FailReason, Nothing, NothingReason, Read, RemarkCode


def claims(reading):
    return [one.claim for one in reading.found if isinstance(one, Proposal)]


def test_each_observation_and_each_relation_is_a_fact(told):
    reading = told("mcp_memory/memory.jsonl")
    assert claims(reading) == [
        "Склад: Коледино",
        'Склад: приёмка до "18:00"',
        "Anna: Speaks 🇫🇷",
        "Anna works at Склад",
    ]
    assert {one.kind for one in reading.found} == {Kind.FACT}
    assert reading.found[0].entities == ("Склад",)
    assert reading.found[3].entities == ("Anna", "Склад")
    assert all(RemarkCode.WRITTEN_AT_ASSUMED in one.remarks for one in reading.found)
    assert reading.remarks[RemarkCode.NO_TIMES] == 3


def test_evidence_is_the_observation_s_own_string(told):
    for read in told("mcp_memory/memory.jsonl").reads[:3]:
        (span,) = read.found.evidence
        text = json.loads(read.raw[span.start : span.end])
        assert read.found.claim.endswith(text)


def test_read_graph_says_the_same(told):
    reading = told("mcp_memory/read_graph.json")
    assert claims(reading) == ["Anna: Speaks French", "Anna: Likes tea", "Anna knows Anna"]


def test_a_fork_without_types_brings_times_and_writers_of_its_own(told):
    observation, relation = told("mcp_memory/fork_without_type.jsonl").found
    assert observation.written_at == "2026-01-13T14:18:36+00:00"
    assert observation.foreign["claimed_writer"] == "dev"
    assert relation.valid == Interval(
        "2026-01-13T14:18:36+00:00", "2026-01-14T14:18:36+00:00", Precision.INSTANT
    )


def test_a_fork_with_text_objects_brings_a_time_for_each(told):
    first, empty, relation = told("mcp_memory/fork_with_text_objects.jsonl").found
    assert (first.claim, first.written_at) == ("Anna: Speaks French", "2026-01-02T03:04:05Z")
    assert first.foreign["observation_version"] == 2
    assert empty == Nothing(NothingReason.EMPTY_TEXT)
    assert relation.claim == "Anna knows Bob"


def test_an_entity_without_observations_is_nothing(told):
    first, second = told("mcp_memory/no_observations.jsonl").found
    assert first == Nothing(NothingReason.NO_OBSERVATIONS)
    assert second.claim == "Full: x y"


def test_a_repeated_entity_is_remarked(told):
    reading = told("mcp_memory/repeated_entity.jsonl")
    assert reading.remarks[RemarkCode.ENTITY_REPEATED] == 1
    assert RemarkCode.ENTITY_REPEATED in reading.found[1].remarks


def test_a_dangling_relation_is_remarked_and_kept(told):
    reading = told("mcp_memory/dangling_relation.jsonl")
    assert reading.remarks[RemarkCode.DANGLING_LINK] == 1
    assert "Anna knows Ghost" in claims(reading)


@pytest.mark.parametrize(
    ("fixture", "fault"),
    [
        ("observations_is_a_string", Failed(FailReason.FIELD_INVALID, name="observations")),
        ("entity_without_name", Failed(FailReason.FIELD_MISSING, name="name")),
        ("line_that_is_neither", Failed(FailReason.WRONG_SHAPE)),
        ("validity_turned_round", Failed(FailReason.FIELD_INVALID, name="validTo")),
    ],
)
def test_one_bad_line_leaves_its_neighbours(told, fixture, fault):
    reading = told(f"mcp_memory/{fixture}.jsonl")
    assert [one for one in reading.found if isinstance(one, Failed)] == [fault]
    assert claims(reading) == ["Bob: two"]


def test_one_bad_observation_leaves_its_neighbours(told):
    first, bad, third = told("mcp_memory/observation_is_a_number.jsonl").found
    assert (first.claim, third.claim) == ("Anna: one", "Anna: three")
    assert (bad.reason, bad.name) == (FailReason.FIELD_INVALID, "observations")
    assert bad.column > 0


def test_identity_does_not_change_with_the_place_in_the_file(told):
    line = b'{"type":"entity","name":"A","observations":["x","y"]}\n'
    moved = b'{"type":"entity","name":"A","observations":["y","z","x"]}\n'
    first = {one.claim: one.source_id for one in told(from_bytes("a", line)).found}
    second = {one.claim: one.source_id for one in told(from_bytes("b", moved)).found}
    assert first.items() <= second.items()


TEXT = st.text(st.characters(codec="utf-8"), min_size=1, max_size=30).filter(str.strip)


@given(st.lists(TEXT, min_size=1, max_size=5), st.booleans(), st.integers(0, 12_000))
def test_the_range_of_an_observation_is_its_string_in_short_and_long_lines(texts, ascii_only, pad):
    entity = {"type": "entity", "name": "n", "pad": "p" * pad, "observations": texts}
    data = b"\n" + json.dumps(entity, ensure_ascii=ascii_only).encode()
    reads = [one for one in mcp_memory.read(from_bytes("x", data)) if isinstance(one, Read)][1:]
    assert len(reads) == len(texts)
    for read, text in zip(reads, texts, strict=True):
        assert data[read.place.start : read.place.end] == read.raw
        (span,) = read.found.evidence
        assert json.loads(read.raw[span.start : span.end]) == text
