"""What a search through files found: values only, with offsets and counts, never a text.

A file in which nothing was found proves something only if the same search found, in the same pass,
a text that is known to be in it: its control. Without one the result is INCONCLUSIVE.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from store.needles import Form

TOOL: Final = "memory-console scan"
VERSION: Final = 1


class ScanStatus(StrEnum):
    """What may be said of a file, or of a content, after the search."""

    CLEAN = "clean"
    """Nothing was found, and every control was."""

    FOUND = "found"
    INCONCLUSIVE = "inconclusive"
    """Nothing was found, and nothing follows from it."""


class Control(StrEnum):
    """What was known to be in a file beforehand."""

    ROWS = "rows"
    """Texts of rows that stay, read through the database."""

    OWN_TEXT = "own_text"
    """A piece of the file itself, which is plain text throughout."""

    TOO_SMALL = "too_small"
    """Nothing: the file is smaller than anything that is looked for."""

    NONE = "none"


class Unread(StrEnum):
    """Why a file could not be searched through."""

    UNREADABLE = "unreadable"
    NOT_A_FILE = "not_a_file"
    """A link, a pipe or a device. Links are not followed."""

    CHANGED = "changed"
    """It was written to while it was searched."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A place where a content was found."""

    of: str
    """Commitment."""

    form: Form
    offset: int


@dataclass(frozen=True, slots=True)
class FileScan:
    """One file, searched from its first byte to its last."""

    path: str
    """Relative to the folder that was searched, with forward slashes."""

    size: int
    """Bytes searched."""

    sha256: str
    """Of those bytes; empty if they could not be read."""

    hits: tuple[Hit, ...]
    control: Control
    controls: int
    control_hits: int
    """How many different controls were found. All of them have to be."""

    unread: Unread | None = None

    @property
    def status(self) -> ScanStatus:
        """What may be said of this file."""
        if self.hits:
            return ScanStatus.FOUND
        if self.unread is not None:
            return ScanStatus.INCONCLUSIVE
        if self.control == Control.TOO_SMALL or 0 < self.controls == self.control_hits:
            return ScanStatus.CLEAN
        return ScanStatus.INCONCLUSIVE


@dataclass(frozen=True, slots=True)
class Scan:
    """All files of one search."""

    files: tuple[FileScan, ...]
    patterns: int
    """How many spellings of how many contents were looked for in each file."""

    contents: int
    too_short: tuple[str, ...]
    """Commitments of contents of which only the salt was looked for."""

    unsought: tuple[str, ...]
    """Commitments of contents that were not looked for: an earlier attempt erased their bytes."""

    shared: tuple[tuple[str, Form], ...]
    """Spellings that were found and prove nothing: content that stays has the same bytes."""

    @property
    def status(self) -> ScanStatus:
        """What may be said of all files together."""
        return _worst(one.status for one in self.files)

    @property
    def size(self) -> int:
        """Bytes searched."""
        return sum(one.size for one in self.files)

    @property
    def hits(self) -> int:
        """Places where something was found."""
        return sum(len(one.hits) for one in self.files)

    def of(self, path: str) -> FileScan | None:
        """The result of one file."""
        return next((one for one in self.files if one.path == path), None)

    def status_of(self, commitment: str, paths: Iterable[str] | None = None) -> ScanStatus:
        """What may be said of one content in some files, all by default.

        INCONCLUSIVE for a text that was not or could not be looked for, is too short for it, or
        stays elsewhere in the same words: rows and salts say the rest.
        """
        return self.judge(paths)(commitment)

    def judge(self, paths: Iterable[str] | None = None) -> Callable[[str], ScanStatus]:
        """``status_of`` in the same files for many contents, at a glance each."""
        wanted = None if paths is None else set(paths)
        files = [one for one in self.files if wanted is None or one.path in wanted]
        found = {hit.of for one in files for hit in one.hits}
        doubtful = {*self.too_short, *self.unsought}
        doubtful |= {of for of, form in self.shared if form is Form.UTF8}
        rest = _worst(replace(one, hits=()).status for one in files)

        def judged(commitment: str) -> ScanStatus:
            if commitment in found:
                return ScanStatus.FOUND
            return ScanStatus.INCONCLUSIVE if commitment in doubtful else rest

        return judged

    def as_json(self) -> dict[str, Any]:
        """The result as plain values."""
        return {
            "tool": TOOL,
            "version": VERSION,
            "status": str(self.status),
            "files_scanned": len(self.files),
            "bytes": self.size,
            "patterns": self.patterns,
            "contents": self.contents,
            "hits": self.hits,
            "too_short": list(self.too_short),
            "unsought": list(self.unsought),
            "shared": [{"content": of, "form": str(form)} for of, form in self.shared],
            "files": [_told(one) for one in self.files],
        }


def _worst(statuses: Iterable[ScanStatus]) -> ScanStatus:
    found = set(statuses)
    for status in (ScanStatus.FOUND, ScanStatus.INCONCLUSIVE):
        if status in found:
            return status
    return ScanStatus.CLEAN if found else ScanStatus.INCONCLUSIVE


def _told(one: FileScan) -> dict[str, Any]:
    return {
        "path": one.path,
        "status": str(one.status),
        "bytes": one.size,
        "hits": [{"content": h.of, "form": str(h.form), "offset": h.offset} for h in one.hits],
        "control": str(one.control),
        "controls": one.controls,
        "control_hits": one.control_hits,
        "sha256_after": one.sha256,
        "unread": None if one.unread is None else str(one.unread),
    }
