import json
from pathlib import Path

import pytest

from importers import catalogue
from importers.locomo import importer as locomo
from importers.source import Head, from_bytes, from_path
from store.cells import Interval, Kind, Precision, Proposal, SourceType
from store.records import (
    Failed,
    FailReason,
    Nothing,
    NothingReason,
    Read,
    RemarkCode,
)
from store.trajectories import StepKind, Trajectory

SAMPLES = Path(__file__).resolve().parents[3] / "shared" / "samples" / "locomo"
TALKS = "locomo/talks.json"


@pytest.fixture
def talk(data):
    return json.loads((data / TALKS).read_bytes())[0]


def source(*talks):
    return from_bytes("locomo10.json", json.dumps(list(talks), ensure_ascii=False).encode())


def of(reading, sort):
    return [one for one in reading.found if isinstance(one, sort)]


def test_sessions_come_by_number_and_not_as_they_stand(told):
    assert [one.source_id for one in of(told(TALKS), Trajectory)] == [
        "locomo:talk-1/session_1",
        "locomo:talk-1/session_2",
        "locomo:talk-1/session_10",
    ]


def test_both_speakers_are_people_and_a_caption_is_a_note(told):
    second = of(told(TALKS), Trajectory)[1]
    assert [(step.kind, step.who, step.text) for step in second.steps] == [
        (StepKind.INPUT, "Боб", "Мои две кошки"),
        (StepKind.NOTE, "Боб", "a photo of two cats"),
    ]
    assert second.foreign["dia_ids"] == ["D2:1", "D2:1"]
    assert second.foreign["pictures"] == ["https://pics.example/1.jpg"]


def test_spoken_dates_are_times_with_an_assumed_zone(told):
    found = of(told(TALKS), Trajectory)
    assert [one.started_at for one in found] == [
        "2023-05-08T13:56:00+00:00",
        "2023-05-25T13:14:00+00:00",
        "2023-06-01T00:05:00+00:00",
    ]
    assert all(RemarkCode.TIME_ZONE_ASSUMED in one.remarks for one in found)


def test_a_date_without_a_session_is_counted(told):
    assert told(TALKS).remarks[RemarkCode.COUNTS_DIFFER] == 1


def test_an_observation_is_a_claim_of_a_model_with_its_references(told):
    first, second = of(told(TALKS), Proposal)
    assert (first.claim, first.kind, first.source_type) == (
        "Anna grows tomatoes.",
        Kind.FACT,
        SourceType.MODEL_EXTRACTION,
    )
    assert first.entities == ("Anna",)
    assert first.foreign["evidence"] == ["D1:1"]
    assert first.valid == Interval("2023-05-08T13:56:00+00:00", None, Precision.INSTANT)
    assert {RemarkCode.MODEL_MADE, RemarkCode.VALID_TIME_ASSUMED} <= set(first.remarks)
    assert RemarkCode.WRITTEN_AT_ASSUMED in first.remarks
    assert second.foreign["evidence"] == ["D2:1"]
    assert second.foreign["evidence_malformed"] == ["D7"]
    assert RemarkCode.REFERENCES_MALFORMED in second.remarks


def test_references_that_name_nothing_are_counted_and_joined_ones_are_taken_apart(told):
    assert told(TALKS).remarks[RemarkCode.REFERENCES_MALFORMED] == 4


def test_questions_are_no_memories_whatever_their_answer_is(told):
    found = told(TALKS).found
    assert found.count(Nothing(NothingReason.NOT_A_MEMORY)) == 3


def test_summaries_tell_again_what_sessions_tell(told):
    found = told(TALKS).found
    assert found.count(Nothing(NothingReason.DISTILLED_ELSEWHERE)) == 3


def test_every_read_carries_the_bytes_it_names(told, data):
    whole = (data / TALKS).read_bytes()
    for read in told(TALKS).reads:
        assert whole[read.place.start : read.place.end] == read.raw
        assert read.place.line == whole.count(b"\n", 0, read.place.start) + 1
        if isinstance(read.found, Proposal):
            (span,) = read.found.evidence
            assert json.loads(read.raw[span.start : span.end]) == read.found.claim
        if isinstance(read.found, Trajectory):
            for step in read.found.steps:
                assert read.raw[step.span.start : step.span.end].decode() == step.text
                assert json.loads(whole[step.start : step.end])["speaker"] == step.who


def test_one_talk_alone_lines_and_a_wrapper_are_read(told, talk):
    for content in (
        json.dumps(talk),
        json.dumps(talk, indent=4),
        json.dumps(talk) + "\n" + json.dumps(talk),
        json.dumps({"data": [talk]}),
    ):
        reading = told(from_bytes("a.json", content.encode()))
        assert of(reading, Trajectory)[0].source_id == "locomo:talk-1/session_1"


def test_a_talk_without_questions_or_id_is_read(told, talk):
    made = {"conversation": talk["conversation"]}
    assert len(of(told(source(made)), Trajectory)) == 3


def test_an_observation_without_references_says_so(told, talk):
    talk["observation"] = {"session_1_observation": {"Anna": ["bare", ["alone"], ["null", None]]}}
    made = of(told(source(talk)), Proposal)
    assert [one.claim for one in made] == ["bare", "alone", "null"]
    assert all(RemarkCode.SOURCE_LINK_ABSENT in one.remarks for one in made)


def test_the_same_observation_twice_has_two_identities(told, talk):
    talk["observation"] = {"session_1_observation": {"Anna": [["same", "D1:1"]] * 2}}
    made = of(told(source(talk)), Proposal)
    assert len({one.source_id for one in made}) == 2


