import json
import tracemalloc
from pathlib import Path

import pytest

from importers import catalogue
from importers.chatgpt import importer as chatgpt
from importers.source import Head, from_bytes, from_members, from_path
from store.cells import Kind, Proposal, SourceType
from store.records import (
    Failed,
    FailReason,
    Nothing,
    NothingReason,
    Read,
    RemarkCode,
)
from store.trajectories import StepKind, Trajectory, Verdict

SAMPLES = Path(__file__).resolve().parents[3] / "shared" / "samples" / "chatgpt_export"
CHAT = "chatgpt/export/conversations.json"


def node(key, parent, role="user", content=None, children=(), at=None, **more):
    """A node of a mapping; ``content`` is a text or a content object."""
    text = key if content is None else content
    told = text if isinstance(text, dict) else {"content_type": "text", "parts": [text]}
    message = {
        "id": key,
        "author": {"role": role, "name": more.pop("name", None)},
        "create_time": at,
        "content": told,
        "metadata": more.pop("metadata", {}),
        "recipient": more.pop("recipient", "all"),
    }
    return {"id": key, "message": message, "parent": parent, "children": list(children)}


def chat(*nodes, current=None, own="c", **more):
    mapping = {one["id"]: one for one in nodes}
    return {
        "title": "t",
        "create_time": 1736616594.0,
        "mapping": mapping,
        "current_node": current,
        "conversation_id": own,
        **more,
    }


def source(*chats, name="conversations.json"):
    return from_bytes(name, json.dumps(list(chats), ensure_ascii=False).encode())


def said(run):
    return [step.text for step in run.steps]


def runs(reading):
    return [one for one in reading.found if isinstance(one, Trajectory)]


def proposals(reading):
    return [one for one in reading.found if isinstance(one, Proposal)]


def answered(told, content, role="assistant", **more):
    """The steps of one message that answers a question."""
    reading = told(source(chat(node("u", None), node("a", "u", role, content, **more))))
    return reading, runs(reading)[0].steps[1:]


def test_the_path_to_the_current_node_is_followed_and_the_other_answer_stands_beside(told):
    first, second, beside = runs(told(CHAT))
    assert said(first) == [
        "Запомни: по вторникам перевозчик не работает",
        "Перевозчик не работает по вторникам.",
        "Model set context updated.",
        "Записано. ",
    ]
    assert said(second) == ["Спасибо"]
    assert said(beside) == ["Запомни: по вторникам перевозчик не работает", "Хорошо."]
    assert (first.branch_of, beside.branch_of) == (None, "chatgpt:c-1/u1")
    assert beside.source_id == "chatgpt:c-1/u1@b1"


def test_a_regenerated_answer_is_no_rejection(told):
    reading = told(CHAT)
    assert reading.remarks[RemarkCode.OTHER_BRANCHES] == 1
    assert not any(one.decisions for one in runs(reading))
    assert RemarkCode.NO_DECISIONS in reading.remarks


def test_times_are_epochs_and_may_be_absent(told):
    first = runs(told(CHAT))[0]
    assert first.started_at == "2025-01-11T17:29:54.250000+00:00"
    made = chat(node("u", None), node("a", "u", "assistant"), create_time=None)
    (run,) = runs(told(source(made)))
    assert (run.started_at, [step.at for step in run.steps]) == (None, [None, None])


def test_a_conversation_without_messages_is_an_empty_run(told):
    reading = told(CHAT)
    assert reading.found[-1] == Nothing(NothingReason.EMPTY_RUN)
    assert json.loads(reading.reads[-1].raw)["conversation_id"] == "c-2"


def test_a_saved_memory_is_a_preference_whose_evidence_is_what_the_person_said(told, data):
    whole = (data / CHAT).read_bytes()
    reading = told(CHAT)
    (made,) = proposals(reading)
    read = next(one for one in reading.reads if one.found is made)
    assert made.claim == "Перевозчик не работает по вторникам."
    assert (made.kind, made.source_type) == (
        Kind.PROFILE_PREFERENCE,
        SourceType.MODEL_EXTRACTION,
    )
    assert made.source_id == "chatgpt:c-1/a1"
    assert made.written_at == "2025-01-11T17:29:57+00:00"
    (span,) = made.evidence
    assert (
        read.raw[span.start : span.end].decode() == "Запомни: по вторникам перевозчик не работает"
    )
    assert whole[read.place.start : read.place.end] == read.raw
    assert made.foreign["evidence_message"] == "u1"


