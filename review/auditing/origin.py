"""Where a fact in an answer comes from: from the answer to the bytes it was once read from.

Eight steps, always told in the same order. One that is missing is told as a gap and why; nothing
is guessed in its place.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from review import durable
from review.auditing.matching import Then
from review.auditing.why import Explanation, Verdict
from review.cards import card
from review.cards.card import Card, NoSuchItemError
from review.durable import LifeEvent
from store import read_queries
from store.log import Store
from store.stages import DecisionKind


class Step(StrEnum):
    """One step of the chain, from the answer to its origin."""

    ANSWER = "answer"
    CONTEXT = "context"
    """What was handed over for it."""

    CELL = "cell"
    DECISION = "decision"
    """Who made it durable, before the answer was given."""

    REVISION = "revision"
    """The exact artifact that was signed."""

    RECORD = "record"
    """The record of an import that it was read from."""

    SOURCE = "source"
    """The bytes of that record."""

    RUN = "run"
    """What happened when it was learned."""


class Gap(StrEnum):
    """Why a step is missing."""

    NOT_RECORDED = "not_recorded"
    """Nobody here saw what was handed over."""

    NOT_HANDED_OVER = "not_handed_over"
    """It was weighed, and not handed over."""

    NOT_A_CANDIDATE = "not_a_candidate"
    NOT_THERE = "not_there"
    """The store has no such cell."""

    NOT_APPROVED = "not_approved"
    """Nobody had approved it by then."""

    ERASED = "erased"
    NO_RUN = "no_run"
    """No run that is kept belongs to it."""


@dataclass(frozen=True, slots=True)
class ChainLink:
    """One step. ``name`` is foreign text; everything else is ours."""

    step: Step
    gap: Gap | None = None
    id: str = ""
    """Of the answer, the recall, the cell, the reviewer, the artifact, the import or the run."""

    when: str = ""
    name: str = ""
    """The file that a record stands in."""

    seq: int = -1
    """Position of its event in the log; -1 for none."""

    count: int = 0
    """Records that were decided in one list; 0 for a single look. Of a revision: its number."""

    reported: bool = False
    """Of a context: whether nobody here saw it, and somebody says so."""

    start: int = 0
    end: int = 0
    """Bytes of the record in its source."""


def chain(
    store: Store, explanation: Explanation, item: str, *, size: int
) -> tuple[ChainLink, ...]:
    """The eight steps for one cell of an answer.

    Args:
        store: Where.
        explanation: Of the answer.
        item: The cell.
        size: Position of the log when the answer was given.

    Raises:
        store.log.DamagedStoreError: If the list is not what the log holds.
    """
    row = explanation.row_of(item)
    answer = explanation.answer
    first = ChainLink(Step.ANSWER, id=answer.id, when=answer.when, seq=answer.seq)
    try:
        shown = card.card(store, item, row.score.rev if row is not None else None)
    except NoSuchItemError:
        rest = (ChainLink(step, Gap.NOT_THERE) for step in list(Step)[2:])
        return (first, _context(explanation, item), *rest)
    return (
        first,
        _context(explanation, item),
        ChainLink(
            Step.CELL,
            None if shown.claim is not None else Gap.ERASED,
            id=item,
            when=shown.recorded_at,
        ),
        _decision(store, item, size),
        ChainLink(Step.REVISION, id=shown.artifact, count=shown.rev, when=shown.recorded_at),
        ChainLink(
            Step.RECORD,
            id=shown.import_id,
            name=shown.source.name,
            start=shown.source.start,
            end=shown.source.end,
        ),
        ChainLink(
            Step.SOURCE,
            None if shown.source.raw is not None else Gap.ERASED,
            id=shown.source.sha256,
            name=shown.source.member or shown.source.name,
        ),
        _run(shown),
    )


def gaps(links: tuple[ChainLink, ...]) -> tuple[ChainLink, ...]:
    """The steps that are missing."""
    return tuple(one for one in links if one.gap is not None)


def _context(explanation: Explanation, item: str) -> ChainLink:
    row, answer = explanation.row_of(item), explanation.answer
    if row is not None:
        gap = None if row.verdict is Verdict.IN else Gap.NOT_HANDED_OVER
        return ChainLink(Step.CONTEXT, gap, id=answer.recall, seq=answer.seq)
    matching = explanation.matching
    read = [] if matching is None else [one for told in matching.read for one in told.matched]
    if any(one.cell.item == item for one in read if one.then is not Then.NOT_THERE):
        return ChainLink(Step.CONTEXT, id=answer.id, seq=answer.seq, reported=True)
    if answer.scores is not None and item in answer.scores.fetched:
        return ChainLink(Step.CONTEXT, id=answer.recall, seq=answer.seq)
    gap = Gap.NOT_A_CANDIDATE if answer.scores is not None else Gap.NOT_RECORDED
    return ChainLink(Step.CONTEXT, gap)


def _decision(store: Store, item: str, size: int) -> ChainLink:
    """The approval that stood when the answer was given."""
    before = [event for event in durable.life(store, item) if event.seq < size]
    approved = [event for event in before if event.decision == DecisionKind.APPROVE]
    if not approved or before[-1].to_stage != approved[-1].to_stage:
        return ChainLink(Step.DECISION, Gap.NOT_APPROVED)
    event = approved[-1]
    return ChainLink(
        Step.DECISION,
        id=event.reviewer,
        when=event.signed_at,
        seq=event.seq,
        count=_together(store, event),
    )


def _together(store: Store, event: LifeEvent) -> int:
    if event.mode != "bulk":
        return 0
    return int(store.rows(read_queries.LIST_SIZE, statement=event.statement)[0]["n"])


def _run(shown: Card) -> ChainLink:
    if not shown.beside:
        return ChainLink(Step.RUN, Gap.NO_RUN)
    kept = shown.beside[0].kept
    gap = None if kept.run is not None else Gap.ERASED
    return ChainLink(Step.RUN, gap, id=kept.item, when=kept.recorded_at, name=kept.source_name)
