"""A memory block of an agent: one document, read as a claim for each of its lines or paragraphs.

The label says what a block is for. ``human`` is about the person; ``persona`` and blocks of
instructions tell the agent how to behave, which people govern elsewhere: those are references.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from importers import fields, reads, times
from importers.faults import RecordFaultError
from importers.json_reading import tokens as json_tokens
from importers.json_reading.slices import Slice
from importers.json_reading.strict import JsonObject, parse_object
from importers.letta.document import Agent
from importers.runs import text_in
from store.cells import Kind, Proposal, SourceType, Span
from store.records import Failed, FailReason, Nothing, NothingReason, Place, Read, RemarkCode

SYSTEM: Final = "letta:"
KEPT: Final = 8 * 1024
"""Up to this size a claim is shown in its whole block; beyond it, its own bytes stand alone."""

_TAKEN: Final = frozenset({"value", "label", "id", "created_at", "updated_at", "embedding"})
_INSTRUCTIONS: Final = ("persona", "instruction", "guideline", "polic", "rule", "system", "behav")
_ITEM: Final = re.compile(r"\s*(?:[-*+•]\s|\d{1,3}[.)]\s|\[[ xX]\]|[\w ./'’-]{1,40}:(?:\s|$))")
_HEADING: Final = re.compile(r"\s*(?:#{1,6}\s+\S.*|[-=_*]{3,}\s*|<[^<>]{1,80}>\s*)")
_CLOSES: Final = (".", "!", "?", ":", ";", '"', "”", "»", "…")


@dataclass(frozen=True, slots=True)
class Unit:
    """A line or a paragraph, with the heading it stands under."""

    text: str
    heading: str = ""
    is_heading: bool = False


def kind_of(label: str) -> Kind:
    """What a block's label makes of its claims."""
    plain = label.lower()
    if any(word in plain for word in _INSTRUCTIONS):
        return Kind.REFERENCE
    return Kind.PROFILE_PREFERENCE if "human" in plain or plain == "user" else Kind.FACT


def units(value: str) -> Iterator[Unit]:
    """Lines of ``value``; a line that goes on in the next makes one unit with it."""
    heading, held = "", ""
    rows = value.split("\n")
    for n, row in enumerate(rows):
        if held and row.strip() and _goes_on(held, row):
            held += "\n" + row
            continue
        if held:
            yield Unit(held.strip(), heading)
            held = ""
        if not row.strip():
            continue
        after = next((one for one in rows[n + 1 :] if one.strip()), "")
        if _HEADING.fullmatch(row) or (row.rstrip().endswith(":") and _ITEM.match(after)):
            heading = row.strip().lstrip("#").strip().rstrip(":")
            yield Unit(row.strip(), is_heading=True)
        else:
            held = row
    if held:
        yield Unit(held.strip(), heading)


def _goes_on(held: str, row: str) -> bool:
    before, begin = held.rstrip(), row.lstrip()[:1]
    return not _ITEM.match(row) and begin.islower() and not before.endswith(_CLOSES)


class Blocks:
    """Reads blocks one by one."""

    def __init__(self, *, modified_at: str | None, exported_at: object = None) -> None:
        """``exported_at`` is the file's own time of making, for blocks without one."""
        self._modified_at, self._exported_at = modified_at, exported_at
        self._seen: Counter[str] = Counter()

    def reads(self, piece: Slice, holders: Callable[[str], list[Agent]]) -> Iterator[Read]:
        """The claims of one block; one record if it holds none or cannot be read."""
        place = reads.place_of(piece)
        if piece.fault is not None:
            yield Read(place, piece.raw, piece.fault)
            return
        try:
            record = parse_object(piece.raw, last=piece.last, shallow=piece.shallow)
            label = fields.needed(record, "label")
            value = _value(record)
            owners = holders(fields.identity(record, "id") or "")
            written_at, remarks = self._written_at(record)
        except RecordFaultError as fault:
            yield Read(place, piece.raw, fault.failed)
            return
        found = list(units(value))
        if not found:
            yield Read(place, piece.raw, Nothing(NothingReason.EMPTY_TEXT))
        cursor = json_tokens.members(piece.raw).get("value", Span(0, 0)).start
        for unit in found:
            span = text_in(piece.raw, unit.text, cursor)
            cursor = span.end if span else cursor
            made: Proposal | Nothing = (
                Nothing(NothingReason.NOT_A_MEMORY)
                if unit.is_heading
                else self._proposal(record, label, unit, owners, written_at, remarks)
            )
            yield placed(piece, made, span)

    def _proposal(
        self,
        record: JsonObject,
        label: str,
        unit: Unit,
        holders: list[Agent],
        written_at: str | None,
        remarks: tuple[str, ...],
    ) -> Proposal:
        kind = kind_of(label)
        names = sorted({one.name or one.native for one in holders} - {""})
        foreign = {
            name: fields.told(one)
            for name, one in record.items()
            if name not in _TAKEN and one not in (None, "", False, [], {})
        }
        if writer := record.get("last_updated_by_id") or record.get("created_by_id"):
            foreign["claimed_writer"] = fields.told(writer)
        if unit.heading:
            foreign["section"] = unit.heading
        scope = {"block": label} | ({"agent": ", ".join(names)} if names else {})
        own = f"{SYSTEM}{'+'.join(names) or 'block'}/{label}"
        mark = fields.fingerprint(own, unit.text)[:16]
        return Proposal(
            claim=unit.text,
            kind=kind,
            source_type=SourceType.FOREIGN_MEMORY,
            source_id=fields.numbered(f"{own}#{mark}", self._seen),
            written_at=written_at,
            scope=scope,
            foreign=foreign,
            remarks=(*remarks, RemarkCode.REFERENCE_ONLY) if kind is Kind.REFERENCE else remarks,
        )

    def _written_at(self, record: JsonObject) -> tuple[str | None, tuple[str, ...]]:
        """The block's own time; else the file's, which is only when it was made."""
        own = fields.instant(record, "updated_at") or fields.instant(record, "created_at")
        found = own or times.moment(self._exported_at)
        if found is None:
            assumed = (RemarkCode.WRITTEN_AT_ASSUMED,) if self._modified_at else ()
            return self._modified_at, assumed
        remarks = [] if own else [RemarkCode.WRITTEN_AT_ASSUMED]
        remarks += [RemarkCode.TIME_ZONE_ASSUMED] if found.tz_assumed else []
        return found.text, tuple(remarks)


def _value(record: JsonObject) -> str:
    """A block's text with its white space, by which lines are told."""
    value = record.get("value")
    if value is not None and not isinstance(value, str):
        raise RecordFaultError(FailReason.FIELD_INVALID, name="value")
    return value or ""


def placed(piece: Slice, made: Proposal | Nothing | Failed, span: Span | None) -> Read:
    """A claim in its whole record, or only its own bytes when the record is long."""
    if span is not None and len(piece.raw) > KEPT:
        line = piece.line + piece.raw.count(b"\n", 0, span.start)
        place = Place(line, piece.start + span.start, piece.start + span.end)
        raw, within = piece.raw[span.start : span.end], Span(0, span.end - span.start)
    else:
        place, raw, within = reads.place_of(piece), piece.raw, span or Span(0, len(piece.raw))
    if isinstance(made, Proposal):
        made = replace(made, evidence=(within,) if span else ())
    return Read(place, raw, made)
