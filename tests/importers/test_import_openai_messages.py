import json

import pytest

from importers import catalogue, openai_messages
from importers.source import from_bytes
from store.records import Failed, FailReason, Nothing, NothingReason, RemarkCode
from store.trajectories import StepKind, Trajectory, Verdict

from .test_import_shared_samples import SAMPLES


def rows(*records, name="chat.jsonl"):
    told = [
        one if isinstance(one, str) else json.dumps(one, ensure_ascii=False) for one in records
    ]
    return from_bytes(name, "\n".join(told).encode() + b"\n")


def row(*messages, **beside):
    return {"messages": list(messages), **beside}


def user(text, **more):
    return {"role": "user", "content": text, **more}


def assistant(text, **more):
    return {"role": "assistant", "content": text, **more}


def tool_call(arguments, own="c1", name="lookup"):
    function = {"name": name, "arguments": arguments}
    return {"id": own, "type": "function", "function": function}


def kinds(run):
    return [(step.kind, step.text) for step in run.steps]


def test_a_row_is_cut_into_turns_whose_bytes_are_those_of_their_messages(told):
    system = {"role": "system", "content": "Be brief."}
    data = rows(row(system, user("Где склад?"), assistant("Коледино"), user("Точно?")))
    reading = told(data)
    first, second = reading.found
    assert kinds(first) == [
        (StepKind.INSTRUCTION, "Be brief."),
        (StepKind.INPUT, "Где склад?"),
        (StepKind.SAID, "Коледино"),
    ]
    assert kinds(second) == [(StepKind.INPUT, "Точно?")]
    for read in reading.reads:
        assert data.content[read.place.start : read.place.end] == read.raw
        for step in read.found.steps:
            assert read.raw[step.span.start : step.span.end].decode() == step.text
    own = first.source_id.removesuffix("/0")
    assert (first.source_id, second.source_id) == (f"{own}/0", f"{own}/1")


def test_the_developer_role_is_an_instruction_and_a_name_is_a_claim(told):
    data = rows(row({"role": "developer", "content": "Rules"}, user("hi", name="alice")))
    (run,) = told(data).found
    assert [(step.kind, step.who) for step in run.steps] == [
        (StepKind.INSTRUCTION, ""),
        (StepKind.INPUT, "alice"),
    ]


def test_a_tool_call_is_joined_to_its_result(told):
    call = {"role": "assistant", "content": None, "tool_calls": [tool_call('{"q":"склад"}')]}
    result = {"role": "tool", "tool_call_id": "c1", "content": "Коледино"}
    (run,) = told(rows(row(user("q"), call, result))).found
    action, given = run.steps[1:]
    assert (action.kind, action.name, action.text) == (StepKind.ACTION, "lookup", '{"q":"склад"}')
    assert (given.kind, given.name, given.call) == (StepKind.RESULT, "lookup", "c1")
    assert RemarkCode.ENCODED_TWICE in run.remarks


def test_invalid_arguments_are_kept_as_they_stand_and_counted(told):
    call = assistant(None, tool_calls=[tool_call('{"q": broken'), tool_call('{"ok": 1}', "c2")])
    (run,) = told(rows(row(user("q"), call))).found
    assert [step.text for step in run.steps[1:]] == ['{"q": broken', '{"ok": 1}']
    assert run.foreign["invalid_arguments"] == 1


def test_a_legacy_function_call_is_an_action_with_its_result(told):
    call = assistant(None, function_call={"name": "f", "arguments": "{}"})
    result = {"role": "function", "name": "f", "content": "done"}
    (run,) = told(rows(row(user("q"), call, result))).found
    assert [(step.kind, step.name) for step in run.steps[1:]] == [
        (StepKind.ACTION, "f"),
        (StepKind.RESULT, "f"),
    ]


def test_a_refusal_is_said_in_both_its_places(told):
    part = {"type": "refusal", "refusal": "No."}
    data = rows(row(user("q"), assistant(None, refusal="I can't."), assistant([part])))
    (run,) = told(data).found
    assert [(step.kind, step.text, step.name) for step in run.steps[1:]] == [
        (StepKind.SAID, "I can't.", "refusal"),
        (StepKind.SAID, "No.", "refusal"),
    ]


@pytest.mark.parametrize("count", [20, 3_000])
def test_a_picture_is_a_pointer_and_an_address_is_kept(told, count):
    parts = [
        {"type": "text", "text": "Что тут?"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "QUJD" * count}},
        {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}},
        {"type": "input_audio", "input_audio": {"data": "QUJD" * count, "format": "wav"}},
    ]
    (run,) = told(rows(row(user(parts)))).found
    _, picture, address, audio = run.steps
    assert (picture.text, picture.omitted.size) == ("", 3 * count)
    assert picture.omitted.media_type == "image/png"
    assert address.text == "https://example.com/a.png"
    assert (audio.text, audio.omitted.size) == ("", 3 * count)


