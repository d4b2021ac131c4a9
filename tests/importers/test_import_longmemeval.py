import json
import tracemalloc
from pathlib import Path

import pytest

from importers import catalogue, longmemeval
from importers.source import Head, from_bytes, from_path
from store.records import (
    Failed,
    FailReason,
    Nothing,
    NothingReason,
    Read,
    RemarkCode,
)
from store.trajectories import StepKind, Trajectory

SAMPLES = Path(__file__).resolve().parents[3] / "shared" / "samples"
QUESTIONS = "longmemeval/questions.json"


def turns(*texts):
    return [{"role": "user", "content": text} for text in texts]


def record(**change):
    return {
        "question_id": "q",
        "question_type": "multi-session",
        "question": "how many?",
        "answer": 3,
        "question_date": "2023/05/30 (Tue) 23:40",
        "haystack_dates": ["2023/05/20 (Sat) 02:21", "2023/05/19 (Fri) 10:00"],
        "haystack_session_ids": ["s1", "s2"],
        "haystack_sessions": [turns("one"), turns("two")],
        "answer_session_ids": ["s1"],
        **change,
    }


def source(*records):
    return from_bytes("longmemeval.json", json.dumps(list(records), ensure_ascii=False).encode())


def of(reading, sort):
    return [one for one in reading.found if isinstance(one, sort)]


def test_each_session_of_the_haystack_is_a_run_in_file_order(told):
    first, second = of(told(QUESTIONS), Trajectory)
    assert (first.source_id, second.source_id) == (
        "longmemeval:q1/answer_1",
        "longmemeval:q1/chat_2",
    )
    assert [(step.kind, step.text) for step in first.steps] == [
        (StepKind.INPUT, "Мой склад теперь в Твери."),
        (StepKind.SAID, "Понял."),
    ]
    assert first.run == {"session": "answer_1"}


def test_dates_are_the_sessions_own_and_stay_unsorted(told):
    found = of(told(QUESTIONS), Trajectory)
    assert [one.started_at for one in found] == [
        "2023-05-20T02:21:00+00:00",
        "2023-05-19T10:00:00+00:00",
    ]
    assert all(RemarkCode.TIME_ZONE_ASSUMED in one.remarks for one in found)


def test_turns_that_hold_the_answer_are_named(told):
    first, second = of(told(QUESTIONS), Trajectory)
    assert (first.foreign["has_answer"], first.foreign["answer_session"]) == ([0], True)
    assert "has_answer" not in second.foreign
    assert "answer_session" not in second.foreign


def test_a_question_is_no_memory_and_its_answer_may_be_a_number(told, data):
    whole = (data / QUESTIONS).read_bytes()
    asked = [
        one for one in told(QUESTIONS).reads if one.found == Nothing(NothingReason.NOT_A_MEMORY)
    ]
    assert [json.loads(one.raw) for one in asked] == ["Где мой склад?", "How many cats?"]
    assert all(whole[one.place.start : one.place.end] == one.raw for one in asked)


def test_an_abstention_is_told_from_its_id(told):
    (run, _) = of(told(source(record(question_id="q_abs"))), Trajectory)
    assert run.foreign["abstention"] is True
    assert "abstention" not in of(told(source(record())), Trajectory)[0].foreign


def test_sessions_carry_their_own_bytes(told, data):
    whole = (data / QUESTIONS).read_bytes()
    for read in told(QUESTIONS).reads:
        assert whole[read.place.start : read.place.end] == read.raw
        assert read.place.line == whole.count(b"\n", 0, read.place.start) + 1
        if isinstance(read.found, Trajectory):
            for step in read.found.steps:
                assert read.raw[step.span.start : step.span.end].decode() == step.text
                assert json.loads(whole[step.start : step.end])["content"] == step.text


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("haystack_dates", ["2023/05/20 (Sat) 02:21"]),
        ("haystack_session_ids", ["s1", "s2", "s3"]),
    ],
)
def test_a_list_of_another_length_is_put_to_no_session(told, name, value):
    reading = told(source(record(**{name: value})))
    found = of(reading, Trajectory)
    assert reading.remarks[RemarkCode.COUNTS_DIFFER] == 1
    assert all(RemarkCode.COUNTS_DIFFER in one.remarks for one in found)
    if name == "haystack_dates":
        assert [one.started_at for one in found] == [None, None]
        assert [one.run["session"] for one in found] == ["s1", "s2"]
    else:
        assert all(one.started_at for one in found)
        assert [one.source_id for one in found] == [
            "longmemeval:q/session-1",
            "longmemeval:q/session-2",
        ]


