"""Decisions that a reviewer has drafted and not yet signed: a small erasable file per reviewer.

A draft has no effect on anything. It is not in the log, and undoing it leaves no trace.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from store.stages import DecisionKind


class AlreadyDraftedError(RuntimeError):
    """This item has a draft already, made in another tab or by a second press."""

    def __init__(self, item: str, decision: DecisionKind) -> None:
        """Keep what was drafted first."""
        self.item, self.decision = item, decision
        super().__init__(
            f"item {item} is already drafted as {decision}. Nothing was added. "
            "Undo that draft first to decide otherwise."
        )


class DraftsUnreadableError(RuntimeError):
    """The drafts file is not one that this program wrote."""


@dataclass(frozen=True, slots=True)
class Draft:
    """One decision, with the digest of the exact artifact that was on the screen."""

    item: str
    rev: int
    artifact: str
    decision: DecisionKind
    view_sha256: str
    nonce: str
    drafted_at: str
    reason: str | None = None
    note: str | None = None
    """The reviewer's own words, in the clear: this file can be erased."""

    mode: str = "single"
    list_sha256: str | None = None
    acknowledged: tuple[str, ...] = ()


class DraftBook:
    """The drafts of one reviewer, oldest first. Safe to use from several tabs at once."""

    def __init__(self, path: Path | None) -> None:
        """Keep drafts in ``path``, or in memory when it is None."""
        self._path = path
        self._memory: list[Draft] = []

    def all(self) -> list[Draft]:
        """Every draft, in the order they were made."""
        with self._locked():
            return self._read()

    def add(self, drafts: Iterable[Draft]) -> None:
        """Add drafts: all of them, or none.

        Raises:
            AlreadyDraftedError: If one of the items has a draft.
        """

        def change(present: list[Draft]) -> list[Draft]:
            taken = {draft.item: draft for draft in present}
            for draft in drafts:
                if draft.item in taken:
                    raise AlreadyDraftedError(draft.item, taken[draft.item].decision)
                taken[draft.item] = draft
            return list(taken.values())

        self._change(change)

    def undo(self) -> Draft | None:
        """Take back the newest draft and return it; None if there is none."""
        taken: list[Draft] = []

        def change(present: list[Draft]) -> list[Draft]:
            taken.extend(present[-1:])
            return present[:-1]

        self._change(change)
        return taken[0] if taken else None

    def drop(self, items: Iterable[str]) -> None:
        """Remove the drafts of these items: they were signed, or somebody else decided."""
        gone = set(items)
        self._change(lambda present: [draft for draft in present if draft.item not in gone])

    def _change(self, change: Callable[[list[Draft]], list[Draft]]) -> None:
        with self._locked():
            self._write(change(self._read()))

    @contextmanager
    def _locked(self) -> Iterator[None]:
        if self._path is None:
            yield
            return
        self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with self._path.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _read(self) -> list[Draft]:
        if self._path is None:
            return list(self._memory)
        try:
            return [_draft(one) for one in json.loads(self._path.read_bytes())]
        except FileNotFoundError:
            return []
        except (ValueError, KeyError, TypeError) as error:
            msg = (
                f"the drafts file {self._path.name} cannot be read. Nothing was signed or lost "
                "from the store. Move the file away to start with no drafts."
            )
            raise DraftsUnreadableError(msg) from error

    def _write(self, drafts: list[Draft]) -> None:
        if self._path is None:
            self._memory = drafts
            return
        fresh = self._path.with_suffix(".new")
        data = json.dumps([asdict(draft) for draft in drafts], ensure_ascii=False, indent=1)
        with open(fresh, "w", encoding="utf-8", opener=_private) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(fresh, self._path)


def _draft(told: dict[str, Any]) -> Draft:
    """A draft as the file tells it.

    Raises:
        TypeError, ValueError, KeyError: If it is none; the file is not believed.
    """
    draft = Draft(
        **{
            **told,
            "decision": DecisionKind(told["decision"]),
            "acknowledged": tuple(told["acknowledged"]),
        }
    )
    words = (draft.item, draft.artifact, draft.view_sha256, draft.nonce, draft.drafted_at)
    maybe = (draft.reason, draft.note, draft.list_sha256)
    if not (
        all(type(word) is str for word in (*words, draft.mode, *draft.acknowledged))
        and all(word is None or type(word) is str for word in maybe)
        and type(draft.rev) is int
    ):
        msg = "a draft has a value of another type."
        raise TypeError(msg)
    return draft


def _private(name: str, flags: int) -> int:
    return os.open(name, flags, 0o600)
