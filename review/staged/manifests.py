"""From a proposal to what is staged: payloads for the vault, and the manifest a person signs.

Pure: salts and ids come in. The log gets digests, codes and positions; all words go to payloads.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from review.staged import spelling
from review.staged.spelling import Cell
from store import canonical
from store.cells import Cardinality, Conclusion, Fact, FactRole, Interval, Precision, Span
from store.vault import Payload, Role

SaltSource = Callable[[], bytes]

_NOT_WORD: Final = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Manifested:
    """A cell ready to stage: its manifest, the digest of it, and the content behind it."""

    manifest: bytes
    """As it is spelled, which is what the digest is over."""

    digest: str
    payloads: Sequence[Payload]


def look_of(claim: str) -> bytes:
    """The claim without case, punctuation and spacing: equal for copies, not for rewordings."""
    folded = (claim if claim.isascii() else unicodedata.normalize("NFKC", claim)).casefold()
    return _NOT_WORD.sub(" ", folded).strip().encode("utf-8")


def manifest(cell: Cell, *, salt: SaltSource) -> Manifested:
    """Everything on the card, as payloads and as the manifest that commits to them."""
    proposal = cell.proposal
    provenance = spelling.provenance(proposal, cell.provenance, cell.place)
    payloads = [
        Payload(Role.TEXT, salt(), proposal.claim.encode("utf-8")),
        Payload(Role.PROVENANCE, salt(), provenance),
    ]
    if proposal.scope or proposal.entities:
        payloads.append(Payload(Role.SCOPE, salt(), spelling.scope(proposal)))
    if proposal.facts:
        payloads.append(Payload(Role.FACTS, salt(), spelling.facts(proposal)))
    if proposal.conclusion is not None:
        payloads.append(Payload(Role.CONCLUSION, salt(), spelling.conclusion(proposal)))
    spelled = spelling.manifest(cell, {str(part.role): part.commitment for part in payloads})
    return Manifested(spelled, canonical.sha256(spelled).hex(), payloads)


def read_facts(body: bytes) -> tuple[Fact, ...]:
    """The facts of a facts payload."""
    return tuple(_read_fact(told) for told in canonical.decode(body))


def read_conclusion(body: bytes) -> Conclusion:
    """The conclusion of a conclusion payload."""
    told = canonical.decode(body)
    return Conclusion(told["text"], told["task"], tuple(_read_fact(f) for f in told["support"]))


def _read_fact(told: Mapping[str, Any]) -> Fact:
    start, end, precision = told["valid"]
    return Fact(
        subject=told["subject"],
        parameter=told["parameter"],
        value=told["value"],
        span=Span(*told["span"]),
        valid=Interval(start, end, Precision(precision)),
        role=FactRole(told.get("role", FactRole.STATES)),
        subject_key=told.get("subject_key", ""),
        parameter_key=told.get("parameter_key", ""),
        value_key=told.get("value_key", ""),
        cardinality=Cardinality(told.get("cardinality", Cardinality.UNKNOWN)),
        reader=told.get("reader", "source"),
    )
