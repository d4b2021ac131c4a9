"""What people sign: statements over exact artifacts, as the exact bytes that are kept.

The shape is an in-toto Statement, version 1. Bytes are built once, signed, stored and verified as
they are; nothing ever re-serialises a statement before checking it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from store import canonical
from store.signatures import PublicKey
from store.stages import DecisionKind, Stage

DECISION: Final = "urn:memory-console:decision:v1"
REVIEWER: Final = "urn:memory-console:reviewer:v1"
MOST_SUBJECTS: Final = 200
"""One statement covers at most this many artifacts: more cannot have been looked at."""

STATEMENT_TYPE: Final = "https://in-toto.io/Statement/v1"


class BadStatementError(ValueError):
    """Signed bytes do not say what a statement of ours says. The message says what is off."""


@dataclass(frozen=True, slots=True)
class SignedStatement:
    """Statement bytes with a detached SSHSIG signature over them."""

    statement: bytes
    signature: str

    @property
    def sha256(self) -> str:
        """Digest of the statement bytes, hex; the log refers to the statement by it."""
        return canonical.sha256(self.statement).hex()


@dataclass(frozen=True, slots=True)
class Verdict:
    """A person's decision about one exact artifact, as it is signed."""

    item: str
    rev: int
    artifact: str
    """Digest of the manifest that was on the screen."""

    decision: DecisionKind
    came_from: Stage
    goes_to: Stage
    view_sha256: str
    """Of the escaped text that was drawn."""

    nonce: str
    reason: str | None = None
    note: str | None = None
    """Commitment of the reviewer's note."""

    mode: str = "single"
    list_sha256: str | None = None
    """In bulk: digest of the frozen list the row was drawn in."""

    acknowledged: tuple[str, ...] = ()
    """Check flags that the reviewer ticked."""


@dataclass(frozen=True, slots=True)
class Seen:
    """The head of the log that the reviewer decided against: its size and Merkle root, hex."""

    size: int
    root: str


@dataclass(frozen=True, slots=True)
class DecisionStatement:
    """A batch of verdicts with everything that ties it to one store, policy and reviewer."""

    store: str
    tenant: str
    verdicts: tuple[Verdict, ...]
    prev: Seen
    policy_sha256: str
    reviewer: str
    reviewer_seq: int
    """Counts this reviewer's statements in this store, from 1, without gaps."""

    signed_at: str
    nonce: str

    def encode(self) -> bytes:
        """The exact bytes to sign.

        Raises:
            ValueError: For no verdict, or more than 200.
        """
        if not 1 <= len(self.verdicts) <= MOST_SUBJECTS:
            msg = f"one signature covers 1 to {MOST_SUBJECTS} records, got {len(self.verdicts)}."
            raise ValueError(msg)
        return canonical.encode(
            {
                "_type": STATEMENT_TYPE,
                "subject": [
                    {"name": f"item:{v.item}/rev/{v.rev}", "digest": {"sha256": v.artifact}}
                    for v in self.verdicts
                ],
                "predicateType": DECISION,
                "predicate": {
                    "store": self.store,
                    "tenant": self.tenant,
                    "decisions": [_told(v) for v in self.verdicts],
                    "prev": {"size": self.prev.size, "root": self.prev.root},
                    "policy_sha256": self.policy_sha256,
                    "reviewer": self.reviewer,
                    "reviewer_seq": self.reviewer_seq,
                    "signed_at": self.signed_at,
                    "nonce": self.nonce,
                },
            }
        )


@dataclass(frozen=True, slots=True)
class ReviewerStatement:
    """Who may sign: a key is declared the root, added, or revoked."""

    action: str
    """``root``, ``added`` or ``revoked``."""

    reviewer: str
    key: PublicKey
    signed_at: str
    by: str
    """The reviewer who signs this; for a root, the same."""

    store: str | None = None
    """Null for a root, which holds for every store of the workspace."""

    tenant: str | None = None

    def encode(self) -> bytes:
        """The exact bytes to sign."""
        key = canonical.sha256(self.key.blob).hex()
        return canonical.encode(
            {
                "_type": STATEMENT_TYPE,
                "subject": [{"name": f"reviewer:{self.reviewer}", "digest": {"sha256": key}}],
                "predicateType": REVIEWER,
                "predicate": {
                    "action": self.action,
                    "reviewer": self.reviewer,
                    "key": self.key.line,
                    "signed_at": self.signed_at,
                    "by": self.by,
                    "store": self.store,
                    "tenant": self.tenant,
                },
            }
        )


