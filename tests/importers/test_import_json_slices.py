import json
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from importers.json_reading import slices as json_slices
from importers.json_reading.slices import Beside, Slice
from store.records import FailReason

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-1000, 1000) | st.text(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=12,
)
LISTS = frozenset({"results"})


class Trickle(BytesIO):
    """A stream that gives a few bytes at a time, so that every boundary is met."""

    def __init__(self, data, step):
        super().__init__(data)
        self.step = step

    def read(self, size=-1):
        return super().read(self.step if size is None or size < 0 else min(size, self.step))


@given(st.lists(VALUES, max_size=6), st.integers(1, 9), st.sampled_from([None, 2]), st.booleans())
def test_the_elements_of_a_list_come_back_whole_at_their_places(values, step, indent, ascii_only):
    data = json.dumps(values, indent=indent, ensure_ascii=ascii_only).encode()
    found = list(json_slices.elements(Trickle(data, step), LISTS))
    assert [json.loads(one.raw) for one in found] == values
    for one in found:
        assert data[one.start : one.end] == one.raw
        assert one.line == data.count(b"\n", 0, one.start) + 1


@given(
    st.dictionaries(st.sampled_from("abc"), VALUES),
    st.lists(VALUES, max_size=4),
    st.integers(1, 9),
)
def test_a_named_list_is_cut_and_what_stands_beside_it_is_told(beside, rows, step):
    data = json.dumps({**beside, "results": rows, "z": 1}, ensure_ascii=False).encode()
    found = list(json_slices.elements(Trickle(data, step), LISTS))
    assert [json.loads(one.raw) for one in found if isinstance(one, Slice)] == rows
    told = {one.key: one.raw for one in found if isinstance(one, Beside)}
    assert told.pop("results") == b""
    assert {key: json.loads(raw) for key, raw in told.items()} == {**beside, "z": 1}


@given(st.lists(st.text(st.characters(exclude_characters="\n")), max_size=6), st.integers(1, 9))
def test_lines_end_at_line_feeds_only(texts, step):
    data = "\n".join(texts).encode("utf-8", "replace")
    found = list(json_slices.lines(Trickle(data, step)))
    for one in found:
        assert data[one.start : one.end] == one.raw
    assert [one.line for one in found] == list(range(1, len(found) + 1))
    expected = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    if not expected[-1]:
        expected.pop()
    assert [one.raw for one in found] == [one.removesuffix(b"\r") for one in expected]


@given(st.binary(max_size=200), st.integers(1, 50))
def test_no_bytes_at_all_break_the_cutter(data, step):
    for found in (
        list(json_slices.elements(Trickle(b"[" + data, step), LISTS)),
        list(json_slices.elements(Trickle(data, step), LISTS)),
        list(json_slices.lines(Trickle(data, step))),
    ):
        for one in found:
            if isinstance(one, Slice):
                assert one.start <= one.end


def test_a_record_over_the_limit_is_passed_over_and_its_neighbours_stay(monkeypatch):
    monkeypatch.setattr(json_slices, "RECORD_LIMIT", 5_000)
    long = '{"a":"' + 'x}\\"{[' * 100_000 + '"}'
    data = f'[{{"a":1}},{long},{{"a":3}}]'.encode()
    first, over, last = json_slices.elements(BytesIO(data), LISTS)
    assert (first.raw, last.raw) == (b'{"a":1}', b'{"a":3}')
    assert over.fault.reason is FailReason.TOO_LONG
    assert data[over.start : over.end] == long.encode()
    assert over.raw == long.encode()[: json_slices.KEPT]


def test_a_line_over_the_limit_is_passed_over_and_its_neighbours_stay(monkeypatch):
    monkeypatch.setattr(json_slices, "RECORD_LIMIT", 5_000)
    long = b"y" * 2_000_000
    data = b"one\n" + long + b"\nthree\n" + long
    first, over, third, tail = json_slices.lines(BytesIO(data))
    assert (first.raw, third.raw) == (b"one", b"three")
    assert data[over.start : over.end] == long
    assert (third.line, third.start) == (3, 4 + len(long) + 1)
    assert (over.fault.reason, tail.fault.reason) == (FailReason.TOO_LONG, FailReason.TOO_LONG)


@pytest.mark.parametrize(
    "data", [b'[{"a":1},', b'[{"a":1}', b'{"results":[{"a":1}]', b'{"results"']
)
def test_a_file_that_ends_before_it_closes_says_so_where_it_ends(data):
    *_, last = json_slices.elements(BytesIO(data), LISTS)
    assert last.fault.reason is FailReason.CUT_SHORT
    assert (last.start, last.end, last.raw) == (len(data), len(data), b"")


def test_a_quote_that_is_never_closed_spoils_one_record():
    data = b'[{"a":1},\n{"a":"open},\n{"a":3}]'
    found = list(json_slices.elements(BytesIO(data), LISTS))
    assert [one.raw for one in found] == [b'{"a":1}', b'{"a":"open},', b'{"a":3}']
    data = json.dumps([{"a": 1}, {"a": "x", "b": [{"c": 2}]}, {"a": 3}], indent=2).encode()
    found = list(json_slices.elements(BytesIO(data.replace(b'"x"', b'"x')), LISTS))
    assert [len(found), json.loads(found[0].raw), json.loads(found[2].raw)] == [
        3,
        {"a": 1},
        {"a": 3},
    ]
