"""Cuts the tree of a transcript into runs, over the numbers of an ``Index`` alone.

The path that ends in the last reply or turn was followed. A turn or a reply beside it began a
branch, an alternative (a rewind, a retry) and never a rejection. What hangs beside the path
without a turn or a reply after it, such as the result of a call made together with others, belongs
to the run it hangs on. Parents may be missing, come later, or go in a circle.
"""

from __future__ import annotations

from array import array
from typing import Final

from importers.claude_code.index import ASSUMED, COMMAND, LIVE, NODE, OPENS, REPLY, STEP, Index

_UNSET: Final = -1
_ASKED: Final = -2
_TURN: Final = OPENS | REPLY
_LOOKED_AHEAD: Final = 16


class Runs:
    """Which line belongs to which run. Lines of a run are a chain in file order."""

    def __init__(self, index: Index) -> None:
        """Lay out all runs of ``index``."""
        self.run = array("i", [_UNSET]) * len(index)
        self.following = array("i", [-1]) * len(index)
        self.first = array("i")
        self.branches = 0
        self._index = index
        self._heir = array("i", [-1]) * len(index)
        self._beside = array("i")
        self._begun = bytearray()
        self._mark_live()
        self._choose_heirs()
        for at in range(len(index)):
            if index.flags[at] & NODE and self.run[at] == _UNSET:
                self._settle(at)
        self._chain()

    def beside(self, run: int) -> int:
        """The run to which ``run`` is an alternative; -1 if it is on the path."""
        line = self._beside[run]
        other = self.run[line] if line >= 0 else -1
        return other if other != run else -1

    def _mark_live(self) -> None:
        flags, parent = self._index.flags, self._index.parent
        for at in range(len(flags)):
            if flags[at] & _TURN:
                line = at
                while line >= 0 and not flags[line] & LIVE:
                    flags[line] |= LIVE
                    line = parent[line]

    def _choose_heirs(self) -> None:
        """Of the lines after a line, the one that leads to the last turn or reply of them all."""
        flags, parent = self._index.flags, self._index.parent
        for at in range(len(flags) - 1, -1, -1):
            if flags[at] & _TURN:
                line = at
                while (before := parent[line]) >= 0 and self._heir[before] < 0:
                    self._heir[before] = line
                    line = before

    def _settle(self, at: int) -> None:
        parent, chain = self._index.parent, array("i")
        line = at
        while line >= 0 and self.run[line] == _UNSET:
            self.run[line] = _ASKED
            chain.append(line)
            line = parent[line]
        if line >= 0 and self.run[line] == _ASKED:  # a circle is opened where it was entered
            parent[chain[-1]] = -1
        for one in reversed(chain):
            run = self._of(one)
            self.run[one] = run
            self._begun[run] |= self._index.flags[one] & _TURN

    def _of(self, at: int) -> int:
        flags, before = self._index.flags[at], self._index.parent[at]
        if before < 0 or self.run[before] < 0:
            return self._new(-1)
        run = self.run[before]
        if not flags & LIVE:
            return run
        heir = self._heir[before]
        if heir != at and not flags & ASSUMED and not self._same_reply(at, before, heir):
            self.branches += 1
            return self._new(heir)
        if self._begun[run] and (flags & OPENS or (flags & COMMAND and self._leads(at))):
            return self._new(self._beside[run])
        return run

    def _new(self, beside: int) -> int:
        self._beside.append(beside)
        self._begun.append(0)
        return len(self._beside) - 1

    def _same_reply(self, at: int, before: int, heir: int) -> bool:
        """Whether the line is one more of a reply that was written in several."""
        reply = self._index.reply
        return reply[at] != 0 and reply[at] in (reply[before], reply[heir] if heir >= 0 else 0)

    def _leads(self, at: int) -> bool:
        """Whether a command is followed by a reply before anybody asks something."""
        line = self._heir[at]
        for _ in range(_LOOKED_AHEAD):
            flags = self._index.flags[line] if line >= 0 else OPENS
            if flags & (OPENS | COMMAND | REPLY):
                return bool(flags & REPLY)
            line = self._heir[line]
        return False

    def _chain(self) -> None:
        self.first = array("i", [-1]) * len(self._beside)
        last = array("i", [-1]) * len(self._beside)
        for at, run in enumerate(self.run):
            if run >= 0 and self._index.flags[at] & STEP:
                if self.first[run] < 0:
                    self.first[run] = at
                else:
                    self.following[last[run]] = at
                last[run] = at
