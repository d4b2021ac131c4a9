"""Opens a foreign zip within bounds: what it says of itself is checked, and never believed.

Refused as a whole: too many entries, an entry that leads out of the archive, a link, encryption,
a name given twice, entries that overlap, or more bytes than announced or allowed. Bytes are
counted while they are read. An archive inside is left closed.
"""

from __future__ import annotations

import re
import stat
import zipfile
from itertools import pairwise
from typing import Final

from importers.source import Source, SourceRefusedError

MAX_ENTRIES: Final = 2_000
MAX_EXPANDED: Final = 100 * 1024 * 1024
MAX_RATIO: Final = 100
MAX_NAME: Final = 200
MAX_ARCHIVE: Final = 20 * 1024 * 1024
_DRIVE: Final = re.compile(r"[A-Za-z]:")
_LOCAL_HEADER: Final = 30
_CHUNK: Final = 1 << 16


def entry(source: Source, name: str) -> bytes | None:
    """The bytes of the entry called ``name``, in the root or one folder down; ``None`` if absent.

    Raises:
        SourceRefusedError: If the archive is broken or breaks a bound.
    """
    with source.open() as stream:
        try:
            with zipfile.ZipFile(stream) as archive:
                entries = archive.infolist()
                _check(source, entries)
                found = next((one for one in entries if _is(one.filename, name)), None)
                return None if found is None else _bytes(source, archive, found)
        # zipfile says NotImplementedError for a compression method that it does not know
        except (zipfile.BadZipFile, EOFError, NotImplementedError, ValueError) as error:
            if isinstance(error, SourceRefusedError):
                raise
            raise _refused(source, "Its zip structure is broken.") from error


def _is(path: str, name: str) -> bool:
    return path == name or (path.count("/") == 1 and path.endswith(f"/{name}"))


def _refused(source: Source, why: str) -> SourceRefusedError:
    return SourceRefusedError(source.name, why, "Unpack it yourself and import the file inside.")


def _check(source: Source, entries: list[zipfile.ZipInfo]) -> None:
    if source.size > MAX_ARCHIVE:
        raise _refused(source, f"It is larger than {MAX_ARCHIVE >> 20} MiB.")
    if len(entries) > MAX_ENTRIES:
        raise _refused(source, f"It has more than {MAX_ENTRIES} entries.")
    names = [one.filename for one in entries]
    if len({name.casefold() for name in names}) != len(names):
        raise _refused(source, "It has two entries with the same name.")
    if sum(one.file_size for one in entries) > MAX_EXPANDED:
        raise _refused(source, f"It expands to more than {MAX_EXPANDED >> 20} MiB.")
    for one in entries:
        if why := _fault(one):
            raise _refused(source, why)
    ordered = sorted(entries, key=lambda one: one.header_offset)
    for before, after in pairwise(ordered):
        if before.header_offset + _LOCAL_HEADER + before.compress_size > after.header_offset:
            raise _refused(source, "Two of its entries overlap.")


def _fault(one: zipfile.ZipInfo) -> str:
    """What is wrong with an entry, or nothing."""
    name = one.orig_filename
    if len(name.encode("utf-8", "replace")) > MAX_NAME:
        return f"An entry's name is longer than {MAX_NAME} bytes."
    if name.startswith("/") or "\\" in name or "\0" in name or _DRIVE.match(name):
        return "An entry's name is a path on some machine."
    if ".." in name.split("/"):
        return "An entry leads out of the archive."
    mode = one.external_attr >> 16
    if mode and stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
        return "An entry is a link or a device."
    if one.flag_bits & 0x1:
        return "An entry is encrypted."
    if one.file_size > MAX_RATIO * max(one.compress_size, 1):
        return f"An entry expands more than {MAX_RATIO} times."
    return ""


def _bytes(source: Source, archive: zipfile.ZipFile, one: zipfile.ZipInfo) -> bytes:
    """The entry's bytes, counted as they come."""
    pieces: list[bytes] = []
    size = 0
    with archive.open(one) as stream:
        while chunk := stream.read(_CHUNK):
            size += len(chunk)
            if size > min(MAX_EXPANDED, MAX_RATIO * max(one.compress_size, 1)):
                raise _refused(source, "An entry expands further than it says.")
            pieces.append(chunk)
    return b"".join(pieces)
