"""Phoenix: spans of OpenInference and annotations on them."""

import json
from pathlib import Path

import pytest

from importers import catalogue
from importers.phoenix import importer as phoenix
from importers.source import SourceRefusedError, from_bytes, from_path
from store.records import Failed, FailReason, Nothing, NothingReason, Read, RemarkCode
from store.trajectories import RunStatus, Trajectory, Verdict

SAMPLES = Path(__file__).resolve().parents[3] / "shared" / "samples" / "phoenix"


def span(own, kind, second, parent=None, *, trace="tr-1", status="OK", **attributes):
    return {
        "id": f"U3Bhbjox{own}",
        "name": attributes.pop("name", own),
        "context": {"trace_id": trace, "span_id": own},
        "span_kind": kind,
        "parent_id": parent,
        "start_time": f"2026-03-01T10:00:{second:02}+00:00",
        "end_time": f"2026-03-01T10:00:{second + 1:02}+00:00",
        "status_code": status,
        "status_message": attributes.pop("message", ""),
        "attributes": {key.replace("__", "."): one for key, one in attributes.items()},
        "events": attributes.pop("events", []),
    }


def annotation(span_id, **more):
    return {
        "id": "QW5u",
        "name": "correctness",
        "annotator_kind": "HUMAN",
        "result": {"label": "correct", "score": 1.0, "explanation": None},
        "metadata": {},
        "identifier": "",
        "span_id": span_id,
        "source": "APP",
        "user_id": "VXNlcjox",
        "created_at": "2026-03-02T08:00:00+00:00",
    } | more


def source(record, **how):
    return from_bytes("t.json", json.dumps(record, ensure_ascii=False, **how).encode())


def steps(run):
    return [(str(one.kind), one.text) for one in run.steps]


AGENT = span("a1", "AGENT", 1, input__value="Где склад?", output__value="В Твери.")
MODEL = span(
    "m1",
    "LLM",
    2,
    "a1",
    llm__model_name="m-1",
    llm__input_messages__0__message__role="user",
    llm__input_messages__0__message__content="Где склад?",
    llm__output_messages__0__message__role="assistant",
    llm__output_messages__0__message__tool_calls__0__tool_call__id="c1",
    llm__output_messages__0__message__tool_calls__0__tool_call__function__name="find",
    llm__output_messages__0__message__tool_calls__0__tool_call__function__arguments='{"q": 1}',
)
TOOL = span(
    "d1",
    "TOOL",
    4,
    "a1",
    tool__name="find",
    tool__id="c1",
    input__value='{"q": 1}',
    input__mime_type="application/json",
    output__value="Тверь",
)
SPANS = [TOOL, MODEL, AGENT]
TOLD = [
    ("input", "Где склад?"),
    ("action", '{"q": 1}'),
    ("result", "Тверь"),
    ("said", "В Твери."),
]


def nested(record):
    """The same span with its attributes as a tree."""
    from importers.traces.attributes import nested

    return record | {"attributes": nested(record["attributes"])}


def as_row(record):
    """The same span as a row of a data frame."""
    flat = {f"attributes.{key}": one for key, one in record["attributes"].items()}
    context = {f"context.{key}": one for key, one in record["context"].items()}
    return {
        **{key: one for key, one in record.items() if key not in ("attributes", "context")},
        **flat,
        **context,
    }


@pytest.mark.parametrize("change", [lambda one: one, nested, as_row])
@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize(
    "wrap",
    [
        lambda spans: spans,
        lambda spans: {"data": spans, "next_cursor": None},
        lambda spans: {"data": [{"trace_id": "tr-1", "spans": spans}]},
        lambda spans: {"moved": spans},
    ],
)
def test_lists_pages_traces_and_cases_flat_or_nested_are_read_alike(told, change, wrap, indent):
    reading = told(source(wrap([change(one) for one in SPANS]), indent=indent))
    (run,) = reading.found
    assert steps(run) == TOLD
    assert run.source_id == "phoenix:tr-1"
    assert run.status is RunStatus.OK
    assert (run.steps[1].name, run.steps[1].call) == ("find", "c1")


def test_lines_of_spans_are_read_and_keep_their_bytes(told):
    file = from_bytes("t", "\n".join(map(json.dumps, SPANS)).encode())
    (read,) = told(file).reads
    assert steps(read.found) == TOLD
    for step in read.found.steps:
        line = file.content[step.start : step.end]
        assert line in read.raw
        assert read.raw[step.span.start : step.span.end] in line
    assert read.raw.count(b"\n") == 3


def test_one_span_alone_is_a_run_of_its_own_bytes(told):
    for indent in (None, 1):
        file = source(MODEL, indent=indent)
        (read,) = told(file).reads
        assert [kind for kind, _ in steps(read.found)] == ["input", "action"]
        assert file.content[read.place.start : read.place.end] == read.raw


