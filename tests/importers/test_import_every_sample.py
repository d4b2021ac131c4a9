"""Every sample file beside the checkout: by which format it is read, and that its counts balance.

The table is what was read; a file in no known format is refused in a sentence.
"""

from collections import Counter
from pathlib import Path

import pytest

from importers import catalogue
from importers.catalogue import UnknownFormatError
from importers.source import from_path
from store.cells import Proposal
from store.records import Failed, Nothing, Read
from store.trajectories import Trajectory

SAMPLES = Path(__file__).resolve().parents[3] / "shared" / "samples"
pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not SAMPLES.is_dir(), reason="no samples beside the checkout"),
]

NO_FORMAT = {
    "anthropic_memory/local/memories/preferences.xml": "alone it says nothing; its folder does",
    "memos/mem_cube_2/config.json": "settings of a cube, no memory",
}

EXPECTED = {
    # sample: (importer, proposals, runs, nothing, failed)
    "_adversarial/huge_line.jsonl": ("claude_code", 0, 1, 0, 0),
    "_adversarial/memory_cp1251.jsonl": ("mcp_memory", 0, 0, 0, 1),
    "_adversarial/memory_crlf_bom.jsonl": ("mcp_memory", 3, 0, 1, 1),
    "_adversarial/nan_dup_keys.json": ("mem0", 1, 0, 1, 1),
    "a_mem/chroma_metadata.json": ("a_mem", 2, 0, 0, 0),
    "a_mem/memory_notes.json": ("a_mem", 2, 0, 0, 0),
    "anthropic_memory/local/memories/projects/warehouse.md": ("claude_memory", 1, 0, 0, 0),
    "anthropic_memory/managed_memory_list.json": ("anthropic_memory_store", 2, 0, 1, 0),
    "anthropic_memory/view_outputs.txt": ("anthropic_memory", 1, 0, 1, 0),
    "basic_memory/decision.md": ("basic_memory", 0, 0, 7, 0),
    "basic_memory/drift-person-01.md": ("basic_memory", 6, 0, 0, 0),
    "basic_memory/edge/empty-note.md": ("basic_memory", 0, 0, 1, 0),
    "basic_memory/edge/explicit-overrides-type.md": ("basic_memory", 6, 0, 1, 0),
    "basic_memory/edge/inline-and-type.md": ("basic_memory", 5, 0, 1, 0),
    "basic_memory/edge/no-frontmatter.md": ("basic_memory", 3, 0, 1, 0),
    "basic_memory/edge/type-no-schema.md": ("basic_memory", 3, 0, 1, 0),
    "basic_memory/edge/unicode-fields.md": ("basic_memory", 6, 0, 1, 0),
    "chatgpt_export/conversations_branch_bio.json": ("chatgpt", 5, 2, 1, 0),
    "chatgpt_export/saved_memories.txt": ("chatgpt_memories", 3, 0, 0, 0),
    "claude_ai_export/ctxray_claude_export.json": ("claude_ai", 0, 4, 0, 0),
    "claude_ai_export/memories.json": ("claude_ai_memory", 6, 0, 0, 0),
    "claude_ai_export/osteele_conversations.json": ("claude_ai", 0, 3, 0, 0),
    "claude_ai_export/osteele_debugging.json": ("claude_ai", 0, 2, 0, 0),
    "claude_ai_export/projects.json": ("claude_ai_memory", 2, 0, 0, 0),
    "claude_code/ccl_representative_messages.jsonl": ("claude_code", 0, 4, 1, 0),
    "claude_code/ccl_session_b.jsonl": ("claude_code", 0, 2, 0, 0),
    "claude_code/ccl_todowrite_examples.jsonl": ("claude_code", 0, 2, 1, 0),
    "claude_code/cct_sample_session.jsonl": ("claude_code", 0, 2, 1, 0),
    "claude_code/cct_sample_session_web.json": ("claude_code", 0, 5, 0, 0),
    "claude_code/ccv_agent_sidechain.jsonl": ("claude_code", 0, 1, 0, 0),
    "claude_code/ccv_session_1.0.108.jsonl": ("claude_code", 0, 3, 0, 0),
    "claude_code/constructed_2.1.144_compaction_rejection.jsonl": ("claude_code", 0, 2, 6, 0),
    "claude_code/ctxray_claude_session.jsonl": ("claude_code", 0, 5, 0, 0),
    "claude_code_memory/auto_memory_v2.1.214/MEMORY.md": ("claude_memory", 0, 0, 2, 0),
    "claude_code_memory/auto_memory_v2.1.214/feedback_testing.md": ("claude_memory", 1, 0, 0, 0),
    "claude_code_memory/auto_memory_v2.1.214/user_role.md": ("claude_memory", 1, 0, 0, 0),
    "claude_code_memory/esperluettes/AGENTS.md": ("claude_memory", 47, 0, 0, 0),
    "claude_code_memory/esperluettes/CLAUDE.md": ("claude_memory", 4, 0, 1, 0),
    "claude_code_memory/esperluettes/feedback_testing.md": ("claude_memory", 1, 0, 0, 0),
    "claude_mem/cursor-session.jsonl": ("openai_messages", 0, 2, 0, 0),
    "claude_mem/windows-memories.json": ("claude_mem", 4, 1, 1, 0),
    "evermemos/memories_to_dict.json": ("evermemos", 6, 0, 0, 0),
    "evermemos/mock-memories.json": ("evermemos", 25, 0, 0, 0),
    "evermemos/solo_chat_en.json": ("evermemos_chat", 0, 52, 0, 0),
    "graphiti/graph_dump.json": ("graphiti", 5, 2, 1, 0),
    "graphiti/mcp_search_facts.json": ("graphiti", 2, 0, 0, 0),
    "langfuse/claude-agent-2025-12-22.trace.json": ("langfuse", 0, 1, 0, 0),
    "langfuse/openai-agents-2025-09-30.trace.json": ("langfuse", 0, 1, 0, 0),
    "langgraph/items.json": ("langgraph", 6, 0, 0, 0),
    "langgraph/store.db": ("langgraph_store", 6, 0, 0, 0),
    "langsmith/anthropic_managed_custom_tools.jsonl": ("managed_agent", 0, 1, 14, 0),
    "langsmith/anthropic_managed_mcp_tools_reject.jsonl": ("managed_agent", 0, 1, 16, 0),
    "langsmith/langsmith_py_wrap_openai_.json": ("langsmith", 0, 1, 0, 0),
    "letta/deep-thought.v1.af": ("letta", 30, 1, 15, 0),
    "letta/memgpt_agent_with_convo.v1.af": ("letta", 28, 24, 12, 0),
    "letta/memgpt_agent_with_convo.v2.af": ("letta", 21, 0, 4, 0),
    "letta/test_agent_with_files_and_sources.v2.af": ("letta", 2, 2, 11, 0),
    "letta/test_basic_agent_v2.af": ("letta", 6, 2, 8, 0),
    "lightmem/code_single.json": ("longmemeval", 0, 3, 3, 0),
    "lightmem/memory_entries.json": ("lightmem", 2, 0, 0, 0),
    "locomo/locomo10_conv-26_s1-4.json": ("locomo", 35, 4, 38, 0),
    "longmemeval/longmemeval_s_e47becba_trunc.json": ("longmemeval", 0, 15, 1, 0),
    "mcp_memory/memory-graph_fork_memory.jsonl": ("mcp_memory", 710, 0, 0, 0),
    "mcp_memory/server-memory-editor_ru.jsonl": ("mcp_memory", 60, 0, 0, 0),
    "mem0/history.db": ("mem0_history", 5, 0, 1, 0),
    "mem0/mem0-export-demo-2026-01-01.md": ("mem0_markdown", 3, 0, 0, 0),
    "mem0/mem0-qdrant-export-20260801T000000Z.json": ("mem0", 1, 0, 0, 0),
    "mem0/openmemory_export_seller.zip": ("openmemory", 2, 0, 0, 0),
    "mem0/oss_get_all_alex.json": ("mem0", 2, 0, 0, 0),
    "mem0/oss_get_all_seller.json": ("mem0", 1, 0, 0, 0),
    "mem0/oss_history_one.json": ("mem0", 2, 0, 0, 0),
    "mem0/platform_v3_memories_page.json": ("mem0", 2, 0, 0, 0),
    "memos/mem_cube_2/textual_memory.json": ("memos", 2, 0, 0, 0),
    "memos/mem_cube_tree/textual_memory.json": ("memos", 4, 0, 0, 0),
    "openai_messages/chat_messages.jsonl": ("openai_messages", 0, 2, 0, 0),
    "openai_messages/preference_dpo.jsonl": ("openai_messages", 0, 1, 0, 0),
    "otel/otlp_genai_v1.37.json": ("otlp", 0, 1, 0, 0),
    "otel/otlp_trace.json": ("otlp", 0, 0, 1, 0),
    "phoenix/pxi_suggestion_traces.json": ("phoenix", 0, 3, 0, 0),
}


def counted(path):
    reading = catalogue.open_reading(from_path(path))
    kinds = Counter(type(one.found) for one in reading.records if isinstance(one, Read))
    told = tuple(kinds.pop(kind, 0) for kind in (Proposal, Trajectory, Nothing, Failed))
    assert not kinds, kinds
    return (reading.origin.importer, *told)


@pytest.mark.parametrize("sample", sorted(EXPECTED))
def test_a_sample_is_read_whole_by_its_format(sample):
    if not (SAMPLES / sample).exists():
        pytest.skip("this sample is not beside the checkout")
    assert counted(SAMPLES / sample) == EXPECTED[sample]


@pytest.mark.parametrize("sample", sorted(NO_FORMAT))
def test_a_file_in_no_format_is_refused_in_a_sentence(sample):
    with pytest.raises(UnknownFormatError, match="Nothing was imported"):
        catalogue.open_reading(from_path(SAMPLES / sample))


def test_no_sample_is_left_out_of_the_table():
    files = {str(one.relative_to(SAMPLES)) for one in SAMPLES.rglob("*") if one.is_file()}
    assert files - set(EXPECTED) - set(NO_FORMAT) - {"SOURCES.md"} == set()
