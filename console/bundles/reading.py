"""Reads a bundle's folder for checking: plain files only, none of them large, no link followed."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Final

LARGEST: Final = 8 * 1024 * 1024
MOST: Final = 100
"""Files that are read; a bundle has eleven."""


class UnreadableBundleError(ValueError):
    """A folder is no bundle. The message says why."""


def read(path: Path) -> dict[str, bytes]:
    """Name to bytes, of everything in a folder.

    Raises:
        UnreadableBundleError: If it is no folder, or holds a link, a folder, or too much.
    """
    try:
        folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        msg = f"{path} is no folder that can be read."
        raise UnreadableBundleError(msg) from error
    try:
        names = sorted(os.listdir(folder))
        if len(names) > MOST:
            msg = f"the folder holds {len(names)} things; a bundle has eleven files."
            raise UnreadableBundleError(msg)
        return {name: _file(folder, name) for name in names}
    finally:
        os.close(folder)


def _file(folder: int, name: str) -> bytes:
    try:
        file = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
    except OSError as error:
        msg = f"{name} is a link or cannot be read."
        raise UnreadableBundleError(msg) from error
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        msg = f"{name} is no plain file."
        raise UnreadableBundleError(msg)
    with os.fdopen(file, "rb") as opened:
        data = opened.read(LARGEST + 1)
    if len(data) > LARGEST:
        msg = f"{name} has more than {LARGEST:,} bytes."
        raise UnreadableBundleError(msg)
    return data
