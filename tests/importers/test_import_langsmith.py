"""LangSmith: runs as lists, trees, lines and batches, and feedback on them."""

import json
from pathlib import Path

import pytest

from importers import catalogue, langsmith
from importers.source import SourceRefusedError, from_bytes, from_path
from store.records import Failed, FailReason, Nothing, NothingReason, Read, RemarkCode
from store.trajectories import RunStatus, Trajectory, Verdict

SAMPLES = Path(__file__).resolve().parents[3] / "shared" / "samples" / "langsmith"


def order(*path):
    return ".".join(f"20260301T1000{second:02}000000Z{own}" for own, second in path)


def run(own, sort, second, parent="root", **more):
    path = [("root", 0)] + ([] if own == "root" else [(own, second)])
    return {
        "id": own,
        "name": more.pop("name", own),
        "run_type": sort,
        "start_time": f"2026-03-01T10:00:{second:02}.000000",
        "end_time": f"2026-03-01T10:00:{second + 1:02}.000000",
        "inputs": {},
        "outputs": None,
        "error": None,
        "status": "success",
        "trace_id": "root",
        "parent_run_id": None if own == "root" else parent,
        "dotted_order": order(*path),
        "session_name": "demo",
        "extra": {"runtime": {"platform": "Linux-box-7"}, "metadata": {"thread_id": "th-1"}},
        "tags": ["beta"],
    } | more


def feedback(own, **more):
    return {
        "id": own,
        "run_id": "root",
        "trace_id": "root",
        "key": "correctness",
        "score": 1,
        "value": None,
        "comment": None,
        "correction": None,
        "feedback_source": {"type": "app", "user_id": "u-9"},
        "created_at": "2026-03-02T08:00:00",
    } | more


def source(record, **how):
    return from_bytes("t.json", json.dumps(record, ensure_ascii=False, **how).encode())


def lc(kind, content, **more):
    path = ["langchain", "schema", "messages", kind]
    return {"lc": 1, "type": "constructor", "id": path, "kwargs": {"content": content} | more}


def steps(one):
    return [(str(step.kind), step.text) for step in one.steps]


CALL = {"name": "find", "args": {"q": "склад"}, "id": "c1", "type": "tool_call"}
ASKED = lc("HumanMessage", "Где склад?")
CALLED = lc("AIMessage", "", tool_calls=[CALL])
ANSWERED = lc("ToolMessage", "Тверь", tool_call_id="c1", name="find")
ROOT = run("root", "chain", 0, inputs={"question": "Где склад?"}, outputs={"answer": "В Твери."})
FIRST = run(
    "m1",
    "llm",
    1,
    inputs={"messages": [[ASKED]]},
    outputs={"generations": [[{"text": "", "type": "ChatGeneration", "message": CALLED}]]},
)
TOOL = run(
    "t1",
    "tool",
    2,
    name="find",
    inputs={"input": '{"q": "склад"}'},
    outputs={"output": {"content": "Тверь", "type": "tool", "tool_call_id": "c1"}},
)
SECOND = run(
    "m2",
    "llm",
    3,
    inputs={"messages": [[ASKED, CALLED, ANSWERED]]},
    outputs={"generations": [[{"text": "В Твери.", "message": lc("AIMessage", "В Твери.")}]]},
)
RUNS = [SECOND, TOOL, FIRST, ROOT]
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
        lambda runs: runs,
        lambda runs: {"runs": runs, "cursors": {"next": None}},
        lambda runs: runs[-1] | {"child_runs": runs[:-1]},
        lambda runs: [runs[-1] | {"child_runs": runs[:-1]}],
        lambda runs: {"post": runs, "patch": []},
        lambda runs: {"post": [], "patch": runs},
    ],
)
def test_lists_pages_trees_and_batches_are_read_alike(told, wrap, indent):
    reading = told(source(wrap(RUNS), indent=indent))
    (one,) = reading.found
    assert steps(one) == TOLD
    assert one.source_id == "langsmith:root"
    assert one.run == {"trace": "root", "project": "demo", "session": "th-1"}
    assert one.status is RunStatus.OK
    assert (one.steps[1].name, one.steps[1].call, one.steps[2].call) == ("find", "c1", "c1")


def test_lines_of_runs_are_read_and_keep_their_bytes(told):
    text = "\n".join(json.dumps(one, ensure_ascii=False) for one in RUNS)
    file = from_bytes("t", text.encode())
    (read,) = told(file).reads
    assert steps(read.found) == TOLD
    for step in read.found.steps:
        assert file.content[step.start : step.end] in read.raw
        assert read.raw[step.span.start : step.span.end] in file.content


def test_a_tree_without_trace_ids_is_one_trace(told):
    def bare(one):
        return {
            key: value
            for key, value in one.items()
            if key not in ("trace_id", "dotted_order", "parent_run_id")
        }

    tree = bare(ROOT) | {"child_runs": [bare(one) for one in RUNS[:-1]]}
    for record in (tree, [tree]):
        (one,) = told(source(record)).found
        assert steps(one) == TOLD


