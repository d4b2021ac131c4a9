"""What every stream of records is held to: blank lines, the number of records, a changing file."""

from __future__ import annotations

import os

import pytest

from importers import sandbox
from importers.catalogue import named
from importers.source import from_bytes, from_path
from store.records import Failed, FailReason, Nothing, NothingReason, Read, Remark, RemarkCode

LINE = b'{"claim": "Ana ships on day %d.", "id": "m%d", "written_at": "2026-02-01T10:00:00Z"}\n'


def lines(count):
    return b"".join(LINE % (n, n) for n in range(count))


def reads(reading):
    return [one for one in reading.records if isinstance(one, Read)]


def test_a_file_of_line_ends_is_a_handful_of_records():
    data = b"\n" * 100_000
    found = reads(sandbox.open_reading(from_bytes("x.jsonl", data), named("own_jsonl")))
    assert {one.found for one in found} == {Nothing(NothingReason.BLANK_LINE)}
    assert len(found) < 40
    assert all(data[one.place.start : one.place.end] == one.raw for one in found)
    assert found[-1].place.end == len(data) - 1


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_blank_lines_between_records_are_one_and_move_nothing(end):
    data = lines(1) + b" " + end + end + b"\t" + end + lines(1)
    found = reads(sandbox.open_reading(from_bytes("x.jsonl", data), named("own_jsonl")))
    assert len(found) == 3
    assert all(data[one.place.start : one.place.end] == one.raw for one in found)
    assert found[1].raw == b" " + end + end + b"\t"
    assert [one.place.line for one in found] == [1, 2, 5]


def test_an_upload_ends_after_so_many_records_and_says_so():
    source = from_bytes("x.jsonl", lines(12))
    found = reads(sandbox.open_reading(source, named("own_jsonl"), sandbox.Limits(records=10)))
    assert len(found) == 11
    assert found[-1].found == Failed(FailReason.OVER_LIMIT, name="records")
    whole = reads(sandbox.open_reading(source, named("own_jsonl"), sandbox.Limits(records=12)))
    assert len(whole) == 12
    assert Failed(FailReason.OVER_LIMIT, name="records") not in [one.found for one in whole]


def test_the_command_line_has_no_such_limit():
    source = from_bytes("x.jsonl", lines(1))
    assert sandbox.limits_for(source).records is None
    assert sandbox.UPLOAD.records == 10_000


@pytest.mark.parametrize("change", ["write", "touch", "replace", "remove"])
def test_a_file_that_changes_while_it_is_read_is_said(tmp_path, change):
    path = tmp_path / "x.jsonl"
    path.write_bytes(lines(3))
    reading = sandbox.open_reading(from_path(path), named("own_jsonl"))
    told = [next(reading.records)]
    if change == "write":
        path.write_bytes(lines(4))
    elif change == "touch":
        os.utime(path, (1, 1))
    elif change == "replace":
        other = tmp_path / "y"
        other.write_bytes(lines(3))
        other.replace(path)
    else:
        path.unlink()
    told += reading.records
    assert told[-1] == Remark(RemarkCode.SOURCE_CHANGED)


def test_a_file_that_stays_is_not_said_to_change(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_bytes(lines(3))
    told = list(sandbox.open_reading(from_path(path), named("own_jsonl")).records)
    assert Remark(RemarkCode.SOURCE_CHANGED) not in told
