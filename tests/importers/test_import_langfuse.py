"""Langfuse: traces of the API, wrapped or not, and exported tables."""

import json
from pathlib import Path

import pytest

from importers import catalogue
from importers.langfuse import importer as langfuse
from importers.source import SourceRefusedError, from_bytes, from_path
from store.records import Failed, FailReason, Nothing, NothingReason, Read, RemarkCode
from store.trajectories import RunStatus, Trajectory, Verdict

SAMPLES = Path(__file__).resolve().parents[3] / "shared" / "samples" / "langfuse"
HEADER = "id,traceId,type,name,startTime,endTime,parentObservationId,level,input,output\n"


def observation(own, sort, second, **more):
    return {
        "id": own,
        "traceId": "t-1",
        "type": sort,
        "name": more.pop("name", own),
        "startTime": f"2026-03-01T10:00:{second:02}.000Z",
        "endTime": f"2026-03-01T10:00:{second + 1:02}.000Z",
        "parentObservationId": more.pop("parent", None),
        "level": "DEFAULT",
        "statusMessage": None,
    } | more


def score(own, **more):
    return {
        "id": own,
        "traceId": "t-1",
        "observationId": None,
        "name": "correctness",
        "source": "ANNOTATION",
        "dataType": "BOOLEAN",
        "value": 1,
        "stringValue": "True",
        "comment": None,
        "authorUserId": "user-9",
        "timestamp": "2026-03-02T08:00:00.000Z",
    } | more


def trace(*observations, **more):
    return {
        "id": "t-1",
        "projectId": "p-1",
        "name": "delivery",
        "timestamp": "2026-03-01T10:00:00.000Z",
        "environment": "default",
        "userId": "ana",
        "sessionId": "s-1",
        "tags": ["beta"],
        "bookmarked": False,
        "public": False,
        "input": None,
        "output": None,
        "scores": [],
        "observations": list(observations),
    } | more


def source(record, **how):
    return from_bytes("t.json", json.dumps(record, ensure_ascii=False, **how).encode())


def steps(run):
    return [(str(one.kind), one.text) for one in run.steps]


TALK = (
    observation("g2", "GENERATION", 5, output={"role": "assistant", "content": "В Твери."}),
    observation("t1", "TOOL", 3, name="find", input='{"q": "склад"}', output="Тверь"),
    observation(
        "g1",
        "GENERATION",
        1,
        input=json.dumps([{"role": "user", "content": "Где склад?"}], ensure_ascii=False),
        output=json.dumps(
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [
                    {"id": "c1", "function": {"name": "find", "arguments": '{"q":"склад"}'}}
                ],
            }
        ),
    ),
)
TOLD = [
    ("input", "Где склад?"),
    ("action", '{"q":"склад"}'),
    ("result", "Тверь"),
    ("said", "В Твери."),
]


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize(
    "wrap",
    [
        lambda one: one,
        lambda one: [one],
        lambda one: {"data": [one], "meta": {"page": 1, "totalPages": 1}},
        lambda one: {"trace": one},
        lambda one: {"trace": one, "observations": one["observations"]},
        lambda one: {"trace": one | {"observations": []}, "observations": one["observations"]},
        lambda one: {"id": "s-1", "createdAt": "x", "projectId": "p", "traces": [one]},
    ],
)
def test_the_wrapper_the_api_a_list_a_page_and_a_session_are_read_alike(told, wrap, indent):
    reading = told(source(wrap(trace(*TALK)), indent=indent))
    (run,) = reading.found
    assert steps(run) == TOLD
    assert run.source_id == "langfuse:t-1"
    assert run.run == {"trace": "t-1", "session": "s-1"}
    assert run.foreign["claimed_user"] == "ana"
    assert run.foreign["claimed_tenant"] == "p-1"


def test_observations_are_told_by_their_times_whatever_their_order(told):
    (run,) = told(source(trace(*reversed(TALK)))).found
    assert steps(run) == TOLD


def test_the_run_keeps_the_bytes_of_its_trace(told):
    file = source(trace(*TALK))
    (read,) = told(file).reads
    assert file.content[read.place.start : read.place.end] == read.raw
    for step in read.found.steps:
        assert step.text.split('"')[-1].encode() in read.raw[step.span.start : step.span.end]


def test_of_an_observation_inside_and_beside_the_trace_the_fuller_is_read(told):
    bare = [{**one, "input": None, "output": None} for one in TALK]
    (run,) = told(source({"trace": trace(*bare), "observations": list(TALK)})).found
    assert steps(run) == TOLD
    assert RemarkCode.IDS_REPEATED not in run.remarks


