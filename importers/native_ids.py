"""Which native ids went by in a source: to find repeated ones, and links that lead nowhere.

It keeps a digest of each id and of its record, no text.
"""

from __future__ import annotations

import hashlib


class Ids:
    """The ids of one source, as they are met."""

    def __init__(self) -> None:
        self._seen: dict[bytes, bytes] = {}
        self._named: set[bytes] = set()

    def meet(self, native: str, raw: bytes) -> bool:
        """Take note of a record; whether another record, of other bytes, had this id before."""
        mark, digest = _mark(native), hashlib.sha256(raw).digest()[:16]
        before = self._seen.setdefault(mark, digest)
        return before != digest

    def has(self, native: str) -> bool:
        """Whether a record with this id went by."""
        return _mark(native) in self._seen

    def name(self, native: str) -> None:
        """Take note that some record links to this id."""
        self._named.add(_mark(native))

    def dangling(self) -> int:
        """How many of the ids that were linked to belong to no record of the source."""
        return len(self._named - self._seen.keys())


def _mark(native: str) -> bytes:
    return hashlib.sha256(native.encode("utf-8", "replace")).digest()[:16]
