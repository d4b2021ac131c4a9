"""Every format we read, in the order in which they are tried. Adding one is a line and a file.

Formats are recognised by content; the first that recognises a source reads it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from importers import (
    claude_memory,
    mcp_memory,
    mem0,
    mem0_history,
    mem0_markdown,
    mem0_shaped,
    openmemory,
    own_jsonl,
)
from importers.source import Head, Source
from store.records import Origin, Read, Reading, Remark, RemarkCode


class Format(Protocol):
    """What every module of a format has."""

    @property
    def VERSION(self) -> str:
        """Raised whenever the same bytes would be read differently."""

    @property
    def CANNOT_TELL(self) -> tuple[RemarkCode, ...]:
        """What no file of this format can say."""

    def recognises(self, head: Head) -> bool:
        """Whether a head looks like this format."""

    def read(self, source: Source) -> Iterator[Read | Remark]:
        """Every record of the source, in its order."""


@dataclass(frozen=True, slots=True)
class Importer:
    """One foreign format: how to recognise it and how to read it."""

    name: str
    title: str
    version: str
    recognises: Callable[[Head], bool]
    """Whether a head looks like this format."""

    read: Callable[[Source], Iterator[Read | Remark]]
    cannot_tell: tuple[RemarkCode, ...]
    """What no file of this format can say. Also said in the stream, where it holds."""

    media_type: str


def _reads(name: str, title: str, made: Format, media_type: str) -> Importer:
    return Importer(
        name, title, made.VERSION, made.recognises, made.read, made.CANNOT_TELL, media_type
    )


_JSON: Final = "application/json"
_LINES: Final = "application/jsonl"
_SQLITE: Final = "application/vnd.sqlite3"
_MARKDOWN: Final = "text/markdown"

IMPORTERS: Final[Mapping[str, Importer]] = {
    importer.name: importer
    for importer in (
        _reads("own_jsonl", "Memory Console JSONL", own_jsonl, _LINES),
        _reads("mem0_history", "Mem0 history (SQLite)", mem0_history, _SQLITE),
        _reads("openmemory", "OpenMemory backup (zip)", openmemory, "application/zip"),
        _reads("mcp_memory", "MCP memory server (memory.jsonl)", mcp_memory, _LINES),
        _reads("mem0", "Mem0 (JSON)", mem0, _JSON),
        _reads("mem0_markdown", "Mem0 plugin export (Markdown)", mem0_markdown, _MARKDOWN),
        _reads("claude_memory", "Claude Code memory files", claude_memory, _MARKDOWN),
        _reads(
            "mem0_platform_export",
            "Mem0 platform export (made by a model; choose it by name)",
            mem0_shaped,
            _JSON,
        ),
    )
}


class UnknownFormatError(ValueError):
    """No importer recognises a source."""

    def __init__(self, source: str, looked_at: str, known: tuple[str, ...]) -> None:
        """Say what was refused, what was looked at, and which formats there are."""
        self.source, self.looked_at, self.known = source, looked_at, known
        super().__init__(
            f"{source} is in no format that is known here ({looked_at}). Nothing was imported. "
            f"Choose the importer by name if you know it, or convert the file to own_jsonl. "
            f"Known importers: {', '.join(known)}."
        )


def named(name: str) -> Importer:
    """The importer called ``name``.

    Raises:
        KeyError: With the names that do exist.
    """
    try:
        return IMPORTERS[name]
    except KeyError:
        known = ", ".join(sorted(IMPORTERS))
        msg = f"no importer named {name!r}. Known importers: {known}."
        raise KeyError(msg) from None


def detect(source: Source) -> Importer:
    """The first importer that recognises the source's content.

    Raises:
        UnknownFormatError: If none does.
    """
    head = source.head()
    for importer in IMPORTERS.values():
        if importer.recognises(head):
            return importer
    raise UnknownFormatError(source.name, _looked_at(head), tuple(sorted(IMPORTERS)))


def _looked_at(head: Head) -> str:
    if head.is_folder:
        return f"looked at {len(head.members)} files of the folder"
    if not head.data:
        return "the file is empty"
    if b"\0" in head.data:
        return f"looked at its first {len(head.data)} bytes, which are not UTF-8 text"
    return f"looked at its first {len(head.data)} bytes"


def open_reading(source: Source, importer: Importer | None = None) -> Reading:
    """The source as an origin and a stream of records, to be read once.

    Args:
        source: What to read. It is read twice: for its digest now, for its records later.
        importer: The format, if it has been chosen; otherwise it is detected.

    Raises:
        UnknownFormatError: If no importer was given and none recognises the source.
        SourceRefusedError: If the source cannot be opened. The stream raises it, too, before its
            first record, for a source over its format's bounds.
    """
    chosen = importer or detect(source)
    origin = Origin(
        name=source.name,
        sha256=source.sha256(),
        size=source.size,
        media_type="inode/directory" if source.is_folder else chosen.media_type,
        importer=chosen.name,
        importer_version=chosen.version,
        modified_at=source.modified_at,
        details={"members": str(len(source.members))} if source.is_folder else {},
    )
    return Reading(origin=origin, records=chosen.read(source))