def test_cases_are_named_and_each_trace_in_them_is_a_run(told):
    other = span("a1", "AGENT", 1, trace="tr-2", input__value="hi", output__value="hello")
    reading = told(source({"first": SPANS, "second": [other]}))
    assert [(one.source_id, one.foreign["case"]) for one in reading.found] == [
        ("phoenix:tr-1", "first"),
        ("phoenix:tr-2", "second"),
    ]


@pytest.mark.parametrize(
    ("word", "verdict"), [("accepted", Verdict.ACCEPT), ("rejected", Verdict.REJECT)]
)
def test_an_approval_of_the_assistant_s_user_is_a_decision_with_the_app_named(told, word, verdict):
    asked = span(
        "d2",
        "TOOL",
        6,
        "a1",
        tool__name="edit",
        input__value="{}",
        pxi__approval__decision=word,
        pxi__approval__source="user",
    )
    (run,) = told(source([*SPANS, asked])).found
    (decision,) = run.decisions
    assert (decision.verdict, decision.by, decision.weak) == (verdict, "user", False)
    assert decision.reason is None
    assert decision.review_id == "pxi:tr-1/d2"
    assert run.steps[decision.step].name == "edit"
    assert run.foreign["approval_app"] == "pxi"


@pytest.mark.parametrize("by", [{"pxi__approval__source": "auto"}, {}])
def test_an_approval_that_no_user_is_named_for_is_nobody_s_decision(told, by):
    asked = span("d2", "TOOL", 6, "a1", pxi__approval__decision="accepted", **by)
    reading = told(source([*SPANS, asked]))
    assert reading.found[0].decisions == ()
    assert reading.remarks[RemarkCode.MACHINE_VERDICTS] == 1


def test_only_human_annotations_decide(told):
    rows = [
        annotation("d1", result={"label": "incorrect", "score": 0, "explanation": "old city"}),
        annotation("m1", annotator_kind="LLM", user_id=None),
        annotation("m1", annotator_kind="CODE", name="json", user_id=None),
        annotation("m1", name="note", result={"explanation": "look again"}),
    ]
    for mixed in ([*SPANS, *rows], {"data": SPANS, "more": rows}):
        reading = told(source(mixed))
        (run,) = reading.found
        (decision,) = run.decisions
        assert (decision.verdict, decision.reason) == (Verdict.REJECT, "old city")
        assert (decision.by, decision.at) == ("VXNlcjox", "2026-03-02T08:00:00+00:00")
        assert str(run.steps[decision.step].kind) == "action"
        notes = [(one.text, one.who) for one in run.steps if str(one.kind) == "note"]
        assert notes == [
            ("correctness: correct 1.0", "LLM"),
            ("json: correct 1.0", "CODE"),
            ("note\nlook again", "VXNlcjox"),
        ]
        assert reading.remarks[RemarkCode.MACHINE_VERDICTS] == 2


def test_annotations_inside_a_span_are_read(told):
    judged = TOOL | {"annotations": [annotation("d1")]}
    (run,) = told(source([judged, MODEL, AGENT])).found
    assert [one.verdict for one in run.decisions] == [Verdict.ACCEPT]


def test_annotations_without_their_spans_are_notes_with_the_decisions(told):
    (run,) = told(source({"data": [annotation("d1")], "next_cursor": "x"})).found
    assert run.source_id == "phoenix:annotations/d1"
    assert run.steps[run.decisions[0].step].text == "correctness: correct 1.0"


def test_two_spans_under_one_id_are_both_told_and_remarked(told):
    again = span("d1", "TOOL", 6, "a1", tool__name="save", tool__id="c2", input__value="{}")
    reading = told(source([*SPANS, again]))
    (run,) = reading.found
    assert [one.name for one in run.steps if str(one.kind) == "action"] == ["find", "save"]
    assert RemarkCode.IDS_REPEATED in run.remarks
    assert reading.remarks[RemarkCode.IDS_REPEATED] == 1


def test_an_approval_on_a_repeated_id_judges_its_own_span(told):
    asked = span(
        "d1", "TOOL", 6, "a1", tool__name="edit", tool__id="c2", input__value="{}",
        pxi__approval__decision="accepted", pxi__approval__source="user",
    )  # fmt: skip
    (run,) = told(source([*SPANS, asked])).found
    assert run.steps[run.decisions[0].step].name == "edit"