def test_strings_encoded_twice_are_opened_and_said(told):
    asked = json.dumps(json.dumps({"messages": [{"role": "user", "content": "Да?"}]}))
    (run,) = told(source(trace(input=asked, output=json.dumps("так\nи так")))).found
    assert steps(run) == [("input", "Да?"), ("said", "так\nи так")]
    assert RemarkCode.ENCODED_TWICE in run.remarks


def test_only_an_annotation_with_its_author_is_a_person_s_decision(told):
    scores = [
        score("s1", comment="wrong city", value=0, stringValue="False"),
        score("s2", source="EVAL", authorUserId=None, name="hallucination", comment="made up"),
        score("s3", source="API", authorUserId=None, name="user-feedback"),
        score("s4", authorUserId=None),
    ]
    reading = told(source(trace(*TALK, scores=scores)))
    (run,) = reading.found
    (decision,) = run.decisions
    assert (decision.verdict, decision.reason) == (Verdict.REJECT, "wrong city")
    assert (decision.by, decision.step, decision.review_id) == ("user-9", -1, "langfuse:s1")
    assert decision.at == "2026-03-02T08:00:00.000Z"
    assert [one.text.split("\n")[0] for one in run.steps if str(one.kind) == "note"] == [
        "hallucination: True 1",
        "user-feedback: True 1",
        "correctness: True 1",
    ]
    assert reading.remarks[RemarkCode.MACHINE_VERDICTS] == 3


def test_a_reject_without_a_comment_has_no_reason(told):
    scores = [score("s1", value=0, stringValue="False")]
    (run,) = told(source(trace(*TALK, scores=scores))).found
    assert run.decisions[0].reason is None


def test_a_score_of_an_observation_judges_its_step(told):
    scores = [score("s1", observationId="t1"), score("s2", observationId="g2")]
    (run,) = told(source(trace(*TALK, scores=scores))).found
    judged = [run.steps[one.step] for one in run.decisions]
    assert [(str(one.kind), one.text) for one in judged] == [TOLD[1], TOLD[3]]


@pytest.mark.parametrize(
    "more",
    [
        {"name": "toxicity"},
        {"name": "quality", "dataType": "NUMERIC", "value": 0.6, "stringValue": None},
        {"name": "tone", "dataType": "CATEGORICAL", "value": 2, "stringValue": "friendly"},
        {"dataType": "TEXT", "value": 0, "stringValue": "see chat"},
    ],
)
def test_what_is_no_plain_yes_or_no_stays_a_note_of_the_person(told, more):
    reading = told(source(trace(*TALK, scores=[score("s1", **more)])))
    (run,) = reading.found
    assert run.decisions == ()
    assert run.steps[-1].who == "user-9"
    assert RemarkCode.MACHINE_VERDICTS not in reading.remarks


def test_a_category_can_be_a_decision_and_a_thumb_is_weak(told):
    scores = [
        score("s1", name="review", dataType="CATEGORICAL", value=1, stringValue="accepted"),
        score("s2", name="thumbs", value=1, stringValue="👍", dataType="CATEGORICAL"),
    ]
    (run,) = told(source(trace(*TALK, scores=scores))).found
    assert [(one.verdict, one.weak) for one in run.decisions] == [
        (Verdict.ACCEPT, False),
        (Verdict.ACCEPT, True),
    ]


def test_a_correction_is_an_edit(told):
    corrected = score("k1", name="output", dataType="CORRECTION", value=0, observationId="g2")
    corrected |= {"stringValue": "В Клину.", "comment": "moved"}
    for where in ({"corrections": [corrected]}, {"scores": [corrected]}):
        (run,) = told(source(trace(*TALK, **where))).found
        (decision,) = run.decisions
        assert (decision.verdict, decision.edit) == (Verdict.EDIT, "В Клину.")
        assert (decision.reason, decision.weak) == ("moved", False)
        assert run.steps[decision.step].text == "В Твери."


def test_documents_of_a_retriever_are_recalled_with_their_ids(told):
    found = {"documents": [{"page_content": "Склад в Твери.", "metadata": {"id": "m-7"}}, "b"]}
    record = observation("r1", "RETRIEVER", 1, name="memory", input="склад", output=found)
    (run,) = told(source(trace(record))).found
    assert [(str(one.kind), one.text, one.call, one.name) for one in run.steps] == [
        ("action", "склад", "", "memory"),
        ("recalled", "Склад в Твери.", "m-7", "memory"),
        ("recalled", "b", "", "memory"),
    ]


