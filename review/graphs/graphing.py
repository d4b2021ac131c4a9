"""What overrides, contradicts and carries what, at the desk: now or at a past moment.

Looking is possible for every moment of record time, and the log alone says what stood then.
Drawing an edge is possible now only. Nothing here can sign.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Final

from review import durable, instants
from review.auditing import answers
from review.auditing.answers import Answer
from review.auditing.uses import used
from review.cards.card import Card, card
from review.duplicates.linking import Linking
from review.graphs import blast, staleness
from review.graphs.blast import Blast
from review.graphs.edges_by_hand import EdgesByHand
from review.graphs.graph import Graph
from review.graphs.graph_edges import GraphEdge
from review.graphs.open_conflicts import OpenConflicts
from review.graphs.staleness import Stale
from review.identities import Clock
from review.inquiry import Inquiry
from review.memory import signed_edges
from review.memory.knowing import Known
from review.memory.validity import Status
from review.policy import Policy
from review.queue import PAGE, Page, Wanted
from store import link_queries
from store.link_standing import StandingLink
from store.links import SignedLink
from store.log import Store
from store.stages import Stage
from store.standing import Standing

AT_ONCE: Final = 5_000
"""Durable cells up to which a page that is about something else works their lives out."""


@dataclass(frozen=True, slots=True)
class StalePage:
    """One page of stale cells, and how many there are."""

    rows: tuple[Stale, ...]
    total: int


@dataclass(frozen=True)
class Moment:
    """What the store knew at a moment of record time, and how things stood then."""

    known: Known
    standing: Standing
    at: int
    """World time that is looked at: the same moment."""

    @cached_property
    def graph(self) -> Graph:
        """The graph of the moment."""
        return Graph(self.known, self.standing, self.at)

    @cached_property
    def conflicts(self) -> OpenConflicts:
        """Conflicts that were open."""
        return OpenConflicts(self.known, self.at)

    def statuses(self, items: Iterable[str]) -> dict[str, Status]:
        """The status of each item that was durable."""
        cells, life = self.known.cells, self.known.life
        return {
            item: life.status(row, self.at, durable=bool(cells.durable[row]))
            for item in items
            if (row := cells.row_of.get(item)) is not None
        }

    def having(self, status: Status) -> tuple[str, ...]:
        """The items that have a status."""
        items = self.known.cells.text("item")
        told = self.statuses(str(item) for item in items)
        return tuple(item for item, one in told.items() if one is status)


class Graphing:
    """The graph of one store, for one person. See the module."""

    def __init__(
        self, store: Store, linking: Linking, inquiry: Inquiry, policy: Policy, clock: Clock
    ) -> None:
        """Nothing is read until something is asked."""
        self._store, self._inquiry, self._policy, self._clock = store, inquiry, policy, clock
        self._person = linking.reviewer
        self.by_hand = EdgesByHand(store, linking)

    def at(self, moment: datetime | None = None) -> Moment:
        """What was known at a moment of record time, timezone-aware; None is now."""
        known, standing = self._inquiry.at(self._policy, moment)
        return Moment(known, standing, instants.of(moment or self._clock()))

    @property
    def is_light(self) -> bool:
        """Whether the lives of cells are at hand, or few enough to be worked out beside a page."""
        if self._inquiry.is_at_hand(self._policy):
            return True
        return durable.count(self._store) <= AT_ONCE

    def stale(self, number: int = 1, moment: datetime | None = None) -> StalePage:
        """One page of the cells that wait to be checked again, 50 a page, counted from 1."""
        told = self.at(moment)
        rows = staleness.stale_rows(told.known, told.at)
        here = rows[(max(number, 1) - 1) * PAGE : max(number, 1) * PAGE]
        return StalePage(staleness.told(told.known, here), len(rows))

    def facts(
        self,
        wanted: Wanted,
        number: int = 1,
        *,
        moment: datetime | None = None,
        only: Collection[str] | None = None,
    ) -> Page:
        """One page of the cells that were durable at a moment, as ``review.durable.page``."""
        standing = self._inquiry.at(self._policy, moment)[1] if moment is not None else None
        return durable.page(self._store, wanted, number, standing=standing, only=only)

    def card(self, item: str, moment: datetime | None = None) -> Card:
        """One record in full as it stood at a moment. See ``review.cards.card.card``."""
        return card(
            self._store, item, standing=None if moment is None else self.at(moment).standing
        )

    def used_in(self, item: str) -> tuple[Answer, ...]:
        """Past answers whose context held a cell, newest first."""
        return answers.using(self._store, item)

    def reason(self, edge: GraphEdge) -> str | None:
        """Why a person said that an edge holds: foreign text; None if nobody did, or erased."""
        note = edge.person.note if edge.person is not None else ""
        found = self._store.payloads([note]).get(note) if note else None
        return None if found is None else found.body.decode("utf-8")

    def denied_by_words(self, told: Moment, item: str) -> tuple[StandingLink, ...]:
        """What was denied of other records and holds for ``item``, whose words are the same."""
        links = list(signed_edges.denials(told.standing))
        ends = {end.item for one in links for end in (one.link.start, one.link.target)}
        cells = told.known.cells
        rows = {one: cells.row_of[one] for one in (*ends, item) if one in cells.row_of}
        claims = cells.text("claim")
        named = {one: str(claims[row]) for one, row in rows.items()} if links else {}
        return signed_edges.akin(told.standing, named, item)

    def last_decision(self) -> str:
        """When the newest signed decision or link was recorded, RFC 3339; blank if none was."""
        rows = self._store.rows(link_queries.LAST_DECIDED)
        return str(rows[0]["recorded_at"] or "") if rows else ""

    # --- before an act ----------------------------------------------------------------------

    def if_linked(self, links: Sequence[SignedLink]) -> Blast:
        """What signing ``links`` would change."""
        now = self.at()
        would = blast.with_links(now.standing, links, by=self._person, at=self._stamp(now))
        return self._blast(now, would)

    def if_durable(self, shown: Card) -> Blast:
        """What making a record durable would change."""
        return self._if_stage(shown, Stage.DURABLE)

    def if_withdrawn(self, shown: Card) -> Blast:
        """What withdrawing a durable record would change."""
        told = self._if_stage(shown, Stage.STAGED)
        return replace(told, used=used(self._store, (shown.item, *told.items)))

    def _if_stage(self, shown: Card, stage: Stage) -> Blast:
        now = self.at()
        end = (shown.item, shown.rev, shown.artifact)
        would = blast.with_stage(now.standing, end, stage, by=self._person, at=self._stamp(now))
        return self._blast(now, would)

    def _blast(self, now: Moment, would: Standing) -> Blast:
        before = (now.known.cells, now.known.life)
        told = blast.blast(before, self._inquiry.lived(self._policy, would))
        return replace(told, used=used(self._store, told.items))

    @staticmethod
    def _stamp(now: Moment) -> str:
        moment = instants.moment_of(now.at)
        return "" if moment is None else moment.isoformat().replace("+00:00", "Z")
