"""Finds the words that a model quotes in the text it was given. What is not there is dropped.

A quote that begins or ends within a word or a number is not there: ``10`` does not stand in
``100``, nor ``allowed`` in ``disallowed``. Scripts that write no spaces have no such ends.
"""

from __future__ import annotations

import unicodedata
from typing import Final

from review.proposals.covering import COVER
from store.cells import Span

_JOINED: Final = ".,"
"""Between two digits these are part of a number."""

_SIGNS: Final = "-−+"
"""Before a number and behind no word these are part of it."""


def place(text: str, quote: str, *, holding: str = "") -> Span | None:
    """The first place of ``quote`` in ``text``, letter by letter; None if there is none.

    Args:
        text: The text that was read.
        quote: What is said to stand in it.
        holding: Words that must stand inside of the quote.

    A quote that holds covered characters is not found: nobody can say what stands there.
    """
    if not quote.strip() or COVER in quote:
        return None
    start = text.find(quote)
    while start >= 0:
        end = start + len(quote)
        if not (_within(text, start) or _within(text, end)):
            break
        start = text.find(quote, start + 1)
    if start < 0 or (holding.strip() and place(quote, holding) is None):
        return None
    return Span(start, start + len(quote))


def _within(text: str, at: int) -> bool:
    """Whether a place lies inside of a word or of a number."""
    if not 0 < at < len(text):
        return False
    if unicodedata.combining(text[at]):
        return True
    base = at - 1
    while base > 0 and unicodedata.combining(text[base]):
        base -= 1
    before, after = text[base], text[at]
    if before.isdigit() and after.isdigit():
        return True
    if _is_cased(before) and _is_cased(after):
        return True
    further, earlier = text[at + 1 : at + 2], text[base - 1 : base]
    if before.isdigit() and after in _JOINED and further.isdigit():
        return True
    if before in _JOINED and after.isdigit() and earlier.isdigit():
        return True
    signed = before in _SIGNS and after.isdigit()
    return signed and not earlier.isalnum() and earlier != ")"


def _is_cased(letter: str) -> bool:
    """Whether it is of a script with capital letters; all of these put spaces between words."""
    return letter.upper() != letter.lower()