def test_a_long_recording_alone_is_a_pointer_too(told):
    part = {"type": "input_audio", "input_audio": {"data": "QUJD" * 30_000, "format": "wav"}}
    (run,) = told(rows(row(user([part])))).found
    (step,) = run.steps
    assert (step.text, step.omitted.size, step.omitted.media_type) == ("", 90_000, "wav")


def test_a_weight_is_kept_and_decides_nothing(told):
    reading = told(rows(row(user("q"), assistant("bad", weight=0), assistant("good", weight=1))))
    (run,) = reading.found
    assert run.foreign["weights"] == {"1": 0, "2": 1}
    assert run.decisions == ()
    assert RemarkCode.NO_DECISIONS in reading.remarks


def pair(**more):
    return {
        "input": {"messages": [user("Ждать или звонить?")], "tools": []},
        "preferred_output": [assistant("Звонить.")],
        "non_preferred_output": [assistant("Ждать.")],
    } | more


def test_a_pair_of_preference_is_one_run_with_weak_decisions(told):
    reading = told(rows(pair()))
    (run,) = reading.found
    assert [step.text for step in run.steps] == ["Ждать или звонить?", "Звонить.", "Ждать."]
    assert [(one.verdict, one.step, one.weak) for one in run.decisions] == [
        (Verdict.ACCEPT, 1, True),
        (Verdict.REJECT, 2, True),
    ]
    assert len({one.review_id for one in run.decisions}) == 1
    assert RemarkCode.NO_DECISIONS not in reading.remarks


@pytest.mark.parametrize("name", ["input", "non_preferred_output"])
def test_half_a_pair_fails_and_names_what_is_missing(told, name):
    broken = {key: value for key, value in pair().items() if key != name}
    reading = told(rows(pair(), broken))
    assert reading.found[1] == Failed(FailReason.FIELD_MISSING, name=name)


def test_the_format_has_no_ids_and_no_times_and_an_equal_row_is_told_apart(told):
    reading = told(rows(row(user("q")), row(user("q")), row(user("other"))))
    assert len({run.source_id for run in reading.found}) == 3
    assert {RemarkCode.NO_IDS, RemarkCode.NO_TIMES} <= reading.remarks.keys()
    moved = told(rows(row(user("other")), row(user("q"))))
    assert {run.source_id for run in moved.found} < {run.source_id for run in reading.found}


def test_offered_tools_are_named_and_other_keys_are_the_row_s_claims(told):
    offered = [{"type": "function", "function": {"name": "lookup", "parameters": {}}}]
    (run,) = told(rows(row(user("q"), tools=offered, parallel_tool_calls=True, split="dev"))).found
    assert run.foreign == {"tools": ["lookup"], "parallel_tool_calls": True, "split": "dev"}


def test_unknown_roles_and_parts_are_kept_and_counted(told):
    critic = {"role": "critic", "content": "hm"}
    reading = told(rows(row(user([{"type": "smell", "of": "tea"}]), critic)))
    assert [step.kind for step in reading.found[0].steps] == [StepKind.NOTE, StepKind.NOTE]
    assert reading.remarks[RemarkCode.UNKNOWN_TYPES] == 2


@pytest.mark.parametrize(
    ("bad", "fault"),
    [
        ({"content": "no role"}, Failed(FailReason.FIELD_MISSING, name="role")),
        ({"role": 3, "content": "x"}, Failed(FailReason.FIELD_INVALID, name="role")),
        ({"role": "user", "content": 5}, Failed(FailReason.FIELD_INVALID, name="content")),
        ({"role": "assistant", "content": ["bare"]},
         Failed(FailReason.FIELD_INVALID, name="content")),
        ({"role": "assistant", "tool_calls": ["x"]},
         Failed(FailReason.FIELD_INVALID, name="tool_calls")),
    ],
)  # fmt: skip
def test_a_broken_message_fails_alone(told, bad, fault):
    reading = told(rows(row(user("q"), bad, assistant("a"))))
    assert [one for one in reading.found if isinstance(one, Failed)] == [fault]
    (run,) = [one for one in reading.found if isinstance(one, Trajectory)]
    assert [step.text for step in run.steps] == ["q", "a"]


