"""What one agent gets of published memory: recalls and named content, inside its limits.

It works on a snapshot that somebody else has verified. It decides nothing of its own: the steps
are those of the desk's recall, the limits are the reader's, and content is opened from what was
signed. Nothing here writes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import cycle
from typing import Any, Final

from review import handed, instants
from review.facts.parameters import Table
from review.facts.protocol import Parser
from review.gate import gate_fitting
from review.gate.fitted_gate import FittedGate
from review.leaves import leaves_of
from review.memory.knowing import Known
from review.memory.remembering import Memory
from review.policy import Policy, digest, read_policy
from review.question.intents import IntentKind
from review.readers import Reader
from review.recall import Part, Question, Recall, Recaller
from review.trimming.served import Contents
from store import canonical, queries
from store.events import EventType
from store.log import DamagedStoreError, Readable

LONGEST = 64 * 1024
"""Bytes that one call gives of what an item names."""

_WARMED: Final = 24
"""How many claims are asked back before the first question comes."""


class NotThereError(LookupError):
    """An item that is not there for this reader; why is not said."""

    def __init__(self, item: str) -> None:
        """Keep the item, as it was asked for."""
        self.item = item
        super().__init__("No such memory, or it may not be read here and now.")


@dataclass(frozen=True, slots=True)
class Piece:
    """A range of what an item names."""

    item: str
    start: int
    end: int
    size: int
    """Bytes of the whole."""

    body: bytes


class Doorway:
    """One reader before one snapshot."""

    def __init__(self, snapshot: Readable, reader: Reader, parser: Parser, table: Table) -> None:
        """Nothing is read until something is asked."""
        places = (key for key, parameter in table.parameters.items() if parameter.place)
        self._snapshot, self._reader, self._parser = snapshot, reader, parser
        self._memory = Memory(snapshot, frozenset(places))
        self._contents = Contents(snapshot)
        self._policy: tuple[Policy, str] | None = None
        self._fitted: list[FittedGate | None] = []

    @property
    def policy(self) -> Policy:
        """The policy that was in force when the snapshot was made."""
        return self._in_force()[0]

    @property
    def policy_sha256(self) -> str:
        """Its digest."""
        return self._in_force()[1]

    @property
    def size(self) -> int:
        """How many events of the log the snapshot shows."""
        return self._memory.standing().position

    def known(self) -> Known:
        """What is durable, as columns."""
        return self._memory.at(self._memory.standing(), owners=self.policy.owners)

    def warm(self, now: datetime) -> None:
        """Ask some of the claims back, for every time frame: look-ups are made when first needed.

        Nothing is recorded. Without it the first questions of a large snapshot take three times
        as long as the later ones.
        """
        claims = self.known().cells.text("claim")
        some = claims[:: max(len(claims) // _WARMED, 1)][:_WARMED]
        for claim, kind in zip(some, cycle(IntentKind), strict=False):
            self._recall(replace(self._reader.question(str(claim), None), about=kind), now)

    def recall(self, text: str, *, asked_at: datetime | None, now: datetime) -> Recall:
        """What memory there is for a question of this reader.

        Args:
            text: The question, foreign text.
            asked_at: The moment its words refer to; None is now.
            now: The present moment, timezone-aware.

        Raises:
            store.log.DamagedStoreError: If something admitted is not what was signed.
        """
        recall = self._recall(self._reader.question(text, asked_at), asked_at or now)
        return replace(recall, parts=tuple(map(_within, recall.parts)))

    def value(self, recall: Recall) -> dict[str, Any]:
        """What is handed over of a recall. See ``review.handed``."""
        opened = [self._contents.of(part.admitted) for part in recall.parts]
        return handed.as_value(recall, opened)

    def pieces(self, items: Sequence[str], *, start: int, end: int, now: datetime) -> list[Piece]:
        """Bytes ``[start, end)`` of what items name, or of their own words if they name nothing.

        Args:
            items: Ids of cells.
            start: First byte, zero-based.
            end: Byte after the last; at most 64 KiB are given.
            now: The present moment, timezone-aware.

        Raises:
            NotThereError: For an item that is not durable, does not hold now, or may not be read
                by this reader. Which of them is not said.
            store.log.DamagedStoreError: If it is not what was signed.
        """
        known = self.known()
        return [self._piece(known, item, start, end, now) for item in items]

    def _piece(self, known: Known, item: str, start: int, end: int, now: datetime) -> Piece:
        row = known.cells.row_of.get(item)
        if row is None or not known.life.in_force(instants.of(now))[row]:
            raise NotThereError(item)
        cells = known.cells
        kind, scope = str(cells.text("kind")[row]), cells.scopes[int(cells.scope[row])]
        if not cells.durable[row] or not self._reader.may_read(kind, scope):
            raise NotThereError(item)
        place = {name: int(cells.text(name)[row]) for name in ("seq", "n")}
        signed = {"item": item, "digest": str(cells.text("digest")[row])}
        (leaf,) = leaves_of(self._snapshot, [place | signed])
        named = leaf["artifact"]["pointer"] or leaf["artifact"]["text"]
        content = self._snapshot.payloads([named]).get(named)
        if content is None:  # it was erased, and with it all that named it
            raise NotThereError(item)
        body = content.body
        start = min(max(start, 0), len(body))
        end = min(max(end, start), start + LONGEST, len(body))
        return Piece(item, start, end, len(body), body[start:end])

    def _recall(self, question: Question, asked_at: datetime) -> Recall:
        standing = self._memory.standing()
        if not self._fitted:
            self._fitted.append(gate_fitting.recorded(self._snapshot))
        recaller = Recaller(self.policy, self._parser, self._contents, self._fitted[0])
        return recaller.recall(question, self.known(), asked_at=asked_at, size=standing.position)

    def _in_force(self) -> tuple[Policy, str]:
        if self._policy is None:
            kind = str(EventType.POLICY_CHANGED)
            found = self._snapshot.rows(queries.NEWEST_OF_TYPE, type=kind, since=0, until=2**62)
            if not found:
                msg = "the snapshot holds no policy. Nothing was served."
                raise DamagedStoreError(msg)
            body = canonical.decode(str(found[0]["canon"]).encode("utf-8"))["body"]
            text = self._snapshot.payloads([body["policy"]])[body["policy"]].body
            self._policy = read_policy(text), digest(text)
        return self._policy


def _within(part: Part) -> Part:
    """The part without ids of cells that the reader was not told of."""
    told = {one.item for one in part.scored}
    gaps = tuple(
        replace(gap, known_by=tuple(one for one in gap.known_by if one in told))
        for gap in part.gaps
    )
    return replace(part, gaps=gaps, due=tuple(due for due in part.due if due.item in told))
