import json

import pytest

from importers import catalogue, managed_agent
from importers.source import from_bytes
from store.records import Failed, FailReason, Nothing, NothingReason, RemarkCode
from store.trajectories import RunStatus, StepKind, Trajectory, Verdict

from .test_import_shared_samples import SAMPLES

STREAM = "client.beta.sessions.events.stream"
SEND = "client.beta.sessions.events.send"
CREATE = "client.beta.sessions.create"
SESSION = {"id": "sesn_1", "agent": {"id": "agent_1", "name": "Helper", "system": "Be brief."}}


def event(kind, own, **more):
    return {"type": kind, "id": f"sevt_{own}", "processed_at": "2026-07-01T10:00:00.5Z", **more}


def text(said):
    return [{"type": "text", "text": said}]


def asks(own, said):
    return event("user.message", own, content=text(said))


def says(own, said):
    return event("agent.message", own, content=text(said))


def calls(own, permission="ask", kind="agent.mcp_tool_use"):
    return event(kind, own, name="search", input={"q": "склад"}, evaluated_permission=permission)


def answers(own, call, result, **more):
    return event("user.tool_confirmation", own, tool_use_id=f"sevt_{call}", result=result, **more)


def stream(*events, first=()):
    lines = [*first, *([STREAM, one] for one in events)]
    return from_bytes("run.jsonl", "\n".join(json.dumps(one) for one in lines).encode())


def runs(reading):
    return [one for one in reading.found if isinstance(one, Trajectory)]


def test_a_message_with_what_follows_is_one_run(told):
    reading = told(
        stream(
            asks("1", "Где склад?"),
            event("agent.thinking", "2"),
            event("agent.custom_tool_use", "3", name="find", input={"q": 1}),
            event(
                "user.custom_tool_result", "4", custom_tool_use_id="sevt_3", content=text("там")
            ),
            says("5", "Там."),
            asks("6", "Спасибо"),
            first=([CREATE, SESSION],),
        )
    )
    first, second = runs(reading)
    assert [(step.kind, step.name) for step in first.steps] == [
        (StepKind.INSTRUCTION, ""),
        (StepKind.INPUT, ""),
        (StepKind.THOUGHT, ""),
        (StepKind.ACTION, "find"),
        (StepKind.RESULT, "find"),
        (StepKind.SAID, ""),
    ]
    assert first.source_id == "managed-agent:sesn_1/sevt_1"
    assert first.run == {"session": "sesn_1", "agent": "agent_1"}
    assert [step.text for step in second.steps] == ["Спасибо"]
    assert first.started_at == "2026-07-01T10:00:00.5Z"


@pytest.mark.parametrize(
    ("result", "message", "verdict", "reason"),
    [
        ("allow", None, Verdict.ACCEPT, None),
        ("deny", "Не в этой демонстрации.", Verdict.REJECT, "Не в этой демонстрации."),
        ("deny", None, Verdict.REJECT, None),
        ("deny", "  ", Verdict.REJECT, None),
    ],
)
def test_a_tool_confirmation_is_a_person_s_decision(told, result, message, verdict, reason):
    (run,) = runs(told(stream(
        asks("1", "q"), calls("2"), answers("3", "2", result, deny_message=message)
    )))  # fmt: skip
    (decision,) = run.decisions
    assert (decision.verdict, decision.reason) == (verdict, reason)
    assert run.steps[decision.step].kind is StepKind.ACTION
    assert (decision.review_id, decision.weak) == ("sevt_3", False)


@pytest.mark.parametrize("permission", ["ask", "allow", "deny"])
def test_an_evaluated_permission_is_a_machine_s_verdict(told, permission):
    reading = told(stream(asks("1", "q"), calls("2", permission, "agent.tool_use")))
    (run,) = runs(reading)
    assert run.decisions == ()
    assert (run.steps[-1].kind, run.steps[-1].text) == (StepKind.NOTE, permission)
    assert reading.remarks[RemarkCode.MACHINE_VERDICTS] == 1


