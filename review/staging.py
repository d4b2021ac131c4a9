"""Stages what an importer read: policy first, secrets blanked, repeats found, then one append.

Nothing staged here can reach an answer. Each batch is one event; a batch is in the store whole or
not at all, so an interrupted import leaves whole batches and importing again takes up the rest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, Final

from review import flags, secrets
from review.identities import new_id, stamp
from review.manifests import content_of, look_of
from review.placing import Found, Placing, Writer
from review.policy import Policy, RuleName, judge
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
from store.vault import Payload, Role, keyed_digest

BATCH: Final = 10_000
"""Records in one event at most."""

RAW_KEPT: Final = 64 * 1024
"""Bytes of a record that are kept as evidence beside it."""

Progress = Callable[["Receipt"], None]


@dataclass
class Receipt:
    """What became of an import so far: the five counts add up to ``read``."""

    import_id: str
    origin: Origin
    counts: Counter[Outcome] = field(default_factory=Counter)
    remarks: Counter[RemarkCode] = field(default_factory=Counter)
    batches: int = 0
    items: list[str] = field(default_factory=list)
    """Ids of the first staged items, at most 200."""

    @property
    def read(self) -> int:
        """Records read."""
        return sum(self.counts.values())


class Stager:
    """Stages readings into one store under one policy."""

    def __init__(self, store: Store, policy: Policy, policy_sha256: str, writer: Writer) -> None:
        """Prepare; nothing is written yet."""
        self._store = store
        self._policy = policy
        self._policy_sha256 = policy_sha256
        self._writer = writer
        self._key = store.digest_key()

    def run(
        self, reading: Reading, *, verbatim: bool = False, progress: Progress | None = None
    ) -> Receipt:
        """Stage every record of ``reading``.

        Args:
            reading: An opened source. It is read once.
            verbatim: Mark every claim as one whose exact letters matter.
            progress: Called after each batch is in the store.

        Raises:
            store.connections.StoreBusyError: If another process holds the store; batches that
                were acknowledged stay.
        """
        receipt = Receipt(f"imp-{self._new_id()}", reading.origin)
        source = self._source_payload(reading.origin)
        records = self._reads(reading.records, receipt)
        batch = list(islice(records, BATCH))
        while True:
            following = list(islice(records, BATCH))
            found = [self._examined(read, reading.origin, verbatim=verbatim) for read in batch]
            self._append(receipt, source if not receipt.batches else None, found, not following)
            if progress is not None:
                progress(receipt)
            if not following:
                return receipt
            batch = following

    def _reads(self, records: Iterator[Read | Remark], receipt: Receipt) -> Iterator[Read]:
        for record in records:
            if isinstance(record, Remark):
                receipt.remarks[record.code] += max(record.count, 1)
            else:
                yield record

    def _examined(self, read: Read, origin: Origin, *, verbatim: bool) -> Found:
        raw, leaks = secrets.mask_bytes(read.raw[:RAW_KEPT])
        if not isinstance(read.found, Proposal):
            return Found(read.place, raw, read.found)
        proposal = read.found
        if verbatim and not proposal.verbatim:
            proposal = replace(proposal, verbatim=True)
        if proposal.written_at is None and origin.modified_at is not None:
            remarks = (*proposal.remarks, str(RemarkCode.WRITTEN_AT_ASSUMED))
            proposal = replace(proposal, written_at=origin.modified_at, remarks=remarks)
        refusal = judge(proposal, tenant_id=self._store.tenant_id, policy=self._policy)
        rule, at_fault = (str(refusal.rule), refusal.field) if refusal is not None else (None, "")
        if rule is None:
            banned = [leak for leak in leaks if leak.category in self._policy.reject_if_contains]
            if banned:
                rule, at_fault = f"contains_{banned[0].category}", "record"
        if rule is not None:
            return Found(read.place, raw, proposal, rule=str(RuleName(rule)), at_fault=at_fault)
        return Found(
            read.place,
            raw,
            proposal,
            marks=flags.flags_of(proposal, self._policy, evidence=_evidence(proposal, raw)),
            hint=self._policy.lane_hint(proposal.kind),
            content_key=keyed_digest(self._key, "content", content_of(proposal)),
            source_key=keyed_digest(self._key, "source", proposal.source_id.encode("utf-8")),
            look_key=keyed_digest(self._key, "look", look_of(proposal.claim)),
        )

    def _append(
        self, receipt: Receipt, source: Payload | None, found: Sequence[Found], last: bool
    ) -> None:
        """Append one batch, deciding what is known at the very position it is appended at."""
        while True:
            keys = [one.content_key for one in found if one.content_key]
            known, size = self._store.known(keys)
            parser = f"{receipt.origin.importer}/{receipt.origin.importer_version}"
            placed = Placing(self._store, self._key, self._writer, found, known, parser=parser)
            counts = {str(outcome): placed.counts[outcome] for outcome in Outcome}
            body: dict[str, Any] = {
                "import": receipt.import_id,
                "importer": receipt.origin.importer,
                "importer_version": receipt.origin.importer_version,
                "source": source.commitment if source is not None else None,
                "policy": self._policy_sha256,
                "counts": counts,
                "remarks": {str(c): n for c, n in sorted(receipt.remarks.items())} if last else {},
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


def _evidence(proposal: Proposal, raw: bytes) -> str | None:
    if not proposal.evidence:
        return None
    spans = (raw[span.start : span.end] for span in proposal.evidence)
    return "\n".join(span.decode("utf-8", "replace") for span in spans)
