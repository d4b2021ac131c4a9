"""Tables and objects of no known format, read as a person mapped their columns."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from importers import sandbox
from importers.mapped import importer as mapped
from importers.mapped import rows as mapped_rows
from importers.mapped.choice import Column, Mapping
from importers.mapped.importer import importer_for, suggest
from importers.source import SourceRefusedError, from_bytes
from store.cells import Interval, Kind, Precision, Proposal, SourceType
from store.records import (
    Failed,
    FailReason,
    Nothing,
    NothingReason,
    Place,
    Read,
    RemarkCode,
)

from .conftest import Told

CSV = (
    "id;факт;тип;дата создания;действует с;отдел;уверенность;заметки\n"
    "7;Склад — Коледино;факт;01.03.2026;2026-03-01;закупки;0,9;проверить\n"
    '8;"Оплата; в два этапа\nи ""точка""";решение;01.03.2026 14:30;;закупки;;\n'
    "9;;факт;;;;;\n"
)
MAPPED = Mapping(
    claim="факт",
    kind="тип",
    source_id="id",
    written_at="дата создания",
    valid_from="действует с",
    scope=("отдел",),
    confidence="уверенность",
    delimiter=";",
)


def source(text, name="crm.csv"):
    return from_bytes(name, text if isinstance(text, bytes) else text.encode())


def told(text, mapping, name="crm.csv"):
    return Told(importer_for(mapping).read(source(text, name)))


def claims(found):
    return [one.claim for one in found if isinstance(one, Proposal)]


def checked(text, mapping):
    """The records, each of which carries the bytes that its place names."""
    data = text if isinstance(text, bytes) else text.encode()
    reading = told(data, mapping)
    end = 0
    for one in reading.reads:
        assert data[one.place.start : one.place.end] == one.raw
        assert one.place.start >= end
        assert one.place.line == data.count(b"\n", 0, one.place.start) + 1
        end = one.place.end
    return reading


def test_a_proposal_for_every_field_is_made_from_russian_names():
    assert suggest(source(CSV).head()) == MAPPED


def test_a_proposal_is_made_from_english_names_and_a_quoted_dialect():
    text = (
        "id,text,created_at,valid_until,user_id,entities,type\n"
        '1,"Tea, green",2026-03-01,2027,ana,tea|cup,fact\n'
    )
    assert suggest(source(text).head()) == Mapping(
        claim="text",
        kind="type",
        source_id="id",
        written_at="created_at",
        valid_until="valid_until",
        entities=("entities",),
        scope=("user_id",),
    )


def test_without_a_telling_name_the_longest_words_are_the_claim_and_dates_the_time():
    text = (
        "a\tb\tc\nx1\t2026-03-01\tThe main warehouse is in Koledino\n"
        "x2\t2026-03-02\tWe pay in two steps\n"
    )
    found = suggest(source(text).head())
    assert (found.claim, found.written_at, found.delimiter) == ("c", "b", "\t")


def test_a_name_that_promises_a_time_and_holds_none_is_not_proposed():
    assert suggest(source("date,text\nsoon,We pay in two steps\n").head()).written_at == ""


def test_columns_come_with_three_examples_each():
    found = mapped.columns(source("a,b\n" + "".join(f"{n},same\n" for n in range(9))).head())
    assert found.columns == (Column("a", ("0", "1", "2")), Column("b", ("same",)))
    long = mapped.columns(source("a,b\n" + "x" * 500 + ",1\n").head())
    assert long.columns[0].examples == ("x" * 80,)


def test_the_process_lists_columns_and_reads_by_them():
    upload = source(CSV)
    found = sandbox.columns(upload)
    assert found == mapped.columns(upload.head())
    reading = sandbox.open_reading(upload, mapping=found.proposed)
    assert (reading.origin.importer, reading.origin.media_type) == ("mapped_csv", "text/csv")
    records = list(reading.records)
    assert records == list(importer_for(MAPPED).read(upload))
    assert len(claims(one.found for one in records if isinstance(one, Read))) == 2


