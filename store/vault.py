"""Content apart from the log: payloads, and the salted commitments that stand for them.

The log holds only commitments. Once a payload and its salt are gone, nobody can test a guess
about the content against the log, not even for "yes", "no" or a phone number.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from store.canonical import sha256

SALT_BYTES: Final = 32
_DOMAIN: Final = b"mc:payload:v1\x00"


class Role(StrEnum):
    """What a payload is. The role is part of the commitment."""

    TEXT = "text"
    RAW = "raw"
    """A record's own bytes in its source, secrets blanked out."""

    PROVENANCE = "provenance"
    SOURCE = "source_name"
    """Name, digest and size of an imported artifact."""

    PLACE = "place"
    """The member of a folder or archive, or the table and row, a record comes from."""

    SCOPE = "scope"
    FACTS = "facts"
    CONCLUSION = "conclusion"
    NOTE = "note"
    NAME = "name"
    POLICY = "policy"
    RECALL = "recall"
    """A question, and what the gate said of every candidate."""

    ANSWER = "answer"
    """What an agent said, and what it is said to have read for it."""

    RUN = "run"
    """A trajectory: what happened in one run, secrets masked."""

    ANALYSIS = "analysis"
    """A reading of one trajectory: outcome, first wrong step, evidence."""

    MODEL = "model"
    """What a model was asked and what it said."""

    LABELS = "labels"
    """Labelled verdicts that a gate was fitted to."""

    EXPORT = "export"
    """The files of an exported rule, as they were written, and where."""


@dataclass(frozen=True, slots=True)
class Payload:
    """Erasable content with the salt that hides it behind its commitment."""

    role: Role
    salt: bytes
    body: bytes

    commitment: str = field(init=False, repr=False, compare=False)
    """What the log holds in place of the content: 64 hex digits."""

    def __post_init__(self) -> None:
        """Commit to the content, once: the log and the vault both name it."""
        object.__setattr__(self, "commitment", commit(self.role, self.salt, self.body))


def commit(role: str, salt: bytes, body: bytes) -> str:
    """``SHA-256("mc:payload:v1" || 0 || role || 0 || salt || body)`` in hex.

    Raises:
        ValueError: If the salt is not 32 bytes: a short salt could be searched through.
    """
    if len(salt) != SALT_BYTES:
        msg = f"a salt is {SALT_BYTES} bytes, got {len(salt)}."
        raise ValueError(msg)
    return sha256(_DOMAIN, role.encode("ascii"), b"\x00", salt, body).hex()


def keyed_digest(key: bytes, purpose: str, data: bytes) -> str:
    """A digest that finds repeats and that only this tenant can compute. 32 hex digits.

    Plain hashes of short texts can be guessed; these need the tenant's key, which the vault
    holds. Source: RFC 2104, HMAC-SHA-256, first 128 bits.
    """
    return digester(key, purpose)(data)


def digester(key: bytes, purpose: str) -> Callable[[bytes], str]:
    """``keyed_digest`` for many texts: the key and the purpose are taken in once."""
    begun = hmac.new(key, purpose.encode("ascii") + b"\x00", hashlib.sha256)

    def digest(data: bytes) -> str:
        mac = begun.copy()
        mac.update(data)
        return mac.hexdigest()[:32]

    return digest
