"""Which forget request took a text, so that a row that lost its words says where they went."""

from __future__ import annotations

from collections.abc import Mapping

from console.cards.times import moment
from console.words import Say
from review.identities import short
from store.forget_standing import Request
from store.standing import Standing

By = Mapping[str, Request]
"""The request that named an item or a content, by its id or its commitment."""


def by_request(standing: Standing) -> By:
    """Of every item and content that people signed to have forgotten, by which request."""
    return {
        name: request
        for request in standing.forgets.values()
        for name in (*request.items, *request.contents)
    }


def text(say: Say, by: By, name: str, key: str = "why.erased_by") -> str:
    """In place of a text that is gone: that it was erased, by which request and when, if known.

    Args:
        say: The words.
        by: The requests; see ``by_request``.
        name: The item or the commitment.
        key: The sentence that says what was kept.
    """
    request = by.get(name)
    if request is None:
        return say.plain("stored.erased")
    return say.plain(key, id=short(request.forget), when=moment(request.signed_at))
