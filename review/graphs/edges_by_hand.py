"""Edges that a person draws, denies and takes back: drafts first, then one signature.

An edge changes no record and no stage. It is drawn between two durable cells, with a reason that
is signed along. What a rule or a source says is not taken back but denied, and stays denied.
Duplicates have a page of their own and are not drawn here.

Source: the domain's invariants 1 and 3; ``docs/decisions/0024-edges-by-hand.md``.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from review.duplicates.link_signing import LONGEST_REASON, NotLinkedError
from review.duplicates.linking import Linking
from review.graphs.graph_edges import GraphEdge
from store.cells import EdgeKind
from store.link_drafts import LinkDraft
from store.link_standing import StandingLink
from store.links import LinkVerdict, SignedLink
from store.log import Store
from store.stages import Stage

BY_HAND: Final = (
    EdgeKind.SUPERSEDES,
    EdgeKind.CONFLICTS_WITH,
    EdgeKind.DEPENDS_ON,
    EdgeKind.SUPPORTS,
    EdgeKind.CONTRADICTS,
)
"""Kinds that a person can draw. What was made from what is known by the making."""


class Refusal(StrEnum):
    """Why an edge cannot be drafted. A closed list."""

    REASON = "reason"
    """No reason was given, or a very long one."""

    SAME = "same"
    """Both ends are one record."""

    KIND = "kind"
    """A person does not draw edges of this kind here."""

    NOT_DURABLE = "not_durable"
    """One of the two is not durable."""

    CIRCLE = "circle"
    """The other supersedes this one already, by somebody's signature."""

    STANDS = "stands"
    """It is said already."""

    NOTHING = "nothing"
    """There is nothing to take back."""


class NotDrawnError(NotLinkedError):
    """An edge cannot be drafted. ``code`` says why; nothing was recorded."""

    def __init__(self, code: Refusal) -> None:
        """Keep the code."""
        self.code = code
        super().__init__(f"the edge was not drafted ({code}). Nothing was recorded.")


class EdgesByHand:
    """Edges of one store, for one person. Nothing here can sign."""

    def __init__(self, store: Store, linking: Linking) -> None:
        """Drafts go into the book of ``linking`` and are signed with its links."""
        self._store, self._linking = store, linking

    def said(self, kind: EdgeKind, source: str, target: str, verdict: LinkVerdict) -> SignedLink:
        """What a press would sign.

        Raises:
            NotDrawnError: If it may not be said. The code says why.
        """
        if kind not in BY_HAND and verdict is LinkVerdict.ASSERTED:
            raise NotDrawnError(Refusal.KIND)
        if source == target:
            raise NotDrawnError(Refusal.SAME)
        rows = self._linking.recorder.rows([source, target])
        standing = self._store.standing()
        for item in (source, target):
            stands = standing.items.get(item)
            if item not in rows or (
                verdict is LinkVerdict.ASSERTED
                and (stands is None or stands.stage is not Stage.DURABLE)
            ):
                raise NotDrawnError(Refusal.NOT_DURABLE)
        link = self._linking.recorder.said(rows[source], rows[target], verdict, kind)
        back = standing.links.get((str(kind), target, source))
        if kind is EdgeKind.SUPERSEDES and verdict is LinkVerdict.ASSERTED and back and back.holds:
            raise NotDrawnError(Refusal.CIRCLE)
        if link.came_from == str(verdict):
            raise NotDrawnError(Refusal.STANDS)
        if verdict is LinkVerdict.RETRACTED and link.key not in standing.links:
            raise NotDrawnError(Refusal.NOTHING)
        return link

    def draw(self, kind: EdgeKind, source: str, target: str, *, why: str, nonce: str) -> LinkDraft:
        """Draft that ``source`` bears on ``target``.

        Raises:
            NotDrawnError: If it may not be said, or no reason is given.
            ReadOnlyError: Without an identity.
            store.link_drafts.LinkAlreadyDraftedError: If the two have such a draft already.
        """
        return self._draft(self.said(kind, source, target, LinkVerdict.ASSERTED), why, nonce)

    def say(
        self,
        kind: EdgeKind,
        source: str,
        target: str,
        verdict: LinkVerdict,
        *,
        why: str,
        nonce: str,
    ) -> LinkDraft:
        """Draft ``verdict`` of two records, with its reason. Raises as ``draw``."""
        return self._draft(self.said(kind, source, target, verdict), why, nonce)

    def refuse(self, edge: GraphEdge, *, why: str, nonce: str) -> LinkDraft:
        """Draft that an edge does not hold: a signature is taken back, what was found is denied.

        Raises:
            NotDrawnError, ReadOnlyError, LinkAlreadyDraftedError: As ``draw``.
        """
        return self._draft(self.refusing(edge), why, nonce)

    def refusing(self, edge: GraphEdge) -> SignedLink:
        """What ``refuse`` would sign. Raises as ``said``."""
        verdict = LinkVerdict.DENIED if edge.found else LinkVerdict.RETRACTED
        if edge.kind is EdgeKind.DUPLICATE_OF and edge.found:
            raise NotDrawnError(Refusal.KIND)
        return self.said(edge.kind, edge.source, edge.target, verdict)

    def unbind(self, item: str, premise: str, *, why: str, nonce: str) -> LinkDraft:
        """Draft that ``item`` does not depend on ``premise``, whoever says that it does.

        Raises:
            NotDrawnError, ReadOnlyError, LinkAlreadyDraftedError: As ``draw``.
        """
        link = self.said(EdgeKind.DEPENDS_ON, item, premise, LinkVerdict.DENIED)
        return self._draft(link, why, nonce)

    def restore(self, told: StandingLink, *, why: str, nonce: str) -> LinkDraft:
        """Draft that what a person said of two records holds no more: found edges come back.

        Raises:
            NotDrawnError, ReadOnlyError, LinkAlreadyDraftedError: As ``draw``.
        """
        link = told.link
        said = self.said(link.kind, link.start.item, link.target.item, LinkVerdict.RETRACTED)
        return self._draft(said, why, nonce)

    def of(self, item: str) -> tuple[StandingLink, ...]:
        """What people said of a record and another and did not take back, newest first."""
        links = self._store.standing().links.values()
        mine = (one for one in links if item in (one.link.start.item, one.link.target.item))
        return tuple(sorted(mine, key=lambda one: one.signed_at, reverse=True))

    def _draft(self, link: SignedLink, why: str, nonce: str) -> LinkDraft:
        reason = why.strip()
        if not reason or len(reason) > LONGEST_REASON:
            raise NotDrawnError(Refusal.REASON)
        return self._linking.draft([link], nonce, note=reason)