def test_documents_of_a_retriever_and_a_reranker_are_recalled_once(told):
    found = span(
        "r1",
        "RETRIEVER",
        2,
        "a1",
        name="memory",
        input__value="склад",
        retrieval__documents__0__document__id="m-1",
        retrieval__documents__0__document__content="Склад в Твери.",
        retrieval__documents__0__document__score=0.9,
        retrieval__documents__1__document__id="m-2",
        retrieval__documents__1__document__content="Склад в Клину.",
    )
    ranked = span(
        "r2",
        "RERANKER",
        3,
        "a1",
        reranker__query="склад",
        reranker__output_documents__0__document__id="m-2",
        reranker__output_documents__0__document__content="Склад в Клину.",
    )
    (run,) = told(source([AGENT, found, ranked])).found
    assert [(one.text, one.call) for one in run.steps if str(one.kind) == "recalled"] == [
        ("Склад в Твери.", "m-1"),
        ("Склад в Клину.", "m-2"),
    ]


def test_vectors_are_dropped_and_their_dimensions_kept(told):
    record = span(
        "e1",
        "EMBEDDING",
        1,
        embedding__embeddings__0__embedding__text="hello",
        embedding__embeddings__0__embedding__vector=[0.1, 0.2, 0.3],
    )
    (run,) = told(source([record])).found
    assert run.foreign["vector_dimensions"] == 3
    assert RemarkCode.VECTORS_DROPPED in run.remarks
    assert steps(run) == [("note", "hello")]


def test_a_guardrail_is_a_verdict_of_a_machine(told):
    record = span("g1", "GUARDRAIL", 3, "a1", output__value="blocked: no")
    reading = told(source([AGENT, record]))
    assert ("note", "blocked: no") in steps(reading.found[0])
    assert reading.remarks[RemarkCode.MACHINE_VERDICTS] == 1


def test_an_error_of_a_span_is_told(told):
    record = span("d1", "TOOL", 2, "a1", status="ERROR", message="no route", input__value="{}")
    failing = AGENT | {"status_code": "ERROR"}
    (run,) = told(source([failing, record])).found
    assert run.status is RunStatus.FAILED
    assert [(one.text, one.failed) for one in run.steps if str(one.kind) == "result"] == [
        ("no route", True)
    ]


@pytest.mark.parametrize(
    ("change", "reason", "name"),
    [
        ({"start_time": "soon"}, FailReason.TIME_INVALID, "start_time"),
        ({"attributes": 3}, FailReason.FIELD_INVALID, "attributes"),
        ({"name": 3}, FailReason.FIELD_INVALID, "name"),
        ({"context": {}}, FailReason.FIELD_MISSING, "trace_id"),
        ({"events": "x"}, FailReason.FIELD_INVALID, "events"),
    ],
)
def test_a_broken_span_fails_alone(told, change, reason, name):
    failed, run = told(source([*SPANS, span("x1", "LLM", 9) | change])).found
    assert (failed.reason, failed.name) == (reason, name)
    assert steps(run) == TOLD


def test_a_list_that_breaks_off_keeps_the_spans_before(told):
    whole = json.dumps(SPANS)
    reading = told(from_bytes("t", whole[:-30].encode()))
    assert [one.reason for one in reading.found if isinstance(one, Failed)] == [
        FailReason.CUT_SHORT
    ]
    assert [kind for kind, _ in steps(reading.found[-1])] == ["input", "action", "result"]


def test_what_is_neither_span_nor_annotation_is_nothing(told):
    reading = told(source([*SPANS, {"x": 1}, "text"]))
    kinds = [type(one) for one in reading.found]
    assert kinds.count(Trajectory) == 1
    assert Nothing(NothingReason.UNKNOWN_TYPE) in reading.found
    assert len(kinds) == 3


def test_parquet_is_refused_in_a_sentence():
    with pytest.raises(SourceRefusedError, match="Parquet"):
        list(phoenix.read(from_bytes("t", b"PAR1\0\0")))


@pytest.mark.parametrize(
    "data", [b'[{"id": "1", "run_type": "llm"}]', b'{"context": {}, "id": 1}', b"", b"\xff{"]
)
def test_other_files_are_not_recognised(data):
    assert not phoenix.recognises(from_bytes("t", data).head())


@pytest.mark.shared
@pytest.mark.skipif(not SAMPLES.is_dir(), reason="no samples beside the checkout")
def test_the_sample_is_read():
    reading = catalogue.open_reading(from_path(SAMPLES / "pxi_suggestion_traces.json"))
    assert reading.origin.importer == "phoenix"
    runs = [one.found for one in reading.records if isinstance(one, Read)]
    assert [(one.foreign["case"], len(one.steps), str(one.status)) for one in runs] == [
        ("accepted_prompt_edit", 14, "ok"),
        ("rejected_prompt_edit", 15, "failed"),
        ("mixed_annotation_config", 14, "ok"),
    ]
    assert [[str(each.verdict) for each in one.decisions] for one in runs] == [
        ["accept", "accept"],
        ["reject"],
        ["reject", "accept", "accept"],
    ]
