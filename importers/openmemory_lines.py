"""The second copy of the memories in an OpenMemory backup: ``memories.jsonl.gz``.

An archive inside an archive. It is expanded only within the bounds of an entry, to count its rows
and, where ``memories.json`` is absent, to read them.
"""

from __future__ import annotations

import zlib
from typing import Final

from importers.archive import choice
from importers.archive.bounds import MAX_RATIO, refused
from importers.source import Source

MEMBER: Final = "memories.jsonl.gz"
_CHUNK: Final = 1 << 16
_GZIP: Final = 31
"""The window size that tells zlib to expect a gzip header."""


def expanded(source: Source) -> bytes | None:
    """The lines; ``None`` if there is no such entry or it is no gzip.

    Raises:
        SourceRefusedError: If it expands beyond the bounds of an entry.
    """
    packed = choice.entry(source, MEMBER)
    if packed is None:
        return None
    most = min(choice.MAX_EXPANDED, MAX_RATIO * max(len(packed), 1))
    inflate = zlib.decompressobj(_GZIP)
    lines, rest = bytearray(), packed
    try:
        while rest and not inflate.eof:
            lines += inflate.decompress(rest, _CHUNK)
            rest = inflate.unconsumed_tail
            if len(lines) > most:
                raise refused(source, "An entry expands further than it may.")
        lines += inflate.flush()
    except zlib.error:
        return None
    return bytes(lines)


def count(lines: bytes) -> int:
    """How many lines are not blank."""
    return sum(bool(one.strip()) for one in lines.split(b"\n"))
