"""Complaints from the field about reading exports: bad lines, encodings, times, repeats.

Sections D, G and K of the list of cases, as far as importers decide them; each name begins with
its number there.
"""

from __future__ import annotations

import codecs
import json

import pytest

from importers import catalogue
from importers.encodings import guess, reencoded
from importers.source import from_bytes
from importers.times import moment
from store.cells import Proposal
from store.records import Failed, FailReason, Nothing, Read, Remark, RemarkCode

HEADER = json.dumps({"format": "memory-console/1"})


def line(claim: str, n: int = 1, **more: object) -> str:
    told = {
        "claim": claim,
        "kind": "fact",
        "source_type": "document",
        "source_id": f"own:{n}",
        "written_at": "2026-03-01T10:00:00Z",
    }
    return json.dumps(told | more, ensure_ascii=False)


def read(data: bytes | str, name: str = "export.jsonl", encoding: str | None = None):
    """Every record of a source, and its remarks."""
    source = from_bytes(name, data.encode() if isinstance(data, str) else data)
    if encoding is not None:
        source = reencoded(source, encoding)
    told = list(catalogue.open_reading(source).records)
    reads = [one for one in told if isinstance(one, Read)]
    return reads, {one.code for one in told if isinstance(one, Remark)}


# --- D and G. Ids, bad lines, repeats ----------------------------------------------------------


def test_p49_native_ids_and_times_are_kept(told):
    """P49: an import that drops uuid and timestamp."""
    row = {
        "id": "7d9f2c1e-0000-4000-8000-000000000001",
        "memory": "Склад: Коледино",
        "user_id": "ana",
        "created_at": "2025-06-01T08:30:00+03:00",
        "updated_at": "2025-06-02T08:30:00+03:00",
    }
    for _ in range(2):
        (found,) = told(from_bytes("m.json", json.dumps({"results": [row]}).encode())).found
        assert found.source_id == f"mem0:{row['id']}"
        assert found.written_at in (row["created_at"], row["updated_at"])


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ('{"claim": "Склад', FailReason.NOT_JSON),
        ("{'claim': 'Shelf'}", FailReason.NOT_JSON),
        ('{"claim": NaN}', None),
        ("]", None),
    ],
)
def test_p79_a_bad_line_names_its_line_and_blocks_no_other(bad, reason):
    """P79: one bad line blocked all, and the message named a character only."""
    good = [line(f"Shelf {n}.", n) for n in range(8)]
    reads, _ = read("\n".join([HEADER, *good[:4], bad, *good[4:]]))
    failed = [one for one in reads if isinstance(one.found, Failed)]
    assert [one.place.line for one in failed] == [6]
    assert failed[0].raw == bad.encode()
    assert reason is None or failed[0].found.reason == reason
    assert len([one for one in reads if isinstance(one.found, Proposal)]) == 8
    whole = "\n".join([HEADER, *good[:4], bad, *good[4:]]).encode()
    assert all(whole[one.place.start : one.place.end] == one.raw for one in reads)


@pytest.mark.parametrize("wrapped", ["bare", "results"])
@pytest.mark.parametrize("bad", ["bad", 7, None, ["x"], True])
def test_p81_a_list_with_something_that_is_no_record_is_a_row_error(wrapped, bad):
    """P81: a list with a bare string crashed the import."""
    row = {"id": "1", "memory": "Склад: Коледино", "user_id": "ana", "created_at": "2026-01-01"}
    rows = [row, bad, row | {"id": "2"}]
    data = json.dumps(rows if wrapped == "bare" else {"results": rows}, ensure_ascii=False)
    reads, _ = read(data, "mem0.json")
    assert [type(one.found) for one in reads if isinstance(one.found, Proposal)] == [Proposal] * 2
    (other,) = [one for one in reads if not isinstance(one.found, Proposal)]
    assert isinstance(other.found, Failed)
    assert other.raw.decode() == json.dumps(bad)


def test_p82_an_expiry_is_read_beside_the_time_of_writing(told):
    """P82: TTL and updated_at lost on the way in."""
    (read_one,), _ = read(line("The badge works.", expires_at="2026-04-01T00:00:00Z"))
    assert read_one.found.expires_at == "2026-04-01T00:00:00Z"
    assert read_one.found.written_at == "2026-03-01T10:00:00Z"
    row = {"id": "1", "memory": "x y", "user_id": "a", "created_at": "2025-01-01T00:00:00Z",
           "expiration_date": "2026-12-31"}  # fmt: skip
    (found,) = told(from_bytes("m.json", json.dumps({"results": [row]}).encode())).found
    assert found.expires_at == "2026-12-31"


