"""Layouts of Claude Code's memory files that real folders have, one test for each."""

import pytest

from importers.source import from_bytes, from_members
from store.cells import Kind, Proposal, SourceType
from store.records import Nothing, NothingReason, RemarkCode


def topic(told, front, body="The claim."):
    return told(from_bytes("topic.md", f"---\n{front}\n---\n\n{body}\n".encode())).found


@pytest.mark.parametrize(
    ("sort", "kind"),
    [
        ("user", Kind.PROFILE_PREFERENCE),
        ("feedback", Kind.INSIGHT),
        ("project", Kind.FACT),
        ("reference", Kind.REFERENCE),
    ],
)
@pytest.mark.parametrize("layout", ["type: {}", "metadata:\n  type: {}"])
def test_the_type_stands_at_the_top_or_nested(told, layout, sort, kind):
    (found,) = topic(told, f"name: a\ndescription: b\n{layout.format(sort)}")
    assert (found.claim, found.kind) == ("The claim.", kind)


@pytest.mark.parametrize("layout", ["modified: {}", "metadata:\n  modified: {}"])
def test_modified_is_when_it_was_written(told, layout):
    at = "2026-07-20T09:12:44.000Z"
    (found,) = topic(told, f"name: a\ndescription: b\ntype: user\n{layout.format(at)}")
    assert found.written_at == at


def test_before_modified_there_was_only_the_file_s_time(told):
    text = b"---\nname: a\ndescription: b\ntype: user\n---\nx\n"
    source = from_bytes("t.md", text, modified_at="2026-01-01T00:00:00Z")
    (found,) = told(source).found
    assert found.written_at == "2026-01-01T00:00:00Z"
    assert RemarkCode.WRITTEN_AT_ASSUMED in found.remarks


def folder(**files):
    told = tuple(from_bytes(name, text) for name, text in files.items())
    return from_members("home", told)


@pytest.mark.parametrize(
    "name",
    [
        ".claude/rules/style.md",
        ".claude/rules/deep/style.md",
        "CLAUDE.md",
        "CLAUDE.local.md",
        ".claude/CLAUDE.md",
        "AGENTS.md",
    ],
)
def test_rules_of_people_are_references_wherever_they_lie(told, name):
    text = b"---\npaths: src/**\n---\nUse tabs.\n" if "rules" in name else b"Use tabs.\n"
    (found,) = told(folder(**{name: text}), "claude_memory").found
    assert (found.kind, found.source_type) == (Kind.REFERENCE, SourceType.DOCUMENT)
    assert RemarkCode.REFERENCE_ONLY in found.remarks


@pytest.mark.parametrize(
    "name",
    [
        ".claude/agent-memory/tester/MEMORY.md",
        ".claude/agent-memory-local/tester/MEMORY.md",
        "projects/shop/memory/notes.md",
    ],
)
def test_memory_of_agents_is_a_proposal(told, name):
    (found,) = told(folder(**{name: b"- The build needs node 20.\n"}), "claude_memory").found
    assert found.claim == "The build needs node 20."
    assert found.source_type is SourceType.AGENT_SUMMARY


def test_an_import_inside_code_is_code(told):
    text = b"# A\n\n```\n@inside.md\n```\n\n@AGENTS.md\n\nSee `@inline.md` too.\n"
    found = told(from_bytes("CLAUDE.md", text)).found
    assert [one.claim for one in found if isinstance(one, Proposal)] == [
        "```\n@inside.md\n```",
        "See `@inline.md` too.",
    ]
    assert Nothing(NothingReason.NOT_A_MEMORY) in found


@pytest.mark.parametrize(
    ("mark", "remark"),
    [
        ("[STABLE]", RemarkCode.MARKED_STABLE),
        ("[STALE]", RemarkCode.MARKED_STALE),
        ("[SUPERSEDED by m-2]", RemarkCode.MARKED_SUPERSEDED),
    ],
)
def test_a_mark_in_a_topic_is_told_apart_and_sets_nothing(told, mark, remark):
    (found,) = topic(told, "name: a\ndescription: b\ntype: project", f"Ships {mark} on Mondays.")
    assert found.claim == "Ships on Mondays."
    assert remark in found.remarks
    assert (found.edges, found.expires_at) == ((), None)


def test_an_index_that_names_a_file_which_is_not_there_is_remarked(told):
    topic_ = b"---\nname: a\ndescription: b\ntype: user\n---\nx\n"
    index = "- [A](a.md) — hook\n- [B](gone.md) — hook\n".encode()
    reading = told(folder(**{"MEMORY.md": index, "a.md": topic_}))
    assert reading.remarks[RemarkCode.DANGLING_LINK] == 1
    assert reading.found[:2] == [Nothing(NothingReason.INDEX_ONLY)] * 2
