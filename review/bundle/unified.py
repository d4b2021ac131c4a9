"""Patches that ``git apply`` takes: a new file, or an existing one with lines put after its end.

Bytes are never re-encoded: line ends, a byte order mark and a missing last newline stay as they
are. Source: git's diff format, ``gitdiff`` of its documentation; POSIX ``diff -u``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

_CONTEXT: Final = 3
_NO_NEWLINE: Final = b"\n\\ No newline at end of file\n"


class NotTextError(ValueError):
    """A file that a patch of lines cannot be made for."""


def new_file(path: str, data: bytes) -> bytes:
    """A patch that adds ``path``, which must not be there. ``data`` is not empty."""
    lines = _lines(data)
    head = (
        f"diff --git a/{path} b/{path}\nnew file mode 100644\n--- /dev/null\n+++ b/{path}\n"
        f"@@ -0,0 +{_range(1, len(lines))} @@\n"
    )
    return head.encode("ascii") + b"".join(_spelled(b"+", line) for line in lines)


def appended(path: str, old: bytes, more: bytes) -> tuple[bytes, bytes]:
    """What ``old`` is with ``more`` after it, a blank line between, and the patch that does it.

    Args:
        path: The file, ASCII.
        old: Its bytes.
        more: Lines to put after them, each ended by a newline. They take on the line ends of
            ``old``.

    Raises:
        NotTextError: If ``old`` is no text with lines.
    """
    if b"\0" in old:
        msg = f"{path} is not a text file, so no patch can be made for it."
        raise NotTextError(msg)
    end = b"\r\n" if b"\r\n" in old and old.count(b"\r\n") * 2 > old.count(b"\n") else b"\n"
    more = more.replace(b"\n", end)
    gap = b""
    if old.removeprefix(b"\xef\xbb\xbf"):
        ended = old if old.endswith(b"\n") else old + end
        gap = ended[len(old) :] + (b"" if ended.endswith(end + end) else end)
    before, after = _lines(old), _lines(old + gap + more)
    same = len(before) - (bool(before) and not old.endswith(b"\n"))
    first = max(0, same - _CONTEXT)
    gone, come = before[first:], after[first:]
    head = (
        f"diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n"
        f"@@ -{_range(first + 1, len(gone))} +{_range(first + 1, len(come))} @@\n"
    )
    kept = same - first
    hunk = [_spelled(b" ", line) for line in gone[:kept]]
    hunk += [_spelled(b"-", line) for line in gone[kept:]]
    hunk += [_spelled(b"+", line) for line in come[kept:]]
    return old + gap + more, head.encode("ascii") + b"".join(hunk)


def _lines(data: bytes) -> Sequence[bytes]:
    """Lines with their newline; the last one may have none."""
    parts = data.split(b"\n")
    lines = [part + b"\n" for part in parts[:-1]]
    return [*lines, parts[-1]] if parts[-1] else lines


def _spelled(mark: bytes, line: bytes) -> bytes:
    return mark + line if line.endswith(b"\n") else mark + line + _NO_NEWLINE


def _range(start: int, count: int) -> str:
    """As ``diff -u`` writes it: an empty range begins before its first line."""
    if count == 0:
        return f"{start - 1},0"
    return f"{start}" if count == 1 else f"{start},{count}"
