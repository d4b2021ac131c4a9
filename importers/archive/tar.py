"""Opens a foreign tar or gzip within bounds, as a stream, with a reader of our own.

Only what is needed is read of the format: plain files, folders, long names in the two usual ways.
Links and devices are named and never opened. gzip may hold one file or a tar.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from typing import Final, NamedTuple

from importers.archive.bounds import MAX_RATIO, Bounds, Reader, Room, most_of, refused
from importers.source import Source

_BLOCK: Final = 512
_CHUNK: Final = 1 << 16
_NAME_ROOM: Final = 64 * 1024
_PAX: Final = re.compile(rb"(\d{1,9}) ([^=\n]{1,100})=")
_DIGITS: Final = re.compile(rb" *([0-7]{1,11})[\0 ]*")
_MIB: Final = 1 << 20


class _Entry(NamedTuple):
    name: str
    size: int
    sort: bytes


def is_tar(head: bytes) -> bool:
    """Whether these first bytes are those of a tar."""
    return head[257:262] == b"ustar"


def members(source: Source, room: Room, bounds: Bounds) -> tuple[list[Source], list[str]]:
    """Every file of a tar, expanded into ``room``, and the names of links and devices.

    Raises:
        SourceRefusedError: If it is broken or breaks a bound.
    """
    _check_size(source, bounds)
    with source.open_bytes() as stream:
        return _unpacked(source, stream, room)


def gzip_members(source: Source, room: Room, bounds: Bounds) -> tuple[list[Source], list[str]]:
    """The one file of a gzip, or the files of the tar in it.

    Raises:
        SourceRefusedError: If it is broken or breaks a bound.
    """
    _check_size(source, bounds)
    with source.open_bytes() as stream:
        inside = _Gunzip(source, stream)
        begin = inside.read(_BLOCK)
        whole = _Joined(begin, inside)
        if is_tar(begin):
            return _unpacked(source, whole, room)
        name = re.sub(r"\.gz$", "", source.name.rsplit("/", 1)[-1], flags=re.IGNORECASE)
        room.take_name(name or "file")
        return [room.keep(name or "file", whole, most=most_of(source.size))], []


def _check_size(source: Source, bounds: Bounds) -> None:
    if bounds.archive is not None and source.size > bounds.archive:
        raise refused(source, f"It is larger than {bounds.archive // _MIB} MiB.")


def _unpacked(source: Source, stream: Reader, room: Room) -> tuple[list[Source], list[str]]:
    files: list[Source] = []
    others: list[str] = []
    for one, content in _entries(source, stream):
        name = one.name.removeprefix("./")
        if name in ("", "."):
            continue
        room.take_name(name)
        if one.sort in (b"0", b"\0", b"7") and not name.endswith("/"):
            files.append(room.keep(name, content, most=one.size))
        elif one.sort in b"123456":
            if one.sort != b"5":
                others.append(name)
        elif one.sort not in (b"0", b"\0", b"7"):
            raise refused(source, "It has an entry of a sort that is not opened here.")
    return files, others


def _entries(source: Source, stream: Reader) -> Iterator[tuple[_Entry, Reader]]:
    named = ""
    sized: int | None = None
    while True:
        block = _exactly(source, stream, _BLOCK)
        if not block.strip(b"\0"):
            return
        entry = _entry(source, block)
        if entry.sort in b"LxgK" and entry.sort != b"":
            if entry.size > _NAME_ROOM:
                raise refused(source, "A name in it is too long.")
            told = _exactly(source, stream, entry.size)
            _exactly(source, stream, -entry.size % _BLOCK)
            if entry.sort == b"L":
                named = told.split(b"\0", 1)[0].decode("utf-8", "backslashreplace")
            elif entry.sort == b"x":
                named, sized = _pax(source, told, named)
            continue
        entry = entry._replace(
            name=named or entry.name, size=entry.size if sized is None else sized
        )
        named, sized = "", None
        content = _Part(source, stream, entry.size if entry.sort in b"0\x007" else 0)
        yield entry, content
        while content.read(_CHUNK):
            pass
        _exactly(source, stream, -content.size % _BLOCK)


def _entry(source: Source, block: bytes) -> _Entry:
    told = _number(source, block[148:156])
    if told != sum(block[:148]) + 8 * 0x20 + sum(block[156:]):
        raise refused(source, "A header in it is damaged.")
    name = block[:100].split(b"\0", 1)[0]
    if block[257:263] == b"ustar\0" and block[345]:
        name = block[345:500].split(b"\0", 1)[0] + b"/" + name
    size = _number(source, block[124:136])
    return _Entry(name.decode("utf-8", "backslashreplace"), size, block[156:157])


def _number(source: Source, field: bytes) -> int:
    if field[0] & 0x80:  # a binary number, for files over 8 GiB
        return int.from_bytes(bytes([field[0] & 0x7F]) + field[1:], "big")
    found = _DIGITS.fullmatch(field)
    if found is None:
        raise refused(source, "A header in it is damaged.")
    return int(found[1], 8)


def _pax(source: Source, told: bytes, named: str) -> tuple[str, int | None]:
    """Name and size out of a header of key and value lines."""
    size, at = None, 0
    while at < len(told):
        found = _PAX.match(told, at)
        end = at + int(found[1]) if found else 0
        if found is None or end <= found.end() or end > len(told):
            raise refused(source, "A header in it is damaged.")
        value = told[found.end() : end - 1]
        if found[2] == b"path":
            named = value.decode("utf-8", "backslashreplace")
        elif found[2] == b"size":
            if not value.isdigit() or len(value) > 15:
                raise refused(source, "A header in it is damaged.")
            size = int(value)
        elif found[2].startswith(b"GNU.sparse"):
            raise refused(source, "It has an entry of a sort that is not opened here.")
        at = end
    return named, size


def _exactly(source: Source, stream: Reader, size: int) -> bytes:
    pieces = []
    while size > 0:
        piece = stream.read(size)
        if not piece:
            raise refused(source, "It is cut short.")
        pieces.append(piece)
        size -= len(piece)
    return b"".join(pieces)


class _Part:
    """The next ``size`` bytes of a stream."""

    def __init__(self, source: Source, stream: Reader, size: int) -> None:
        self._source, self._stream, self.size = source, stream, size
        self._left = size

    def read(self, size: int, /) -> bytes:
        if not self._left:
            return b""
        piece = self._stream.read(min(size, self._left))
        if not piece:
            raise refused(self._source, "It is cut short.")
        self._left -= len(piece)
        return piece


class _Joined:
    """Bytes that were read already, then the rest."""

    def __init__(self, begin: bytes, rest: Reader) -> None:
        self._begin, self._rest = begin, rest

    def read(self, size: int, /) -> bytes:
        if self._begin:
            piece, self._begin = self._begin[:size], self._begin[size:]
            return piece
        return self._rest.read(size)


class _Gunzip:
    """What a gzip holds, with the bytes that went in and came out counted."""

    def __init__(self, source: Source, stream: Reader) -> None:
        self._source, self._stream = source, stream
        self._packed = zlib.decompressobj(wbits=31)
        self._taken = self._given = 0
        self._rest = b""

    def read(self, size: int, /) -> bytes:
        while True:
            if not self._rest:
                self._rest = self._stream.read(_CHUNK)
                self._taken += len(self._rest)
            if self._packed.eof:
                self._rest = self._rest.lstrip(b"\0")
                if not self._rest:
                    return b""
                self._packed = zlib.decompressobj(wbits=31)
            elif not self._rest:
                raise refused(self._source, "It is cut short.")
            piece = self._next(size)
            if piece:
                return piece

    def _next(self, size: int) -> bytes:
        try:
            piece = self._packed.decompress(self._rest, size)
        except zlib.error as error:
            raise refused(self._source, "Its gzip structure is broken.") from error
        self._rest = self._packed.unconsumed_tail or self._packed.unused_data
        self._given += len(piece)
        if self._given > most_of(self._taken):
            raise refused(self._source, f"It expands more than {MAX_RATIO} times.")
        return piece
