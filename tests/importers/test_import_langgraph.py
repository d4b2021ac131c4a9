"""LangGraph and LangMem: items as JSON, and the SQLite file of a store."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from importers import catalogue
from importers.langgraph import importer as langgraph
from importers.langgraph import store as langgraph_store
from importers.source import SourceRefusedError, from_bytes, from_path
from store.cells import Interval, Kind, Precision, Proposal
from store.records import Failed, FailReason, Nothing, NothingReason, Read, RemarkCode

from .conftest import DATA

SAMPLES = Path(__file__).resolve().parents[3] / "shared" / "samples" / "langgraph"
MODIFIED = "2026-04-01T00:00:00Z"


def item(value, key="k1", **more):
    return {
        "namespace": ["memories", "anna"],
        "key": key,
        "value": value,
        "created_at": "2026-03-01T08:00:00+00:00",
        "updated_at": "2026-03-02T08:00:00+00:00",
        **more,
    }


def source(*values, indent=None):
    rows = (json.dumps(one, ensure_ascii=False, indent=indent) for one in values)
    return from_bytes("items.json", "\n".join(rows).encode(), modified_at=MODIFIED)


def claims(reading):
    return [one.claim for one in reading.found if isinstance(one, Proposal)]


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ({"kind": "Memory", "content": {"content": "Пьёт чай"}}, Kind.FACT),
        ({"kind": "Memory", "content": "Пьёт чай"}, Kind.FACT),
        ({"content": "Пьёт чай"}, Kind.FACT),
        ({"content": {"content": "Пьёт чай"}}, Kind.FACT),
        (
            {"kind": "PreferenceMemory", "content": {"content": "Пьёт чай"}},
            Kind.PROFILE_PREFERENCE,
        ),
    ],
)
def test_the_text_in_an_envelope_is_the_claim_and_the_schema_hints_at_its_kind(told, value, kind):
    (found,) = told(source([item(value)])).found
    assert (found.claim, found.kind) == ("Пьёт чай", kind)
    assert found.source_id == "langgraph:memories.anna/k1"
    assert found.scope == {"namespace": "memories.anna"}
    assert found.foreign["claimed_tenant"] == "memories.anna"
    assert found.written_at == "2026-03-02T08:00:00+00:00"
    assert found.valid == Interval()


def test_a_schema_of_its_own_gives_a_claim_for_each_leaf_in_the_item_s_bytes(told):
    profile = {"name": "Боб", "age": 41, "vip": True, "zone": None, "likes": ["чай", "мёд"]}
    value = {"kind": "UserProfile", "content": profile | {"address": {"city": "Тула"}}}
    made = source([item(value)])
    reading = told(made)
    assert claims(reading) == [
        "name: Боб",
        "age: 41",
        "vip: true",
        "likes: чай",
        "likes: мёд",
        "address.city: Тула",
    ]
    assert [one.source_id.partition("#")[2] for one in reading.found] == [
        "name",
        "age",
        "vip",
        "likes.0",
        "likes.1",
        "address.city",
    ]
    assert {one.kind for one in reading.found} == {Kind.PROFILE_PREFERENCE}
    for read in reading.reads:
        assert made.content[read.place.start : read.place.end] == read.raw
        (span,) = read.found.evidence
        assert read.raw[span.start : span.end].decode() == read.found.claim.split(": ")[1]
        assert span.start > read.raw.index(b'"value"')


def test_content_that_is_an_object_is_read_leaf_by_leaf_too(told):
    reading = told(source([item({"content": {"fact": "чай", "weight": 0.5}})]))
    assert claims(reading) == ["fact: чай", "weight: 0.5"]


def test_what_tells_only_of_a_text_is_kept_beside_it(told):
    value = {"kind": "Memory", "content": {"content": "Пьёт чай", "context": "утром"}}
    (found,) = told(source([item(value)])).found
    assert found.claim == "Пьёт чай"
    assert found.foreign["context"] == "утром"


def test_a_triple_is_one_claim_about_both_ends(told):
    triple = {"subject": "Анна", "predicate": "ведёт", "object": "склад", "context": "с 2025"}
    (found,) = told(source([item({"kind": "Triple", "content": triple})])).found
    assert (found.claim, found.entities) == ("Анна ведёт склад", ("Анна", "склад"))
    assert found.foreign["context"] == "с 2025"


def test_the_store_names_no_writer_and_no_source(told):
    remarks = told(source([item({"content": "x"})])).remarks
    assert {RemarkCode.NO_WRITER, RemarkCode.SOURCE_LINK_ABSENT} <= remarks.keys()


def test_a_score_makes_it_a_search_result_and_a_null_score_does_not(told):
    scored, plain = (told(source([item({"content": "x"}, score=one)])) for one in (0.71, None))
    assert scored.remarks[RemarkCode.SEARCH_RESULT] == 1
    assert scored.found[0].foreign["score"] == "0.71"
    assert scored.found[0].confidence is None
    assert RemarkCode.SEARCH_RESULT not in plain.remarks


def test_a_naive_time_is_taken_as_utc_and_one_that_is_absent_as_the_file_s(told):
    naive, absent = told(
        source(
            [
                item({"content": "x"}, updated_at="2026-11-29T19:36:00"),
                item({"content": "y"}, created_at=None, updated_at=None),
            ]
        )
    ).found
    assert naive.written_at == "2026-11-29T19:36:00+00:00"
    assert RemarkCode.TIME_ZONE_ASSUMED in naive.remarks
    assert absent.written_at == MODIFIED
    assert RemarkCode.WRITTEN_AT_ASSUMED in absent.remarks


def test_a_row_of_the_table_dumped_as_json_is_the_same_item(told):
    row = {
        "prefix": "memories.anna",
        "key": "k1",
        "value": json.dumps({"content": "Пьёт чай"}),
        "created_at": "2026-03-01 08:00:00",
        "updated_at": "2026-03-01 08:00:00",
        "expires_at": "2026-05-01 08:00:00.5+00",
        "ttl_minutes": 60,
    }
    made = source([row])
    assert catalogue.detect(made).name == "langgraph"
    (found,) = told(made).found
    assert (found.claim, found.source_id) == ("Пьёт чай", "langgraph:memories.anna/k1")
    assert found.expires_at == found.valid.end == "2026-05-01T08:00:00.5+00:00"
    assert RemarkCode.ENCODED_TWICE in found.remarks


@pytest.mark.parametrize("form", ["list", "lines", "one", "wrapped"])
def test_items_are_read_in_any_form(told, form):
    row = item({"content": "Пьёт чай"})
    made = {
        "list": source([row], indent=2),
        "lines": source(row, row),
        "one": source(row, indent=2),
        "wrapped": source({"items": [row]}),
    }[form]
    assert catalogue.detect(made).name == "langgraph"
    reading = told(made)
    assert set(claims(reading)) == {"Пьёт чай"}
    for read in reading.reads:
        assert made.content[read.place.start : read.place.end] == read.raw
        assert read.place.line == made.content.count(b"\n", 0, read.place.start) + 1


def test_times_are_read_as_the_javascript_client_names_them(told):
    row = {"namespace": ["a"], "key": "k", "value": {"content": "x"}, "updatedAt": "2026-03-02"}
    (found,) = told(source([row | {"createdAt": "2026-03-01T08:00:00.000Z"}])).found
    assert found.written_at == "2026-03-02T00:00:00+00:00"
    assert "createdAt" not in found.foreign


def test_vectors_are_dropped(told):
    reading = told(source([item({"text": "чай", "vector": [0.1] * 64})]))
    assert claims(reading) == ["text: чай"]
    assert reading.found[0].foreign["vector_dimensions"] == 64
    assert reading.remarks[RemarkCode.VECTORS_DROPPED] == 1


@pytest.mark.parametrize(
    ("bad", "found"),
    [
        ({"namespace": 7}, Failed(FailReason.FIELD_INVALID, name="namespace")),
        ({"key": None}, Failed(FailReason.FIELD_MISSING, name="key")),
        ({"key": [1]}, Failed(FailReason.FIELD_INVALID, name="key")),
        ({"updated_at": "soon"}, Failed(FailReason.TIME_INVALID, name="updated_at")),
        ({"expires_at": "soon"}, Failed(FailReason.TIME_INVALID, name="expires_at")),
        ({"value": 7}, Failed(FailReason.FIELD_INVALID, name="value")),
        ({"value": ["x"] * 600}, Failed(FailReason.TOO_MANY_KEYS, name="value")),
        ({"value": {}}, Nothing(NothingReason.EMPTY_TEXT)),
        ({"value": None}, Nothing(NothingReason.EMPTY_TEXT)),
        ({"value": {"content": " "}}, Nothing(NothingReason.EMPTY_TEXT)),
    ],
)
def test_a_bad_item_fails_alone(told, bad, found):
    rows = [item({"content": "x"}) | bad, item({"content": "y"}, key="k2")]
    reading = told(source(rows), "langgraph")
    assert reading.found[0] == found
    assert claims(reading) == ["y"]


def test_a_file_that_ends_too_early_keeps_what_came_before(told):
    data = source([item({"content": "x"}), item({"content": "y"}, key="k2")]).content
    reading = told(from_bytes("cut.json", data[: data.index(b'"y"')]), "langgraph")
    assert claims(reading) == ["x"]
    assert reading.remarks[RemarkCode.TAIL_CUT] >= 1


@pytest.mark.parametrize("data", [b"", b"{", b"[", b"\xff\xfe", b'{"items": 7}', b"null", b"{}"])
def test_broken_bytes_neither_raise_nor_vanish(told, data):
    reading = told(from_bytes("x", data), "langgraph")
    assert all(isinstance(one, Failed | Nothing) for one in reading.found)
    assert bool(reading.found) or data in (b"", b"[")


STORE = (
    "CREATE TABLE store (prefix text NOT NULL, key text NOT NULL, value text NOT NULL,"
    " created_at TIMESTAMP, updated_at TIMESTAMP, expires_at TIMESTAMP, ttl_minutes REAL,"
    " PRIMARY KEY (prefix, key))"
)
TIME = "2026-03-01 08:00:00"


def database(*values, schema=STORE, expires=None):
    with closing(sqlite3.connect(":memory:")) as made:
        made.execute(schema)
        for n, value in enumerate(values):
            made.execute(
                "INSERT INTO store (prefix, key, value, created_at, updated_at, expires_at)"
                " VALUES ('memories.anna', ?, ?, ?, ?, ?)",
                (f"k{n}", value, TIME, TIME, expires),
            )
        made.commit()
        return from_bytes("store.db", made.serialize())


def test_a_value_is_read_from_bytes_and_from_text(told):
    value = json.dumps({"content": "Пьёт чай"}, ensure_ascii=False)
    made = database(value.encode(), value)
    assert catalogue.detect(made).name == "langgraph_store"
    reading = told(made)
    assert claims(reading) == ["Пьёт чай", "Пьёт чай"]
    first = reading.found[0]
    assert first.source_id == "langgraph:memories.anna/k0"
    assert first.written_at == "2026-03-01T08:00:00+00:00"
    assert RemarkCode.TIME_ZONE_ASSUMED in first.remarks
    assert RemarkCode.NO_BYTE_RANGES in reading.remarks
    read = reading.reads[0]
    assert (read.place.member, read.place.end) == ("store/rowid=1", len(made.content))
    (span,) = first.evidence
    assert read.raw[span.start : span.end].decode() == "Пьёт чай"
    assert json.loads(read.raw)["value"] == {"content": "Пьёт чай"}


def test_expires_at_ends_validity(told):
    (found,) = told(database(b'{"content": "x"}', expires="2026-05-01 20:36:00.5+00:00")).found
    assert found.expires_at == "2026-05-01T20:36:00.5+00:00"
    assert found.valid == Interval(None, "2026-05-01T20:36:00.5+00:00", Precision.INSTANT)


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (b"\xff{", FailReason.NOT_UTF8),
        (b"{", FailReason.NOT_JSON),
        (7, FailReason.FIELD_INVALID),
        (b'{"content": NaN}', FailReason.NOT_A_NUMBER),
        (b'{"content": "' + b"x" * 70_000 + b'"}', FailReason.TOO_LONG),
        (b"x" * 3_000_000, FailReason.TOO_LONG),
    ],
)
def test_a_bad_value_fails_alone(told, value, reason):
    reading = told(database(value, b'{"content": "y"}'), "langgraph_store")
    assert reading.found[0].reason is reason
    assert claims(reading) == ["y"]


def test_a_computed_column_refuses_the_source_and_a_view_is_no_store(told):
    schema = STORE.replace("ttl_minutes REAL", "g TEXT GENERATED ALWAYS AS ('x') VIRTUAL")
    with pytest.raises(SourceRefusedError, match="computed columns"):
        told(database(b'{"content": "y"}', schema=schema), "langgraph_store")
    with closing(sqlite3.connect(":memory:")) as made:
        made.execute("CREATE VIEW store AS SELECT 'a' AS prefix, 'b' AS key, 'c' AS value")
        made.commit()
        view = from_bytes("store.db", made.serialize())
    assert told(view, "langgraph_store").found == [Failed(FailReason.WRONG_SHAPE)]


def test_a_cut_database_fails_and_a_cut_header_is_refused(told):
    whole = database(*[b'{"content": "y"}'] * 400)
    cut = from_bytes("store.db", whole.content[:4096])
    assert any(isinstance(one, Failed) for one in told(cut, "langgraph_store").found)
    with pytest.raises(SourceRefusedError, match="header is cut"):
        told(from_bytes("store.db", whole.content[:50]), "langgraph_store")


def test_other_fixtures_are_not_recognised():
    for path in DATA.rglob("*"):
        if path.is_file():
            head = from_path(path).head()
            assert not langgraph.recognises(head), path
            assert not langgraph_store.recognises(head), path


@pytest.mark.shared
@pytest.mark.skipif(not SAMPLES.is_dir(), reason="no samples beside the checkout")
@pytest.mark.parametrize(
    ("sample", "importer"), [("items.json", "langgraph"), ("store.db", "langgraph_store")]
)
def test_every_record_of_a_sample_is_accounted_for(sample, importer):
    reading = catalogue.open_reading(from_path(SAMPLES / sample))
    assert reading.origin.importer == importer
    found = [one.found for one in reading.records if isinstance(one, Read)]
    assert sorted(one.claim for one in found) == [
        "User likes dogs as pets",
        "language: ru",
        "n: 1",
        "name: Боб",
        "prefers tea",
        "text: temp",
    ]
