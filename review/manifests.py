"""From a proposal to what is staged: payloads for the vault, and the manifest a person signs.

Pure: salts and ids come in. The log gets digests, codes and positions; all words go to payloads.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from store import artifact, canonical
from store.cells import (
    Conclusion,
    Edge,
    Fact,
    Interval,
    Precision,
    Proposal,
    Provenance,
    Span,
)
from store.records import Place
from store.vault import Payload, Role

SaltSource = Callable[[], bytes]


@dataclass(frozen=True, slots=True)
class Cell:
    """A proposal with its identity here: what is about to be staged.

    Edges whose target is not in the store stay in ``proposal`` and are shown as the file's claim.
    """

    item: str
    rev: int
    proposal: Proposal
    provenance: Provenance
    place: Place
    edges: tuple[Edge, ...]
    parser: str


@dataclass(frozen=True, slots=True)
class Manifested:
    """A cell ready to stage: its manifest, the digest of it, and the content behind it."""

    manifest: Mapping[str, Any]
    digest: str
    payloads: tuple[Payload, ...]


def content_of(proposal: Proposal) -> bytes:
    """What makes a record the same record when it is imported again.

    The claim, its identity in its source, and everything that would change the cell; not the
    times of writing and not the file's claims about itself.
    """
    return canonical.encode(
        {
            "claim": proposal.claim,
            "source": proposal.source_id,
            "kind": str(proposal.kind),
            "type": str(proposal.source_type),
            "valid": _interval(proposal.valid),
            "scope": {_ascii(k): v for k, v in proposal.scope.items()},
            "entities": list(proposal.entities),
            "facts": [_fact(fact) for fact in proposal.facts],
            "conclusion": _conclusion(proposal.conclusion),
            "edges": [[str(e.kind), e.target, e.strength] for e in proposal.edges],
            "verbatim": proposal.verbatim,
            "immutable": proposal.immutable,
            "expires": proposal.expires_at,
            "polarity": proposal.polarity,
        }
    )


def look_of(claim: str) -> bytes:
    """The claim without case, punctuation and spacing: equal for copies, not for rewordings."""
    folded = unicodedata.normalize("NFKC", claim).casefold()
    return " ".join("".join(c if c.isalnum() else " " for c in folded).split()).encode("utf-8")


def manifest(cell: Cell, *, salt: SaltSource) -> Manifested:
    """Everything on the card, as payloads and as the manifest that commits to them."""
    proposal, provenance = cell.proposal, cell.provenance
    text = Payload(Role.TEXT, salt(), proposal.claim.encode("utf-8"))
    told = Payload(Role.PROVENANCE, salt(), _provenance(proposal, provenance, cell.place))
    payloads = [text, told]
    scope = facts = conclusion = None
    if proposal.scope or proposal.entities:
        body = {
            "scope": {_ascii(k): v for k, v in proposal.scope.items()},
            "entities": list(proposal.entities),
        }
        scope = Payload(Role.SCOPE, salt(), canonical.encode(body))
        payloads.append(scope)
    if proposal.facts:
        body_facts = [_fact(fact) for fact in proposal.facts]
        facts = Payload(Role.FACTS, salt(), canonical.encode(body_facts))
        payloads.append(facts)
    if proposal.conclusion is not None:
        body_told = canonical.encode(_conclusion(proposal.conclusion))
        conclusion = Payload(Role.CONCLUSION, salt(), body_told)
        payloads.append(conclusion)
    fields = {
        "item": cell.item,
        "rev": cell.rev,
        "tenant": provenance.tenant_id,
        "kind": str(proposal.kind),
        "source_type": str(proposal.source_type),
        "text": text.commitment,
        "provenance": told.commitment,
        "valid_from": proposal.valid.start,
        "valid_to": proposal.valid.end,
        "precision": str(proposal.valid.precision),
        "expires_at": proposal.expires_at,
        "scope": scope.commitment if scope else None,
        "verbatim": proposal.verbatim,
        "immutable": proposal.immutable is not None,
        "facts": facts.commitment if facts else None,
        "conclusion": conclusion.commitment if conclusion else None,
        "edges": [[str(e.kind), e.target, e.strength, str(e.asserter)] for e in cell.edges],
        "pointer": None,
        "parser": cell.parser,
    }
    return Manifested(fields, artifact.digest(fields), tuple(payloads))


def read_facts(body: bytes) -> tuple[Fact, ...]:
    """The facts of a facts payload."""
    return tuple(_read_fact(told) for told in canonical.decode(body))


def read_conclusion(body: bytes) -> Conclusion:
    """The conclusion of a conclusion payload."""
    told = canonical.decode(body)
    return Conclusion(told["text"], told["task"], tuple(_read_fact(f) for f in told["support"]))


def plain(value: object) -> object:
    """A foreign value in the canonical subset: numbers with a fraction and odd keys as strings."""
    if isinstance(value, Mapping):
        return {_ascii(str(k)): plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [plain(v) for v in value]
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int) and abs(value) < 2**53:
        return value
    return str(value)


def _provenance(proposal: Proposal, provenance: Provenance, place: Place) -> bytes:
    return canonical.encode(
        {
            "source_type": str(provenance.source_type),
            "source_id": provenance.source_id,
            "writer_identity": provenance.writer_identity,
            "tenant_id": provenance.tenant_id,
            "written_at": provenance.written_at,
            "validation_state": provenance.validation_state,
            "confidence": proposal.confidence,
            "review_id": proposal.review_id,
            "polarity": proposal.polarity,
            "immutable": proposal.immutable,
            "member": place.member,
            "evidence": [[span.start, span.end] for span in proposal.evidence],
            "unresolved_edges": [[str(e.kind), e.target] for e in proposal.edges],
            "foreign": plain(proposal.foreign),
            "remarks": [str(code) for code in proposal.remarks],
        }
    )


def _interval(valid: Interval) -> list[str | None]:
    return [valid.start, valid.end, str(valid.precision)]


def _fact(fact: Fact) -> dict[str, Any]:
    return {
        "subject": fact.subject,
        "parameter": fact.parameter,
        "value": fact.value,
        "span": [fact.span.start, fact.span.end],
        "valid": _interval(fact.valid),
    }


def _read_fact(told: Mapping[str, Any]) -> Fact:
    start, end, precision = told["valid"]
    return Fact(
        subject=told["subject"],
        parameter=told["parameter"],
        value=told["value"],
        span=Span(*told["span"]),
        valid=Interval(start, end, Precision(precision)),
    )


def _conclusion(conclusion: Conclusion | None) -> dict[str, Any] | None:
    if conclusion is None:
        return None
    return {
        "text": conclusion.text,
        "task": conclusion.task,
        "support": [_fact(fact) for fact in conclusion.support],
    }


def _ascii(key: str) -> str:
    """A key in ASCII: canonical JSON has no others. Other characters become escapes."""
    return key if key.isascii() else key.encode("ascii", "backslashreplace").decode("ascii")
