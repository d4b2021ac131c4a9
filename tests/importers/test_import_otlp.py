"""OpenTelemetry traces of agents, in the conventions that are in use."""

import base64
import json
from pathlib import Path

import pytest

from importers import catalogue
from importers.otlp import importer as otlp
from importers.source import from_bytes, from_path
from store.records import Failed, FailReason, Nothing, NothingReason, Read, RemarkCode
from store.trajectories import RunStatus, StepKind, Trajectory

SAMPLES = Path(__file__).resolve().parents[3] / "shared" / "samples" / "otel"
TRACE = "0af7651916cd43dd8448eb211c80319c"
OTHER = "1bf7651916cd43dd8448eb211c80319c"
START = 1_760_000_000_000_000_000


def value(one):
    if isinstance(one, bool):
        return {"boolValue": one}
    if isinstance(one, int):
        return {"intValue": str(one)}
    if isinstance(one, float):
        return {"doubleValue": one}
    if isinstance(one, list):
        return {"arrayValue": {"values": [value(inner) for inner in one]}}
    if isinstance(one, dict):
        return {"kvlistValue": {"values": attributes(one)}}
    return one if one is None else {"stringValue": one}


def attributes(told):
    return [{"key": key, "value": value(one)} for key, one in told.items()]


def span(own, parent="", *, at=0, trace=TRACE, name="", events=(), status=None, **told):
    found = {
        "traceId": trace,
        "spanId": own.rjust(16, "0"),
        "parentSpanId": parent and parent.rjust(16, "0"),
        "name": name or own,
        "startTimeUnixNano": str(START + at * 10**9),
        "endTimeUnixNano": str(START + (at + 1) * 10**9),
        "attributes": attributes({key.replace("__", "."): one for key, one in told.items()}),
        "events": list(events),
    }
    return found | ({"status": status} if status else {})


def event(name, **told):
    flat = {key.replace("__", "."): one for key, one in told.items()}
    return {"timeUnixNano": str(START), "name": name, "attributes": attributes(flat)}


def export(*spans, service="demo"):
    resource = {"attributes": attributes({"service.name": service, "host.name": "box-7"})}
    return {"resourceSpans": [{"resource": resource, "scopeSpans": [{"spans": list(spans)}]}]}


def source(*exports, lines=True, indent=None):
    text = "\n".join(json.dumps(one, ensure_ascii=False, indent=indent) for one in exports)
    return from_bytes("t.json", (text + ("\n" if lines else "")).encode())


def chat(own, parent="", *, asked=None, said=None, **told):
    if asked is not None:
        told["gen_ai__input__messages"] = json.dumps(asked, ensure_ascii=False)
    if said is not None:
        told["gen_ai__output__messages"] = json.dumps(said, ensure_ascii=False)
    told.setdefault("gen_ai__operation__name", "chat")
    return span(own, parent, **told)


def tool(own, parent="", **told):
    return span(own, parent, gen_ai__operation__name="execute_tool", **told)


def agent(own="a1", **told):
    return span(own, gen_ai__operation__name="invoke_agent", **told)


def words(role, text):
    return {"role": role, "parts": [{"type": "text", "content": text}]}


def steps(run):
    return [(str(one.kind), one.text) for one in run.steps]


def test_a_trace_is_one_run_with_the_agent_as_its_root_and_its_tools_as_actions(told):
    call = {"type": "tool_call", "id": "c1", "name": "find", "arguments": {"city": "Казань"}}
    answer = {"type": "tool_call_response", "id": "c1", "response": "+3"}
    asked = [words("system", "Отвечай кратко."), words("user", "Какая погода?")]
    history = [*asked, {"role": "assistant", "parts": [call]}, {"role": "tool", "parts": [answer]}]
    reading = told(
        source(
            export(
                chat("c2", "a1", at=3, asked=history, said=[words("assistant", "Плюс три.")]),
                tool(
                    "d1",
                    "a1",
                    at=2,
                    gen_ai__tool__name="find",
                    gen_ai__tool__call__id="c1",
                    gen_ai__tool__call__arguments='{"city":"Казань"}',
                    gen_ai__tool__call__result="+3",
                ),
                chat("c1", "a1", at=1, asked=asked, said=[{"role": "assistant", "parts": [call]}]),
                agent(gen_ai__agent__name="meteo", gen_ai__conversation__id="conv-1"),
            )
        )
    )
    (run,) = reading.found
    assert steps(run) == [
        ("instruction", "Отвечай кратко."),
        ("input", "Какая погода?"),
        ("action", '{"city":"Казань"}'),
        ("result", "+3"),
        ("said", "Плюс три."),
    ]
    assert (run.steps[2].name, run.steps[2].call, run.steps[3].call) == ("find", "c1", "c1")
    assert run.source_id == f"otlp:{TRACE}"
    assert run.run == {"trace": TRACE, "conversation": "conv-1", "agent": "meteo"}
    assert run.decisions == ()
    assert run.started_at == "2025-10-09T08:53:20+00:00"
    assert RemarkCode.ENCODED_TWICE in run.remarks
    assert {RemarkCode.NO_DECISIONS, RemarkCode.EVIDENCE_ONLY} <= reading.remarks.keys()


