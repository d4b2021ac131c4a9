"""What every stream of records is held to, whatever its format.

Blank lines in a row are one record, so that a file of nothing but line ends does not become a
million of them. An upload ends after so many records. What is read from a file is at most so many
times as long as the file: one long name above thousands of short claims is in every one of them. A
file that was changed while it was read says so: its digest is of what it was before.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from importers.source import Source
from store.records import (
    Failed,
    FailReason,
    Nothing,
    NothingReason,
    Place,
    Read,
    Remark,
    RemarkCode,
)

_MOST_BLANKS: Final = 4096
"""Bytes of blank lines that are one record."""

_RATIO: Final = 32
"""Bytes that may be read from each byte of a source. Of honest files it is under ten."""

_ALWAYS: Final = 2 * 1024 * 1024
"""Bytes that may be read from a source of any size: that little can fill nothing."""

_OWN: Final = 1024
"""Bytes of each record that do not count: what our own names for its fields take."""

_LINE_ENDS: Final = {0: b"", 1: b"\n", 2: b"\r\n"}
"""What stands between two lines, by its length."""

Stamp = tuple[tuple[int, int, int], ...]


class Allowance:
    """How much more may be read from one source."""

    def __init__(self, size: int) -> None:
        """For a source of ``size`` bytes."""
        self._left = _ALWAYS + _RATIO * size

    def spend(self, size: int, records: int) -> bool:
        """Take ``size`` bytes that tell ``records`` records off it; whether there is enough."""
        self._left -= max(size - _OWN * records, 0)
        return self._left >= 0


def blank_lines_as_one(records: Iterator[Read | Remark]) -> Iterator[Read | Remark]:
    """The same stream with blank lines that follow each other told as one record."""
    held: Read | None = None
    for one in records:
        joined = _joined(held, one) if held is not None else None
        if joined is not None:
            held = joined
            continue
        if held is not None:
            yield held
        held = one if isinstance(one, Read) and _is_blank(one) else None
        if held is None:
            yield one
    if held is not None:
        yield held


def at_most(records: Iterator[Read | Remark], most: int) -> Iterator[Read | Remark]:
    """The first ``most`` records; a last one says that there were more."""
    count = 0
    for one in records:
        if isinstance(one, Read):
            if count == most:
                place = Place(0, one.place.start, one.place.start, one.place.member)
                yield Read(place, b"", Failed(FailReason.OVER_LIMIT, name="records"))
                return
            count += 1
        yield one


def stamp_of(source: Source) -> Stamp:
    """Size, time and number of every file of a source on disk; empty for bytes in memory."""
    told = []
    for one in source.members if source.is_folder else (source,):
        if one.path is not None:
            try:
                found = os.lstat(one.path)
            except OSError:
                told.append((0, 0, 0))
            else:
                told.append((found.st_size, found.st_mtime_ns, found.st_ino))
    return tuple(told)


def with_changes(
    records: Iterator[Read | Remark], source: Source, before: Stamp
) -> Iterator[Read | Remark]:
    """The same stream, with ``SOURCE_CHANGED`` at its end if the files are others by then."""
    yield from records
    if stamp_of(source) != before:
        yield Remark(RemarkCode.SOURCE_CHANGED)


def _is_blank(one: Read) -> bool:
    return isinstance(one.found, Nothing) and one.found.reason is NothingReason.BLANK_LINE


def _joined(held: Read, one: Read | Remark) -> Read | None:
    """Two blank lines as one, if nothing stands between them."""
    if not isinstance(one, Read) or not _is_blank(one) or one.place.member != held.place.member:
        return None
    between = _LINE_ENDS.get(one.place.start - held.place.end)
    if between is None or len(held.raw) + len(one.raw) > _MOST_BLANKS:
        return None
    place = replace(held.place, end=one.place.end)
    return replace(held, place=place, raw=held.raw + between + one.raw)
