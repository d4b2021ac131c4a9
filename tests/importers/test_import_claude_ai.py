import json
import tracemalloc
from pathlib import Path

import pytest

from importers import catalogue
from importers.claude_ai import importer as claude_ai
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

SAMPLES = Path(__file__).resolve().parents[3] / "shared" / "samples" / "claude_ai_export"
ROOT = "00000000-0000-4000-8000-000000000000"


def message(uuid, sender="human", text="hello", **more):
    return {"uuid": uuid, "sender": sender, "content": [{"type": "text", "text": text}], **more}


def conversation(*messages, uuid="c", **more):
    return {"uuid": uuid, "name": "n", "chat_messages": list(messages), **more}


def source(value, name="conversations.json", **how):
    return from_bytes(name, json.dumps(value, ensure_ascii=False, **how).encode())


def tree(*links):
    """Messages by ``(uuid, parent)``; those that begin with u are a person's."""
    return [
        message(
            uuid,
            "human" if uuid.startswith("u") else "assistant",
            uuid,
            parent_message_uuid=parent,
            created_at=f"2026-03-01T10:00:{n:02}Z",
        )
        for n, (uuid, parent) in enumerate(links)
    ]


def said(run):
    return [step.text for step in run.steps]


def runs(reading):
    return [one for one in reading.found if isinstance(one, Trajectory)]


def test_each_question_with_its_answer_is_a_run(told):
    reading = told("claude_ai/conversations.json")
    first, second, empty = reading.found
    assert first.source_id == "claude-ai:conv-1/m1"
    assert [step.kind for step in first.steps] == [
        StepKind.INPUT,
        StepKind.RECALLED,
        StepKind.THOUGHT,
        StepKind.ACTION,
        StepKind.RESULT,
        StepKind.NOTE,
        StepKind.SAID,
    ]
    assert first.run == {"session": "conv-1"}
    assert (first.started_at, first.ended_at) == (
        "2026-03-01T10:00:01Z",
        "2026-03-01T10:00:09.000000+00:00",
    )
    assert said(second) == ["Спасибо"]
    assert empty == Nothing(NothingReason.EMPTY_RUN)


def test_the_file_is_evidence_only_and_says_so_first(told):
    reading = told("claude_ai/conversations.json")
    assert list(reading.remarks)[:2] == [RemarkCode.EVIDENCE_ONLY, RemarkCode.NO_DECISIONS]
    assert not any(one.decisions for one in runs(reading))


def test_title_and_account_are_claims_of_the_file(told):
    first = told("claude_ai/conversations.json").found[0]
    assert first.foreign["title"] == "Склад"
    assert first.foreign["claimed_tenant"] == "acc-1"


def test_pasted_text_is_what_the_agent_was_given(told):
    first = told("claude_ai/conversations.json").found[0]
    pasted = first.steps[1]
    assert (pasted.kind, pasted.name, pasted.text) == (
        StepKind.RECALLED,
        "paste.txt",
        "Накладная № 7",
    )
    assert first.foreign["files"] == ["фото.png"]


def test_a_result_is_joined_to_its_call_and_an_offered_approval_decides_nothing(told):
    first = told("claude_ai/conversations.json").found[0]
    call, result = first.steps[3:5]
    assert (call.name, call.call, json.loads(call.text)) == (
        "search",
        "t1",
        {"query": "накладная"},
    )
    assert (result.name, result.call, result.text) == ("search", "t1", "doc 7")
    assert first.foreign["calls"][0]["approval_options"] == ["once", "always"]
    assert first.decisions == ()


def test_a_block_of_an_unknown_type_is_a_note_and_counted(told):
    reading = told("claude_ai/conversations.json")
    note = reading.found[0].steps[5]
    assert (note.name, json.loads(note.text)["shape"]) == ("hologram", "cube")
    assert reading.remarks[RemarkCode.UNKNOWN_TYPES] == 1


def test_the_kept_bytes_hold_every_step_where_its_span_says(told, data):
    whole = (data / "claude_ai" / "conversations.json").read_bytes()
    for read in told("claude_ai/conversations.json").reads[:2]:
        for step in read.found.steps:
            assert step.text in (
                read.raw[step.span.start : step.span.end].decode()
                if step.kind not in (StepKind.ACTION, StepKind.NOTE)
                else step.text
            )
            assert whole[step.start : step.end] in read.raw
            assert step.line == whole.count(b"\n", 0, step.start) + 1


