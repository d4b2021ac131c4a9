import pytest

from store.cells import Edge, EdgeKind, Interval, Kind, Precision, Proposal, SourceType
from store.records import Failed, FailReason, Nothing, NothingReason, RemarkCode

ID = "mem0:00000000-0000-0000-0000-00000000000"


def test_a_row_is_mapped_field_by_field(told):
    reading = told("mem0/get_all.json")
    first, second = reading.found
    assert first.claim == "Основной склад — Коледино."
    assert first.kind is Kind.PROFILE_PREFERENCE
    assert first.source_id == ID + "1"
    assert first.written_at == "2026-03-02T08:00:00+00:00"
    assert first.valid == Interval()
    assert second.kind is Kind.FACT
    assert second.valid == Interval(None, "2026-12-31", Precision.DAY)
    assert second.expires_at == "2026-12-31"
    assert second.scope == {"user": "ana", "agent": "ops", "run": "run-7"}
    assert second.foreign["claimed_tenant"] == "ana"
    assert second.foreign["claimed_writer"] == "director"
    assert reading.remarks == {}


def test_a_user_role_does_not_make_it_a_statement_of_the_user(told):
    assert {one.source_type for one in told("mem0/get_all.json").found} == {
        SourceType.FOREIGN_MEMORY
    }


def test_evidence_is_the_string_that_carries_the_claim(told):
    for read in told("mem0/get_all.json").reads:
        (span,) = read.found.evidence
        assert read.raw[span.start : span.end].decode() == f'"{read.found.claim}"'


@pytest.mark.parametrize("fixture", ["bare_list.json", "rows_as_lines.jsonl"])
def test_the_same_rows_are_read_in_either_wrapping(told, fixture):
    assert [one.source_id for one in told(f"mem0/{fixture}").found] == [ID + "1", ID + "2"]


def test_a_score_is_kept_as_the_file_s_word(told):
    assert told("mem0/search_with_scores.json").found[0].foreign["score"] == "0.8312"


def test_a_vector_is_dropped_and_its_length_kept(told):
    (found,) = told("mem0/vector_payload_rows.json").found
    assert found.claim == "Ships on Mondays"
    assert found.foreign["vector_dimensions"] == 3
    assert "embedding" not in found.foreign
    assert found.source_type is SourceType.MODEL_EXTRACTION


def test_a_replaced_row_is_superseded_by_the_row_it_names(told):
    new, old = told("mem0/platform_page.json").found
    assert new.edges == (Edge(EdgeKind.SUPERSEDES, ID + "1"),)
    assert new.source_type is SourceType.MODEL_EXTRACTION
    assert old.edges == ()
    assert RemarkCode.LATER_VERSION_EXISTS not in old.remarks


def test_a_replacement_in_another_file_is_remarked(told):
    reading = told("mem0/replacement_in_another_file.json")
    assert RemarkCode.LATER_VERSION_EXISTS in reading.found[0].remarks
    assert reading.remarks == {
        RemarkCode.LATER_VERSION_EXISTS: 1,
        RemarkCode.NEXT_PAGE_EXISTS: 0,
    }


def test_the_qdrant_export_tells_what_only_its_payload_knows(told):
    (found,) = told("mem0/qdrant_export.json").found
    assert found.scope == {"user": "u1"}
    assert found.foreign["attributed_to"] == "user"
    assert found.source_type is SourceType.MODEL_EXTRACTION
    assert "source_payload" not in found.foreign


def test_history_becomes_a_chain_of_versions(told):
    added, updated, broken, deleted = told("mem0/history.json").found
    assert (added.source_id, added.edges) == ("mem0:m1#h1", ())
    assert updated.edges == (Edge(EdgeKind.SUPERSEDES, "mem0:m1#h1"),)
    assert updated.written_at == "2026-03-02T08:00:00+00:00"
    assert updated.valid == Interval()
    assert broken.edges == ()
    assert RemarkCode.EDGE_TARGET_UNKNOWN in broken.remarks
    assert deleted == Nothing(NothingReason.TOMBSTONE)


def test_exactly_twenty_rows_may_be_a_page(told):
    assert told("mem0/twenty_rows.json").remarks == {RemarkCode.TRUNCATED_AT_20: 20}


