"""How well a place in a claim matches what a question asks.

Source: ours.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from review.answer.words import Reading, Where, Word

_SAME_CLAUSE: Final = 1.0
_SAME_SENTENCE: Final = 0.95
_NEXT_SENTENCE: Final = 0.8
_SAME_TEXT: Final = 0.6


def support(asked: Mapping[str, int], reading: Reading, at: int) -> tuple[float, frozenset[str]]:
    """How well the words around word ``at`` match what is asked, and which senses match.

    1.0 when every asked word stands in the same clause, 0.0 when none is in the text. A word in
    the same sentence counts 0.95, in the next or the one before 0.8, elsewhere in the text 0.6.

    Source: ours.
    """
    here = reading.words[at]
    met = 0.0
    matched: set[str] = set()
    for one, worth in asked.items():
        where = reading.places.get(one)
        if where is not None:
            matched.add(one)
            met += worth * _closeness(here, where)
    total = sum(asked.values())
    return (met / total if total else 0.0), frozenset(matched)


def _closeness(here: Word, where: Where) -> float:
    if here.clause in where.clauses:
        return _SAME_CLAUSE
    if here.sentence in where.sentences:
        return _SAME_SENTENCE
    beside = here.sentence - 1 in where.sentences or here.sentence + 1 in where.sentences
    return _NEXT_SENTENCE if beside else _SAME_TEXT


def share(asked: Mapping[str, int], some: Iterable[str]) -> float:
    """The share of what is asked that ``some`` senses carry, in [0, 1]."""
    total = sum(asked.values())
    return sum(asked.get(one, 0) for one in set(some)) / total if total else 0.0
