"""Puts a file in its place whole: written beside it, on the disk, and then renamed.

Whoever reads the place finds the old file or the new one, never half of either.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Final

_PIECE: Final = 1 << 20


def put(path: Path, data: bytes, *, mode: int = 0o600, lasting: bool = True) -> None:
    """Make ``path`` hold ``data``.

    Args:
        path: The place.
        data: All of it.
        mode: Who may read it.
        lasting: Whether it must be on the disk when this returns; whole it is in any case.

    Raises:
        OSError: If it cannot be written; what was there is still there then.
    """
    fresh = path.with_name(f".{path.name}.new-{os.getpid()}")
    try:
        with open(fresh, "wb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            os.fchmod(file.fileno(), mode)
            file.write(data)
            file.flush()
            if lasting:
                os.fsync(file.fileno())
        os.replace(fresh, path)
    except OSError:
        fresh.unlink(missing_ok=True)
        raise
    if lasting:
        settle(path.parent)


def settle(folder: Path) -> None:
    """Have the names in ``folder`` on the disk."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sha256_of(path: Path) -> str:
    """Digest of a file's bytes, hex."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            digest.update(piece)
    return digest.hexdigest()
