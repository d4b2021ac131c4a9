"""Duplicates at the desk: what was found, links drafted and signed, and what people said before.

A link never merges, deletes or approves. That two records are different is signed as well, and is
known again by what the records say, so the pair does not come back when it is imported anew.
Nothing here can sign; a function that does is handed in by the console.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from review import queue
from review.deciding import Signer
from review.duplicates.clusters import Cluster, Method
from review.duplicates.link_signing import LinkReceipt, LinkRecorder, NotLinkedError
from review.duplicates.places import Place, places
from review.duplicates.search import Search, mark_of
from review.duplicates.telling_apart import Apart, apart
from review.identities import stamp
from review.person import Person, ReadOnlyError
from review.queue import PAGE, Row
from review.staged.placing import Writer
from store.cells import EdgeKind
from store.link_drafts import LinkBook, LinkDraft
from store.link_standing import StandingLink, stood
from store.links import LinkVerdict, SignedLink
from store.log import Store
from store.statements import MOST_SUBJECTS

AT_ONCE: Final = 3_000
"""Records up to which a page searches without being asked to."""


@dataclass(frozen=True, slots=True)
class ClusterRow:
    """One cluster in a list. ``claim`` is foreign text; None when it was erased."""

    cluster: Cluster
    claim: str | None


@dataclass(frozen=True, slots=True)
class ClusterPage:
    """One page of clusters, and how many there are in all."""

    rows: tuple[ClusterRow, ...]
    total: int
    counts: dict[Method, int]
    records: int
    """How many records were compared."""

    inside: int
    """How many records are in the clusters of every method."""

    series: int
    searched_at: str
    newer: int
    """How many records came in or went since."""


@dataclass(frozen=True, slots=True)
class Shown:
    """One record of an open cluster as it is drawn: its place in it, and itself from the log."""

    place: Place
    row: Row


@dataclass(frozen=True, slots=True)
class OpenCluster:
    """A cluster with everything that is drawn of it. The first record is the kept one."""

    cluster: Cluster
    shown: tuple[Shown, ...]

    @property
    def kept(self) -> Shown:
        """The record that the others would be linked to."""
        return self.shown[0]

    @property
    def pairs(self) -> int:
        """How many pairs of its records there are."""
        return len(self.shown) * (len(self.shown) - 1) // 2


class Linking:
    """Duplicates of one store, for one person."""

    def __init__(
        self, store: Store, person: Person | None, book: LinkBook, writer: Writer
    ) -> None:
        """Nothing is searched until it is asked for."""
        self._store, self._person, self._book, self._writer = store, person, book, writer
        self._search = Search(store)
        self.recorder = LinkRecorder(store, writer)

    # --- looking ----------------------------------------------------------------------------

    def refresh(self) -> int:
        """Search if that takes a moment only; how many records there are if it was not done.

        Returns:
            0 when there is something to show.
        """
        wanted = self._search.wanted()
        if len(wanted) <= AT_ONCE and self._search.mark != mark_of(wanted):
            self.search()
        return 0 if self._search.mark else len(wanted)

    def search(self) -> None:
        """Compare all records now."""
        self._search.run(self._now())

    def page(self, method: str = "", number: int = 1) -> ClusterPage:
        """One page of the open clusters, 50 a page; of one way of finding them, or of all."""
        searched, grouped, _ = self._search.open(self._book.all(), self._now())
        chosen = [one for one in grouped.found if not method or one.method == method]
        here = chosen[(max(number, 1) - 1) * PAGE : max(number, 1) * PAGE]
        items = searched.alike.cells.text("item")
        claims = queue.claims_of(self._store, [str(items[one.rows[0]]) for one in here])
        rows = tuple(ClusterRow(one, claims.get(str(items[one.rows[0]]))) for one in here)
        wanted, fresh = self._search.wanted(), 0
        if mark_of(wanted) != searched.mark:
            fresh = len(set(wanted["item"]) ^ set(searched.alike.cells.frame["item"]))
        return ClusterPage(
            rows,
            len(chosen),
            dict(grouped.counted()),
            len(searched.alike),
            sum(len(one.rows) for one in grouped.found),
            grouped.series,
            searched.at,
            fresh,
        )

    def cluster(self, name: str, keep: str = "") -> OpenCluster | None:
        """One open cluster with its records from the log; None if there is no such one now.

        Args:
            name: Its id.
            keep: The item that the others would be linked to; the best one by default.
        """
        searched, grouped, told = self._search.open(self._book.all(), self._now())
        found = next((one for one in grouped.found if one.id == name), None)
        if found is None:
            return None
        row_of = searched.alike.cells.row_of
        kept = row_of.get(keep, -1)
        if kept not in {*found.rows.tolist(), *found.odd.tolist()}:
            kept = int(found.rows[0])
        told_places = places(searched.alike, found, kept, told)
        rows = self.recorder.rows([place.item for place in told_places])
        shown = [Shown(place, rows[place.item]) for place in told_places if place.item in rows]
        return OpenCluster(found, tuple(shown)) if len(shown) > 1 else None

    def beside(self, name: str, method: str = "") -> tuple[str, str, int, int]:
        """The clusters before and after one, blank at an end, its place from 1, and the total."""
        grouped = self._search.open(self._book.all(), self._now())[1]
        names = [one.id for one in grouped.found if not method or one.method == method]
        at = names.index(name) if name in names else -1
        before = names[at - 1] if at > 0 else ""
        after = names[at + 1] if at + 1 < len(names) else ""
        return before, after, at + 1, len(names)

    def open_around(self, item: str) -> str:
        """The open cluster in which a record may say the same as another; blank for none."""
        searched, grouped, _ = self._search.open(self._book.all(), self._now())
        row = searched.alike.cells.row_of.get(item, -1)
        alike = (one for one in grouped.found if len(one.rows) > 1 and row in one.rows)
        return next((one.id for one in alike), "")

    def standing(self) -> tuple[StandingLink, ...]:
        """What people said of duplicates and did not take back, newest first."""
        links = self._store.standing().links.values()
        told = (one for one in links if one.link.kind == EdgeKind.DUPLICATE_OF)
        return tuple(sorted(told, key=lambda one: one.signed_at, reverse=True))

    # --- drafting ---------------------------------------------------------------------------

    def drafts(self) -> list[LinkDraft]:
        """This person's drafts, oldest first. They have no effect until signed."""
        return self._book.all()

    def undo(self) -> LinkDraft | None:
        """Take back the newest draft. It leaves no trace."""
        return self._book.undo()

    def link(self, opened: OpenCluster, items: Sequence[str], nonce: str) -> LinkDraft:
        """Draft a link from each of ``items`` to the kept record.

        Raises:
            NotLinkedError: If nothing is chosen, or something that is not in the cluster.
            ReadOnlyError: Without an identity.
            store.link_drafts.LinkAlreadyDraftedError: If two of them are drafted already.
        """
        here = {one.row.item: one for one in opened.shown[1:] if not one.place.linked}
        if not items or not set(items) <= here.keys():
            msg = "choose the records that say the same as the kept one. Nothing was recorded."
            raise NotLinkedError(msg)
        links = [
            self.recorder.said(here[item].row, opened.kept.row, LinkVerdict.ASSERTED)
            for item in items
        ]
        return self.draft(links, nonce)

    def apart(self, opened: OpenCluster, same: Collection[str] = ()) -> Apart:
        """The pairs that ``different`` would be said of. See ``telling_apart``."""
        linked = [one.row.item for one in opened.shown if one.place.linked]
        return apart([one.row for one in opened.shown], {*same, *linked})

    def different(
        self,
        opened: OpenCluster,
        nonce: str,
        same: Collection[str] = (),
        *,
        worded_alike: bool = False,
    ) -> LinkDraft:
        """Draft that the records of a cluster are different from each other.

        Args:
            opened: The cluster.
            nonce: Of the button.
            same: Items that are ticked as the same as the kept one: they are left together.
            worded_alike: Whether pairs with the same words are meant as well.

        Raises:
            NotLinkedError: If no pair is left, or more pairs than one signature covers.
            ReadOnlyError, store.link_drafts.LinkAlreadyDraftedError: As ``link``.
        """
        found = self.apart(opened, same)
        pairs = (*found.pairs, *(found.worded_alike if worded_alike else ()))
        if len(pairs) > MOST_SUBJECTS:
            msg = f"{len(pairs)} pairs are too many for one signature. Nothing was recorded."
            raise NotLinkedError(msg)
        standing = self._store.standing()
        links = [self.recorder.said(two, one, LinkVerdict.DIFFERENT) for one, two in pairs]
        different = str(LinkVerdict.DIFFERENT)
        return self.draft([x for x in links if stood(standing.links, x) != different], nonce)

    def take_back(self, told: StandingLink, nonce: str) -> LinkDraft:
        """Draft that what was said of two records holds no more.

        Raises:
            ReadOnlyError, store.link_drafts.LinkAlreadyDraftedError: As ``link``.
        """
        link = told.link
        rows = self.recorder.rows([link.start.item, link.target.item])
        start, target = rows[link.start.item], rows[link.target.item]
        return self.draft(
            [self.recorder.said(start, target, LinkVerdict.RETRACTED, link.kind)], nonce
        )

    def sign(self, sign: Signer, *, policy_sha256: str) -> LinkReceipt:
        """Sign every draft with ``sign`` and record it. See ``review.duplicates.link_signing``.

        Raises:
            ReadOnlyError: Without an identity.
        """
        return self.recorder.record(
            self._somebody(), self._book, sign, policy_sha256=policy_sha256
        )

    def draft(self, links: Sequence[SignedLink], nonce: str, *, note: str = "") -> LinkDraft:
        """Draft what one press says of records, with a reason.

        Raises:
            NotLinkedError: For nothing, or more than one signature covers.
            ReadOnlyError, store.link_drafts.LinkAlreadyDraftedError: As ``link``.
        """
        self._somebody()
        if not 1 <= len(links) <= MOST_SUBJECTS:
            msg = f"one press says 1 to {MOST_SUBJECTS} things. Nothing was recorded."
            raise NotLinkedError(msg)
        draft = LinkDraft(nonce, self._now(), tuple(links), note)
        self._book.add(draft)
        return draft

    @property
    def reviewer(self) -> str:
        """Id of the person at this desk; blank for nobody."""
        return "" if self._person is None else self._person.reviewer

    def _somebody(self) -> Person:
        if self._person is None:
            raise ReadOnlyError
        return self._person

    def _now(self) -> str:
        return stamp(self._writer.clock())
