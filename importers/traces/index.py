"""Which pieces of a source belong to which trace, kept as places and not as content.

The spans of one trace may be spread over the whole file. So a file is read twice: once to learn
where each trace's pieces stand, and once trace by trace. Only places and ids stay in memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import BinaryIO, Final, NamedTuple, cast

from importers.json_reading.slices import Slice
from importers.source import Source

MAX_HELD: Final = 100 * 1024 * 1024
"""Bytes of a source that has to be held in memory, because it cannot be read from the middle."""


class Piece(NamedTuple):
    """The smallest part of a source that is read on its own: a span, a run, a row."""

    slice: Slice
    sort: str
    """What it is, in a word of its format."""

    context: str = ""
    """What stands around it and holds for it, in a few words."""


class Glance(NamedTuple):
    """What is learned of a piece on the way past."""

    trace: str = ""
    """Id of its trace; empty where it names none."""

    ids: tuple[str, ...] = ()
    """Ids of the spans in it."""

    parent: str = ""
    """Id of a span that is in the same trace."""


class _Entry(NamedTuple):
    glance: Glance
    start: int
    end: int
    line: int
    sort: str
    context: str
    unit: int


class _Unit(NamedTuple):
    line: int
    start: int
    end: int


class Index:
    """Filled on the first pass, asked on the second."""

    def __init__(self) -> None:
        self._entries: list[_Entry] = []
        self._units: list[_Unit] = []
        self._holder: dict[str, int] = {}

    def begin(self, unit: Slice) -> None:
        """The pieces that follow stand in this top-level record."""
        self._units.append(_Unit(unit.line, unit.start, unit.end))

    def add(self, piece: Piece, glance: Glance) -> None:
        """One more piece of the record that was begun last."""
        for own in glance.ids:
            self._holder.setdefault(own, len(self._entries))
        place = piece.slice
        self._entries.append(
            _Entry(
                glance,
                place.start,
                place.end,
                place.line,
                piece.sort,
                piece.context,
                len(self._units) - 1,
            )
        )

    def traces(self) -> Iterator[Group]:
        """Each trace with its entries, in the order in which they begin."""
        groups: dict[str, list[_Entry]] = {}
        whole: dict[int, set[str]] = {}
        for number, entry in enumerate(self._entries):
            trace = self._trace_of(number)
            groups.setdefault(trace, []).append(entry)
            whole.setdefault(entry.unit, set()).add(trace)
        for trace, entries in groups.items():
            units = {entry.unit for entry in entries}
            alone = len(units) == 1 and len(whole[entries[0].unit]) == 1
            yield Group(trace, entries, self._units[entries[0].unit] if alone else None)

    def _trace_of(self, number: int) -> str:
        """The trace that a piece names, or that the spans above it name, or its topmost span."""
        seen: set[int] = set()
        while number not in seen:
            seen.add(number)
            glance = self._entries[number].glance
            if glance.trace:
                return glance.trace
            above = self._holder.get(glance.parent) if glance.parent else None
            if above is None or above == number:
                break
            number = above
        glance = self._entries[number].glance
        return glance.ids[0] if glance.ids else glance.parent


class Group(NamedTuple):
    """One trace: its id and where its pieces stand."""

    trace: str
    entries: list[_Entry]
    unit: _Unit | None
    """The top-level record that holds it all and nothing else, if there is one."""

    def pieces(self, stream: BinaryIO) -> list[Piece]:
        """Its pieces, read again."""
        return [
            Piece(_read(stream, one.line, one.start, one.end), one.sort, one.context)
            for one in self.entries
        ]

    def whole(self, stream: BinaryIO, limit: int) -> Slice | None:
        """The record that holds all of it, if that is no longer than ``limit``."""
        if self.unit is None or self.unit.end - self.unit.start > limit:
            return None
        return _read(stream, *self.unit)


def opened(source: Source) -> BinaryIO:
    """The source as a stream that can be read from anywhere. The caller closes it.

    Raises:
        SourceRefusedError: If it cannot be, and is over ``MAX_HELD``.
    """
    stream = source.open()
    if stream.seekable():
        return stream
    stream.close()
    return cast("BinaryIO", BytesIO(source.whole(MAX_HELD)))


def _read(stream: BinaryIO, line: int, start: int, end: int) -> Slice:
    stream.seek(start)
    return Slice(line, start, end, stream.read(end - start))
