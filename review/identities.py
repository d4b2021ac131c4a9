"""Ids that sort by time, and short forms of them for people.

Source: ULID, 48 bits of milliseconds and 80 random bits in Crockford's base 32.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

Clock = Callable[[], datetime]
"""Says the present moment, with a time zone. Passed in; no rule reads a clock."""

Chance = Callable[[int], bytes]
"""Gives that many random bytes. Passed in; no rule draws its own."""

_ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_PAIRS: Final = tuple(first + second for first in _ALPHABET for second in _ALPHABET)


def new_id(now: datetime, random: bytes) -> str:
    """A 26-character id that sorts by ``now``.

    Raises:
        ValueError: If ``random`` is not 10 bytes.
    """
    if len(random) != 10:
        msg = f"an id takes 10 random bytes, got {len(random)}."
        raise ValueError(msg)
    number = (int(now.timestamp() * 1000) << 80) | int.from_bytes(random, "big")
    return "".join([_PAIRS[(number >> place) & 1023] for place in range(120, -1, -10)])


def short(item: str) -> str:
    """The form for people: the start and the end of an id, ``01J8-4FQZ``."""
    return f"{item[:4]}-{item[-4:]}" if len(item) > 9 else item


def stamp(moment: datetime) -> str:
    """RFC 3339 in UTC with six digits of fraction, as the log writes times."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
