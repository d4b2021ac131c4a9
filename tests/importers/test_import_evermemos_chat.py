import json
from pathlib import Path

import pytest

from importers import catalogue
from importers.evermemos import chat as evermemos_chat
from importers.source import from_bytes, from_path
from store.records import Failed, FailReason, Nothing, NothingReason, Read, RemarkCode
from store.trajectories import StepKind, Trajectory

from .test_import_shared_samples import SAMPLES

INPUT, SAID = StepKind.INPUT, StepKind.SAID


def message(number, sender, content, **own):
    return {
        "message_id": f"m{number}",
        "create_time": f"2026-03-01T10:{number:02}:00Z",
        "sender": sender,
        "sender_name": sender.partition("_")[0],
        "type": "text",
        "content": content,
        "refer_list": [],
    } | own


def chat(*messages, meta=None, **own):
    return {
        "version": "1.0.0",
        "session_meta": {
            "scene": "solo",
            "group_id": "group_3",
            "default_timezone": "UTC",
            "user_details": {
                "user_1": {"full_name": "Irina", "role": "user", "extra": {"height": 170}},
                "robot_1": {"full_name": "Helper", "role": "assistant"},
            },
        }
        | (meta or {}),
        "conversation_list": list(messages),
    } | own


def source(value, **how):
    return from_bytes("chat", json.dumps(value, **how).encode())


ASKED = (
    message(1, "user_1", "Где лампа?"),
    message(2, "robot_1", "На полке."),
    message(3, "user_1", "А ключи?"),
    message(4, "robot_1", "У Олега."),
)


def said(run):
    return [(step.kind, step.text) for step in run.steps]


@pytest.mark.parametrize("indent", [None, 2])
def test_a_run_is_what_a_person_says_with_what_follows(told, indent):
    made = source(chat(*ASKED), indent=indent, ensure_ascii=False)
    assert catalogue.detect(made).name == "evermemos_chat"
    reading = told(made)
    first, second = reading.found
    assert said(first) == [(INPUT, "Где лампа?"), (SAID, "На полке.")]
    assert said(second) == [(INPUT, "А ключи?"), (SAID, "У Олега.")]
    assert first.source_id == "evermemos:group_3/m1"
    assert first.run == {"group": "group_3"}
    assert (first.started_at, first.ended_at) == ("2026-03-01T10:01:00Z", "2026-03-01T10:02:00Z")
    assert first.decisions == ()
    assert {RemarkCode.EVIDENCE_ONLY, RemarkCode.NO_DECISIONS} <= reading.remarks.keys()


def test_steps_stand_where_they_say(told):
    made = source(chat(*ASKED), indent=2)
    for read in told(made).reads:
        for step in read.found.steps:
            element = json.loads(made.content[step.start : step.end])
            assert element["content"] == step.text
            assert step.line == made.content.count(b"\n", 0, step.start) + 1
            kept = read.raw[step.span.start : step.span.end]
            assert json.loads(b'"' + kept + b'"') == step.text


def test_nothing_of_a_participant_but_the_name_is_kept(told):
    run = told(source(chat(*ASKED))).found[0]
    assert run.foreign["participants"] == {"user_1": "Irina", "robot_1": "Helper"}
    assert "170" not in str(run.foreign)


def test_messages_in_a_row_of_people_are_one_turn(told):
    turn = (
        message(1, "user_1", "one"),
        message(2, "user_1", "two"),
        message(3, "robot_1", "three"),
        message(4, "user_1", "four"),
    )
    assert [len(run.steps) for run in told(source(chat(*turn))).found] == [3, 1]


def test_a_chat_of_people_alone_is_one_run(told):
    people = {"scene": "team", "user_details": {"a": {"role": "Engineer"}, "b": {"role": "Lead"}}}
    made = source(chat(message(1, "a", "x"), message(2, "b", "y"), meta=people))
    (run,) = told(made).found
    assert [step.kind for step in run.steps] == [INPUT, INPUT]


