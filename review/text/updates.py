"""Which claims of a conversation an "Update: …" takes the place of.

"Update: the interview is by phone" renews one thing that was said: the earlier claim that is most
like it. The word is the evidence that something changed, the likeness only says what; so it has
to be plain, in two telling words at least, and whatever is less alike stays as it was.

Source: ours.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from review.text.word_weights import wording

_UPDATE: Final = re.compile(
    r"^\W*(?:status |latest |quick |important )?(?:update|upd|updated|amendment)\b[^:\n]{0,20}:\s|"
    r"^\W*(?:обновление|обновлено|апдейт|upd|уточнение)(?!\w)[^:\n]{0,20}:\s",
    re.IGNORECASE,
)
_TELLING: Final = 200
"""Weight of a word that says what a thing is; ``go`` and ``make`` have less."""

_SHARED: Final = 2
"""Telling words that both claims have at least."""

_COPY: Final = 0.8
"""Share of the telling words of both from which they are one piece of news."""

_LONGEST: Final = 600
"""Characters of a claim that is one piece of news; what is longer tells of several things."""


def renewed(claims: Sequence[str]) -> dict[int, int]:
    """For each claim that an update takes the place of, the latest update that does.

    Args:
        claims: Of one conversation, oldest first.

    Returns:
        Places of renewed claims with the place of the update. Copies of a renewed claim, which
        hold the same telling words, are renewed with it.
    """
    told: dict[int, int] = {}
    if not any(_UPDATE.match(claim[:_LONGEST]) for claim in claims):
        return told
    words: list[dict[str, int]] = []
    for at, claim in enumerate(claims):
        found = _UPDATE.match(claim) if len(claim) <= _LONGEST else None
        text = claim[found.end() :] if found else claim
        words.append(_telling(text) if len(claim) <= _LONGEST else {})
        if found is None:
            continue
        alike = [_alike(words[at], one) for one in words[:at]]
        most = max(alike, default=0)
        for old, score in enumerate(alike):
            if score and score == most and words[old] != words[at]:
                told[old] = at
    return told


def _telling(text: str) -> dict[str, int]:
    return {stem: worth for stem, worth in wording(text).weights.items() if worth >= _TELLING}


def _alike(new: dict[str, int], old: dict[str, int]) -> int:
    """Weight of the telling words of both; 0 when they are too few, or the claims say the same."""
    both = new.keys() & old.keys()
    shared = sum(new[stem] for stem in both)
    if len(both) < _SHARED or shared >= _COPY * max(sum(new.values()), sum(old.values())):
        return 0
    return shared
