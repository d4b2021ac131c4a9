"""Finds the words that a model quotes in the text it was given. What is not there is dropped."""

from __future__ import annotations

from review.proposals.covering import COVER
from store.cells import Span


def place(text: str, quote: str, *, holding: str = "") -> Span | None:
    """The first place of ``quote`` in ``text``, letter by letter; None if there is none.

    Args:
        text: The text that was read.
        quote: What is said to stand in it.
        holding: Words that must stand inside of the quote.

    A quote that holds covered characters is not found: nobody can say what stands there.
    """
    if not quote.strip() or COVER in quote or (holding and holding not in quote):
        return None
    start = text.find(quote)
    return Span(start, start + len(quote)) if start >= 0 else None