@pytest.mark.parametrize(
    ("sender", "own", "kind"),
    [
        ("robot_7", {}, SAID),
        ("assistant", {}, SAID),
        ("aida", {}, INPUT),
        ("x", {"role": "assistant"}, SAID),
        ("robot_1", {"role": "user"}, INPUT),
        ("x", {"role": "system"}, StepKind.INSTRUCTION),
        ("x", {"role": "tool", "tool_call_id": "c1"}, StepKind.RESULT),
    ],
)
def test_who_speaks_is_told_by_role_else_by_name(told, sender, own, kind):
    made = source(chat(message(1, sender, "x", **own), meta={"user_details": {}}))
    assert told(made).found[0].steps[0].kind is kind


def test_calls_of_tools_and_their_results_are_joined(told):
    call = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"q": 1}'}}
    made = source(
        chat(
            message(1, "user_1", "find it"),
            message(2, "robot_1", None, tool_calls=[call]),
            message(3, "robot_1", "on the shelf", role="tool", tool_call_id="c1"),
        )
    )
    (run,) = told(made).found
    _, action, result = run.steps
    assert (action.kind, action.name, action.call) == (StepKind.ACTION, "look", "c1")
    assert (result.kind, result.call) == (StepKind.RESULT, "c1")


def test_parts_of_a_message_are_one_text(told):
    parts = [{"type": "text", "text": "look"}, {"type": "image", "uri": "a.png"}]
    (run,) = told(source(chat(message(1, "user_1", parts)))).found
    assert run.steps[0].text == 'look\n{"type":"image","uri":"a.png"}'


def test_a_message_of_an_unknown_type_is_a_note_and_counted(told):
    reading = told(source(chat(*ASKED[:2], message(5, "user_1", "waves", type="dance"))))
    assert reading.found[0].steps[-1].kind is StepKind.NOTE
    assert reading.remarks[RemarkCode.UNKNOWN_TYPES] == 1


def test_quoted_messages_are_named(told):
    quotes = [ASKED[0], "m2"]
    made = source(chat(*ASKED[:2], message(5, "robot_1", "again", refer_list=quotes)))
    assert told(made).found[0].foreign["refers_to"] == {"m5": ["m1", "m2"]}


def test_an_empty_a_broken_and_a_copied_message_belong_to_no_run(told):
    made = source(
        chat(
            ASKED[0],
            message(9, "user_1", " "),
            message(10, "user_1", "x", create_time="noon"),
            {"sender": "user_1", "message_id": "m11"},
            5,
            ASKED[0],
            ASKED[1],
        )
    )
    reading = told(made)
    run = reading.found[-1]
    assert isinstance(run, Trajectory)
    assert len(run.steps) == 2
    assert reading.found[:-1] == [
        Nothing(NothingReason.EMPTY_TEXT),
        Failed(FailReason.TIME_INVALID, name="create_time"),
        Failed(FailReason.FIELD_MISSING, name="content"),
        Failed(FailReason.WRONG_SHAPE),
        Nothing(NothingReason.COPIED_LINE),
    ]
    assert reading.remarks[RemarkCode.COPIED_LINES] == 1


def test_two_messages_under_one_id_are_both_kept_and_remarked(told):
    reading = told(source(chat(ASKED[0], message(1, "user_1", "else"))))
    assert len(reading.found[0].steps) == 2
    assert reading.remarks[RemarkCode.IDS_REPEATED] == 1


@pytest.mark.parametrize(("zone", "assumed"), [("UTC", False), ("Asia/Shanghai", True)])
def test_times_without_a_zone_are_assumed_to_be_utc_unless_the_file_says_so(told, zone, assumed):
    made = source(
        chat(
            message(1, "user_1", "x", create_time="2026-03-01T10:00:00"),
            meta={"default_timezone": zone},
        )
    )
    (run,) = told(made).found
    assert run.steps[0].at == "2026-03-01T10:00:00+00:00"
    assert (RemarkCode.TIME_ZONE_ASSUMED in run.remarks) == assumed