def test_a_memory_far_from_its_question_keeps_its_own_bytes(told):
    far = [
        node("u", None, children=["m"]),
        node("long", None, "assistant", "x" * 60_000),
        node("long2", None, "assistant", "x" * 60_000),
        node("m", "u", "assistant", "Likes tea.", recipient="bio", at=1736616597),
    ]
    reading = told(source(chat(*far, current="m")))
    (made,) = proposals(reading)
    read = next(one for one in reading.reads if one.found is made)
    assert json.loads(read.raw)["id"] == "m"
    assert read.raw[made.evidence[0].start : made.evidence[0].end] == b"Likes tea."


def test_a_memory_on_a_branch_that_was_left_was_saved_all_the_same(told):
    nodes = [
        node("u", None),
        node("a", "u", "assistant", "done"),
        node("m", "u", "assistant", "Likes tea.", recipient="bio", at=1736616597),
    ]
    reading = told(source(chat(*nodes, current="a")))
    assert [one.claim for one in proposals(reading)] == ["Likes tea."]


CONTEXT = {
    "content_type": "model_editable_context",
    "model_set_context": (
        "1. [2024-05-01]. Lives in Perm.\n2. [2025-11-20]. Moved to Tver,\nthen wrote."
    ),
}


def test_each_line_of_what_was_saved_is_a_preference_with_its_day(told):
    nodes = [node("m", None, "assistant", CONTEXT), node("u", "m")]
    reading = told(source(chat(*nodes)))
    first, second = proposals(reading)
    assert (first.claim, first.written_at) == ("Lives in Perm.", "2024-05-01T00:00:00+00:00")
    assert second.claim == "Moved to Tver,\nthen wrote."
    assert {RemarkCode.SOURCE_LINK_ABSENT, RemarkCode.TIME_ZONE_ASSUMED} <= set(first.remarks)
    assert first.edges == second.edges == ()


def test_the_same_list_in_the_next_conversation_is_a_copy(told):
    more = {
        **CONTEXT,
        "model_set_context": CONTEXT["model_set_context"] + "\n3. [2026-01-01]. New.",
    }
    reading = told(
        source(
            chat(node("m", None, "assistant", CONTEXT), node("u", "m"), own="c1"),
            chat(node("m", None, "assistant", CONTEXT), node("u", "m"), own="c2"),
            chat(node("m", None, "assistant", more), node("u", "m"), own="c3"),
        )
    )
    assert [one.claim for one in proposals(reading)] == [
        "Lives in Perm.",
        "Moved to Tver,\nthen wrote.",
        "New.",
    ]
    assert reading.found.count(Nothing(NothingReason.COPIED_LINE)) == 2


def test_custom_instructions_are_preferences_in_the_person_s_words(told):
    content = {
        "content_type": "user_editable_context",
        "user_profile": "The user says:\n```I sell tea.```",
        "user_instructions": "The user wants:\n```Answer briefly.```",
    }
    own = {"user_context_message_data": {"about_user_message": "I sell tea."}}
    nodes = [node("x", None, "user", content, metadata=own), node("u", "x")]
    reading = told(source(chat(*nodes)))
    profile, wish = proposals(reading)
    assert (profile.claim, wish.claim) == ("I sell tea.", "Answer briefly.")
    assert profile.foreign["claimed_writer"] == "user"
    assert profile.source_type is SourceType.FOREIGN_MEMORY
    (run,) = runs(reading)
    assert [step.kind for step in run.steps] == [
        StepKind.INSTRUCTION,
        StepKind.INSTRUCTION,
        StepKind.INPUT,
    ]


def test_a_memory_without_a_time_takes_the_file_s_and_says_so(told):
    made = source(chat(node("u", None), node("m", "u", "assistant", "Tea.", recipient="bio")))
    made = from_bytes("a.json", made.content, modified_at="2026-01-01T00:00:00Z")
    (one,) = proposals(told(made))
    assert one.written_at == "2026-01-01T00:00:00Z"
    assert RemarkCode.WRITTEN_AT_ASSUMED in one.remarks


