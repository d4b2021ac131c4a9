"""What the reading process is asked to do, and the source it may do it with.

A source crosses as places: a path, or a stretch of one of the files that are handed over. What
comes back names sources in the same way, and only places that were handed over count.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import msgspec

from importers.frames import FrameError
from importers.source import Source
from importers.stretches import Opened, Stretch
from store.records import Remark

MIB: Final = 1 << 20


class Limits(msgspec.Struct, frozen=True):
    """What the reading process may use."""

    memory: int = 1024 * MIB
    """Bytes of address space."""

    cpu: int = 20
    """Seconds of computing."""

    file: int = 200 * MIB
    """Bytes of the file into which an archive is expanded."""

    idle: float = 30.0
    """Seconds of waiting without a record; remarks are none."""

    total: float | None = 30.0
    """Seconds of waiting in all; ``None`` for no such limit."""

    answer: int | None = 1024 * MIB
    """Bytes that the process may send back; ``None`` for no such limit."""

    records: int | None = 10_000
    """Records of one part of it; ``None`` for no such limit."""

    totals: bool = True
    """Whether the totals of an upload bind: its size, its expanded size, its entries."""


UPLOAD: Final = Limits()
"""For what is uploaded to the console."""


def limits_for(source: Source) -> Limits:
    """For a file or a folder given on the command line: room that grows with its size."""
    mib = -(-source.size // MIB)
    return Limits(
        cpu=20 + 2 * mib,
        file=max(200, 100 * min(mib, 20 * 1024)) * MIB,
        total=None,
        answer=None,
        records=None,
        totals=False,
    )


class Told(msgspec.Struct, frozen=True):
    """A source as it crosses."""

    name: str
    size: int
    modified_at: str | None = None
    path: bytes = b""
    file: int = -1
    """Which of the files that are handed over."""

    start: int = 0
    members: tuple[Told, ...] = ()
    is_folder: bool = False
    not_files: tuple[str, ...] = ()
    passed_over: int = 0


class Errand(msgspec.Struct, frozen=True):
    """One thing to do."""

    task: str
    """``read``, ``detect``, ``walk``, ``columns`` or ``confined``."""

    source: Told
    limits: Limits
    importer: str = ""
    mapping: bytes = b""
    encoding: str = ""
    room: int = -1
    """Which of the files may be written into; -1 for none."""


class PartTold(msgspec.Struct, frozen=True):
    """A part of a source as it crosses back."""

    source: Told
    importer: str
    remarks: tuple[Remark, ...] = ()


class Handing:
    """Gathers the files that must be handed over with a source."""

    def __init__(self, room: Callable[[bytes], Stretch]) -> None:
        """Give bytes in memory their place with ``room``."""
        self.files: list[Opened] = []
        self._room = room
        self._numbers: dict[int, int] = {}
        self._known: dict[tuple[bytes, int, int], Source] = {}

    def number(self, file: Opened) -> int:
        """The number of ``file`` among those handed over."""
        found = self._numbers.get(id(file))
        if found is None:
            found = self._numbers[id(file)] = len(self.files)
            self.files.append(file)
        return found

    def told(self, source: Source) -> Told:
        """``source`` as it crosses."""
        if source.is_folder:
            return Told(
                source.name,
                source.size,
                source.modified_at,
                members=tuple(self.told(one) for one in source.members),
                is_folder=True,
                not_files=source.not_files,
                passed_over=source.passed_over,
            )
        stretch = source.stretch
        if source.content is not None:
            stretch = self._room(source.content)
        if stretch is None:
            path = os.fsencode(source.path or b"")
            made = Told(source.name, source.size, source.modified_at, path=path)
        else:
            number = self.number(stretch.file)
            made = Told(
                source.name,
                stretch.size,
                source.modified_at,
                file=number,
                start=stretch.start,
            )
        self._known[made.path, made.file, made.start] = source
        return made

    def source(self, told: Told, room: Stretch | None, number: int) -> Source:
        """The source that came back as ``told``: one that was handed over, or a part of ``room``.

        Raises:
            FrameError: If it is neither.
        """
        if told.is_folder:
            members = tuple(self.source(one, room, number) for one in told.members)
            return _folder(told, members)
        if room is not None and told.file == number:
            if not (0 <= told.start <= told.start + told.size <= room.size):
                msg = "a place outside of what was expanded"
                raise FrameError(msg)
            part = Stretch(room.file, told.start, told.size)
            return Source(told.name, told.size, told.modified_at, stretch=part)
        known = self._known.get((told.path, told.file, told.start))
        if known is None:
            msg = "a source that was not handed over"
            raise FrameError(msg)
        return replace(known, name=told.name)


def arrived(told: Told, files: Sequence[Opened]) -> Source:
    """The source in the process that it was handed over to."""
    if told.is_folder:
        return _folder(told, tuple(arrived(one, files) for one in told.members))
    if told.file >= 0:
        stretch = Stretch(files[told.file], told.start, told.size)
        return Source(told.name, told.size, told.modified_at, stretch=stretch)
    return Source(told.name, told.size, told.modified_at, path=Path(os.fsdecode(told.path)))


def returned(source: Source, files: Mapping[int, int]) -> Told:
    """A source as it crosses back; ``files`` gives the numbers of files by their descriptors."""
    if source.is_folder:
        return Told(
            source.name,
            source.size,
            source.modified_at,
            members=tuple(returned(one, files) for one in source.members),
            is_folder=True,
            not_files=source.not_files,
            passed_over=source.passed_over,
        )
    if source.stretch is not None:
        return Told(
            source.name,
            source.stretch.size,
            source.modified_at,
            file=files[source.stretch.file.fileno()],
            start=source.stretch.start,
        )
    path = os.fsencode(source.path or b"")
    return Told(source.name, source.size, source.modified_at, path=path)


def _folder(told: Told, members: tuple[Source, ...]) -> Source:
    return Source(
        told.name,
        told.size,
        told.modified_at,
        members=members,
        is_folder=True,
        not_files=told.not_files,
        passed_over=told.passed_over,
    )