@lru_cache(maxsize=2)  # one append looks at its statement four times
def read_decision(data: bytes) -> DecisionStatement:
    """The decisions that signed bytes hold.

    Raises:
        BadStatementError: If the bytes are no decision statement, or its subjects and its
            decisions do not name the same artifacts.
    """
    subjects, predicate = opened(data, DECISION)
    try:
        verdicts = tuple(
            _read_verdict(told, subject)
            for told, subject in zip(predicate["decisions"], subjects, strict=True)
        )
        return DecisionStatement(
            store=predicate["store"],
            tenant=predicate["tenant"],
            verdicts=verdicts,
            prev=Seen(predicate["prev"]["size"], predicate["prev"]["root"]),
            policy_sha256=predicate["policy_sha256"],
            reviewer=predicate["reviewer"],
            reviewer_seq=predicate["reviewer_seq"],
            signed_at=predicate["signed_at"],
            nonce=predicate["nonce"],
        )
    except (KeyError, TypeError, ValueError) as error:
        msg = f"the decision statement is malformed ({type(error).__name__})."
        raise BadStatementError(msg) from error


def read_reviewer(data: bytes) -> ReviewerStatement:
    """The reviewer statement that signed bytes hold.

    Raises:
        BadStatementError: If the bytes are no reviewer statement.
    """
    _subjects, predicate = opened(data, REVIEWER)
    try:
        return ReviewerStatement(
            action=predicate["action"],
            reviewer=predicate["reviewer"],
            key=PublicKey.from_line(predicate["key"]),
            signed_at=predicate["signed_at"],
            by=predicate["by"],
            store=predicate["store"],
            tenant=predicate["tenant"],
        )
    except (KeyError, TypeError, ValueError) as error:
        msg = f"the reviewer statement is malformed ({type(error).__name__})."
        raise BadStatementError(msg) from error


def _told(verdict: Verdict) -> dict[str, Any]:
    return {
        "item": verdict.item,
        "rev": verdict.rev,
        "decision": str(verdict.decision),
        "from": str(verdict.came_from),
        "to": str(verdict.goes_to),
        "view_sha256": verdict.view_sha256,
        "nonce": verdict.nonce,
        "reason": verdict.reason,
        "note": verdict.note,
        "mode": verdict.mode,
        "list_sha256": verdict.list_sha256,
        "acknowledged": list(verdict.acknowledged),
    }


def _read_verdict(told: dict[str, Any], subject: dict[str, Any]) -> Verdict:
    if subject["name"] != f"item:{told['item']}/rev/{told['rev']}":
        msg = "a decision and its subject name different items."
        raise ValueError(msg)
    return Verdict(
        item=told["item"],
        rev=told["rev"],
        artifact=subject["digest"]["sha256"],
        decision=DecisionKind(told["decision"]),
        came_from=Stage(told["from"]),
        goes_to=Stage(told["to"]),
        view_sha256=told["view_sha256"],
        nonce=told["nonce"],
        reason=told["reason"],
        note=told["note"],
        mode=told["mode"],
        list_sha256=told["list_sha256"],
        acknowledged=tuple(told["acknowledged"]),
    )


def opened(data: bytes, predicate_type: str) -> tuple[Sequence[Any], dict[str, Any]]:
    """The subjects and the predicate of a statement of one type.

    Raises:
        BadStatementError: If the bytes are no canonical statement of that type.
    """
    try:
        value = canonical.decode(data)
        fits = value["_type"] == STATEMENT_TYPE and value["predicateType"] == predicate_type
        subjects, predicate = value["subject"], value["predicate"]
    except (canonical.NotCanonicalError, KeyError, TypeError) as error:
        msg = f"these bytes are not a statement of type {predicate_type}."
        raise BadStatementError(msg) from error
    if not fits:
        msg = f"the statement is not of type {predicate_type}."
        raise BadStatementError(msg)
    return subjects, predicate