@pytest.mark.parametrize(
    ("bad", "fault"),
    [
        ("{}", Failed(FailReason.FIELD_MISSING, name="messages")),
        ('{"messages": 3}', Failed(FailReason.WRONG_SHAPE)),
        ("nonsense", Failed(FailReason.NOT_JSON)),
    ],
)
def test_a_broken_row_leaves_its_neighbours(told, bad, fault):
    reading = told(rows(row(user("one")), bad, row(user("two"))))
    (failed,) = [one for one in reading.found if isinstance(one, Failed)]
    assert (failed.reason, failed.name) == (fault.reason, fault.name)
    assert sum(isinstance(one, Trajectory) for one in reading.found) == 2


def test_an_empty_row_is_an_empty_run(told):
    reading = told(rows(row(user("q")), row(), ""))
    assert reading.found[1:] == [
        Nothing(NothingReason.EMPTY_RUN),
        Nothing(NothingReason.BLANK_LINE),
    ]


def test_a_cut_tail_is_said(told):
    data = rows(row(user("one")), row(user("two"))).content[:-12]
    reading = told(from_bytes("cut.jsonl", data))
    assert reading.remarks[RemarkCode.TAIL_CUT] == 1


BARE = [user("list"), assistant([{"type": "tool_use", "name": "Shell", "input": {"c": "ls"}}])]


@pytest.mark.parametrize(
    ("data", "steps"),
    [
        (json.dumps([row(user("q"), assistant("a"))]), [2]),
        (json.dumps(row(user("q"), assistant("a")), indent=2), [2]),
        (json.dumps([user("q"), assistant("a"), user("more")], indent=1), [2, 1]),
        ("\n".join(json.dumps(one) for one in BARE), [2]),
        ("\n".join(json.dumps([user("q"), assistant("a")]) for _ in range(2)), [2, 2]),
        (json.dumps([[user("q")], [user("r"), assistant("s")]]), [1, 2]),
        ("\ufeff" + json.dumps(row(user("q"))) + "\r\n" + json.dumps(row(user("r"))), [1, 1]),
    ],
    ids=["list", "one", "bare list", "bare lines", "lines of lists", "list of lists", "bom"],
)
def test_lists_single_objects_and_bare_messages_are_read(told, data, steps):
    source = from_bytes("any", data.encode())
    assert catalogue.detect(source).name == "openai_messages"
    assert [len(run.steps) for run in told(source).found] == steps


def test_the_transcript_of_cursor_s_agent_is_a_bare_chat(told):
    lines = [
        {"role": role, "message": {"content": [{"type": "text", "text": text}]}}
        for role, text in [("user", "list"), ("assistant", "Listing."), ("user", "thanks")]
    ]
    assert [len(run.steps) for run in told(rows(*lines)).found] == [2, 1]


def test_results_of_tools_in_a_user_message_begin_no_turn(told):
    use = {"type": "tool_use", "id": "t1", "name": "f", "input": {}}
    result = {"type": "tool_result", "tool_use_id": "t1", "content": "ok", "is_error": True}
    (run,) = told(rows(row(user("q"), assistant([use]), user([result])))).found
    assert (run.steps[-1].kind, run.steps[-1].name, run.steps[-1].failed) == ("result", "f", True)


def test_a_long_text_keeps_its_beginning_and_its_digest(told):
    (run,) = told(rows(row(user("ж" * 50_000)))).found
    assert run.steps[0].omitted.size == 100_000
    assert RemarkCode.STEPS_CUT in run.remarks


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\0\1",
        b"[[[",
        b'{"messages": "none"}',
        b'{"messages": [{"id": "m1", "text": "x"}]}',
        b'[{"role": "user", "content": "hi", "memory": "x"}]',
        b'{"type": "user", "message": {"role": "user", "content": "hi"}}',
        b'{"claim": "x"}',
    ],
)
def test_other_content_is_not_recognised(data):
    assert not openai_messages.recognises(from_bytes("chat.jsonl", data).head())


@pytest.mark.shared
@pytest.mark.skipif(not SAMPLES.is_dir(), reason="no samples beside the checkout")
@pytest.mark.parametrize(
    ("sample", "steps", "decisions"),
    [
        ("openai_messages/chat_messages.jsonl", [6, 3], 0),
        ("openai_messages/preference_dpo.jsonl", [3], 2),
        ("claude_mem/cursor-session.jsonl", [2, 3], 0),
    ],
)
def test_every_row_of_a_sample_is_accounted_for(told, sample, steps, decisions):
    reading = told(SAMPLES / sample)
    assert [len(run.steps) for run in reading.found] == steps
    assert sum(len(run.decisions) for run in reading.found) == decisions


@pytest.mark.parametrize("sort", [{}, [], 1, None])
def test_a_part_whose_type_is_no_text_is_kept_as_a_note(told, sort):
    (run,) = told(rows(row(user([{"type": "text", "text": "q"}, {"type": sort, "a": 1}])))).found
    assert [step.kind for step in run.steps] == [StepKind.INPUT, StepKind.NOTE]
