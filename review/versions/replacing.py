"""A new version of a durable record: staged like any other, it supersedes the old once approved.

Nothing is changed in place. What a person writes here carries the superseding in its own artifact,
so the signature that makes it durable is the one that closes the old version, immutable or not.
"""

from __future__ import annotations

from review import editing
from review.cards.card import Card
from review.desk import Desk
from review.editing import Edit
from review.person import ReadOnlyError
from review.staged.staging import Receipt


def replace(desk: Desk, shown: Card, edit: Edit) -> Receipt:
    """Stage what a person made of a durable record, as its next version.

    Raises:
        ReadOnlyError: Without an identity.
        review.editing.NothingToEditError: If there is nothing to stage.
        review.editing.InvalidDateError: If a date is none, or the end is not after the start.
    """
    if desk.person is None:
        raise ReadOnlyError
    who, now = desk.person.reviewer, desk.now()
    return desk.stage(editing.reading_of(shown, edit, reviewer=who, now=now, replacing=True))