def test_an_empty_conversation_keeps_its_own_bytes(told, data):
    whole = (data / "claude_ai" / "conversations.json").read_bytes()
    read = told("claude_ai/conversations.json").reads[-1]
    assert whole[read.place.start : read.place.end] == read.raw
    assert json.loads(read.raw)["uuid"] == "conv-2"


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"text": "", "content": [{"type": "text", "text": "in content"}]}, "in content"),
        ({"text": "in text", "content": []}, "in text"),
        ({"text": "in text"}, "in text"),
        ({"text": "in text", "content": None}, "in text"),
        ({"text": "copy", "content": "in content"}, "in content"),
        ({"text": "ignored copy", "content": [{"type": "text", "text": "said"}]}, "said"),
        ({"text": "in text", "content": [{"type": "thinking", "thinking": ""}]}, "in text"),
        ({"content": [{"type": "voice_note", "title": "t", "text": "spoken"}]}, "spoken"),
    ],
)
def test_text_stands_in_only_where_content_holds_no_words(told, fields, expected):
    reading = told(source([conversation({"uuid": "m", "sender": "human", **fields})]))
    assert said(reading.found[0]) == [expected]


def test_a_placeholder_for_a_tool_is_no_text(told):
    flat = "```\nThis block is not supported on your current device yet.\n```"
    call = {"type": "tool_use", "id": "t", "name": "bash", "input": {"command": "ls"}}
    answer = {"uuid": "a", "sender": "assistant", "text": flat, "content": [call]}
    reading = told(source([conversation(message("u"), answer)]))
    assert [step.kind for step in reading.found[0].steps] == [StepKind.INPUT, StepKind.ACTION]


def test_a_failed_tool_is_marked(told):
    result = {
        "type": "tool_result",
        "tool_use_id": "t",
        "content": "no such file",
        "is_error": True,
    }
    answer = {"uuid": "a", "sender": "assistant", "content": [result]}
    step = told(source([conversation(message("u"), answer)])).found[0].steps[1]
    assert (step.failed, step.text, step.call) == (True, "no such file", "t")


def test_a_message_with_only_a_file_still_asks(told):
    asked = {"uuid": "u", "sender": "human", "text": "", "files": [{"file_name": "plan.pdf"}]}
    (run,) = told(source([conversation(asked, message("a", "assistant", "seen"))])).found
    assert said(run) == ["", "seen"]
    assert run.foreign["files"] == ["plan.pdf"]


def test_messages_without_parents_follow_their_index(told):
    reading = told(
        source(
            [
                conversation(
                    message("a", "assistant", "answer", index=1),
                    message("u", "human", "question", index=0),
                )
            ]
        )
    )
    assert said(reading.found[0]) == ["question", "answer"]


def test_the_current_leaf_decides_which_branch_was_followed(told):
    links = [("u1", ROOT), ("a1", "u1"), ("a2", "u1"), ("u2", "a1"), ("a3", "u2")]
    made = conversation(*tree(*links), current_leaf_message_uuid="a3")
    reading = told(source([made]))
    assert [said(one) for one in runs(reading)] == [["u1", "a1"], ["u2", "a3"], ["u1", "a2"]]
    assert [one.branch_of for one in runs(reading)] == [None, None, "claude-ai:c/u1"]
    assert reading.remarks[RemarkCode.OTHER_BRANCHES] == 1
    assert not any(one.decisions for one in runs(reading))


def test_without_a_leaf_the_newest_message_ends_the_path(told):
    links = [("u1", ROOT), ("a1", "u1"), ("a2", "u1")]
    first, second = runs(told(source([conversation(*tree(*links))])))
    assert (said(first), said(second)) == (["u1", "a2"], ["u1", "a1"])


def test_an_edited_question_is_an_alternative_beside_the_one_that_was_followed(told):
    links = [("u1", ROOT), ("a1", "u1"), ("u2", "a1"), ("a2", "u2"), ("u3", "a1"), ("a3", "u3")]
    made = conversation(*tree(*links), current_leaf_message_uuid="a3")
    found = runs(told(source([made])))
    assert [(one.source_id, one.branch_of) for one in found] == [
        ("claude-ai:c/u1", None),
        ("claude-ai:c/u3", None),
        ("claude-ai:c/u2", "claude-ai:c/u3"),
    ]


def test_a_parent_that_is_not_there_is_the_message_before(told):
    links = [("u1", ROOT), ("a1", "u1"), ("u2", "gone"), ("a2", "u2")]
    found = runs(told(source([conversation(*tree(*links))])))
    assert [(said(one), one.branch_of) for one in found] == [
        (["u1", "a1"], None),
        (["u2", "a2"], None),
    ]


def test_parents_in_a_ring_lose_no_message(told):
    links = [("u1", "a1"), ("a1", "u1"), ("u2", ROOT), ("a2", "u2")]
    found = runs(told(source([conversation(*tree(*links))])))
    assert {text for one in found for text in said(one)} == {"u1", "a1", "u2", "a2"}


