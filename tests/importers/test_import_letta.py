"""Letta and MemGPT: agent files of both versions, blocks and passages."""

import json
from pathlib import Path

import pytest

from importers import catalogue
from importers.letta import importer as letta
from importers.source import from_bytes, from_path
from store.cells import Edge, EdgeKind, Kind, Proposal, SourceType
from store.records import Failed, FailReason, Nothing, NothingReason, Read, RemarkCode
from store.trajectories import HumanDecision, StepKind, Trajectory, Verdict

from .conftest import DATA

AT = "2026-03-01T08:00:00+00:00"
SECRET = "not-a-real-variable"
SAMPLES = Path(__file__).resolve().parents[3] / "shared" / "samples" / "letta"


def text(value):
    return [{"type": "text", "text": value}]


def message(role, content=None, **more):
    made = {"role": role, "content": text(content) if isinstance(content, str) else content}
    return made | {"created_at": AT} | more


def call(name, own="call-1", **arguments):
    function = {"name": name, "arguments": json.dumps(arguments, ensure_ascii=False)}
    return {"id": own, "type": "function", "function": function}


def block(label, value, **more):
    return {"id": f"block-{label}", "label": label, "value": value, "limit": 5000, **more}


def agent(*messages, **more):
    return {
        "id": "agent-0",
        "name": "помощник",
        "agent_type": "memgpt_v2_agent",
        "block_ids": ["block-human"],
        "tool_exec_environment_variables": {"SHOP_KEY": SECRET},
        "secrets": {"SHOP_KEY": SECRET},
        "messages": list(messages),
        **more,
    }


def agent_set(*messages, blocks=(), **more):
    return {
        "agents": [agent(*messages)],
        "groups": [],
        "blocks": list(blocks),
        "files": [],
        "sources": [],
        "tools": [],
        "mcp_servers": [],
        "metadata": {"revision_id": "1"},
        "created_at": "2026-03-02T09:00:00+00:00",
        **more,
    }


def old_agent(*messages, blocks=()):
    return {
        "agent_type": "memgpt_agent",
        "core_memory": list(blocks),
        "in_context_message_indices": [1, 0],
        "messages": list(messages),
        "name": "old",
        "tool_exec_environment_variables": [{"key": "SHOP_KEY", "value": SECRET}],
        "version": "0.6.47",
    }


def source(*values, indent=None):
    rows = (json.dumps(one, ensure_ascii=False, indent=indent) for one in values)
    return from_bytes("agent.af", "\n".join(rows).encode(), modified_at="2026-04-01T00:00:00Z")


def proposals(reading):
    return [one for one in reading.found if isinstance(one, Proposal)]


def runs(reading):
    return [one for one in reading.found if isinstance(one, Trajectory)]


def steps(run):
    return [(one.kind, one.text) for one in run.steps]


def check_places(made, reading):
    data = made.content
    for read in reading.reads:
        if isinstance(read.found, Trajectory):
            for step in read.found.steps:
                assert json.loads(data[step.start : step.end])["role"]
            continue
        assert data[read.place.start : read.place.end] == read.raw
        if read.raw:
            assert read.place.line == data.count(b"\n", 0, read.place.start) + 1
        if isinstance(read.found, Proposal):
            (span,) = read.found.evidence
            shown = read.raw[span.start : span.end].decode().strip('"')
            for _ in range(3):
                if shown == read.found.claim:
                    break
                shown = json.loads(f'"{shown}"')
            assert shown == read.found.claim


def test_a_block_is_split_into_lines_and_a_wrapped_line_stays_whole(told):
    value = "Имя: Анна\n\n# Работа\n- склад в Туле\n- пишет отчёты\nLikes long\nwalks outside.\n"
    made = source(agent_set(blocks=[block("human", value)]), indent=2)
    reading = told(made, "letta")
    assert [one.claim for one in proposals(reading)] == [
        "Имя: Анна",
        "- склад в Туле",
        "- пишет отчёты",
        "Likes long\nwalks outside.",
    ]
    assert proposals(reading)[1].foreign["section"] == "Работа"
    assert Nothing(NothingReason.NOT_A_MEMORY) in reading.found
    check_places(made, reading)