def test_an_error_is_told_and_fails_the_run(told):
    record = observation("t1", "TOOL", 1, level="ERROR", statusMessage="no route", input="{}")
    (run,) = told(source(trace(record))).found
    assert run.status is RunStatus.FAILED
    assert [(str(one.kind), one.text, one.failed) for one in run.steps][-1] == (
        "result",
        "no route",
        True,
    )


def test_tool_calls_beside_an_answer_are_read(told):
    record = observation(
        "g1",
        "GENERATION",
        1,
        output="let me look",
        toolCalls=['{"id":"c9","arguments":"{\\"q\\":1}","type":"tool_use"}'],
        toolCallNames=["find"],
    )
    (run,) = told(source(trace(record))).found
    assert [(one.text, one.name, one.call) for one in run.steps][-1] == ('{"q":1}', "find", "c9")


def test_a_type_that_is_not_known_is_kept_as_a_note(told):
    reading = told(source(trace(observation("x1", "DREAM", 1, output="sheep"))))
    assert steps(reading.found[0]) == [("note", "sheep")]
    assert reading.remarks[RemarkCode.UNKNOWN_TYPES] == 1


def test_a_trace_list_with_ids_only_keeps_input_and_output(told):
    record = trace(input="hi", output="hello") | {"observations": ["g1", "t1"], "scores": ["s1"]}
    (run,) = told(source({"data": [record], "meta": {"page": 1, "totalPages": 3}})).found
    assert steps(run) == [("input", "hi"), ("said", "hello")]


def test_a_page_says_that_there_is_a_next_one(told):
    for indent in (None, 1):
        page = {"data": [trace(input="hi")], "meta": {"page": 1, "totalPages": 3}}
        assert RemarkCode.NEXT_PAGE_EXISTS in told(source(page, indent=indent)).remarks


@pytest.mark.parametrize("lines", [True, False])
def test_a_table_of_observations_gives_one_run_per_trace(told, lines):
    other = observation("z1", "GENERATION", 9, traceId="t-2", output="other")
    rows = [TALK[0], other, *TALK[1:]]
    text = "\n".join(map(json.dumps, rows)) if lines else json.dumps(rows)
    reading = told(from_bytes("t", text.encode()))
    assert {run.source_id: steps(run) for run in reading.found} == {
        "langfuse:t-1": TOLD,
        "langfuse:t-2": [("said", "other")],
    }


def test_a_table_with_underscores_is_read(told):
    row = {
        "id": "g1",
        "trace_id": "t-1",
        "type": "GENERATION",
        "name": "g",
        "start_time": "2026-03-01 10:00:00.000",
        "parent_observation_id": None,
        "input": "hi",
        "output": "hello",
    }
    (run,) = told(source(row)).found
    assert steps(run) == [("input", "hi"), ("said", "hello")]
    assert RemarkCode.TIME_ZONE_ASSUMED in run.remarks


def test_a_table_of_traces_gives_a_run_per_row(told):
    row = {key: one for key, one in trace(input="hi").items() if key != "observations"}
    reading = told(source([row, row | {"id": "t-2"}]))
    assert [run.source_id for run in reading.found] == ["langfuse:t-1", "langfuse:t-2"]


def test_a_table_of_scores_gives_notes_that_carry_the_decisions(told):
    reading = told(source([score("s1"), score("s2", source="EVAL", authorUserId=None)]))
    (run,) = reading.found
    assert run.source_id == "langfuse:scores/t-1"
    assert run.run == {"trace": "t-1"}
    (decision,) = run.decisions
    assert run.steps[decision.step].text == "correctness: True 1"
    assert len(run.steps) == 2


def test_scores_beside_observations_join_their_trace(told):
    rows = [*TALK, score("s1", traceId=None, observationId="t1")]
    (run,) = told(source(rows)).found
    assert str(run.steps[run.decisions[0].step].kind) == "action"


def test_csv_of_a_table_is_read_row_by_row(told):
    rows = (
        "g1,t-1,GENERATION,say,2026-03-01T10:00:01Z,2026-03-01T10:00:02Z,,DEFAULT,"
        '"[{""role"":""user"",\n""content"":""Где, склад?""}]","В Твери."\n'
        "t1,t-1,TOOL,find,2026-03-01T10:00:00Z,,,DEFAULT,{},Тверь\r\n"
    )
    data = ("\ufeff" + HEADER + rows).encode()
    reading = told(from_bytes("t", data))
    (run,) = reading.found
    assert steps(run) == [
        ("action", "{}"),
        ("result", "Тверь"),
        ("input", "Где, склад?"),
        ("said", "В Твери."),
    ]
    assert [one.line for one in run.steps] == [4, 4, 2, 2]
    for step in run.steps:
        assert b"t-1" in data[step.start : step.end]