def test_a_broken_message_fails_alone_and_its_answers_stay_on_their_path(told):
    links = tree(("u1", ROOT), ("a1", "u1"), ("u2", "a1"), ("a2", "u2"))
    links[1]["content"] = [{"type": "text", "text": 5}]
    reading = told(source([conversation(*links)]))
    assert [one for one in reading.found if isinstance(one, Failed)] == [
        Failed(FailReason.FIELD_INVALID, name="text")
    ]
    assert [(said(one), one.branch_of) for one in runs(reading)] == [
        (["u1"], None),
        (["u2", "a2"], None),
    ]


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"created_at": "yesterday"}, Failed(FailReason.TIME_INVALID, name="created_at")),
        ({"sender": None}, Failed(FailReason.FIELD_MISSING, name="role")),
        ({"sender": 5}, Failed(FailReason.FIELD_INVALID, name="sender")),
        ({"content": 5}, Failed(FailReason.FIELD_INVALID, name="content")),
        ({"attachments": "a"}, Failed(FailReason.FIELD_INVALID, name="attachments")),
        ({"files": [5]}, Failed(FailReason.FIELD_INVALID, name="files")),
    ],
)
def test_a_wrong_type_fails_the_message_by_name(told, change, fault):
    reading = told(source([conversation(message("u1"), {**message("u2"), **change})]))
    failed, run = reading.found
    assert failed == fault
    assert said(run) == ["hello"]


def test_a_sender_that_is_not_known_is_a_note(told):
    reading = told(source([conversation(message("u"), message("x", "oracle", "omen"))]))
    assert reading.found[0].steps[1].kind is StepKind.NOTE
    assert reading.remarks[RemarkCode.UNKNOWN_TYPES] == 1


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"chat_messages": None}, Failed(FailReason.FIELD_MISSING, name="chat_messages")),
        ({"chat_messages": {}}, Failed(FailReason.FIELD_INVALID, name="chat_messages")),
        ({"uuid": []}, Failed(FailReason.FIELD_INVALID, name="uuid")),
    ],
)
def test_a_wrong_conversation_leaves_its_neighbours(told, change, fault):
    good = conversation(message("u"), uuid="good")
    reading = told(source([good, {**conversation(message("u")), **change}, good]), "claude_ai")
    assert [type(one) for one in reading.found] == [Trajectory, Failed, Trajectory]
    assert reading.found[1] == fault


def test_ids_given_twice_lose_no_message(told):
    reading = told(source([conversation(message("u", text="one"), message("u", text="two"))]))
    assert [said(one) for one in runs(reading)] == [["one"], ["two"]]
    assert len({one.source_id for one in runs(reading)}) == 2
    assert reading.remarks[RemarkCode.IDS_REPEATED] == 1


def test_a_pasted_document_over_the_limit_is_cut_and_told_by_digest(told):
    long = "слово " * 20_000
    asked = message("u", attachments=[{"file_name": "a.txt", "extracted_content": long}])
    reading = told(source([conversation(asked)]))
    (run,) = reading.found
    pasted = run.steps[1]
    assert long.startswith(pasted.text)
    assert pasted.omitted.size == len(long.encode())
    assert reading.remarks[RemarkCode.STEPS_CUT] == 1


def test_base64_is_a_pointer(told):
    picture = {
        "type": "image",
        "source": {"type": "base64", "media_type": "image/png", "data": "QUJD" * 2_000},
    }
    asked = {"uuid": "u", "sender": "human", "content": [picture]}
    reading = told(source([conversation(asked)]))
    (step,) = reading.found[0].steps
    assert (step.omitted.size, step.omitted.media_type) == (6_000, "image/png")
    assert reading.remarks[RemarkCode.BULK_REPLACED] == 1


def test_a_single_conversation_is_read_whether_it_is_printed_or_not(told):
    made = conversation(message("u", created_at="2026-03-01T10:00:00Z"), created_at="2026-03-01")
    for how in ({}, {"indent": 2}, {"indent": 0}):
        reading = told(source(made, **how))
        assert [said(one) for one in reading.found] == [["hello"]]
        read = reading.reads[0]
        assert json.loads(read.raw)["uuid"] == "u"


def test_conversations_in_lines_and_in_a_wrapper_are_read(told):
    made = [conversation(message("u"), uuid=name) for name in ("c1", "c2")]
    lines = "\n\n".join(json.dumps(one) for one in made).encode()
    reading = told(from_bytes("a.jsonl", b"\xef\xbb\xbf" + lines))
    assert [type(one) for one in reading.found] == [Trajectory, Nothing, Trajectory]
    wrapped = told(source({"exported": "2026-03-01", "conversations": made}))
    assert [one.source_id for one in wrapped.found] == ["claude-ai:c1/u", "claude-ai:c2/u"]