def test_a_label_decides_the_kind_and_persona_and_instructions_are_references_only(told):
    labels = ("human", "persona", "agent_instructions", "project")
    found = proposals(
        told(source(agent_set(blocks=[block(one, "Some text.") for one in labels])), "letta")
    )
    assert [one.kind for one in found] == [
        Kind.PROFILE_PREFERENCE,
        Kind.REFERENCE,
        Kind.REFERENCE,
        Kind.FACT,
    ]
    assert [RemarkCode.REFERENCE_ONLY in one.remarks for one in found] == [
        False,
        True,
        True,
        False,
    ]


def test_a_block_of_version_2_has_no_time_but_the_file_s_and_says_so(told):
    (found,) = proposals(told(source(agent_set(blocks=[block("human", "Likes tea.")])), "letta"))
    assert found.written_at == "2026-03-02T09:00:00+00:00"
    assert RemarkCode.WRITTEN_AT_ASSUMED in found.remarks
    assert found.scope == {"block": "human", "agent": "помощник"}


def test_a_block_of_version_1_has_its_own_naive_time(told):
    made = block("human", "Likes tea.", created_at="2025-04-01T03:47:27")
    made["updated_at"] = "2025-04-01T03:52:02.091007"
    (found,) = proposals(told(source(old_agent(blocks=[made])), "letta"))
    assert found.written_at == "2025-04-01T03:52:02.091007+00:00"
    assert found.remarks == (RemarkCode.TIME_ZONE_ASSUMED,)
    assert found.source_id.startswith("letta:old/human#")


def test_the_same_line_has_the_same_identity_in_a_later_export_with_other_local_ids(told):
    first = agent_set(blocks=[block("human", "Likes tea.")])
    later = agent_set(blocks=[block("human", "Has a dog.\nLikes tea.") | {"id": "block-7"}])
    later["agents"][0]["block_ids"] = ["block-7"]
    (before,) = proposals(told(source(first), "letta"))
    after = {one.claim: one for one in proposals(told(source(later), "letta"))}
    assert after["Likes tea."].source_id == before.source_id


def test_a_long_block_shows_each_claim_in_its_own_bytes(told):
    value = "\n".join(f"Заметка {n}: {'слово ' * 30}конец." for n in range(40))
    made = source(agent_set(blocks=[block("notes", value)]))
    reading = told(made, "letta")
    assert len(proposals(reading)) == 40
    assert all(len(one.raw) < 1_000 for one in reading.reads)
    check_places(made, reading)


def test_the_file_says_that_archival_memory_is_absent_and_messages_are_recent(told):
    new = told(source(agent_set()), "letta").remarks
    assert {RemarkCode.ARCHIVAL_ABSENT, RemarkCode.ONLY_RECENT} <= new.keys()
    old = told(source(old_agent()), "letta").remarks
    assert RemarkCode.ARCHIVAL_ABSENT in old
    assert RemarkCode.ONLY_RECENT not in old


def test_a_system_message_with_a_rendered_copy_of_the_blocks_is_skipped(told):
    copy = "Be kind.\n<memory_blocks>\nLine 1: Likes tea.\n</memory_blocks>"
    found = told(source(agent_set(message("system", copy), message("user", "hi"))), "letta").found
    assert found[0] == Nothing(NothingReason.DISTILLED_ELSEWHERE)
    assert steps(found[1]) == [(StepKind.INPUT, "hi")]


