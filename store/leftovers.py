"""What an erasure that was cut off leaves beside a store, and how it is cleared away.

A new file is deleted, never put in place: nobody knows how far it came. The second name of an old
file is overwritten and removed, for its bytes hold what was to be erased.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from store import whole_files
from store.erase_points import Point, Reached, unwatched

_PIECE: Final = bytes(1 << 20)


def new_of(path: Path) -> Path:
    """Where the rewritten file grows."""
    return path.with_name(f"{path.name}.new")


def old_of(path: Path) -> Path:
    """The second name of the file that was replaced."""
    return path.with_name(f"{path.name}.old")


def restoring_of(path: Path) -> Path:
    """Where a backup is prepared before it becomes the store."""
    return path.with_name(f"{path.name}.restoring")


def clear(path: Path) -> None:
    """Clear away what a cut-off erasure or restore of ``path`` left.

    Call it while the store is held: what another process works on is not a leftover.
    """
    for left in (new_of(path), new_of(path).with_name(f"{new_of(path).name}.wal")):
        left.unlink(missing_ok=True)
    destroy(old_of(path))
    clear_restoring(path)


def clear_restoring(path: Path) -> None:
    """Destroy every file of a restore that was cut off: they may hold what was forgotten."""
    for left in path.parent.glob(f"{restoring_of(path).name}*"):
        destroy(left)


def destroy(path: Path, *, reached: Reached = unwatched) -> bool:
    """Overwrite a file's bytes once, and remove it.

    Returns:
        Whether its bytes were overwritten. They are not where another name still stands for them:
        that file would lose its content.
    """
    try:
        found = path.lstat()
        overwritten = found.st_nlink == 1
        if overwritten:
            _overwrite(path, found.st_size)
            reached(Point.OVERWRITTEN)
        path.unlink()
    except FileNotFoundError:  # there is none, or another process was clearing it away too
        return False
    whole_files.settle(path.parent)
    return overwritten


def _overwrite(path: Path, size: int) -> None:
    with path.open("r+b") as file:
        for start in range(0, size, len(_PIECE)):
            file.write(_PIECE[: size - start])
        file.flush()
        os.fsync(file.fileno())
