"""``MEMORY.md`` as a bundle of its own: the file, the two protocols, and how to check it.

It is a copy for agents that keep a text file. Every line says that it is unverified; nothing in
it becomes a rule, and nothing in the store changes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib import resources
from typing import Final

from review import secrets
from review.bundle import memory_lines
from review.bundle.memory_lines import MemoryLine
from review.bundle.refusals import ExportRefusedError
from store import canonical

MEMORY: Final = "MEMORY.md"
MANIFEST: Final = "manifest.json"
LARGEST: Final = 4 * 1024 * 1024
"""Bytes of a ``MEMORY.md`` that can be read again."""

_HEAD: Final = {
    "en": (
        "# MEMORY\n\n<!-- Copied from a reviewed store at {at}. Every line is unverified: a hint "
        "with an origin, not a rule. How to use and keep this file: USING-MEMORY.md and "
        "KEEPING-MEMORY.md. -->\n\n"
    ),
    "ru": (
        "# ПАМЯТЬ\n\n<!-- Списано из проверяемого хранилища: {at}. Каждая строка не проверена: "
        "это подсказка с происхождением, а не правило. Как пользоваться файлом и как его вести: "
        "USING-MEMORY.md и KEEPING-MEMORY.md. -->\n\n"
    ),
}


class Protocol(StrEnum):
    """The texts that tell an agent how to deal with memory. A closed list."""

    KEEPING = "keeping"
    """How to keep ``MEMORY.md``."""

    USING = "using"
    """How to use memory, for ``CLAUDE.md`` or ``AGENTS.md``."""


@dataclass(frozen=True, slots=True)
class Taken:
    """Of which state of which store a file is a copy."""

    store: str
    tenant: str
    size: int
    """Events of its log."""

    root: str
    """Merkle root of these events, hex."""

    at: str
    """RFC 3339."""


def protocol(which: Protocol, language: str) -> str:
    """One protocol in one language."""
    name = f"{which}.{language}.md"
    return resources.files("review.bundle").joinpath("protocols", name).read_text("utf-8")


def memory(lines: Sequence[MemoryLine], language: str, at: str) -> bytes:
    """The file.

    Raises:
        ExportRefusedError: If a line holds a secret, or the file would be too large to be read.
    """
    told = [memory_lines.spelled(line, language) for line in lines]
    reasons = tuple(
        f"There is a secret ({found.kind}) in line #{lines[n].item}, characters {found.start} to "
        f"{found.end}."
        for n in sorted(secrets.suspects(told))
        for found in secrets.find(told[n])
    )
    if reasons:
        raise ExportRefusedError(reasons)
    data = (_HEAD[language].format(at=at) + "".join(f"{line}\n" for line in told)).encode("utf-8")
    if len(data) > LARGEST:
        msg = f"{MEMORY} would have {len(data):,} bytes, and {LARGEST:,} can be read again."
        raise ExportRefusedError((msg,))
    return data


def files(lines: Sequence[MemoryLine], language: str, taken: Taken) -> dict[str, bytes]:
    """Every file of the bundle; the same input gives the same bytes.

    Raises:
        ExportRefusedError: As ``memory``.
    """
    made: dict[str, bytes] = {
        MEMORY: memory(lines, language, taken.at),
        "KEEPING-MEMORY.md": protocol(Protocol.KEEPING, language).encode("utf-8"),
        "USING-MEMORY.md": protocol(Protocol.USING, language).encode("utf-8"),
    }
    return {**made, MANIFEST: _manifest(made, taken, len(lines))}


def _manifest(made: Mapping[str, bytes], taken: Taken, count: int) -> bytes:
    return canonical.encode(
        {
            "format": "memory-console/memory-file/1",
            "store": taken.store,
            "tenant": taken.tenant,
            "at": taken.at,
            "head": {"size": taken.size, "root": taken.root},
            "lines": count,
            "validation_state": "unverified",
            "files": [
                {"name": name, "digest": {"sha256": canonical.sha256(data).hex()}}
                for name, data in sorted(made.items())
            ],
        }
    )
