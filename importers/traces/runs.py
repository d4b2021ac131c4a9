"""From a source of traces to runs: one per trace, whatever wrote it and however it lies there.

A format says what its pieces are (``pieces``), which trace each belongs to (``glance``) and what
they say together (``assemble``). Everything else is here: two passes, order, repetition, the
places of steps, decisions.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Final, Protocol

from importers import reads
from importers.faults import RecordFaultError
from importers.json_reading import tokens as json_tokens
from importers.json_reading.slices import Slice
from importers.reads import Tally, place_of
from importers.runs import MAX_ELEMENT, MAX_STEPS, RunBuilder
from importers.source import Source, SourceRefusedError
from importers.traces import index
from importers.traces import units as traces_units
from importers.traces.index import Glance, Group, Index, Piece
from importers.traces.order import Tree
from importers.traces.spans import Judgement, Parts, Utterance
from importers.traces.telling import Telling, Told
from store.records import (
    Failed,
    FailReason,
    Nothing,
    NothingReason,
    Place,
    Read,
    Remark,
    RemarkCode,
)
from store.trajectories import HumanDecision, RunStatus, StepKind, Trajectory

_PARQUET: Final = b"PAR1"
_CUT: Final = FailReason.CUT_SHORT


class Dialect(Protocol):
    """What differs between systems."""

    @property
    def system(self) -> str:
        """Stands before every id."""

    @property
    def lists(self) -> frozenset[str]:
        """Names of lists in a top-level object whose elements are records."""

    @property
    def beside(self) -> dict[str, bytes]:
        """What stands beside the lists of a top-level object, as written."""

    def pieces(self, unit: Slice) -> Iterable[Piece | Read]:
        """The parts of one top-level record; a ``Read`` for one that is of no trace."""

    def glance(self, piece: Piece) -> Glance | Nothing:
        """Which trace a piece belongs to."""

    def assemble(self, trace: str, pieces: list[Piece]) -> Parts:
        """What the pieces of one trace say."""


def read(
    source: Source, dialect: Dialect, units: Iterable[Slice] | None = None
) -> Iterator[Read | Remark]:
    """Every record: first what is of no trace or broken, then one run per trace.

    Raises:
        SourceRefusedError: If it is a Parquet file.
    """
    if source.head(len(_PARQUET)).data == _PARQUET:
        why = "It is a Parquet file, which is not read here."
        raise SourceRefusedError(source.name, why, "Export the traces as JSON Lines instead.")
    yield from reads.with_tail(_Reader(source, dialect).reads(units))


class _Reader:
    def __init__(self, source: Source, dialect: Dialect) -> None:
        self._source, self._dialect = source, dialect
        self._index, self._tally = Index(), Tally()
        self._seen: set[bytes] = set()

    def reads(self, units: Iterable[Slice] | None) -> Iterator[Read | Remark]:
        own = self._dialect
        for unit in units or traces_units.units(self._source, own.lists, own.beside):
            yield from self._unit(unit)
        with index.opened(self._source) as stream:
            for group in self._index.traces():
                parts = self._dialect.assemble(group.trace, group.pieces(stream))
                yield from parts.faults
                if run := self._run(group, parts, group.whole(stream, MAX_ELEMENT)):
                    yield run
        if traces_units.names_next_page(self._dialect.beside):
            yield Remark(RemarkCode.NEXT_PAGE_EXISTS)
        yield from self._tally.remarks()

    def _unit(self, unit: Slice) -> Iterator[Read]:
        if unit.fault is not None:
            yield Read(place_of(unit), unit.raw, unit.fault)
            return
        if not unit.raw or unit.raw.isspace():
            yield Read(place_of(unit), unit.raw, Nothing(NothingReason.BLANK_LINE))
            return
        self._index.begin(unit)
        found = cut = 0
        try:
            for piece in self._dialect.pieces(unit):
                found += 1
                one = piece if isinstance(piece, Read) else self._indexed(piece)
                if one is not None:
                    cut += isinstance(one.found, Failed) and one.found.reason is _CUT
                    yield one
        except RecordFaultError as fault:
            yield Read(place_of(unit), unit.raw, fault.failed)
            return
        if unit.last and not cut and json_tokens.is_open(unit.raw):
            line = unit.line + unit.raw.count(b"\n")
            yield Read(Place(line, unit.end, unit.end), b"", Failed(_CUT))
        elif not found:
            yield Read(place_of(unit), unit.raw, Nothing(NothingReason.EMPTY_RUN))

    def _indexed(self, piece: Piece) -> Read | None:
        raw = piece.slice.raw
        digest = hashlib.sha256(piece.sort.encode() + b"\0" + raw).digest()[:16]
        try:
            glance = self._dialect.glance(piece)
        except RecordFaultError as fault:
            return Read(place_of(piece.slice), raw, fault.failed)
        if isinstance(glance, Nothing):
            if glance.reason is NothingReason.UNKNOWN_TYPE:
                self._tally.add(RemarkCode.UNKNOWN_TYPES)
            return Read(place_of(piece.slice), raw, glance)
        if digest in self._seen:
            self._tally.add(RemarkCode.COPIED_LINES)
            return Read(place_of(piece.slice), raw, Nothing(NothingReason.COPIED_LINE))
        self._seen.add(digest)
        self._index.add(piece, glance)
        return None

    def _run(self, group: Group, parts: Parts, whole: Slice | None) -> Read | None:
        if not parts.spans and not parts.judgements:
            return None
        tree = Tree(parts.spans)
        telling = Telling(tree)
        decisions = _judged(parts, telling)
        self._count(parts, tree, telling)
        if not telling.steps:
            first = parts.spans[0].piece if whole is None else whole
            return Read(place_of(first), first.raw, Nothing(NothingReason.EMPTY_RUN))
        builder = _built(telling.steps, whole)
        for one in decisions:
            builder.decide(one)
        builder.run |= {"trace": group.trace} | parts.run
        builder.foreign |= parts.foreign
        builder.remarks |= dict.fromkeys(parts.remarks)
        root = tree.root
        if root is not None and (root.failed or root.ok):
            builder.status = RunStatus.FAILED if root.failed else RunStatus.OK
        starts = [one.start for one in parts.spans if one.start]
        ends = [one.end for one in parts.spans if one.end]
        read = builder.read(
            f"{self._dialect.system}:{parts.prefix}{group.trace}",
            started_at=min(starts, key=lambda one: one.instant()).text if starts else None,
            ended_at=max(ends, key=lambda one: one.instant()).text if ends else None,
        )
        assert isinstance(read.found, Trajectory)
        return read

    def _count(self, parts: Parts, tree: Tree, telling: Telling) -> None:
        if tree.repeated:
            parts.remarks[RemarkCode.IDS_REPEATED] = None
            self._tally.add(*[RemarkCode.IDS_REPEATED] * tree.repeated)
        if telling.verdicts:
            parts.remarks[RemarkCode.MACHINE_VERDICTS] = None
            self._tally.add(*[RemarkCode.MACHINE_VERDICTS] * telling.verdicts)
        if parts.unknown:
            parts.remarks[RemarkCode.UNKNOWN_TYPES] = None
            self._tally.add(*[RemarkCode.UNKNOWN_TYPES] * parts.unknown)
        if telling.silent:
            parts.remarks[RemarkCode.CONTENT_ABSENT] = None
        if any(one.said.omitted for one in telling.steps):
            parts.remarks[RemarkCode.BULK_REPLACED] = None


def _built(steps: list[Told], whole: Slice | None) -> RunBuilder:
    """The steps in a builder, given in the order of the file so that its bytes stay in it."""
    shown = steps[:MAX_STEPS]
    order = sorted(range(len(shown)), key=lambda one: (shown[one].piece.start, one))
    builder = RunBuilder(element=whole)
    builder.beyond = len(steps) - len(shown)
    for number in order:
        said, piece, at = shown[number]
        builder.add(
            said.kind,
            said.text,
            piece,
            who=said.who,
            at=at,
            name=said.name,
            call=said.call,
            failed=said.failed,
            omitted=said.omitted,
        )
    placed = dict(zip(order, builder.steps, strict=True))
    builder.steps[:] = [placed[number] for number in range(len(shown))]
    return builder


def _judged(parts: Parts, telling: Telling) -> list[HumanDecision]:
    """What people decided. Everything else that was judged becomes a note."""
    decisions: list[HumanDecision] = []
    for one in parts.judgements:
        if one.human and one.verdict is not None:
            decisions.append(_decision(one, parts, telling))
            continue
        telling.verdicts += not one.human
        note = Utterance(StepKind.NOTE, one.text, one.by, one.name)
        telling.note(note, one.piece, one.at)
    return decisions


def _decision(one: Judgement, parts: Parts, telling: Telling) -> HumanDecision:
    assert one.verdict is not None
    step = telling.main.get(one.target, -1)
    if not parts.spans:
        note = Utterance(StepKind.NOTE, one.text, one.by, one.name)
        step = telling.note(note, one.piece, one.at)
    return HumanDecision(
        verdict=one.verdict,
        step=step if step < MAX_STEPS else -1,
        reason=one.reason,
        edit=one.edit,
        by=one.by,
        at=one.at,
        review_id=one.review_id,
        weak=one.weak,
    )
