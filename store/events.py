"""The events of the log, and the canonical bytes that are their only authority.

An event holds ids, digests, codes, counts and times; never foreign text, a name or an address.
Those are payloads in the vault.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Final

from store import canonical

FORMAT: Final = 1
GENESIS: Final = bytes(32)
"""What the first event's chain hash is computed from."""


class EventType(StrEnum):
    """Every kind of thing that can happen. A closed list."""

    STORE_CREATED = "store.created"
    POLICY_CHANGED = "policy.changed"
    IMPORT_STAGED = "import.staged"
    BATCH_DECIDED = "batch.decided"
    LINKS_DECIDED = "links.decided"
    REVIEWER_ADDED = "reviewer.added"
    REVIEWER_REVOKED = "reviewer.revoked"
    MEMORY_RECALLED = "memory.recalled"
    READ_OBSERVED = "read.observed"
    """Our own door served memory to an agent: what, and every candidate with every number."""

    READ_REPORTED = "read.reported"
    """Somebody else says what an agent answered and what it had read."""

    SNAPSHOT_PUBLISHED = "snapshot.published"
    """A reviewer signed the state of the durable set for readers outside the store."""

    READERS_DENIED = "readers.denied"
    """A reviewer signed what a reader of an earlier snapshot must not serve any more."""

    GATE_FITTED = "gate.fitted"
    GATE_LABELLED = "gate.labelled"
    """A person said of a recorded verdict whether the cell should have been admitted."""

    MODEL_PROPOSED = "model.proposed"
    """A model was asked and answered: what it was asked, what it said and what that cost."""

    RUN_ANALYSED = "run.analysed"
    """Runs were read again by another version of the rules."""

    FORGET_GUARDED = "forget.guarded"
    """Keyed digests of forgotten content, which keep it from coming back."""

    FORGET_REQUESTED = "forget.requested"
    """A person signed what is to be forgotten; from here on it is not served."""

    FORGET_REPLAYED = "forget.replayed"
    """A signed request was applied again, to a store that was restored from before it."""

    FORGET_COMPLETED = "forget.completed"
    FORGET_PARTIAL = "forget.partial"
    """A request was carried out, and not in full: the report says what is left."""

    FORGET_CONFIRMED = "forget.confirmed"
    """A person signed what he says was done about a copy that is out of our reach."""

    BACKUP_WRITTEN = "backup.written"
    BACKUP_DELETED = "backup.deleted"
    """A backup was deleted here; or it was found gone, and somebody else did that."""

    RULE_EXPORTED = "rule.exported"
    """A person signed that a rule leaves as a bundle of files. No cell changes by it."""

    RULE_EXPORT_WITHDRAWN = "rule.export_withdrawn"


SIGNED_TYPES: Final = tuple(
    str(kind)
    for kind in (
        EventType.BATCH_DECIDED,
        EventType.LINKS_DECIDED,
        EventType.REVIEWER_ADDED,
        EventType.REVIEWER_REVOKED,
        EventType.SNAPSHOT_PUBLISHED,
        EventType.READERS_DENIED,
        EventType.FORGET_REQUESTED,
        EventType.FORGET_REPLAYED,
        EventType.FORGET_CONFIRMED,
        EventType.RULE_EXPORTED,
        EventType.RULE_EXPORT_WITHDRAWN,
    )
)
"""Events that have an effect only with a verified signature."""


class LeafType(StrEnum):
    """Outcomes of a write, as the items of an ``import.staged`` event."""

    WRITTEN = "write.written"
    NOTHING_EXTRACTED = "write.nothing_extracted"
    ALREADY_KNOWN = "write.already_known"
    REFUSED = "write.refused"
    PARSE_FAILED = "write.parse_failed"
    RUN = "run.written"
    """A trajectory: kept as evidence. Its outcome is ``written``; it is no cell."""

    @property
    def outcome(self) -> str:
        """The word of ``domain.md`` that the count of its batch uses."""
        return "written" if self is LeafType.RUN else self.value.removeprefix("write.")


class ActorKind(StrEnum):
    """Whether an event rests on a person's key or only on a process."""

    HUMAN_KEY = "human_key"
    PROCESS = "process"


@dataclass(frozen=True, slots=True)
class Happening:
    """An event before it has a place in the log."""

    type: EventType
    recorded_at: str
    """RFC 3339, UTC, six digits of fraction: when the log learned it. Not world time."""

    actor: str
    """Opaque id of the reviewer or of the process."""

    actor_kind: ActorKind
    process: str
    """Opaque id of the writing process, from its configuration, never from a caller."""

    body: Mapping[str, Any] = field(default_factory=dict)
    item: str | None = None
    rev: int | None = None

    def with_body(self, body: Mapping[str, Any]) -> Happening:
        """The same happening with another body."""
        return replace(self, body=body)

    def canon(self, *, store: str, tenant: str, seq: int) -> bytes:
        """The bytes that are chained and kept, for this store at this position."""
        return canonical.encode(
            {
                "v": FORMAT,
                "store": store,
                "tenant": tenant,
                "seq": seq,
                "type": str(self.type),
                "recorded_at": self.recorded_at,
                "actor": self.actor,
                "actor_kind": str(self.actor_kind),
                "process": self.process,
                "item": self.item,
                "rev": self.rev,
                "body": dict(self.body),
            }
        )


@dataclass(frozen=True, slots=True)
class Event:
    """An event as it stands in the log of one store."""

    store: str
    tenant: str
    seq: int
    type: str
    recorded_at: str
    actor: str
    actor_kind: str
    process: str
    item: str | None
    rev: int | None
    body: Mapping[str, Any]
    digest: str
    """Chain hash, hex."""


def chain_hash(previous: bytes, canon: bytes) -> bytes:
    """The chain hash of an event: ``SHA-256(0x02 || previous || canon)``."""
    return canonical.sha256(b"\x02", previous, canon)


def read_event(canon: bytes, digest: bytes) -> Event:
    """The event that ``canon`` spells.

    Raises:
        store.canonical.NotCanonicalError: If the bytes are not canonical.
        KeyError: If a field is missing.
    """
    value = canonical.decode(canon)
    return Event(
        store=value["store"],
        tenant=value["tenant"],
        seq=value["seq"],
        type=value["type"],
        recorded_at=value["recorded_at"],
        actor=value["actor"],
        actor_kind=value["actor_kind"],
        process=value["process"],
        item=value["item"],
        rev=value["rev"],
        body=value["body"],
        digest=digest.hex(),
    )