def test_a_run_is_one_ask_with_all_that_follows_and_a_heartbeat_is_no_ask(told):
    envelope = {"type": "user_message", "message": "Где склад?", "time": "x"}
    beat = {"type": "heartbeat", "reason": "[automated]"}
    made = source(
        old_agent(
            message("user", json.dumps(envelope)),
            message(
                "assistant",
                "I look.",
                tool_calls=[call("search", query="склад")],
                name="old",
            ),
            message("tool", '{"status": "OK", "message": "Тула"}', tool_call_id="call-1"),
            message("user", json.dumps(beat)),
            message("assistant", "", tool_calls=[call("send_message", "c2", message="В Туле.")]),
            message("user", "Thanks"),
        )
    )
    reading = told(made, "letta")
    first, second = runs(reading)
    assert steps(first) == [
        (StepKind.INPUT, "Где склад?"),
        (StepKind.THOUGHT, "I look."),
        (StepKind.ACTION, '{"query": "склад"}'),
        (StepKind.RESULT, '{"status": "OK", "message": "Тула"}'),
        (StepKind.NOTE, json.dumps(beat)),
        (StepKind.SAID, "В Туле."),
    ]
    assert first.steps[2].call == first.steps[3].call == "call-1"
    assert first.run["agent"] == "old"
    assert RemarkCode.ENCODED_TWICE in first.remarks
    assert first.decisions == ()
    assert steps(second) == [(StepKind.INPUT, "Thanks")]
    check_places(made, reading)
    for step in first.steps:
        raw = reading.reads[0].raw[step.span.start : step.span.end]
        assert raw


def test_an_agent_without_send_message_speaks_in_its_own_text_and_thinks_in_reasoning(told):
    content = [
        {"type": "reasoning", "is_native": True, "reasoning": "Simple.", "signature": "s"},
        {"type": "text", "text": "I will look."},
    ]
    made = agent_set(message("user", "go"), message("assistant", content, tool_calls=[call("f")]))
    made["agents"][0]["agent_type"] = "letta_v1_agent"
    (run,) = runs(told(source(made), "letta"))
    assert steps(run)[1:] == [
        (StepKind.THOUGHT, "Simple."),
        (StepKind.SAID, "I will look."),
        (StepKind.ACTION, "{}"),
    ]


def test_tool_returns_are_results_and_an_error_is_marked(told):
    back = {
        "tool_call_id": "call-1",
        "status": "error",
        "stdout": None,
        "stderr": ["no such table"],
        "func_response": "failed",
    }
    (run,) = runs(
        told(
            source(
                agent_set(
                    message("user", "go"),
                    message("assistant", None, tool_calls=[call("query", sql="select")]),
                    message("tool", "failed", tool_returns=[back], name="query"),
                )
            ),
            "letta",
        )
    )
    result = run.steps[-1]
    assert (result.kind, result.text) == (StepKind.RESULT, "failed\nno such table")
    assert (result.failed, result.call, result.name) == (True, "call-1", "query")


def write(name, own="call-1", *, result="success", at=AT, **arguments):
    back = {"tool_call_id": own, "status": result, "func_response": "None"}
    calls = [call(name, own, **arguments)]
    return (
        message("user", "remember"),
        message(
            "assistant",
            None,
            id="message-3",
            created_at=at,
            tool_calls=calls,
        ),
        message("tool", None, tool_returns=[back]),
    )


