"""What the memory tool printed, saved as text: listings of folders, and files with line numbers.

The tool puts a header before what it shows and a number and a tab before each line. Neither was
ever in the memory. A line is known again as its own text and the byte where that text stands.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_BOM: Final = b"\xef\xbb\xbf"
_HEADER: Final = re.compile(
    rb"^(?:Here(?:'s| is) the content of (?P<path>/?\S[^\r\n]*?) with line numbers:"
    rb"|(?P<folder>Here(?:'re| are) the files and directories[^\r\n]*:|Directory: /\S*)"
    rb"|The memory file has been edited\. Here is the snippet[^\r\n]*:)[ \t]*\r?$",
    re.MULTILINE,
)
_NUMBER: Final = re.compile(rb" {0,5}\d{1,6}\t")
_LISTED: Final = re.compile(rb"[\d.]+[BKMGT]?\t|[-*] \S|[ \t]*\r?$")
_NUMBERED_FROM: Final = 3
"""Without a header, so many lines that count up are taken as numbered."""


@dataclass(frozen=True, slots=True)
class View:
    """One thing that was shown: its place, and its text without what the tool printed."""

    start: int
    end: int
    path: str = ""
    is_folder: bool = False
    text: bytes = b""
    places: tuple[tuple[int, int], ...] = ()
    """For each line, where it begins in ``text`` and where that text stands in the source."""

    def place(self, at: int) -> int:
        """Where byte ``at`` of ``text`` stands in the source."""
        known = self.places[max(bisect_right(self.places, (at, 1 << 62)) - 1, 0)]
        return known[1] + at - known[0]


def is_view(data: bytes) -> bool:
    """Whether ``data`` begins with a header of the tool."""
    found = _HEADER.match(data.removeprefix(_BOM).lstrip())
    return found is not None


def is_numbered(data: bytes) -> bool:
    """Whether the first lines carry the tool's numbers, one after another."""
    lines = data.removeprefix(_BOM)[:4_096].split(b"\n")[:_NUMBERED_FROM]
    told = [int(found[0]) for one in lines if (found := _NUMBER.match(one))]
    return len(told) == _NUMBERED_FROM and told == [told[0] + n for n in range(_NUMBERED_FROM)]


def views(data: bytes) -> Iterator[View]:
    """Everything that was shown, in order; what stands between is not given."""
    headers = list(_HEADER.finditer(data))
    if not headers:
        yield _numbered(data, len(_BOM) if data.startswith(_BOM) else 0, 0, len(data), "")
        return
    for header, after in zip(headers, [*headers[1:], None], strict=True):
        end = after.start() if after else len(data)
        body = min(header.end() + 1, len(data))
        if header["folder"] is not None:
            yield View(header.start(), _listed_until(data, body, end), is_folder=True)
        else:
            path = (header["path"] or b"").decode("utf-8", "replace")
            yield _numbered(data, body, header.start(), end, path)


def _lines(data: bytes, start: int, end: int) -> Iterator[tuple[int, bytes]]:
    while start < end:
        stop = data.find(b"\n", start, end)
        stop = end if stop < 0 else stop
        yield start, data[start:stop]
        start = stop + 1


def _listed_until(data: bytes, start: int, end: int) -> int:
    """Where the lines of a listing end, without blank ones after them."""
    last = start - 1
    for at, line in _lines(data, start, end):
        if not _LISTED.match(line):
            break
        last = at + len(line.rstrip()) if line.strip() else last
    return max(last, start - 1)


def _numbered(data: bytes, start: int, first: int, end: int, path: str) -> View:
    text = bytearray()
    places: list[tuple[int, int]] = []
    last = start
    for at, line in _lines(data, start, end):
        number = _NUMBER.match(line)
        if number is None:
            break
        places.append((len(text), at + number.end()))
        text += line[number.end() :] + b"\n"
        last = at + len(line)
    known = tuple(places) or ((0, start),)
    return View(first, last, path, text=bytes(text), places=known)
