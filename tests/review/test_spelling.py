"""Forms that are spelled by hand are the canonical bytes of the same values."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from review.staged import spelling
from store import artifact, canonical
from store.cells import Edge, EdgeKind, Proposal, Provenance
from store.records import Place
from tests.review.desks import proposal
from tests.review.varied import varied

RECORDS = [one for seed in (1, 2, 3) for one in varied(seed) if isinstance(one, Proposal)]


def key(name: str) -> str:
    return name.encode("ascii", "backslashreplace").decode("ascii")


def plain(value):
    if isinstance(value, dict):
        return {key(str(k)): plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if value is None or isinstance(value, bool | str):
        return value
    return value if isinstance(value, int) and abs(value) < 2**53 else str(value)


def interval(valid):
    return [valid.start, valid.end, str(valid.precision)]


def fact(one):
    return {
        "subject": one.subject,
        "parameter": one.parameter,
        "value": one.value,
        "span": [one.span.start, one.span.end],
        "valid": interval(one.valid),
    }


def read_fact(one):
    return fact(one) | {
        "role": str(one.role),
        "subject_key": one.subject_key,
        "parameter_key": one.parameter_key,
        "value_key": one.value_key,
        "cardinality": str(one.cardinality),
        "reader": one.reader,
    }


def conclusion(told, fact=fact):
    if told is None:
        return None
    return {"text": told.text, "task": told.task, "support": [fact(one) for one in told.support]}


def cell(one: Proposal) -> spelling.Cell:
    told = Provenance(
        source_type=one.source_type,
        source_id=one.source_id,
        writer_identity='p-"test"',
        tenant_id="tenant-1",
        written_at=one.written_at or "2026-02-01",
    )
    edges = (Edge(EdgeKind.SUPERSEDES, "01J8", "0.9"),) * len(one.edges)
    return spelling.Cell("01J8ITEM", 2, one, told, Place(1, 2, 3, "член.md"), edges, "mem0/1")


def expect(spelled: bytes, value: object) -> None:
    assert spelled == canonical.encode(value)
    canonical.decode(spelled)


def test_every_form_is_canonical():
    for one in RECORDS:
        expect_forms(one)


def expect_forms(one: Proposal) -> None:
    made = cell(one)
    scope = {key(k): v for k, v in one.scope.items()}
    expect(
        spelling.content(one),
        {
            "claim": one.claim,
            "source": one.source_id,
            "kind": str(one.kind),
            "type": str(one.source_type),
            "valid": interval(one.valid),
            "scope": scope,
            "entities": list(one.entities),
            "facts": [fact(each) for each in one.facts],
            "conclusion": conclusion(one.conclusion),
            "edges": [[str(e.kind), e.target, e.strength] for e in one.edges],
            "verbatim": one.verbatim,
            "immutable": one.immutable,
            "expires": one.expires_at,
            "polarity": one.polarity,
        },
    )
    expect(
        spelling.provenance(one, made.provenance, made.place),
        {
            "source_type": str(one.source_type),
            "source_id": one.source_id,
            "writer_identity": 'p-"test"',
            "tenant_id": "tenant-1",
            "written_at": made.provenance.written_at,
            "validation_state": "unverified",
            "confidence": one.confidence,
            "review_id": one.review_id,
            "polarity": one.polarity,
            "immutable": one.immutable,
            "member": "член.md",
            "evidence": [[span.start, span.end] for span in one.evidence],
            "unresolved_edges": [[str(e.kind), e.target] for e in one.edges],
            "foreign": plain(one.foreign),
            "remarks": [str(code) for code in one.remarks],
        },
    )
    expect(spelling.scope(one), {"scope": scope, "entities": list(one.entities)})
    expect(spelling.facts(one), [read_fact(each) for each in one.facts])
    expect(spelling.conclusion(one), conclusion(one.conclusion, read_fact))


def test_a_manifest_has_every_field_and_no_other():
    for one in RECORDS:
        expect_manifest(one)


def expect_manifest(one: Proposal) -> None:
    made = cell(one)
    parts = {"text": "a" * 64, "provenance": "b" * 64}
    if one.facts:
        parts["facts"] = "c" * 64
    spelled = spelling.manifest(made, parts)
    told = canonical.decode(spelled)
    assert artifact.digest(told) == canonical.sha256(spelled).hex()
    assert told == {
        "item": "01J8ITEM",
        "rev": 2,
        "tenant": "tenant-1",
        "kind": str(one.kind),
        "source_type": str(one.source_type),
        "text": "a" * 64,
        "provenance": "b" * 64,
        "valid_from": one.valid.start,
        "valid_to": one.valid.end,
        "precision": str(one.valid.precision),
        "expires_at": one.expires_at,
        "scope": None,
        "verbatim": one.verbatim,
        "immutable": one.immutable is not None,
        "facts": parts.get("facts"),
        "conclusion": None,
        "edges": [["supersedes", "01J8", "0.9", "source"]] * len(one.edges),
        "pointer": None,
        "parser": "mem0/1",
    }


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=4) | st.integers(), inner, max_size=3)
    ),
    max_leaves=12,
)


@given(values)
@settings(max_examples=300, deadline=None)
def test_any_foreign_value_is_spelled_canonically(value):
    expect(spelling.foreign(value).encode("utf-8"), plain(value))


def test_half_of_a_surrogate_pair_is_refused():
    with pytest.raises(canonical.NotCanonicalError):
        spelling.content(replace(proposal("a"), claim="a \ud800 b"))