@pytest.mark.parametrize(
    ("row", "found"),
    [
        ([5, "D1:1"], Failed(FailReason.FIELD_INVALID, name="observation")),
        ({}, Failed(FailReason.FIELD_INVALID, name="observation")),
        (["  ", "D1:1"], Nothing(NothingReason.EMPTY_TEXT)),
    ],
)
def test_a_wrong_observation_leaves_its_neighbours(told, talk, row, found):
    talk["observation"] = {"session_1_observation": {"Anna": [row, ["good", "D1:1"]]}}
    reading = told(source(talk))
    assert found in reading.found
    assert [one.claim for one in of(reading, Proposal)] == ["good"]


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ({"speaker": None, "text": "x"}, Failed(FailReason.FIELD_MISSING, name="speaker")),
        ({"speaker": "Anna", "text": 5}, Failed(FailReason.FIELD_INVALID, name="text")),
        ("a string", Failed(FailReason.WRONG_SHAPE)),
    ],
)
def test_a_wrong_line_fails_alone(told, talk, line, fault):
    talk["conversation"]["session_1"].insert(1, line)
    reading = told(source(talk))
    assert of(reading, Failed) == [fault]
    assert len(of(reading, Trajectory)[0].steps) == 2


@pytest.mark.parametrize(
    ("key", "value", "fault"),
    [
        ("session_1_date_time", "some day", Failed(FailReason.TIME_INVALID, name="date_time")),
        ("session_1", {"a": 1}, Failed(FailReason.WRONG_SHAPE)),
    ],
)
def test_a_wrong_session_fails_alone(told, talk, key, value, fault):
    talk["conversation"][key] = value
    del talk["observation"]["session_1_observation"]
    reading = told(source(talk))
    assert of(reading, Failed) == [fault]
    assert len(of(reading, Trajectory)) == 2


def test_a_session_without_lines_is_an_empty_run(told, talk):
    talk["conversation"]["session_1"] = []
    assert Nothing(NothingReason.EMPTY_RUN) in told(source(talk)).found


def test_a_session_without_a_date_has_no_time(told, talk):
    del talk["conversation"]["session_1_date_time"]
    assert of(told(source(talk)), Trajectory)[0].started_at is None


def test_a_part_that_is_not_known_is_kept_and_counted(told, talk):
    talk["graph"] = {"nodes": []}
    reading = told(source(talk))
    assert reading.found.count(Nothing(NothingReason.UNKNOWN_TYPE)) == 1
    assert reading.remarks[RemarkCode.UNKNOWN_TYPES] == 1


@pytest.mark.parametrize("name", ["qa", "observation", "event_summary", "session_summary"])
def test_a_part_of_a_wrong_type_fails_by_name(told, talk, name):
    talk[name] = 5
    reading = told(source(talk))
    assert of(reading, Failed) == [Failed(FailReason.FIELD_INVALID, name=name)]
    assert len(of(reading, Trajectory)) == 3


def test_a_talk_without_a_conversation_fails_and_its_neighbour_does_not(told, talk):
    reading = told(source(talk, {"sample_id": "x", "qa": []}))
    assert of(reading, Failed) == [Failed(FailReason.FIELD_MISSING, name="conversation")]
    assert len(of(reading, Trajectory)) == 3


def test_a_file_that_is_cut_says_so(told, data):
    whole = (data / TALKS).read_bytes()
    for end in range(600, len(whole) - 6, 211):
        reading = told(from_bytes("a.json", whole[:end]), "locomo")
        assert [one.reason for one in of(reading, Failed)] == [FailReason.CUT_SHORT]
        assert reading.remarks[RemarkCode.TAIL_CUT] == 1


def test_a_talk_whose_questions_fill_the_beginning_is_recognised(talk):
    talk["qa"] = talk["qa"] * 1_000
    made = {"qa": talk["qa"], "conversation": talk["conversation"]}
    content = json.dumps([made], indent=2).encode()
    assert locomo.recognises(Head("a", content[: 64 * 1024]))
    assert locomo.recognises(Head("a", content[: 4 * 1024]))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"\xff",
        b'{"conversation": [{"role": "user"}]}',
        b'[{"qa": [{"question": "x", "evidence": []}]}]',
        b'[{"text": "\\"conversation\\" \\"dia_id\\""}]',
    ],
)
def test_what_is_no_talk_is_not_claimed_and_breaks_nothing(content):
    assert not locomo.recognises(Head("x", content))
    for one in locomo.read(from_bytes("x", content)):
        assert not isinstance(one, Read) or isinstance(one.found, Failed | Nothing)


@pytest.mark.shared
@pytest.mark.skipif(not SAMPLES.is_dir(), reason="no samples beside the checkout")
def test_every_row_of_the_sample_is_accounted_for():
    reading = catalogue.open_reading(from_path(SAMPLES / "locomo10_conv-26_s1-4.json"))
    assert reading.origin.importer == "locomo"
    every = list(reading.records)
    found = [one.found for one in every if isinstance(one, Read)]
    assert len([one for one in found if isinstance(one, Trajectory)]) == 4
    assert len([one for one in found if isinstance(one, Proposal)]) == 35
    assert found.count(Nothing(NothingReason.NOT_A_MEMORY)) == 30
    assert found.count(Nothing(NothingReason.DISTILLED_ELSEWHERE)) == 8
    assert len(found) == 77
    malformed = [one.count for one in every if getattr(one, "code", "") == "references_malformed"]
    assert malformed == [7]
