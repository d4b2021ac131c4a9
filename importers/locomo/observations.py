"""``observation`` rows of LoCoMo as proposals: a claim about a speaker, with its references.

A model drew them from the session, and the file does not say when. They hold from the date of the
session, which is the one world time in the file; that is an assumption, and said so.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from importers import fields, reads
from importers.faults import RecordFaultError
from importers.json_reading import parts
from importers.json_reading import tokens as json_tokens
from importers.json_reading.slices import Slice
from importers.locomo.sessions import Talk, broken
from store.cells import Interval, Kind, Precision, Proposal, SourceType, Span
from store.records import Failed, FailReason, Nothing, NothingReason, Read, RemarkCode

_NAME: Final = re.compile(r"session_(\d{1,6})(?:_observations?)?", re.ASCII)


class Observations:
    """The observations of one talk."""

    def __init__(self, talk: Talk, modified_at: str | None, tally: reads.Tally) -> None:
        """``modified_at`` is the time of writing: the file has none."""
        self._talk, self._modified_at, self._tally = talk, modified_at, tally
        self._seen: Counter[str] = Counter()

    def reads(self, part: Slice) -> Iterator[Read]:
        """One ``Read`` per row, in file order."""
        try:
            sessions = list(parts.members(part)) if part.raw != b"null" else []
        except RecordFaultError:
            yield broken(part, "observation")
            return
        for name, session in sessions:
            found = _NAME.fullmatch(name)
            try:
                speakers = list(parts.members(session))
            except RecordFaultError:
                yield broken(session, "observation")
                continue
            for speaker, rows in speakers:
                yield from self._rows(rows, speaker, int(found[1]) if found else None)

    def _rows(self, part: Slice, speaker: str, session: int | None) -> Iterator[Read]:
        try:
            rows = list(parts.elements(part))
        except RecordFaultError:
            yield broken(part, "observation")
            return
        for row in rows:
            found: Proposal | Nothing | Failed
            try:
                found = self._proposal(row, speaker, session)
            except RecordFaultError as fault:
                found = fault.failed
            yield Read(reads.place_of(row), row.raw, found)

    def _proposal(self, row: Slice, speaker: str, session: int | None) -> Proposal | Nothing:
        value = parts.parsed(row)
        claim, refers = (value[0], value[1:]) if isinstance(value, list) and value else (value, [])
        if not isinstance(claim, str):
            raise RecordFaultError(FailReason.FIELD_INVALID, name="observation")
        if not claim.strip():
            return Nothing(NothingReason.EMPTY_TEXT)
        named, malformed = self._talk.references(_flat(refers))
        at = self._talk.date(session) if session is not None else None
        remarks: list[str] = [RemarkCode.MODEL_MADE]
        foreign: dict[str, object] = {"conversation": self._talk.sample, "speaker": speaker}
        if named:
            foreign["evidence"] = list(named)
        else:
            remarks.append(RemarkCode.SOURCE_LINK_ABSENT)
        if malformed:
            remarks.append(RemarkCode.REFERENCES_MALFORMED)
            self._tally.add(*[RemarkCode.REFERENCES_MALFORMED] * len(malformed))
            foreign["evidence_malformed"] = list(malformed)
        if self._modified_at:
            remarks.append(RemarkCode.WRITTEN_AT_ASSUMED)
        if at is not None:
            remarks.append(RemarkCode.VALID_TIME_ASSUMED)
            if at.tz_assumed:
                remarks.append(RemarkCode.TIME_ZONE_ASSUMED)
        where = f"session_{session}" if session is not None else "session"
        own = f"locomo:{self._talk.sample}/{where}#{fields.fingerprint(speaker, claim)[:16]}"
        return Proposal(
            claim=claim.strip(),
            kind=Kind.FACT,
            source_type=SourceType.MODEL_EXTRACTION,
            source_id=fields.numbered(own, self._seen),
            written_at=self._modified_at,
            valid=Interval(at.text, None, Precision.INSTANT) if at else Interval(),
            scope={"conversation": self._talk.sample},
            entities=(speaker,) if speaker else (),
            evidence=(_first_text(row),),
            foreign=foreign,
            remarks=tuple(remarks),
        )


def _flat(refers: object) -> list[object]:
    told = refers if isinstance(refers, list) else [refers]
    return [inner for one in told for inner in (one if isinstance(one, list) else [one])]


def _first_text(row: Slice) -> Span:
    """The string that is the claim: the first of the row."""
    for _, _, span in json_tokens.texts(row.raw):
        return span
    return Span(0, len(row.raw))
