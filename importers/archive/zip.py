"""Opens a foreign zip within bounds: what it says of itself is checked, and never believed.

Refused as a whole: too many entries, a name that leads out of the archive or is given twice,
encryption, entries that overlap, or more bytes than announced or allowed. Links and devices are
named and never opened.
"""

from __future__ import annotations

import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import BinaryIO, Final

from importers.archive.bounds import MAX_RATIO, Bounds, Room, most_of, name_fault, refused
from importers.source import Source, SourceRefusedError

_LOCAL: Final = struct.Struct("<4s22xHH")
_PACKED: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_MIB: Final = 1 << 20


@contextmanager
def opened(source: Source, bounds: Bounds) -> Iterator[zipfile.ZipFile]:
    """The archive, with all that it says of itself checked.

    Raises:
        SourceRefusedError: If it is broken or breaks a bound, now or while it is read.
    """
    if bounds.archive is not None and source.size > bounds.archive:
        raise refused(source, f"It is larger than {bounds.archive // _MIB} MiB.")
    with source.open_bytes() as stream:
        try:
            with zipfile.ZipFile(stream) as archive:
                _check(source, archive, stream, bounds)
                yield archive
        # zipfile says NotImplementedError for a version of the format that it does not know
        except (
            zipfile.BadZipFile,
            zlib.error,
            struct.error,
            EOFError,
            NotImplementedError,
            RuntimeError,
            OSError,
            ValueError,
        ) as error:
            if isinstance(error, SourceRefusedError):
                raise
            raise refused(source, "Its zip structure is broken.") from error


def members(source: Source, room: Room, bounds: Bounds) -> tuple[list[Source], list[str]]:
    """Every file in it, expanded into ``room``, and the names of links and devices.

    Raises:
        SourceRefusedError: As ``opened``.
    """
    files: list[Source] = []
    others: list[str] = []
    with opened(source, bounds) as archive:
        for one in archive.infolist():
            room.take_name(one.filename)
            if not is_file(one):
                others.append(one.filename)
            elif not one.is_dir():
                with archive.open(one) as stream:
                    files.append(room.keep(one.filename, stream, most=one.file_size))
    return files, others


def is_file(one: zipfile.ZipInfo) -> bool:
    """Whether an entry is a file or a folder, and neither a link nor a device."""
    return stat.S_IFMT(one.external_attr >> 16) in (0, stat.S_IFREG, stat.S_IFDIR)


def _check(source: Source, archive: zipfile.ZipFile, stream: BinaryIO, bounds: Bounds) -> None:
    entries = archive.infolist()
    if len(entries) > bounds.entries:
        raise refused(source, f"It has more than {bounds.entries} entries.")
    names = [one.filename for one in entries]
    if len({name.casefold() for name in names}) != len(names):
        raise refused(source, "It has two entries with the same name.")
    total = bounds.expanded
    if total is not None and sum(one.file_size for one in entries) > total:
        raise refused(source, f"It expands to more than {total // _MIB} MiB.")
    for one in entries:
        if why := _fault(one):
            raise refused(source, why)
    _check_ranges(source, entries, stream, archive.start_dir)


def _check_ranges(
    source: Source, entries: Sequence[zipfile.ZipInfo], stream: BinaryIO, directory: int
) -> None:
    """Whether each entry's header and bytes lie apart from all others."""
    ranges = []
    for one in entries:
        stream.seek(one.header_offset)
        magic, name, extra = _LOCAL.unpack(stream.read(_LOCAL.size))
        if magic != b"PK\x03\x04":
            raise refused(source, "Its zip structure is broken.")
        end = one.header_offset + _LOCAL.size + name + extra + one.compress_size
        ranges.append((one.header_offset, end))
    ranges.sort()
    for (_, end), (start, _) in pairwise([*ranges, (directory, directory)]):
        if end > start:
            raise refused(source, "Two of its entries overlap.")


def _fault(one: zipfile.ZipInfo) -> str:
    """What is wrong with an entry, or nothing."""
    if why := name_fault(one.orig_filename):
        return why
    if one.flag_bits & 0x1:
        return "An entry is encrypted."
    if one.compress_type not in _PACKED:
        return "An entry is packed in a way that is not opened here."
    if one.file_size > most_of(one.compress_size):
        return f"An entry expands more than {MAX_RATIO} times."
    return ""
