"""From a press to signed links: what is said of two records, checked again when it is signed.

Nothing here can sign; a function that does is handed in by the console.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Final

import pandas as pd

from review import queue, secrets
from review.deciding import Signer
from review.identities import new_id, stamp
from review.person import Person
from review.queue import Row
from review.staged.placing import Writer
from review.text.visible import escape
from store import queries
from store.cells import EdgeKind
from store.events import ActorKind, EventType, Happening
from store.link_drafts import LinkBook
from store.link_standing import stood
from store.links import End, LinkStatement, LinkVerdict, SignedLink
from store.log import Entry, Store
from store.standing import OutOfTurnError
from store.statements import MOST_SUBJECTS, Seen
from store.vault import Payload, Role

LONGEST_REASON: Final = 1_000
"""Characters of a reason."""

_ROUNDS: Final = 20
_SEPARATOR: Final = "\x1e"


class NotLinkedError(ValueError):
    """A link cannot be drafted. The message says why, and that nothing was recorded."""


@dataclass
class LinkReceipt:
    """What a signing session recorded."""

    recorded: int = 0
    statements: list[str] = field(default_factory=list)
    set_aside: int = 0
    """Drafted links that do not fit what is stored now; they were dropped."""


class LinkRecorder:
    """Says what a press means, and turns drafted links into signed statements."""

    def __init__(self, store: Store, writer: Writer) -> None:
        """For ``store``, acting as ``writer``."""
        self._store, self._writer = store, writer

    def record(
        self, person: Person, book: LinkBook, sign: Signer, *, policy_sha256: str
    ) -> LinkReceipt:
        """Sign the drafts of ``book`` and append them, at most 200 links to a statement.

        Drafted links whose records have moved are dropped and counted; the rest is signed.

        Raises:
            Exception: Whatever ``sign`` raises. Drafts are still there then.
        """
        receipt = LinkReceipt()
        for _ in range(_ROUNDS):
            drafts = book.all()
            links = [link for one in drafts for link in one.links]
            fit = self._fitting(links)
            receipt.set_aside += len(links) - len(fit)
            reasons = {link.key: one.note for one in drafts for link in one.links if one.note}
            built = self._statements(person, fit, reasons, policy_sha256)
            signed = sign([one.encode() for one, _ in built]) if built else ()
            try:
                for one, (_, notes) in zip(signed, built, strict=True):
                    entry = Entry(self._happening(person), payloads=notes, signed=one)
                    self._store.append(entry)
                    receipt.statements.append(one.sha256)
            except OutOfTurnError:
                continue
            receipt.recorded += len(fit)
            book.drop([one.nonce for one in drafts])
            return receipt
        msg = "others keep signing first. Nothing more was recorded. Sign again."
        raise NotLinkedError(msg)

    def said(
        self,
        start: Row,
        target: Row,
        verdict: LinkVerdict,
        kind: EdgeKind = EdgeKind.DUPLICATE_OF,
    ) -> SignedLink:
        """What ``verdict`` says of two records as they are now, over what stands."""
        link = SignedLink(kind, _end(start), _end(target), verdict, "", view_of(start, target))
        standing = self._store.standing().links
        return SignedLink(
            kind, link.start, link.target, verdict, stood(standing, link), link.view_sha256
        )

    def rows(self, items: Sequence[str]) -> dict[str, Row]:
        """Records as the log holds them."""
        wanted = pd.DataFrame({"item": pd.Series(list(items), dtype="str")})
        found = self._store.rows(queries.ITEMS, {"wanted": wanted})
        return {row.item: row for row in queue.rows_of(self._store, found)}

    def _fitting(self, links: Sequence[SignedLink]) -> list[SignedLink]:
        """Those that still are what was drawn. The drafts file is not believed."""
        ends = {end.item for link in links for end in (link.start, link.target)}
        rows, standing = self.rows(sorted(ends)), self._store.standing().links
        fit: dict[tuple[str, str, str], SignedLink] = {}
        for link in links:
            start, target = rows.get(link.start.item), rows.get(link.target.item)
            if start is None or target is None or link.key in fit:
                continue
            same = (_end(start), _end(target)) == (link.start, link.target)
            says_more = str(link.verdict) != stood(standing, link)
            if same and says_more and link == self.said(start, target, link.verdict, link.kind):
                fit[link.key] = link
        return list(fit.values())

    def _statements(
        self,
        person: Person,
        links: Sequence[SignedLink],
        reasons: Mapping[tuple[str, str, str], str],
        policy_sha256: str,
    ) -> list[tuple[LinkStatement, list[Payload]]]:
        head = self._store.head()
        due = self._store.standing().sequence.get(person.reviewer, 0) + 1
        built = []
        for place, start in enumerate(range(0, len(links), MOST_SUBJECTS)):
            now, chunk, notes = self._writer.clock(), [], []
            for link in links[start : start + MOST_SUBJECTS]:
                told = reasons.get(link.key, "")[:LONGEST_REASON]  # the file is not believed
                why = secrets.mask(told)[0]
                if why:
                    notes.append(Payload(Role.NOTE, self._writer.chance(32), why.encode("utf-8")))
                chunk.append(replace(link, note=notes[-1].commitment if why else None))
            statement = LinkStatement(
                store=self._store.store_id,
                tenant=self._store.tenant_id,
                links=tuple(chunk),
                prev=Seen(head.size, head.root),
                policy_sha256=policy_sha256,
                reviewer=person.reviewer,
                reviewer_seq=due + place,
                signed_at=stamp(now),
                nonce=new_id(now, self._writer.chance(10)),
            )
            built.append((statement, notes))
        return built

    def _happening(self, person: Person) -> Happening:
        return Happening(
            EventType.LINKS_DECIDED,
            recorded_at=stamp(self._writer.clock()),
            actor=person.reviewer,
            actor_kind=ActorKind.HUMAN_KEY,
            process=self._writer.process,
        )


def view_of(start: Row, target: Row) -> str:
    """Digest of the escaped texts of two records, as they are drawn."""
    told = (escape(one.claim) if one.claim is not None else "" for one in (start, target))
    return sha256(_SEPARATOR.join(told).encode("utf-8", "surrogatepass")).hexdigest()


def _end(row: Row) -> End:
    return End(row.item, row.rev, row.artifact)