def test_a_file_without_columns_is_refused():
    for text in (b"", b"\n\n", b"[1, 2, 3]", b"{}"):
        with pytest.raises(SourceRefusedError, match="neither rows"):
            sandbox.columns(source(text))


def test_what_is_no_text_has_no_columns():
    picture = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR,a,b\n1,2,3\n"
    for data in (picture, b"PK\3\4\x14\0\0\0a,b\n"):
        with pytest.raises(SourceRefusedError, match="It is no text"):
            sandbox.columns(source(data))


def test_the_row_of_names_and_the_separator_are_no_records():
    reading = told("sep=;\na;b\n1;x\n2;y\n", Mapping(claim="b", delimiter=";"))
    assert claims(reading.found) == ["x", "y"]
    assert len(reading.reads) == 2


def test_every_field_is_where_the_person_said():
    reading = checked(CSV, MAPPED)
    first, second, empty = reading.found
    assert first.claim == "Склад — Коледино"
    assert first.kind is Kind.FACT
    assert first.source_type is SourceType.FOREIGN_MEMORY
    assert first.source_id == "table/crm.csv:7"
    assert first.written_at == "2026-03-01T00:00:00+00:00"
    assert first.valid == Interval("2026-03-01", None, Precision.DAY)
    assert first.scope == {"отдел": "закупки"}
    assert first.confidence == "0.9"
    assert first.foreign == {"заметки": "проверить"}
    assert second.claim == 'Оплата; в два этапа\nи "точка"'
    assert second.kind is Kind.DECISION
    assert second.written_at == "2026-03-01T14:30:00+00:00"
    assert empty == Nothing(NothingReason.EMPTY_TEXT)
    assert RemarkCode.MAPPED_BY_PERSON in reading.remarks


def test_the_evidence_is_the_cell_of_the_claim():
    reading = checked(CSV, MAPPED)
    (span,) = reading.found[0].evidence
    assert reading.reads[0].raw[span.start : span.end].decode() == "Склад — Коледино"
    (span,) = reading.found[1].evidence
    assert reading.reads[1].raw[span.start : span.end].decode().startswith("Оплата; в")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a,b\n1,x\n", ["x"]),
        ("a;b\n1;x\n", ["x"]),
        ("a\tb\n1\tx\n", ["x"]),
        ("a|b\n1|x\n", ["x"]),
        ("sep=;\na;b\n1;x,y\n", ["x,y"]),
        ("\ufeffa,b\r\n1,x\r\n", ["x"]),
        ('a,b\r\n1,"x\r\ny"\r\n2,z\r\n', ["x\r\ny", "z"]),
        ('a,b\n1,"x""y"\n2,""\n3,"z"', ['x"y', "z"]),
        ("a,b\n\n1,x\n\n", ["x"]),
        ("a,b\n1,x", ["x"]),
        ('a,b\n1,5" pipe\n2,y\n', ['5" pipe', "y"]),
        ("a,b\n1\n2,y\n", ["y"]),
        ("a,b,,\n1,x,,\n", ["x"]),
    ],
)
def test_dialects(text, expected):
    found = suggest(source(text).head())
    assert claims(checked(text, replace(found, claim="b")).found) == expected


def test_a_quote_that_never_closes_costs_its_own_line_only():
    reading = checked('a,b\n1,"open\n2,y\n3,z\n', Mapping(claim="b"))
    assert reading.found[0] == Failed(FailReason.WRONG_SHAPE)
    assert reading.reads[0].raw == b'1,"open'
    assert claims(reading.found) == ["y", "z"]


def test_a_quote_that_never_closes_in_a_big_file_costs_no_time_and_no_memory():
    rows = "".join(f'{n},"row {n}\n' if n % 2 == 0 else f"{n},row\n" for n in range(8_000))
    reading = told('a,b\n"' + rows, Mapping(claim="b"))
    assert len(reading.reads) > 3_000
    many = told("a,b\n" + '"\n' * 12_000, Mapping(claim="b"))
    assert len(many.reads) >= 6_000