def test_csv_rows_that_are_broken_fail_alone(told):
    good = "g1,t-1,GENERATION,say,2026-03-01T10:00:01Z,,,DEFAULT,hi,hello\n"
    bad = "too,few\n"
    wrong = "g2,t-1,GENERATION,say,soon,,,DEFAULT,hi,hello\n"
    cut = 'g3,t-1,GENERATION,say,2026-03-01T10:00:01Z,,,DEFAULT,"hi'
    reading = told(from_bytes("t", (HEADER + good + bad + wrong + cut).encode()))
    assert [one.reason for one in reading.found if isinstance(one, Failed)] == [
        FailReason.WRONG_SHAPE,
        FailReason.CUT_SHORT,
        FailReason.TIME_INVALID,
    ]
    assert [steps(one) for one in reading.found if isinstance(one, Trajectory)] == [
        [("input", "hi"), ("said", "hello")]
    ]


@pytest.mark.parametrize(
    ("broken", "reason", "name"),
    [
        ({"startTime": "soon"}, FailReason.TIME_INVALID, "startTime"),
        ({"name": 5}, FailReason.FIELD_INVALID, "name"),
        ({"type": ["x"]}, FailReason.FIELD_INVALID, "type"),
    ],
)
def test_a_broken_observation_fails_alone(told, broken, reason, name):
    reading = told(source(trace(*TALK, observation("b1", "SPAN", 7) | broken)))
    failed, run = reading.found
    assert (failed.reason, failed.name) == (reason, name)
    assert steps(run) == TOLD


def test_a_trace_that_breaks_off_keeps_what_was_whole(told):
    whole = json.dumps(trace(*TALK))
    reading = told(from_bytes("t", whole[: whole.index('"g1"') + 6].encode()))
    assert {type(one) for one in reading.found} == {Failed, Trajectory}
    (run,) = [one for one in reading.found if isinstance(one, Trajectory)]
    assert steps(run) == [("action", '{"q": "склад"}'), TOLD[2], TOLD[3]]
    assert reading.remarks[RemarkCode.TAIL_CUT] == 1


def test_a_record_of_another_kind_is_nothing_and_not_lost(told):
    reading = told(source([trace(input="hi"), {"id": "x", "prompt": "y"}]))
    assert Nothing(NothingReason.UNKNOWN_TYPE) in reading.found
    assert len(reading.found) == 2


def test_parquet_is_refused_in_a_sentence():
    with pytest.raises(SourceRefusedError, match="Parquet"):
        list(langfuse.read(from_bytes("t", b"PAR1\0\0")))


def test_a_trace_is_not_taken_for_an_entity_with_observations():
    assert catalogue.detect(source([trace(*TALK)])).name == "langfuse"


@pytest.mark.parametrize(
    "data",
    [
        b'{"name": "Anna", "entityType": "person", "observations": ["x"], "id": "1"}',
        b'{"trace": {"resourceSpans": []}}',
        b"id,name,value\n1,2,3\n",
        b"",
        b"\xff",
    ],
)
def test_other_files_are_not_recognised(data):
    assert not langfuse.recognises(from_bytes("t", data).head())


@pytest.mark.shared
@pytest.mark.skipif(not SAMPLES.is_dir(), reason="no samples beside the checkout")
@pytest.mark.parametrize(
    ("sample", "kinds", "verdicts"),
    [
        (
            "claude-agent-2025-12-22.trace.json",
            "instruction input said input action action result result said note note note",
            3,
        ),
        (
            "openai-agents-2025-09-30.trace.json",
            "instruction input action result said note note",
            2,
        ),
    ],
)
def test_the_samples_are_read(sample, kinds, verdicts):
    reading = catalogue.open_reading(from_path(SAMPLES / sample))
    assert reading.origin.importer == "langfuse"
    told = list(reading.records)
    (read,) = [one for one in told if isinstance(one, Read)]
    assert [str(one.kind) for one in read.found.steps] == kinds.split()
    assert read.found.decisions == ()
    remarks = {one.code: one.count for one in told if not isinstance(one, Read)}
    assert remarks[RemarkCode.MACHINE_VERDICTS] == verdicts