@pytest.mark.parametrize(
    ("content", "role", "expected"),
    [
        (
            {"content_type": "text", "parts": ["a", "b"]},
            "assistant",
            [("said", "a"), ("said", "b")],
        ),
        ({"content_type": "text", "parts": [""]}, "assistant", []),
        (
            {"content_type": "code", "language": "python", "text": "1+1"},
            "assistant",
            [("said", "1+1")],
        ),
        ({"content_type": "execution_output", "text": "2"}, "tool", [("result", "2")]),
        (
            {"content_type": "tether_quote", "url": "https://a.example", "text": "quoted"},
            "tool",
            [("result", "quoted")],
        ),
        (
            {"content_type": "tether_browsing_display", "result": "found", "summary": ""},
            "tool",
            [("result", "found")],
        ),
        (
            {"content_type": "thoughts", "thoughts": [{"summary": "s", "content": "c"}]},
            "assistant",
            [("thought", "s"), ("thought", "c")],
        ),
        (
            {"content_type": "reasoning_recap", "content": "Thought for 5s"},
            "assistant",
            [("note", "Thought for 5s")],
        ),
        (
            {"content_type": "system_error", "name": "Err", "text": "broke"},
            "tool",
            [("result", "broke")],
        ),
        (CONTEXT, "assistant", [("recalled", CONTEXT["model_set_context"])]),
    ],
)
def test_each_type_of_content_has_its_kind_of_step(told, content, role, expected):
    reading, steps = answered(told, content, role)
    assert [(step.kind.value, step.text) for step in steps] == expected
    assert RemarkCode.UNKNOWN_TYPES not in reading.remarks


def test_pictures_stand_beside_the_words_and_speech_is_said(told):
    content = {
        "content_type": "multimodal_text",
        "parts": [
            {"content_type": "image_asset_pointer", "asset_pointer": "file://1"},
            {"content_type": "audio_transcription", "text": "spoken"},
            "typed",
        ],
    }
    (run,) = runs(told(source(chat(node("u", None, "user", content)))))
    assert said(run) == ["spoken", "typed"]
    assert run.foreign["files"] == ["file://1"]


def test_a_question_that_is_only_a_picture_still_asks(told):
    part = {"content_type": "image_asset_pointer", "asset_pointer": "file://1"}
    content = {"content_type": "multimodal_text", "parts": [part]}
    nodes = [node("u", None, "user", content), node("a", "u", "assistant")]
    (run,) = runs(told(source(chat(*nodes))))
    assert [step.kind for step in run.steps] == [StepKind.INPUT, StepKind.SAID]


def test_an_error_is_a_failed_result(told):
    content = {"content_type": "system_error", "name": "Err", "text": "broke"}
    _, (step,) = answered(told, content, "tool")
    assert (step.failed, step.name) == (True, "Err")


def test_a_content_type_that_is_not_known_is_a_note_and_counted(told):
    reading, (step,) = answered(told, {"content_type": "hologram", "shape": "cube"})
    assert (step.kind, step.name, json.loads(step.text)["shape"]) == (
        StepKind.NOTE,
        "hologram",
        "cube",
    )
    assert reading.remarks[RemarkCode.UNKNOWN_TYPES] == 1


def test_a_call_and_its_result_are_joined(told):
    nodes = [
        node("u", None),
        node("a", "u", "assistant", {"content_type": "code", "text": "1+1"}, recipient="python"),
        node("t", "a", "tool", {"content_type": "execution_output", "text": "2"}, name="python"),
    ]
    (run,) = runs(told(source(chat(*nodes))))
    call, result = run.steps[1:]
    assert (call.kind, call.name, result.kind, result.name) == (
        StepKind.ACTION,
        "python",
        StepKind.RESULT,
        "python",
    )
    assert call.call == result.call == "a"


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("Tea. \ue200cite\ue202turn0search1\ue202turn0search2\ue201", "Tea. "),
        ("Tea【3†source】 is good【12:0†list.txt】.", "Tea is good."),
        ('In \ue200entity\ue202["city","Tver","x"]\ue201 today', "In Tver today"),
        ("left \ue200 alone \ue202", "left  alone "),
    ],
)
def test_marks_of_citations_are_taken_out(told, written, expected):
    _, (step,) = answered(told, written)
    assert step.text == expected


def test_marks_that_a_person_typed_stay(told):
    (run,) = runs(told(source(chat(node("u", None, "user", "why 【3†source】?")))))
    assert said(run) == ["why 【3†source】?"]