@pytest.mark.parametrize(
    ("row", "failed"),
    [
        ("1,x,more", Failed(FailReason.WRONG_SHAPE)),
        ('1,"x"y', Failed(FailReason.WRONG_SHAPE, 2)),
        ("1," + "x" * 70_000, Failed(FailReason.TOO_LONG, 2)),
        ("," * 1_001, Failed(FailReason.TOO_MANY_KEYS, 1_000)),
    ],
)
def test_a_bad_row_fails_alone(row, failed):
    reading = checked(f"a,b\n{row}\n2,good\n", Mapping(claim="b"))
    assert reading.found == [failed, reading.found[1]]
    assert claims(reading.found) == ["good"]


def test_a_cell_that_is_not_utf8_fails_alone():
    reading = checked(b"a,b\n1,\xd1\xea\xeb\xe0\xe4\n2,good\n", Mapping(claim="b"))
    assert reading.found[0] == Failed(FailReason.NOT_UTF8, 2)
    assert claims(reading.found) == ["good"]


@pytest.mark.parametrize("cell", ["=cmd|' /C calc'!A0", "+1+1", "-2", "@SUM(A1)", "\t=1+1"])
def test_a_formula_is_its_letters(cell):
    reading = checked(f'a,b\n1,"{cell}"\n', Mapping(claim="b"))
    assert claims(reading.found) == [cell.strip()]


def test_without_a_header_columns_are_numbers():
    text = "1,Склад — Коледино\n2,Оплата в два этапа\n"
    found = suggest(source(text).head())
    assert (found.header, found.claim) == (False, "2")
    assert claims(checked(text, found).found) == ["Склад — Коледино", "Оплата в два этапа"]


def test_two_columns_of_one_name_are_told_apart():
    text = "text,text\nfirst words here,second\n"
    assert [one.name for one in mapped.columns(source(text).head()).columns] == [
        "text",
        "text (2)",
    ]
    assert claims(checked(text, Mapping(claim="text (2)")).found) == ["second"]


def test_rows_without_ids_get_the_same_ones_again_and_repeats_differ():
    text = "b\nsame words\nsame words\nother\n"
    first = told(text, Mapping(claim="b"))
    again = told(text, Mapping(claim="b"))
    ids = [one.source_id for one in first.found if isinstance(one, Proposal)]
    assert ids == [one.source_id for one in again.found if isinstance(one, Proposal)]
    assert len(set(ids)) == 3
    assert first.found[1].remarks == (RemarkCode.NO_IDS,)


def test_two_files_with_the_same_numbers_do_not_share_identities():
    one = told("id,b\n1,x\n", Mapping(claim="b", source_id="id"), "a.csv").found[0]
    other = told("id,b\n1,x\n", Mapping(claim="b", source_id="id"), "b.csv").found[0]
    assert one.source_id != other.source_id
    named = told("id,b\n1,x\n", Mapping(claim="b", source_id="id", system="crm"), "b.csv").found
    assert named[0].source_id == "crm:1"


def test_a_kind_of_theirs_is_kept_as_their_word_and_trust_is_not_taken():
    text = "k,b\nvalidated_fact,x\nцвет,y\nprocedure,z\n"
    first, second, third = told(text, Mapping(claim="b", kind="k", kind_always=Kind.EVENT)).found
    assert (first.kind, first.foreign) == (Kind.EVENT, {"kind": "validated_fact"})
    assert (second.kind, second.foreign) == (Kind.EVENT, {"kind": "цвет"})
    assert (third.kind, third.foreign) == (Kind.PROCEDURE, {})


@pytest.mark.parametrize(
    "mapping",
    [
        Mapping(),
        Mapping(claim="b", kind_always=Kind.VALIDATED_FACT),
        Mapping(claim="b", delimiter="xx"),
        Mapping(claim="b", form="xml"),
    ],
)
def test_a_choice_that_cannot_be_read_is_refused(mapping):
    with pytest.raises(ValueError, match=r"\."):
        importer_for(mapping)


