import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from importers.faults import RecordFaultError
from importers.json_reading.strict import MAX_DEPTH, parse, parse_object
from store.records import FailReason

TEXTS = st.text(st.characters(codec="utf-8"), max_size=20)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**18), 10**18)
    | TEXTS
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=12,
)


def refused(raw, **how):
    with pytest.raises(RecordFaultError) as fault:
        parse(raw, **how)
    return fault.value.failed.reason, fault.value.failed.column


@given(VALUES, st.booleans())
def test_good_json_reads_as_json_reads_it(value, ascii_only):
    raw = json.dumps(value, ensure_ascii=ascii_only).encode()
    assert parse(raw) == json.loads(raw)


@pytest.mark.parametrize(
    ("raw", "reason", "column"),
    [
        (b'{"a":NaN}', FailReason.NOT_A_NUMBER, 5),
        (b'{"a":[1,-Infinity]}', FailReason.NOT_A_NUMBER, 8),
        (b'{"a":1e999}', FailReason.NOT_A_NUMBER, 5),
        (b'{"a":"NaN","b":NaN}', FailReason.NOT_A_NUMBER, 15),
        (b'{"a":1,"b":{"a":1},"a":2}', FailReason.DUPLICATE_KEYS, 19),
        (b'{"a":1,"\\u0061":2}', FailReason.DUPLICATE_KEYS, 7),
        (b'{"a":"\\ud800"}', FailReason.LONE_SURROGATE, 5),
        (b'{"\\udc00":1}', FailReason.LONE_SURROGATE, 0),
        (b'{"a":12345678901234567890}', FailReason.NUMBER_TOO_LONG, 5),
        (b'{"a":-12345678901234567890}', FailReason.NUMBER_TOO_LONG, 5),
        ('{"a":"Склад"'.encode() + b"\xff}", FailReason.NOT_UTF8, 17),
        ('{"я":тест}'.encode(), FailReason.NOT_JSON, 6),
        (b'{"a":1} {"b":2}', FailReason.NOT_JSON, 8),
        (b'{"a":"x\x01y"}', FailReason.NOT_JSON, 7),
        (b"\xed\xa0\x80", FailReason.NOT_UTF8, 0),
        (b"[" * 33 + b"]" * 33, FailReason.TOO_DEEP, MAX_DEPTH),
        (b"[" * 100_000, FailReason.TOO_DEEP, MAX_DEPTH),
        (b'{"a":' * 100_000, FailReason.TOO_DEEP, MAX_DEPTH * 5),
    ],
)
def test_what_python_would_let_through_is_refused_where_it_stands(raw, reason, column):
    assert refused(raw) == (reason, column)


def test_brackets_inside_strings_are_no_depth():
    assert parse(json.dumps({"a": "[" * 1000}).encode()) == {"a": "[" * 1000}


def test_thirty_two_levels_are_read():
    assert parse(b"[" * 32 + b"]" * 32) is not None


def test_nineteen_digits_are_read():
    assert parse(b"[9999999999999999999]") == [9999999999999999999]


def test_a_string_at_the_limit_is_read_and_one_byte_more_is_not():
    assert parse(json.dumps("x" * 65_536).encode())
    assert refused(json.dumps(["x" * 65_537]).encode()) == (FailReason.TOO_LONG, 1)


def test_escapes_count_as_what_they_write():
    assert parse(json.dumps("ж" * 30_000).encode())
    assert refused(json.dumps("ж" * 33_000).encode()) == (FailReason.TOO_LONG, 0)


def test_a_line_of_200_kb_is_read_when_its_strings_are_short():
    value = {"a": ["y" * 900] * 222}
    assert parse(json.dumps(value).encode()) == value


def test_a_key_of_more_than_200_bytes_is_refused():
    assert (
        refused(json.dumps({"ж" * 101: 1}, ensure_ascii=False).encode())[0] is FailReason.TOO_LONG
    )


def test_an_object_of_more_than_1000_keys_is_refused():
    raw = json.dumps({str(n): n for n in range(1001)}).encode()
    assert refused(raw)[0] is FailReason.TOO_MANY_KEYS


def test_bulky_base64_becomes_a_pointer_before_limits_apply():
    raw = json.dumps({"type": "base64", "media": "image/png", "data": "QUJD" * 50_000}).encode()
    pointer = parse_object(raw)["data"]
    assert pointer["bytes"] == 150_000
    assert len(pointer["sha256"]) == 64
    raw = json.dumps({"url": "data:image/png;base64," + "QUJD" * 50_000}).encode()
    assert parse_object(raw)["url"]["media_type"] == "image/png"


def test_a_record_that_does_not_close_is_cut_only_where_the_source_ends():
    assert refused(b'{"a":"b', last=True)[0] is FailReason.CUT_SHORT
    assert refused(b'{"a":"b')[0] is FailReason.NOT_JSON
    assert refused(b'{"a" "b"}', last=True)[0] is FailReason.NOT_JSON
    assert refused('{"a":"Скл'.encode()[:-1], last=True)[0] is FailReason.CUT_SHORT


def test_a_value_that_is_no_object_has_the_wrong_shape():
    with pytest.raises(RecordFaultError, match="wrong_shape"):
        parse_object(b'"bare"')


@given(st.binary(max_size=300), st.booleans())
def test_any_bytes_are_read_or_refused_and_nothing_else(raw, last):
    with suppress(RecordFaultError):
        parse(raw, last=last)