def test_old_graph_rows_are_facts_made_by_a_model(told):
    _, relation = told("mem0/graph_relations.json").found
    assert relation.claim == "ana works at ozon"
    assert relation.entities == ("ana", "ozon")
    assert relation.source_type is SourceType.MODEL_EXTRACTION


def test_a_row_that_names_nobody_says_so(told):
    (found,) = told("mem0/nobody_named.json").found
    assert found.remarks == (RemarkCode.NO_OWNER,)
    assert found.scope == {}


def test_without_created_at_the_file_s_time_is_assumed(told):
    (found,) = told("mem0/no_created_at.json").found
    assert found.written_at
    assert found.remarks == (RemarkCode.WRITTEN_AT_ASSUMED,)


def test_a_naive_time_says_that_a_zone_was_assumed(told):
    (found,) = told("mem0/naive_time.json").found
    assert found.written_at == "2026-03-01T08:00:00+00:00"
    assert RemarkCode.TIME_ZONE_ASSUMED in found.remarks


def test_without_an_id_the_identity_is_made_of_the_content(told):
    first, second = (told("mem0/no_ids.json").found[0] for _ in range(2))
    assert first.source_id == second.source_id
    assert RemarkCode.NO_IDS in first.remarks


def test_empty_text_is_nothing_and_no_text_is_a_fault(told):
    assert told("mem0/empty_and_missing_text.json").found == [
        Nothing(NothingReason.EMPTY_TEXT),
        Failed(FailReason.FIELD_MISSING, name="memory"),
        Nothing(NothingReason.EMPTY_TEXT),
    ]


@pytest.mark.parametrize(
    ("fixture", "fault"),
    [
        ("text_is_a_number", Failed(FailReason.FIELD_INVALID, name="memory")),
        ("time_is_no_time", Failed(FailReason.TIME_INVALID, name="created_at")),
    ],
)
def test_one_bad_row_leaves_its_neighbour(told, fixture, fault):
    first, second = told(f"mem0/{fixture}.json").found
    assert first == fault
    assert isinstance(second, Proposal)


def test_a_bare_string_among_objects_fails_alone(told):
    first, *wrong, last = told("mem0/bare_string_among_objects.json").found
    assert (first.claim, wrong.pop(1).claim, last) == ("First", "Second", wrong[-1])
    assert {one.reason for one in [*wrong, last]} == {FailReason.WRONG_SHAPE}


@pytest.mark.parametrize("fixture", ["cut_in_a_record", "cut_between_records"])
def test_a_cut_file_keeps_its_whole_records(told, fixture):
    reading = told(f"mem0/{fixture}.json")
    whole, cut = reading.found
    assert (whole.claim, cut.reason) == ("Whole", FailReason.CUT_SHORT)
    assert reading.remarks == {RemarkCode.TAIL_CUT: 1}


def test_results_that_are_no_list_have_the_wrong_shape(told):
    (found,) = told("mem0/results_is_an_object.json", "mem0").found
    assert found == Failed(FailReason.WRONG_SHAPE)


def test_the_plugin_s_markdown_is_read_by_its_headers(told):
    first, second = told("mem0/plugin_export.md").found
    assert (first.claim, first.kind) == ("Отвечать коротко.", Kind.PROFILE_PREFERENCE)
    assert (first.confidence, first.scope) == ("0.9", {"branch": "main"})
    assert second.claim == "Keep a rule\n---\ninside the text."
    assert second.written_at == "2026-01-01T10:00:00Z"


def test_a_cut_header_fails_alone(told):
    first, second = told("mem0/plugin_export_cut_header.md").found
    assert first.claim == "Whole one."
    assert second.reason is FailReason.CUT_SHORT


def test_a_model_s_export_gives_insights_only(told):
    reading = told("mem0/platform_export.json", "mem0_platform_export")
    assert [one.claim for one in reading.found] == [
        "profile.name: Ana",
        "profile.diet: vegan",
        "profile.diet: no nuts",
    ]
    assert {one.kind for one in reading.found} == {Kind.INSIGHT}
    assert all(RemarkCode.MODEL_MADE in one.remarks for one in reading.found)
