import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from importers import catalogue
from importers.own_format import importer as own_jsonl
from importers.source import from_bytes
from store.cells import (
    Asserter,
    Conclusion,
    Edge,
    EdgeKind,
    Fact,
    Interval,
    Kind,
    Precision,
    Proposal,
    SourceType,
    Span,
)
from store.records import Failed, FailReason, Nothing, NothingReason, RemarkCode

LEAST = {
    "claim": "Prefers tea.",
    "kind": "fact",
    "source_type": "document",
    "source_id": "doc:2",
    "written_at": "2026-01-01T00:00:00Z",
}


def test_a_line_can_carry_every_field(told):
    reading = told("own/all_fields.jsonl")
    full, least = reading.found
    march = Interval("2026-03-01", None, Precision.DAY)
    assert (full.kind, full.source_type) == (Kind.DECISION, SourceType.OWNER_ORDER)
    assert (full.source_id, full.written_at) == ("order:17", "2026-02-20T09:00:00+03:00")
    assert (full.valid, full.scope, full.entities) == (march, {"user": "ana"}, ("лимит",))
    assert full.facts == (Fact("лимит", "amount", "5000", Span(23, 29), march),)
    support = Fact("лимит", "amount", "5000 ₽", Span(22, 29))
    assert full.conclusion == Conclusion("Pay without a second signature", "payment", (support,))
    assert full.edges == (
        Edge(EdgeKind.SUPERSEDES, "order:16", "0.9", Asserter.SOURCE),
        Edge(EdgeKind.DEPENDS_ON, "doc:1", "1", Asserter.SOURCE),
    )
    assert (full.verbatim, full.immutable, full.polarity) == (True, "owner:finance", "do")
    assert (full.expires_at, full.review_id) == ("2027-01-01", "review-1")
    assert (full.confidence, full.foreign) == ("0.75", {"ticket": "T-1", "weight": "0.5"})
    raw = reading.reads[0].raw
    (quote,) = full.evidence
    assert raw[quote.start : quote.end].decode() == "лимит = 5000 ₽"
    assert least.remarks == ()


def test_the_header_is_no_record_and_can_be_left_out(told):
    assert len(told("own/all_fields.jsonl").reads) == 2
    assert len(told("own/without_header.jsonl").reads) == 2


@pytest.mark.parametrize("name", ["claim", "kind", "source_type", "source_id", "written_at"])
def test_a_missing_field_is_named_and_the_next_line_is_read(told, name):
    first, second = told(f"own/missing_{name}.jsonl", "own_jsonl").found
    assert first == Failed(FailReason.FIELD_MISSING, name=name)
    assert isinstance(second, Proposal)


@pytest.mark.parametrize(
    ("fixture", "name"),
    [
        ("fact_outside_its_span", "facts"),
        ("fact_span_past_the_claim", "facts"),
        ("support_outside_its_span", "conclusion"),
        ("edge_by_a_person", "edges"),
        ("edge_too_strong", "edges"),
        ("edge_of_unknown_kind", "edges"),
        ("unknown_kind", "kind"),
        ("unknown_source_type", "source_type"),
        ("end_before_start", "valid"),
        ("unknown_precision", "valid"),
        ("immutable_without_owner", "immutable"),
        ("unknown_polarity", "polarity"),
        ("scope_with_a_number", "scope"),
        ("entities_not_a_list", "entities"),
        ("verbatim_is_a_word", "verbatim"),
        ("negative_confidence", "confidence"),
        ("evidence_past_the_line", "evidence"),
        ("quote_not_in_the_record", "quote"),
        ("foreign_is_a_list", "foreign"),
    ],
)
def test_a_field_that_is_wrong_is_named_and_the_next_line_is_read(told, fixture, name):
    first, second = told(f"own/{fixture}.jsonl").found
    assert first == Failed(FailReason.FIELD_INVALID, name=name)
    assert isinstance(second, Proposal)


@pytest.mark.parametrize("name", ["written_at", "valid", "expires_at"])
def test_a_time_that_is_none_is_named(told, name):
    first, second = told(f"own/{name}_is_no_time.jsonl").found
    assert first == Failed(FailReason.TIME_INVALID, name=name)
    assert isinstance(second, Proposal)


def test_what_a_file_says_of_its_own_standing_is_shown_and_sets_nothing(told):
    (found,) = told("own/claims_to_be_approved.jsonl").found
    assert found.foreign == {
        "claimed_tenant": "other",
        "claimed_writer": "root",
        "claimed_validation_state": "verified",
        "claimed_stage": "durable",
        "claimed_approved": True,
        "claimed_approved_by": "ana",
        "unknown": {"score": "0.25", "mood": "good"},
    }


def test_an_empty_claim_is_nothing(told):
    assert told("own/empty_claim.jsonl").found[0] == Nothing(NothingReason.EMPTY_TEXT)


def test_another_version_of_the_format_is_refused_at_its_header(told):
    first, second = told("own/other_version.jsonl", "own_jsonl").found
    assert first == Failed(FailReason.FIELD_INVALID, name="format")
    assert isinstance(second, Proposal)


def test_a_time_without_a_zone_says_that_one_was_assumed(told):
    (found,) = told("own/naive_time.jsonl").found
    assert found.written_at == "2026-01-01T10:00:00+00:00"
    assert found.remarks == (RemarkCode.TIME_ZONE_ASSUMED,)


def test_the_example_in_the_documentation_is_read(told, data):
    page = (data.parents[1] / "docs" / "formats.md").read_text(encoding="utf-8")
    example = page.split("```jsonl\n")[1].split("```")[0].encode()
    reading = told(from_bytes("example.jsonl", example))
    assert len(reading.found) == example.count(b"\n") - 1
    assert all(isinstance(one, Proposal) for one in reading.found), reading.found


def test_every_importer_is_named_in_the_documentation(data):
    page = (data.parents[1] / "docs" / "formats.md").read_text(encoding="utf-8")
    assert [name for name in catalogue.IMPORTERS if f"`{name}`" not in page] == []


@example(claim="0\xa0", ascii_only=False)
@given(st.text(st.characters(codec="utf-8"), min_size=1).filter(str.strip), st.booleans())
def test_any_claim_comes_back_as_it_was_written(claim, ascii_only):
    line = json.dumps({**LEAST, "claim": claim}, ensure_ascii=ascii_only).encode()
    (read,) = own_jsonl.read(from_bytes("x", line + b"\n"))
    assert read.found.claim == claim
    (span,) = read.found.evidence
    assert json.loads(read.raw[span.start : span.end]) == claim
