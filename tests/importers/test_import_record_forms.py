import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from importers import long_texts, record_forms
from importers.faults import RecordFaultError
from importers.json_reading import parts
from importers.json_reading.slices import Slice
from importers.json_reading.strict import MAX_STRING
from importers.source import from_bytes
from store.records import FailReason

RECORD = {"name": "скл{ад]", "parts": [{"a": "}"}, [1, '\\"'], None], "text": 'x"y'}
WRAPPERS = frozenset({"rows"})


def whole(raw, **more):
    return Slice(1, 0, len(raw), raw, **more)


@pytest.mark.parametrize(
    ("content", "name", "keys"),
    [
        (json.dumps([RECORD]), "list", {"name", "parts", "text"}),
        (json.dumps([[RECORD]]), "list", None),
        (json.dumps({"more": [1], "rows": [RECORD]}), "wrapped", {"name", "parts", "text"}),
        (json.dumps(RECORD), "lines", {"name", "parts", "text"}),
        (json.dumps(RECORD, indent=2), "one", {"name", "parts", "text"}),
        (json.dumps(RECORD) + "\n" + json.dumps(RECORD), "lines", {"name", "parts", "text"}),
        ('{"name": "cut\n{"name": 1}\n', "lines", {"name"}),
        ("words", "", None),
    ],
)
def test_a_form_is_told_by_the_beginning(content, name, keys):
    form = record_forms.of(content.encode(), WRAPPERS)
    assert form.name == name
    assert (set(form.records[0]) if form.records else None) == keys


def test_keys_deeper_than_a_record_are_not_its_keys():
    form = record_forms.of(json.dumps([{"a": {"b": [{"c": 1}]}}]).encode())
    assert form.records == (frozenset({"a"}),)


@pytest.mark.parametrize(
    "content",
    [
        json.dumps([RECORD, RECORD]),
        json.dumps({"rows": [RECORD, RECORD]}, indent=3),
        json.dumps(RECORD) + "\n" + json.dumps(RECORD),
        json.dumps(RECORD, indent=2),
        "\ufeff\n " + json.dumps(RECORD, indent=2) + "\n",
    ],
)
def test_records_carry_the_bytes_their_places_name(content):
    data = content.encode()
    source = from_bytes("x", data)
    found = list(record_forms.slices(source, record_forms.of(data, WRAPPERS)))
    assert found
    for one in found:
        assert data[one.start : one.end] == one.raw
        assert json.loads(one.raw) == RECORD
        assert one.line == data.count(b"\n", 0, one.start) + 1


def test_quotes_in_a_string_that_is_cut_cost_no_time():
    data = b'[{"text": "' + b'\\"' * 500_000
    assert record_forms.of(data).records == (frozenset({"text"}),)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=12,
)


@given(
    st.dictionaries(st.text(max_size=4), VALUES, max_size=4),
    st.sampled_from([None, 1]),
    st.booleans(),
)
def test_the_parts_of_an_object_are_its_members(record, indent, ascii_only):
    raw = json.dumps(record, indent=indent, ensure_ascii=ascii_only).encode(
        "utf-8", "surrogatepass"
    )
    found = dict(parts.members(whole(raw)))
    assert {name: json.loads(one.raw) for name, one in found.items()} == record
    assert all(raw[one.start : one.end] == one.raw for one in found.values())
    assert all(one.line == raw.count(b"\n", 0, one.start) + 1 for one in found.values())


@given(st.lists(VALUES, max_size=5), st.sampled_from([None, 1]))
def test_the_parts_of_a_list_are_its_elements(values, indent):
    raw = json.dumps(values, indent=indent).encode()
    assert [json.loads(one.raw) for one in parts.elements(whole(raw))] == values


@pytest.mark.parametrize(
    ("raw", "reason", "column"),
    [
        (b'{"a": 1 "b": 2}', FailReason.NOT_JSON, 8),
        (b'{"a": 1,}', FailReason.NOT_JSON, 8),
        (b'{"a": 1, "a": 2}', FailReason.DUPLICATE_KEYS, 9),
        (b'{"a": NaN}', FailReason.NOT_A_NUMBER, 6),
        (b'{"a": 1} x', FailReason.NOT_JSON, 8),
        (b"[1]", FailReason.WRONG_SHAPE, 0),
        (b"5", FailReason.WRONG_SHAPE, 0),
        (b"\xff", FailReason.NOT_UTF8, 0),
        (b"", FailReason.NOT_JSON, 0),
        (b'{"' + b"k" * 300 + b'": 1}', FailReason.TOO_LONG, 1),
    ],
)
def test_what_stands_between_the_parts_is_judged(raw, reason, column):
    with pytest.raises(RecordFaultError) as fault:
        parts.opened(whole(raw), frozenset())
    assert (fault.value.failed.reason, fault.value.failed.column) == (reason, column)


def test_a_record_with_which_the_source_ends_is_cut_wherever_it_ends():
    raw = json.dumps(RECORD).encode()
    for end in range(1, len(raw)):
        with pytest.raises(RecordFaultError) as fault:
            parts.opened(whole(raw[:end], last=True), frozenset({"parts"}))
        assert fault.value.failed.reason is FailReason.CUT_SHORT


TEXTS = st.text(st.characters(codec="utf-8"), max_size=8)


@given(TEXTS, st.sampled_from(["a", "я", "🇫🇷", '"', "\\", "\n", "\ue200"]), st.booleans())
def test_a_long_text_is_cut_between_two_characters(begin, filler, ascii_only):
    text = begin + filler * (MAX_STRING + 1)
    raw = json.dumps({"text": text, "short": begin}, ensure_ascii=ascii_only).encode()
    value, cut = long_texts.parsed(whole(raw))
    kept = value["text"]
    assert value["short"] == begin
    assert kept == text[: len(kept)]
    assert MAX_STRING // 8 < len(kept.encode()) <= MAX_STRING
    assert [one.size for one in cut.values()] == [len(text.encode())]
    assert list(cut) == [kept]


def test_a_text_within_the_limit_is_not_cut():
    value, cut = long_texts.parsed(whole(json.dumps({"text": "я" * 32_000}).encode()))
    assert (len(value["text"]), cut) == (32_000, {})


def test_a_key_over_the_limit_still_fails():
    with pytest.raises(RecordFaultError):
        long_texts.parsed(whole(json.dumps({"k" * 70_000: 1}).encode()))