def test_an_answer_session_that_is_not_there_is_counted(told):
    reading = told(source(record(answer_session_ids=["s1", "gone"])))
    assert reading.remarks[RemarkCode.REFERENCES_MALFORMED] == 1


def test_one_record_alone_lines_and_a_wrapper_are_read(told):
    for content in (
        json.dumps(record()),
        json.dumps(record(), indent=2),
        json.dumps(record()) + "\n" + json.dumps(record()),
        json.dumps({"data": [record()]}),
    ):
        reading = told(from_bytes("a.json", content.encode()))
        assert of(reading, Trajectory)[0].source_id == "longmemeval:q/s1"


def test_columns_are_several_questions_over_one_haystack(told):
    made = record(question_id=["a", "b"], question=["x?", "y?"], answer=[1, "two"])
    reading = told(source(made))
    assert reading.found.count(Nothing(NothingReason.NOT_A_MEMORY)) == 2
    first, second = of(reading, Trajectory)
    assert first.foreign["question_ids"] == ["a", "b"]
    assert (first.run["session"], second.run["session"]) == ("s1", "s2")


def test_columns_with_a_haystack_each_are_read(told):
    made = record(
        question_id=["a", "b"],
        question=["x?", "y?"],
        haystack_sessions=[[turns("one")], [turns("two"), turns("three")]],
        haystack_session_ids=[["s1"], ["s2", "s3"]],
        haystack_dates=[["2023/05/20 (Sat) 02:21"], ["2023/05/19 (Fri) 10:00"] * 2],
    )
    found = of(told(source(made)), Trajectory)
    assert [one.run["session"] for one in found] == ["s1", "s2", "s3"]
    assert found[2].started_at == "2023-05-19T10:00:00+00:00"


def test_a_session_that_stands_twice_has_two_identities(told):
    found = of(told(source(record(haystack_session_ids=["s1", "s1"]))), Trajectory)
    assert [one.source_id for one in found] == ["longmemeval:q/s1", "longmemeval:q/s1+"]


def test_a_long_session_is_read_turn_by_turn(told):
    made = record(haystack_sessions=[turns(*["слово " * 1_000] * 30), turns("two")])
    first, _ = of(told(source(made), "longmemeval"), Trajectory)
    assert len(first.steps) == 30
    assert all(step.span for step in first.steps)


def test_a_turn_over_the_limit_is_cut_and_told_by_digest(told):
    long = "word " * 20_000
    reading = told(source(record(haystack_sessions=[turns(long), turns("two")])), "longmemeval")
    step = of(reading, Trajectory)[0].steps[0]
    assert long.startswith(step.text)
    assert step.omitted.size == len(long)


@pytest.mark.parametrize(
    ("turn", "fault"),
    [
        ({"role": "user", "content": 5}, Failed(FailReason.FIELD_INVALID, name="content")),
        ({"role": "user"}, Failed(FailReason.FIELD_MISSING, name="content")),
        ({"content": "x"}, Failed(FailReason.FIELD_MISSING, name="role")),
        ("a string", Failed(FailReason.WRONG_SHAPE)),
    ],
)
def test_a_wrong_turn_fails_alone(told, turn, fault):
    made = record(haystack_sessions=[[turn, *turns("one")], turns("two")])
    reading = told(source(made))
    assert of(reading, Failed) == [fault]
    assert [len(one.steps) for one in of(reading, Trajectory)] == [1, 1]


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"haystack_dates": ["soon", ""]}, Failed(FailReason.TIME_INVALID, name="haystack_dates")),
        ({"haystack_sessions": [5, turns("x")]}, Failed(FailReason.WRONG_SHAPE)),
    ],
)
def test_a_wrong_session_leaves_its_neighbour(told, change, fault):
    reading = told(source(record(**change)))
    assert of(reading, Failed) == [fault]
    assert len(of(reading, Trajectory)) == 1


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"question_id": None}, Failed(FailReason.FIELD_MISSING, name="question_id")),
        ({"question": None}, Failed(FailReason.FIELD_MISSING, name="question")),
        ({"haystack_sessions": None}, Failed(FailReason.FIELD_MISSING, name="haystack_sessions")),
        ({"haystack_sessions": {}}, Failed(FailReason.FIELD_INVALID, name="haystack_sessions")),
        ({"haystack_dates": "x"}, Failed(FailReason.FIELD_INVALID, name="haystack_dates")),
    ],
)
def test_a_wrong_record_leaves_its_neighbours(told, change, fault):
    reading = told(source(record(), record(**change), record()))
    assert of(reading, Failed) == [fault]
    assert len(of(reading, Trajectory)) == 4