def test_runs_that_name_only_their_parent_are_one_trace(told):
    def bare(one):
        return {key: one[key] for key in one if key not in ("trace_id", "dotted_order")}

    (one,) = told(source([bare(each) for each in RUNS])).found
    assert steps(one) == TOLD


def test_what_was_posted_and_what_was_patched_are_put_together_by_id(told):
    post = FIRST | {"outputs": {}, "end_time": None, "status": "pending"}
    patch = {
        key: FIRST[key] for key in ("id", "trace_id", "dotted_order", "outputs", "end_time")
    } | {"parent_run_id": None}
    lines = [{"post": [post]}, {"patch": [patch]}]
    for file in (
        source({"post": [post], "patch": [patch]}),
        source({"patch": [patch], "post": [post]}, indent=1),
        from_bytes("t", "\n".join(map(json.dumps, lines)).encode()),
    ):
        reading = told(file)
        (one,) = reading.found
        assert steps(one) == TOLD[:2]
        assert one.ended_at.startswith("2026-03-01T10:00:02")
        assert RemarkCode.IDS_REPEATED not in reading.remarks


def test_runs_that_start_together_go_by_their_dotted_order(told):
    same = {"start_time": "2026-03-01T10:00:01", "end_time": None}
    late = run("b", "llm", 2, outputs={"content": "second", "role": "assistant"}) | same
    early = run("a", "llm", 1, outputs={"content": "first", "role": "assistant"}) | same
    (one,) = told(source([late, early, run("root", "chain", 0)])).found
    assert steps(one) == [("said", "first"), ("said", "second")]


def test_times_without_a_zone_are_utc_and_remarked(told):
    (one,) = told(source(RUNS)).found
    assert one.started_at == "2026-03-01T10:00:00.000000+00:00"
    assert RemarkCode.TIME_ZONE_ASSUMED in one.remarks
    wired = [
        each | {key: each[key] + "+00:00" for key in ("start_time", "end_time")} for each in RUNS
    ]
    (one,) = told(source(wired)).found
    assert RemarkCode.TIME_ZONE_ASSUMED not in one.remarks


def test_the_host_is_not_kept_beside_the_run(told):
    (one,) = told(source(RUNS)).found
    assert "box-7" not in repr((one.foreign, one.run))
    assert one.foreign["metadata"] == {"thread_id": "th-1"}


def test_only_feedback_through_the_app_by_a_named_user_is_a_person_s(told):
    rows = [
        feedback("f1", score=0, comment="old city", run_id="t1"),
        feedback("f2", feedback_source={"type": "model", "user_id": None}),
        feedback("f3", feedback_source={"type": "api"}),
        feedback("f4", feedback_source={"type": "app", "user_id": None}),
        feedback("f5", key="note", score=None, comment="look again"),
    ]
    reading = told(source([*RUNS, *rows]))
    (one,) = reading.found
    (decision,) = one.decisions
    assert (decision.verdict, decision.reason, decision.by) == (
        Verdict.REJECT,
        "old city",
        "u-9",
    )
    assert decision.review_id == "langsmith:f1"
    assert str(one.steps[decision.step].kind) == "action"
    assert [step.who for step in one.steps if str(step.kind) == "note"] == [
        "model",
        "api",
        "app",
        "u-9",
    ]
    assert reading.remarks[RemarkCode.MACHINE_VERDICTS] == 3


@pytest.mark.parametrize(
    ("correction", "edit"),
    [
        ("В Клину.", "В Клину."),
        ({"answer": "В Клину."}, "В Клину."),
        ({"a": 1, "b": "x"}, '{"a":1,"b":"x"}'),
    ],
)
def test_a_correction_of_a_person_is_an_edit(told, correction, edit):
    (one,) = told(source([*RUNS, feedback("f1", correction=correction, run_id="m2")])).found
    (decision,) = one.decisions
    assert (decision.verdict, decision.edit) == (Verdict.EDIT, edit)
    assert one.steps[decision.step].text == "В Твери."


def test_a_correction_of_a_model_is_a_note(told):
    row = feedback("f1", correction="x", feedback_source={"type": "model"})
    (one,) = told(source([*RUNS, row])).found
    assert one.decisions == ()
    assert one.steps[-1].text.endswith("\nx")


def test_a_thumb_is_weak(told):
    (one,) = told(source([*RUNS, feedback("f1", key="thumbs_up", score=1)])).found
    assert [(each.verdict, each.weak) for each in one.decisions] == [(Verdict.ACCEPT, True)]


def test_feedback_without_its_runs_is_notes_with_the_decisions(told):
    (one,) = told(source([feedback("f1")])).found
    assert one.source_id == "langsmith:feedback/root"
    assert one.steps[one.decisions[0].step].text == "correctness: 1"