def test_the_host_of_a_resource_is_not_kept_beside_the_run(told):
    (run,) = told(source(export(chat("c1", said=[words("assistant", "ok")])))).found
    assert run.foreign["service_name"] == "demo"
    assert "box-7" not in repr(run.foreign)


def test_spans_of_one_trace_may_be_spread_over_lines_between_those_of_another(told):
    one = export(chat("c2", "a1", at=2, said=[words("assistant", "second")]))
    two = export(
        chat("x1", trace=OTHER, said=[words("assistant", "other")]),
        chat("c1", "a1", at=1, said=[words("assistant", "first")]),
    )
    three = export(agent())
    reading = told(source(one, two, three))
    runs = {run.source_id: run for run in reading.found}
    assert steps(runs[f"otlp:{TRACE}"]) == [("said", "first"), ("said", "second")]
    assert steps(runs[f"otlp:{OTHER}"]) == [("said", "other")]
    data = source(one, two, three).content
    for read in reading.reads:
        for step in read.found.steps:
            assert step.text.encode() in data[step.start : step.end]
            assert read.raw[step.span.start : step.span.end] == step.text.encode()


def test_a_trace_that_is_a_whole_line_keeps_its_line(told):
    file = source(export(chat("c1", said=[words("assistant", "ok")])))
    (read,) = told(file).reads
    assert file.content[read.place.start : read.place.end] == read.raw


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("wrap", [lambda one: one, lambda one: [one], lambda one: {"data": one}])
def test_one_object_a_list_and_a_page_are_read_alike(told, wrap, indent):
    text = json.dumps(wrap(export(chat("c1", said=[words("assistant", "ok")]))), indent=indent)
    reading = told(from_bytes("t", text.encode()))
    assert [steps(run) for run in reading.found] == [[("said", "ok")]]


def test_bare_spans_of_a_page_are_read(told):
    spans = [agent(), chat("c1", "a1", said=[words("assistant", "ok")])]
    for page in ({"data": spans, "next_cursor": "x"}, spans, {"spans": spans}):
        reading = told(from_bytes("t", json.dumps(page).encode()))
        assert [steps(run) for run in reading.found] == [[("said", "ok")]]


def test_names_with_underscores_of_old_sdks_are_read(told):
    plain = export(agent(), chat("c1", "a1", said=[words("assistant", "ok")]))
    text = json.dumps(plain)
    for camel, snake in (
        ("resourceSpans", "resource_spans"),
        ("scopeSpans", "scope_spans"),
        ("traceId", "trace_id"),
        ("parentSpanId", "parent_span_id"),
        ("spanId", "span_id"),
        ("startTimeUnixNano", "start_time_unix_nano"),
        ("endTimeUnixNano", "end_time_unix_nano"),
        ("stringValue", "string_value"),
    ):
        text = text.replace(f'"{camel}"', f'"{snake}"')
    (run,) = told(from_bytes("t", text.encode())).found
    assert (run.source_id, steps(run)) == (f"otlp:{TRACE}", [("said", "ok")])
    assert run.started_at == "2025-10-09T08:53:20+00:00"


def test_structured_messages_are_read_as_those_in_strings(told):
    asked = [words("user", "два раза")]
    record = span(
        "c1",
        gen_ai__operation__name="chat",
        gen_ai__input__messages=asked,
        gen_ai__output__messages=[words("assistant", "да")],
    )
    (run,) = told(source(export(record))).found
    assert steps(run) == [("input", "два раза"), ("said", "да")]
    assert RemarkCode.ENCODED_TWICE not in run.remarks