def test_a_confirmation_that_is_neither_allow_nor_deny_decides_nothing(told):
    reading = told(stream(asks("1", "q"), calls("2"), answers("3", "2", "maybe")))
    assert runs(reading)[0].decisions == ()
    assert reading.remarks[RemarkCode.UNKNOWN_TYPES] == 1


def test_sent_events_are_copies_where_the_stream_tells_them(told):
    sent = [SEND, ["sesn_1", {"events": [{"type": "user.message", "content": text("q")}]}]]
    reading = told(stream(asks("1", "q"), first=(sent,)))
    assert Nothing(NothingReason.DISTILLED_ELSEWHERE) in reading.found
    (run,) = runs(reading)
    assert len(run.steps) == 1
    assert run.run["session"] == "sesn_1"


def test_sent_events_are_read_where_the_stream_does_not_tell_them(told):
    sent = [SEND, ["sesn_1", {"events": [{"type": "user.message", "content": text("q")}]}]]
    (run,) = runs(told(stream(says("1", "a"), first=(sent,))))
    assert [step.text for step in run.steps] == ["q", "a"]


@pytest.mark.parametrize(
    ("last", "status"),
    [
        (event("session.status_idle", "9", stop_reason={"type": "end_turn"}), RunStatus.OK),
        (event("session.status_idle", "9", stop_reason={"type": "requires_action"}),
         RunStatus.UNKNOWN),
        (event("session.status_idle", "9", stop_reason={"type": "retries_exhausted"}),
         RunStatus.FAILED),
        (event("session.status_terminated", "9"), RunStatus.FAILED),
        (event("session.error", "9", error={"message": "x"}), RunStatus.FAILED),
    ],
)  # fmt: skip
def test_how_a_run_ended_is_what_the_session_says(told, last, status):
    (run,) = runs(told(stream(asks("1", "q"), last)))
    assert run.status is status


def test_status_and_span_events_are_bookkeeping(told):
    reading = told(
        stream(
            event("session.status_running", "1"),
            asks("2", "q"),
            event("span.model_request_end", "3", model_usage={"input_tokens": 2}),
        )
    )
    assert reading.found.count(Nothing(NothingReason.BOOKKEEPING)) == 2


def test_an_outcome_s_evaluation_is_a_machine_s_verdict(told):
    judged = event("span.outcome_evaluation_end", "2", result="satisfied")
    (run,) = runs(told(stream(asks("1", "q"), judged)))
    assert (run.steps[-1].kind, run.decisions) == (StepKind.NOTE, ())
    assert RemarkCode.MACHINE_VERDICTS in run.remarks


def test_an_event_told_twice_is_a_copy(told):
    reading = told(stream(asks("1", "q"), says("2", "a"), says("2", "a")))
    assert len(runs(reading)[0].steps) == 2
    assert reading.remarks[RemarkCode.COPIED_LINES] == 1


def test_unknown_events_are_kept_and_counted(told):
    reading = told(stream(asks("1", "q"), event("agent.dream", "2", about="tea")))
    assert runs(reading)[0].steps[-1].name == "agent.dream"
    assert reading.remarks[RemarkCode.UNKNOWN_TYPES] == 1


EVENTS = [asks("1", "q"), calls("2"), answers("3", "2", "deny", deny_message="no"), says("4", "a")]


@pytest.mark.parametrize(
    "data",
    [
        json.dumps(EVENTS, indent=1),
        "\n".join(json.dumps(one) for one in EVENTS),
        json.dumps({"data": EVENTS, "has_more": False}),
        json.dumps({"events": EVENTS}, indent=2),
        json.dumps([[STREAM, one] for one in EVENTS]),
        "\n".join(json.dumps([STREAM, one], indent=None) for one in EVENTS),
    ],
    ids=["list", "lines", "page", "events", "list of pairs", "stream"],
)
def test_bare_lists_and_recorded_streams_say_the_same(told, data):
    source = from_bytes("events", data.encode())
    assert catalogue.detect(source).name == "managed_agent"
    (run,) = runs(told(source))
    assert [step.kind for step in run.steps] == ["input", "action", "note", "input", "said"]
    assert [one.reason for one in run.decisions] == ["no"]