@pytest.mark.parametrize(
    ("name", "arguments", "kind"),
    [
        ("core_memory_append", {"label": "human", "content": "Пьёт чай"}, Kind.PROFILE_PREFERENCE),
        ("memory_insert", {"label": "notes", "new_str": "Пьёт чай"}, Kind.FACT),
        ("memory_insert", {"label": "notes", "new_string": "Пьёт чай"}, Kind.FACT),
        ("memory_rethink", {"label": "persona", "new_memory": "Пьёт чай"}, Kind.REFERENCE),
        (
            "rethink_memory",
            {"target_block_label": "human", "new_memory": "Пьёт чай"},
            Kind.PROFILE_PREFERENCE,
        ),
        ("archival_memory_insert", {"content": "Пьёт чай", "tags": ["a"]}, Kind.FACT),
        (
            "memory",
            {"command": "create", "path": "/memories/notes", "file_text": "Пьёт чай"},
            Kind.FACT,
        ),
    ],
)
def test_each_call_of_a_memory_tool_is_a_claim_with_the_time_of_its_message(
    told, name, arguments, kind
):
    made = source(agent_set(*write(name, at="2026-03-01T08:05:00+03:00", **arguments)))
    reading = told(made, "letta")
    (found,) = proposals(reading)
    assert (found.claim, found.kind) == ("Пьёт чай", kind)
    assert found.written_at == "2026-03-01T08:05:00+03:00"
    assert found.source_type is SourceType.AGENT_SUMMARY
    assert found.source_id.startswith("letta:помощник/message-")
    assert found.source_id.endswith("/call-1")
    assert found.foreign["message"] == "message-3"
    assert found.foreign["claimed_writer"] == "помощник"
    assert len(runs(reading)) == 1
    check_places(made, reading)


def test_a_rewritten_block_gives_a_claim_per_line(told):
    made = write("memory_rethink", label="human", new_memory="Name: Anna\nCity: Tula")
    found = proposals(told(source(agent_set(*made)), "letta"))
    assert [one.claim for one in found] == ["Name: Anna", "City: Tula"]
    assert len({one.source_id for one in found}) == 2


def test_a_replacement_supersedes_the_write_that_made_the_old_text(told):
    arguments = {"label": "human", "old_content": "City: Tula", "new_content": "City: Omsk"}
    made = agent_set(
        *write("core_memory_append", label="human", content="City: Tula"),
        *write("core_memory_replace", "call-2", **arguments),
    )
    first, second = proposals(told(source(made), "letta"))
    assert second.edges == (Edge(EdgeKind.SUPERSEDES, first.source_id),)
    assert second.foreign["replaced"] == "City: Tula"


def test_a_replacement_of_unknown_text_says_so_and_one_by_nothing_is_a_tombstone(told):
    unknown = write("memory_replace", label="human", old_str="City: Tula", new_str="City: Omsk")
    (found,) = proposals(told(source(agent_set(*unknown)), "letta"))
    assert RemarkCode.EDGE_TARGET_UNKNOWN in found.remarks
    gone = write("memory_replace", label="human", old_str="City: Tula", new_str="")
    assert Nothing(NothingReason.TOMBSTONE) in told(source(agent_set(*gone)), "letta").found


def test_a_write_that_failed_is_no_claim_and_one_without_a_result_says_so(told):
    failed = write("core_memory_append", label="human", content="x", result="error")
    assert proposals(told(source(agent_set(*failed)), "letta")) == []
    unanswered = write("core_memory_append", label="human", content="x")[:2]
    (found,) = proposals(told(source(agent_set(*unanswered)), "letta"))
    assert found.foreign["result"] == "absent"


def test_arguments_that_are_not_json_fail_as_a_record_beside_the_run(told):
    bad = {"id": "call-1", "function": {"name": "memory_insert", "arguments": '{"label": '}}
    made = agent_set(message("user", "go"), message("assistant", None, tool_calls=[bad]))
    reading = told(source(made), "letta")
    assert len(runs(reading)) == 1
    assert Failed(FailReason.NOT_JSON, name="tool_calls") in reading.found


def asked(*answers):
    calls = [
        call("delete_order", "call-1", n=7),
        call("core_memory_append", "call-2", label="human"),
    ]
    return agent_set(
        message("user", "clean up"),
        message("approval", "I ask first.", id="message-1", tool_calls=calls),
        *answers,
        message("assistant", "Done."),
    )


def decisions(told, *answers):
    (run,) = runs(told(source(asked(*answers)), "letta"))
    return [
        (one.verdict, run.steps[one.step].call if one.step >= 0 else None, one.reason)
        for one in run.decisions
    ]


