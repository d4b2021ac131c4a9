"""A small erasable file of drafts, one reviewer's, safe to use from several tabs at once.

It is not the log and not believed: whoever reads drafts checks each against the store again.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Generic, TypeVar

_Draft = TypeVar("_Draft")


class DraftsUnreadableError(RuntimeError):
    """The drafts file is not one that this program wrote."""


class DraftFile(Generic[_Draft]):
    """Drafts of one sort, in ``path``, or in memory when it is None."""

    def __init__(
        self,
        path: Path | None,
        *,
        read: Callable[[dict[str, Any]], _Draft],
        told: Callable[[_Draft], dict[str, Any]],
    ) -> None:
        """Keep drafts that ``told`` spells as JSON and ``read`` reads.

        ``read`` raises ValueError, KeyError or TypeError for what is no draft.
        """
        self.path = path
        self._read_one, self._told = read, told
        self._memory: list[_Draft] = []

    def all(self) -> list[_Draft]:
        """Every draft, in order.

        Raises:
            DraftsUnreadableError: If the file is not one of ours.
        """
        with self._locked():
            return self._read()

    def change(self, change: Callable[[list[_Draft]], list[_Draft]]) -> None:
        """Replace the drafts by what ``change`` makes of them, while nobody else can."""
        with self._locked():
            self._write(change(self._read()))

    @contextmanager
    def _locked(self) -> Iterator[None]:
        if self.path is None:
            yield
            return
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with self.path.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _read(self) -> list[_Draft]:
        if self.path is None:
            return list(self._memory)
        try:
            return [self._read_one(one) for one in json.loads(self.path.read_bytes())]
        except FileNotFoundError:
            return []
        except (ValueError, KeyError, TypeError) as error:
            msg = (
                f"the drafts file {self.path.name} cannot be read. Nothing was signed or lost "
                "from the store. Move the file away to start with no drafts."
            )
            raise DraftsUnreadableError(msg) from error

    def _write(self, drafts: list[_Draft]) -> None:
        if self.path is None:
            self._memory = drafts
            return
        fresh = self.path.with_suffix(".new")
        data = json.dumps([self._told(one) for one in drafts], ensure_ascii=False, indent=1)
        with open(fresh, "w", encoding="utf-8", opener=_private) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(fresh, self.path)


def _private(name: str, flags: int) -> int:
    return os.open(name, flags, 0o600)
