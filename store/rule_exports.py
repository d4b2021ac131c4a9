"""What a person signs when a rule leaves as a bundle of files, and when that is taken back.

Signing moves no stage and makes nothing durable: the cell stays what it was. The statement names
the bundle by one digest, of a file that begins with a random salt, so nobody can test a guess
about the rule against the log once the bundle's content is erased.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from store import canonical
from store.statements import STATEMENT_TYPE, Seen
from store.whole_statements import read_whole

RULE_EXPORT: Final = "urn:memory-console:rule-export:v1"
PROVENANCE: Final = "provenance.json"
"""The file of a bundle that names the digests of all others. A statement is over its digest."""

_EXPORT: Final = re.compile(r"[0-9a-f]{32}")
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
_WORDS: Final = ("store", "tenant", "export", "policy_sha256", "reviewer", "signed_at", "nonce")


class ExportAct(StrEnum):
    """What is said of a bundle. A closed list."""

    EXPORTED = "exported"
    WITHDRAWN = "withdrawn"
    """It should not be followed any more. The files stay where people put them."""


@dataclass(frozen=True, slots=True)
class ExportStatement:
    """One signed word about one bundle, tied to one cell, store and reviewer."""

    store: str
    tenant: str
    export: str
    """Id of the bundle, 32 hex digits, the same when it is withdrawn."""

    act: ExportAct
    item: str
    """The cell that the rule was made from."""

    rev: int
    artifact: str
    """Digest of its manifest, as it was approved."""

    bundle_sha256: str
    """Of the bundle's ``provenance.json``, 64 hex digits."""

    content: str | None
    """Commitment of the bundle's content in the vault; None when it is withdrawn."""

    note: str | None
    """Commitment of the reason that was given; None without one."""

    prev: Seen
    """The head it was signed at: the event is the very next one."""

    policy_sha256: str
    reviewer: str
    reviewer_seq: int
    signed_at: str
    nonce: str

    def encode(self) -> bytes:
        """The exact bytes to sign.

        Raises:
            ValueError: For an id or a digest that is none, or content that does not fit the act.
        """
        self._check()
        return canonical.encode(
            {
                "_type": STATEMENT_TYPE,
                "subject": [
                    _subject(PROVENANCE, self.bundle_sha256),
                    _subject(f"item:{self.item}/rev/{self.rev}", self.artifact),
                ],
                "predicateType": RULE_EXPORT,
                "predicate": {
                    "store": self.store,
                    "tenant": self.tenant,
                    "export": self.export,
                    "act": str(self.act),
                    "item": self.item,
                    "rev": self.rev,
                    "content": self.content,
                    "note": self.note,
                    "prev": {"size": self.prev.size, "root": self.prev.root},
                    "policy_sha256": self.policy_sha256,
                    "reviewer": self.reviewer,
                    "reviewer_seq": self.reviewer_seq,
                    "signed_at": self.signed_at,
                    "nonce": self.nonce,
                },
            }
        )

    def _check(self) -> None:
        if not _EXPORT.fullmatch(self.export):
            msg = "an export has an id of 32 hex digits."
            raise ValueError(msg)
        digests = [self.artifact, self.bundle_sha256, self.prev.root]
        digests += [one for one in (self.content, self.note) if one is not None]
        if not all(_DIGEST.fullmatch(one) for one in digests):
            msg = "a digest has 64 hex digits."
            raise ValueError(msg)
        if (self.content is not None) != (self.act == ExportAct.EXPORTED):
            msg = "what is exported names its content, and what is withdrawn does not."
            raise ValueError(msg)


def read_export(data: bytes) -> ExportStatement:
    """The statement about a bundle that signed bytes hold.

    Raises:
        BadStatementError: If the bytes are none, or say more than one of ours.
    """
    return read_whole(data, RULE_EXPORT, _read, "statement about a bundle")


def _read(subjects: Any, predicate: dict[str, Any]) -> ExportStatement:  # noqa: ANN401 - JSON
    if not all(type(predicate[name]) is str for name in _WORDS):
        msg = "a statement about a bundle has a value of another type."
        raise TypeError(msg)
    if type(predicate["rev"]) is not int or type(predicate["reviewer_seq"]) is not int:
        msg = "a position is a whole number."
        raise TypeError(msg)
    return ExportStatement(
        store=predicate["store"],
        tenant=predicate["tenant"],
        export=predicate["export"],
        act=ExportAct(predicate["act"]),
        item=predicate["item"],
        rev=predicate["rev"],
        artifact=subjects[1]["digest"]["sha256"],
        bundle_sha256=subjects[0]["digest"]["sha256"],
        content=predicate["content"],
        note=predicate["note"],
        prev=Seen(predicate["prev"]["size"], predicate["prev"]["root"]),
        policy_sha256=predicate["policy_sha256"],
        reviewer=predicate["reviewer"],
        reviewer_seq=predicate["reviewer_seq"],
        signed_at=predicate["signed_at"],
        nonce=predicate["nonce"],
    )


def _subject(name: str, sha256: str) -> dict[str, Any]:
    return {"name": name, "digest": {"sha256": sha256}}