def test_sessions_that_are_null_or_empty_are_empty_runs(told):
    made = record(haystack_sessions=[None, []])
    assert told(source(made)).found.count(Nothing(NothingReason.EMPTY_RUN)) == 2


def test_a_role_that_is_not_known_is_a_note(told):
    made = record(haystack_sessions=[[{"role": "oracle", "content": "omen"}], turns("two")])
    reading = told(source(made))
    assert of(reading, Trajectory)[0].steps[0].kind is StepKind.NOTE
    assert reading.remarks[RemarkCode.UNKNOWN_TYPES] == 1


def test_a_file_that_is_cut_gives_what_was_whole(told, data):
    whole = (data / QUESTIONS).read_bytes()
    for end in range(500, len(whole) - 6, 67):
        reading = told(from_bytes("a.json", whole[:end]), "longmemeval")
        assert [one.reason for one in of(reading, Failed)] == [FailReason.CUT_SHORT]
        assert reading.remarks[RemarkCode.TAIL_CUT] == 1


def test_a_record_over_the_limit_is_a_clear_failure(tmp_path, told):
    long = [turns("x" * 40_000_000)]
    made = record(haystack_sessions=long, haystack_dates=None, haystack_session_ids=None)
    path = tmp_path / "m.json"
    path.write_text(json.dumps([made, record()]))
    assert path.stat().st_size > 16 * 1024 * 1024
    reading = told(path, "longmemeval")
    assert of(reading, Failed) == [Failed(FailReason.TOO_LONG)]
    assert len(of(reading, Trajectory)) == 2


def test_a_large_file_is_read_in_flat_memory(tmp_path):
    sessions = [turns(*["word " * 2_000] * 2)] * 50
    made = record(haystack_sessions=sessions, haystack_dates=None, haystack_session_ids=None)
    path = tmp_path / "s.json"
    path.write_text(json.dumps([made] * 15))
    tracemalloc.start()
    count = sum(isinstance(read, Read) for read in longmemeval.read(from_path(path)))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 15 * 51
    assert path.stat().st_size > 14_000_000
    assert peak < 9_000_000


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"\xff",
        b'[{"question_id": "q", "question": "x"}]',
        b'[{"a": {"question_id": "q", "haystack_dates": []}}]',
        b'{"text": "\\"question_id\\": 1, \\"haystack_dates\\": []"}',
    ],
)
def test_what_is_no_question_is_not_claimed_and_breaks_nothing(content):
    assert not longmemeval.recognises(Head("x", content))
    for one in longmemeval.read(from_bytes("x", content)):
        assert not isinstance(one, Read) or isinstance(one.found, Failed | Nothing)


def test_a_long_list_of_dates_hides_nothing_of_a_cut_record():
    made = record(haystack_dates=["2023/05/20 (Sat) 02:21"] * 5_000)
    assert longmemeval.recognises(Head("a", json.dumps([made], indent=4).encode()[:65_536]))
    assert longmemeval.recognises(Head("a", json.dumps(made, indent=4).encode()[:4_096]))


@pytest.mark.shared
@pytest.mark.skipif(not SAMPLES.is_dir(), reason="no samples beside the checkout")
@pytest.mark.parametrize(
    ("sample", "questions", "sessions", "steps"),
    [
        ("longmemeval/longmemeval_s_e47becba_trunc.json", 1, 15, 143),
        ("lightmem/code_single.json", 3, 3, 43),
    ],
)
def test_every_session_of_a_sample_is_a_run(sample, questions, sessions, steps):
    reading = catalogue.open_reading(from_path(SAMPLES / sample))
    assert reading.origin.importer == "longmemeval"
    found = [one.found for one in reading.records if isinstance(one, Read)]
    made = [one for one in found if isinstance(one, Trajectory)]
    assert found.count(Nothing(NothingReason.NOT_A_MEMORY)) == questions
    assert (len(made), sum(len(one.steps) for one in made)) == (sessions, steps)
    assert len(found) == questions + sessions