def test_hidden_system_messages_are_instructions_and_open_no_run(told):
    hidden = {"is_visually_hidden_from_conversation": True}
    nodes = [
        node("s", None, "system", "Be brief."),
        node("h", "s", "user", "Original custom instructions", metadata=hidden),
        node("u", "h"),
    ]
    (run,) = runs(told(source(chat(*nodes))))
    assert [step.kind for step in run.steps] == [
        StepKind.INSTRUCTION,
        StepKind.INSTRUCTION,
        StepKind.INPUT,
    ]
    assert run.source_id == "chatgpt:c/u"


@pytest.mark.parametrize("current", [None, "gone"])
def test_without_a_current_node_the_newest_leaf_is_taken(told, current):
    nodes = [
        node("u", None),
        node("old", "u", "assistant", at=1736616597),
        node("new", "u", "assistant", at=1736616599),
        node("older", "u", "assistant", at=1736616595),
    ]
    found = runs(told(source(chat(*nodes, current=current))))
    assert [said(one)[1] for one in found] == ["new", "old", "older"]


def test_a_current_node_without_a_message_stands_for_the_one_above(told):
    nodes = [node("u", None), node("a", "u", "assistant"), node("b", "u", "assistant")]
    made = chat(*nodes, current="end")
    made["mapping"]["end"] = {"id": "end", "message": None, "parent": "a", "children": []}
    assert said(runs(told(source(made)))[0]) == ["u", "a"]


def test_nodes_in_a_ring_lose_no_message_and_end(told):
    nodes = [node("u1", "a1"), node("a1", "u1", "assistant"), node("u2", None)]
    found = runs(told(source(chat(*nodes, current="a1"))))
    assert sorted(text for one in found for text in said(one)) == ["a1", "u1", "u2"]


def test_a_dangling_parent_is_found_among_those_who_name_their_children(told):
    nodes = [node("u", None, children=["a"]), node("a", "gone", "assistant")]
    (run,) = runs(told(source(chat(*nodes, current="a"))))
    assert said(run) == ["u", "a"]


def test_several_roots_are_all_read(told):
    nodes = [node("u1", None), node("a1", "u1", "assistant"), node("u2", "gone")]
    found = runs(told(source(chat(*nodes, current="a1"))))
    assert [(said(one), one.branch_of) for one in found] == [
        (["u1", "a1"], None),
        (["u2"], "chatgpt:c/u1"),
    ]


def test_more_nodes_than_keys_of_a_parsed_object_are_read(told):
    nodes = [node("n0", None)] + [
        node(f"n{n}", f"n{n - 1}", "user" if n % 2 == 0 else "assistant") for n in range(1, 3_000)
    ]
    found = runs(told(source(chat(*nodes, current="n2999"))))
    assert len(found) == 1_500


def test_a_broken_node_fails_alone_and_its_answers_stay_on_their_path(told):
    nodes = [
        node("u", None),
        node("a", "u", "assistant"),
        node("u2", "a"),
        node("a2", "u2", "tool"),
    ]
    nodes[1]["message"]["content"]["parts"] = [5]
    reading = told(source(chat(*nodes, current="a2")))
    assert [one for one in reading.found if isinstance(one, Failed)] == [
        Failed(FailReason.FIELD_INVALID, name="parts")
    ]
    assert [(said(one), one.branch_of) for one in runs(reading)] == [
        (["u"], None),
        (["u2", "a2"], None),
    ]


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"author": None}, Failed(FailReason.FIELD_MISSING, name="role")),
        ({"author": "user"}, Failed(FailReason.FIELD_INVALID, name="author")),
        ({"create_time": "soon"}, Failed(FailReason.TIME_INVALID, name="create_time")),
        ({"content": []}, Failed(FailReason.FIELD_INVALID, name="content")),
        ({"metadata": 1}, Failed(FailReason.FIELD_INVALID, name="metadata")),
        ({"recipient": 1}, Failed(FailReason.FIELD_INVALID, name="recipient")),
    ],
)
def test_a_wrong_type_fails_the_node_by_name(told, change, fault):
    bad = node("a", "u", "assistant")
    bad["message"].update(change)
    reading = told(source(chat(node("u", None), bad)))
    assert [one for one in reading.found if isinstance(one, Failed)] == [fault]
    assert [said(one) for one in runs(reading)] == [["u"]]


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"mapping": None}, Failed(FailReason.FIELD_MISSING, name="mapping")),
        ({"mapping": []}, Failed(FailReason.FIELD_INVALID, name="mapping")),
        ({"conversation_id": {}}, Failed(FailReason.FIELD_INVALID, name="conversation_id")),
    ],
)
def test_a_wrong_conversation_leaves_its_neighbours(told, change, fault):
    good = chat(node("u", None))
    reading = told(source(good, {**good, **change}, good), "chatgpt")
    assert [type(one) for one in reading.found] == [Trajectory, Failed, Trajectory]
    assert reading.found[1] == fault


