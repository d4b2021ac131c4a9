"""Stages what an importer read: policy first, secrets blanked, repeats found, then one append.

Nothing staged here can reach an answer. Each batch is one event; a batch is in the store whole or
not at all, so an interrupted import leaves whole batches and importing again takes up the rest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from review import secrets
from review.identities import new_id, stamp
from review.policy import Policy
from review.staged.examining import Examiner
from review.staged.fact_reading import FactReading
from review.staged.placing import Found, Placing, Writer
from review.staged.resurrection import Guard
from store import canonical
from store.cells import Proposal
from store.events import ActorKind, EventType, Happening
from store.log import Entry, LogMovedError, Store
from store.records import (
    Origin,
    Outcome,
    Read,
    Reading,
    Remark,
    RemarkCode,
)
from store.vault import Payload, Role, digester

BATCH: Final = 10_000
"""Records in one event at most."""

Progress = Callable[["Receipt"], None]


class ToldKeys:
    """Keys of records, eight bytes each: an import may have millions of them."""

    def __init__(self) -> None:
        """Begin without any."""
        self._batches: list[NDArray[np.uint64]] = []

    def add(self, keys: Iterable[str]) -> None:
        """Add the keys of one batch, in hex."""
        self._batches.append(np.fromiter(map(_short, keys), dtype=np.uint64))

    def __contains__(self, key: object) -> bool:
        """Whether ``key`` was added, or in 2^64 cases one that begins alike."""
        return any((batch == np.uint64(_short(key))).any() for batch in self._batches)


def _short(key: object) -> int:
    return int(str(key)[:16], 16)


@dataclass
class Receipt:
    """What became of an import so far: the five counts add up to ``read``."""

    import_id: str
    origin: Origin
    counts: Counter[Outcome] = field(default_factory=Counter)
    remarks: Counter[RemarkCode] = field(default_factory=Counter)
    batches: int = 0
    taken: int = 0
    """Records taken from the reading so far, in the store or not yet."""

    examined: int = 0
    """Records that policy and secret rules have looked at."""

    with_facts: int = 0
    """Claims among them of which at least one fact is known."""

    items: list[str] = field(default_factory=list)
    """Ids of the first staged items, at most 200."""

    told: ToldKeys = field(default_factory=ToldKeys, repr=False, compare=False)
    """Source keys of the records of batches that are in the store."""

    @property
    def read(self) -> int:
        """Records of which the outcome is in the store."""
        return sum(self.counts.values())


class Stager:
    """Stages readings into one store under one policy."""

    def __init__(
        self,
        store: Store,
        policy: Policy,
        policy_sha256: str,
        writer: Writer,
        facts: FactReading | None = None,
    ) -> None:
        """Prepare; nothing is written yet. Without ``facts`` no claim is read for facts."""
        self._store = store
        self._policy_sha256 = policy_sha256
        self._writer = writer
        with store.held():
            self._key = store.digest_key()
            self._guard = Guard(store)
        self._file_key = digester(self._key, "file")
        self._examiner = Examiner(policy, store.tenant_id, self._key, facts)

    def run(
        self,
        reading: Reading,
        *,
        verbatim: bool = False,
        progress: Progress | None = None,
        import_id: str = "",
    ) -> Receipt:
        """Stage every record of ``reading``.

        Args:
            reading: An opened source. It is read once.
            verbatim: Mark every claim as one whose exact letters matter.
            progress: Called before the first record is read, and whenever records of a batch
                were taken, examined, or are in the store.
            import_id: What the import is called in the log; a new id when it is empty.

        Raises:
            store.connections.StoreBusyError: If another process holds the store; batches that
                were acknowledged stay.
        """
        origin = _named_safely(reading.origin)
        origin = replace(origin, name=self._guard.safe_name(origin.name))
        receipt = Receipt(import_id or f"imp-{self._new_id()}", origin)
        source = self._source_payload(origin)
        records = self._reads(reading.records, receipt)
        told = progress or _nobody
        told(receipt)
        batch = _taken(records, receipt)
        while True:
            following = _taken(records, receipt)
            told(receipt)
            examined = self._examiner.examined(batch, origin, verbatim=verbatim)
            receipt.examined += len(batch)
            receipt.with_facts += sum(_has_facts(one) for one in examined)
            told(receipt)
            self._append(receipt, source if not receipt.batches else None, examined, not following)
            told(receipt)
            if not following:
                return receipt
            batch = following

    def _reads(self, records: Iterator[Read | Remark], receipt: Receipt) -> Iterator[Read]:
        for record in records:
            if isinstance(record, Remark):
                receipt.remarks[record.code] += max(record.count, 1)
            else:
                yield record

    def _append(
        self, receipt: Receipt, source: Payload | None, examined: Sequence[Found], last: bool
    ) -> None:
        """Append one batch, deciding at the very position it is appended at what is known.

        And what was forgotten: a request may come between the reading of a file and its batch.
        """
        while True:
            found = self._guard.sieved(examined)
            keys = [one.content_key for one in found if one.content_key]
            with self._store.held():  # nothing comes between what is known and the batch
                known, size = self._store.known(keys)
                if not self._guard.is_current():
                    continue
                parser = f"{receipt.origin.importer}/{receipt.origin.importer_version}"
                placed = Placing(
                    self._store,
                    self._key,
                    self._writer,
                    found,
                    known,
                    parser=parser,
                    told=receipt.told,
                )
                counts = {str(outcome): placed.counts[outcome] for outcome in Outcome}
                remarks = receipt.remarks.items() if last else ()
                body: dict[str, Any] = {
                    "import": receipt.import_id,
                    "importer": receipt.origin.importer,
                    "importer_version": receipt.origin.importer_version,
                    "source": source.commitment if source is not None else None,
                    "file": self._file_key(receipt.origin.sha256.encode("ascii")),
                    "policy": self._policy_sha256,
                    "counts": counts,
                    "remarks": {str(code): n for code, n in sorted(remarks)},
                    "last": last,
                }
                extra = [source] if source is not None else []
                entry = Entry(
                    Happening(
                        EventType.IMPORT_STAGED,
                        recorded_at=stamp(self._writer.clock()),
                        actor=self._writer.process,
                        actor_kind=ActorKind.PROCESS,
                        process=self._writer.process,
                        body=body,
                    ),
                    leaves=placed.leaves,
                    payloads=[*extra, *placed.payloads],
                )
                try:
                    self._store.append(entry, after=size)
                except LogMovedError:
                    continue
                receipt.counts.update(placed.counts)
                receipt.told.add(placed.told)
                receipt.batches += 1
                receipt.items += placed.items[: 200 - len(receipt.items)]
                return

    def _source_payload(self, origin: Origin) -> Payload:
        told = {
            "name": origin.name,
            "sha256": origin.sha256,
            "size": origin.size,
            "media_type": origin.media_type,
            "importer": origin.importer,
            "importer_version": origin.importer_version,
            "modified_at": origin.modified_at,
            "details": dict(origin.details),
        }
        return Payload(Role.SOURCE, self._writer.chance(32), canonical.encode(told))

    def _new_id(self) -> str:
        return new_id(self._writer.clock(), self._writer.chance(10))


def _taken(records: Iterator[Read], receipt: Receipt) -> list[Read]:
    batch = list(islice(records, BATCH))
    receipt.taken += len(batch)
    return batch


def _has_facts(found: Found) -> bool:
    return isinstance(found.result, Proposal) and bool(found.result.facts)


def _nobody(_receipt: Receipt) -> None:
    """Tell nobody how far it is."""


def _named_safely(origin: Origin) -> Origin:
    """``origin`` with secrets masked in every word that is the file's own."""
    details = {name: secrets.mask(value)[0] for name, value in origin.details.items()}
    return replace(origin, name=secrets.mask(origin.name)[0], details=details)
