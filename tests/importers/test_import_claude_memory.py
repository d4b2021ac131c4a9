import time

import pytest

from importers import claude_files
from importers.claude_files import FileSort
from importers.source import from_bytes, from_members
from store.cells import Kind, Proposal, SourceType
from store.records import Failed, FailReason, Nothing, NothingReason, RemarkCode


def by_member(reading):
    return {one.place.member: one.found for one in reading.reads}


def test_topics_become_proposals_and_index_lines_nothing(told):
    reading = told("claude_memory/auto_memory")
    index = [one.found for one in reading.reads if one.place.member == "MEMORY.md"]
    assert index == [Nothing(NothingReason.INDEX_ONLY)] * 3
    user = by_member(reading)["user_role.md"]
    assert (user.claim, user.kind) == ("The user is a data engineer.", Kind.PROFILE_PREFERENCE)
    assert user.source_type is SourceType.AGENT_SUMMARY
    assert user.source_id == "claude-memory:user-role"
    assert user.written_at == "2026-07-20T09:12:44.000Z"
    assert RemarkCode.MODEL_MADE in user.remarks


def test_why_and_how_belong_to_the_claim_and_more_blocks_stand_alone(told):
    reading = told("claude_memory/auto_memory/feedback_testing.md")
    first, more = reading.found
    assert first.claim == "Integration tests must hit a real database."
    assert first.kind is Kind.INSIGHT
    assert first.foreign["rationale"] == "mocks hid a broken migration."
    assert first.scope == {"applies": "use the docker fixture."}
    raw = reading.reads[0].raw
    assert [raw[one.start : one.end][:8] for one in first.evidence] == [
        b"Integrat",
        b"**Why:**",
        b"**How to",
    ]
    assert more.claim == "Second thing to know."
    assert more.source_id.startswith("claude-memory:feedback-testing#")


def test_index_and_topics_that_disagree_are_remarked(told):
    assert told("claude_memory/auto_memory").remarks[RemarkCode.DANGLING_LINK] == 2


def test_lifecycle_words_are_shown_and_set_nothing(told):
    found = by_member(told("claude_memory/auto_memory"))["project_склад.md"]
    assert found.claim == "Основной склад — Коледино."
    assert found.foreign["status"] == "SUPERSEDED, STALE"
    assert found.foreign["superseded_by"] == "M-3"
    assert {RemarkCode.MARKED_SUPERSEDED, RemarkCode.MARKED_STALE} <= set(found.remarks)
    assert found.edges == ()


def test_rules_are_references_with_their_section(told):
    reading = told("claude_memory/rules")
    proposals = [one for one in reading.found if isinstance(one, Proposal)]
    assert {one.kind for one in proposals} == {Kind.REFERENCE}
    assert {one.source_type for one in proposals} == {SourceType.DOCUMENT}
    assert all(RemarkCode.REFERENCE_ONLY in one.remarks for one in proposals)
    assert reading.remarks[RemarkCode.REFERENCE_ONLY] == len(proposals) == 7
    claims = {one.claim: one for one in proposals}
    nested = claims["Run `make test` - with the docker fixture"]
    assert nested.scope == {"section": "Project > Testing"}
    assert claims["```sh\n# not a heading\nmake test\n```"].verbatim


def test_imports_and_comments_are_no_memories(told):
    nothing = [
        one.raw for one in told("claude_memory/rules").reads if isinstance(one.found, Nothing)
    ]
    assert nothing == [b"<!-- kept short\non purpose -->", b"@AGENTS.md"]


def test_paths_of_a_rule_are_its_scope(told):
    (found,) = told("claude_memory/scoped_rule.md").found
    assert found.scope == {"section": "Style", "paths": "src/**/*.py, tests/**"}


def test_the_older_free_form_is_read_block_by_block(told):
    first, second = told("claude_memory/free_form_old").found
    assert (first.claim, first.source_type) == (
        "The build needs node 20.",
        SourceType.AGENT_SUMMARY,
    )
    assert second.claim == "Deploys go out on Tuesdays."
    assert RemarkCode.MARKED_STABLE in second.remarks


def test_a_time_that_is_none_fails_its_topic(told):
    (found,) = told("claude_memory/modified_is_no_time.md").found
    assert found == Failed(FailReason.TIME_INVALID, name="modified")


def test_a_topic_without_body_is_nothing(told):
    assert told("claude_memory/topic_without_body.md").found == [Nothing(NothingReason.EMPTY_TEXT)]


def test_a_line_that_is_not_utf8_fails_alone(told):
    good, bad = told("claude_memory/one_line_in_cp1251.md").found
    assert good.claim == "Good line."
    assert (bad.reason, bad.column) == (FailReason.NOT_UTF8, 2)


@pytest.mark.parametrize(
    ("name", "text", "sort"),
    [
        ("anything.md", "---\nname: a\ndescription: b\ntype: user\n---\nx", FileSort.TOPIC),
        ("x.md", "---\nname: a\nmetadata:\n  type: project\n---\nx", FileSort.TOPIC),
        ("renamed.md", "- [A](a.md) — one\n- [B](b.md) — two\n", FileSort.INDEX),
        ("CLAUDE.md", "- [A](a.md) — one\n", FileSort.RULES),
        ("MEMORY.md", "- plain note\n", FileSort.NOTES),
        ("renamed.md", "# Rules\n\n- Do this.\n", FileSort.RULES),
        ("a.md", "---\npaths: src/**\n---\n- x", FileSort.RULES),
        ("note.md", "---\ntitle: A\ntype: note\npermalink: a\n---\n- [idea] x", None),
        ("plain.txt", "just words", None),
        ("empty.md", "", None),
        ("binary.md", "# a\0", None),
    ],
)
def test_a_file_is_told_by_its_content_and_the_name_settles_the_rest(name, text, sort):
    assert claude_files.sort_of(name, text.encode()) is sort


def test_a_file_of_another_kind_in_the_folder_is_accounted_for(told):
    folder = from_members(
        "memory",
        (from_bytes("MEMORY.md", b"- note one\n"), from_bytes("image.png", b"\x89PNG\0")),
    )
    found = by_member(told(folder))
    assert found["image.png"] == Nothing(NothingReason.NOT_A_MEMORY)
    assert found["MEMORY.md"].claim == "note one"


@pytest.mark.parametrize("name", ["CLAUDE.md", "MEMORY.md", "memory/topic.md"])
@pytest.mark.parametrize(
    "text",
    [
        "```\n" * 16_000,
        "use tabs\n\n" * 6_000,
        "# a\n" * 16_000,
        "- a\n" * 16_000,
        ">" * 60_000,
        "---\n" * 16_000,
        "# " * 30_000 + "x",
        "# a" + " #" * 30_000 + " x",
        "- " * 30_000 + "x",
        "<!--\n" * 13_000,
    ],
    ids=lambda text: repr(text[:9]),
)
def test_sixty_four_kib_of_one_block_repeated_is_read_in_a_moment(told, name, text):
    began = time.process_time()
    told(from_bytes(name, text.encode()), "claude_memory")
    assert time.process_time() - began < 5  # 0.9 s at most when measured alone


def test_equal_blocks_have_ids_of_their_own(told):
    found = told(from_bytes("CLAUDE.md", b"# A\n\n- tabs\n- tabs\n- tabs\n- tabs\n")).found
    own = [one.source_id for one in found if isinstance(one, Proposal)]
    assert [one.removeprefix(own[0]) for one in own] == ["", "+", "+2", "+3"]