def test_approvals_are_a_person_s_decisions_on_the_very_call(told):
    answer = message(
        "approval",
        approvals=[
            {
                "type": "approval",
                "tool_call_id": "call-1",
                "approve": False,
                "reason": "Нужен",
            },
            {"type": "approval", "tool_call_id": "call-2", "approve": True, "reason": None},
        ],
        approve=False,
        denial_reason="Нужен",
    )
    assert decisions(told, answer) == [
        (Verdict.REJECT, "call-1", "Нужен"),
        (Verdict.ACCEPT, "call-2", None),
    ]


def test_the_older_single_answer_finds_its_request_by_the_message_s_id(told):
    answer = message(
        "approval", approve=False, approval_request_id="message-1", denial_reason=None
    )
    assert decisions(told, answer) == [
        (Verdict.REJECT, "call-1", None),
        (Verdict.REJECT, "call-2", None),
    ]


def test_an_answer_whose_request_is_not_in_the_file_judges_the_run(told):
    (run,) = runs(told(source(agent_set(message("approval", approve=True))), "letta"))
    (decision,) = run.decisions
    assert isinstance(decision, HumanDecision)
    assert (decision.verdict, decision.step, decision.weak) == (Verdict.ACCEPT, -1, False)


def test_silence_after_a_request_is_no_decision_and_a_denied_write_is_no_claim(told):
    assert decisions(told) == []
    arguments = {"label": "human", "content": "Лишнее"}
    request = message(
        "approval", None, id="message-1", tool_calls=[call("core_memory_append", **arguments)]
    )
    waiting = agent_set(message("user", "go"), request)
    assert proposals(told(source(waiting), "letta")) == []
    answer = message("approval", approve=False, approval_request_id="message-1")
    denied = agent_set(message("user", "go"), request, answer)
    assert proposals(told(source(denied), "letta")) == []


def test_a_result_of_a_tool_at_the_person_s_side_is_a_result_and_no_decision(told):
    back = {"type": "tool", "tool_call_id": "call-1", "status": "success", "tool_return": "ok"}
    (run,) = runs(told(source(asked(message("approval", approvals=[back]))), "letta"))
    assert run.decisions == ()
    assert (StepKind.RESULT, "ok") in steps(run)


def test_a_message_of_an_unknown_role_is_a_note_and_is_counted(told):
    reading = told(source(agent_set(message("user", "hi"), message("oracle", "hm"))), "letta")
    assert steps(runs(reading)[0])[1] == (StepKind.NOTE, "hm")
    assert reading.remarks[RemarkCode.UNKNOWN_TYPES] == 1


def test_an_image_stands_as_a_pointer(told):
    data = "QUJD" * 2_000
    picture = {
        "type": "image",
        "source": {"type": "base64", "media_type": "image/png", "data": data},
    }
    reading = told(source(agent_set(message("user", [*text("look"), picture]))), "letta")
    (run,) = runs(reading)
    assert run.steps[1].omitted.size == 6_000
    assert run.steps[1].omitted.media_type == "image/png"
    assert RemarkCode.BULK_REPLACED in run.remarks


@pytest.mark.parametrize("cut", [None, 0.3, 0.6, 0.9])
@pytest.mark.parametrize("old", [True, False])
def test_secrets_of_tools_and_servers_are_in_nothing_that_is_read(told, cut, old):
    server = {"id": "mcp_server-0", "server_name": "shop", "token": SECRET}
    made = (
        old_agent(message("user", "hi"), blocks=[block("human", "Likes tea.")])
        if old
        else agent_set(
            message("user", "hi"), blocks=[block("human", "Likes tea.")], mcp_servers=[server]
        )
    )
    data = source(made, indent=1).content
    cut_source = from_bytes("a.af", data[: int(len(data) * cut)] if cut else data)
    reading = told(cut_source, "letta")
    assert reading.reads
    assert SECRET not in repr(reading.reads)
    if not cut and not old:
        assert Nothing(NothingReason.NOT_A_MEMORY) in reading.found


