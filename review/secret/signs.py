"""What every secret has, so that ordinary text costs almost nothing.

Substring searches over many texts at once, and not one regular expression: that costs ten times
as much.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final

from review.secret.numbers import may_match
from review.text.sieve import ends_of, holders

_BETWEEN: Final = "\0"
"""Joins the texts. No folded text holds it, and no shape below has it inside."""

_TOKEN_SHAPE: Final = bytes(
    0x61 if chr(b) in "+/=_.-" or chr(b).isalnum() else 0x20 for b in range(128)
) + bytes(128)
_LONG_RUN: Final = b"a" * 16
_ID: Final = re.compile(
    rb"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{24,128}|[0-9-]{9,11}T[0-9-]{2,9}"
)
"""A UUID, a hash or a date that stands alone; no rule without a word of its own matches inside."""

_NUMBER_SHAPE: Final = bytes(
    0 if b == 0 else 0x30 if chr(b).isdigit() else 0x41 if chr(b).isupper() else 0x20
    for b in range(128)
) + bytes(b" " * 128)
_LONG_NUMBER: Final = b"00000000000"
_WIDE: Final = "\xa0·‐‒–—−"
_WIDE_SEPARATOR: Final = re.compile(f"[0-9][{_WIDE}]")
_BEFORE_TOKEN: Final = re.compile("[0-9]{8}:")
_PERCENT_RUN: Final = re.compile(rb"(?:%[0-9a-fA-F]{2}){6}")
_WORDS: Final = (
    *(b"pass", b"pwd", b"secret", b"token", b"key", b"bearer", b"authoriz", b"cvv", b"cvc"),
    *(b"://", b"-begin", b"eyj", b"curl", b"mysql"),
)
_WORDS_RU: Final = ("парол", "кодов", "секрет", "токен", "ключ")


def lowered(text: str) -> str:
    """Lower case of the same length."""
    low = text.lower()
    if len(low) == len(text):
        return low
    return "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def suspects(texts: Sequence[str]) -> set[int]:
    """Which of the folded ``texts`` could hold a secret; no rule can match in any other.

    A word that announces a secret, or a long run of token characters that is no UUID or hash, or
    eleven digits with nothing but separators between them, or ten in a row, or the head of an
    IBAN, or six percent-encoded letters.
    """
    joined, ends = _BETWEEN.join(texts), ends_of(texts)
    low, raw = lowered(joined), joined.encode("ascii", "replace")
    found = holders(low.encode("ascii", "replace"), ends, _WORDS)
    for start, end in _long_runs(raw.translate(_TOKEN_SHAPE)):
        if not _ID.fullmatch(raw, start, end):
            found.add(bisect_right(ends, start))
    if b"%" in raw:
        found.update(bisect_right(ends, one.start()) for one in _PERCENT_RUN.finditer(raw))
    shape = raw.translate(_NUMBER_SHAPE)
    found |= holders(shape, ends, (b"AA00",))
    numbered = holders(shape, ends, (b"0000000000",))
    squeezed = raw.translate(_NUMBER_SHAPE, b" ._-")
    if _LONG_NUMBER in squeezed:
        parts = squeezed.split(b"\0")
        numbered |= {n for n, part in enumerate(parts) if _LONG_NUMBER in part}
    if not joined.isascii():
        found |= holders(low, ends, _WORDS_RU)
        numbered |= {n for n in holders(joined, ends, _WIDE) if _is_spaced_widely(texts[n])}
    return found | {n for n in numbered - found if _is_number(texts[n])}


def _long_runs(shape: bytes) -> Iterator[tuple[int, int]]:
    start = shape.find(_LONG_RUN)
    while start >= 0:
        end = shape.find(b" ", start)
        yield start, (end if end >= 0 else len(shape))
        start = shape.find(_LONG_RUN, end) if end >= 0 else -1


def _is_number(text: str) -> bool:
    """A second look at digits: those of a hash or a UUID stand between letters."""
    return may_match(text, lowered(text)) or _BEFORE_TOKEN.search(text) is not None


def _is_spaced_widely(text: str) -> bool:
    """Eleven digits with nothing between them but separators, dashes beyond ASCII among them."""
    if _WIDE_SEPARATOR.search(text) is None:
        return False
    raw = text.encode("ascii", "replace")
    return _LONG_NUMBER in raw.translate(_NUMBER_SHAPE, b" ._-?")
