"""The text of a Claude.ai memory, cut by its ``**Section**`` lines and paragraphs.

A line that is nothing but bold text names a section, one of italics a part of it. Neither is a
claim. Headings with ``#`` do the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from importers import memory_documents
from importers.memory_documents import Piece

_BOLD: Final = re.compile(r"\*\*([^*\n]{1,200})\*\*:?")
_ITALIC: Final = re.compile(r"\*([^*\n]{1,200})\*:?|_([^_\n]{1,200})_:?")


def pieces(text: str) -> Iterator[Piece]:
    """Paragraphs, list items, tables and code, each with the section above it."""
    section = part = ""
    for one in memory_documents.split(text.encode("utf-8", "replace")):
        piece: Piece | None = one
        while piece is not None:
            first, _, rest = piece.raw.partition(b"\n")
            line = first.decode("utf-8", "replace").strip()
            if bold := _BOLD.fullmatch(line):
                section, part = bold[1].strip(" :"), ""
            elif italic := _ITALIC.fullmatch(line):
                part = (italic[1] or italic[2]).strip(" :")
            else:
                names = (piece.section, section, part)
                yield replace(piece, section=" > ".join(name for name in names if name))
                break
            piece = _rest(piece, len(first) + 1, rest)


def _rest(piece: Piece, skipped: int, raw: bytes) -> Piece | None:
    """What stands under a section's line in the same paragraph."""
    if not raw.strip():
        return None
    claim = " ".join(raw.decode("utf-8", "replace").split())
    return replace(piece, claim=claim, raw=raw, start=piece.start + skipped, line=piece.line + 1)
