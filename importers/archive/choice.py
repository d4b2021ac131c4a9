"""Opens foreign archives: which sort one is, one entry of it by name, or all its members.

Everything is bounded and counted, see ``archive_bounds``. An archive inside stays closed.
"""

from __future__ import annotations

from enum import Enum
from io import BytesIO
from typing import Final

from importers.archive import tar
from importers.archive import zip as archive_zip
from importers.archive.bounds import UPLOAD, Bounds, Room, most_of, refused
from importers.source import Source, is_walked

MAX_ENTRIES: Final = UPLOAD.entries
MAX_EXPANDED: Final = 100 * 1024 * 1024
_CHUNK: Final = 1 << 16
_OTHERS: Final = (
    b"BZh",
    b"\xfd7zXZ\0",
    b"7z\xbc\xaf\x27\x1c",
    b"Rar!\x1a\x07",
    b"\x28\xb5\x2f\xfd",
)
_EMPTY_ZIP: Final = b"PK\x05\x06"


class Sort(Enum):
    """Which sort of archive."""

    ZIP = "zip"
    GZIP = "gzip"
    TAR = "tar"
    OTHER = "other"
    """One that is never opened here."""


def sort_of(head: bytes) -> Sort | None:
    """The sort of archive that begins like this; ``None`` if it is none."""
    if head.startswith((b"PK\x03\x04", _EMPTY_ZIP)):
        return Sort.ZIP
    if head.startswith(b"\x1f\x8b\x08"):
        return Sort.GZIP
    if tar.is_tar(head):
        return Sort.TAR
    return Sort.OTHER if head.startswith(_OTHERS) else None


def entry(source: Source, name: str) -> bytes | None:
    """The bytes of a zip's entry called ``name``, in the root or one folder down, or ``None``.

    Raises:
        SourceRefusedError: If the archive is broken or breaks a bound.
    """
    bounds = Bounds(entries=MAX_ENTRIES, expanded=MAX_EXPANDED)
    with archive_zip.opened(source, bounds) as archive:
        entries = archive.infolist()
        if not all(map(archive_zip.is_file, entries)):
            raise refused(source, "An entry is a link or a device.")
        found = next((one for one in entries if _is(one.filename, name)), None)
        if found is None:
            return None
        most = min(MAX_EXPANDED, most_of(found.compress_size))
        with archive.open(found) as stream:
            data = BytesIO()
            while chunk := stream.read(_CHUNK):
                data.write(chunk)
                if data.tell() > most:
                    raise refused(source, "An entry expands further than it says.")
            return data.getvalue()


def members(source: Source, room: int, bounds: Bounds) -> Source:
    """A folder of all members of an archive, expanded into the file with descriptor ``room``.

    Hidden and dependency folders in it are passed over, as in a folder on disk.

    Raises:
        SourceRefusedError: If the archive is broken, breaks a bound, or is of no sort that is
            opened here.
    """
    sort = sort_of(source.head().data)
    into = Room(source, room, bounds)
    if sort is Sort.ZIP:
        files, others = archive_zip.members(source, into, bounds)
    elif sort is Sort.GZIP:
        files, others = tar.gzip_members(source, into, bounds)
    elif sort is Sort.TAR:
        files, others = tar.members(source, into, bounds)
    else:
        raise refused(source, "It is an archive of a sort that is not opened here.")
    left_out = {hidden for one in files if (hidden := _hidden_folder(one.name))}
    kept = tuple(one for one in files if not _hidden_folder(one.name))
    ordered = tuple(sorted(kept, key=lambda one: one.name))
    return Source(
        name=source.name,
        size=source.size,
        modified_at=source.modified_at,
        members=ordered,
        is_folder=True,
        not_files=tuple(others),
        passed_over=len(left_out),
    )


def _hidden_folder(name: str) -> str:
    """The first folder above ``name`` that is not looked into; empty if there is none."""
    folders = name.split("/")[:-1]
    for depth, folder in enumerate(folders):
        if not is_walked(folder) or folder == "__MACOSX":
            return "/".join(folders[: depth + 1])
    return ""


def _is(path: str, name: str) -> bool:
    return path == name or (path.count("/") == 1 and path.endswith(f"/{name}"))
