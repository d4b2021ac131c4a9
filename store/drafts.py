"""Decisions that a reviewer has drafted and not yet signed: a small erasable file per reviewer.

A draft has no effect on anything. It is not in the log, and undoing it leaves no trace.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from store.draft_file import DraftFile, DraftsUnreadableError
from store.stages import DecisionKind

__all__ = ["AlreadyDraftedError", "Draft", "DraftBook", "DraftsUnreadableError"]


class AlreadyDraftedError(RuntimeError):
    """This item has a draft already, made in another tab or by a second press."""

    def __init__(self, item: str, decision: DecisionKind) -> None:
        """Keep what was drafted first."""
        self.item, self.decision = item, decision
        super().__init__(
            f"item {item} is already drafted as {decision}. Nothing was added. "
            "Undo that draft first to decide otherwise."
        )


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
        self._file = DraftFile(path, read=_draft, told=asdict)

    @property
    def path(self) -> Path | None:
        """Where they are kept; None for memory."""
        return self._file.path

    def all(self) -> list[Draft]:
        """Every draft, in the order they were made."""
        return self._file.all()

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

        self._file.change(change)

    def undo(self) -> Draft | None:
        """Take back the newest draft and return it; None if there is none."""
        taken: list[Draft] = []

        def change(present: list[Draft]) -> list[Draft]:
            taken.extend(present[-1:])
            return present[:-1]

        self._file.change(change)
        return taken[0] if taken else None

    def drop(self, items: Iterable[str]) -> None:
        """Remove the drafts of these items: they were signed, or somebody else decided."""
        gone = set(items)
        self._file.change(lambda present: [draft for draft in present if draft.item not in gone])


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