def test_a_thumb_is_a_weak_decision_on_the_message_it_names(told):
    reading = told("chatgpt/export")
    judged = [one for one in runs(reading) if one.decisions]
    assert [one.source_id for one in judged] == ["chatgpt:c-1/u1@b1"]
    (decision,) = judged[0].decisions
    assert (decision.verdict, decision.weak, decision.step) == (Verdict.REJECT, True, 1)
    assert (decision.reason, decision.by) == ("слишком кратко", "user-1")
    assert decision.review_id == "chatgpt:feedback/f-1"
    assert decision.at == "2025-01-12T10:00:00Z"


def test_a_folder_tells_what_it_passed_over_and_which_thumbs_name_nothing(told):
    reading = told("chatgpt/export")
    assert reading.remarks[RemarkCode.MEMBERS_PASSED_OVER] == 1
    assert reading.remarks[RemarkCode.DANGLING_LINK] == 1
    assert RemarkCode.NO_DECISIONS not in reading.remarks
    assert reading.found.count(Nothing(NothingReason.NOT_A_MEMORY)) == 2
    assert {one.place.member for one in reading.reads} == {
        "conversations.json",
        "message_feedback.json",
    }


def test_thumbs_in_the_same_list_are_joined_wherever_they_stand(told):
    row = {"message_id": "a", "conversation_id": "c", "rating": "thumbs_up"}
    made = chat(node("u", None), node("a", "u", "assistant"))
    for rows in ([row, made], [made, row]):
        reading = told(source(*rows), "chatgpt")
        (run,) = runs(reading)
        assert [one.verdict for one in run.decisions] == [Verdict.ACCEPT]
        assert run.decisions[0].reason is None


def test_a_rating_that_is_not_known_fails_its_row(told):
    row = {"message_id": "a", "conversation_id": "c", "rating": "stars"}
    reading = told(source(row, chat(node("u", None))), "chatgpt")
    assert reading.found[0] == Failed(FailReason.FIELD_INVALID, name="rating")


def test_a_file_of_thumbs_alone_holds_no_memory(told, data):
    reading = told("chatgpt/export/message_feedback.json")
    assert set(reading.found) == {Nothing(NothingReason.NOT_A_MEMORY)}
    assert reading.remarks[RemarkCode.DANGLING_LINK] == 2


def test_numbered_parts_of_a_large_export_are_one_source(told):
    parts = tuple(
        from_bytes(f"conversations-00{n}.json", source(chat(node("u", None), own=f"c{n}")).content)
        for n in range(3)
    )
    reading = told(from_members("export", parts))
    assert [one.source_id for one in runs(reading)] == [f"chatgpt:c{n}/u" for n in range(3)]


def test_a_single_conversation_lines_and_a_wrapper_are_read(told):
    made = chat(node("u", None))
    for content in (
        json.dumps(made),
        json.dumps(made, indent=2),
        json.dumps({"conversations": [made]}),
        json.dumps(made) + "\n" + json.dumps(made | {"conversation_id": "d"}) + "\n",
    ):
        reading = told(from_bytes("a.json", content.encode()))
        assert said(runs(reading)[0]) == ["u"]


def test_a_text_over_the_limit_is_cut_and_told_by_digest(told):
    long = '"quoted" \\ ' * 10_000
    content = {"content_type": "execution_output", "text": long}
    made = chat(node("u", None), node("t", "u", "tool", content))
    reading = told(source(made), "chatgpt")
    step = reading.found[0].steps[1]
    assert long.startswith(step.text)
    assert step.omitted.size == len(long.encode())
    assert reading.remarks[RemarkCode.STEPS_CUT] == 1