def test_documents_of_a_retriever_are_recalled_with_their_ids(told):
    documents = [
        {"page_content": "Склад в Твери.", "metadata": {"source": "a.md"}, "id": "m-1"},
        {"page_content": "Склад в Клину.", "metadata": {"id": "m-2"}, "type": "Document"},
    ]
    record = run("r1", "retriever", 1, inputs={"query": "склад"}, outputs={"documents": documents})
    (one,) = told(source([ROOT, record])).found
    recalled = [(step.text, step.call) for step in one.steps if str(step.kind) == "recalled"]
    assert recalled == [("Склад в Твери.", "m-1"), ("Склад в Клину.", "m-2")]
    assert ("action", "склад") in steps(one)


def test_an_error_is_told_once_and_fails_the_run(told):
    failing = ROOT | {"error": "no route", "status": "error", "outputs": None}
    record = run("m1", "llm", 1, error="no route", status="error")
    (one,) = told(source([failing, record])).found
    assert one.status is RunStatus.FAILED
    assert [step.text for step in one.steps if step.failed] == ["no route"]


def test_a_run_type_that_is_not_known_is_counted_and_kept(told):
    reading = told(source([ROOT, run("x1", "dream", 1, outputs={"output": "sheep"})]))
    assert reading.remarks[RemarkCode.UNKNOWN_TYPES] == 1
    assert ("note", "sheep") in steps(reading.found[0])


def test_two_runs_under_one_id_are_both_told_and_remarked(told):
    reading = told(source([*RUNS, SECOND | {"name": "again"}]))
    assert reading.remarks[RemarkCode.IDS_REPEATED] == 1
    assert [text for kind, text in steps(reading.found[0]) if kind == "said"] == ["В Твери."] * 2


@pytest.mark.parametrize(
    ("change", "reason", "name"),
    [
        ({"start_time": "soon"}, FailReason.TIME_INVALID, "start_time"),
        ({"id": None}, FailReason.FIELD_MISSING, "id"),
        ({"inputs": 3}, FailReason.FIELD_INVALID, "inputs"),
        ({"name": ["x"]}, FailReason.FIELD_INVALID, "name"),
        ({"trace_id": 1.5}, FailReason.FIELD_INVALID, "trace_id"),
    ],
)
def test_a_broken_run_fails_alone(told, change, reason, name):
    failed, one = told(source([*RUNS, run("x1", "llm", 9) | change])).found
    assert (failed.reason, failed.name) == (reason, name)
    assert steps(one) == TOLD


def test_a_list_that_breaks_off_keeps_the_runs_before(told):
    whole = json.dumps(RUNS)
    reading = told(from_bytes("t", whole[:-40].encode()))
    assert [one.reason for one in reading.found if isinstance(one, Failed)] == [
        FailReason.CUT_SHORT
    ]
    assert len([one for one in reading.found if isinstance(one, Trajectory)]) == 1


def test_a_page_says_that_there_is_a_next_one(told):
    for indent in (None, 1):
        page = {"runs": RUNS, "cursors": {"next": "abc"}}
        assert RemarkCode.NEXT_PAGE_EXISTS in told(source(page, indent=indent)).remarks


def test_what_is_neither_run_nor_feedback_is_nothing(told):
    reading = told(source([*RUNS, {"x": 1}]))
    assert Nothing(NothingReason.UNKNOWN_TYPE) in reading.found
    assert len(reading.found) == 2


def test_parquet_is_refused_in_a_sentence():
    with pytest.raises(SourceRefusedError, match="Parquet"):
        list(langsmith.read(from_bytes("t", b"PAR1\0\0")))


@pytest.mark.parametrize(
    "data", [b'{"post": [1]}', b'{"id": 1, "inputs": {}}', b'["x", {"id": "1"}]', b"", b"\xff["]
)
def test_other_files_are_not_recognised(data):
    assert not langsmith.recognises(from_bytes("t", data).head())


@pytest.mark.shared
@pytest.mark.skipif(not SAMPLES.is_dir(), reason="no samples beside the checkout")
def test_the_sample_is_read():
    reading = catalogue.open_reading(from_path(SAMPLES / "langsmith_py_wrap_openai_.json"))
    assert reading.origin.importer == "langsmith"
    (read,) = [one for one in reading.records if isinstance(one, Read)]
    assert steps(read.found) == [
        ("input", "howdy"),
        ("said", "Howdy! How can I assist you today?"),
    ]
    assert read.found.ended_at == "2024-10-11T20:58:24.417106+00:00"


@pytest.mark.shared
@pytest.mark.skipif(not SAMPLES.is_dir(), reason="no samples beside the checkout")
def test_event_streams_of_managed_agents_are_not_ours():
    for path in SAMPLES.glob("anthropic_managed_*.jsonl"):
        assert not langsmith.recognises(from_path(path).head())
