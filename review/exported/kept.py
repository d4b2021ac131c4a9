"""What the vault keeps of an exported rule: its files byte for byte, and where they were written.

A folder that was lost, or never written because the process ended, is written again from this,
bit for bit. The files lie as they are, one after another, so that a search through the vault
finds their words. Everything here is content and can be erased.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from store import canonical

_NAMES: Final = ("folder", "path", "statement", "target", "title")


class NotKeptError(ValueError):
    """Bytes are not the kept content of an export."""


@dataclass(frozen=True, slots=True)
class Kept:
    """The files of one bundle, but for signature and proof, and what people call it."""

    files: Mapping[str, bytes]
    folder: str
    """Name of the folder below the tenant's ``memory-rules``."""

    title: str
    statement: str
    """The insight, word for word."""

    target: str
    """A member of ``review.rules.export_told.Target``."""

    path: str
    """Where the rule goes in a checkout, such as ``.claude/rules/ship.md``."""

    checkout: str | None = None
    """The checkout that the patch was made for; None when none was named."""


def spelled(kept: Kept) -> bytes:
    """One line that says what follows, then the files."""
    head = {
        "files": [[name, len(data)] for name, data in sorted(kept.files.items())],
        "checkout": kept.checkout,
        **{name: getattr(kept, name) for name in _NAMES},
    }
    return canonical.encode(head) + b"\n" + b"".join(kept.files[n] for n in sorted(kept.files))


def read(body: bytes) -> Kept:
    """What ``spelled`` was given.

    Raises:
        NotKeptError: If ``body`` is anything else.
    """
    line, _, rest = body.partition(b"\n")
    try:
        head: dict[str, Any] = canonical.decode(line)
        files, at = dict[str, bytes](), 0
        for name, size in head["files"]:
            files[str(name)] = rest[at : at + size]
            at += size
        words = {name: str(head[name]) for name in _NAMES}
        kept = Kept(files, checkout=head["checkout"], **words)
        whole = spelled(kept) == body
    except (canonical.NotCanonicalError, KeyError, TypeError, ValueError) as error:
        msg = f"these bytes are not the content of an export ({type(error).__name__})."
        raise NotKeptError(msg) from error
    if not whole:
        msg = "these bytes are not the content of an export."
        raise NotKeptError(msg)
    return kept