def test_a_file_that_ends_too_early_keeps_what_came_before(told):
    data = source(agent_set(message("user", "one"), message("user", "two"))).content
    at = data.index(b'"two"')
    reading = told(from_bytes("cut.af", data[:at]), "letta")
    assert [steps(one) for one in runs(reading)] == [[(StepKind.INPUT, "one")]]
    assert reading.remarks[RemarkCode.TAIL_CUT] >= 1


@pytest.mark.parametrize(
    ("bad", "name"),
    [
        ({"role": None}, "role"),
        ({"role": "user", "content": 7}, "content"),
        ({"role": "assistant", "tool_calls": {"a": 1}}, "tool_calls"),
        ({"role": "tool", "tool_returns": ["x"]}, "tool_returns"),
        ({"role": "approval", "approve": "yes"}, "approve"),
        ({"role": "approval", "approvals": "yes"}, "approvals"),
        ({"role": "user", "content": "x", "created_at": "soon"}, "created_at"),
    ],
)
def test_a_message_with_a_wrong_field_fails_alone(told, bad, name):
    reading = told(source(agent_set(message("user", "one"), bad, message("user", "two"))), "letta")
    assert [steps(one) for one in runs(reading)] == [
        [(StepKind.INPUT, "one")],
        [(StepKind.INPUT, "two")],
    ]
    (failed,) = [one for one in reading.found if isinstance(one, Failed)]
    assert failed.name == name


@pytest.mark.parametrize(
    ("bad", "name"),
    [
        ({"value": "x"}, "label"),
        ({"label": "human", "value": ["x"]}, "value"),
        ({"label": "human", "value": "x", "updated_at": "soon"}, "updated_at"),
    ],
)
def test_a_block_with_a_wrong_field_fails_alone(told, bad, name):
    reading = told(source(agent_set(blocks=[bad, block("human", "Likes tea.")])), "letta")
    assert [one.claim for one in proposals(reading)] == ["Likes tea."]
    (failed,) = [one for one in reading.found if isinstance(one, Failed)]
    assert failed.name == name


@pytest.mark.parametrize("key", ["agents", "blocks"])
def test_a_member_that_should_be_a_list_fails(told, key):
    reading = told(source(agent_set(**{key: {"a": 1}})), "letta")
    assert Failed(FailReason.WRONG_SHAPE) in reading.found


PASSAGES = [
    {
        "id": "passage-1",
        "text": "Склад переехал в Омск",
        "embedding": [0.1] * 40,
        "embedding_config": {"embedding_model": "e"},
        "archive_id": "archive-1",
        "organization_id": "org-1",
        "tags": ["склад"],
        "created_at": "2026-01-05T10:00:00+00:00",
        "is_deleted": False,
    },
    {"id": "passage-2", "text": "gone", "embedding_config": {}, "is_deleted": True},
    {"id": "passage-3", "text": "page one", "embedding_config": {}, "file_id": "file-1"},
]


@pytest.mark.parametrize("form", ["list", "lines", "wrapped", "one"])
def test_passages_are_memories_in_any_form(told, form):
    made = {
        "list": source(PASSAGES),
        "lines": source(*PASSAGES),
        "wrapped": source({"passages": PASSAGES}, indent=2),
        "one": source(PASSAGES[0], indent=2),
    }[form]
    assert catalogue.detect(made).name == "letta"
    reading = told(made)
    first = reading.found[0]
    assert (first.claim, first.source_id) == ("Склад переехал в Омск", "letta:passage-1")
    assert first.written_at == "2026-01-05T10:00:00+00:00"
    assert first.scope == {"archive": "archive-1"}
    assert first.foreign["vector_dimensions"] == 40
    assert first.foreign["claimed_tenant"] == "org-1"
    assert "embedding" not in first.foreign
    assert reading.remarks[RemarkCode.VECTORS_DROPPED] == 1
    assert RemarkCode.ARCHIVAL_ABSENT not in reading.remarks
    if form != "one":
        assert reading.found[1] == Nothing(NothingReason.TOMBSTONE)
        assert (reading.found[2].kind, reading.found[2].source_type) == (
            Kind.REFERENCE,
            SourceType.DOCUMENT,
        )
    check_places(made, reading)


