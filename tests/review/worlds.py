"""A small world told through the public path: import, stage, sign, ask."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from importers import catalogue, source
from review.deciding import Wish
from review.inquiry import Answered
from review.recall import Part, Question
from store.duckdb_store import DuckDbStore
from store.stages import DecisionKind
from tests.conftest import Reviewer, created
from tests.review.desks import desk_over, signer


def cell(claim: str, source_id: str, written_at: str, **more) -> dict:
    """One line of our own JSONL."""
    told = {
        "claim": claim,
        "kind": "fact",
        "source_type": "document",
        "source_id": source_id,
        "written_at": written_at if "T" in written_at else f"{written_at}T10:00:00Z",
    }
    return told | more


class World:
    """A store with one reviewer, who approves what a test says."""

    def __init__(self, irina: Reviewer, path: Path | None = None) -> None:
        self.irina = irina
        self.store = DuckDbStore.create(
            path,
            store_id="store-1",
            tenant_id="tenant-1",
            key=bytes(range(32)),
            first=created(),
            trust=irina.root,
        )
        self.desk = desk_over(self.store, irina)
        self.items: dict[str, str] = {}

    def stage(self, rows: Iterable[dict], name: str = "export.jsonl") -> None:
        """Import rows as a file; nothing is approved."""
        rows = list(rows)
        lines = [json.dumps({"format": "memory-console/1"})]
        lines += [json.dumps(row, ensure_ascii=False) for row in rows]
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / name
            path.write_text("\n".join(lines), encoding="utf-8")
            with self.desk.held():
                receipt = self.desk.stage(catalogue.open_reading(source.from_path(path)))
        if len(receipt.items) == len(rows):  # all were written, in the order of the file
            self.items |= zip((row["source_id"] for row in rows), receipt.items, strict=True)
            return
        for item in receipt.items:
            told = self.desk.card_of(item).provenance["source_id"]
            self.items[told] = item

    def decide(self, kind: DecisionKind, *source_ids: str, **wish) -> None:
        """Decide on records and sign."""
        with self.desk.held():
            for source_id in source_ids:
                shown = self.desk.card_of(self.items[source_id])
                seen = tuple(str(flag.code) for flag in shown.flags)
                told = {"acknowledged": seen, "nonce": self.desk.new_nonce()} | wish
                self.desk.draft(shown, Wish(kind, **told))
            self.desk.sign(signer(self.irina))

    def remember(self, rows: Iterable[dict]) -> World:
        """Import rows and approve them all."""
        rows = list(rows)
        self.stage(rows)
        self.decide(DecisionKind.APPROVE, *(row["source_id"] for row in rows))
        return self

    def answered(self, text: str, at: str, **more) -> Answered:
        """Ask at a moment."""
        moment = datetime.fromisoformat(at)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        return self.desk.ask(Question(text, asked_at=moment, **more))

    def ask(self, text: str, at: str, **more) -> Part:
        """Ask one question at a moment."""
        (part,) = self.answered(text, at, **more).parts
        return part


def admitted(part: Part) -> set[str]:
    """Source ids of what was admitted."""
    return {one.source_id for one in part.admitted}


def verdict(part: Part, source_id: str):
    """The verdict on one cell, or None if it was no candidate."""
    return next((one for one in part.scored if one.source_id == source_id), None)