def test_every_form_of_a_value_is_read():
    from importers.otlp.values import attributes as read
    from importers.otlp.values import plain

    told = read(attributes({"s": "x", "i": 7, "b": True, "d": 0.5, "l": ["a"], "k": {"z": 1}}))
    assert told == {"s": "x", "i": 7, "b": True, "d": 0.5, "l": ["a"], "k": {"z": 1}}
    assert plain({"intValue": 7}) == 7
    assert plain({"bytesValue": base64.b64encode("да".encode()).decode()}) == "да"
    pointer = plain({"bytesValue": base64.b64encode(b"\xff\0\1").decode()})
    assert (pointer["bytes"], pointer["media_type"]) == (3, "application/octet-stream")
    assert plain({}) is None


def test_ids_are_hex_in_any_case_and_base64_ids_become_hex(told):
    upper = chat("c1", said=[words("assistant", "a")])
    upper["traceId"] = TRACE.upper()
    coded = chat("c2", said=[words("assistant", "b")], at=1)
    coded["traceId"] = base64.b64encode(bytes.fromhex(TRACE)).decode()
    (run,) = told(source(export(upper, coded))).found
    assert (run.source_id, steps(run)) == (f"otlp:{TRACE}", [("said", "a"), ("said", "b")])


def test_content_that_was_left_out_gives_empty_steps_and_says_so(told):
    reading = told(
        source(
            export(
                agent(),
                chat("c1", "a1", at=1, gen_ai__request__model="m-1"),
                tool("d1", "a1", at=2, gen_ai__tool__name="find"),
            )
        )
    )
    (run,) = reading.found
    assert [(str(one.kind), one.text, one.name, one.who) for one in run.steps] == [
        ("said", "", "", "m-1"),
        ("action", "", "find", ""),
    ]
    assert RemarkCode.CONTENT_ABSENT in run.remarks
    assert RemarkCode.CONTENT_ABSENT in reading.remarks


def test_messages_in_events_before_1_37_are_read(told):
    call = [{"id": "c1", "type": "function", "function": {"name": "find", "arguments": "{}"}}]
    record = span(
        "c1",
        gen_ai__system="openai",
        gen_ai__operation__name="chat",
        events=[
            event("gen_ai.system.message", content="Be brief."),
            event("gen_ai.user.message", content="Где склад?"),
            event("gen_ai.assistant.message", tool_calls=json.dumps(call)),
            event("gen_ai.tool.message", id="c1", content="Тверь"),
            event(
                "gen_ai.choice",
                index=0,
                finish_reason="stop",
                message=json.dumps({"role": "assistant", "content": "В Твери."}),
            ),
        ],
    )
    (run,) = told(source(export(record))).found
    assert steps(run) == [
        ("instruction", "Be brief."),
        ("input", "Где склад?"),
        ("action", "{}"),
        ("result", "Тверь"),
        ("said", "В Твери."),
    ]


def test_message_events_may_be_log_records(told):
    log = {
        "timeUnixNano": str(START),
        "traceId": TRACE,
        "spanId": "c1".rjust(16, "0"),
        "eventName": "gen_ai.user.message",
        "body": value({"content": "hello", "role": "user"}),
    }
    loose = {"timeUnixNano": str(START), "body": value("plain line")}
    logs = {"resourceLogs": [{"scopeLogs": [{"logRecords": [log, loose]}]}]}
    reading = told(source(export(span("c1", gen_ai__operation__name="chat")), logs))
    runs = [one for one in reading.found if isinstance(one, Trajectory)]
    assert [step.text for step in runs[0].steps if step.kind is StepKind.INPUT] == ["hello"]
    assert [one for one in reading.found if one not in runs] == [
        Nothing(NothingReason.NOT_A_MEMORY)
    ]


def test_numbered_prompts_of_openllmetry_are_read(told):
    record = span(
        "c1",
        llm__request__type="chat",
        gen_ai__prompt__0__role="system",
        gen_ai__prompt__0__content="Be brief.",
        gen_ai__prompt__1__role="user",
        gen_ai__prompt__1__content="Which city?",
        gen_ai__completion__0__role="assistant",
        gen_ai__completion__0__content="Tver.",
        gen_ai__completion__0__tool_calls__0__id="c9",
        gen_ai__completion__0__tool_calls__0__name="find",
        gen_ai__completion__0__tool_calls__0__arguments='{"q":1}',
    )
    workflow = span("a1", traceloop__span__kind="workflow", traceloop__entity__input='{"x": 1}')
    record["parentSpanId"] = "a1".rjust(16, "0")
    (run,) = told(source(export(workflow, record))).found
    assert steps(run) == [
        ("input", '{"x": 1}'),
        ("instruction", "Be brief."),
        ("input", "Which city?"),
        ("said", "Tver."),
        ("action", '{"q":1}'),
    ]