@pytest.mark.parametrize(
    ("bad", "fault"),
    [
        ([STREAM, "text"], Failed(FailReason.WRONG_SHAPE)),
        ([STREAM, {"id": "x"}], Failed(FailReason.FIELD_MISSING, name="type")),
        ([STREAM], Failed(FailReason.WRONG_SHAPE)),
        ([3, {}], Failed(FailReason.WRONG_SHAPE)),
        ([STREAM, event("agent.message", "7", content=[], processed_at="soon") ],
         Failed(FailReason.TIME_INVALID, name="processed_at")),
    ],
)  # fmt: skip
def test_a_broken_event_fails_alone(told, bad, fault):
    lines = [[STREAM, asks("1", "q")], bad, [STREAM, says("2", "a")]]
    data = "\n".join(json.dumps(one) for one in lines).encode()
    reading = told(from_bytes("run.jsonl", data), "managed_agent")
    (failed,) = [one for one in reading.found if isinstance(one, Failed)]
    assert (failed.reason, failed.name) == (fault.reason, fault.name)
    assert [step.text for step in runs(reading)[0].steps] == ["q", "a"]


def test_a_cut_tail_is_said_and_what_came_before_is_kept(told):
    data = stream(asks("1", "q"), says("2", "a long answer")).content[:-15]
    reading = told(from_bytes("cut.jsonl", data))
    assert reading.remarks[RemarkCode.TAIL_CUT] == 1
    assert len(runs(reading)) == 1


def test_an_empty_file_tells_nothing(told):
    assert told(from_bytes("e.jsonl", b""), "managed_agent").reads == []


def test_a_step_names_its_bytes(told):
    data = stream(asks("1", "Где?"), says("2", "Там."))
    (read,) = told(data).reads
    for step in read.found.steps:
        assert json.loads(f'"{read.raw[step.span.start : step.span.end].decode()}"') == step.text
        assert data.content[step.start : step.end].startswith(b'["client')


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\0",
        b"[[",
        b'["client.chat.completions.create", {}]',
        b'{"type": "user", "message": {"role": "user", "content": "q"}}',
        b'{"type": "user.message", "text": "of some other system"}',
    ],
)
def test_other_content_is_not_recognised(data):
    assert not managed_agent.recognises(from_bytes("run.jsonl", data).head())


@pytest.mark.shared
@pytest.mark.skipif(not SAMPLES.is_dir(), reason="no samples beside the checkout")
@pytest.mark.parametrize(
    ("sample", "steps", "others", "decisions"),
    [
        ("anthropic_managed_custom_tools", 5, 14, []),
        ("anthropic_managed_mcp_tools_reject", 13, 16, ["This tool is not allowed in this demo."]),
    ],
)
def test_every_line_of_a_sample_is_accounted_for(told, sample, steps, others, decisions):
    reading = told(SAMPLES / "langsmith" / f"{sample}.jsonl")
    (run,) = runs(reading)
    assert len(run.steps) == steps
    assert len(reading.found) - 1 == others
    assert [one.reason for one in run.decisions] == decisions
    assert run.status is RunStatus.OK


@pytest.mark.parametrize("sort", [{}, [], 1, None])
def test_a_block_whose_type_is_no_text_still_says_its_text(told, sort):
    asked = event("user.message", "1", content=[{"type": sort, "text": "q"}])
    (run,) = runs(told(stream(asked, says("2", "a"))))
    assert [step.text for step in run.steps] == ["q", "a"]
