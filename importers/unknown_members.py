"""Members of a folder or archive that no importer recognises: each is counted, none is opened.

A pickle runs code when it is read, so it is told by its first bytes and barred. What is plainly
no text, such as a picture, holds no memory; anything else is in an unknown format.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from importers.archive import choice
from importers.source import Head, Source, SourceRefusedError
from store.records import (
    Barred,
    BarRule,
    Failed,
    FailReason,
    Nothing,
    NothingReason,
    Place,
    Read,
    Remark,
    RemarkCode,
)

VERSION: Final = "1"
CANNOT_TELL: Final[tuple[RemarkCode, ...]] = ()
_SHOWN: Final = 1_024
_BINARY_PICKLE: Final = re.compile(
    rb"\x80[\x02-\x05][\x95\x80-\x94()\]}cKJMIXUTBCGNhjqrS.]", re.DOTALL
)
_TEXT_PICKLE: Final = re.compile(
    rb"[\])}]q\0"
    rb"|\([dl]p\d{1,6}\n"
    rb"|\(i[\w.]{1,80}\n[\w.]{1,80}\n"
    rb"|c[A-Za-z_][\w.]{0,80}\n[\w.]{1,80}\n[pq(]"
)
_ARRAY: Final = b"\x93NUMPY"
_NO_MEMORY: Final = (
    b"\x89PNG",
    b"\xff\xd8\xff",
    b"GIF8",
    b"RIFF",
    b"II*\0",
    b"MM\0*",
    b"\0\0\1\0",
    b"%PDF-",
    b"ID3",
    b"OggS",
    b"fLaC",
    b"\x1aE\xdf\xa3",
    b"\x7fELF",
    b"MZ",
    b"\xcf\xfa\xed\xfe",
    b"\xca\xfe\xba\xbe",
    b"wOF",
    b"\0\1\0\0\0",
    b"OTTO",
    b"\0\0\0\1Bud1",
)
_PAGE: Final = re.compile(
    rb"\s{0,100}(?:<!--.{0,500}?-->\s{0,100})?<(?:!doctype html|html)\b", re.I | re.S
)


def recognises(head: Head) -> bool:
    """Never: it is given what is left."""
    return False


def is_pickle(head: bytes) -> bool:
    """Whether these first bytes are those of a Python pickle, or of a file that holds one."""
    return (
        bool(_BINARY_PICKLE.match(head) or _TEXT_PICKLE.match(head))
        or (head.startswith(b"PK\x03\x04") and b"/data.pkl" in head[:4_096])
        or (head.startswith(_ARRAY) and b"'descr': '|O'" in head[:256])
    )


def read(source: Source) -> Iterator[Read | Remark]:
    """One ``Read`` for each member, and one for each link or device."""
    for member in source.members if source.is_folder else (source,):
        yield _read(member, member.name if source.is_folder else "")
    for name in source.not_files:
        yield Read(Place(0, 0, 0, name), b"", Barred(BarRule.NOT_A_FILE))


def _read(member: Source, name: str) -> Read:
    nowhere = Place(0, 0, 0, name)
    try:
        head = member.head().data
    except SourceRefusedError:
        return Read(nowhere, b"", Barred(BarRule.NOT_A_FILE))
    if is_pickle(head):
        return Read(nowhere, b"", Barred(BarRule.PICKLE))
    if choice.sort_of(head) is not None:
        return Read(nowhere, b"", Barred(BarRule.ARCHIVE_INSIDE))
    if not head.strip() or _is_no_memory(head):
        return Read(nowhere, b"", Nothing(NothingReason.NOT_A_MEMORY))
    line = head[:_SHOWN].split(b"\n", 1)[0]
    return Read(Place(1, 0, len(line), name), line, Failed(FailReason.UNKNOWN_FORMAT))


def _is_no_memory(head: bytes) -> bool:
    return head.startswith(_NO_MEMORY) or head[4:8] == b"ftyp" or bool(_PAGE.match(head))
