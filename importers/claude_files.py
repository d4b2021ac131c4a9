"""Which of Claude Code's Markdown files one is: topic, index, notes or rules.

Told by front matter, index lines and headings; the name only settles what content leaves open.
In doubt a file is taken as rules, the reading that can do least: a reference and no memory.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import Final

from importers import markdown_blocks
from importers.faults import RecordFaultError

TYPES: Final = frozenset({"user", "feedback", "project", "reference"})
INDEX_LINE: Final = re.compile(rb"[-*][ \t]+\[[^\]\n]{1,200}\]\(([^)\s]{1,200}\.md)\)")
_RULE_NAMES: Final = frozenset({"claude.md", "agents.md", "claude.local.md"})
_MEMORY_FOLDERS: Final = frozenset({"memory", "agent-memory", "agent-memory-local"})
_HEADING: Final = re.compile(rb"^#{1,6}[ \t]+\S", re.MULTILINE)
_ITEM: Final = re.compile(rb"^[-*][ \t]+\S", re.MULTILINE)


class FileSort(Enum):
    """What a Markdown file is for."""

    TOPIC = "topic"
    INDEX = "index"
    NOTES = "notes"
    """The older form of auto memory: free Markdown without front matter."""

    RULES = "rules"
    """Written by people: CLAUDE.md, AGENTS.md, ``.claude/rules``."""


def sort_of(name: str, data: bytes, *, among_memory: bool = False) -> FileSort | None:
    """What the file is, or ``None`` when it does not look like any of these.

    Args:
        name: Its name, with the folders above it when there are any.
        data: Its bytes, or the first of them.
        among_memory: Whether it lies in a folder with an index of memory files.
    """
    *folders, base = name.lower().split("/")
    if b"\0" in data or not data.strip():
        return None
    try:
        front, body = markdown_blocks.front_matter(data)
    except RecordFaultError:
        return None
    if front:
        return _by_front_matter(front, base, folders)
    if base in _RULE_NAMES or "rules" in folders:
        return FileSort.RULES
    links = len(INDEX_LINE.findall(data, body))
    if links and links * 2 >= len(_ITEM.findall(data, body)):
        return FileSort.INDEX
    if base == "memory.md" or among_memory or _MEMORY_FOLDERS & set(folders):
        return FileSort.NOTES if base.endswith(".md") else None
    return FileSort.RULES if _HEADING.search(data, body) else None


def _by_front_matter(front: dict[str, str], base: str, folders: list[str]) -> FileSort | None:
    if type_of(front) in TYPES:
        return FileSort.TOPIC
    if base in _RULE_NAMES or "rules" in folders or (set(front) <= {"paths", "description"}):
        return FileSort.RULES
    if {"name", "description"} <= set(front) <= {"name", "description", "modified", "metadata"}:
        return FileSort.TOPIC
    return None


def type_of(front: dict[str, str]) -> str:
    """The topic's type, where either of the two known layouts puts it; empty if neither does."""
    return (front.get("type") or front.get("metadata.type") or "").lower()