def test_a_day_with_slashes_is_read_where_it_has_one_reading():
    mapping = Mapping(claim="b", written_at="t")
    for cell, day in (
        ("31/10/2026", "2026-10-31"),
        ("10/31/2026", "2026-10-31"),
        ("5/5/2026", "2026-05-05"),
        ("31/10/2026 14:30", "2026-10-31T14:30"),
    ):
        (found,) = told(f"t,b\n{cell},x\n", mapping).found
        assert found.written_at.startswith(day)


@pytest.mark.parametrize(
    ("column", "cell", "name"),
    [
        ("written_at", "01/02/2025", "written_at"),
        ("written_at", "32/13/2025", "written_at"),
        ("written_at", "13/13/2025", "written_at"),
        ("written_at", "32.01.2025", "written_at"),
        ("valid_from", "soon", "valid_from"),
        ("valid_until", "31.02.2025", "valid_until"),
    ],
)
def test_a_time_with_two_readings_or_none_fails_its_row(column, cell, name):
    mapping = replace(Mapping(claim="b"), **{column: "t"})
    assert told(f"t,b\n{cell},x\n", mapping).found == [Failed(FailReason.TIME_INVALID, name=name)]


OBJECTS = [
    {"id": 1, "text": "Склад — Коледино", "meta": {"user": "ana"}, "about": ["склад"]},
    {"id": 2, "text": "Оплата в два этапа", "meta": {"user": "bob"}, "about": "оплата; банк"},
    {"id": 3, "text": ["x"]},
]
JSON_MAPPING = Mapping(
    form="json", claim="text", source_id="id", entities=("about",), scope=("meta.user",)
)


@pytest.mark.parametrize(
    ("text", "under"),
    [
        ("\n".join(json.dumps(one, ensure_ascii=False) for one in OBJECTS), ""),
        (json.dumps(OBJECTS, ensure_ascii=False, indent=1), ""),
        (json.dumps({"n": 3, "tags": ["a"], "rows": OBJECTS}, ensure_ascii=False), "rows"),
    ],
    ids=["lines", "list", "under a key"],
)
def test_objects_are_mapped_in_every_wrapper(text, under):
    found = suggest(source(text).head())
    assert found == replace(JSON_MAPPING, under=under)
    reading = checked(text, found)
    first, second, wrong = reading.found
    assert importer_for(found).name == "mapped_jsonl"
    assert (first.claim, first.entities, first.scope) == (
        "Склад — Коледино",
        ("склад",),
        {"meta.user": "ana"},
    )
    (span,) = first.evidence
    assert reading.reads[0].raw[span.start : span.end].decode() == "Склад — Коледино"
    assert second.entities == ("оплата", "банк")
    assert second.source_id == "table/crm.csv:2"
    assert wrong == Failed(FailReason.FIELD_INVALID, name="claim")


def test_a_broken_object_fails_alone():
    reading = checked(
        '{"text":"a b"}\n{"text":\n\n{"text":"c d"}\n', Mapping(form="json", claim="text")
    )
    assert [type(one) for one in reading.found] == [Proposal, Failed, Nothing, Proposal]


def test_rows_stream_in_flat_memory():
    import tracemalloc

    class Endless:
        """2.6 MB of rows that are made while they are read."""

        def __init__(self):
            self.left = 40

        def read(self, _size):
            self.left -= 1
            return b"1,some words of a claim that goes on\n" * 1_771 if self.left >= 0 else b""

    tracemalloc.start()
    try:
        count = sum(1 for _ in mapped_rows.rows(Endless(), ","))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert count == 40 * 1_771
    assert peak < 1 << 20


def test_a_place_is_the_row_in_the_file():
    reading = told("a,b\n1,x\n", Mapping(claim="b"))
    assert [one.place for one in reading.reads] == [Place(2, 4, 7)]
