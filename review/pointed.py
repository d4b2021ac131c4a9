"""Reads a range of the content that a pointer names."""

from __future__ import annotations

from store.cells import Pointer
from store.log import Store

LONGEST = 64 * 1024
"""Bytes that one call gives at most."""


def content_of(store: Store, pointer: Pointer, start: int, end: int) -> bytes | None:
    """Bytes ``[start, end)`` of the content, cut to its size and to 64 KiB; None when erased.

    Args:
        store: Where it is.
        pointer: From the card of a record.
        start: First byte, zero-based.
        end: Byte after the last.

    Raises:
        store.log.DamagedStoreError: If the content does not open to its commitment.
    """
    found = store.payloads([pointer.content]).get(pointer.content)
    if found is None:
        return None
    start = max(start, 0)
    return found.body[start : min(end, start + LONGEST)]