def test_places_hold_for_a_byte_order_mark_and_a_single_object(told):
    data = b"\xef\xbb\xbf \n" + json.dumps(conversation(message("u")), indent=1).encode()
    (read,) = told(from_bytes("a.json", data)).reads
    assert json.loads(data[read.place.start : read.place.end])["uuid"] == "u"
    assert read.place.line == data.count(b"\n", 0, read.place.start) + 1


def test_a_file_that_is_cut_gives_what_was_whole(told, data):
    whole = (data / "claude_ai" / "conversations.json").read_bytes()
    for end in range(300, len(whole) - 3, 97):
        reading = told(from_bytes("a.json", whole[:end]), "claude_ai")
        cut = [one for one in reading.found if isinstance(one, Failed)]
        assert [one.reason for one in cut][-1:] == [FailReason.CUT_SHORT]
        assert reading.remarks[RemarkCode.TAIL_CUT] == 1


def test_nan_in_one_message_stops_nobody(told):
    good, bad = json.dumps(message("u")), '{"uuid": "x", "sender": "human", "text": NaN}'
    text = f'[{{"uuid": "c", "name": "n", "chat_messages": [{good}, {bad}, {good}]}}]'
    reading = told(from_bytes("a.json", text.encode()))
    assert [type(one) for one in reading.found] == [Failed, Trajectory, Trajectory]
    assert reading.found[0].reason is FailReason.NOT_A_NUMBER


def test_a_key_given_twice_in_a_conversation_fails_it(told):
    text = b'[{"uuid": "c", "uuid": "d", "name": "n", "chat_messages": []}]'
    assert told(from_bytes("a.json", text)).found == [Failed(FailReason.DUPLICATE_KEYS, column=14)]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[",
        b"{",
        b"[]",
        b"\xff\xfe",
        b'[{"uuid": "a", "name": "memory without messages"}]',
        b'{"type": "user", "message": {"content": "\\"chat_messages\\": []"}}',
        b'{"conversations_memory": "chat_messages", "uuid": "x"}',
        b'[{"uuid": "p", "docs": [{"uuid": "d", "chat_messages": []}]}]',
    ],
)
def test_what_is_not_an_export_is_not_claimed_and_breaks_nothing(content):
    assert not claude_ai.recognises(Head("x", content))
    for one in claude_ai.read(from_bytes("x", content)):
        assert not isinstance(one, Read) or isinstance(one.found, Failed | Nothing)


def test_a_long_first_conversation_is_recognised_by_its_beginning(told):
    made = [conversation(message("u", text="x" * 50_000), message("v", text="y" * 50_000))]
    assert claude_ai.recognises(source(made).head())
    assert claude_ai.recognises(Head("a", source(made).head().data[:4096]))


def test_a_large_file_is_read_in_flat_memory(tmp_path):
    one = conversation(*[message(f"u{n}", text="слово " * 300) for n in range(100)])
    path = tmp_path / "conversations.json"
    with path.open("w") as file:
        file.write("[" + ",\n".join([json.dumps(one)] * 12) + "]")
    tracemalloc.start()
    count = sum(isinstance(read, Read) for read in claude_ai.read(from_path(path)))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 1_200
    assert path.stat().st_size > 11_000_000
    assert peak < 8_000_000


@pytest.mark.shared
@pytest.mark.skipif(not SAMPLES.is_dir(), reason="no samples beside the checkout")
@pytest.mark.parametrize(
    ("sample", "count", "steps"),
    [
        ("ctxray_claude_export.json", 4, 7),
        ("osteele_conversations.json", 3, 6),
        ("osteele_debugging.json", 2, 4),
    ],
)
def test_every_question_of_a_sample_is_a_run(sample, count, steps):
    reading = catalogue.open_reading(from_path(SAMPLES / sample))
    assert reading.origin.importer == "claude_ai"
    found = [one.found for one in reading.records if isinstance(one, Read)]
    assert all(isinstance(one, Trajectory) for one in found)
    assert (len(found), sum(len(one.steps) for one in found)) == (count, steps)


@pytest.mark.shared
@pytest.mark.skipif(not SAMPLES.is_dir(), reason="no samples beside the checkout")
@pytest.mark.parametrize("sample", ["memories.json", "projects.json"])
def test_memories_and_projects_are_no_conversations(sample):
    assert not claude_ai.recognises(from_path(SAMPLES / sample).head())


@pytest.mark.parametrize("sort", [{}, [], 1, None])
def test_a_part_of_a_result_whose_type_is_no_text_still_says_its_text(told, sort):
    block = {"type": "tool_result", "tool_use_id": "t", "content": [{"type": sort, "text": "r"}]}
    answer = message("a", "assistant", content=[block])
    (run,) = runs(told(source([conversation(message("u"), answer)])))
    assert [step.text for step in run.steps] == ["hello", "r"]
