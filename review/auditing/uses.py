"""How many past answers used cells: what a decision about them reaches back to."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from review.auditing import answers
from store.log import Store

MOST: Final = 10
"""Cells whose past answers are counted at once at most."""

Used = tuple[tuple[str, int], ...]
"""Items and how many past answers had them in their context."""


def used(store: Store, items: Iterable[str]) -> Used:
    """How many past answers used each of the first ten ``items``, the most used first.

    Items that no answer used are left out. A count ends at ``review.auditing.answers.MOST_USES``.
    """
    told = list(dict.fromkeys(items))[:MOST]
    counts = answers.uses(store, told).items() if told else ()
    return tuple(sorted((one for one in counts if one[1]), key=lambda one: (-one[1], one[0])))
