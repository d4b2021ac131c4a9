"""Ids of lines as digests of eight bytes, each with its line's number: 20 bytes and a slot."""

from __future__ import annotations

import hashlib
from array import array
from enum import Enum, auto


class Seen(Enum):
    """Whether an id was there before."""

    NEW = auto()
    COPY = auto()
    """With the same content."""

    TWIN = auto()
    """With other content."""


class Ids:
    """A table with open slots, because a ``dict`` of the same takes five times its memory."""

    def __init__(self) -> None:
        self._keys = array("Q")
        self._contents = array("Q")
        self._numbers = array("I")
        self._slots = array("i", [-1]) * 1024

    def find(self, key: int) -> int:
        """The number of ``key``; -1 if it was never put."""
        at = self._slots[self._slot(key)]
        return -1 if at < 0 else self._numbers[at]

    def put(self, key: int, number: int, content: int) -> Seen:
        """Remember the number of an id; a later line with other content takes its place."""
        slot = self._slot(key)
        at = self._slots[slot]
        if at >= 0:
            if self._contents[at] == content:
                return Seen.COPY
            self._numbers[at], self._contents[at] = number, content
            return Seen.TWIN
        self._slots[slot] = len(self._keys)
        self._keys.append(key)
        self._numbers.append(number)
        self._contents.append(content)
        if len(self._keys) * 3 > len(self._slots) * 2:
            self._slots = array("i", [-1]) * (len(self._slots) * 2)
            for place, known in enumerate(self._keys):
                self._slots[self._slot(known)] = place
        return Seen.NEW

    def _slot(self, key: int) -> int:
        mask = len(self._slots) - 1
        slot = key & mask
        while (at := self._slots[slot]) >= 0 and self._keys[at] != key:
            slot = (slot + 1) & mask
        return slot


def digest(text: str) -> int:
    """Eight bytes of an id; 0 for none."""
    if not text:
        return 0
    made = hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(made, "little") or 1
