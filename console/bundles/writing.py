"""Writes a bundle into a folder of its own below the tenant's exports: all of it, or nothing.

``exports/TENANT/memory-rules/NAME`` and ``exports/TENANT/memory-files/NAME``. A bundle is written
under another name first and renamed when every file is on the disk, so a folder with its right
name is whole. No link is followed, and nothing that is there is overwritten.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Final

RULES: Final = "memory-rules"
MEMORY: Final = "memory-files"
_NAME: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?")
_FILE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,60}")
_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW


class Point(StrEnum):
    """What has just been done. Each name is a place where tests kill the process."""

    RECORDED = "recorded"
    """The signed event is in the log."""

    BEGUN = "begun"
    """The folder is there, under its other name, and empty."""

    HALF = "half"
    """Some of the files are written."""

    WRITTEN = "written"
    """All are, and are on the disk."""

    RENAMED = "renamed"


Reached = Callable[[Point], None]
"""Is told each point when it has been reached."""


class FolderError(OSError):
    """A bundle cannot be written where it belongs. The message says why."""


def unwatched(point: Point) -> None:
    """Nobody watches."""


def root_of(home: Path, tenant: str, kind: str = RULES) -> Path:
    """Where the bundles of one tenant lie; it may not be there yet."""
    return home / "exports" / tenant / kind


def names_in(root: Path) -> tuple[str, ...]:
    """Names of the bundles in ``root``, and of what was cut off."""
    try:
        return tuple(sorted(os.listdir(root)))
    except FileNotFoundError:
        return ()


def write(
    home: Path,
    tenant: str,
    kind: str,
    name: str,
    files: Mapping[str, bytes],
    reached: Reached = unwatched,
) -> Path:
    """Write ``files`` as the bundle ``name``; the folder.

    Raises:
        FolderError: If a folder of that name is there, or a link lies on the way.
        OSError: If the disk refuses. What was begun is cleared away by the next try.
    """
    if not _NAME.fullmatch(name) or not all(_FILE.fullmatch(one) for one in files):
        msg = f"{name!r} is no name for a bundle, or it holds a file with an odd name."
        raise FolderError(msg)
    root = _made(home, ("exports", tenant, kind))
    within = os.open(root, _FOLDER)
    try:
        begun = f".{name}.writing"
        _clear(within, begun)
        if _there(within, name):
            msg = f"there is a folder {name} already. Nothing was written."
            raise FolderError(msg)
        os.mkdir(begun, 0o700, dir_fd=within)
        reached(Point.BEGUN)
        folder = os.open(begun, _FOLDER, dir_fd=within)
        try:
            for n, (file, data) in enumerate(sorted(files.items())):
                if n == len(files) // 2:
                    reached(Point.HALF)
                _put(folder, file, data)
            os.fsync(folder)
        finally:
            os.close(folder)
        reached(Point.WRITTEN)
        os.rename(begun, name, src_dir_fd=within, dst_dir_fd=within)
        os.fsync(within)
    finally:
        os.close(within)
    reached(Point.RENAMED)
    return root / name


def _made(home: Path, steps: tuple[str, ...]) -> Path:
    """The folder, made where it is missing; none of its parts below ``home`` is a link."""
    at = home.resolve(strict=True)
    for step in steps:
        at = at / step
        at.mkdir(mode=0o700, exist_ok=True)
        if not stat.S_ISDIR(at.lstat().st_mode):
            msg = f"{step} in the exports is a link or a file. Nothing was written."
            raise FolderError(msg)
    return at


def _clear(within: int, begun: str) -> None:
    """Take away what an earlier try left: plain files in a folder of that name, nothing else."""
    if not _there(within, begun):
        return
    try:
        folder = os.open(begun, _FOLDER, dir_fd=within)
    except OSError as error:
        msg = f"{begun} is a link or a file. Nothing was written."
        raise FolderError(msg) from error
    try:
        for file in os.listdir(folder):
            os.unlink(file, dir_fd=folder)
    finally:
        os.close(folder)
    os.rmdir(begun, dir_fd=within)


def _there(within: int, name: str) -> bool:
    try:
        os.stat(name, dir_fd=within, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


def _put(folder: int, name: str, data: bytes) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    with os.fdopen(os.open(name, flags, 0o600, dir_fd=folder), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
