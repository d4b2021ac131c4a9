"""Reads foreign files in a process of its own, and hands over what it found, checked.

The same shape as ``catalogue.open_reading``: a reading whose records are a stream. The process
waits when its reader is slow, so memory is flat on both sides. Whatever ends it early - a limit,
a crash, a frame that is none - gives one last ``Failed(OVER_LIMIT)`` after all that came before.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from importers import errand_running, frames, held_streams, walk
from importers.answers import Answer, EndedError
from importers.catalogue import IMPORTERS, Importer, UnknownFormatError, origin_of
from importers.confinement import Layer
from importers.errands import UPLOAD, Errand, Handing, Limits, PartTold, limits_for
from importers.frames import FrameError
from importers.mapped import importer as mapped
from importers.mapped.choice import Columns, Mapping
from importers.nursery import NURSERY, UnnamedFile
from importers.source import Source, SourceRefusedError, from_bytes
from importers.stretches import Stretch
from importers.walk import Part
from store.records import Failed, FailReason, Place, Read, Reading, Remark

__all__ = [
    "UPLOAD",
    "Layer",
    "Limits",
    "Part",
    "columns",
    "confined",
    "detect",
    "limits_for",
    "open_part",
    "open_reading",
    "parts",
    "warm",
]

_MOST_REMARKS: Final = 10_000
"""Remarks of one reading. A format has a few dozen of them to make."""


def warm() -> None:
    """Make the first reading fast: load the importers in the background now."""
    NURSERY.warm()


def confined() -> frozenset[Layer]:
    """The layers that hold a reading process on this system, as such a process says itself.

    Raises:
        SourceRefusedError: If no process can be started here.
    """
    source = from_bytes("", b"")
    with _Files() as files:
        handing = Handing(files.room)
        errand = Errand(errand_running.CONFINED, handing.told(source), UPLOAD)
        try:
            return frozenset(frames.decode(_asked(source, errand, handing), list[Layer]))
        except FrameError as error:
            raise _strange(source) from error


def parts(source: Source, limits: Limits = UPLOAD, *, encoding: str = "") -> tuple[Part, ...]:
    """What there is to read in ``source``: one part for a file, several for a folder or archive.

    An archive is expanded into a file without a name, which lives as long as its parts do.

    Raises:
        UnknownFormatError: If a single file is in no known format.
        SourceRefusedError: If it cannot be opened, breaks a bound, or is too much to look through.
    """
    with _Files() as files:
        room = UnnamedFile(in_memory=limits.totals)
        handing = Handing(files.room)
        number = handing.number(room)
        errand = Errand(
            errand_running.WALK, handing.told(source), limits, encoding=encoding, room=number
        )
        body = _asked(source, errand, handing)
        try:
            told = frames.decode(body, list[PartTold])
            written = Stretch(room, 0, os.fstat(room.fileno()).st_size)
            return tuple(
                Part(
                    handing.source(one.source, written, number),
                    walk.named(one.importer),
                    one.remarks,
                )
                for one in told
            )
        except (FrameError, KeyError) as error:
            raise _strange(source) from error


def detect(source: Source, limits: Limits = UPLOAD, *, encoding: str = "") -> Importer:
    """The first importer that recognises the source as a whole.

    Raises:
        UnknownFormatError: If none does.
        SourceRefusedError: If it cannot be opened.
    """
    with _Files() as files:
        handing = Handing(files.room)
        errand = Errand(errand_running.DETECT, handing.told(source), limits, encoding=encoding)
        body = _asked(source, errand, handing)
        try:
            return walk.named(frames.decode(body, str))
        except (FrameError, KeyError) as error:
            raise _strange(source) from error


def columns(source: Source, *, encoding: str = "") -> Columns:
    """The columns of a table or of JSON objects, with examples and a proposal for each.

    Raises:
        SourceRefusedError: If it cannot be opened or has no columns.
    """
    with _Files() as files:
        handing = Handing(files.room)
        errand = Errand(errand_running.COLUMNS, handing.told(source), UPLOAD, encoding=encoding)
        body = _asked(source, errand, handing)
        try:
            return frames.decode(body, Columns)
        except FrameError as error:
            raise _strange(source) from error


def open_part(part: Part, limits: Limits = UPLOAD) -> Reading:
    """A part as a reading; what is to be said of the whole comes first."""
    reading = open_reading(part.source, part.importer, limits)

    def records() -> Iterator[Read | Remark]:
        yield from part.remarks
        yield from reading.records

    return replace(reading, records=records())


def open_reading(
    source: Source,
    importer: Importer | None = None,
    limits: Limits = UPLOAD,
    *,
    mapping: Mapping | None = None,
    encoding: str = "",
) -> Reading:
    """The source as an origin and a stream of records, to be read once.

    Args:
        source: What to read. Its digest is made here; its bytes are parsed in the other process.
        importer: The format, if it has been chosen; otherwise it is detected there.
        limits: What that process may use.
        mapping: Which column is what, for a format without a name; ``importer`` is then unused.
        encoding: One of ``encodings.ENCODINGS`` if a person says that it is not UTF-8.

    Raises:
        UnknownFormatError: If no importer was given and none recognises the source.
        SourceRefusedError: If the source cannot be opened, or the stream has not begun and the
            format refuses it.
    """
    if mapping is not None:
        importer = mapped.importer_for(mapping)
    elif importer is None:
        importer = detect(source, limits, encoding=encoding)
    before = held_streams.stamp_of(source)
    origin = origin_of(source, importer)
    records = held_streams.blank_lines_as_one(
        _records(source, importer, limits, mapping, encoding)
    )
    if limits.records is not None:
        records = held_streams.at_most(records, limits.records)
    return Reading(origin, held_streams.with_changes(records, source, before))


def _records(
    source: Source,
    importer: Importer,
    limits: Limits,
    mapping: Mapping | None,
    encoding: str,
) -> Iterator[Read | Remark]:
    with _Files() as files:
        handing = Handing(files.room)
        errand = Errand(
            errand_running.READ,
            handing.told(source),
            limits,
            importer="" if mapping is not None else importer.name,
            mapping=b"" if mapping is None else frames.encode(mapping),
            encoding=encoding,
        )
        last, remarks = Place(line=0, start=0, end=0), 0
        allowance = held_streams.Allowance(source.size)
        try:
            for kind, body in _frames(source, errand, handing):
                found = list(frames.records(kind, body))
                if not allowance.spend(len(body), len(found)):
                    raise EndedError  # noqa: TRY301 - as below
                for one in found:
                    if isinstance(one, Read):
                        last = one.place
                    else:
                        remarks += 1
                    if remarks > _MOST_REMARKS:
                        raise EndedError  # noqa: TRY301 - the end of all that went wrong is here
                    yield one
        except (EndedError, FrameError):
            place = Place(line=0, start=last.end, end=last.end, member=last.member)
            yield Read(place, b"", Failed(FailReason.OVER_LIMIT))


def _asked(source: Source, errand: Errand, handing: Handing) -> bytes:
    """The one answer to a question."""
    try:
        for kind, body in _frames(source, errand, handing):
            if kind != frames.ANSWER:
                break
            return body
    except (EndedError, FrameError) as error:
        why = "Looking through it takes more memory or time than a file may have here."
        raise SourceRefusedError(source.name, why, "Split it and import the parts.") from error
    raise _strange(source)


def _strange(source: Source) -> SourceRefusedError:
    why = "The process that reads it gave no sensible answer."
    return SourceRefusedError(source.name, why, "Choose the importer by name and try again.")


def _frames(source: Source, errand: Errand, handing: Handing) -> Iterator[tuple[int, bytes]]:
    """Frames of one errand until its end.

    Raises:
        EndedError: If the process ends before it says that it is done.
        FrameError: If it sends what is no frame.
        SourceRefusedError, UnknownFormatError: As the process says.
    """
    files = [one.fileno() for one in handing.files]
    child = NURSERY.start(source.name, frames.encode(errand), files)
    try:
        for kind, body in Answer(child, errand.limits).frames():
            if kind == frames.END:
                return
            if kind == frames.REFUSED:
                told = frames.decode(body, frames.Refusal)
                raise SourceRefusedError(told.name, told.why, told.advice)
            if kind == frames.UNKNOWN:
                unknown = frames.decode(body, frames.Unrecognised)
                raise UnknownFormatError(unknown.name, unknown.looked_at, tuple(sorted(IMPORTERS)))
            yield kind, body
    finally:
        child.kill()


class _Files(contextlib.ExitStack):
    """One file without a name for all bytes of an errand that are in memory."""

    def __init__(self) -> None:
        super().__init__()
        self._file: UnnamedFile | None = None
        self._size = 0

    def room(self, content: bytes) -> Stretch:
        if self._file is None:
            self._file = self.enter_context(contextlib.closing(UnnamedFile(in_memory=True)))
        self._file.write(content)
        self._size += len(content)
        return Stretch(self._file, self._size - len(content), len(content))
