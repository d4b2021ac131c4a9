"""Real and constructed exports of the systems, where they lie beside the checkout."""

from pathlib import Path

import pytest

from importers import catalogue
from importers.catalogue import UnknownFormatError
from importers.source import from_path
from store.cells import Kind, Proposal, SourceType
from store.records import Failed, FailReason, Nothing, Read, RemarkCode
from store.trajectories import StepKind, Trajectory

from .test_import_places import check

SAMPLES = Path(__file__).resolve().parents[3] / "shared" / "samples"
pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not SAMPLES.is_dir(), reason="no samples beside the checkout"),
]


@pytest.mark.parametrize(
    ("sample", "importer", "proposals", "others"),
    [
        ("mem0/oss_get_all_alex.json", "mem0", 2, 0),
        ("mem0/oss_get_all_seller.json", "mem0", 1, 0),
        ("mem0/oss_history_one.json", "mem0", 2, 0),
        ("mem0/platform_v3_memories_page.json", "mem0", 2, 0),
        ("mem0/mem0-qdrant-export-20260801T000000Z.json", "mem0", 1, 0),
        ("mem0/mem0-export-demo-2026-01-01.md", "mem0_markdown", 3, 0),
        ("mem0/history.db", "mem0_history", 5, 1),
        ("mem0/openmemory_export_seller.zip", "openmemory", 2, 0),
        ("mcp_memory/server-memory-editor_ru.jsonl", "mcp_memory", 60, 0),
        ("mcp_memory/memory-graph_fork_memory.jsonl", "mcp_memory", 710, 0),
        ("claude_code_memory/auto_memory_v2.1.214", "claude_memory", 2, 2),
        ("claude_code_memory/esperluettes/feedback_testing.md", "claude_memory", 1, 0),
        ("claude_code_memory/esperluettes/CLAUDE.md", "claude_memory", 4, 1),
        ("claude_code_memory/esperluettes/AGENTS.md", "claude_memory", 47, 0),
        ("_adversarial/memory_crlf_bom.jsonl", "mcp_memory", 3, 2),
        ("_adversarial/memory_cp1251.jsonl", "mcp_memory", 0, 1),
        ("_adversarial/nan_dup_keys.json", "mem0", 1, 2),
    ],
)
def test_every_record_of_a_sample_is_accounted_for(sample, importer, proposals, others):
    source = from_path(SAMPLES / sample)
    reading = catalogue.open_reading(source)
    assert reading.origin.importer == importer
    found = [one.found for one in reading.records if isinstance(one, Read)]
    made = [one for one in found if isinstance(one, Proposal)]
    rest = [one for one in found if isinstance(one, Nothing | Failed)]
    assert (len(made), len(rest)) == (proposals, others)
    assert len(found) == proposals + others
    for one in made:
        assert one.written_at
        assert one.source_type is not SourceType.USER_STATEMENT_CONFIRMED
        assert one.kind is not Kind.VALIDATED_FACT
    if importer not in ("mem0_history", "openmemory"):
        check(SAMPLES / sample)


def test_rules_of_people_are_references_and_feedback_is_an_insight():
    reading = catalogue.open_reading(from_path(SAMPLES / "claude_code_memory" / "esperluettes"))
    found = [one for one in reading.records if isinstance(one, Read)]
    kinds = {}
    for one in found:
        if isinstance(one.found, Proposal):
            kinds.setdefault(one.place.member, set()).add(one.found.kind)
    assert kinds == {
        "AGENTS.md": {Kind.REFERENCE},
        "CLAUDE.md": {Kind.REFERENCE},
        "feedback_testing.md": {Kind.INSIGHT},
    }


def test_a_transcript_is_no_memory_and_comes_as_evidence():
    reading = catalogue.open_reading(from_path(SAMPLES / "_adversarial" / "huge_line.jsonl"))
    assert reading.origin.importer == "claude_code"
    (read,) = [one for one in reading.records if isinstance(one, Read)]
    (step,) = read.found.steps
    assert (step.kind, step.text) == (StepKind.INPUT, "")
    assert step.omitted.size == 165_000


def test_the_cut_sample_says_so():
    reading = catalogue.open_reading(from_path(SAMPLES / "_adversarial" / "memory_crlf_bom.jsonl"))
    remarks = {one.code for one in reading.records if not isinstance(one, Read)}
    assert {RemarkCode.TAIL_CUT, RemarkCode.DANGLING_LINK, RemarkCode.ENTITY_REPEATED} <= remarks


def test_the_cp1251_sample_fails_clearly():
    reading = catalogue.open_reading(from_path(SAMPLES / "_adversarial" / "memory_cp1251.jsonl"))
    (read,) = [one for one in reading.records if isinstance(one, Read)]
    assert read.found.reason is FailReason.NOT_UTF8


def test_no_sample_of_any_other_system_breaks_detection_or_reading():
    for path in sorted(one for one in SAMPLES.rglob("*") if one.is_file()):
        source = from_path(path)
        for importer in catalogue.IMPORTERS.values():
            importer.recognises(source.head())
        try:
            reading = catalogue.open_reading(source)
        except UnknownFormatError:
            continue
        for one in reading.records:
            assert not isinstance(one, Read) or isinstance(
                one.found, Proposal | Trajectory | Nothing | Failed
            )
