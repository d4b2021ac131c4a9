"""Erases contents from a store's file: their rows, their salts, and the bytes they were kept in.

The file is written anew without them, checked, and put in the old one's place; the old one's bytes
are overwritten. Until then the old file keeps what waits to be erased, out of every query's reach,
so that an erasure that was cut off still knows which bytes have to be gone at its end.

Every step can be done again, and the process may end between any two of them. The store's name
stands for the old file or for the checked new one, never for anything else. What is erased is
whatever the caller names: ``Standing.forgets`` says what people signed.

Not covered are copies that somebody else made, and what a disk or file system keeps of overwritten
blocks.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from store import leftovers, rewriting, whole_files
from store.connections import PATIENCE, Opener
from store.erase_points import Erasure, Point, Reached, unwatched

_NO_LINKS: Final = (errno.EPERM, errno.EACCES, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK)
"""What a file system answers that knows no second names."""


def erase(
    path: Path,
    contents: Iterable[str],
    *,
    patience: float = PATIENCE,
    reached: Reached = unwatched,
) -> Erasure:
    """Rewrite the file at ``path`` without ``contents``.

    Args:
        path: The store's file. This process must not hold it open.
        contents: Commitments. Those that are not there are passed over.
        patience: Seconds to wait for a busy store.
        reached: Is told each point.

    Raises:
        store.connections.StoreBusyError: If another process holds the store.
        store.copies.CopyDiffersError: If the new file is not the old one without these contents.
            The old one stays in place then, and what waits in it is not served.
        OSError, duckdb.Error: If the disk is full or broken; also then.
    """
    opener = Opener(path, patience=patience)
    with opener.alone():
        reached(Point.BEGUN)
        _fold(opener, path, reached)
        before = path.stat().st_size
        fresh = leftovers.new_of(path)
        with rewriting.copied(
            path, fresh, without=contents, patience=patience, reached=reached
        ) as copy:
            _name_again(path)
            reached(Point.LINKED)
            os.replace(fresh, path)
            reached(Point.REPLACED)
            whole_files.settle(path.parent)
            reached(Point.SETTLED)
        overwritten = leftovers.destroy(leftovers.old_of(path), reached=reached)
        reached(Point.UNLINKED)
        return Erasure(copy.left_out, before, path.stat().st_size, overwritten)


def _name_again(path: Path) -> None:
    """Give the old file a second name, by which its bytes can be overwritten; where one can."""
    try:
        os.link(path, leftovers.old_of(path))
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise


def _fold(opener: Opener, path: Path, reached: Reached) -> None:
    """Clear away what an earlier attempt left, and have everything in the file itself."""
    with opener.reading() as connection:
        reached(Point.OPENED)
        leftovers.clear(path)
        connection.execute("checkpoint")
        reached(Point.CHECKPOINTED)
    reached(Point.CLOSED)
