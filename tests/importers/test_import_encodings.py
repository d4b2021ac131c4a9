"""Text in older encodings, read as a person said."""

from __future__ import annotations

import codecs
import json

import pytest

from importers import encodings, sandbox
from importers.encodings import ENCODINGS, guess, reencoded
from importers.mapped.choice import Mapping
from importers.source import SourceRefusedError, from_bytes, from_members
from store.cells import Proposal
from store.records import Failed, FailReason, Read, Remark, RemarkCode

TEXT = "Склад — Коледино; naïve" * 9_000
ROWS = [{"id": "1", "memory": "Склад: Коледино", "user_id": "ana", "hash": "0"}]


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("cp1251", "Склад — Коледино\n" * 9_000),
        ("utf-16", TEXT),
        ("latin-1", "naïve café" * 9_000),
    ],
)
def test_bytes_are_read_as_utf8(encoding, text):
    source = from_bytes("a.txt", text.encode(encoding))
    with reencoded(source, encoding).open() as stream:
        assert stream.read().decode() == text
    with reencoded(source, encoding).open() as stream:
        assert b"".join(iter(lambda: stream.read(7), b"")).decode() == text
    assert reencoded(source, encoding).head(10).data == text.encode()[:10]


@pytest.mark.parametrize("mark", [codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE])
def test_both_orders_of_utf16_are_told_by_their_mark(mark):
    name = "utf-16-le" if mark == codecs.BOM_UTF16_LE else "utf-16-be"
    source = from_bytes("a.txt", mark + "Склад".encode(name))
    with reencoded(source, "utf-16").open() as stream:
        assert stream.read().decode() == "Склад"


def test_the_digest_is_of_the_bytes_as_they_are():
    source = from_bytes("a.txt", TEXT.encode("utf-16"))
    assert reencoded(source, "utf-16").sha256() == source.sha256()


def test_an_encoding_that_is_not_offered_is_refused():
    with pytest.raises(ValueError, match="Known encodings: cp1251"):
        reencoded(from_bytes("a", b""), "utf-7")
    assert ENCODINGS == ("cp1251", "utf-16", "latin-1")


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("Склад в Коледино".encode(), None),
        ("Склад в Коледино".encode()[:-1], None),
        ("Склад в Коледино".encode("cp1251"), "cp1251"),
        ("Un café très naïf, s'il vous plaît".encode("latin-1"), "latin-1"),
        ("Склад".encode("utf-16"), "utf-16"),
        (b"\x00\xff\xfe\x01", None),
        (b"", None),
    ],
)
def test_an_encoding_is_proposed_from_what_stands_there(data, expected):
    assert guess(data) == expected


def test_a_known_format_in_cp1251_is_read_in_the_process_with_a_remark():
    source = from_bytes("a.json", json.dumps(ROWS, ensure_ascii=False).encode("cp1251"))
    reading = sandbox.open_reading(source, encoding="cp1251")
    assert reading.origin.importer == "mem0"
    assert reading.origin.sha256 == source.sha256()
    first, *rest = list(reading.records)
    assert first == Remark(RemarkCode.ENCODING_GUESSED, 1)
    (read,) = [one for one in rest if isinstance(one, Read)]
    assert read.found.claim == "Склад: Коледино"
    as_utf8 = json.dumps(ROWS, ensure_ascii=False).encode()
    assert as_utf8[read.place.start : read.place.end] == read.raw


def test_a_table_in_utf16_as_excel_saves_it():
    source = from_bytes("a.txt", "id\tтекст\n1\tСклад в Коледино\n".encode("utf-16"))
    found = sandbox.columns(source, encoding="utf-16")
    assert [one.name for one in found.columns] == ["id", "текст"]
    records = sandbox.open_reading(source, mapping=found.proposed, encoding="utf-16").records
    found = [one.found for one in records if isinstance(one, Read)]
    assert [one.claim for one in found if isinstance(one, Proposal)] == ["Склад в Коледино"]


def test_a_byte_that_the_encoding_does_not_know_fails_its_own_record():
    data = "b\nодин\nдв".encode("cp1251") + b"\x98" + "а\nтри\n".encode("cp1251")
    mapping = Mapping(claim="b")
    records = sandbox.open_reading(
        from_bytes("a.csv", data), mapping=mapping, encoding="cp1251"
    ).records
    first, second, third = [one.found for one in records if isinstance(one, Read)]
    assert (first.claim, third.claim) == ("один", "три")
    assert second == Failed(FailReason.NOT_UTF8, 4)


def test_members_of_a_folder_are_read_in_it_too():
    rows = json.dumps(ROWS, ensure_ascii=False).encode("cp1251")
    folder = from_members("f", (from_bytes("a.json", rows), from_bytes("b.json", rows)))
    for one in reencoded(folder, "cp1251").members:
        with one.open() as stream:
            assert "Склад" in stream.read().decode()
    (first, _) = sandbox.parts(folder, encoding="cp1251")
    found = [
        one.found
        for one in sandbox.open_reading(first.source, first.importer, encoding="cp1251").records
        if isinstance(one, Read)
    ]
    assert found[0].claim == "Склад: Коледино"


def test_half_a_pair_in_utf16_is_no_utf8():
    data = codecs.BOM_UTF16_LE + b"a\0\x00\xd8b\0"
    with encodings.reencoded(from_bytes("a", data), "utf-16").open() as stream:
        assert b"\xff" in stream.read()


def test_text_that_cannot_be_in_the_encoding_is_refused_by_its_name():
    source = from_bytes("a.csv", "имя,текст\n1,два\n".encode("cp1251"))
    for ask in (
        lambda: sandbox.columns(source, encoding="utf-16"),
        lambda: sandbox.parts(source, encoding="utf-16"),
        lambda: list(
            sandbox.open_reading(source, mapping=Mapping(claim="b"), encoding="utf-16").records
        ),
    ):
        with pytest.raises(SourceRefusedError, match=r"^a\.csv: It is not UTF-16: "):
            ask()
