"""Which pairs of a cluster one press tells different, and which of them have the same words.

What is ticked as the same as the kept record stays with it: only pairs with a record that is not
ticked are told different. A pair with the same words is a pair that nobody would tell different by
chance, so it is kept apart and asked about.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from review.queue import Row
from review.staged.manifests import look_of

Pair = tuple[Row, Row]


@dataclass(frozen=True, slots=True)
class Apart:
    """The pairs of a cluster that can be told different."""

    pairs: tuple[Pair, ...]
    """Those whose words differ, or were erased."""

    worded_alike: tuple[Pair, ...]
    """Those that are the same but for case, marks and spacing."""


def apart(rows: Sequence[Row], same: Collection[str]) -> Apart:
    """The pairs with a record that is not among the ``same`` ones.

    Args:
        rows: The records of a cluster, the kept one first.
        same: Items that are ticked, or linked already, as the same as the kept one.
    """
    together = {rows[0].item, *same}
    looks = [None if row.claim is None else look_of(row.claim) for row in rows]
    pairs: list[Pair] = []
    alike: list[Pair] = []
    for n, one in enumerate(rows):
        for m, two in enumerate(rows[n + 1 :], start=n + 1):
            if one.item in together and two.item in together:
                continue
            said = looks[n] is not None and looks[n] == looks[m]
            (alike if said else pairs).append((one, two))
    return Apart(tuple(pairs), tuple(alike))
