"""What goes with what is forgotten, and what is only withdrawn: pure, over made-up families."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from review.forget.derivation import below, derive


def told(seeds, *pairs, **more):
    found = derive(set(seeds), set(pairs), **more)
    return dict(found.erased), dict(found.withdrawn)


def test_what_has_one_source_goes_with_it_through_any_number_of_steps():
    erased, withdrawn = told("a", ("b", "a"), ("c", "b"), ("d", "c"))
    assert (erased, withdrawn) == ({"b": 1, "c": 2, "d": 3}, {})


def test_what_has_another_source_is_withdrawn_and_so_is_what_was_made_from_it():
    erased, withdrawn = told("a", ("m", "a"), ("m", "x"), ("n", "m"))
    assert (erased, withdrawn) == ({}, {"m": 1, "n": 2})


def test_two_ways_to_the_same_source_are_one_source():
    erased, withdrawn = told("a", ("b", "a"), ("c", "a"), ("d", "b"), ("d", "c"))
    assert (erased, withdrawn) == ({"b": 1, "c": 1, "d": 2}, {})


def test_a_source_that_went_before_is_none_any_more():
    assert told("a", ("i", "a"), ("i", "old"), gone={"old"}) == ({"i": 1}, {})
    assert told("a", ("i", "a"), ("i", "old")) == ({}, {"i": 1})


def test_a_source_that_the_store_does_not_hold_is_still_one():
    assert told("a", ("i", "a"), elsewhere={"i": 1}) == ({}, {"i": 1})


def test_circles_end_and_have_no_source_of_their_own():
    assert told("a", ("b", "a"), ("b", "c"), ("c", "b"))[0] == {"b": 1, "c": 2}
    assert told("a", ("a", "b"), ("b", "a")) == ({"b": 1}, {})


def test_siblings_and_sources_of_what_goes_are_not_touched():
    assert told("b", ("b", "a"), ("c", "a")) == ({}, {})


PAIRS = st.sets(
    st.tuples(st.integers(0, 12), st.integers(0, 12)).filter(lambda p: p[0] != p[1]), max_size=40
)


@given(PAIRS, st.sets(st.integers(0, 12), min_size=1, max_size=4))
def test_each_descendant_has_one_fate_and_what_is_erased_has_no_other_source(pairs, seeds):
    found = derive(seeds, pairs)
    assert not found.erased.keys() & found.withdrawn.keys()
    assert found.erased.keys() | found.withdrawn.keys() == below(seeds, pairs).keys()
    going = seeds | found.erased.keys()
    for child, parent in pairs:
        if child in found.erased:
            assert parent in going


@given(PAIRS, st.sets(st.integers(0, 12), min_size=1, max_size=3), st.integers(0, 12))
def test_to_forget_more_never_saves_a_derivative(pairs, seeds, another):
    less, more = derive(seeds, pairs), derive(seeds | {another}, pairs)
    assert less.erased.keys() - {another} <= more.erased.keys()
