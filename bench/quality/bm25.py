"""BM25 over a handful of texts: the baseline that a search box gives.

Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework" (2009), k1 = 1.5, b =
0.75, with the never negative idf ln(1 + (N - n + 0.5) / (n + 0.5)).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from math import log
from typing import Final

K1: Final = 1.5
B: Final = 0.75
_WORD: Final = re.compile(r"\w+")


class Bm25:
    """An index over texts, asked for the places of the best ones."""

    def __init__(self, texts: Sequence[str]) -> None:
        """Index ``texts``."""
        self._counts = [Counter(_words(text)) for text in texts]
        self._sizes = [sum(counts.values()) for counts in self._counts]
        self._mean = sum(self._sizes) / len(texts) if texts else 1.0
        self._holding = Counter(word for counts in self._counts for word in counts)

    def best(self, question: str, most: int) -> list[int]:
        """Places of the ``most`` best texts, best first; texts without a common word are not."""
        wanted = {word: self._rarity(word) for word in _words(question) if word in self._holding}
        scores = [(self._score(n, wanted), -n) for n in range(len(self._counts))]
        ranked = sorted((one for one in scores if one[0] > 0), reverse=True)[:most]
        return [-place for _, place in ranked]

    def _rarity(self, word: str) -> float:
        total, held = len(self._counts), self._holding[word]
        return log(1 + (total - held + 0.5) / (held + 0.5))

    def _score(self, place: int, wanted: dict[str, float]) -> float:
        counts, size = self._counts[place], self._sizes[place]
        norm = K1 * (1 - B + B * size / (self._mean or 1.0))
        return sum(
            rarity * counts[word] * (K1 + 1) / (counts[word] + norm)
            for word, rarity in wanted.items()
            if counts[word]
        )


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())
