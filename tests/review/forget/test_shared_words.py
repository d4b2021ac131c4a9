"""Runs of words that two texts share: none is overlooked, whatever is looked at in one go."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.forget import shared_words
from review.forget.shared_words import SharedWords

WORDS = st.sampled_from(("ключ", "a", "b", "2026", "склад", "naïve", "東京", "of", "the", "z9"))
TEXTS = st.lists(st.lists(WORDS, max_size=14).map(" ".join), max_size=12)
PART, FEWEST = 8, 3


def runs(text, k):
    words = text.split(" ")
    return {tuple(words[n : n + k]) for n in range(len(words) - k + 1)}


def sharing(gone, stays):
    """Places of texts that share a run, compared word by word."""
    wanted = [
        (min(len(told), PART), text)
        for text in gone
        for told in (text.split(" "),)
        if len(told) >= FEWEST
    ]
    return [
        n for n, text in enumerate(stays) if any(runs(one, k) & runs(text, k) for k, one in wanted)
    ]


@pytest.mark.parametrize("size", [1, 40, 1 << 18])
@given(gone=TEXTS, stays=TEXTS)
def test_every_text_that_shares_words_in_a_row_is_found_and_no_other(size, gone, stays):
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(shared_words, "_BATCH", size)
        shared = SharedWords(gone, part=PART, fewest=FEWEST)
        assert shared.likely(stays) == sharing(gone, stays)


def test_a_run_does_not_reach_from_one_text_into_the_next():
    shared = SharedWords(["one two three four"], part=PART, fewest=FEWEST)
    assert shared.lengths == (4,)
    assert shared.likely(["one two", "three four", "", "so one two three four it is"]) == [3]


def test_texts_of_fewer_words_are_not_looked_for():
    shared = SharedWords(["one two", "", "one"], part=PART, fewest=FEWEST)
    assert shared.lengths == ()
    assert shared.likely(["one two"]) == []