def test_steps_stand_where_their_places_say(told, data):
    whole = (data / CHAT).read_bytes()
    for read in told(CHAT).reads:
        if isinstance(read.found, Trajectory):
            for step in read.found.steps:
                assert json.loads(whole[step.start : step.end])["message"]
                assert step.line == whole.count(b"\n", 0, step.start) + 1
                if not step.text.startswith("Записано"):
                    assert read.raw[step.span.start : step.span.end].decode() == step.text


def test_a_file_that_is_cut_gives_what_was_whole(told, data):
    whole = (data / CHAT).read_bytes()
    for end in range(400, len(whole) - 3, 131):
        reading = told(from_bytes("a.json", whole[:end]), "chatgpt")
        assert reading.found[-1].reason is FailReason.CUT_SHORT
        assert reading.remarks[RemarkCode.TAIL_CUT] == 1


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"\xff\xfe",
        b'[{"mapping": {"a": "b"}}]',
        b'[{"rating": 5, "id": "x"}]',
        b'[{"args": {"mapping": {}, "current_node": "a"}}]',
        b'{"type": "user", "text": "{\\"mapping\\": {}, \\"current_node\\": 1}"}',
    ],
)
def test_what_is_not_an_export_is_not_claimed_and_breaks_nothing(content):
    assert not chatgpt.recognises(Head("x", content))
    for one in chatgpt.read(from_bytes("x", content)):
        assert not isinstance(one, Read) or isinstance(one.found, Failed | Nothing)


def test_a_large_conversation_is_recognised_by_its_beginning():
    made = chat(*[node(f"n{n}", None, "user", "x" * 1_000) for n in range(200)])
    for content in (json.dumps([made]), json.dumps(made, indent=1), json.dumps(made)):
        assert chatgpt.recognises(Head("a", content.encode()[: 64 * 1024]))
        assert chatgpt.recognises(Head("a", content.encode()[: 4 * 1024]))


def test_a_large_file_is_read_in_flat_memory(tmp_path):
    one = chat(
        *[
            node(f"n{n}", f"n{n - 1}", "user" if n % 2 else "assistant", "слово " * 300)
            for n in range(60)
        ]
    )
    path = tmp_path / "conversations.json"
    path.write_text("[" + ",\n".join([json.dumps(one)] * 15) + "]")
    tracemalloc.start()
    count = sum(isinstance(read, Read) for read in chatgpt.read(from_path(path)))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 15 * 30
    assert path.stat().st_size > 8_000_000
    assert peak < 7_000_000


@pytest.mark.shared
@pytest.mark.skipif(not SAMPLES.is_dir(), reason="no samples beside the checkout")
def test_the_sample_is_two_runs_five_memories_and_an_empty_conversation():
    reading = catalogue.open_reading(from_path(SAMPLES / "conversations_branch_bio.json"))
    assert reading.origin.importer == "chatgpt"
    found = [one.found for one in reading.records if isinstance(one, Read)]
    kinds = [type(one) for one in found]
    assert (kinds.count(Proposal), kinds.count(Trajectory), kinds.count(Nothing)) == (5, 2, 1)
    assert [one.claim for one in found if isinstance(one, Proposal)] == [
        "I run a marketplace shop.",
        "Answer briefly.",
        "User lives in Yekaterinburg.",
        "User moved to Moscow.",
        "User says their carrier is closed on Tuesdays.",
    ]


@pytest.mark.parametrize("odd", [{}, [], 1])
def test_settings_of_a_wrong_type_are_one_failure_and_the_chat_goes_on(told, odd):
    content = {"content_type": "user_editable_context", "user_profile": "p"}
    own = {"user_context_message_data": {"about_user_message": odd}}
    nodes = [node("x", None, "user", content, metadata=own), node("u", "x")]
    reading = told(source(chat(*nodes)))
    failed = Failed(FailReason.FIELD_INVALID, name="about_user_message")
    assert [one for one in reading.found if isinstance(one, Failed)] == [failed]
    assert len(runs(reading)) == 1


@pytest.mark.parametrize("empty", [None, "", " "])
def test_an_empty_list_of_what_was_saved_gives_no_proposal(told, empty):
    content = {"content_type": "model_editable_context", "model_set_context": empty}
    reading = told(source(chat(node("m", None, "assistant", content), node("u", "m"))))
    assert proposals(reading) == []
    assert len(runs(reading)) == 1