def test_openinference_attributes_over_otlp_are_read(told):
    record = span(
        "c1",
        openinference__span__kind="LLM",
        llm__input_messages__0__message__role="user",
        llm__input_messages__0__message__content="hi",
        llm__output_messages__0__message__role="assistant",
        llm__output_messages__0__message__content="hello",
    )
    (run,) = told(source(export(record))).found
    assert steps(run) == [("input", "hi"), ("said", "hello")]


def test_the_ai_sdk_is_read(told):
    calls = [{"type": "tool-call", "toolCallId": "t1", "toolName": "find", "input": {"q": "x"}}]
    (run,) = told(
        source(
            export(
                span(
                    "a1",
                    name="ai.generateText",
                    ai__operationId="ai.generateText",
                    ai__prompt='{"prompt":"Which city?"}',
                    ai__response__text="Tver",
                ),
                span(
                    "b1",
                    "a1",
                    at=1,
                    ai__operationId="ai.generateText.doGenerate",
                    ai__prompt__messages='[{"role":"user","content":[{"type":"text",'
                    '"text":"Which city?"}]}]',
                    ai__response__toolCalls=json.dumps(calls),
                ),
                span(
                    "b2",
                    "a1",
                    at=2,
                    ai__operationId="ai.toolCall",
                    ai__toolCall__name="find",
                    ai__toolCall__id="t1",
                    ai__toolCall__args='{"q":"x"}',
                    ai__toolCall__result='"Tver"',
                ),
            )
        )
    ).found
    assert [kind for kind, _ in steps(run)] == ["input", "action", "result", "said"]


def test_retrieved_documents_and_memories_are_recalled_one_by_one(told):
    documents = [{"id": "m-1", "content": "Склад в Твери.", "score": 0.9}, {"id": "m-2"}]
    (run,) = told(
        source(
            export(
                span(
                    "r1",
                    name="search",
                    gen_ai__operation__name="retrieval",
                    gen_ai__retrieval__query__text="где склад",
                    gen_ai__retrieval__documents=json.dumps(documents, ensure_ascii=False),
                )
            )
        )
    ).found
    assert [(str(one.kind), one.text, one.call) for one in run.steps] == [
        ("action", "где склад", ""),
        ("recalled", "Склад в Твери.", "m-1"),
        ("recalled", "", "m-2"),
    ]


def test_an_evaluation_is_a_note_and_nobody_s_decision(told):
    judged = event(
        "gen_ai.evaluation.result",
        gen_ai__evaluation__name="Relevance",
        gen_ai__evaluation__score__label="pass",
        gen_ai__evaluation__score__value=0.9,
        gen_ai__evaluation__explanation="fits",
    )
    record = chat("c1", said=[words("assistant", "ok")], events=[judged])
    reading = told(source(export(record)))
    (run,) = reading.found
    assert run.decisions == ()
    assert steps(run)[-1] == ("note", "Relevance: pass 0.9\nfits")
    assert reading.remarks[RemarkCode.MACHINE_VERDICTS] == 1


def test_an_exception_and_a_failed_root_are_told_once(told):
    broken = event("exception", exception__message="no such host")
    status = {"code": 2, "message": "no such host"}
    (run,) = told(
        source(
            export(
                agent(status={"code": "STATUS_CODE_ERROR", "message": "no such host"}),
                chat("c1", "a1", at=1, events=[broken], status=status),
            )
        )
    ).found
    assert run.status is RunStatus.FAILED
    assert [(one.text, one.failed) for one in run.steps] == [("no such host", True)]


def test_a_trace_of_other_programs_is_an_empty_run(told):
    (found,) = told(source(export(span("h1", http__method="GET")))).found
    assert found == Nothing(NothingReason.EMPTY_RUN)


def test_an_operation_that_is_not_known_is_counted_and_kept(told):
    record = span("x1", gen_ai__operation__name="dream", gen_ai__input__messages="of sheep")
    reading = told(source(export(record)))
    assert reading.remarks[RemarkCode.UNKNOWN_TYPES] == 1
    assert "of sheep" in [one.text for one in reading.found[0].steps]


