"""What an agent can do through its door: stage, recall, explain, status. There is nothing else.

Each act takes what the agent said, which is foreign, and gives plain values. Who it is, whose
memory it reads and what of it comes from the door's configuration alone.
"""

from __future__ import annotations

import contextlib
import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from console.door_jobs import DoorJobs
from console.door_recalls import DoorRecalls, explained
from console.door_snapshot import DoorSnapshot
from console.doors import Door
from review import recording, secrets
from review.auditing.recorded import of
from review.doorway import Doorway, Piece
from review.identities import Chance, Clock, new_id, stamp
from review.recall import LONGEST, Recall
from store import canonical
from store.cells import VALIDATION_STATE
from store.log import DamagedStoreError
from store.refusing import NotServedError
from store.spool import BatchKind

SPOOLED: Final = "memory-console-spool/1"
MOST_RECORDS: Final = 200
LONGEST_CLAIM: Final = 8 * 1024
LONGEST_RECORD: Final = 64 * 1024
LONGEST_BATCH: Final = 1024 * 1024
LONGEST_ANSWER: Final = 64 * 1024
MOST_WAITING: Final = 1_000
"""Batches that may wait in the spool before the door takes no more."""

MOST_ITEMS: Final = 20
LONGEST_RANGE: Final = 64 * 1024


class RefusedError(ValueError):
    """What the agent asked for is not done. The message is a whole sentence for it."""


@dataclass(frozen=True)
class Acts:
    """The four acts of one door."""

    door: Door
    snapshot: DoorSnapshot
    jobs: DoorJobs
    recalls: DoorRecalls
    clock: Clock
    chance: Chance

    def warm(self) -> None:
        """Make the first recall fast. What does not hold is said when something is asked."""
        with contextlib.suppress(NotServedError, DamagedStoreError):
            self.snapshot.doorway().warm(self.clock())

    # --- stage ------------------------------------------------------------------------------

    def stage(self, records: list[dict[str, Any]], *, verbatim: bool = False) -> dict[str, Any]:
        """Leave memories for a person to look at. The outcome is asked for with ``status``.

        Raises:
            RefusedError: If they are too many or too long, or too much waits already.
        """
        if not 1 <= len(records) <= MOST_RECORDS:
            count = f"{len(records):,}"
            msg = f"one call stages 1 to {MOST_RECORDS} records, got {count}. {_NOTHING}"
            raise RefusedError(msg)
        lines = [_line(n, record) for n, record in enumerate(records, 1)]
        if sum(map(len, lines)) > LONGEST_BATCH:
            msg = f"the records are longer than {LONGEST_BATCH:,} bytes together. {_NOTHING}"
            raise RefusedError(msg)
        batch = self._batch()
        header = self._header(BatchKind.STAGE, batch) | {"verbatim": verbatim}
        self._put(BatchKind.STAGE, batch, [canonical.encode(header), *lines])
        return {"job": batch, "state": "waiting", "records": len(records), "say": _STAGED}

    def answer(self, answer: str, recall: str) -> dict[str, Any]:
        """Say what was answered on a recall. It is kept as a report, not as a memory.

        Raises:
            RefusedError: If it is empty or too long.
            console.door_recalls.NoSuchRecallError: If the recall is not one of this door.
        """
        if not answer.strip() or len(answer) > LONGEST_ANSWER:
            msg = f"an answer has 1 to {LONGEST_ANSWER:,} characters. {_NOTHING}"
            raise RefusedError(msg)
        self.recalls.read(recall)
        batch = self._batch()
        told = self._header(BatchKind.ANSWER, batch) | {"answer": answer, "recall": recall}
        self._put(BatchKind.ANSWER, batch, [_canonical(told)])
        return {"job": batch, "state": "waiting", "say": _ANSWERED}

    # --- recall -----------------------------------------------------------------------------

    def recall(self, question: str, asked_at: str | None = None) -> dict[str, Any]:
        """The cleaned, admitted context of a question, and what the writer should know.

        Raises:
            RefusedError: For no question, a moment that is none, or a recall that cannot be
                recorded.
            store.refusing.NotServedError: If the snapshot does not hold.
        """
        doorway = self.snapshot.doorway()
        recall = self._asked(doorway, question, asked_at)
        told = self._read(recording.encoded(recall), recall.size, doorway.policy_sha256)
        return {**told, **doorway.value(recall), "notices": self._notices()}

    def pieces(self, ids: list[str], start: int, end: int | None) -> dict[str, Any]:
        """A range of what items name, under the same rules.

        Raises:
            RefusedError: For too many items, or a range that is none.
            review.doorway.NotThereError: For an item that is not there for this reader.
            store.refusing.NotServedError: If the snapshot does not hold.
        """
        if not 1 <= len(ids) <= MOST_ITEMS:
            msg = f"one call names 1 to {MOST_ITEMS} ids. Nothing was read."
            raise RefusedError(msg)
        end = start + LONGEST_RANGE if end is None else end
        if not 0 <= start <= end:
            msg = "a range begins at 0 or later and ends after it begins. Nothing was read."
            raise RefusedError(msg)
        doorway, now = self.snapshot.doorway(), self.clock()
        found = doorway.pieces(ids, start=start, end=end, now=now)
        size = doorway.size
        body = canonical.encode(
            {
                "asked_at": now.isoformat(),
                "as_of": None,
                "size": size,
                "asked": None,
                "parts": [],
                "fetched": [[one.item, one.start, one.end] for one in found],
            }
        )
        told = self._read(body, size, doorway.policy_sha256)
        return {**told, "pieces": [_piece(one) for one in found], "notices": self._notices()}

    # --- explain, status ----------------------------------------------------------------------

    def explain(self, recall: str) -> dict[str, Any]:
        """Why a recall of this door said what it did: its recorded numbers.

        Raises:
            console.door_recalls.NoSuchRecallError: If it is not one of this door.
        """
        return {"recall": recall, "recorded": True, **explained(self.recalls.read(recall))}

    def explain_now(self, question: str, asked_at: str | None = None) -> dict[str, Any]:
        """What a recall would say now, with every number. It is not recorded and serves nothing.

        Raises:
            RefusedError: As ``recall``.
            store.refusing.NotServedError: If the snapshot does not hold.
        """
        recall = self._asked(self.snapshot.doorway(), question, asked_at)
        return {"recall": None, "recorded": False, **explained(of(recall))}

    def status(self, job: str | None = None) -> dict[str, Any]:
        """This writer's jobs, or one of them.

        Raises:
            console.door_jobs.NoSuchJobError: If it is not one of this writer.
        """
        return self.jobs.job(job) if job is not None else {"jobs": self.jobs.all()}

    # --- what they share ----------------------------------------------------------------------

    def _asked(self, doorway: Doorway, question: str, asked_at: str | None) -> Recall:
        if not question.strip():
            msg = "the question is empty. Nothing was read."
            raise RefusedError(msg)
        if len(question) > 4 * LONGEST:
            msg = f"a question has at most {4 * LONGEST:,} characters. Nothing was read."
            raise RefusedError(msg)
        safe = secrets.mask(_whole(question))[0]  # it is kept, here and in the log
        return doorway.recall(safe, asked_at=_moment(asked_at), now=self.clock())

    def _read(self, body: bytes, size: int, policy: str) -> dict[str, Any]:
        """Record a read in the spool and here, before anything of it is handed over."""
        recall = self._batch()
        header = self._header(BatchKind.READ, recall) | {"policy": policy, "size": size}
        self.recalls.keep(recall, body)
        self._put(BatchKind.READ, recall, [canonical.encode(header), body])
        return {"recall": recall}

    def _notices(self) -> list[dict[str, Any]]:
        return self.jobs.notices(self.snapshot.durable)

    def _batch(self) -> str:
        return new_id(self.clock(), self.chance(10))

    def _header(self, kind: BatchKind, batch: str) -> dict[str, Any]:
        told = {"format": SPOOLED, "kind": str(kind), "batch": batch}
        return told | {"at": stamp(self.clock())}

    def _put(self, kind: BatchKind, batch: str, lines: list[bytes]) -> None:
        spool = self.door.spool
        if spool.crowded(MOST_WAITING):
            msg = (
                f"{MOST_WAITING:,} batches wait to be taken in, so nothing more is taken. "
                "Ask the person to run: memory-console ingest"
            )
            raise RefusedError(msg)
        try:
            spool.put(kind, batch, b"\n".join([*lines, b""]))
        except (OSError, ValueError) as error:
            msg = f"the spool cannot be written ({type(error).__name__}). {_NOTHING}"
            raise RefusedError(msg) from error


