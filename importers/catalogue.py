"""Every format we read, in the order in which they are tried. Adding one is a line and a file.

Formats are recognised by content; the first that recognises a source reads it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from importers import (
    agent_door,
    claude_memory,
    langsmith,
    longmemeval,
    managed_agent,
    mcp_memory,
    openai_messages,
    openmemory,
)
from importers.a_mem import importer as a_mem
from importers.anthropic_memory import importer as anthropic_memory
from importers.anthropic_memory import store as anthropic_memory_store
from importers.basic_memory import importer as basic_memory
from importers.chatgpt import importer as chatgpt
from importers.chatgpt import memories as chatgpt_memories
from importers.claude_ai import importer as claude_ai
from importers.claude_ai import memory as claude_ai_memory
from importers.claude_code import importer as claude_code
from importers.claude_mem import db as claude_mem_db
from importers.claude_mem import importer as claude_mem
from importers.evermemos import chat as evermemos_chat
from importers.evermemos import importer as evermemos
from importers.graphiti import importer as graphiti
from importers.langfuse import importer as langfuse
from importers.langgraph import importer as langgraph
from importers.langgraph import store as langgraph_store
from importers.letta import importer as letta
from importers.lightmem import importer as lightmem
from importers.locomo import importer as locomo
from importers.mem0 import history as mem0_history
from importers.mem0 import importer as mem0
from importers.mem0 import markdown as mem0_markdown
from importers.mem0 import shaped as mem0_shaped
from importers.memos import importer as memos
from importers.otlp import importer as otlp
from importers.own_format import importer as own_jsonl
from importers.phoenix import importer as phoenix
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
_TEXT: Final = "text/plain"

IMPORTERS: Final[Mapping[str, Importer]] = {
    importer.name: importer
    for importer in (
        _reads("own_jsonl", "Memory Console JSONL", own_jsonl, _LINES),
        _reads("otlp", "OpenTelemetry GenAI trace", otlp, _JSON),
        _reads("langfuse", "Langfuse trace", langfuse, _JSON),
        _reads("phoenix", "Phoenix spans", phoenix, _JSON),
        _reads("langsmith", "LangSmith runs", langsmith, _JSON),
        _reads("mem0_history", "Mem0 history (SQLite)", mem0_history, _SQLITE),
        _reads("langgraph_store", "LangGraph store (SQLite)", langgraph_store, _SQLITE),
        _reads("openmemory", "OpenMemory backup (zip)", openmemory, "application/zip"),
        _reads("a_mem", "A-Mem notes (JSON)", a_mem, _JSON),
        _reads("claude_mem", "claude-mem export", claude_mem, _JSON),
        _reads("claude_mem_db", "claude-mem database (SQLite)", claude_mem_db, _SQLITE),
        _reads("lightmem", "LightMem entries (JSON)", lightmem, _JSON),
        _reads("letta", "Letta or MemGPT agent file", letta, _JSON),
        _reads("graphiti", "Graphiti or Zep graph", graphiti, _JSON),
        _reads("langgraph", "LangGraph or LangMem items", langgraph, _JSON),
        _reads("claude_code", "Claude Code transcript", claude_code, _LINES),
        _reads("memos", "MemOS memories (JSON or a MemCube folder)", memos, _JSON),
        _reads("claude_ai", "Claude.ai conversations", claude_ai, _JSON),
        _reads("chatgpt", "ChatGPT conversations", chatgpt, _JSON),
        _reads("longmemeval", "LongMemEval data", longmemeval, _JSON),
        _reads("locomo", "LoCoMo data", locomo, _JSON),
        _reads(
            "anthropic_memory_store", "Anthropic memory store (API)", anthropic_memory_store, _JSON
        ),
        _reads("claude_ai_memory", "Claude.ai memories and projects", claude_ai_memory, _JSON),
        _reads("managed_agent", "Managed agent event stream", managed_agent, _LINES),
        _reads("evermemos_chat", "EverMemOS group chat (JSON)", evermemos_chat, _JSON),
        _reads("evermemos", "EverMemOS memories (JSON)", evermemos, _JSON),
        _reads("mcp_memory", "MCP memory server (memory.jsonl)", mcp_memory, _LINES),
        _reads("mem0", "Mem0 (JSON)", mem0, _JSON),
        _reads("mem0_markdown", "Mem0 plugin export (Markdown)", mem0_markdown, _MARKDOWN),
        _reads("basic_memory", "basic-memory notes", basic_memory, _MARKDOWN),
        _reads("anthropic_memory", "Anthropic memory tool folder", anthropic_memory, _MARKDOWN),
        _reads("claude_memory", "Claude Code memory files", claude_memory, _MARKDOWN),
        _reads(
            "chatgpt_memories", "ChatGPT saved memories (copied text)", chatgpt_memories, _TEXT
        ),
        _reads("openai_messages", "OpenAI messages", openai_messages, _LINES),
        _reads(
            "mem0_platform_export",
            "Mem0 platform export (made by a model; choose it by name)",
            mem0_shaped,
            _JSON,
        ),
    )
}


_EMPTY: Final = "the file is empty"


DOOR: Final = _reads("agent_door", "Staged through an agent's door", agent_door, _LINES)
"""What the console itself writes from an agent's batch. No file is ever recognised as it, and
nobody can choose it: whose the records are is told by the door's folder."""


class UnknownFormatError(ValueError):
    """No importer recognises a source."""

    def __init__(self, source: str, looked_at: str, known: tuple[str, ...]) -> None:
        """Say what was refused, what was looked at, and which formats there are."""
        self.source, self.looked_at, self.known = source, looked_at, known
        if self.is_empty:
            super().__init__(f"{source} is empty. Nothing was imported.")
            return
        super().__init__(
            f"{source} is in no format that is known here ({looked_at}). Nothing was imported. "
            f"If it is a table, or JSON of your own, choose its columns. "
            f"Choose the importer by name if you know it: {', '.join(known)}."
        )

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing in the source, so that no choice helps."""
        return self.looked_at == _EMPTY


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
        if recognises(importer, head):
            return importer
    raise UnknownFormatError(source.name, _looked_at(head), tuple(sorted(IMPORTERS)))


def recognises(importer: Importer, head: Head) -> bool:
    """Whether a format knows the head. One that fails on it does not, and holds up no other."""
    try:
        return importer.recognises(head)
    except Exception:
        return False


def _looked_at(head: Head) -> str:
    if head.is_folder:
        return f"looked at {len(head.members)} files of the folder"
    if not head.data:
        return _EMPTY
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
    return Reading(origin=origin_of(source, chosen), records=chosen.read(source))


def origin_of(source: Source, importer: Importer) -> Origin:
    """What is kept of a source as such, read by ``importer``.

    Raises:
        SourceRefusedError: If its bytes cannot be read for their digest.
    """
    return Origin(
        name=source.name,
        sha256=source.sha256(),
        size=source.size,
        media_type="inode/directory" if source.is_folder else importer.media_type,
        importer=importer.name,
        importer_version=importer.version,
        modified_at=source.modified_at,
        details={"members": str(len(source.members))} if source.is_folder else {},
    )
