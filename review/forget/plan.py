"""What a forget request would do, before anybody signs it. It holds ids and digests, no text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any

from review.forget.locations import Location
from review.forget.scope import Scope
from store import canonical


class RowKind(StrEnum):
    """What sort of thing a row of a plan is."""

    ITEM = "item"
    """A record with all its revisions, notes and provenance."""

    RUN = "run"
    RECORD = "record"
    """A record that was read and not staged; its own bytes are kept."""

    SOURCE = "source"
    """What is kept of an imported source as such: its name and what it says of itself."""

    ANSWER = "answer"
    """What we keep of an answer: its question, its words, and what was read for it."""

    CONTENT = "content"
    """Any other content, by its commitment, such as what a model was asked."""


class Why(StrEnum):
    """Why a row is in a plan."""

    SUBJECT = "subject"
    SOURCE = "source"
    RUN = "run"
    DATES = "dates"
    ID = "id"
    TENANT = "tenant"
    DERIVED = "derived"
    """Made from a row that is in the plan."""

    MARKED = "marked"
    """Left to a person by the plan, who ticked it."""

    EQUAL_TEXT = "equal_text"
    """The same words, but for case and punctuation."""

    NEAR_TEXT = "near_text"
    """Eight words in a row are the same, or the whole of a shorter text."""

    MENTION = "mention"
    """The subject stands in its text, literally."""

    SHARED = "shared"
    """It came with a source of the scope, too, and first with another one."""

    UNLINKED = "unlinked"
    """Made from something, and nobody recorded from what."""

    USED = "used"
    """An answer that was given with a row of the plan in its context."""


class Foreseen(StrEnum):
    """What would become of a row."""

    ERASED = "erased"
    WITHDRAWN = "withdrawn"
    """Not served until a person approves it again without the source."""

    NEEDS_DECISION = "needs_decision"
    """A person ticks it or leaves it; left, it is reported as of unknown lineage."""

    RETAINED = "retained"
    UNKNOWN = "unknown"
    GIVEN = "given"
    """An answer already given: outside our control."""


@dataclass(frozen=True, slots=True)
class PlanRow:
    """One thing that a request touches."""

    id: str
    """Our id; ``seq/n`` for a record that was not staged, ``answer-seq`` for an answer, ``imp-…``
    for a source."""

    kind: RowKind
    why: Why
    foreseen: Foreseen
    depth: int = 0
    """How many derivations away from the scope; 0 is in the scope itself."""

    made_from: tuple[str, ...] = ()
    """Ids of rows of this plan that it was made from."""

    other_sources: int = 0
    """How many sources besides it has, in the store or not."""

    rev: int = 0
    artifact: str = ""
    """Of an item: its latest revision and the digest of its manifest."""

    revisions: int = 0
    stage: str = ""
    notes: int = 0
    """Notes that people wrote on decisions about it."""

    contents: tuple[str, ...] = ()
    """Commitments of everything that goes with it."""

    used_in: int = 0
    """Recorded answers that had it in their context."""

    hold: tuple[str, str] | None = None
    """Basis and last day of a duty to keep it."""

    @property
    def counts(self) -> bool:
        """Whether it is one of the records that the request disposes of."""
        return self.foreseen is not Foreseen.GIVEN


def digest_of(rows: Iterable[PlanRow]) -> str:
    """Digest of rows with their fates and contents: what a person signs for. 64 hex digits."""
    told = [
        [row.id, str(row.kind), str(row.foreseen), row.rev, row.artifact, list(row.contents)]
        for row in rows
    ]
    return canonical.sha256(canonical.encode({"rows": told})).hex()


@dataclass(frozen=True)
class Plan:
    """A preview: rows that would be erased, left or cannot be known, and the places of copies."""

    forget: str
    """Id that the request will have."""

    scope: Scope
    rows: tuple[PlanRow, ...]
    locations: tuple[Location, ...]
    """Copies besides the store's rows, as they are now; the report looks again."""

    size: int
    root: str
    """The head of the log that it was made at."""

    missing: tuple[str, ...] = ()
    """Ids of the scope that nothing here has."""

    unlinked: int = 0
    """Summaries, extractions and insights of which nobody recorded what they were made from."""

    stale: tuple[str, ...] = ()
    """Durable records that rest on a row that goes: they become STALE."""

    made_at: str = ""

    def of(self, *foreseen: Foreseen) -> tuple[PlanRow, ...]:
        """Rows of which one of these is foreseen."""
        return tuple(row for row in self.rows if row.foreseen in foreseen)

    @cached_property
    def erased(self) -> tuple[PlanRow, ...]:
        """What would be erased."""
        return self.of(Foreseen.ERASED)

    @property
    def typed(self) -> int:
        """The number that a person types to run it: how many rows are erased."""
        return len(self.erased)

    @property
    def empty(self) -> bool:
        """Whether nothing would be erased. That is never a success."""
        return not self.erased

    @cached_property
    def contents(self) -> tuple[str, ...]:
        """Commitments of all content that would be erased, each once, in order."""
        return tuple(dict.fromkeys(c for row in self.erased for c in row.contents))

    def counted(self) -> Counter[Foreseen]:
        """How many rows of each fate."""
        return Counter(row.foreseen for row in self.rows)

    def news(self, before: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Ids of rows that this plan has and an earlier one had not, and the other way round.

        Args:
            before: Ids of the rows of the earlier plan.
        """
        known, now = set(before), {row.id for row in self.rows}
        return tuple(sorted(now - known)), tuple(sorted(known - now))

    @cached_property
    def digest(self) -> str:
        """Digest of everything that a person signs for: rows, fates and contents. 64 hex digits.

        Places of copies are not part of it: they change without the log moving.
        """
        return digest_of(self.rows)

    def as_json(self) -> dict[str, Any]:
        """As plain values: ids, digests and counts, and the scope as it was stated."""
        return {
            "forget": self.forget,
            "scope": self.scope.as_json(),
            "made_at": self.made_at,
            "size": self.size,
            "root": self.root,
            "digest": self.digest,
            "type_count": self.typed,
            "counts": {str(name): self.counted()[name] for name in Foreseen},
            "missing": len(self.missing),
            "unlinked": self.unlinked,
            "stale": list(self.stale),
            "rows": [_told(row) for row in self.rows],
            "locations": [one.as_json() for one in self.locations],
        }


def _told(row: PlanRow) -> dict[str, Any]:
    return {
        "id": row.id,
        "kind": str(row.kind),
        "why": str(row.why),
        "foreseen": str(row.foreseen),
        "depth": row.depth,
        "made_from": list(row.made_from),
        "other_sources": row.other_sources,
        "revisions": row.revisions,
        "notes": row.notes,
        "contents": len(row.contents),
        "used_in": row.used_in,
        "hold": None if row.hold is None else list(row.hold),
    }
