"""Desks over real stores, and proposals to put on them."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from importlib import resources

from review.desk import Desk
from review.person import Person
from store.cells import Kind, Proposal, SourceType, Span
from store.drafts import DraftBook
from store.records import Origin, Place, Read, Reading
from tests.conftest import Clock

POLICY = resources.files("review").joinpath("default_policy.yaml").read_bytes()


def proposal(claim: str, **changes) -> Proposal:
    told = {
        "claim": claim,
        "kind": Kind.FACT,
        "source_type": SourceType.FOREIGN_MEMORY,
        "source_id": f"test:{claim}",
        "written_at": "2026-02-01T10:00:00Z",
        "evidence": (Span(0, len(claim.encode())),),
        "foreign": {"claimed_writer": "ana"},
        "scope": {"user": "ana"},
    }
    return Proposal(**(told | changes))


def reading(
    proposals: Iterable[object], name: str = "export.json", importer: str = "test"
) -> Reading:
    """Proposals (or ``Nothing`` / ``Failed``) as one source, each on its own line."""
    reads, at = [], 0
    for line, found in enumerate(proposals, 1):
        raw = found.claim.encode() if isinstance(found, Proposal) else b"{...}"
        reads.append(Read(Place(line, at, at + len(raw)), raw, found))
        at += len(raw) + 1
    origin = Origin(
        name=name,
        sha256=sha256(b"\n".join(read.raw for read in reads)).hexdigest(),
        size=at,
        media_type="application/json",
        importer=importer,
        importer_version="1",
        modified_at="2026-02-02T00:00:00Z",
    )
    return Reading(origin, iter(reads))


def desk_over(store, reviewer=None, *, clock=None, chance=None, book=None) -> Desk:
    import random

    desk = Desk(
        store,
        person=Person(reviewer.name, "Irina K.") if reviewer is not None else None,
        book=book or DraftBook(None),
        process="p-test",
        clock=clock or Clock(),
        chance=chance or random.Random(11).randbytes,
    )
    desk.adopt_policy(POLICY)
    return desk


def signer(reviewer):
    """Signs with the reviewer's key, as the console does after a passphrase."""
    return lambda statements: reviewer.key.sign(statements, now=reviewer.key._until)
