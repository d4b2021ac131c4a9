"""One spelling for every value, and nothing outside the subset."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store import canonical

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
KEYS = st.text(st.characters(max_codepoint=127), max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)


@given(VALUES)
def test_a_value_comes_back_and_has_one_spelling(value):
    data = canonical.encode(value)
    assert canonical.decode(data) == value
    assert canonical.encode(canonical.decode(data)) == data


@given(VALUES)
def test_another_spelling_of_the_same_value_is_refused(value):
    other = json.dumps(value, ensure_ascii=False, indent=1, sort_keys=False).encode()
    if other != canonical.encode(value):
        with pytest.raises(canonical.NotCanonicalError):
            canonical.decode(other)


@pytest.mark.parametrize(
    "value", [1.0, 2**53, -(2**53), {"ключ": 1}, {1: 2}, "\ud800", b"x", {"a": [float("nan")]}]
)
def test_what_is_outside_the_subset_is_refused(value):
    with pytest.raises(canonical.NotCanonicalError):
        canonical.encode(value)


@pytest.mark.parametrize(
    "data",
    [
        b'{"a":1,"a":2}',
        b"NaN",
        b'{"b":1,"a":2}',
        b'{"a": 1}',
        b"1e3",
        b"1.0",
        b"\xff",
        b'"\\u0041"',
        b"[" * 5000,
    ],
)
def test_bytes_in_another_spelling_are_refused(data):
    with pytest.raises(canonical.NotCanonicalError):
        canonical.decode(data)


def test_strings_are_kept_as_received():
    decomposed = "e\u0301"
    assert canonical.decode(canonical.encode(decomposed)) == decomposed