def test_metrics_are_no_memory(told):
    metrics = {"resourceMetrics": [{"scopeMetrics": []}]}
    reading = told(source(export(chat("c1", said=[words("assistant", "a")])), metrics))
    assert Nothing(NothingReason.NOT_A_MEMORY) in reading.found


def test_a_span_written_twice_is_told_once(told):
    record = chat("c1", said=[words("assistant", "a")])
    reading = told(source(export(record), export(record)))
    runs = [one for one in reading.found if isinstance(one, Trajectory)]
    assert [steps(run) for run in runs] == [[("said", "a")]]
    assert reading.remarks[RemarkCode.COPIED_LINES] == 1


@pytest.mark.parametrize(
    ("change", "reason", "name"),
    [
        ({"traceId": None}, FailReason.FIELD_MISSING, "traceId"),
        ({"traceId": 7}, FailReason.FIELD_INVALID, "traceId"),
        ({"startTimeUnixNano": "soon"}, FailReason.TIME_INVALID, "startTimeUnixNano"),
        ({"attributes": "none"}, FailReason.FIELD_INVALID, "attributes"),
        ({"events": 3}, FailReason.FIELD_INVALID, "events"),
        ({"status": "bad"}, FailReason.FIELD_INVALID, "status"),
    ],
)
def test_a_broken_span_fails_alone(told, change, reason, name):
    broken = chat("c1", said=[words("assistant", "lost")]) | change
    good = chat("c2", said=[words("assistant", "kept")])
    reading = told(source(export(broken, good)))
    (failed,) = [one for one in reading.found if isinstance(one, Failed)]
    (run,) = [one for one in reading.found if isinstance(one, Trajectory)]
    assert (failed.reason, failed.name) == (reason, name)
    assert steps(run) == [("said", "kept")]


def test_a_file_that_breaks_off_keeps_the_spans_before(told):
    whole = json.dumps(
        export(
            chat("c1", said=[words("assistant", "kept")]),
            chat("c2", at=1, said=[words("assistant", "lost")]),
        )
    )
    cut = whole[: whole.index("lost")]
    reading = told(from_bytes("t", cut.encode()))
    assert [one.reason for one in reading.found if isinstance(one, Failed)] == [
        FailReason.CUT_SHORT
    ]
    assert [steps(one) for one in reading.found if isinstance(one, Trajectory)] == [
        [("said", "kept")]
    ]
    assert reading.remarks[RemarkCode.TAIL_CUT] == 1


def test_a_broken_line_fails_and_blank_lines_are_nothing(told):
    good = json.dumps(export(chat("c1", said=[words("assistant", "a")])))
    reading = told(from_bytes("t", f'{good}\n\n{{"resourceSpans": [}}\n{good[:-1]}\n'.encode()))
    assert [type(one).__name__ for one in reading.found] == [
        "Nothing",
        "Failed",
        "Failed",
        "Trajectory",
    ]


def test_an_empty_file_by_name_is_one_failure(told):
    reading = told(from_bytes("t", b""), "otlp")
    assert [one.reason for one in reading.found] == [FailReason.NOT_JSON]


@pytest.mark.parametrize(
    "data",
    [
        b'{"resourceSpans": []}',
        b'{"results": [{"memory": "x", "id": 1}]}',
        b"PAR1\0\0",
        b"\xff\xfe\0",
        b'{"spans": [{"traceID": "1"}]}',
    ],
)
def test_other_files_are_not_recognised(data):
    assert not otlp.recognises(from_bytes("t", data).head())


@pytest.mark.shared
@pytest.mark.skipif(not SAMPLES.is_dir(), reason="no samples beside the checkout")
@pytest.mark.parametrize(
    ("sample", "kinds"),
    [
        ("otlp_genai_v1.37.json", ["instruction", "input", "action", "result"]),
        ("otlp_trace.json", None),
    ],
)
def test_the_samples_are_read(sample, kinds):
    reading = catalogue.open_reading(from_path(SAMPLES / sample))
    assert reading.origin.importer == "otlp"
    (read,) = [one for one in reading.records if isinstance(one, Read)]
    if kinds is None:
        assert read.found == Nothing(NothingReason.EMPTY_RUN)
    else:
        assert [str(one.kind) for one in read.found.steps] == kinds
