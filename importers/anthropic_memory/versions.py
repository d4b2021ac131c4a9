"""Which piece of a memory in a store took the place of which, found in a first pass over the file.

Of each version only the fingerprints of its pieces are kept, so memory grows with the number of
pieces and holds no text. Lists come newest first or oldest first; the versions' own times decide.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Final

from importers import fields, memory_documents, times
from importers.faults import RecordFaultError
from importers.json_reading.strict import JsonObject

SYSTEM: Final = "anthropic-memory:"
MOST_COMPARED: Final = 500
"""Pieces of one version; longer ones are not compared place by place."""


@dataclass(slots=True)
class Version:
    """One version: its pieces, and what the version before it makes of them."""

    native: str
    at: times.Moment | None = None
    marks: tuple[str, ...] = ()
    stays: frozenset[str] = frozenset()
    """Pieces that the version before has too."""

    replaces: dict[str, str] = field(default_factory=dict)
    """For a piece that took another's place, the source id of that other."""

    origins: dict[str, str] = field(default_factory=dict)
    """For each piece, the source id under which the file first tells it."""


class Versions:
    """Every version in the file, by memory."""

    def __init__(self) -> None:
        self._by_memory: dict[str, list[Version]] = defaultdict(list)
        self._by_id: dict[str, Version] = {}

    def meet(self, record: JsonObject) -> None:
        """Take a version with content; anything else, and what is broken, tells nothing."""
        try:
            memory, native = fields.identity(record, "memory_id"), fields.identity(record, "id")
            content, at = fields.text(record, "content"), fields.instant(record, "created_at")
        except RecordFaultError:
            return
        if memory and native and content and native not in self._by_id:
            pieces = memory_documents.split(content.encode("utf-8", "replace"))
            found = Version(native, at, tuple(mark(one.claim) for one in pieces if one.claim))
            self._by_memory[memory].append(found)
            self._by_id[native] = found

    def finish(self) -> None:
        """Compare each version with the one before it, once all have been met."""
        for told in self._by_memory.values():
            if all(one.at for one in told):
                told.sort(key=lambda one: one.at.instant().timestamp() if one.at else 0.0)
            for one in told[:1]:
                one.origins = {own: source_id(one.native, own) for own in one.marks}
            for before, after in pairwise(told):
                _compare(before, after)

    def of(self, native: str) -> Version:
        """The version called ``native``; one of no pieces if its content is not in the file."""
        return self._by_id.get(native) or Version(native)


def _compare(before: Version, after: Version) -> None:
    after.stays = frozenset(before.marks) & frozenset(after.marks)
    after.origins = {
        own: before.origins[own] if own in after.stays else source_id(after.native, own)
        for own in after.marks
    }
    if max(len(before.marks), len(after.marks)) > MOST_COMPARED:
        return
    match = SequenceMatcher(None, before.marks, after.marks, autojunk=False)
    for sort, begin, end, start, stop in match.get_opcodes():
        if sort == "replace":
            pairs = zip(after.marks[start:stop], before.marks[begin:end], strict=False)
            after.replaces |= {
                new: before.origins[old] for new, old in pairs if new not in after.stays
            }


def mark(claim: str) -> str:
    """The fingerprint by which a piece is known in every version of its memory."""
    return fields.fingerprint(claim)[:16]


def source_id(version: str, own: str) -> str:
    """The identity of the piece marked ``own`` that a version brought."""
    return f"{SYSTEM}{version}#{own}"