_NOTHING: Final = "Nothing was written or served."
_STAGED: Final = (
    "Left for a person to look at. Ask status(job) what became of it. Nothing of it is durable "
    "or can be recalled before somebody approves it."
)
_ANSWERED: Final = "Kept as your report of what was answered. It is no memory."


def _line(n: int, record: dict[str, Any]) -> bytes:
    claim = record.get("claim")
    if type(claim) is not str:
        msg = f"record {n} has no claim. {_NOTHING}"
        raise RefusedError(msg)
    if len(claim.encode("utf-8", "surrogatepass")) > LONGEST_CLAIM:
        msg = f"the claim of record {n} is longer than {LONGEST_CLAIM:,} bytes. {_NOTHING}"
        raise RefusedError(msg)
    try:
        line = json.dumps(record, ensure_ascii=False, allow_nan=False).encode("utf-8")
    except (ValueError, UnicodeEncodeError, RecursionError) as error:
        msg = f"record {n} is not plain JSON text. {_NOTHING}"
        raise RefusedError(msg) from error
    if len(line) > LONGEST_RECORD:
        msg = f"record {n} is longer than {LONGEST_RECORD:,} bytes. {_NOTHING}"
        raise RefusedError(msg)
    return line


def _canonical(told: dict[str, Any]) -> bytes:
    try:
        return canonical.encode(told)
    except canonical.NotCanonicalError as error:
        msg = f"the answer holds half a character. {_NOTHING}"
        raise RefusedError(msg) from error


def _moment(text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        msg = "asked_at is no time; write 2026-03-10 or 2026-03-10T12:00:00+03:00."
        raise RefusedError(msg) from error
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def _whole(text: str) -> str:
    """``text`` with half characters, which have no UTF-8 form, as replacement characters."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _piece(one: Piece) -> dict[str, Any]:
    return {
        "id": one.item,
        "start": one.start,
        "end": one.end,
        "size": one.size,
        "validation_state": VALIDATION_STATE,
        "text": one.body.decode("utf-8", "replace"),
    }
