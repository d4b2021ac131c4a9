"""Which records wait and no model was asked about, and asking about them group by group.

It comes after staging and touches neither an import nor a signing: what it leaves are records
beside memory, and a person takes a fact over by an edit, or does not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from review.cards.card import Card, NoSuchItemError
from review.desk import Desk
from review.proposals.jobs import Failure, Outcome
from review.proposals.proposing import Proposing
from review.proposals.protocol import ModelError
from store import model_queries

MOST: Final = 1_000
"""Records that are asked about in one go at most."""

_IN_A_ROW: Final = 3
"""Groups without any reply after which the service is left alone."""

_FINAL: Final = frozenset(
    {
        Failure.OFF,
        Failure.NO_KEY,
        Failure.BAD_SETTINGS,
        Failure.BUDGET,
        Failure.UNAUTHORISED,
    }
)
"""What the next record would meet, too."""


@dataclass
class Heard:
    """What came of asking so far. Counts only."""

    wanted: int = 0
    """Records that waited and had no record of a reply when it began."""

    replies: Counter[Outcome] = field(default_factory=Counter)
    failed: Counter[Failure] = field(default_factory=Counter)
    gone: int = 0
    """Records that were decided on or erased meanwhile."""

    ended: Failure | None = None
    """What ended it before its time."""

    @property
    def done(self) -> int:
        """Records that are behind it."""
        return self.replies.total() + self.failed.total() + self.gone


def unasked(desk: Desk, most: int = MOST) -> list[str]:
    """Records that wait and no model has answered about, the newest first."""
    rows = desk.store.rows(model_queries.UNASKED, limit=most)
    return [str(row["item"]) for row in rows]


def count(desk: Desk) -> int:
    """How many records wait and no model has answered about."""
    return int(desk.store.rows(model_queries.UNASKED_COUNT)[0]["n"])


def ask(
    proposing: Proposing,
    most: int,
    told: Callable[[Heard], bool],
) -> Heard:
    """Ask about records that wait, until the budget, the service or ``told`` ends it.

    Args:
        proposing: Over whose desk.
        most: How many records at most.
        told: Told how far it is, before the first group and after each; True to go on.
    """
    items = unasked(proposing.desk, min(most, MOST))
    heard = Heard(wanted=len(items))
    at_once = 1 if proposing.model is None else max(1, proposing.model.at_once)
    silent = 0
    for start in range(0, len(items), at_once):
        group = items[start : start + at_once]
        if not told(heard):
            return heard
        cards = list(_cards(proposing.desk, group))
        heard.gone += len(group) - len(cards)
        failures = []
        for found in proposing.claims(cards):
            if isinstance(found, ModelError):
                failures.append(found.failure)
                heard.failed[found.failure] += 1
            else:
                heard.replies[found.outcome] += 1
        silent = silent + 1 if cards and len(failures) == len(cards) else 0
        final = next((one for one in failures if one in _FINAL), None)
        if final is not None or silent >= _IN_A_ROW:
            heard.ended = final or failures[-1]
            break
    told(heard)
    return heard


def _cards(desk: Desk, items: Sequence[str]) -> Iterator[Card]:
    for item in items:
        try:
            card = desk.card_of(item)
        except NoSuchItemError:
            continue
        if card.claim is not None:
            yield card
