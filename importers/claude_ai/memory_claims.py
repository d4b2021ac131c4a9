"""The claims of a text in a Claude.ai export: insights of a memory, references of a project."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from importers import embedded_documents, fields, memory_documents, reads
from importers.claude_ai import memory_text
from importers.faults import RecordFaultError
from importers.json_reading.parts import parsed
from importers.json_reading.slices import Slice
from importers.memory_documents import Piece
from importers.times import Moment
from store.cells import Kind, Proposal, SourceType, Span
from store.records import Failed, FailReason, Nothing, NothingReason, Read, RemarkCode


@dataclass(frozen=True, slots=True)
class Text:
    """One text of a record: where it stands, whose it is, and when it was written."""

    record: Slice
    """What is shown of it when it is short: the whole record, or a part of it."""

    literal: Slice
    own: str
    """Its identity, with the system in front."""

    scope: dict[str, str]
    foreign: dict[str, object] = field(default_factory=dict)
    at: Moment | None = None


class Claims:
    """Cuts texts into claims; ``references`` counts those that are for reference only."""

    def __init__(self, *, modified_at: str | None) -> None:
        """``modified_at`` is the file's own time, used for a text that has none."""
        self._modified_at = modified_at
        self._seen: Counter[str] = Counter()
        self.references = 0

    def insights(self, text: Text) -> Iterator[Read]:
        """A memory's paragraphs."""
        remarks = (RemarkCode.INSIGHT_ONLY, RemarkCode.MODEL_MADE)
        return self._reads(text, Kind.INSIGHT, SourceType.AGENT_SUMMARY, remarks)

    def documents(self, text: Text) -> Iterator[Read]:
        """The pieces of instructions or of a document, which people govern."""
        return self._reads(text, Kind.REFERENCE, SourceType.DOCUMENT, (RemarkCode.REFERENCE_ONLY,))

    def _reads(
        self, text: Text, kind: Kind, source_type: SourceType, remarks: tuple[RemarkCode, ...]
    ) -> Iterator[Read]:
        whole = reads.place_of(text.literal)
        try:
            words = _words(text.literal)
        except RecordFaultError as fault:
            yield Read(whole, text.literal.raw, fault.failed)
            return
        if not words.strip():
            yield Read(whole, text.literal.raw, Nothing(NothingReason.EMPTY_TEXT))
            return
        cut = (
            memory_text.pieces(words)
            if kind is Kind.INSIGHT
            else memory_documents.split(words.encode("utf-8", "replace"))
        )
        start = text.literal.start - text.record.start
        inside = Span(start, start + len(text.literal.raw))
        for piece, (place, raw, evidence) in embedded_documents.shown(text.record, inside, cut):
            found = self._found(text, piece, kind, source_type, remarks, evidence)
            self.references += kind is Kind.REFERENCE and isinstance(found, Proposal)
            yield Read(place, raw, found)

    def _found(
        self,
        text: Text,
        piece: Piece,
        kind: Kind,
        source_type: SourceType,
        remarks: tuple[RemarkCode, ...],
        evidence: tuple[Span, ...],
    ) -> Proposal | Nothing | Failed:
        if piece.fault is not None:
            return piece.fault
        if not piece.claim:
            return Nothing(NothingReason.NOT_A_MEMORY)
        if text.at is None and self._modified_at:
            remarks = (*remarks, RemarkCode.WRITTEN_AT_ASSUMED)
        elif text.at is not None and text.at.tz_assumed:
            remarks = (*remarks, RemarkCode.TIME_ZONE_ASSUMED)
        mark = fields.fingerprint(piece.section, piece.claim)[:16]
        section = {"section": piece.section} if piece.section else {}
        return Proposal(
            claim=piece.claim,
            kind=kind,
            source_type=source_type,
            source_id=fields.numbered(f"{text.own}#{mark}", self._seen),
            written_at=text.at.text if text.at else self._modified_at,
            scope=text.scope,
            verbatim=piece.verbatim,
            evidence=evidence,
            foreign=text.foreign | section,
            remarks=remarks,
        )


def _words(literal: Slice) -> str:
    words = parsed(literal)
    if not isinstance(words, str):
        raise RecordFaultError(FailReason.FIELD_INVALID, name="content")
    return words
