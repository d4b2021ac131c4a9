"""What a person signs about a copy that is out of our reach: what he says was done to it.

It is a record of what somebody said, with his name and the time, and never proof that it is so.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from store import canonical
from store.statements import STATEMENT_TYPE, Seen
from store.whole_statements import read_whole

CONFIRM: Final = "urn:memory-console:forget-confirmation:v1"

_ID: Final = re.compile(r"[0-9A-Za-z][0-9A-Za-z_.:-]{0,99}")
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
_WORDS: Final = ("store", "tenant", "forget", "location", "reviewer", "signed_at", "nonce")


class Said(StrEnum):
    """What a person may say of a copy. A closed list."""

    REMOVED = "removed"
    BEYOND_USE = "beyond_use"
    """Of a backup: it is not used, nobody gets at it, it is kept safe, and it is deleted on its
    day. All four."""


@dataclass(frozen=True, slots=True)
class ConfirmStatement:
    """One person's word about one place of one request's report."""

    store: str
    tenant: str
    forget: str
    location: str
    """Id of the place in the report."""

    said: Said
    evidence: str | None
    """Commitment of the words or the link given as evidence."""

    prev: Seen
    reviewer: str
    reviewer_seq: int
    signed_at: str
    nonce: str

    def encode(self) -> bytes:
        """The exact bytes to sign.

        Raises:
            ValueError: For an id or a commitment that is none.
        """
        ids = (self.forget, self.location)
        if not all(_ID.fullmatch(one) for one in ids):
            msg = "a confirmation names a request and a place by their ids."
            raise ValueError(msg)
        if self.evidence is not None and not _DIGEST.fullmatch(self.evidence):
            msg = "evidence is named by its commitment."
            raise ValueError(msg)
        predicate: dict[str, Any] = {name: getattr(self, name) for name in _WORDS}
        predicate |= {
            "said": str(self.said),
            "evidence": self.evidence,
            "prev": {"size": self.prev.size, "root": self.prev.root},
            "reviewer_seq": self.reviewer_seq,
        }
        subject = {
            "name": f"forget:{self.forget}/{self.location}",
            "digest": {"sha256": canonical.sha256(self.location.encode("ascii")).hex()},
        }
        return canonical.encode(
            {
                "_type": STATEMENT_TYPE,
                "subject": [subject],
                "predicateType": CONFIRM,
                "predicate": predicate,
            }
        )


def read_confirm(data: bytes) -> ConfirmStatement:
    """The confirmation that signed bytes hold.

    Raises:
        BadStatementError: If they are none, or say more than one of ours.
    """
    return read_whole(data, CONFIRM, _read, "confirmation")


def _read(_subjects: Sequence[Any], told: dict[str, Any]) -> ConfirmStatement:
    words: dict[str, Any] = {name: told[name] for name in _WORDS}
    if not all(type(word) is str for word in words.values()):
        msg = "a confirmation has a value of another type."
        raise TypeError(msg)
    if type(told["reviewer_seq"]) is not int:
        msg = "a position is a whole number."
        raise TypeError(msg)
    return ConfirmStatement(
        **words,
        said=Said(told["said"]),
        evidence=told["evidence"],
        prev=Seen(told["prev"]["size"], told["prev"]["root"]),
        reviewer_seq=told["reviewer_seq"],
    )