def test_a_passage_is_known_by_its_id_when_little_else_is_left(told):
    made = source([{"id": "passage-9", "text": "Likes tea", "embedding": None}])
    assert catalogue.detect(made).name == "letta"
    (found,) = told(made).found
    assert (found.claim, found.written_at) == ("Likes tea", "2026-04-01T00:00:00Z")
    assert RemarkCode.WRITTEN_AT_ASSUMED in found.remarks


def test_several_agent_files_in_a_list_or_on_lines_are_all_read(told):
    one = old_agent(message("user", "hi"), blocks=[block("human", "Likes tea.")])
    two = agent_set(message("user", "hello"), blocks=[block("human", "Has a dog.")])
    for made in (source(one, two), source([one, two])):
        assert catalogue.detect(made).name == "letta"
        reading = told(made)
        assert sorted(one.claim for one in proposals(reading)) == ["Has a dog.", "Likes tea."]
        assert len(runs(reading)) == 2
        check_places(made, reading)


def test_bare_blocks_are_read(told):
    made = source([block("human", "Likes tea.")])
    assert catalogue.detect(made).name == "letta"
    assert [one.claim for one in proposals(told(made))] == ["Likes tea."]


def test_agent_files_are_recognised_and_other_fixtures_are_not():
    for made in (
        source(agent_set()),
        source(old_agent(), indent=4),
        source(agent_set(), indent=2),
    ):
        assert catalogue.detect(made).name == "letta"
    for path in DATA.rglob("*"):
        if path.is_file() and path.parent.name != "letta":
            assert not letta.recognises(from_path(path).head()), path


@pytest.mark.parametrize("data", [b"", b"{", b"[", b"\xff\xfe", b'{"agents": ', b"null"])
def test_broken_bytes_neither_raise_nor_vanish(told, data):
    reading = told(from_bytes("x", data), "letta")
    assert not proposals(reading)
    assert all(isinstance(one, Failed | Nothing) for one in reading.found)


@pytest.mark.shared
@pytest.mark.skipif(not SAMPLES.is_dir(), reason="no samples beside the checkout")
@pytest.mark.parametrize(
    ("sample", "claims", "trajectories", "nothing"),
    [
        ("deep-thought.v1.af", 30, 1, 15),
        ("memgpt_agent_with_convo.v1.af", 28, 24, 12),
        ("memgpt_agent_with_convo.v2.af", 21, 0, 4),
        ("test_agent_with_files_and_sources.v2.af", 2, 2, 11),
        ("test_basic_agent_v2.af", 6, 2, 8),
    ],
)
def test_every_record_of_a_sample_is_accounted_for(sample, claims, trajectories, nothing):
    reading = catalogue.open_reading(from_path(SAMPLES / sample))
    assert reading.origin.importer == "letta"
    found = [one.found for one in reading.records if isinstance(one, Read)]
    assert [
        sum(isinstance(one, sort) for one in found) for sort in (Proposal, Trajectory, Nothing)
    ] == [
        claims,
        trajectories,
        nothing,
    ]
    assert len(found) == claims + trajectories + nothing


@pytest.mark.parametrize("sort", [{}, [], 1, None])
def test_a_part_whose_type_is_no_text_is_a_note_and_loses_no_message(told, sort):
    odd = message("assistant", [{"type": sort, "text": "x"}, *text("a")])
    data = json.dumps(agent_set(message("user", "q"), odd)).encode()
    (run,) = [one for one in told(from_bytes("a.af", data)).found if isinstance(one, Trajectory)]
    assert [(step.kind, step.text) for step in run.steps if step.text in ("q", "a")] == [
        (StepKind.INPUT, "q"),
        (StepKind.SAID, "a"),
    ]
    assert StepKind.NOTE in [step.kind for step in run.steps]