def test_p85_two_records_with_the_same_first_line_stay_two():
    """P85: files that were named by their first line overwrote each other."""
    first = "# Deploying\n\nNever on Fridays."
    second = "# Deploying\n\nOnly with a second person."
    reads, _ = read("\n".join([HEADER, line(first, 1), line(second, 2)]))
    assert [one.found.claim for one in reads] == [first, second]
    assert len({one.found.source_id for one in reads}) == 2


@pytest.mark.parametrize("end", ["\n", "\r\n", ""])
def test_p79_the_last_line_counts_with_or_without_its_end(end):
    """P79: line counts that are off by one send people to the wrong line."""
    reads, _ = read("\n".join([HEADER, line("A.", 1), "{broken"]) + end)
    kept = [one for one in reads if not isinstance(one.found, Nothing)]
    assert [one.place.line for one in kept] == [2, 3]


# --- K. Unicode and time -----------------------------------------------------------------------

CLAIMS = ["Склад — Коледино", "Ёлка, ёж и №5", "Я люблю яблоки"]


def test_p118_a_cp1251_file_is_guessed_and_read_once_a_person_says_so():
    """P118: a code page is proposed, never taken in silence."""
    data = "\n".join([line(text, n) for n, text in enumerate(CLAIMS)]).encode("cp1251")
    assert guess(data) == "cp1251"
    reads, _ = read(data, encoding="cp1251")
    assert [one.found.claim for one in reads] == CLAIMS


def test_p118_a_file_in_the_wrong_encoding_fails_by_record_and_not_as_a_whole():
    """P118: without the person's word the broken records say what they are."""
    good = line("Shelf 5 holds tea.", 9).encode()
    bad = line(CLAIMS[0], 1).encode("cp1251")
    reads, _ = read(b"\n".join([HEADER.encode(), good, bad, good.replace(b":9", b":8")]))
    assert [isinstance(one.found, Proposal) for one in reads] == [True, False, True]
    assert reads[1].found.reason == FailReason.NOT_UTF8


@pytest.mark.parametrize("mark", [codecs.BOM_UTF8, b""])
def test_p118_a_byte_order_mark_is_no_part_of_the_first_record(mark):
    """P118: a BOM broke the first line."""
    data = mark + "\n".join([line(text, n) for n, text in enumerate(CLAIMS)]).encode()
    reads, _ = read(data)
    assert [one.found.claim for one in reads] == CLAIMS


def test_p118_utf16_is_guessed_by_its_mark():
    """P118: what editors of one system save by default."""
    data = "\n".join([line(text, n) for n, text in enumerate(CLAIMS)]).encode("utf-16")
    assert guess(data) == "utf-16"
    reads, _ = read(data, encoding="utf-16")
    assert [one.found.claim for one in reads] == CLAIMS


@pytest.mark.parametrize("text", ["family 👨‍👩‍👧‍👦", "a — b", "e\u0301", "\u200fabc", "１２"])
@pytest.mark.parametrize("escaped", [True, False])
def test_p118_characters_are_the_same_escaped_or_not(text, escaped):
    """P118: surrogate pairs, joiners and marks, as characters or as escapes."""
    row = json.loads(line(text))
    reads, _ = read(json.dumps(row, ensure_ascii=escaped))
    assert reads[0].found.claim == text


def test_p120_naive_and_aware_times_stand_in_one_file():
    """P120: both are moments; the naive one is taken as UTC and says so."""
    naive = line("A.", 1, written_at="2026-01-01T10:00:00")
    aware = line("B.", 2, written_at="2026-01-01T10:00:00+03:00")
    reads, _ = read("\n".join([HEADER, naive, aware]))
    one, two = (each.found for each in reads)
    assert one.remarks == (RemarkCode.TIME_ZONE_ASSUMED,)
    assert two.remarks == ()
    assert moment(two.written_at).instant() < moment(one.written_at).instant()


@pytest.mark.parametrize(
    "claim", ["The call is at 14:30 every Monday.", "Созвон в 14:30 мск по понедельникам."]
)
@pytest.mark.parametrize("offset", ["Z", "+09:00", ""])
def test_p121_an_hour_inside_a_text_is_never_rewritten(claim, offset):
    """P121: the text's own hour was shifted with the record's time zone."""
    reads, _ = read(line(claim, written_at=f"2026-01-01T10:00:00{offset}"))
    assert reads[0].found.claim == claim
