"""The folder that readers outside the store may read: one snapshot, and one deny list.

``current.json`` names the snapshot, with the statement over it; ``deny.json`` holds what must not
be served from it any more. Both are replaced whole: a crash leaves the old or the new.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from store import snapshot_writing, trust_root, whole_files
from store.log import Readable
from store.publications import Written, read_publish
from store.snapshot_checks import CURRENT, DENY, FORMAT
from store.standing import Standing
from store.statements import SignedStatement


class Shelf:
    """The writing side of one tenant's published folder."""

    def __init__(self, folder: Path, *, root: SignedStatement, texts: Mapping[str, bytes]) -> None:
        """For ``folder``, under the self-signed ``root``. ``texts`` as in ``snapshot_writing``."""
        self._folder = folder
        self._root = root
        self._texts = dict(texts)

    def placed(self) -> int | None:
        """Events that the snapshot shows which readers are pointed at; None if there is none.

        It is a guess at what readers have, and no check: whoever alters the file only makes them
        refuse it.
        """
        try:
            told = json.loads((self._folder / CURRENT).read_bytes())
            return read_publish(trust_root.spelled(told).statement).size
        except (OSError, KeyError, TypeError, ValueError, RecursionError):
            return None

    def write(self, store: Readable, standing: Standing) -> Written:
        """Write what is durable into a new file.

        Raises:
            store.log.DamagedStoreError: If something durable is not in the store as signed.
            OSError, duckdb.Error: If it cannot be written; nothing is left of it then.
        """
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        fresh = self._folder / f".snapshot.new-{os.getpid()}"
        self._clear(fresh)
        try:
            snapshot_writing.write(fresh, store, standing, self._texts)
            fresh.chmod(0o640)
            handle = os.open(fresh, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)
            digest = whole_files.sha256_of(fresh)
            name = f"snapshot-{standing.position}-{digest[:16]}.duckdb"
            os.replace(fresh, self._folder / name)
        finally:
            self._clear(fresh)
        whole_files.settle(self._folder)
        return Written(name, digest, sum(1 for _ in standing.durable()))

    def place(self, written: Written, signed: SignedStatement) -> None:
        """Point readers at ``written``, and remove the snapshots before it."""
        told = {"format": FORMAT, "snapshot": written.name, "root": _told(self._root)}
        self._put(CURRENT, {**told, **_told(signed)})
        for path in self._folder.glob("snapshot-*.duckdb"):
            if path.name != written.name:
                with contextlib.suppress(OSError):  # a reader has it open where that keeps a file
                    path.unlink()

    def deny(self, signed: SignedStatement, reviewers: Sequence[SignedStatement]) -> None:
        """Tell readers what not to serve from the snapshot that is there.

        Args:
            signed: The deny statement.
            reviewers: Who was let in or out since that snapshot, so that the key can be judged.
        """
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._put(DENY, {"format": FORMAT, **_told(signed), "reviewers": [*map(_told, reviewers)]})

    def discard(self, written: Written) -> None:
        """Remove a snapshot that nobody is pointed at."""
        (self._folder / written.name).unlink(missing_ok=True)

    def _put(self, name: str, told: dict[str, Any]) -> None:
        data = json.dumps(told, ensure_ascii=False, indent=1) + "\n"
        whole_files.put(self._folder / name, data.encode("utf-8"), mode=0o640)

    @staticmethod
    def _clear(fresh: Path) -> None:
        for path in (fresh, fresh.with_name(f"{fresh.name}.wal")):
            path.unlink(missing_ok=True)


def _told(signed: SignedStatement) -> dict[str, str]:
    return {"statement": signed.statement.decode("utf-8"), "signature": signed.signature}
