"""How much a claim is about what a question asks: the text part of ζ, for one pair.

A score depends on the question and on what the cell itself carries, with frozen word weights:
never on other records and never on which candidates were found. Everything that is summed is a
whole number, so a score is the same bit for bit whichever way it is computed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Final

import numpy as np
from numpy.typing import NDArray

from review.text.word_weights import Wording, wording

OWN: Final = 20
"""How strongly a word counts that the claim says itself; the other strengths compare with it."""

ABOUT: Final = 25
"""A word that says whose the claim is: who speaks is surer than who is mentioned."""

BEFORE: Final = (12, 8)
"""A word of what was said just before, and of what was said before that."""

_ROOM: Final = 100_000
"""Weight of unasked words at which a full match is worth one half: some 300 words."""

_NUANCE: Final = 20
"""One part of so many hangs on the very words, so that of claims that cover the same things the
one in the words of the question comes first."""

_MONTHS: Final = (
    ("January", "января"),
    ("February", "февраля"),
    ("March", "марта"),
    ("April", "апреля"),
    ("May", "мая"),
    ("June", "июня"),
    ("July", "июля"),
    ("August", "августа"),
    ("September", "сентября"),
    ("October", "октября"),
    ("November", "ноября"),
    ("December", "декабря"),
)


@dataclass(frozen=True, slots=True)
class Passage:
    """What of a cell is compared with a question."""

    text: str
    """The claim."""

    about: str = ""
    """Words that the cell carries beside the claim: its speaker or subject, its date."""

    before: tuple[str, ...] = ()
    """What the claim answers or goes on from, nearest first; two at most are looked at. Only
    claims of durable cells that the cell is linked to, or the score would move with what is
    staged."""


def day_in_words(day: date) -> str:
    """A date as people write it, in English and Russian, for :attr:`Passage.about`."""
    english, russian = _MONTHS[day.month - 1]
    return f"{day.day} {english} {russian} {day.year}"


@dataclass(frozen=True, slots=True)
class Marks:
    """The words of a passage as they are compared."""

    strengths: dict[str, int]
    """How strongly each stem counts, of :data:`OWN`; the strongest of its places."""

    told: int
    """Sum of the weights of the different stems of the claim itself."""

    traces: int
    """Traces of the claim's words, as in :class:`review.text.word_weights.Wording`."""


def marks(passage: Passage | str, read: Callable[[str], Wording] = wording) -> Marks:
    """The words of ``passage`` with their strengths. A plain text is a claim and nothing else.

    ``read`` is :func:`review.text.word_weights.wording`, or one that remembers what it has read.
    """
    if isinstance(passage, str):
        passage = Passage(passage)
    claim = read(passage.text)
    own = dict.fromkeys(claim.weights, OWN)
    if not passage.about and not passage.before:
        return Marks(own, claim.total, claim.traces)
    strengths: dict[str, int] = {}
    for text, strength in reversed(tuple(zip(passage.before, BEFORE, strict=False))):
        strengths |= dict.fromkeys(read(text).weights, strength)
    strengths |= own | dict.fromkeys(read(passage.about).weights, ABOUT)
    return Marks(strengths, claim.total, claim.traces)


def likeness(question: str, passage: Passage | str) -> float:
    """How much of what ``question`` asks about is covered by ``passage``.

    0.0 when they share no word that tells something, and when the question has none. About 0.15,
    the policy's usual floor, when one common word of several is shared. 1.0 when the claim is the
    question's own text. A claim that covers everything in other forms of the words loses at most
    a twentieth; one that tells much more loses up to one half for some 300 further words.

    Args:
        question: Any text.
        passage: A claim, alone or with what its cell carries beside it.

    Returns:
        A score in [0.0, 1.0], the same that ``TextIndex.similarity`` gives, bit for bit.

    Source:
        Ours; the gate's specification, section 3, asks for calibrated text similarity.
    """
    asked = wording(question)
    here = marks(passage)
    met = sum(worth * here.strengths.get(stem, 0) for stem, worth in asked.weights.items())
    if not met:
        return 0.0
    scores = score(
        asked,
        np.array([met], dtype=np.int32),
        np.array([here.told], dtype=np.int32),
        np.array([here.traces], dtype=np.uint64),
    )
    return float(scores[0])


def score(
    asked: Wording,
    met: NDArray[np.int32],
    told: NDArray[np.int32],
    traces: NDArray[np.uint64],
) -> NDArray[np.float64]:
    """Scores of claims from what they share with a question.

    Args:
        asked: The question; its total is more than zero.
        met: For each claim, the sum of weight times strength over the shared stems.
        told: For each claim, the sum of the weights of its own stems.
        traces: For each claim, the traces of its words.

    Returns:
        Scores in [0.0, 1.0]: the covered share, damped by what was not asked, and less up to a
        twentieth for words of the question that the claim does not have in the same form.
    """
    full = asked.total * OWN
    forms = _NUANCE * asked.traces.bit_count()
    other = np.bitwise_count(np.uint64(asked.traces) & ~traces)
    share: NDArray[np.float64] = np.minimum(met, full) / full
    damping: NDArray[np.float64] = _ROOM / (_ROOM + np.maximum(0, told - asked.total))
    nuance: NDArray[np.float64] = (forms - other.astype(np.int64)) / forms
    return share * damping * nuance
