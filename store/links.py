"""What people sign about two records: that one bears on the other, that it does not, or no more.

A link holds no words of a record, only which artifacts it is between. It never changes a stage:
both records stay what they were. A later statement about the same two takes its place.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from store import canonical
from store.cells import EdgeKind
from store.statements import (
    MOST_SUBJECTS,
    STATEMENT_TYPE,
    BadStatementError,
    Seen,
    opened,
)

LINKS: Final = "urn:memory-console:links:v1"

EITHER_WAY: Final = frozenset(
    {EdgeKind.DUPLICATE_OF, EdgeKind.CONFLICTS_WITH, EdgeKind.CONTRADICTS}
)
"""Kinds that are one question about two records, whichever of them carries the link."""


class LinkVerdict(StrEnum):
    """What a person says of two records. A closed list."""

    ASSERTED = "asserted"
    """The link holds."""

    DIFFERENT = "different"
    """It was looked at and does not hold, so it is not to be proposed again."""

    DENIED = "denied"
    """A rule or a source says so and a person says that it does not hold: it has no effect."""

    RETRACTED = "retracted"
    """What was said of the two before holds no more."""


NOTHING: Final = "nothing"
"""What stands between two records of which nobody has said anything, or no more."""


@dataclass(frozen=True, slots=True)
class End:
    """One of the two records, as exactly as it was looked at."""

    item: str
    rev: int
    artifact: str
    """Digest of the manifest that was on the screen."""


@dataclass(frozen=True, slots=True)
class SignedLink:
    """What a person says of one record and another, as it is signed."""

    kind: EdgeKind
    start: End
    target: End
    verdict: LinkVerdict
    came_from: str
    """What stood between the two before: a verdict, or ``nothing``."""

    view_sha256: str
    """Of the escaped texts that were drawn, of both ends."""

    strength: str = "1"
    """Decimal string in 0 to 1, as in ``store.cells.Edge``."""

    note: str | None = None
    """Commitment of the reviewer's reason; statements from before reasons have none."""

    @property
    def key(self) -> tuple[str, str, str]:
        """What one link takes the place of another by: its kind and its two records."""
        ends = (self.start.item, self.target.item)
        first, second = sorted(ends) if self.kind in EITHER_WAY else ends
        return str(self.kind), first, second


@dataclass(frozen=True, slots=True)
class LinkStatement:
    """A batch of links with everything that ties it to one store, policy and reviewer."""

    store: str
    tenant: str
    links: tuple[SignedLink, ...]
    prev: Seen
    policy_sha256: str
    reviewer: str
    reviewer_seq: int
    """Counts this reviewer's statements in this store, decisions and links together."""

    signed_at: str
    nonce: str

    def encode(self) -> bytes:
        """The exact bytes to sign.

        Raises:
            ValueError: For no link, or more than 200.
        """
        if not 1 <= len(self.links) <= MOST_SUBJECTS:
            msg = f"one signature covers 1 to {MOST_SUBJECTS} links, got {len(self.links)}."
            raise ValueError(msg)
        ends = dict.fromkeys(end for link in self.links for end in (link.start, link.target))
        return canonical.encode(
            {
                "_type": STATEMENT_TYPE,
                "subject": [
                    {"name": _name(end.item, end.rev), "digest": {"sha256": end.artifact}}
                    for end in ends
                ],
                "predicateType": LINKS,
                "predicate": {
                    "store": self.store,
                    "tenant": self.tenant,
                    "links": [_told(link) for link in self.links],
                    "prev": {"size": self.prev.size, "root": self.prev.root},
                    "policy_sha256": self.policy_sha256,
                    "reviewer": self.reviewer,
                    "reviewer_seq": self.reviewer_seq,
                    "signed_at": self.signed_at,
                    "nonce": self.nonce,
                },
            }
        )


def read_links(data: bytes) -> LinkStatement:
    """The links that signed bytes hold.

    Raises:
        BadStatementError: If the bytes are no statement of links, or a link is between records
            that are not among its subjects.
    """
    subjects, predicate = opened(data, LINKS)
    try:
        digests = {one["name"]: one["digest"]["sha256"] for one in subjects}
        return LinkStatement(
            store=predicate["store"],
            tenant=predicate["tenant"],
            links=tuple(_read(told, digests) for told in predicate["links"]),
            prev=Seen(predicate["prev"]["size"], predicate["prev"]["root"]),
            policy_sha256=predicate["policy_sha256"],
            reviewer=predicate["reviewer"],
            reviewer_seq=predicate["reviewer_seq"],
            signed_at=predicate["signed_at"],
            nonce=predicate["nonce"],
        )
    except (KeyError, TypeError, ValueError) as error:
        msg = f"the statement of links is malformed ({type(error).__name__})."
        raise BadStatementError(msg) from error


def _name(item: str, rev: int) -> str:
    return f"item:{item}/rev/{rev}"


def _told(link: SignedLink) -> dict[str, Any]:
    told = {
        "kind": str(link.kind),
        "from": {"item": link.start.item, "rev": link.start.rev},
        "to": {"item": link.target.item, "rev": link.target.rev},
        "verdict": str(link.verdict),
        "stood": link.came_from,
        "strength": link.strength,
        "view_sha256": link.view_sha256,
    }
    return told if link.note is None else told | {"note": link.note}


def _read(told: dict[str, Any], digests: dict[str, str]) -> SignedLink:
    start, target = (
        End(end["item"], end["rev"], digests[_name(end["item"], end["rev"])])
        for end in (told["from"], told["to"])
    )
    words = [start.item, target.item, told["stood"], told["view_sha256"], told["strength"]]
    words += [told["note"]] if "note" in told else []
    if not all(type(word) is str for word in words) or type(start.rev) is not int:
        msg = "a link has a value of another type."
        raise TypeError(msg)
    return SignedLink(
        kind=EdgeKind(told["kind"]),
        start=start,
        target=target,
        verdict=LinkVerdict(told["verdict"]),
        came_from=told["stood"],
        view_sha256=told["view_sha256"],
        strength=told["strength"],
        note=told.get("note"),
    )
