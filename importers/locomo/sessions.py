"""The sessions of one LoCoMo talk as trajectories, in the order of their numbers.

A caption of a picture was made by a model and stands as a note beside what was said. A reference
``D8:6`` names a line; ``D:11:26`` and ``D`` name nothing, and several may stand in one string.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from importers import fields, long_texts, reads, times
from importers.faults import RecordFaultError
from importers.json_reading import parts
from importers.json_reading.slices import Slice
from importers.json_reading.strict import JsonObject
from importers.runs import RunBuilder
from store.records import Failed, FailReason, Nothing, NothingReason, Read, RemarkCode
from store.trajectories import Omitted, StepKind

_SESSION: Final = re.compile(r"session_(\d{1,6})", re.ASCII)
_DATE: Final = re.compile(r"session_(\d{1,6})_date_time", re.ASCII)
_LINE: Final = re.compile(r"D(\d{1,6}):(\d{1,6})", re.ASCII)
_BETWEEN: Final = re.compile(r"[;,\s]+")


def broken(part: Slice, name: str) -> Read:
    """A part that is not of the shape it should have."""
    return Read(reads.place_of(part), part.raw, Failed(FailReason.FIELD_INVALID, name=name))


class References(NamedTuple):
    """References as the file writes them: those that name a line of the talk, and the others."""

    named: tuple[str, ...]
    malformed: tuple[str, ...]


class Talk:
    """One ``conversation``: its sessions, their dates and their lines."""

    def __init__(self, sample: str, part: Slice, tally: reads.Tally) -> None:
        """Find the sessions.

        Raises:
            RecordFaultError: If the part is no object.
        """
        self.sample = sample
        self._tally = tally
        self._sessions: dict[int, Slice] = {}
        self._dates: dict[int, Slice] = {}
        self._others: list[Slice] = []
        self._speakers: list[str] = []
        self._lines: set[tuple[int, int]] = set()
        for name, one in parts.members(part):
            if session := _SESSION.fullmatch(name):
                self._sessions[int(session[1])] = one
            elif dated := _DATE.fullmatch(name):
                self._dates[int(dated[1])] = one
            elif name.startswith("speaker"):
                speaker = parts.parsed(one)
                self._speakers += [speaker] if isinstance(speaker, str) else []
            elif one.raw[:1] in (b"[", b"{"):
                self._others.append(one)

    def reads(self) -> Iterator[Read]:
        """One ``Read`` per session, and one for every line that cannot be read."""
        for _ in self._dates.keys() - self._sessions.keys():
            self._tally.add(RemarkCode.COUNTS_DIFFER)
        for number in sorted(self._sessions):
            yield from self._session(number, self._sessions[number])
        for one in self._others:
            self._tally.add(RemarkCode.UNKNOWN_TYPES)
            yield Read(reads.place_of(one), one.raw, Nothing(NothingReason.UNKNOWN_TYPE))

    def date(self, number: int) -> times.Moment | None:
        """When a session was held; ``None`` if the file does not say.

        Raises:
            RecordFaultError: ``TIME_INVALID`` if what it says is no time.
        """
        part = self._dates.get(number)
        if part is None:
            return None
        record: JsonObject = {"date_time": parts.parsed(part)}
        return fields.instant(record, "date_time")

    def references(self, value: object) -> References:
        """What a string, or a list of strings, refers to. Call it once sessions have been read."""
        told = value if isinstance(value, list) else [] if value is None else [value]
        named: list[str] = []
        malformed: list[str] = []
        for one in told:
            if not isinstance(one, str):
                malformed.append(str(fields.told(one)))
                continue
            for piece in filter(None, _BETWEEN.split(one)):
                found = _LINE.fullmatch(piece)
                known = found and (int(found[1]), int(found[2])) in self._lines
                (named if known else malformed).append(piece)
        return References(tuple(named), tuple(malformed))

    def _session(self, number: int, part: Slice) -> Iterator[Read]:
        try:
            lines = list(parts.elements(part)) if part.raw != b"null" else []
            at = self.date(number)
        except RecordFaultError as fault:
            yield Read(reads.place_of(part), part.raw, fault.failed)
            return
        builder = RunBuilder(element=part)
        builder.run["session"] = f"{self.sample}/session_{number}"
        builder.foreign["conversation"] = self.sample
        builder.foreign["speakers"] = list(self._speakers)
        for line in lines:
            try:
                value, cut = long_texts.parsed(line)
                self._line(builder, value, line, cut)
            except RecordFaultError as fault:
                yield Read(reads.place_of(line), line.raw, fault.failed)
        if not builder.steps:
            yield Read(reads.place_of(part), part.raw, Nothing(NothingReason.EMPTY_RUN))
            return
        if at is not None and at.tz_assumed:
            builder.remarks[RemarkCode.TIME_ZONE_ASSUMED] = None
        began = at.text if at else None
        yield builder.read(f"locomo:{self.sample}/session_{number}", started_at=began)

    def _line(
        self, builder: RunBuilder, value: JsonObject, line: Slice, cut: dict[str, Omitted]
    ) -> None:
        speaker = fields.needed(value, "speaker")
        native = fields.text(value, "dia_id") or ""
        text = value.get("text")
        if text is not None and not isinstance(text, str):
            raise RecordFaultError(FailReason.FIELD_INVALID, name="text")
        caption = fields.text(value, "blip_caption")
        if (found := _LINE.fullmatch(native)) is not None:
            self._lines.add((int(found[1]), int(found[2])))
        if text:
            builder.add(StepKind.INPUT, text, line, who=speaker, omitted=cut.get(text))
            _append(builder, "dia_ids", native)
        if caption:
            builder.add(StepKind.NOTE, caption, line, who=speaker, name="blip_caption")
            _append(builder, "dia_ids", native)
        pictures = value.get("img_url")
        for one in pictures if isinstance(pictures, list) else [pictures]:
            if isinstance(one, str):
                _append(builder, "pictures", one)


def _append(builder: RunBuilder, name: str, value: str) -> None:
    told = builder.foreign.setdefault(name, [])
    if isinstance(told, list):
        told.append(value)
