"""A small index over a transcript: for every line where it is, what it is, and its parent.

Under 100 bytes for a line, whatever the line holds, so that the tree can be walked without the
transcript in memory. Ids are kept as digests of eight bytes. Several files of one folder share
their ids, because a resumed session copies lines of the one before it.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Callable, Iterable
from typing import Final

from importers import fields
from importers.claude_code.ids import Ids, Seen, digest
from importers.claude_code.lines import Line, Sort, line, opened
from importers.faults import RecordFaultError
from importers.json_reading.slices import KEPT, Slice
from importers.json_reading.strict import JsonObject
from store.records import Failed

OPENS: Final = 1
REPLY: Final = 2
COMMAND: Final = 4
SIDE: Final = 8
NODE: Final = 16
"""It has a place in the chain."""

STEP: Final = 32
"""It is told as steps of a run."""

ASSUMED: Final = 64
"""Its parent is not named, or is not here; it follows the line before it."""

LIVE: Final = 128
"""It, or something after it, is a turn or a reply."""

COPY: Final = 256
TWIN: Final = 512
"""A line before it has its id and says something else."""


class Index:
    """The lines of one file. ``parent`` is the number of a line, or -1."""

    def __init__(self, ids: Ids, base: int = 0) -> None:
        """``base`` is how many lines the files before this one have."""
        self.start = array("Q")
        self.end = array("Q")
        self.number = array("I")
        self.flags = array("H")
        self.parent = array("i")
        self.reply = array("I")
        self.faults: dict[int, Failed] = {}
        self.dangling = 0
        self.other_sessions = 0
        self._ids, self._base = ids, base
        self._ends_open = False
        self._session = ""
        self._wanted = array("Q")
        self._leaves = array("Q")
        self._before: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self.start)

    def fill(self, pieces: Iterable[Slice]) -> None:
        """Read every line once, in file order."""
        for piece in pieces:
            self._add(piece)
        self._resolve()

    def piece(self, at: int, read: Callable[[int, int], bytes]) -> Slice:
        """A line again; ``read`` gives the bytes of a range."""
        start, end = self.start[at], self.end[at]
        fault = self.faults.get(at)
        kept = min(end, start + KEPT) if fault else end
        last = self._ends_open and at == len(self) - 1
        return Slice(self.number[at], start, end, read(start, kept), last=last, fault=fault)

    def _add(self, piece: Slice) -> None:
        at = len(self)
        self.start.append(piece.start)
        self.end.append(piece.end)
        self.number.append(piece.line)
        self.flags.append(0)
        self.parent.append(-1)
        self.reply.append(0)
        self._wanted.append(0)
        self._ends_open = piece.last
        if piece.fault is not None:
            self.faults[at] = piece.fault
        elif piece.raw and not piece.raw.isspace():
            try:
                record = opened(piece).record
                self._place(at, line(record), record)
            except RecordFaultError:
                return

    def _place(self, at: int, found: Line, record: JsonObject) -> None:
        if found.sort is Sort.SUMMARY:
            self._leaves.append(digest(found.leaf))
        flags = 0
        if found.uuid:
            seen = self._ids.put(digest(found.uuid), self._base + at, _content(record))
            if seen is Seen.COPY:
                self.flags[at] = COPY
                return
            flags = TWIN if seen is Seen.TWIN else 0
        if found.sort not in (Sort.MESSAGE, Sort.NOTE, Sort.LINK):
            return
        flags |= NODE | (STEP if found.sort is not Sort.LINK else 0)
        flags |= (OPENS if found.opens else 0) | (COMMAND if found.command else 0)
        flags |= (SIDE if found.side else 0) | (REPLY if found.reply is not None else 0)
        self.flags[at] = flags
        self.reply[at] = digest(found.reply or "") & 0xFFFFFFFF
        self._wanted[at] = digest(found.parent)
        self._session = found.session or self._session
        scope = hash((self._session, found.side, found.agent))
        self.parent[at] = -1 if found.side and found.opens else self._before.get(scope, -1)
        self._before[scope] = at

    def _resolve(self) -> None:
        """Turn named parents into numbers; one that is not here leaves the assumed one."""
        for at, wanted in enumerate(self._wanted):
            flags = self.flags[at]
            if not flags & NODE:
                continue
            found = self._ids.find(wanted) if wanted else -1
            named = found - self._base
            if 0 <= named < len(self) and named != at:
                same = (self.flags[named] ^ flags) & SIDE == 0
                self.parent[at] = named if same else -1
            else:
                self.dangling += bool(wanted) and found < 0
                self.flags[at] = flags | ASSUMED
        for leaf in self._leaves:
            self.other_sessions += self._ids.find(leaf) < self._base
        self._before.clear()
        self._wanted = array("Q")


def _content(record: JsonObject) -> int:
    """Of what a line says, without the session it stands in."""
    told = [record.get(key) for key in ("type", "timestamp", "message", "attachment", "content")]
    made = hashlib.blake2b(fields.canonical(told), digest_size=8).digest()
    return int.from_bytes(made, "little")