def test_what_is_said_of_the_session_after_the_messages_counts(told):
    whole = chat(message(1, "x", "hi"), meta={"user_details": {"x": {"role": "assistant"}}})
    turned = {name: whole[name] for name in ("conversation_list", "version", "session_meta")}
    (run,) = told(source(turned)).found
    assert run.steps[0].kind is SAID
    assert run.run == {"group": "group_3"}


def test_several_chats_in_a_list_or_in_lines_stay_apart(told):
    chats = [chat(*ASKED[:2]), chat(*ASKED[:2], meta={"group_id": "group_4"})]
    lines = b"\n".join(json.dumps(one).encode() for one in chats)
    for made in (source(chats), source(chats, indent=2), from_bytes("lines", lines)):
        assert catalogue.detect(made).name == "evermemos_chat"
        reading = told(made)
        assert [run.source_id for run in reading.found] == [
            "evermemos:group_3/m1",
            "evermemos:group_4/m1",
        ]
        for run in reading.found:
            for step in run.steps:
                element = json.loads(made.content[step.start : step.end])
                assert element["content"] == step.text
                assert step.line == made.content.count(b"\n", 0, step.start) + 1


def test_bare_messages_are_a_chat_of_their_own(told):
    made = source(list(ASKED))
    assert catalogue.detect(made).name == "evermemos_chat"
    assert [run.source_id for run in told(made).found] == ["evermemos:m1", "evermemos:m3"]


def test_a_chat_that_is_cut_keeps_what_came_before(told):
    cut = source(chat(*ASKED)).content[:-40]
    reading = told(from_bytes("cut", cut), "evermemos_chat")
    assert [type(one) for one in reading.found] == [Trajectory, Failed, Trajectory]
    assert reading.remarks[RemarkCode.TAIL_CUT] == 1
    texts = [step.text for one in reading.found if type(one) is Trajectory for step in one.steps]
    assert texts == ["Где лампа?", "На полке.", "А ключи?"]


def test_empty_chats_hold_no_run(told):
    for content in (b"", b"[]", json.dumps(chat()).encode()):
        assert told(from_bytes("x", content), "evermemos_chat").reads == []


@pytest.mark.parametrize("detail", [None, 5, [], {"user_1": 5}, {"user_1": {"role": [1]}}])
def test_a_broken_description_of_people_does_no_harm(told, detail):
    made = source(
        chat(*ASKED, meta={"user_details": detail, "group_id": [1], "default_timezone": [1]})
    )
    assert len(told(made).found) == 2


@pytest.mark.parametrize(
    "foreign",
    [
        [{"role": "user", "content": "hi"}],
        {"messages": [{"role": "user", "content": "hi"}]},
        [{"memory_type": "atomic_fact", "atomic_fact": "x", "user_id": "u"}],
        {"conversation": {"speaker_a": "A"}, "qa": []},
    ],
)
def test_records_of_other_systems_are_not_claimed(foreign):
    assert not evermemos_chat.recognises(source(foreign).head())


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[[[[", b"\x80\x04abc", b"\xff\xfe[", b'{"conversation_list"']
)
def test_detection_survives_any_bytes(content):
    assert evermemos_chat.recognises(from_bytes("x", content).head()) is False


@pytest.mark.shared
@pytest.mark.skipif(not SAMPLES.is_dir(), reason="no samples beside the checkout")
def test_every_message_of_the_sample_is_a_step():
    made = from_path(Path(SAMPLES, "evermemos", "solo_chat_en.json"))
    assert catalogue.detect(made).name == "evermemos_chat"
    runs = [one.found for one in evermemos_chat.read(made) if isinstance(one, Read)]
    assert len(runs) == 52
    assert {tuple(step.kind for step in run.steps) for run in runs} == {(INPUT, SAID)}
